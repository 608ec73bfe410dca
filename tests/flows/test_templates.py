"""Templates: as the network lists them, as its news turns them, and what is handed over to it."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import msgspec
import pytest

from tablegram.engine.idempotency import Call
from tablegram.errors import Conflict, Invalid, NotFound, Refused, Unavailable
from tablegram.messaging import ports
from tablegram.messaging.model import Media
from tablegram.messaging.ports import Accepted, Delayed, NetworkTemplate, Outcome, Unknown
from tablegram.messaging.switchboard import LiveLine
from tablegram.messaging.templates.model import DraftFields, TemplateDraft
from tablegram.values import Json
from tests.flows.callbacks import receive
from tests.messaging.gateway import Gateway, body, gateway

pytestmark = pytest.mark.later

CREATE = Call("/templates")
DRAFT = TemplateDraft(
    name="order_ready", language="tr", category="utility", text="Merhaba {{1}}, hazır.", examples=("Ayşe",)
)


class Desk:
    """The network's side: it has the templates of a line, and answers from `script` first."""

    def __init__(self, one: Gateway, line: LiveLine) -> None:
        self.network = one.network(line)
        self.network.template_calls = self
        self.script: list[Any] = []
        self.calls: list[tuple[Any, ...]] = []

    async def create(
        self, name: str, language: str, category: str, components: list[dict[str, Any]], *, is_named: bool
    ) -> Any:
        self.calls.append(("create", name, language, category, is_named))
        await asyncio.sleep(0)
        made = NetworkTemplate(name, language, "PENDING", category.upper(), components, f"n-{len(self.calls)}")
        told = self.script.pop(0) if self.script else made
        if isinstance(told, NetworkTemplate | Unknown):
            self.network.known_templates.append(made)
        return told

    async def edit(self, network_id: str, category: str, components: list[dict[str, Any]]) -> Outcome:
        self.calls.append(("edit", network_id, category, components))
        return self.script.pop(0) if self.script else Accepted(network_id)

    async def delete(self, network_id: str, name: str) -> Outcome:
        self.calls.append(("delete", network_id, name))
        return self.script.pop(0) if self.script else Accepted(network_id)

    async def upload_sample(self, media: Media) -> str:
        raise NotImplementedError


def template(name: str, language: str = "en", status: str = "APPROVED", **more: Any) -> NetworkTemplate:
    components: list[Json] = [{"type": "BODY", "text": f"About {name} it is."}]
    return NetworkTemplate(name, language, status, "UTILITY", components, id=f"n-{name}-{language}", **more)


_told = 0


async def news(one: Gateway, line: LiveLine, at_s: int, field: str = "status", **value: Any) -> None:
    """A callback of its own each time, even with the same words."""
    global _told
    _told += 1
    names = {"message_template_id": 64, "message_template_name": "a", "message_template_language": "en"}
    fields = {"status": "message_template_status_update", "quality": "message_template_quality_update",
              "category": "template_category_update"}  # fmt: skip
    change = {"field": fields[field], "value": {**names, **value}}
    entry = {"id": "77", "time": at_s, "changes": [change]}
    await receive(one, line, msgspec.json.encode({"object": f"t{_told}", "entry": [entry]}))


async def known(one: Gateway) -> dict[str, Any]:
    shown: list[dict[str, Any]] = msgspec.to_builtins(await one.templates.known(one.caller))
    return {f"{row['name']}/{row['language']}": row for row in shown}


async def test_templates_come_from_the_network_in_pages_and_are_found(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        listed = [template("b", status="PAUSED", quality="RED"), template("a", "tr", reason="X"), template("a")]
        one.network(line).known_templates = listed
        first = body(await one.templates.page(one.caller, None, 2, None))
        assert [(t["name"], t["language"]) for t in first["data"]] == [("a", "en"), ("a", "tr")]
        rest = body(await one.templates.page(one.caller, None, 2, first["next_cursor"]))
        assert [(t["name"], t["quality"], t["text"]) for t in rest["data"]] == [("b", "RED", "About b it is.")]
        assert rest["next_cursor"] is None

        async def found(**filters: Any) -> list[str]:
            page = body(await one.templates.page(one.caller, None, 50, None, **filters))
            return [f"{t['name']}/{t['language']}" for t in page["data"]]

        assert await found(status="PAUSED") == ["b/en"]
        assert await found(language="tr") == ["a/tr"]
        assert await found(q="ABOUT B") == ["b/en"]
        # Each keeps its own name, whatever becomes of it; what is gone there is gone here.
        before = await known(one)
        one.clock.advance(1)
        one.network(line).known_templates = [template("a", status="DISABLED")]
        told = (await one.templates.sync(one.caller, None, Call("/sync"))).value
        assert (told.templates, told.added, told.changed, told.removed) == (1, 0, 1, 2)
        now = (await known(one))["a/en"]
        assert now == {**before["a/en"], "status": "DISABLED", "synced_at": now["synced_at"]}
        assert body(await one.templates.get(one.caller, before["a/en"]["id"]))["status"] == "DISABLED"
        stranger = one.call_as(2)
        for call in (
            one.templates.get(stranger, before["a/en"]["id"]),
            one.templates.delete(stranger, before["a/en"]["id"]),
        ):
            with pytest.raises(NotFound):
                await call
        one.network(line).unreachable = "The network does not answer."
        with pytest.raises(Unavailable, match="does not answer") as caught:
            await one.templates.page(one.caller, None, 10, None)
        assert caught.value.code == "line_unreachable"


async def test_what_is_told_while_the_network_is_asked_is_not_undone(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        desk = Desk(one, line)
        one.network(line).known_templates = [template("a", status="PENDING")]
        await one.templates.page(one.caller, None, 10, None)
        listed, asked, told = one.network(line).templates, asyncio.Event(), asyncio.Event()

        async def slowly() -> list[NetworkTemplate]:
            found = list(await listed())
            asked.set()
            await told.wait()
            return found

        one.network(line).templates = slowly  # type: ignore[method-assign]
        asking = asyncio.create_task(one.templates.page(one.caller, None, 10, None))
        await asked.wait()
        one.clock.advance(1)
        await news(one, line, one.clock.now_ms() // 1_000, event="APPROVED")
        await one.templates.create(one.caller, None, DRAFT, CREATE)
        told.set()
        await asking
        assert {name: row["status"] for name, row in (await known(one)).items()} == {
            "a/en": "APPROVED", "order_ready/tr": "PENDING",
        }  # fmt: skip
        assert desk.calls == [("create", "order_ready", "tr", "utility", False)]


async def test_news_of_the_network_turns_what_is_known_and_makes_known_what_was_not(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        at = one.clock.now_ms() // 1_000
        await news(one, line, at, event="REJECTED", reason="INCORRECT_CATEGORY")
        row = (await known(one))["a/en"]
        assert (row["status"], row["reason"], row["components"]) == ("REJECTED", "INCORRECT_CATEGORY", [])
        await news(one, line, at, "quality", previous_quality_score="UNKNOWN", new_quality_score="YELLOW")
        await news(one, line, at, "category", previous_category="UTILITY", new_category="MARKETING")
        await news(one, line, at + 1, event="REINSTATED", reason="NONE")
        # What is flagged is still sent, and what has no name is nobody's.
        await news(one, line, at + 2, event="FLAGGED")
        await news(one, line, at + 3, event="DISABLED", message_template_name="")
        row = (await known(one))["a/en"]
        assert [row[name] for name in ("status", "reason", "quality", "category")] == [
            "APPROVED",
            "",
            "YELLOW",
            "MARKETING",
        ]
        one.network(line).known_templates = [template("a", quality="GREEN")]
        await one.templates.page(one.caller, None, 10, None)
        assert (await known(one))["a/en"]["id"] == row["id"]
        assert (await known(one))["a/en"]["quality"] == "GREEN"


STATES = ("PENDING", "APPROVED", "REJECTED", "PAUSED", "DISABLED", "IN_APPEAL", "A_WORD_OF_TOMORROW")


async def test_news_in_any_order_and_twice_ends_where_the_network_is(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        chance = random.Random(16)
        for walk in range(8):
            told = chance.choices(STATES, k=chance.randint(1, 5))
            said = list(enumerate(told)) + [(number, told[number]) for number in range(chance.randint(0, len(told)))]
            chance.shuffle(said)
            for number, status in said:
                await news(one, line, 1_700_000_000 + number, event=status, message_template_name=f"w{walk}")
            assert (await known(one))[f"w{walk}/en"]["status"] == told[-1], said


async def test_of_one_second_a_decision_counts_more_than_that_it_is_awaited(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        for event in ("PENDING", "APPROVED", "PENDING"):
            await news(one, line, 1_700_000_000, event=event)
        assert (await known(one))["a/en"]["status"] == "APPROVED"


async def test_a_template_is_handed_over_once_and_kept(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        desk = Desk(one, line)
        keyed = Call("/templates", "key-1", "same")
        made = (await one.templates.create(one.caller, None, DRAFT, keyed)).value
        assert (made.status, made.variables, made.instance_id) == ("PENDING", ["1"], line.instance.id)
        again = await one.templates.create(one.caller, None, DRAFT, keyed)
        assert again.replayed
        assert again.value == made
        assert len(desk.calls) == 1
        assert one.template_news == [1]
        with pytest.raises(Invalid):
            await one.templates.create(one.caller, None, msgspec.structs.replace(DRAFT, name="A B"), CREATE)
        assert len(desk.calls) == 1
        # The network's no is kept under the key too.
        desk.script.append(ports.NetworkRefused("template_refused", "No.", 100))
        refused = Call("/templates", "key-2", "same")
        for _ in range(2):
            with pytest.raises(Refused) as caught:
                await one.templates.create(one.caller, None, msgspec.structs.replace(DRAFT, name="b"), refused)
            assert (caught.value.code, caught.value.extra["network_code"]) == ("template_refused", 100)
        assert len(desk.calls) == 2


async def test_a_lost_answer_is_found_again_and_another_ones_name_is_refused(database_url: str) -> None:
    async with gateway(database_url) as one:
        desk = Desk(one, await one.add_line())
        exists = ports.NetworkRefused("template_exists", "There is one.", 2388024)
        desk.script = [Unknown("lost"), exists, exists]
        with pytest.raises(Unavailable) as caught:
            await one.templates.create(one.caller, None, DRAFT, CREATE)
        assert caught.value.code == "line_unreachable"
        made = (await one.templates.create(one.caller, None, DRAFT, CREATE)).value
        assert (made.name, made.status) == ("order_ready", "PENDING")
        other = msgspec.structs.replace(DRAFT, text="Merhaba {{1}}, geliyor.")
        with pytest.raises(Refused) as refused:
            await one.templates.create(one.caller, None, other, CREATE)
        assert refused.value.code == "template_exists"
        desk.script = [Delayed("line_unreachable", "Not now.", 60.0)]
        with pytest.raises(Unavailable) as later:
            await one.templates.create(one.caller, None, other, CREATE)
        assert later.value.retry_after_s == 60


async def test_what_may_be_edited_is_what_the_network_lets_be_edited(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        desk = Desk(one, line)
        desk.network.known_templates = [
            template(status.lower(), status=status)
            for status in ("APPROVED", "PENDING", "REJECTED", "PAUSED", "DISABLED")
        ]
        await one.templates.page(one.caller, None, 10, None)
        ids = {row["status"]: row["id"] for row in (await known(one)).values()}
        new: DraftFields = {"text": "Come {{1}} again.", "examples": ("soon",)}
        for status in ("PENDING", "DISABLED"):
            with pytest.raises(Conflict) as caught:
                await one.templates.update(one.caller, ids[status], new)
            assert caught.value.code == "template_not_editable"
        with pytest.raises(Conflict) as fixed:
            await one.templates.update(one.caller, ids["APPROVED"], {"category": "marketing"})
        assert fixed.value.code == "template_category_fixed"
        assert not desk.calls
        edited = await one.templates.update(one.caller, ids["REJECTED"], {**new, "category": "marketing"})
        assert (edited.status, edited.category, edited.text) == ("PENDING", "MARKETING", "Come {{1}} again.")
        assert desk.calls[-1][:3] == ("edit", "n-rejected-en", "marketing")
        # Once a day, and ten times in thirty days.
        for number in range(10):
            await one.templates.update(one.caller, ids["APPROVED"], new)
            await news(one, line, one.clock.now_ms() // 1_000 + 1, event="APPROVED", message_template_name="approved")
            with pytest.raises(Conflict) as lately:
                await one.templates.update(one.caller, ids["APPROVED"], new)
            assert (lately.value.code, number) == ("template_edited_lately", number)
            one.clock.advance(86_401)
        with pytest.raises(Conflict, match="10 times"):
            await one.templates.update(one.caller, ids["APPROVED"], new)
        one.clock.advance(21 * 86_400)
        await one.templates.update(one.caller, ids["APPROVED"], new)
        desk.script = [ports.NetworkRefused("template_refused", "It says: no.", 100)]
        with pytest.raises(Refused):
            await one.templates.update(one.caller, ids["PAUSED"], new)
        assert (await one.templates.get(one.caller, ids["PAUSED"])).status == "PAUSED"


async def test_a_template_is_taken_away_there_and_here(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        desk = Desk(one, line)
        await news(one, line, one.clock.now_ms() // 1_000, event="APPROVED")
        (row,) = (await known(one)).values()
        # Only news has told of it: its name on the network is asked for first.
        desk.network.known_templates = [template("a")]
        desk.script = [Unknown("lost")]
        with pytest.raises(Unavailable):
            await one.templates.delete(one.caller, row["id"])
        await one.templates.delete(one.caller, row["id"])
        assert desk.calls == [("delete", "n-a-en", "a")] * 2
        assert await known(one) == {}
        # A linked device needs none.
        one.network(line).template_calls = None
        with pytest.raises(Invalid, match="linked device") as caught:
            await one.templates.create(one.caller, None, DRAFT, CREATE)
        assert caught.value.errors[0].code == "template_unavailable"
