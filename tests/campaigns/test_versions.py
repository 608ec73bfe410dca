"""Templates that are compared: what may be, that each contact gets exactly one of them, and what stops all of it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablegram.campaigns import checking, filling
from tablegram.campaigns.fields import VersionFields
from tablegram.campaigns.judging import network_reason, refused_arm
from tablegram.campaigns.model import HOLDOUT, Plan, Version, encode_plan
from tablegram.campaigns.rows import SendCount
from tablegram.campaigns.splitting import arm_of
from tablegram.engine.idempotency import Call
from tablegram.errors import Invalid, Unavailable
from tablegram.flows.campaigns.message.wording import Wording
from tablegram.flows.campaigns.reporting import Reporting
from tablegram.messaging.model import Template
from tablegram.messaging.ports import NetworkTemplate
from tablegram.messaging.store import templates as template_store
from tablegram.panel.frame.forms import Form
from tablegram.panel.pages.campaigns.versions import is_to_arrange, read_versions
from tests.campaigns.office import Office, office


def network(
    name: str, text: str = "Hi {{1}}", *more: Any, status: str = "APPROVED", category: str = "MARKETING"
) -> Any:
    return NetworkTemplate(name, "en", status, category, [{"type": "BODY", "text": text}, *more])


def version(name: str, *values: str, **more: Any) -> VersionFields:
    return {"template_name": name, "template_language": "en", "template_variables": list(values), **more}  # type: ignore[typeddict-item]


KNOWN = [network("one"), network("two"), network("three", "Come")]
THREE = [version("one", "{{name|x}}"), version("two", "https://e.example/menu"), version("three")]


def knows(one: Office, *templates: Any) -> None:
    one.one.network(one.line).known_templates[:] = templates


def test_versions_are_read_by_their_place_and_what_cannot_be_is_refused_by_it() -> None:
    plan = checking.change(Plan(), {"kind": "template", "versions": THREE})
    assert (plan.arms, plan.template_name, plan.template_variables) == (3, "one", ("{{name|x}}",))
    assert [one.template_name for one in plan.versions] == ["one", "two", "three"]
    assert (filling.asked_for(plan), filling.links_of(plan)) == ({"name"}, ["https://e.example/menu"])
    assert msgspec.json.decode(encode_plan(plan), type=Plan) == plan
    # The first is what stands in the plan itself, and none is left when none is given.
    renamed = checking.change(plan, {"template_name": "other"})
    assert [one.template_name for one in renamed.versions] == ["other", "two", "three"]
    assert checking.change(plan, {"versions": []}).versions == (plan.versions[0],)
    assert Plan(kind="text", more_versions=plan.more_versions, texts=("a", "b")).arms == 2
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("versions", {"versions": [*THREE, version("four")]}),
        ("versions[1].template_variables", {"versions": [THREE[0], version("two", "{{nobody}}")]}),
        ("versions[0].template_variables", {"versions": [version("one", "{{"), THREE[1]]}),
        ("template_variables", {"versions": [version("one", "{{nobody}}")]}),
        ("template_name", {"template_name": "other", "versions": THREE}),
        ("versions", {"kind": "template",
                      "versions": [version(f"t{n}", *(f"https://e.example/{n}{m}" for m in range(5))) for n in (1, 2)]}),
    ]  # fmt: skip
    for field, fields in wrong:
        with pytest.raises(Invalid) as refused:
            checking.change(Plan(), fields)  # type: ignore[arg-type]
        assert refused.value.errors[0].field == field, fields
    checking.check_ready(plan)
    with pytest.raises(Invalid) as refused:
        checking.check_ready(msgspec.structs.replace(plan, more_versions=(Version(),)))
    assert refused.value.errors[0].field == "versions[1].template_name"
    # Each brings what is its own.
    film = Version(template_name="f", media_kind="video", media_url="https://e.example/a.mp4", template_stop_button=0)
    wording = Wording(msgspec.structs.replace(plan, more_versions=(film,)), "cloud")
    first, second = wording.content(0, {}), wording.content(1, {})
    assert isinstance(first, Template)
    assert isinstance(second, Template)
    assert [part["type"] for part in first.components] == ["body"]
    assert [part["type"] for part in second.components] == ["header", "button"]
    assert (wording.values(0, {}), wording.values(1, {})) == (["x"], [])


def test_which_template_was_refused_is_known_by_its_messages() -> None:
    def counted(arm: int, code: int) -> SendCount:
        reason = network_reason(code, "failed")
        return {"arm": arm, "state": "failed", "reason": reason, "n": 1, "replied": 0, "opted_out": 0}

    assert refused_arm([counted(0, 131049), counted(2, 132015)], []) == 2
    # What says nothing of the campaign keeps no code, and what says nothing at all is a failure.
    assert (network_reason(1, "gone"), network_reason(None, None)) == ("gone", "failed")
    assert refused_arm([counted(2, 132016)], [{"arm": 1, "code": 132015, "n": 3}]) == 1
    assert refused_arm([{**counted(0, 0), "reason": ""}], [{"arm": 0, "code": 130429, "n": 1}]) is None


@settings(max_examples=60, deadline=None)
@given(
    st.text(min_size=1, max_size=40), st.integers(0, 50), st.integers(1, 3), st.sets(st.text(max_size=30), max_size=40)
)
def test_each_contact_has_exactly_one_version_whenever_it_is_asked(
    campaign: str, holdout: int, arms: int, people: set[str]
) -> None:
    first = {one: arm_of(campaign, one, holdout, arms) for one in people}
    assert all(arm == HOLDOUT or 0 <= arm < arms for arm in first.values())
    assert {one: arm_of(campaign, one, holdout, arms) for one in sorted(people)} == first
    # Who is left out is so however many there are to compare, and with none left out everybody gets one.
    assert {one for one, arm in first.items() if arm == HOLDOUT} == {
        one for one in people if arm_of(campaign, one, holdout, 1) == HOLDOUT
    }
    assert HOLDOUT not in {arm_of(campaign, one, 0, arms) for one in people}


async def test_each_contact_gets_exactly_one_version_once_through_pauses_and_its_report_tells_them_apart(
    database_url: str,
) -> None:
    async with office(database_url) as one:
        ids = await one.people(60)
        knows(one, *KNOWN)
        campaign = await one.start(kind="template", versions=THREE, holdout_percent=20, pace_per_min=120)
        rounds = 0
        while await one.engine_has_work():
            await one.look()
            if await one.state(campaign) == "running":
                await one.act(campaign, "pause")
                await one.act(campaign, "resume")
            await one.look()
            await one.send()
            one.clock.advance(60)
            rounds += 1
            assert rounds < 30
        assert rounds > 2
        rows = await one.sends()
        assert sorted(row["contact_id"] for row in rows) == ids
        assert {row["arm"] for row in rows} == {HOLDOUT, 0, 1, 2}
        said = {row["id"]: (row["phone"], row["text"]) for row in await one.one.rows() if row["state"] == "sent"}
        assert len({phone for phone, _ in said.values()}) == len(said) == sum(row["arm"] >= 0 for row in rows)
        for row in rows:
            assert row["arm"] == arm_of(campaign, row["contact_id"], 20, 3)
            if row["arm"] >= 0:
                assert said[row["message_key"]][1] == ("one", "two", "three")[row["arm"]]
        report = await Reporting(one.db, prepaid=False).report(one.caller, campaign)
        assert [(group.text_number, group.template) for group in report.groups] == [
            (1, "one/en"), (2, "two/en"), (3, "three/en"), (None, ""),
        ]  # fmt: skip
        assert [group.contacts for group in report.groups[:3]] == [
            n for _, n in sorted(Counter(row["arm"] for row in rows if row["arm"] >= 0).items())
        ]
        assert [group.against_first is None for group in report.groups] == [True, False, False, True]
        assert [group.compared is None for group in report.groups] == [False, False, False, True]


async def test_a_template_goes_out_when_it_is_there_approved_for_marketing_and_filled_in(database_url: str) -> None:
    picture = {"type": "HEADER", "format": "IMAGE"}
    replies = {"type": "BUTTONS", "buttons": [{"type": "URL", "text": "Menu", "url": "https://e.example"},
                                              {"type": "QUICK_REPLY", "text": "Stop"}]}  # fmt: skip
    cases: list[tuple[Any, dict[str, Any], str, str]] = [
        (None, {}, "template_name", "template_unknown"),
        (network("two", status="PAUSED"), {}, "template_name", "template_not_approved"),
        (network("two", category="UTILITY"), {}, "template_name", "template_not_marketing"),
        (network("two", "Hi {{name}}"), {}, "template_name", "template_not_fillable"),
        (network("two", "Hi {{1}} {{2}}"), {}, "template_variables", "template_parameters_mismatch"),
        (network("two", "Hi {{1}}", picture), {}, "media_url", "media_missing"),
        (network("two"), {"media_url": "https://e.example/a"}, "media_url", "template_parameters_mismatch"),
        (network("two", "Hi {{1}}", picture), {"media_url": "https://e.example/a", "media_kind": "video"}, "media_kind",
         "template_parameters_mismatch"),
        (network("two", "Hi {{1}}", replies), {"template_stop_button": 0}, "template_stop_button",
         "template_parameters_mismatch"),
    ]  # fmt: skip
    async with office(database_url, "cloud") as one:
        await one.people(2)
        draft = await one.draft(kind="template")
        for there, fields, field, code in cases:
            knows(one, *(found for found in (KNOWN[0], there) if found is not None))
            for versions, name in (
                ([THREE[0], version("two", "x", **fields)], f"versions[1].{field}"),
                ([version("two", "x", **fields)], field),
            ):
                await one.desk.change(one.caller, draft.id, {"versions": versions})
                for begin in (
                    lambda: one.desk.start(one.caller, draft.id, None, Call("/start")),
                    lambda: one.trying.test(one.caller, draft.id, "905550000000", Call("/test")),
                ):
                    with pytest.raises(Invalid) as refused:
                        await begin()
                    assert [(error.field, error.code) for error in refused.value.errors] == [(name, code)]
        # What the network says counts; where it does not answer and the store knows no better, that is said.
        one.one.network(one.line).unreachable = "It does not answer."
        with pytest.raises(Unavailable):
            await one.desk.start(one.caller, draft.id, None, Call("/start"))
        assert await one.one.rows() == []
        one.one.network(one.line).unreachable = ""
        stop = version("two", "x", template_stop_button=1)
        knows(one, KNOWN[0], network("two", "Hi {{1}}", replies))
        await one.desk.change(one.caller, draft.id, {"versions": [THREE[0], stop]})
        sent = (await one.trying.test(one.caller, draft.id, "905550000000", Call("/test"))).value
        assert len(sent.message_ids) == 2
        seen = (await one.trying.preview(one.caller, draft.id, "", Call("/preview"))).value
        assert [(text.text, text.template_language, text.values) for text in seen.texts] == [
            ("one", "en", ["Alex Smith"]), ("two", "en", ["x"]),
        ]  # fmt: skip
        # Each costs as what its template was approved for, as far as that is known.
        dear = (await one.trying.estimate(one.caller, draft.id)).cost_usd
        turned = {"b_account": 1, "b_line": one.line.instance.id, "b_language": "en", "now": one.clock.now_ms()}
        for name in ("one", "two"):
            await one.db.put((template_store.SORT, {**turned, "b_name": name, "new_category": "UTILITY"}))
        assert 0 < (await one.trying.estimate(one.caller, draft.id)).cost_usd < dear
        linked = await one.one.add_line("linked")
        await one.desk.change(one.caller, draft.id, {"instance_id": linked.instance.id})
        with pytest.raises(Invalid) as refused:
            await one.desk.start(one.caller, draft.id, None, Call("/start"))
        assert (refused.value.errors[0].field, refused.value.errors[0].code) == ("instance_id", "template_unavailable")


async def test_a_version_that_the_network_pauses_stops_all_of_it_and_is_named(database_url: str) -> None:
    async with office(database_url) as one:
        await one.people(30)
        knows(one, *KNOWN)
        campaign = await one.start(kind="template", versions=THREE[:2], pace_per_min=60)
        await one.look()
        await one.send()
        went = len(await one.one.rows())
        assert 0 < went < 30
        told = {"new_status": "PAUSED", "new_reason": "", "new_told_at": one.clock.now_ms(), "now": one.clock.now_ms()}
        two = {"b_account": 1, "b_line": one.line.instance.id, "b_name": "two", "b_language": "en"}
        await one.db.put((template_store.TURN, {**two, **told}))
        one.clock.advance(60)
        await one.look(2)
        view = await one.desk.get(one.caller, campaign)
        assert (view.state, view.reason, view.reason_version) == ("stopped", "template_refused", 2)
        assert len(await one.one.rows()) == went
        assert (await one.counted())["skipped:stopped"] == 30 - went
        assert await one.told() == ["campaign.started", "campaign.stopped"]
        # One that begins later finds it so; where there is one template, there is none to name.
        alone = await one.start(one.clock.now_ms() + 60_000, kind="template", versions=[THREE[0]])
        await one.db.put((template_store.TURN, {**two, **told, "b_name": "one", "new_status": "DISABLED"}))
        one.clock.advance(60)
        await one.look(2)
        view = await one.desk.get(one.caller, alone)
        assert (view.state, view.reason, view.reason_version) == ("stopped", "template_refused", None)
        assert len(await one.one.rows()) == went


def test_the_editor_shows_the_places_of_a_template_before_it_saves_it() -> None:
    first = [("kind", "template"), ("template", "one/en"), ("shown", "one/en"), ("value-1", "{{name|x}}")]
    second = [("template.2", "two/tr"), ("shown.2", "two/tr"), ("value-1.2", "A"), ("value-2.2", "B")]
    more = [("media_kind.2", "video"), ("media_url.2", "https://e.example/a"), ("template_stop_button.2", "1")]
    assert not is_to_arrange(Form(first))
    assert is_to_arrange(Form([*first, ("template.2", "two/tr")]))
    assert is_to_arrange(Form([*first, *second[:1], ("shown.2", "one/en")]))
    assert is_to_arrange(Form([*first, ("arrange", "1")]))
    assert not is_to_arrange(Form([("template.2", "two/tr"), ("arrange", "1")]))
    assert not is_to_arrange(Form([*first, *second]))
    assert read_versions(Form([*first, *second, *more])) == [
        {"template_name": "one", "template_language": "en", "template_variables": ["{{name|x}}"],
         "template_stop_button": -1, "media_kind": "image", "media_url": ""},
        {"template_name": "two", "template_language": "tr", "template_variables": ["A", "B"],
         "template_stop_button": 1, "media_kind": "video", "media_url": "https://e.example/a"},
    ]  # fmt: skip
    for wrong, field in (([("value-2.2", " ")], "value-2.2"), ([("media_kind.2", "image")], "media_url.2")):
        named = [pair for pair in [*first, *second] if pair[0] != wrong[0][0]]
        with pytest.raises(Invalid) as refused:
            read_versions(Form([*named, *wrong]))
        assert refused.value.errors[0].field == field
