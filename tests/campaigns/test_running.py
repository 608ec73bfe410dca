"""A campaign from its first row to its end: each contact once, and a reason for whoever gets nothing."""

from __future__ import annotations

import math

import pytest
from sqlalchemy import update

from tablegram.campaigns.fields import CampaignFields
from tablegram.campaigns.rows import SegmentRow
from tablegram.campaigns.segments import keeping
from tablegram.campaigns.store import campaigns as campaign_store
from tablegram.engine.idempotency import Call
from tablegram.errors import Conflict, Invalid
from tablegram.flows.campaigns import running
from tablegram.flows.campaigns.moving import lock
from tablegram.messaging.model import BULK
from tablegram.messaging.ports import NetworkRefused, NetworkTemplate
from tablegram.storage.database import Query, Tx
from tablegram.storage.tables import contacts
from tablegram.values.clock import HOUR_MS, MINUTE_MS
from tests.campaigns.office import office
from tests.messaging.gateway import phone

BRUNCH = NetworkTemplate("brunch", "tr", "APPROVED", "MARKETING", [{"type": "BODY", "text": "Hi {{1}}"}])


async def test_everybody_who_agreed_gets_one_message_and_everybody_else_a_reason(database_url: str) -> None:
    async with office(database_url) as one:
        await one.people(3)
        await one.people(1, first=3, consent="unknown")
        await one.people(1, first=4, consent="denied")
        campaign = await one.start()
        # Another process began it, and this one knows of no endpoint yet that is to be told.
        planner = one.engine._moving._planner
        planner._loaded_at.clear()
        await one.run()
        assert 1 in planner._loaded_at
        await one.look()
        assert await one.state(campaign) == "finished"
        assert await one.counted() == {"sent": 3, "skipped:no_consent": 1, "skipped:opted_out": 1}
        rows = await one.one.rows()
        assert sorted(row["phone"] for row in rows) == [phone(number) for number in range(3)]
        assert {(row["priority"], row["category"], row["sent_by"]) for row in rows} == {
            (BULK, "marketing", "auto:campaign")
        }
        assert all(row["text"].startswith("Hi Ayşe!\n\nReply STOP") for row in rows)
        assert await one.told() == ["campaign.started", "campaign.finished"]
        # Nothing that anybody does now brings a second message.
        for event in ("pause", "resume", "cancel"):
            with pytest.raises(Conflict):
                await one.act(campaign, event)
        await one.look(3)
        assert len(await one.one.rows()) == 3
        # Who leaves because of it is counted, also when it is over.
        await one.says("c000001", "denied")
        one.clock.advance(60)
        await one.look()
        assert [row["contact_id"] for row in await one.sends() if row["opted_out_at"] is not None] == ["c000001"]


async def test_a_campaign_goes_to_the_segment_that_it_names_which_stays_until_then(database_url: str) -> None:
    async with office(database_url) as one:
        ids = await one.people(3)
        rules, now = one.audience.rules, one.clock.now_ms()
        row: SegmentRow = {"account_id": 1, "id": "s1", "name": "Turkish", "name_key": "turkish", "created_at": now, "updated_at": now, "updated_by": "",
               "rules": '{"rule": "language", "is": "tr"}'}  # fmt: skip

        async def work(tx: Tx) -> None:
            await tx.run(
                Query(
                    update(contacts).where(contacts.c.account_id == 1, contacts.c.id == ids[1]).values(language="tr")
                ),
                {},
            )
            await keeping.add(tx, row, rules)

        await one.db.write(work)
        with pytest.raises(Invalid, match="segment"):
            await one.draft(segment_id="s2")
        campaign = await one.start(segment_id="s1")
        with pytest.raises(Conflict, match="Brunch"):
            await one.db.write(lambda tx: keeping.delete(tx, 1, "s1", rules))
        await one.run()
        await one.look()
        assert await one.state(campaign) == "finished"
        assert [row["phone"] for row in await one.one.rows()] == [phone(1)]
        await one.db.write(lambda tx: keeping.delete(tx, 1, "s1", rules))


async def test_pause_quiet_hours_and_opt_outs_take_back_what_the_line_has_not_sent(database_url: str) -> None:
    async with office(database_url) as one:
        ids = await one.people(6)
        campaign = await one.start(quiet_from="21:00", quiet_until="10:00", time_zone="Asia/Dubai")
        await one.look()
        assert await one.counted() == {"queued": 6}
        paused = await one.act(campaign, "pause")
        assert (paused.state, paused.progress.waiting) == ("paused", 6)
        assert "queued" not in await one.one.states()
        await one.look()
        assert await one.counted() == {"waiting": 6}
        one.clock.advance(2)
        assert (await one.act(campaign, "resume")).started_at == paused.started_at is not None
        await one.look()
        # Somebody leaves while their message lies with the line, and somebody before they have one.
        await one.says(ids[0], "denied")
        await one.look()
        assert await one.counted() == {"queued": 5, "skipped:opted_out": 1}
        # It is noon in Dubai; at nine in the evening the night begins.
        one.clock.advance(9 * 3_600)
        await one.look()
        assert await one.state(campaign) == "held"
        assert await one.counted() == {"waiting:quiet_hours": 5, "skipped:opted_out": 1}
        await one.says(ids[1], "denied")
        one.clock.advance(12 * 3_600)
        await one.look()
        assert await one.state(campaign) == "held"
        one.clock.advance(3_600)
        await one.run()
        await one.look()
        assert await one.counted() == {"sent": 4, "skipped:opted_out": 2}
        assert sorted(message.phone for message in one.one.network(one.line).seen) == [phone(n) for n in range(2, 6)]
        assert [row["state"] for row in await one.one.rows()].count("sent") == 4


async def test_the_cap_counts_over_all_campaigns_and_two_at_once_do_not_pass_it(database_url: str) -> None:
    async with office(database_url) as one:
        await one.people(2)
        first = await one.start(cap_messages=1)
        second = await one.start(cap_messages=1, name="Another")
        await one.run()
        assert await one.counted() == {"sent": 2, "skipped:capped": 2}
        assert [await one.state(campaign) for campaign in (first, second)] == ["finished", "finished"]
        one.clock.advance(8 * 24 * 3_600)
        await one.start(cap_messages=1)
        await one.run()
        assert (await one.counted())["sent"] == 4


async def test_a_campaign_stops_by_itself_and_says_why(database_url: str) -> None:
    async with office(database_url) as one:
        await one.people(30)
        one.one.network(one.line).by_phone[phone(0)] = NetworkRefused("line_spam_limited", "", 131048)
        # The line is given a few at a time, so that the first answer is heard before the rest goes.
        campaign = await one.start(pace_per_min=60)
        await one.look()
        await one.send()
        await one.look()
        view = await one.desk.get(one.caller, campaign)
        assert (view.state, view.reason) == ("stopped", "line_limited")
        counted = await one.counted()
        assert counted["sent"] + counted["skipped:stopped"] == 29
        assert counted["skipped:stopped"] >= 20
        assert await one.told() == ["campaign.started", "campaign.stopped"]


async def test_pace_and_lookahead_bound_what_lies_with_the_line(database_url: str) -> None:
    async with office(database_url) as one:
        await one.people(60)
        await one.start(pace_per_min=120)
        await one.look()
        assert (await one.counted())["queued"] == 10
        await one.look(3)
        assert (await one.counted())["queued"] == 10
        one.clock.advance(5.001)
        await one.look()
        assert (await one.counted())["queued"] == 20


async def test_a_fast_campaign_goes_evenly(database_url: str) -> None:
    async with office(database_url) as one:
        await one.people(40)
        campaign = await one.start(pace_per_min=running.FAST)
        await one.look()
        # All that is open was looked through, and it is known when that is due again.
        assert list(one.engine._next_news) == [(1, campaign)]
        assert (await one.counted())["queued"] == math.ceil(running.FAST / 60 * running.BUSY_S * running.EVEN)


async def test_a_campaign_whose_people_sleep_is_looked_at_again_in_an_hour(database_url: str) -> None:
    async with office(database_url) as one:
        await one.people(2)
        await one.start(clock="recipient", quiet_from="09:00", quiet_until="20:00")
        await one.look()
        assert await one.counted() == {"waiting:quiet_hours": 2}

        async def due(minutes: int) -> int:
            at = one.clock.now_ms() + minutes * MINUTE_MS
            return len(await one.db.all(campaign_store.DUE, {"now": at, "most": 9}))

        assert (await due(59), await due(61)) == (0, 1)


async def test_what_was_called_off_while_its_time_came_does_not_begin(database_url: str) -> None:
    async with office(database_url) as one:
        campaign = await one.start(one.clock.now_ms() + HOUR_MS)
        await one.act(campaign, "cancel")
        one.clock.advance(3_600)

        async def work(tx: Tx) -> None:
            await one.engine._begin(tx, await lock(tx, 1, campaign), one.clock.now_ms())

        await one.db.write(work)
        assert await one.state(campaign) == "cancelled"


async def test_a_schedule_is_kept_or_missed_and_never_hours_late(database_url: str) -> None:
    async with office(database_url) as one:
        await one.people(2)
        soon, later = one.clock.now_ms() + HOUR_MS, one.clock.now_ms() + 2 * HOUR_MS
        kept = await one.start(soon, start_window_min=30)
        missed = await one.start(later, start_window_min=30, name="Late")
        await one.look()
        assert await one.state(kept) == "scheduled"
        one.clock.advance(3_600 + 29 * 60)
        await one.run()
        assert await one.state(kept) == "finished"
        one.clock.advance(2 * 3_600)
        await one.look()
        assert await one.state(missed) == "missed"
        assert {row["campaign_id"] for row in await one.sends()} == {kept}
        # A recipient's own time that was over when it began is not made up for.
        noon = one.clock.now_ms() + 10 * MINUTE_MS
        await one.start(noon, clock="recipient", time_zone="America/New_York", cap_messages=0, start_window_min=30)
        await one.look(2)
        assert (await one.counted())["skipped:too_late"] == 2


async def test_holdout_and_texts_are_split_once_and_for_all(database_url: str) -> None:
    async with office(database_url) as one:
        await one.people(40)
        await one.start(texts=["A", "B"], holdout_percent=30)
        await one.run()
        rows = await one.sends()
        said = {row["id"]: row["text"][0] for row in await one.one.rows()}
        assert {row["arm"] for row in rows} == {-1, 0, 1}
        for row in rows:
            assert (row["state"], row["message_key"]) == ("holdout", None) if row["arm"] < 0 else row["state"] == "sent"
            if row["arm"] >= 0:
                assert said[row["message_key"]] == "AB"[row["arm"]]


async def test_before_it_begins_it_is_looked_at_tried_and_priced(database_url: str) -> None:
    async with office(database_url, "cloud") as one:
        ids = await one.people(4)
        draft = await one.draft(texts=[])
        with pytest.raises(Invalid) as refused:
            await one.desk.start(one.caller, draft.id, None, Call("/start"))
        assert refused.value.errors[0].field == "texts"
        # Free words reach nobody who has not written for a day.
        await one.desk.change(one.caller, draft.id, {"texts": ["Hi {{name}}"], "pace_per_min": 3})
        closed = await one.trying.estimate(one.caller, draft.id)
        assert (closed.audience, closed.reachable, closed.cost_usd) == (4, 0, 0.0)
        assert [(row.reason, row.contacts) for row in closed.refused] == [("window_closed", 4)]
        template: CampaignFields = {"kind": "template", "template_name": "brunch", "template_variables": ["{{name|x}}"]}
        one.one.network(one.line).known_templates.append(BRUNCH)
        await one.desk.change(one.caller, draft.id, template)
        priced = await one.trying.estimate(one.caller, draft.id)
        assert (priced.reachable, priced.minutes, priced.is_exact) == (4, 2, True)
        assert priced.cost_usd > 0
        seen = (await one.trying.preview(one.caller, draft.id, ids[0], Call("/preview"))).value
        assert (seen.refused, [text.text for text in seen.texts]) == ("", ["brunch"])
        sent = (await one.trying.test(one.caller, draft.id, "905550000000", Call("/test"))).value
        assert len(sent.message_ids) == 1
        assert [row["phone"] for row in await one.one.rows()] == ["905550000000"]
        assert await one.sends() == []


async def test_what_is_charged_is_what_was_estimated(database_url: str) -> None:
    async with office(database_url) as one:
        await one.people(3)
        template: CampaignFields = {"kind": "template", "template_name": "brunch", "template_variables": ["{{name|x}}"]}
        one.one.network(one.line).known_templates.append(BRUNCH)
        cost: list[float] = []
        for plan in ({"texts": ["Hi {{name}}"]}, template):
            draft = await one.draft(**plan)
            cost.append((await one.trying.estimate(one.caller, draft.id)).cost_usd)
            await one.desk.start(one.caller, draft.id, None, Call("/start"))
            await one.look()
        rows = [row["cost_micros"] / 1_000_000 for row in await one.one.rows()]
        # Free words cost as a part of the conversation, a template as what it is.
        assert [round(sum(rows[:3]), 6), round(sum(rows[3:]), 6)] == cost
        assert 0 < cost[0] < cost[1]


async def test_without_means_it_pauses_and_goes_on_when_there_are_some(database_url: str) -> None:
    async with office(database_url, billing="prepaid") as one:
        await one.one.spend_free_messages(leave=2)
        await one.people(5)
        campaign = await one.start()
        await one.look()
        view = await one.desk.get(one.caller, campaign)
        assert (view.state, view.reason) == ("paused", "no_balance")
        assert len([row for row in await one.one.rows() if row["state"] == "queued"]) == 0
        await one.one.top_up(10_000_000)
        await one.act(campaign, "resume")
        await one.run()
        assert await one.counted() == {"sent": 5}


async def test_an_audience_that_fills_its_pages_exactly_comes_to_its_end(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "PAGE", 2)
    async with office(database_url) as here:
        await here.people(4)
        campaign = await here.start()
        await here.run()
        assert (await here.state(campaign), await here.counted()) == ("finished", {"sent": 4})
