"""Posts callbacks to the lines, signed, again and again until each is answered 200.

Every line has a lane of its own, so a dead line delays nobody else. A lane posts many at once, one
at a time for each message (or each writing customer). While a line does not answer, its lane tries
the oldest callback only: a gateway that is down is not hammered, and gets everything at once when
it is back.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import aiohttp
import msgspec

from tablegram.engine.timers import Bell
from tablegram.sandbox.delivery import callbacks
from tablegram.sandbox.delivery.outbox import Attempt, Outbox, Pending
from tablegram.sandbox.devices.devices import SCHEME, Devices
from tablegram.sandbox.phones.chats import Chats, Message
from tablegram.sandbox.store import Number, Store
from tablegram.values.clock import DAY_MS, Clock

IN_FLIGHT = 32
BATCH = 20
GIVE_UP_AFTER_MS = 7 * DAY_MS
_FIRST_RETRY_S, _LONGEST_RETRY_S = 0.2, 5.0
_TIMEOUT = aiohttp.ClientTimeout(total=15, connect=5)
# A lane that nobody wakes looks again so often.
_LONGEST_WAIT_S = 60.0
# Of what a line answers, as much is kept to be looked at.
_ANSWER_BYTES = 2_000


def retry_delay_s(attempts: int) -> float:
    """0.2, 0.4, 0.8 … and 5 s from then on."""
    doublings = min(max(attempts - 1, 0), 10)
    return min(_FIRST_RETRY_S * (1 << doublings), _LONGEST_RETRY_S)


class _Lane:
    def __init__(self, number_id: str) -> None:
        self.number_id = number_id
        self.bell = Bell()
        self.ready: list[Pending] = []
        self.claimed: set[int] = set()
        self.busy: set[str] = set()
        self.flights: set[asyncio.Task[None]] = set()
        self.failures = 0
        self.resume_ms = 0


class Courier:
    def __init__(
        self,
        store: Store,
        outbox: Outbox,
        chats: Chats,
        clock: Clock,
        turned: Callable[[Message], None],
        tried: Callable[[str], None],
        devices: Devices,
    ) -> None:
        self._store, self._outbox, self._chats, self._clock = store, outbox, chats, clock
        self._devices = devices
        # Called with a message whose tick has just turned, and with the id of one that a line was told of or not.
        self._turned, self._tried = turned, tried
        self._lanes: dict[str, _Lane] = {}
        self._workers: list[asyncio.Task[None]] = []
        self._session: aiohttp.ClientSession | None = None

    async def start(self) -> None:
        if self._session is not None:
            return
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0), timeout=_TIMEOUT, headers={"User-Agent": "tablegram-sandbox"}
        )
        for number_id in self._outbox.numbers_waiting():
            self.wake(number_id)

    async def stop(self) -> None:
        """Let go of everything at once: what was not answered is in the file and goes out at the next start."""
        session, self._session = self._session, None
        tasks = [*self._workers, *(flight for lane in self._lanes.values() for flight in lane.flights)]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=1.5)
        self._lanes.clear()
        self._workers.clear()
        if session is not None:
            await session.close()

    def wake(self, number_id: str) -> None:
        """There is something new for this line."""
        if self._session is None:
            return
        lane = self._lanes.get(number_id)
        if lane is None:
            lane = self._lanes[number_id] = _Lane(number_id)
            self._workers.append(asyncio.create_task(self._run(lane)))
        lane.bell.ring()

    def line_is_back(self, number_id: str) -> None:
        """The line has just registered: whatever waits because it failed is worth a try now."""
        self._outbox.hurry(number_id, self._clock.now_ms())
        if lane := self._lanes.get(number_id):
            lane.failures, lane.resume_ms = 0, 0
        self.wake(number_id)

    async def _run(self, lane: _Lane) -> None:
        while True:
            wait_s = self._dispatch(lane)
            await lane.bell.wait(_LONGEST_WAIT_S if wait_s is None else wait_s)

    def _dispatch(self, lane: _Lane) -> float | None:
        """Launch what is due; seconds until there is more to do, or nothing when an answer will tell."""
        now_ms = self._clock.now_ms()
        if lane.resume_ms > now_ms:
            return (lane.resume_ms - now_ms) / 1_000
        self._launch(lane)
        if len(lane.ready) < IN_FLIGHT and len(lane.flights) < self._width(lane):
            wanted = 256 + len(lane.claimed)
            fresh = [row for row in self._outbox.due(lane.number_id, now_ms, wanted) if row.seq not in lane.claimed]
            lane.claimed.update(row.seq for row in fresh)
            lane.ready.extend(fresh)
            self._launch(lane)
        if lane.ready:
            return None
        next_ms = self._outbox.next_due_ms(lane.number_id, now_ms)
        return None if next_ms is None else max(next_ms - now_ms, 1) / 1_000

    def _width(self, lane: _Lane) -> int:
        return 1 if lane.failures else IN_FLIGHT

    def _launch(self, lane: _Lane) -> None:
        later: list[Pending] = []
        waiting, lane.ready = lane.ready, []
        batched = [row for row in waiting if row.batched and not row.silent]
        while batched and len(lane.flights) < self._width(lane):
            together, batched = batched[:BATCH], batched[BATCH:]
            self._fly(lane, together)
        later.extend(batched)
        for row in waiting:
            if row.batched and not row.silent:
                continue
            if row.order_key in lane.busy or len(lane.flights) >= self._width(lane):
                later.append(row)
            else:
                self._fly(lane, [row])
        lane.ready = later

    def _fly(self, lane: _Lane, rows: list[Pending]) -> None:
        # Batched rows mix messages on purpose, so they do not queue behind one another.
        keys = {row.order_key for row in rows} if len(rows) == 1 else set()
        lane.busy |= keys
        flight = asyncio.create_task(self._carry(lane, rows))
        lane.flights.add(flight)

        def landed(task: asyncio.Task[None]) -> None:
            lane.flights.discard(task)
            lane.busy.difference_update(keys)
            lane.claimed.difference_update(row.seq for row in rows)
            lane.bell.ring()

        flight.add_done_callback(landed)

    async def _carry(self, lane: _Lane, rows: list[Pending]) -> None:
        for row in rows:
            if row.attempts == 0 and row.status is not None:
                self._turn(row.message_id, row.status)
        seqs = [row.seq for row in rows]
        number = self._store.number(lane.number_id)
        too_old = self._clock.now_ms() - rows[0].created_ms > GIVE_UP_AFTER_MS
        if number is None or not number.callback_url or rows[0].silent or too_old:
            why = "silent" if rows[0].silent else "given_up" if too_old else "no_callback_url"
            with self._store.transaction():
                self._outbox.end(seqs, Attempt(at_ms=self._clock.now_ms(), error=why))
            return
        attempt = await self._post(number, rows)
        if attempt is None:
            return
        if attempt.http_status == 200:
            self._answered(lane, rows, seqs, attempt)
        else:
            self._unanswered(lane, rows, seqs, attempt)
        for message_id in {row.message_id for row in rows}:
            self._tried(message_id)

    async def _post(self, number: Number, rows: list[Pending]) -> Attempt | None:
        """What came of it; nothing when the network stops before."""
        values = [msgspec.json.decode(row.value) for row in rows]
        if number.callback_url.startswith(SCHEME):
            return await self._hand(number, values)
        raw = callbacks.body(number, values)
        headers = {
            "Content-Type": "application/json",
            "X-Hub-Signature-256": callbacks.signature(number.app_secret, raw),
        }
        if self._session is None:
            return None
        began, at_ms = time.monotonic(), self._clock.now_ms()

        def attempt(status: int | None, answer: str, error: str) -> Attempt:
            took_ms = int((time.monotonic() - began) * 1_000)
            return Attempt(at_ms=at_ms, took_ms=took_ms, http_status=status, answer=answer, error=error[:300])

        try:
            async with self._session.post(
                number.callback_url, data=raw, headers=headers, allow_redirects=False
            ) as answer:
                words = b""
                # The status has told all that counts, whatever becomes of the words behind it.
                with suppress(aiohttp.ClientError, TimeoutError, OSError):
                    words = await answer.content.read(_ANSWER_BYTES)
                error = "" if answer.status == 200 else f"HTTP {answer.status}"
                return attempt(answer.status, words.decode("utf-8", "replace"), error)
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as failure:
            return attempt(None, "", str(failure) or type(failure).__name__)

    async def _hand(self, number: Number, values: list[Any]) -> Attempt:
        """To a device that fetches what is for it; its word that it has taken it counts as 200."""
        began, at_ms = time.monotonic(), self._clock.now_ms()
        why = await self._devices.hand(number, values)
        took_ms = int((time.monotonic() - began) * 1_000)
        return Attempt(at_ms=at_ms, took_ms=took_ms, http_status=None if why else 200, error=why or "")

    def _answered(self, lane: _Lane, rows: list[Pending], seqs: list[int], attempt: Attempt) -> None:
        lane.failures, lane.resume_ms = 0, 0
        with self._store.transaction():
            self._outbox.end(seqs, attempt)
            self._store.count("callbacks_delivered", len(seqs))
        for row in rows:
            if row.kind == "message":
                self._turn(row.message_id, "delivered")

    def _unanswered(self, lane: _Lane, rows: list[Pending], seqs: list[int], attempt: Attempt) -> None:
        now_ms = self._clock.now_ms()
        # Many in flight fail together when a line dies: that is one failure of the line, not many.
        if lane.resume_ms <= now_ms:
            lane.failures += 1
            lane.resume_ms = now_ms + int(retry_delay_s(lane.failures) * 1_000)
        due_ms = now_ms + int(retry_delay_s(rows[0].attempts + 1) * 1_000)
        with self._store.transaction():
            self._outbox.postpone(seqs, due_ms, attempt)
            self._store.count("callbacks_failed", len(seqs))

    def _turn(self, message_id: str, status: str) -> None:
        if message := self._chats.advance(message_id, status):
            self._turned(message)
