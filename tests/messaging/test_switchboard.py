"""Which line a caller means, and what a line remembers while the store changes under it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest

from tablegram.errors import Invalid
from tablegram.messaging import switchboard as switchboard_module
from tablegram.messaging.instances import Instance
from tablegram.messaging.model import BULK, NORMAL
from tablegram.messaging.records.line_changes import LineChange
from tablegram.messaging.rows.messages import Claimable
from tablegram.values.clock import FRESH_S
from tests.messaging.gateway import PHONE, gateway


async def test_the_default_line_is_meant_when_none_is_named(database_url: str) -> None:
    async with gateway(database_url) as one:
        first = await one.add_line("cloud")
        second = await one.add_line("sandbox")
        resolve = one.switchboard.resolve
        assert await resolve(1, None, sandbox_only=False) is first
        assert await resolve(1, second.instance.id, sandbox_only=False) is second


async def test_a_test_key_reaches_sandbox_lines_only_and_means_the_first_of_them(database_url: str) -> None:
    async with gateway(database_url) as one:
        cloud = await one.add_line("cloud")
        sandbox = await one.add_line("sandbox")
        await one.add_line("sandbox")
        assert await one.switchboard.resolve(1, None, sandbox_only=True) is sandbox
        with pytest.raises(Invalid) as caught:
            await one.switchboard.resolve(1, cloud.instance.id, sandbox_only=True)
        assert (caught.value.code, caught.value.errors[0].field) == ("instance_unknown", "instance_id")


async def test_an_unknown_a_foreign_and_a_deleted_line_are_told_alike(database_url: str) -> None:
    async with gateway(database_url) as one:
        mine, foreign = await one.add_line(), await one.add_line(account_id=2)
        gone = await one.add_line()
        await one.instances.delete(1, gone.instance.id)
        await one.switchboard.reload(1)
        details = set()
        for instance_id in (foreign.instance.id, gone.instance.id, 99_999):
            with pytest.raises(Invalid) as caught:
                await one.switchboard.resolve(1, instance_id, sandbox_only=False)
            assert (caught.value.status, caught.value.code) == (422, "instance_unknown")
            details.add(caught.value.detail.replace(str(instance_id), "N"))
        assert len(details) == 1
        assert await one.switchboard.resolve(1, mine.instance.id, sandbox_only=False) is mine


async def test_an_account_without_a_line_is_told_how_to_make_one(database_url: str) -> None:
    async with gateway(database_url) as one:
        with pytest.raises(Invalid, match="POST /instances"):
            await one.switchboard.resolve(1, None, sandbox_only=False)


async def test_many_who_find_the_lines_old_have_them_read_once(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        read, reads = one.instances.of_account, 0

        async def counted(account_id: int) -> list[Instance]:
            nonlocal reads
            reads += 1
            return await read(account_id)

        monkeypatch.setattr(one.instances, "of_account", counted)
        one.switchboard._loaded_at.clear()
        resolve = one.switchboard.resolve
        assert set(await asyncio.gather(*[resolve(1, None, sandbox_only=False) for _ in range(20)])) == {line}
        assert reads == 1


async def test_a_change_elsewhere_is_seen_within_seconds(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert FRESH_S <= 3
    async with gateway(database_url) as one, gateway(database_url, beside=one) as other:
        line = await one.add_line()
        await other.instances.delete(1, line.instance.id)
        assert await one.switchboard.line(1, line.instance.id) is line
        monkeypatch.setattr(switchboard_module, "FRESH_S", 0.0)
        assert await one.switchboard.line(1, line.instance.id) is None


async def test_looking_again_keeps_what_holds_a_line_up(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        line.hold(60, time.monotonic())
        line.waiting[PHONE] = ("key", 1)
        line.backlog = True
        held_until = line.held_until
        assert (await one.switchboard.reload(1))[line.instance.id] is line
        assert (line.held_until, line.strikes, line.backlog) == (held_until, 1, True)
        assert PHONE in line.waiting
        assert len(one.built) == 1


async def test_a_new_name_or_state_keeps_the_driver(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud", access_token="t")
        line.hold(60, time.monotonic())
        await one.instances.update(1, line.instance.id, LineChange(name="renamed"))
        await one.instances.set_state(line.instance, "degraded", "slow")
        await one.switchboard.reload(1)
        assert (line.instance.name, line.instance.state) == ("renamed", "degraded")
        assert len(one.built) == 1
        assert line.strikes == 1


@pytest.mark.parametrize("change", [LineChange(access_token="new"), LineChange(phone_number_id="77")])
async def test_new_credentials_get_a_new_driver_and_a_fresh_start(database_url: str, change: LineChange) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud", access_token="old")
        line.hold(60, time.monotonic())
        await one.instances.update(1, line.instance.id, change)
        await one.switchboard.reload(1)
        assert len(one.built) == 2
        assert (line.strikes, line.held_until) == (0, 0.0)
        assert line.may_send_now(PHONE, time.monotonic())


async def test_a_new_pace_counts_at_once(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        assert line.pace is None
        await one.instances.update(1, line.instance.id, LineChange(pace_milli=1_000))
        await one.switchboard.reload(1)
        now = time.monotonic()
        assert line.may_send_now(PHONE, now)
        line.take(PHONE, now)
        assert not line.may_send_now(PHONE, now)


async def test_each_kind_of_line_has_its_own_pace(database_url: str) -> None:
    async with gateway(database_url, cloud_pace=3.0, recipient_burst=2) as one:
        cloud, sandbox = await one.add_line("cloud"), await one.add_line("sandbox")
        now = time.monotonic()
        for _ in range(2):
            assert cloud.may_send_now(PHONE, now)
            cloud.take(PHONE, now)
        assert not cloud.may_send_now(PHONE, now)
        assert cloud.may_send_now("905550000000", now)
        cloud.take("905550000000", now)
        assert not cloud.may_send_now("905550000001", now)
        for _ in range(500):
            assert sandbox.may_send_now(PHONE, now)
            sandbox.take(PHONE, now)


async def test_nobody_overtakes(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        now = time.monotonic()
        ways: list[tuple[Callable[[], object], Callable[[], object]]] = [
            (lambda: line.note_queued("key", PHONE, NORMAL), lambda: line.queued.gone("key")),
            (lambda: line.sending.add(PHONE), lambda: line.sending.clear()),
            (lambda: line.waiting.update({PHONE: ("key", 1)}), lambda: line.waiting.clear()),
            (lambda: line.hold(5, now), lambda: line.release()),
        ]
        for block, unblock in ways:
            assert line.may_send_now(PHONE, now)
            block()
            assert not line.may_send_now(PHONE, now)
            unblock()


async def test_a_backlog_holds_up_only_whom_it_has_messages_for(database_url: str) -> None:
    async with gateway(database_url) as one:
        free, paced = await one.add_line(), await one.add_line(pace=5)
        now = time.monotonic()
        for line in (free, paced):
            line.backlog = True
            line.note_queued("a", PHONE, NORMAL)
            line.note_queued("b", "905550000001", BULK)
        assert not free.may_send_now(PHONE, now)
        assert free.may_send_now("905550000001", now), "what is not bulk goes before what is"
        assert free.may_send_now("905550000002", now)
        # Where the pace is short, a newcomer would take the place of somebody who waits.
        assert not paced.may_send_now("905550000002", now)
        # After a start nobody knows yet whom the waiting messages are for.
        free.knows_queued = False
        assert not free.may_send_now("905550000002", now)
        # A look that sees all that is due tells whom it is for, and what was done meanwhile.
        free.queued.stored("a")
        stranger: Claimable = {"account_id": 1, "id": "c", "phone": "905550000003", "priority": NORMAL}
        free.note_due(free.queued.look(), [stranger], all_of_them=True)
        assert free.may_send_now(PHONE, now)
        assert not free.may_send_now("905550000003", now)
        # One that sees only a part knows of strangers, and not of whom else.
        free.note_due(free.queued.look(), [{**stranger, "id": "d", "phone": PHONE}], all_of_them=False)
        assert not free.may_send_now("905550000002", now)


def test_a_line_in_trouble_waits_longer_each_time_but_never_too_long() -> None:
    line = switchboard_module.LiveLine(None, None, None, None)  # type: ignore[arg-type]
    now, waits = 0.0, []
    for _ in range(20):
        line.hold(0.0, now)
        waits.append(line.held_until - now)
        now = line.held_until
    assert waits[3] > waits[0]
    assert max(waits) <= switchboard_module.MAX_HOLD_S * 1.2
    assert waits[-1] >= switchboard_module.MAX_HOLD_S * 0.8
    line.release()
    line.hold(100.0, now)
    assert line.held_until - now >= 80.0
