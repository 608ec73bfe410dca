"""From what happened to the last step: each occasion once, each step once, and a reason for whatever is not sent."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from tablegram.automations.store.retention import KEPT_DAYS, PURGES
from tablegram.automations.timing import at_time
from tablegram.engine.idempotency import Call
from tablegram.engine.purging import Retention
from tablegram.errors import Conflict, Invalid
from tablegram.flows.contacts.fields import ContactChange
from tablegram.flows.contacts.services import ContactServices
from tablegram.messaging.model import BULK
from tablegram.settings import Settings
from tablegram.values.opening_hours import local_day
from tests.automations.studio import MANAGER, studio
from tests.crm.pool import OTHER, PHONE

pytestmark = pytest.mark.later

HOUR, DAY = 3_600, 86_400
SAY = {"do": "message", "text": "Hi {{first_name|friend}} of {{venue}}"}


async def test_a_welcome_after_the_first_order_gives_a_code_waits_and_is_said_once(database_url: str) -> None:
    async with studio(database_url) as one:
        gift = {"do": "coupon", "name": "10% off", "percent": 10}
        text = {
            "do": "message",
            "text": "{{first_name}}: {{coupon}}",
            "button": "Menu",
            "button_url": "https://e.example/m",
        }
        made = await one.make({"on": "first_order"}, {"do": "wait", "hours": 2}, gift, text)
        contact = await one.guest()
        await one.meal()
        await one.look()
        (run,) = await one.runs()
        assert (run["contact_id"], run["occasion"], run["step"], run["state"]) == (contact, "first", 1, "waiting")
        one.clock.advance(2 * HOUR)
        await one.look()
        (said,) = await one.sent()
        assert (said["priority"], said["category"], said["type"]) == (BULK, "marketing", "link_button")
        code = (await one.runs())[0]["coupon_code"]
        assert code
        assert said["text"].startswith(f"Ayşe: {code}\n\nReply STOP")
        # The second order is nobody's first, and nothing more comes of the first one.
        one.clock.advance(60)
        await one.meal()
        await one.look()
        assert len(await one.runs()) == 1
        assert len(await one.sent()) == 1
        assert await one.visits() == [("wait", "done", ""), ("coupon", "done", ""), ("message", "sent", "")]
        report = await one.services.reporting.report(one.owner, made.id)
        assert (report.started, report.finished, [step.sent for step in report.steps]) == (1, 1, [0, 0, 1])
        assert [(found.currency, found.orders, found.people) for found in report.orders] == [("TRY", 1, 1)]
        assert report.replied == 1


async def test_who_may_not_be_written_to_leaves_a_reason_and_the_flow_goes_on(database_url: str) -> None:
    async with studio(database_url) as one:
        team = {"do": "notify", "text": "{{name}} is new"}
        await one.make({"on": "first_message"}, SAY, team, SAY, phones=[MANAGER], cap_messages=1)
        await one.guest(consent="unknown")
        stopped = await one.guest(OTHER, consent="denied")
        third = await one.guest("905551112255")
        await one.look()
        by_person = {run["contact_id"]: run["id"] for run in await one.runs()}
        assert len(by_person) == 3
        assert sorted(await one.visits()) == sorted(
            [
                ("message", "skipped", "no_consent"), ("notify", "sent", ""), ("message", "skipped", "no_consent"),
                ("message", "skipped", "opted_out"), ("notify", "sent", ""), ("message", "skipped", "opted_out"),
                ("message", "sent", ""), ("notify", "sent", ""), ("message", "skipped", "capped"),
            ]
        )  # fmt: skip
        assert len(await one.sent(MANAGER)) == 3
        assert {run["state"] for run in await one.runs()} == {"finished"}
        # Who wrote before begins nothing again.
        await one.house.write("Hello again", OTHER)
        await one.look()
        assert len(await one.runs()) == 3
        assert stopped != third


async def test_quiet_hours_conditions_pauses_and_lateness(database_url: str) -> None:
    async with studio(database_url) as one:
        vip = {"do": "condition", "rules": {"rule": "tag", "is": "vip"}}
        made = await one.make(
            {"on": "tag_added", "tag": "VIP"}, {"do": "wait", "until": "22:00"}, {**vip, "otherwise": "skip"}, SAY, vip,
            SAY, quiet_from="21:00", quiet_until="10:00",
        )  # fmt: skip
        contact = await one.guest()
        await one.house.product.of(ContactServices).pool.update(one.owner, contact, ContactChange(tags=["vip"]))
        await one.look()
        (run,) = await one.runs()
        # Friday at eleven: until ten at night, and then over the night.
        assert run["due_at"] == one.clock.now_ms() // 1_000 * 1_000 + 11 * HOUR * 1_000
        one.clock.advance(11 * HOUR)
        await one.look()
        (run,) = await one.runs()
        assert (run["step"], run["due_at"]) == (2, one.clock.now_ms() // 1_000 * 1_000 + 12 * HOUR * 1_000)
        assert not await one.sent()
        await one.act(made.id, "pause")
        one.clock.advance(12 * HOUR)
        await one.look()
        assert not await one.sent()
        await one.act(made.id, "turn_on")
        await one.look(1)
        assert len(await one.sent()) == 1
        # The tag is taken away meanwhile: it ends there.
        await one.house.product.of(ContactServices).pool.update(one.owner, contact, ContactChange(tags=[]))
        await one.look()
        (run,) = await one.runs()
        assert (run["state"], run["reason"], len(await one.sent())) == ("finished", "condition", 1)
        # The same tag again is the same occasion; another guest is late, since it stood still for too long.
        other = await one.guest(OTHER)
        for person in (contact, other):
            await one.house.product.of(ContactServices).pool.update(one.owner, person, ContactChange(tags=["Vip "]))
        await one.look(1)
        await one.act(made.id, "pause")
        one.clock.advance(3 * DAY)
        await one.act(made.id, "turn_on")
        await one.look()
        assert [(run["state"], run["reason"]) for run in await one.runs()][1:] == [("stopped", "too_late")]
        assert (await one.visits())[-1] == ("message", "skipped", "too_late")
        with pytest.raises(Conflict):
            await one.act(made.id, "turn_on")
        await one.act(made.id, "archive")
        with pytest.raises(Conflict):
            await one.act(made.id, "turn_on")


async def test_a_lapse_and_a_birthday_begin_once_each_however_often_the_day_is_looked_at(database_url: str) -> None:
    async with studio(database_url) as one:
        await one.guest()
        await one.meal()
        one.clock.advance(DAY)
        lapse = await one.make({"on": "no_order", "days": 30}, {"do": "wait", "minutes": 1}, SAY)
        await one.look(2)
        assert not await one.runs()
        one.clock.advance(30 * DAY)
        for _ in range(3):
            await one.look(1)
            one.clock.advance(2 * HOUR)
        assert [run["occasion"].partition(":")[0] for run in await one.runs()] == ["lapse"]
        # They order again, and are gone again: a lapse of its own.
        await one.meal()
        one.clock.advance(31 * DAY)
        await one.look(2)
        assert len({run["occasion"] for run in await one.runs()}) == 2
        await one.act(lapse.id, "archive")
        assert {run["state"] for run in await one.runs() if run["automation_id"] == lapse.id} <= {"stopped", "finished"}
        # The clock stands in the evening now: a birthday's hour has passed today, and comes tomorrow.
        now = one.clock.now_ms()
        tomorrow = local_day(now, "Europe/Istanbul") + timedelta(days=1)
        await one.born(f"{tomorrow:%m-%d}")
        born = await one.make({"on": "birthday", "at": "09:30"}, SAY)
        await one.look(2)
        assert not [run for run in await one.runs() if run["automation_id"] == born.id]
        one.clock.advance((at_time(tomorrow, "00:30", "Europe/Istanbul") - now) / 1_000)
        await one.look(1)
        (run,) = [run for run in await one.runs() if run["automation_id"] == born.id]
        assert run["occasion"] == f"birthday:{tomorrow.year}"
        assert run["due_at"] == at_time(tomorrow, "09:30", "Europe/Istanbul")
        one.clock.advance(10 * HOUR)
        await one.look()
        # The network's window is long closed.
        assert (await one.visits())[-1] == ("message", "skipped", "window_closed")
        one.clock.advance(DAY)
        await one.look()
        assert len([run for run in await one.runs() if run["automation_id"] == born.id]) == 1


async def test_feedback_low_reaches_the_manager_and_high_the_review_each_once(database_url: str) -> None:
    async with studio(database_url) as one:
        asks = {"do": "feedback", "text": "How was it?", "review_url": "https://e.example/review"}
        made = await one.make({"on": "meal_finished"}, asks, phones=[MANAGER])
        await one.guest(consent="unknown")
        number = await one.meal()
        await one.look()
        (asked,) = await one.sent()
        assert (asked["type"], asked["category"]) == ("list", "service")
        rows = json.loads(asked["content"])["content"]["sections"][0]["rows"]
        assert [row["id"][-2:] for row in rows] == [":5", ":4", ":3", ":2", ":1"]
        await one.tap(rows[3]["id"])
        (thanks,) = (await one.sent())[1:]
        assert "sorry" in thanks["text"]
        (alarm,) = await one.sent(MANAGER)
        assert "rated their visit 2 of 5" in alarm["text"]
        assert number in alarm["text"]
        # What they write then is kept with it; a second tap changes nothing.
        await one.house.write("The soup was cold")
        await one.tap(rows[0]["id"])
        assert len(await one.sent(MANAGER)) == 1
        (said,) = (await one.services.reporting.ratings(one.owner, made.id, only_open=True)).data
        assert (said.rating, said.comment, said.is_open) == (2, "The soup was cold", True)
        await one.services.reporting.close(one.owner, made.id, said.run_id, Call("/close"))
        assert not (await one.services.reporting.ratings(one.owner, made.id, only_open=True)).data
        (received,) = await one.house.told("feedback.received")
        assert (received["rating"], received["is_low"], received["order_id"], received["comment"]) == (
            2,
            True,
            number,
            "",
        )
        (commented,) = await one.house.told("feedback.commented")
        assert (commented["comment"], commented["run_id"], commented["is_low"]) == (
            "The soup was cold",
            said.run_id,
            True,
        )
        # Somebody else's tap says nothing about it, and nobody is asked twice in a week.
        await one.guest(OTHER)
        await one.tap(rows[0]["id"], OTHER)
        await one.meal()
        await one.look()
        assert (await one.visits())[-1] == ("feedback", "skipped", "asked_lately")
        # A number is enough.
        await one.meal(OTHER)
        await one.look()
        await one.house.write("5/5", OTHER)
        (thanks,) = (await one.sent(OTHER))[1:]
        assert thanks["type"] == "link_button"
        assert "https://e.example/review" in thanks["content"]
        told = await one.house.told("feedback.received")
        assert [(event["rating"], event["is_low"]) for event in told] == [(2, True), (5, False)]
        report = await one.services.reporting.report(one.owner, made.id)
        assert (report.ratings.spread, report.ratings.asked, report.ratings.open) == ([0, 1, 0, 0, 1], 2, 0)
        # Who said no to everything that is not an order is not asked.
        third = await one.guest("905551112255", consent="denied")
        await one.meal("905551112255")
        await one.look()
        assert (await one.visits())[-1] == ("feedback", "skipped", "opted_out")
        assert third


# Its statements are made for the occasion.
@pytest.mark.both
async def test_a_test_run_shows_every_step_and_leaves_nothing_behind(database_url: str) -> None:
    async with studio(database_url) as one:
        steps: list[dict[str, Any]] = [
            {"do": "wait", "days": 1, "until": "17:00"},
            {"do": "condition", "rules": {"rule": "last_order", "never": True}},
            {"do": "coupon", "name": "10% off", "percent": 10},
            {"do": "message", "text": "Hi {{first_name}}, {{coupon}}"},
            {"do": "end"},
            SAY,
        ]
        made = await one.make({"on": "first_message"}, *steps, is_on=False)
        contact = await one.guest()
        before = len(await one.pool.messages("out"))
        trial = (await one.services.trials.run(one.owner, made.id, contact, Call("/try"))).value
        assert [(step.do, step.outcome) for step in trial.steps] == [
            ("wait", "done"), ("condition", "done"), ("coupon", "done"), ("message", "sent"), ("end", "left"),
            ("message", "not_reached"),
        ]  # fmt: skip
        assert trial.steps[3].text.startswith("Hi Ayşe, AB12CD34")
        assert trial.steps[3].at == trial.steps[2].at
        assert str(trial.steps[3].at).startswith("20")
        assert len(await one.pool.messages("out")) == before
        assert not await one.runs()
        assert not await one.visits()
        with pytest.raises(Invalid, match="contact"):
            await one.services.trials.run(one.owner, made.id, "nobody", Call("/try"))


async def test_who_turns_out_to_be_one_person_goes_on_once(database_url: str) -> None:
    async with studio(database_url) as one:
        await one.make({"on": "first_message"}, {"do": "wait", "hours": 1}, SAY)
        first, second = await one.guest(), await one.guest(OTHER)
        await one.look()
        await one.house.product.of(ContactServices).pool.merge(one.owner, first, second, Call("/merge"))
        one.clock.advance(HOUR)
        await one.look()
        assert sorted((run["state"], run["reason"]) for run in await one.runs()) == [
            ("finished", ""),
            ("stopped", "merged"),
        ]
        assert len([*await one.sent(), *await one.sent(OTHER)]) == 1


async def test_a_run_ends_with_the_version_that_it_began_with(database_url: str) -> None:
    async with studio(database_url) as one:
        made = await one.make({"on": "first_message"}, {"do": "wait", "hours": 1}, SAY)
        await one.guest()
        await one.look()
        changed = await one.services.desk.change(
            one.owner, made.id, {"steps": [{"do": "message", "text": "Other words"}]}
        )
        assert changed.version == 2
        await one.guest(OTHER)
        one.clock.advance(HOUR)
        await one.look()
        assert [row["text"].partition("\n")[0] for row in [*await one.sent(), *await one.sent(OTHER)]] == [
            f"Hi Ayşe of {one.house.venue.name}", "Other words",
        ]  # fmt: skip
        with pytest.raises(Invalid, match="says or gives"):
            await one.services.desk.change(one.owner, made.id, {"steps": []})
        assert PHONE in {row["phone"] for row in await one.sent()}


async def test_what_ended_long_ago_is_forgotten_but_a_rating_that_waits_for_a_call(database_url: str) -> None:
    async with studio(database_url) as one:
        made = await one.make({"on": "meal_finished"}, {"do": "feedback", "text": "How was it?"})
        for phone, figure in ((PHONE, "2"), (OTHER, "5")):
            await one.guest(phone)
            await one.meal(phone)
            await one.look()
            await one.house.write(figure, phone)
        retention = Retention(one.db, one.clock, Settings(), PURGES)
        one.clock.advance(KEPT_DAYS * DAY - HOUR)
        await retention.purge()
        assert len(await one.runs()) == 2
        one.clock.advance(2 * HOUR)
        assert (await retention.purge())["automation_runs"] == 1
        (kept,) = (await one.services.reporting.ratings(one.owner, made.id)).data
        assert (kept.rating, len(await one.runs()), len(await one.visits())) == (2, 1, 1)
        await one.services.reporting.close(one.owner, made.id, kept.run_id, Call("/close"))
        await retention.purge()
        assert not await one.runs()
        assert not await one.visits()
