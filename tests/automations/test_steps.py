"""Single steps of a flow, each as it was meant: what a code is worth, what is passed over, whom it is said to by now."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from tablegram.automations import keeping
from tablegram.automations.timing import at_time
from tablegram.engine.idempotency import Call
from tablegram.flows.contacts.services import ContactServices
from tablegram.storage.database import Tx
from tablegram.storage.tables import automation_visits, loyalty_coupons
from tablegram.values.opening_hours import local_day
from tablegram.wiring.areas.gateway import LineWorks
from tests.automations.studio import studio
from tests.crm.pool import OTHER, PHONE

pytestmark = pytest.mark.later

ZONE = "Europe/Istanbul"


def say(text: str) -> dict[str, Any]:
    return {"do": "message", "text": text}


async def test_a_code_gives_what_its_step_promises_and_no_more(database_url: str) -> None:
    async with studio(database_url) as one:
        share = {"do": "coupon", "name": "10% off", "percent": 10}
        money = {"do": "coupon", "name": "75 off", "amount": 75, "minimum": 300, "currency": "TRY", "days": 30}
        await one.make({"on": "first_message"}, share, money, say("{{coupon}}"))
        await one.guest()
        await one.look()
        c = loyalty_coupons.c
        given = await one.db.all(select(loyalty_coupons).where(c.account_id == 1).order_by(c.name))
        assert [(row["gives"], row["percent"], row["amount"], row["minimum"]) for row in given] == [
            ("percent", 1_000, 0, 0), ("amount", 0, 7_500, 30_000),
        ]  # fmt: skip
        # What is said is the last one.
        (said,) = await one.sent()
        assert said["text"].startswith(given[1]["shown_code"])


async def test_a_condition_that_does_not_hold_passes_over_one_step_or_ends(database_url: str) -> None:
    async with studio(database_url) as one:
        rules = {"rule": "tag", "is": "vip"}
        passes, ends = ({"do": "condition", "rules": rules, "otherwise": word} for word in ("skip", "end"))
        await one.make({"on": "first_message"}, passes, say("for few"), say("for all"), ends, say("for few again"))
        await one.guest()
        await one.look()
        assert [row["text"].partition("\n")[0] for row in await one.sent()] == ["for all"]
        assert await one.visits() == [
            ("condition", "done", "no"), ("message", "sent", ""), ("condition", "left", "no"),
        ]  # fmt: skip
        assert [(run["state"], run["reason"]) for run in await one.runs()] == [("finished", "condition")]


async def test_what_begins_for_somebody_who_was_just_merged_goes_on_for_who_they_are_now(database_url: str) -> None:
    async with studio(database_url) as one:
        made = await one.make({"on": "tag_added", "tag": "new"}, say("Hi"))
        gone, living = await one.guest(), await one.guest(OTHER)
        await one.house.product.of(ContactServices).pool.merge(one.owner, gone, living, Call("/merge"))
        now = one.clock.now_ms()

        async def begin(tx: Tx) -> None:
            """As who had read the contact before it was merged."""
            flow = await keeping.find(tx, 1, made.id)
            await keeping.begin(tx, flow, [(gone, "late", now)], now)

        await one.db.write(begin)
        await one.look()
        (run,) = await one.runs()
        assert (run["contact_id"], run["state"]) == (living, "finished")
        noted = await one.db.all(select(automation_visits).where(automation_visits.c.account_id == 1))
        assert [(row["contact_id"], row["state"]) for row in noted] == [(living, "sent")]


async def test_the_line_hears_at_once_of_what_a_step_has_said(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with studio(database_url) as one:
        woken: list[tuple[int, int]] = []

        def wake(account_id: int, line_id: int) -> None:
            woken.append((account_id, line_id))

        monkeypatch.setattr(one.house.product.of(LineWorks).queue, "wake", wake)
        await one.make({"on": "first_message"}, {"do": "wait", "hours": 1}, say("Hi"))
        await one.guest()
        await one.look()
        # Whatever the restaurant itself has said to them.
        woken.clear()
        await one.look()
        assert woken == []
        one.clock.advance(3_600)
        await one.look()
        (said,) = await one.sent(PHONE)
        assert woken == [(1, said["instance_id"])]


async def test_a_birthday_flow_that_is_turned_on_in_its_very_moment_begins_today(database_url: str) -> None:
    async with studio(database_url) as one:
        await one.guest()
        tomorrow = local_day(one.clock.now_ms(), ZONE) + timedelta(days=1)
        await one.born(f"{tomorrow:%m-%d}")
        due = at_time(tomorrow, "09:30", ZONE)
        one.clock.advance((due - one.clock.now_ms()) / 1_000)
        assert one.clock.now_ms() == due
        await one.make({"on": "birthday", "at": "09:30"}, say("Happy birthday"))
        await one.look(1)
        (run,) = await one.runs()
        assert (run["occasion"], run["due_at"] is None or run["due_at"] >= due) == (f"birthday:{tomorrow.year}", True)
