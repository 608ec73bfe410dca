"""Drains: what waits goes out by itself, line by line, in order and at pace."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import msgspec

from tablegram.engine import crash_points
from tablegram.engine.drains import Depth, KeyedDrain, Work, guarded
from tablegram.engine.flights import Flight
from tablegram.engine.leases import Lease, Leases
from tablegram.engine.owners import Owner
from tablegram.engine.timers import Tasks
from tablegram.messaging.model import BULK, PRIORITIES, Outbound, Stored
from tablegram.messaging.ports import Announcer
from tablegram.messaging.rows.messages import QueueRow
from tablegram.messaging.store import instances as instance_store
from tablegram.messaging.store import messages as store
from tablegram.messaging.switchboard import LiveLine, Switchboard
from tablegram.messaging.transmission.outcomes import MAX_WAIT_S, Attempt, Outcomes
from tablegram.messaging.transmission.recording import Recording, Refund, Settled
from tablegram.messaging.transmission.returning import Claim, Returning
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import DAY_MS, Clock
from tablegram.values.ids import gateway_id
from tablegram.values.watching import trail

# What many get at once leaves room: the message of an order does not wait until some of them have landed. A network far
# away answers after some 300 ms: for hundreds a second, more of them have to be under way.
BULK_IN_FLIGHT = {"cloud": 160, "sandbox": 32, "linked": 32}
LEFT_FREE = 8
# So many of them begin together: who comes meanwhile waits for no more.
AT_ONCE = 32
# A look at the queue costs about the same for one message as for many, so it waits until many can go.
WORTH_A_LOOK = AT_ONCE // 2
# More than can be sent at once, so that rows which have to wait do not hide others behind them.
WINDOW = 200
IDLE_S = 2.0
SCAN_S = 2.0
LEASE_RETRY_S = 5.0
DOUBT_RECHECK_MS = 1_000
# A next try that lies further ahead was reckoned by a clock that has been set back since (`messaging/transmission/recovery`).
TOO_LATE_MS = int(MAX_WAIT_S * 1_000) + 60_000
_STORED = msgspec.json.Decoder(Stored)
_PREFIX = "line:"
# A linked phone goes to another process only when nothing was said on it for so long: it is away for some seconds then.
STILL_S = 120.0
# Who leaves waits so long for what the network is being asked: what is cut short is in doubt for minutes.
LAND_S = 3.0
# Nobody waits longer for a former holder. Where that has died, its messages are in doubt long before.
ABROAD_MS = 60_000
ABROAD_S = 0.25

# How many callbacks of a line are stored but not yet read; they may answer a doubt.
Unread = Callable[[int, int], Awaitable[int]]


class Drains:
    """The queues of all lines, and the record of what becomes of their messages."""

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
        max_age_ms: int = DAY_MS,
    ) -> None:
        self.db = db
        self.switchboard = switchboard
        self.outcomes = outcomes
        self.owner = owner
        self.clock = clock
        self.tasks = tasks
        self.unread = unread
        # Nothing more is begun: this process is about to end.
        self.is_leaving = False
        self._leases = leases
        self.returning = Returning(db, owner, tasks, self.wake)
        self.commit = Recording(
            db, clock, tasks, refund=refund, settled=settled, announcer=announcer, max_age_ms=max_age_ms
        ).commit
        self.queues: KeyedDrain[LiveLine, LineQueue] = KeyedDrain(
            "lines", leases, tasks, open=lambda line: LineQueue(self, line),
            lease=lease_name, find=self._find, scan_s=SCAN_S, retry_s=LEASE_RETRY_S,
            depth=Depth(db, clock, store.WAITING), key_of=self.line_of,
        )  # fmt: skip

    async def land(self) -> None:
        """Begin nothing more, and wait a moment until what is on its way has landed."""
        self.is_leaving = True
        until = time.monotonic() + LAND_S
        # Each queue has a bell of its own; at the end of a process a look now and then costs nothing.
        while any(queue.flight for queue in self.queues) and time.monotonic() < until:  # noqa: ASYNC110
            await asyncio.sleep(0.02)

    def wake(self, line: LiveLine) -> None:
        """Something of this line is due, now or at a new time."""
        self.queues.wake(line)

    async def remember_backlog(self) -> None:
        """Before the first request: what is queued already goes ahead of what comes in."""
        await self._find()

    async def _find(self) -> list[LiveLine]:
        """The lines with something in the store. Of those that nobody is at, this process knows nothing yet."""
        found = []
        for row in await self.db.all(store.LINES_WITH_WORK):
            line = await self.switchboard.line(row["account_id"], row["instance_id"])
            if line is None:
                continue
            if line not in self.queues:
                await self._remember_waiting(line)
                line.backlog, line.knows_queued = True, False
            found.append(line)
        return found

    async def _remember_waiting(self, line: LiveLine) -> None:
        scope = {"account_id": line.instance.account_id, "instance_id": line.instance.id}
        for priority in PRIORITIES:
            for row in await self.db.all(store.RETRYING, {**scope, "b_priority": priority}):
                known = line.waiting.get(row["phone"])
                if known is None or row["id"] < known[0]:
                    line.waiting[row["phone"]] = (row["id"], row["due_at"])

    async def lease_of(self, line: LiveLine) -> Lease | None:
        """What lets this process send for the line at once; nothing while another has it. Mostly a look at memory."""
        lease = line.lease
        if lease is not None and lease.is_sure():
            return lease
        if time.monotonic() < line.anothers_until:
            return None
        return await self.renewed_lease(line)

    async def renewed_lease(self, line: LiveLine) -> Lease | None:
        """The same, for who keeps a line running: it is renewed long before it ends."""
        lease = None if self.queues.resting else await self._leases.hold(lease_name(line))
        if lease is None:
            line.note_lost(time.monotonic())
        else:
            await self.learn(line, lease)
        return lease

    def holder(self, line: LiveLine) -> str:
        """The process that has the line, as far as this one knows."""
        return self._leases.holder(lease_name(line))

    async def learn(self, line: LiveLine, lease: Lease) -> None:
        """Who gets a line anew first looks at what waits: others may have queued for it."""
        async with line.taking:
            if lease is line.lease:
                return
            await self._remember_waiting(line)
            await self.look_abroad(line)
            await self.due(line, self.clock.now_ms())
            line.lease = lease
        if self.db.is_shared:
            # Somebody looks after it for as long as it is here, and hands it over when it is to go.
            self.queues.at(line)

    async def look_abroad(self, line: LiveLine) -> None:
        """For whom the former holder, frozen or slow, may still send something: what is for them waits behind it."""
        if self.db.is_shared:
            scope = {"account_id": line.instance.account_id, "instance_id": line.instance.id}
            params = {**scope, "b_owner": self.owner.id, "since": self.clock.now_ms() - ABROAD_MS}
            line.abroad = frozenset(row["phone"] for row in await self.db.all(store.ABROAD, params))

    async def line_of(self, lease: str) -> LiveLine | None:
        """The line of a lease that was handed to this process; nothing for one of other work, which all hear of."""
        if not lease.startswith(_PREFIX):
            return None
        row = await self.db.first(instance_store.HOME, {"b_line": int(lease.removeprefix(_PREFIX))})
        return None if row is None else await self.switchboard.line(row["account_id"], row["id"])

    async def due(self, line: LiveLine, now_ms: int) -> list[QueueRow]:
        """What is due, the most urgent first: as much of it as one look takes. The line learns from it."""
        number = line.queued.look()
        rows = await self.look(line, now_ms)
        # Bulk ones come last: where the window ends among them, all others are in it.
        line.note_due(number, rows, all_of_them=len(rows) < WINDOW or rows[-1]["priority"] == BULK)
        return rows

    async def look(self, line: LiveLine, now_ms: int) -> list[QueueRow]:
        scope = {"account_id": line.instance.account_id, "instance_id": line.instance.id, "now": now_ms}

        async def look(tx: Tx) -> list[QueueRow]:
            rows: list[QueueRow] = []
            for priority in PRIORITIES:
                if len(rows) < WINDOW:
                    rows += await tx.all(store.DUE, {**scope, "b_priority": priority, "most": WINDOW - len(rows)})
            return rows

        return await self.db.snapshot(look)


class LineQueue(Work):
    """What waits for one line."""

    def __init__(self, office: Drains, line: LiveLine) -> None:
        super().__init__(line.bell)
        self._office = office
        self._line = line
        self._scope = {"account_id": line.instance.account_id, "instance_id": line.instance.id}
        self._most_bulk = BULK_IN_FLIGHT[line.instance.kind]
        most = self._most_bulk + LEFT_FREE
        self.flight: Flight[str] = Flight(office.tasks, self.bell, most, landed=line.sending.discard)
        # Somebody has queued something since the last look; what only lands does not say so.
        self._is_called = True

    def wake(self) -> None:
        self._is_called = True
        super().wake()

    async def is_wanted(self) -> bool:
        return await self._office.switchboard.line(**self._scope) is self._line

    def start_over(self, lease: Lease | None) -> None:
        if lease is None:
            self._line.note_lost(time.monotonic())

    def is_still(self) -> bool:
        line = self._line
        if not line.instance.is_exclusive:
            return True
        waits = line.backlog or line.asking or self.flight
        return line.instance.state == "connected" and not waits and time.monotonic() - line.spoken_at > STILL_S

    async def may_move(self) -> bool:
        if self.flight or self._line.asking:
            return False
        if self._line.instance.is_exclusive:
            # It is in one place at a time.
            await self._line.driver.stop()
        return True

    async def step(self) -> float:
        """Send what can be sent now."""
        line = self._line
        if self._office.is_leaving:
            return IDLE_S
        if line.lease is not self.lease:
            await self._office.learn(line, self.lease)
        held_s = line.held_until - time.monotonic()
        if held_s > 0:
            return held_s
        room, bulk_room = self.flight.room, self._most_bulk - self.flight.of_group(BULK)
        if not room or (line.strikes and self.flight):
            # After trouble one message alone finds out whether the line is back; its landing rings.
            return IDLE_S
        if min(room, bulk_room) < WORTH_A_LOOK and not self._is_called:
            return IDLE_S
        self._is_called = False
        if line.abroad:
            await self._office.look_abroad(line)
        # Time goes on while the store is asked; whom a row waits for is judged by the moment of the question.
        now_ms, busy = self._office.clock.now_ms(), {*line.sending, *line.abroad, *line.returning.phones}
        rows = await self._office.due(line, now_ms)
        if not rows:
            return await self._until_next()
        most = min(room, AT_ONCE + LEFT_FREE)
        chosen, wait_s = await self._choose(rows, 1 if line.strikes else most, min(bulk_room, AT_ONCE), now_ms, busy)
        claimed_at = self._office.clock.now_ms()
        for row in await self._claim(chosen, claimed_at):
            line.sending.add(row["phone"])
            group = BULK if row["priority"] == BULK else None
            self.flight.begin(row["phone"], f"send {row['id']}", self._send(row, self.lease, claimed_at), group)
        is_more = len(chosen) >= AT_ONCE and min(room, bulk_room) - len(chosen) >= WORTH_A_LOOK
        if is_more:
            return 0.0
        return min(wait_s, ABROAD_S) if line.abroad else wait_s

    async def _until_next(self) -> float:
        async def look(tx: Tx) -> list[int]:
            found = [await tx.first(store.NEXT_DUE, {**self._scope, "b_priority": priority}) for priority in PRIORITIES]
            return [row["at"] for row in found if row is not None and row["at"] is not None]

        times = await self._office.db.snapshot(look)
        if not times:
            return IDLE_S * 15
        return max(0.0, min(IDLE_S * 15, float(min(times) - self._office.clock.now_ms()) / 1_000))

    async def _choose(
        self, rows: list[QueueRow], room: int, bulk_room: int, now_ms: int, busy: set[str]
    ) -> tuple[list[QueueRow], float]:
        """Which rows go now, of those that were due at `now_ms`, when `busy` had a message on its way."""
        line = self._line
        now = time.monotonic()
        chosen: list[QueueRow] = []
        busy |= line.sending
        turn = _turns(rows)
        for row in rows:
            is_bulk = row["priority"] == BULK
            # Bulk ones come last.
            if len(chosen) >= room or (is_bulk and bulk_room <= 0):
                break
            if row["expires_at"] is not None and row["expires_at"] <= now_ms:
                await self._expire(row)
            elif row["phone"] in busy or turn[row["phone"]] != (row["priority"], row["id"]):
                continue
            elif (next_at := await self._not_before(row, now_ms, now)) > now_ms:
                await self._postpone(row, next_at)
            elif line.pace is not None and (wait_s := line.pace.wait_s(now, sparing=is_bulk)) > 0:
                return chosen, wait_s
            else:
                line.take(row["phone"], now)
                busy.add(row["phone"])
                chosen.append(row)
                bulk_room -= is_bulk
        return chosen, IDLE_S if chosen or busy else 0.0

    async def _not_before(self, row: QueueRow, now_ms: int, now: float) -> int:
        """The earliest moment for this message, as far as its recipient and its own past are concerned."""
        line = self._line
        first = line.waiting.get(row["phone"])
        if first is not None and first[1] > now_ms + TOO_LATE_MS:
            first = None
        if first is not None and first[0] != row["id"] and first[1] > now_ms:
            return first[1]
        if row["doubt_at"] is not None and await self._office.unread(row["account_id"], line.instance.id):
            return now_ms + DOUBT_RECHECK_MS
        wait_s = 0.0 if line.recipients is None else line.recipients.wait_s(row["phone"], now)
        next_at = now_ms + int(wait_s * 1_000)
        if wait_s > 0:
            # Later ones wait for exactly this moment; one worked out anew could be a hair earlier and overtake.
            line.waiting[row["phone"]] = (row["id"], next_at)
        return next_at

    async def _postpone(self, row: QueueRow, next_at: int) -> None:
        await self._office.db.put(
            (store.POSTPONE, {"b_account": row["account_id"], "b_id": row["id"], "next_at": next_at})
        )

    async def _expire(self, row: QueueRow) -> None:
        detail = "It could not be sent in time; the last reason stands in the line's state."
        attempt = Attempt.of(row)
        conclusion = self._office.outcomes.failed(attempt, "expired", detail, tried=0)
        await self._office.commit(self._line, attempt, conclusion, tell=self._line.instance.id)
        self._line.queued.gone(row["id"])

    async def _claim(self, rows: list[QueueRow], now_ms: int) -> list[QueueRow]:
        """Those of the rows that were still waiting, now marked as this process's."""
        if not rows:
            return []
        mark = {"owner": self._office.owner.id, "now": now_ms}

        async def unit(tx: Tx) -> list[QueueRow]:
            wanted = [{"b_account": row["account_id"], "b_id": row["id"], **mark} for row in rows]
            ours = {told["id"] for told in await tx.gather(store.CLAIM, wanted)}
            return [row for row in rows if row["id"] in ours]

        is_bulk = all(row["priority"] == BULK for row in rows)
        try:
            claimed = await self._office.db.write(guarded(self.lease, unit), patient=is_bulk)
        except BaseException as error:
            self._office.returning.left(error, self._line, [Claim.of(row, now_ms) for row in rows])
            raise
        crash_points.reach("drain.claimed")
        return claimed

    async def _send(self, row: QueueRow, lease: Lease, claimed_at: int) -> None:
        line, office = self._line, self._office
        if not lease.is_sure():
            # This process hung since it claimed the message, and the line may be another's by now.
            await office.returning.give_back(line, [Claim.of(row, claimed_at)])
            return
        trail.follow(row["trace"] or "")
        stored = _STORED.decode(row["content"])
        message = Outbound(gateway_id(row["id"]), row["phone"], stored.content, stored.reply_to)
        attempt = Attempt.of(row)
        outcome = await line.ask(message, lease.is_sure)
        crash_points.reach("drain.answered")
        conclusion = office.outcomes.conclude(line, attempt, outcome)
        await office.commit(line, attempt, conclusion, tell=line.instance.id)
        if conclusion.state != "queued":
            line.queued.gone(row["id"])


def lease_name(line: LiveLine) -> str:
    return f"{_PREFIX}{line.instance.id}"


def _turns(rows: list[QueueRow]) -> dict[str, tuple[int, str]]:
    """Whose turn it is for each recipient: the most urgent message, and of those the oldest."""
    turns: dict[str, tuple[int, str]] = {}
    for row in rows:
        mine = (row["priority"], row["id"])
        if mine < turns.get(row["phone"], (mine[0] + 1, "")):
            turns[row["phone"]] = mine
    return turns
