"""A phone's own number writes with care: what is counted is rows, and what waits says why."""

from __future__ import annotations

import itertools

import pytest

from tablegram.engine.leases import Lease
from tablegram.messaging.care import WARM_UP, Care, Go, Wait
from tablegram.messaging.records.line_changes import LineChange
from tablegram.messaging.records.waiting import why_waiting
from tablegram.messaging.store import messages as store
from tablegram.messaging.switchboard import LiveLine
from tablegram.values.clock import DAY_MS
from tests.messaging.gateway import PHONE, Gateway, body, gateway, phone

DAY_S = DAY_MS / 1_000


async def linked(one: Gateway) -> tuple[LiveLine, Lease]:
    """A line whose phone was linked just now."""
    line = await one.add_line("linked", pace=0)
    lease = await one.leases.hold("the line")
    assert lease is not None
    link = one.links.of(1, line.instance.id)
    await link.keep_session(lease, (await link.read()).epoch, "a session")
    return line, lease


async def admitted(care: Care, lease: Lease, numbers: range) -> int:
    """How many of so many strangers may be written to now."""
    found = [await care.admit(lease, f"to {number}", phone(number)) for number in numbers]
    return sum(isinstance(one, Go) for one in found)


async def test_a_cap_holds_for_24_hours_whoever_counts_and_the_line_says_so(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one:
        line, lease = await linked(one)
        care = one.links.care(1, line.instance.id, 3)
        for number in range(3):
            one.clock.advance(60)
            assert isinstance(await care.admit(lease, f"m{number}", PHONE), Go)
        # Another process, or this one after a restart, counts the same rows.
        held = await one.links.care(1, line.instance.id, 3).admit(lease, "m3", PHONE)
        assert isinstance(held, Wait)
        assert (held.code, held.holds, held.until_ms) == ("daily_cap", "line", one.clock.now_ms() - 120_000 + DAY_MS)
        assert isinstance(await care.admit(lease, "m2", PHONE), Go), "what was counted may be tried again"
        view = one.instances.view(await one.instances.get(1, line.instance.id))
        assert view.pause_reason == held.detail
        # Nobody takes it from the queue while we look at it, nor begins to when it comes.
        await one.tasks.stop()
        monkeypatch.setattr(one.drains, "wake", lambda line: None)
        key = await one.queue(PHONE, "waits", send_at_ms=one.clock.now_ms() - 1)
        rows = await one.db.all(store.CONVERSATION, {"b_account": 1, "b_phone": PHONE, "most": 100})
        (waits,) = (await why_waiting(one.db, 1, rows, one.clock.now_ms())).values()
        assert (waits.code, waits.detail, waits.until_ms) == ("line_paused", held.detail, held.until_ms), key
        # The oldest of them is a day old: there is room for one, and the line goes on.
        one.clock.advance(DAY_S - 120)
        assert isinstance(await care.admit(lease, "m3", PHONE), Go)
        assert isinstance(await care.admit(lease, "m4", PHONE), Wait)
        await one.instances.update(1, line.instance.id, LineChange(daily_cap=0))
        assert isinstance(await care.admit(lease, "m4", PHONE), Go)
        assert "pause_reason" not in body(one.instances.view(await one.instances.get(1, line.instance.id)))


async def test_a_phone_that_was_linked_lately_writes_to_few_strangers_and_answers_everybody(database_url: str) -> None:
    async with gateway(database_url) as one:
        line, lease = await linked(one)
        await one.send(PHONE, "we know each other", instance_id=line.instance.id)
        care, numbers = one.links.care(1, line.instance.id, 0), itertools.count()
        for most in WARM_UP:
            first = next(numbers)
            assert await admitted(care, lease, range(first * 1_000, first * 1_000 + most + 2)) == most
            assert isinstance(await care.admit(lease, f"known {most}", PHONE), Go)
            one.clock.advance(DAY_S)
        assert await admitted(care, lease, range(90_000, 90_200)) == 200


async def test_a_warm_up_ends_with_its_day_or_by_wish_and_what_was_not_sent_does_not_count(database_url: str) -> None:
    async with gateway(database_url) as one:
        line, lease = await linked(one)
        care = one.links.care(1, line.instance.id, 0)
        one.clock.advance(DAY_S / 2)
        assert await admitted(care, lease, range(WARM_UP[0])) == WARM_UP[0]
        held = await care.admit(lease, "one more", PHONE)
        assert isinstance(held, Wait)
        assert (held.code, held.holds) == ("warming_up", "recipient")
        assert held.until_ms == one.clock.now_ms() + DAY_MS // 2
        await care.give_back("to 0")
        assert isinstance(await care.admit(lease, "one more", PHONE), Go)
        assert isinstance(await care.admit(lease, "to 0", phone(0)), Wait)
        await one.instances.update(1, line.instance.id, LineChange(warm_up=False))
        assert isinstance(await care.admit(lease, "to 0", phone(0)), Go)
        # Where the network takes nothing for strangers, those we know are answered all the same.
        stranger = await care.admit(lease, "stranger", phone(77), only_known="Not now.")
        assert isinstance(stranger, Wait)
        assert (stranger.code, stranger.detail) == ("strangers_restricted", "Not now.")


@pytest.mark.once
async def test_changing_how_careful_a_line_is_does_not_start_it_anew(database_url: str) -> None:
    async with gateway(database_url) as one:
        line, _ = await linked(one)
        await one.instances.set_state(line.instance, "connected", "")
        await one.lines.update(one.caller, line.instance.id, LineChange(daily_cap=5, typing=True))
        assert (len(one.built), line.instance.state) == (1, "connected")
        await one.lines.update(one.caller, line.instance.id, LineChange(groups=True))
        assert (len(one.built), line.instance.state) == (2, "created")
