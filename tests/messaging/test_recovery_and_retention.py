"""What a dead process left is taken up; what is old enough is forgotten."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import insert, select

from tablegram.accounts.audit import SYSTEM, Audit
from tablegram.engine import purging
from tablegram.engine.idempotency import Call
from tablegram.messaging.ports import Delayed
from tablegram.messaging.transmission.recovery import STALE_CLAIM_MS
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import idempotency, inbox, owners, request_log
from tablegram.values.clock import DAY_MS, HOUR_MS
from tests.drained import drain_once
from tests.engine.waiting import settle, until
from tests.messaging.gateway import OTHER, PHONE, Gateway, body, gateway

_LOG = Query(insert(request_log).values(columns(request_log)))


async def break_off(one: Gateway, line: Any, to: str = PHONE) -> None:
    """The process is killed while it waits for the network's answer."""
    network = one.network(line)
    network.gate.clear()
    sending = asyncio.ensure_future(one.send(to))
    await until(lambda: to in network.in_flight)
    sending.cancel()
    await asyncio.gather(sending, return_exceptions=True)
    network.gate.set()


async def test_an_attempt_of_a_dead_process_is_in_doubt_and_sent_after_the_wait(database_url: str) -> None:
    async with gateway(database_url) as dead:
        line = await dead.add_line()
        await break_off(dead, line)
        assert (await dead.row())["claimed_by"] == dead.owner.id
        await dead.leases.hold(f"line:{line.instance.id}")
        async with gateway(database_url, beside=dead) as one:
            # While it lives nothing of it is touched.
            await one.recovery.take_up()
            assert (await one.row())["claimed_by"] == dead.owner.id
            await dead.owner.leave()
            await one.recovery.take_up()
            row = await one.row()
            assert (row["state"], row["claimed_by"], row["error_code"]) == ("queued", None, "outcome_unknown")
            assert row["due_at"] == one.clock.now_ms() + 300_000
            ours = (await one.switchboard.lines(1))[line.instance.id]
            one.drains.wake(ours)
            await settle()
            assert one.network(ours).seen == []
            await one.later(301)
            await one.until_states("sent")
            assert len(one.network(ours).seen) == 1


async def test_after_a_start_a_doubt_waits_on_and_not_anew(database_url: str) -> None:
    async with gateway(database_url) as before:
        line = await before.add_line()
        await break_off(before, line)
        await before.recovery.leave()
        due_at = (await before.row())["due_at"]
        assert due_at == before.clock.now_ms() + 300_000
        async with gateway(database_url, beside=before) as one:
            # Seconds pass between an end and a start; how long, the database knows.
            assert one.owner.unheard_ms is not None
            clock = one.clock
            for passed_s, unheard_s, left_s in (
                (200, 0, 100),  # It was restarted at once: what was left is left.
                (0, 50, 150),  # Nobody listened for 50 seconds: they do not count.
                (145, 2, 30),  # Almost over: the network still gets a while to repeat itself.
                (0, 90, 120),
                (0, 100_000, 300),  # Away for a day: the whole wait.
                (100, None, 300),  # Nobody knows.
            ):
                clock.at_ms += passed_s * 1_000
                one.owner.unheard_ms = None if unheard_s is None else unheard_s * 1_000
                await one.recovery.take_up()
                assert (await one.row())["due_at"] == clock.now_ms() + left_s * 1_000
            assert one.network((await one.switchboard.lines(1))[line.instance.id]).seen == []


async def test_what_a_dead_process_had_queued_goes_out_at_once(database_url: str) -> None:
    async with gateway(database_url) as dead:
        line = await dead.add_line()
        dead.network(line).script.append(Delayed("busy", "Later.", 600, "line"))
        await dead.send(PHONE, "a")
        await dead.send(PHONE, "b")
        await dead.tasks.stop()
        await dead.leases.free(dead.owner.id)
        await dead.owner.leave()
        async with gateway(database_url, beside=dead) as one:
            await one.recovery.take_up()
            one.tasks.keep("scan", one.drains.queues.scan_forever)
            await one.until_states("sent", "sent")
            assert one.drivers[line.instance.id].texts() == ["a", "b"]


async def test_after_a_start_nobody_overtakes_what_was_queued(database_url: str) -> None:
    async with gateway(database_url) as dead:
        line = await dead.add_line()
        dead.network(line).script.append(Delayed("busy", "Later.", 600, "line"))
        await dead.send(PHONE, "old")
        await dead.tasks.stop()
        await dead.leases.free(dead.owner.id)
        await dead.owner.leave()
        async with gateway(database_url, beside=dead) as one:
            await one.recovery.take_up()
            assert body(await one.send(PHONE, "new"))["status_code"] == "queued"
            await one.until_states("sent", "sent")
            assert one.drivers[line.instance.id].texts() == ["old", "new"]


async def test_an_orderly_end_leaves_doubts_and_no_trace_of_itself(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        await break_off(one, line)
        await one.leases.hold("line:1")
        await one.recovery.leave()
        assert (await one.row())["error_code"] == "outcome_unknown"
        assert await one.db.all(select(owners)) == []
        async with gateway(database_url, beside=one) as other:
            assert await other.leases.hold("line:1")


async def test_an_attempt_that_this_process_forgot_is_in_doubt_after_minutes(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        await break_off(one, line)
        await one.recovery._doubt_stale_claims()
        assert (await one.row())["claimed_by"] == one.owner.id
        one.clock.at_ms += STALE_CLAIM_MS + 1
        await one.recovery._doubt_stale_claims()
        row = await one.row()
        assert (row["claimed_by"], row["error_code"]) == (None, "outcome_unknown")


async def test_a_message_of_a_line_that_is_gone_expires_too(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        await one.send(send_at_ms=one.clock.now_ms() + 60_000)
        await one.lines.delete(one.caller, line.instance.id)
        one.clock.advance(26 * 3_600)
        await one.recovery._expire()
        row = await one.row()
        assert (row["state"], row["error_code"]) == ("failed", "expired")


async def test_a_clock_that_is_set_back_leaves_nothing_waiting_but_what_was_to_wait(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        network, now = one.network(line), one.clock.now_ms()
        network.script.append(Delayed("busy", "Later.", 86_400, "recipient"))
        await one.send(PHONE, "tried")
        await one.send(PHONE, "behind it")
        await one.send(OTHER, "scheduled", send_at_ms=now + 2 * HOUR_MS)
        # However long a network asks for patience, a message is tried again within the hour. The one behind it is due at
        # once, or when the first is.
        await one.recovery.take_up()
        assert [row["due_at"] - now for row in await one.rows()][::2] == [HOUR_MS, 2 * HOUR_MS]
        one.clock.at_ms -= 2 * HOUR_MS
        await one.recovery.take_up()

        async def are_said() -> bool:
            # As every sweep does: what was put off meanwhile by the time that is over is found as well.
            await one.recovery._repair_due()
            return len(network.seen) >= 3

        await until(are_said, "three messages on the network")
        await one.until_said(line, "tried", "tried", "behind it")
        assert [row["due_at"] for row in await one.rows()] == [None, None, now + 2 * HOUR_MS]
        await one.later(4 * 3_600 + 1)
        await one.until_states("sent", "sent", "sent")


async def test_a_doubt_waits_its_time_anew_where_the_clock_was_set_back(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        await break_off(one, line)
        one.clock.at_ms += STALE_CLAIM_MS + 1
        await one.recovery._doubt_stale_claims()
        one.clock.at_ms -= 30 * HOUR_MS
        await one.recovery.take_up()
        row = await one.row()
        assert (row["error_code"], row["due_at"]) == ("outcome_unknown", one.clock.now_ms() + 300_000)


async def logged(one: Gateway, key: str) -> None:
    row = {
        "account_id": 1, "id": key, "request_id": key, "key_id": "k", "method": "GET", "path": "/me", "status": 200,
        "code": None, "detail": None, "duration_us": 1, "remote": "", "created_at": one.clock.now_ms(),
    }  # fmt: skip
    await one.db.put((_LOG, row))


async def forgotten(one: Gateway) -> dict[str, int]:
    """What a purge took, without what there was nothing of."""
    return {name: number for name, number in (await one.retention.purge()).items() if number}


async def count(one: Gateway, table: Any) -> int:
    return len(await one.db.all(across_accounts(select(table), "a test counts")))


async def test_what_is_past_its_time_is_forgotten_and_nothing_else(database_url: str) -> None:
    async with gateway(database_url, request_log_days=30, inbox_days=10) as one:
        await one.add_line()
        await logged(one, "old")
        await one.inbox.store(1, "cloud:1", b'{"entry": []}')
        await drain_once(one.inbox)
        await one.inbox.store(1, "nobody:1", b"never done")
        await one.send(call=Call("/send", "key", "f"))
        one.clock.at_ms += 10 * DAY_MS
        assert await forgotten(one) == {}
        one.clock.at_ms += 1
        await logged(one, "new")
        assert await forgotten(one) == {"callbacks": 1, "notices": 1}
        one.clock.at_ms += 20 * DAY_MS
        assert await forgotten(one) == {"requests": 1}
        # What is not done yet is kept, and so are messages unless told otherwise.
        assert (await count(one, inbox), await count(one, request_log)) == (1, 1)
        assert len(await one.rows()) == 1
        assert await count(one, idempotency) == 0


async def test_messages_are_kept_for_their_days_after_the_last_change(database_url: str) -> None:
    async with gateway(database_url, message_days=5) as one:
        await one.add_line()
        await one.send(PHONE, "old")
        await one.send(OTHER, "scheduled", send_at_ms=one.clock.now_ms() + 4 * DAY_MS)
        await one.later(4 * 86_400 + 1)
        await one.until_states("sent", "sent")
        await one.later(2 * 86_400)
        assert (await one.retention.purge())["messages"] == 1
        assert [row["text"] for row in await one.rows()] == ["scheduled"]
        await one.later(6 * 86_400)
        assert (await one.retention.purge())["messages"] == 1


async def test_a_queued_message_is_never_forgotten(database_url: str) -> None:
    async with gateway(database_url, message_days=1) as one:
        await one.add_line()
        await one.send(send_at_ms=one.clock.now_ms() + 90 * DAY_MS)
        one.clock.at_ms += 30 * DAY_MS
        assert (await one.retention.purge())["messages"] == 0
        assert await one.states() == ["queued"]


async def test_much_is_forgotten_in_small_steps(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with gateway(database_url) as one:
        for number in range(purging.CHUNK + 20):
            one.db.submit(((_LOG, {
                "account_id": 1 + number % 2, "id": f"{number}", "request_id": "", "key_id": "k", "method": "GET",
                "path": "/", "status": 200, "code": None, "detail": None, "duration_us": 1, "remote": "", "created_at": 1,
            }),))  # fmt: skip
        writes: list[int] = []
        write = one.db.write

        async def counted(work: Any) -> Any:
            writes.append(await write(work))
            return writes[-1]

        monkeypatch.setattr(one.db, "write", counted)
        assert (await one.retention.purge())["requests"] == purging.CHUNK + 20
        assert max(writes) == purging.CHUNK


async def test_messages_of_a_deleted_line_fail_instead_of_waiting_for_ever(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        waiting = await one.queue(send_at_ms=one.clock.now_ms() + DAY_MS)
        await one.lines.delete(one.caller, line.instance.id)
        await one.recovery._expire()
        shown = body(await one.lookups.message(one.caller, waiting))
        assert (shown["status"], shown["error"]["code"], shown["cost_usd"]) == ("failed", "instance_deleted", 0.0)


async def test_the_audit_log_is_kept_for_its_days_in_every_account(database_url: str) -> None:
    async with gateway(database_url, audit_days=365) as one:
        audit = Audit(one.db, one.clock)
        for account in (0, 1, 1, 1):
            await audit.note(SYSTEM, "line.created", "line", 1, account_id=account)
        one.clock.at_ms += 365 * DAY_MS
        await audit.note(SYSTEM, "line.deleted", "line", 1, account_id=1)
        assert (await one.retention.purge())["audit"] == 0
        one.clock.at_ms += 1
        assert (await one.retention.purge())["audit"] == 4
        assert [entry.action for entry in (await audit.page(1, limit=10)).data] == ["line.deleted"]


async def test_the_audit_log_is_kept_for_ever_where_that_is_wanted(database_url: str) -> None:
    async with gateway(database_url, audit_days=0) as one:
        await Audit(one.db, one.clock).note(SYSTEM, "line.created", "line", 1, account_id=1)
        one.clock.at_ms += 3_650 * DAY_MS
        assert "audit" not in await one.retention.purge()
        assert len((await Audit(one.db, one.clock).page(1, limit=10)).data) == 1
