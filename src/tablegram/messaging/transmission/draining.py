"""Drains: what waits goes out by itself, line by line, in order and at pace."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from tablegram.engine import crash_points
from tablegram.engine.leases import Lease, Leases
from tablegram.engine.owners import Owner
from tablegram.engine.timers import Tasks
from tablegram.errors import LeaseLost, Unavailable
from tablegram.messaging.model import BULK, NORMAL, URGENT, Outbound, Stored
from tablegram.messaging.ports import Announcer
from tablegram.messaging.store import messages as store
from tablegram.messaging.switchboard import LiveLine, Switchboard
from tablegram.messaging.transmission.outcomes import Attempt, Conclusion, Outcomes
from tablegram.storage.database import Database, Query, Row, Tx
from tablegram.values.clock import Clock
from tablegram.values.ids import gateway_id

PRIORITIES = (URGENT, NORMAL, BULK)
IN_FLIGHT = 32
# A look at the queue costs about the same for one message as for many, so it waits until many can go.
WORTH_A_LOOK = IN_FLIGHT // 2
# More than can be sent at once, so that rows which have to wait do not hide others behind them.
WINDOW = 200
IDLE_S = 2.0
SCAN_S = 2.0
LEASE_RETRY_S = 5.0
DOUBT_RECHECK_MS = 1_000
# Less in sum than the time after which a claim counts as stale.
WRITE_AGAIN_S = (0.1, 0.2, 0.5, 1.0) + (2.0,) * 60

log = logging.getLogger("tablegram.drains")

_STORED = msgspec.json.Decoder(Stored)

Refund = Callable[[Tx, int, str], Awaitable[None]]
# How many callbacks of a line are stored but not yet read; they may answer a doubt.
Unread = Callable[[int, int], Awaitable[int]]
Settled = Callable[[LiveLine, Conclusion], Awaitable[None]]
Statement = tuple[Query, dict[str, Any]]


class Drains:
    def __init__(
        self,
        db: Database,
        switchboard: Switchboard,
        outcomes: Outcomes,
        leases: Leases,
        owner: Owner,
        clock: Clock,
        tasks: Tasks,
        *,
        refund: Refund,
        unread: Unread,
        settled: Settled,
        announcer: Announcer,
    ) -> None:
        self._db = db
        self._switchboard = switchboard
        self._outcomes = outcomes
        self._leases = leases
        self._owner = owner
        self._clock = clock
        self._tasks = tasks
        self._refund = refund
        self._unread = unread
        self._settled = settled
        self._announcer = announcer
        self._running: set[int] = set()

    def wake(self, line: LiveLine) -> None:
        """Something of this line is due, now or at a new time."""
        instance_id = line.instance.id
        if instance_id not in self._running:
            self._running.add(instance_id)
            self._tasks.keep(f"drain of line {instance_id}", lambda: self._drain(line))
        line.bell.ring()

    async def scan_forever(self) -> None:
        """Find lines with work that no wake-up told of: after a start, or from another process."""
        while True:
            for row in await self._db.all(store.LINES_WITH_WORK):
                line = await self._switchboard.line(row["account_id"], row["instance_id"])
                if line is None:
                    continue
                if row["instance_id"] not in self._running:
                    await self._remember_waiting(line)
                    line.backlog, line.knows_queued = True, False
                self.wake(line)
            await asyncio.sleep(SCAN_S)

    async def remember_backlog(self) -> None:
        """Before the first request: what is queued already goes ahead of what comes in."""
        for row in await self._db.all(store.LINES_WITH_WORK):
            line = await self._switchboard.line(row["account_id"], row["instance_id"])
            if line is not None:
                await self._remember_waiting(line)
                line.backlog, line.knows_queued = True, False

    async def _remember_waiting(self, line: LiveLine) -> None:
        scope = {"account_id": line.instance.account_id, "instance_id": line.instance.id}
        for row in await self._db.all(store.RETRYING, scope):
            known = line.waiting.get(row["phone"])
            if known is None or row["id"] < known[0]:
                line.waiting[row["phone"]] = (row["id"], row["due_at"])

    async def _drain(self, line: LiveLine) -> None:
        while True:
            await line.bell.wait(await self._step(line))

    async def _step(self, line: LiveLine) -> float:
        """Send what can be sent now; returns the seconds until it is worth looking again."""
        if await self._switchboard.line(line.instance.account_id, line.instance.id) is not line:
            return IDLE_S
        lease = await self._hold(line)
        if lease is None:
            return LEASE_RETRY_S
        held_s = line.held_until - time.monotonic()
        if held_s > 0:
            return held_s
        room = IN_FLIGHT - len(line.sending)
        if room < WORTH_A_LOOK:
            return IDLE_S
        noted = sum(line.queued.values())
        # Time goes on while the store is asked; whom a row waits for is judged by the moment of the question.
        now_ms, busy = self._clock.now_ms(), set(line.sending)
        rows = await self._due(line, now_ms)
        if not rows:
            # Unless something was queued while the store was asked.
            if not line.sending and sum(line.queued.values()) == noted:
                line.note_empty()
            return await self._until_next(line)
        line.note_strangers(rows)
        # After trouble the oldest message alone finds out whether the line is back.
        chosen, wait_s = await self._choose(line, rows, 1 if line.strikes else room, now_ms, busy)
        for row in await self._claim(lease, chosen):
            line.sending.add(row["phone"])
            self._tasks.spawn(f"send {row['id']}", self._send(line, lease, row))
        return wait_s

    async def lease_of(self, line: LiveLine) -> Lease | None:
        """What lets this process send for the line at once; nothing while another has it. Mostly a look at memory."""
        lease = line.lease
        if lease is not None and lease.is_sure():
            return lease
        return None if time.monotonic() < line.anothers_until else await self._hold(line)

    async def _hold(self, line: LiveLine) -> Lease | None:
        """The line's lease. Who gets it anew first looks at what waits: others may have queued for the line."""
        async with line.taking:
            lease = await self._leases.hold(f"line:{line.instance.id}")
            if lease is None:
                line.note_lost(time.monotonic())
            elif lease is not line.lease:
                noted = sum(line.queued.values())
                await self._remember_waiting(line)
                rows = await self._due(line, self._clock.now_ms())
                if rows:
                    line.note_strangers(rows)
                elif not line.sending and sum(line.queued.values()) == noted:
                    line.note_empty()
                line.lease = lease
        return lease

    async def _due(self, line: LiveLine, now_ms: int) -> list[Row]:
        scope = {"account_id": line.instance.account_id, "instance_id": line.instance.id, "now": now_ms}

        async def look(tx: Tx) -> list[Row]:
            rows: list[Row] = []
            for priority in PRIORITIES:
                if len(rows) < WINDOW:
                    rows += await tx.all(store.DUE, {**scope, "b_priority": priority, "most": WINDOW - len(rows)})
            return rows

        return await self._db.snapshot(look)

    async def _until_next(self, line: LiveLine) -> float:
        scope = {"account_id": line.instance.account_id, "instance_id": line.instance.id}

        async def look(tx: Tx) -> list[int]:
            found = [await tx.first(store.NEXT_DUE, {**scope, "b_priority": priority}) for priority in PRIORITIES]
            return [row["at"] for row in found if row is not None and row["at"] is not None]

        times = await self._db.snapshot(look)
        if not times:
            return IDLE_S * 15
        return max(0.0, min(IDLE_S * 15, float(min(times) - self._clock.now_ms()) / 1_000))

    async def _choose(
        self, line: LiveLine, rows: list[Row], room: int, now_ms: int, busy: set[str]
    ) -> tuple[list[Row], float]:
        """Which rows go now, of those that were due at `now_ms`, when `busy` had a message on its way."""
        now = time.monotonic()
        chosen: list[Row] = []
        busy |= line.sending
        turn = _turns(rows)
        for row in rows:
            if len(chosen) >= room:
                break
            if row["expires_at"] is not None and row["expires_at"] <= now_ms:
                await self._expire(line, row)
            elif row["phone"] in busy or turn[row["phone"]] != (row["priority"], row["id"]):
                continue
            elif (next_at := await self._not_before(line, row, now_ms, now)) > now_ms:
                await self._postpone(row, next_at)
            elif line.pace is not None and (wait_s := line.pace.wait_s(now)) > 0:
                return chosen, wait_s
            else:
                line.take(row["phone"], now)
                busy.add(row["phone"])
                chosen.append(row)
        return chosen, IDLE_S if chosen or busy else 0.0

    async def _not_before(self, line: LiveLine, row: Row, now_ms: int, now: float) -> int:
        """The earliest moment for this message, as far as its recipient and its own past are concerned."""
        first = line.waiting.get(row["phone"])
        if first is not None and first[0] != row["id"] and first[1] > now_ms:
            return first[1]
        if row["doubt_at"] is not None and await self._unread(row["account_id"], line.instance.id):
            return now_ms + DOUBT_RECHECK_MS
        wait_s = 0.0 if line.recipients is None else line.recipients.wait_s(row["phone"], now)
        next_at = now_ms + int(wait_s * 1_000)
        if wait_s > 0 and (first is None or first[0] == row["id"] or first[1] <= now_ms):
            # Later ones wait for exactly this moment; one worked out anew could be a hair earlier and overtake.
            line.waiting[row["phone"]] = (row["id"], next_at)
        return next_at

    async def _postpone(self, row: Row, next_at: int) -> None:
        await self._db.put((store.POSTPONE, {"b_account": row["account_id"], "b_id": row["id"], "next_at": next_at}))

    async def _expire(self, line: LiveLine, row: Row) -> None:
        detail = "It could not be sent in time; the last reason stands in the line's state."
        attempt = Attempt(row["account_id"], row["id"], row["phone"], row["attempts"], row["expires_at"])
        conclusion = self._outcomes.failed(attempt, "expired", detail, tried=0)
        await self.commit(line, attempt, conclusion, tell=line.instance.id)
        line.note_gone(row["phone"])

    async def _claim(self, lease: Lease, rows: list[Row]) -> list[Row]:
        """Those of the rows that were still waiting, now marked as this process's; none if the line is another's now."""
        if not rows:
            return []
        now = self._clock.now_ms()

        async def unit(tx: Tx) -> list[Row]:
            await lease.guard(tx)
            mark = {"owner": self._owner.id, "now": now}
            return [
                row
                for row in rows
                if await tx.run(store.CLAIM, {"b_account": row["account_id"], "b_id": row["id"], **mark})
            ]

        try:
            claimed = await self._db.write(unit)
        except LeaseLost:
            return []
        crash_points.reach("drain.claimed")
        return claimed

    async def give_back(self, account_id: int, key: str) -> None:
        """A message that this process has claimed and did not begin to send waits again, in its old place."""
        await self._db.put((store.UNCLAIM, {"b_account": account_id, "b_id": key, "b_owner": self._owner.id}))

    async def _send(self, line: LiveLine, lease: Lease, row: Row) -> None:
        try:
            if not lease.is_sure():
                # This process hung since it claimed the message, and the line may be another's by now.
                await self.give_back(row["account_id"], row["id"])
                return
            stored = _STORED.decode(row["content"])
            message = Outbound(gateway_id(row["id"]), row["phone"], stored.content, stored.reply_to)
            attempt = Attempt(row["account_id"], row["id"], row["phone"], row["attempts"], row["expires_at"] or 0)
            outcome = await line.driver.transmit(message)
            crash_points.reach("drain.answered")
            conclusion = self._outcomes.conclude(line, attempt, outcome)
            await self.commit(line, attempt, conclusion, tell=line.instance.id)
            if conclusion.state != "queued":
                line.note_gone(row["phone"])
        finally:
            line.sending.discard(row["phone"])
            line.bell.ring()

    async def commit(
        self,
        line: LiveLine | None,
        attempt: Attempt,
        conclusion: Conclusion,
        also: tuple[Statement, ...] = (),
        *,
        tell: int | None = None,
    ) -> None:
        """Write what became of an attempt, with what belongs to it; a message that failed costs nothing.

        The network has decided, so a store that is down changes nothing any more: the writing is made up for.
        `tell` names the line when the account does not hear of it in an answer, and is to get an event.
        """
        try:
            await self._write(attempt, conclusion, also, tell)
        except Unavailable:
            self._tasks.spawn(f"outcome of {attempt.key}", self._write_later(attempt, conclusion, also, tell))
            return
        if line is not None and _is_news(line, conclusion):
            await self._settled(line, conclusion)

    async def _write(
        self, attempt: Attempt, conclusion: Conclusion, also: tuple[Statement, ...], tell: int | None
    ) -> None:
        if conclusion.state == "queued" or (conclusion.state == "sent" and tell is None):
            await self._db.put(conclusion.statement, *also)
            return
        if tell is not None:
            await self._announcer.refresh(attempt.account_id)
        await self._db.write(lambda tx: self._settle(tx, attempt, conclusion, also, tell))
        if tell is not None:
            self._announcer.planned(attempt.account_id)

    async def _write_later(
        self, attempt: Attempt, conclusion: Conclusion, also: tuple[Statement, ...], tell: int | None
    ) -> None:
        """Again and again for two minutes. After that the claim is stale, and the outcome in doubt as after a crash."""
        for wait_s in WRITE_AGAIN_S:
            await asyncio.sleep(wait_s)
            try:
                await self._write(attempt, conclusion, also, tell)
                return
            except Unavailable:
                continue
        log.error("the outcome of message %s could not be written: the store is down", attempt.key)

    async def _settle(
        self, tx: Tx, attempt: Attempt, conclusion: Conclusion, also: tuple[Statement, ...], tell: int | None
    ) -> None:
        query, params = conclusion.statement
        # A callback may have been faster; then there is nothing left to do or to tell.
        if await tx.run(query, params):
            if conclusion.state == "failed":
                await self._refund(tx, attempt.account_id, attempt.key)
            if tell is not None:
                also += tuple(self._news(attempt, conclusion, tell))
        for query, params in also:
            await tx.run(query, params)

    def _news(self, attempt: Attempt, conclusion: Conclusion, instance_id: int) -> list[Statement]:
        error = None
        if conclusion.state == "failed":
            error = {"code": conclusion.code, "detail": conclusion.detail, "network_code": conclusion.network_code}
        return self._announcer.changed(
            attempt.account_id,
            instance_id,
            attempt.key,
            conclusion.network_id or None,
            attempt.phone,
            "",
            conclusion.state,
            self._clock.now_ms(),
            error,
        )


def _turns(rows: list[Row]) -> dict[str, tuple[int, str]]:
    """Whose turn it is for each recipient: the most urgent message, and of those the oldest."""
    turns: dict[str, tuple[int, str]] = {}
    for row in rows:
        mine = (row["priority"], row["id"])
        if mine < turns.get(row["phone"], (mine[0] + 1, "")):
            turns[row["phone"]] = mine
    return turns


def _is_news(line: LiveLine, conclusion: Conclusion) -> bool:
    """Whether an attempt says something else of the line than is known; one success does not make it healthy."""
    if conclusion.line_state == "connected" and line.instance.state == "degraded":
        return False
    return conclusion.line_state not in (None, line.instance.state)
