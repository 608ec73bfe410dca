"""The lines of this installation as they are right now: each with its driver, its pace and what holds it up."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable, Sequence

from tablegram.engine.leases import Lease
from tablegram.engine.timers import Bell
from tablegram.errors import Invalid
from tablegram.messaging.instances import Instance, Instances
from tablegram.messaging.model import BULK, Outbound
from tablegram.messaging.ports import Line, Outcome, Unknown
from tablegram.messaging.rows.messages import Claimable
from tablegram.messaging.transmission import measures
from tablegram.messaging.transmission.noted import Noted
from tablegram.messaging.transmission.pacing import Pace, RecipientPace
from tablegram.settings import Settings
from tablegram.values.clock import FRESH_S
from tablegram.values.http.wire import only_while
from tablegram.values.watching import spans, trail

log = logging.getLogger("tablegram.lines")

MAX_HOLD_S = 300.0
# A person does not write by the clock: a linked device's messages come so much sooner or later than their pace.
JITTER = 0.5
# So rarely a send asks for a line that another process has; what it queues meanwhile, that one sends.
ASK_AGAIN_S = 2.0
# Whoever names lines that do not exist has the store asked for them no more often than this.
UNKNOWN_S = 0.1

DriverFactory = Callable[[Instance], Line]


class LiveLine:
    """One line in this process. Times are of the steady clock."""

    def __init__(self, instance: Instance, driver: Line, pace: Pace | None, recipients: RecipientPace | None) -> None:
        self.instance = instance
        self.driver = driver
        self.pace = pace
        self.recipients = recipients
        self.held_until = 0.0
        self.strikes = 0
        # Something is due and not yet sent.
        self.backlog = False
        # Which messages wait for the drain, and whether that is all of them. Bulk ones do not count: whatever is not
        # bulk may go before them.
        self.queued = Noted()
        self.knows_queued = True
        # Recipients whose oldest message waits for another try: message key and when, in milliseconds.
        self.waiting: dict[str, tuple[str, int]] = {}
        # Recipients that a message is on its way to; the drain keeps to one each.
        self.sending: set[str] = set()
        # Recipients whose message this process has claimed, will not send, and has not heard yet that it waits again.
        self.returning = Noted()
        # Recipients whose message the former holder of the line has claimed, and neither sent nor given back.
        self.abroad: frozenset[str] = frozenset()
        self.bell = Bell()
        # What lets this process send for the line, under which all of the above was learned.
        self.lease: Lease | None = None
        self.taking = asyncio.Lock()
        # Another process had it when it was last asked for; until then it is not asked for again.
        self.anothers_until = 0.0
        # Messages that the network is being asked to take right now, and when it was last spoken with or heard.
        self.asking = 0
        self.spoken_at = time.monotonic()

    async def ask(self, message: Outbound, may_go: Callable[[], bool]) -> Outcome:
        """Let the line send it, if it may when it comes to the first byte. The message is stored: whoever failed here would leave it in nobody's hands."""
        began = time.perf_counter()
        span = spans.begin(
            "send", trail.followed(), message_id=message.correlation, kind=self.instance.kind, line=self.instance.id
        )
        self.asking += 1
        try:
            with only_while(may_go):
                outcome: Outcome = await self.driver.transmit(message)
        except Exception:
            log.exception("line %s failed while it sent", self.instance.id)
            outcome = Unknown("The line failed while it sent the message.")
        finally:
            self.asking -= 1
            self.spoken_at = time.monotonic()
        what = type(outcome).__name__.lower()
        measures.ASKED.took(time.perf_counter() - began, self.instance.kind, what)
        spans.end(span, failed="" if what == "accepted" else what, outcome=what)
        return outcome

    def may_send_now(self, phone: str, now: float) -> bool:
        """Whether a message that just came in may be sent at once without overtaking another."""
        if self.held_until > now or phone in self.queued.phones or self.is_busy(phone):
            return False
        # On a line with a pace, whoever comes now would take the place of somebody who waits.
        if self.backlog and (self.pace is not None or not self.knows_queued):
            return False
        if self.pace is not None and self.pace.wait_s(now) > 0:
            return False
        return self.recipients is None or self.recipients.wait_s(phone, now) == 0

    def note_queued(self, key: str, phone: str, priority: int) -> None:
        """A message is about to be stored for the drain."""
        if priority < BULK:
            self.queued.storing(key, phone)

    def note_due(self, look: int, rows: Sequence[Claimable], *, all_of_them: bool) -> None:
        """What a look at the store found due. Who sees all of it knows also what other processes have queued."""
        waiting = {row["id"]: row["phone"] for row in rows if row["priority"] < BULK}
        if all_of_them:
            newer = self.queued.seen(look, waiting.items(), self.is_busy)
            self.backlog, self.knows_queued = bool(rows) or newer, True
            return
        self.backlog = True
        if not all(phone in self.queued or self.is_busy(phone) for phone in waiting.values()):
            self.knows_queued = False

    def is_busy(self, phone: str) -> bool:
        is_on_its_way = phone in self.sending or phone in self.returning.phones
        return is_on_its_way or phone in self.waiting or phone in self.abroad

    def note_lost(self, now: float) -> None:
        """Another process sends for the line: what this one knows of its queue is soon not true any more."""
        self.lease = None
        self.note_anothers(now)
        self.backlog, self.knows_queued = True, False
        self.queued.clear()
        self.waiting.clear()

    def note_anothers(self, now: float) -> None:
        """Another process has the line at this moment."""
        self.anothers_until = now + ASK_AGAIN_S

    def take(self, phone: str, now: float) -> None:
        if self.pace is not None:
            self.pace.take(now)
        if self.recipients is not None:
            self.recipients.take(phone, now)

    def hold(self, seconds: float, now: float) -> None:
        """Stop the line for a while, longer each time in a row."""
        # Many in flight fail together when a network goes down: that is one failure of the line, not many.
        if self.held_until <= now:
            self.strikes += 1
        grown = min(MAX_HOLD_S, 0.5 * 2.0 ** min(self.strikes, 12))
        wait = max(seconds, grown) * random.uniform(0.8, 1.2)
        self.held_until = max(self.held_until, now + wait)

    def release(self) -> None:
        self.strikes = 0
        self.held_until = 0.0


class Switchboard:
    def __init__(self, instances: Instances, drivers: DriverFactory, settings: Settings) -> None:
        self._instances = instances
        self._drivers = drivers
        self._settings = settings
        self._lines: dict[int, dict[int, LiveLine]] = {}
        self._loaded_at: dict[int, float] = {}
        self._loading: dict[int, asyncio.Task[dict[int, LiveLine]]] = {}

    async def resolve(self, account_id: int, instance_id: int | None, *, sandbox_only: bool) -> LiveLine:
        """The line that a caller means: the one it names, or its default one."""
        lines = await self.lines(account_id)
        line = _choose(lines, instance_id, sandbox_only)
        if line is None and time.monotonic() - self._loaded_at[account_id] > UNKNOWN_S:
            # It may have been made in another process a moment ago.
            line = _choose(await self.reload(account_id), instance_id, sandbox_only)
        if line is not None:
            return line
        if instance_id is not None:
            detail = f"Instance {instance_id} is not a line of this account"
            detail += " that a test key can reach." if sandbox_only else "."
            detail += " GET /instances lists the lines; leave the field out to use the default one."
        else:
            detail = "This account has no line to send from yet. Create one with POST /instances."
        raise Invalid.field("instance_id", "instance_unknown", detail)

    async def lines(self, account_id: int) -> dict[int, LiveLine]:
        if time.monotonic() - self._loaded_at.get(account_id, -FRESH_S) < FRESH_S:
            return self._lines[account_id]
        # Many who find it old at once are answered together.
        loading = self._loading.get(account_id)
        if loading is None:
            loading = self._loading[account_id] = asyncio.create_task(self.reload(account_id), name="lines")
            loading.add_done_callback(lambda _: self._loading.pop(account_id, None))
        return await asyncio.shield(loading)

    async def sandbox_lines(self, account_id: int) -> frozenset[int]:
        """The lines that lead to the sandbox, by id: all that a test key reaches."""
        lines = await self.lines(account_id)
        return frozenset(line.instance.id for line in lines.values() if line.instance.kind == "sandbox")

    async def line(self, account_id: int, instance_id: int) -> LiveLine | None:
        return (await self.lines(account_id)).get(instance_id)

    async def reload(self, account_id: int) -> dict[int, LiveLine]:
        """Read the account's lines again; what is known of a line's present trouble stays."""
        rows = await self._instances.of_account(account_id)
        old = self._lines.get(account_id, {})
        before = [line.driver for line in old.values()]
        lines = self._lines[account_id] = {row.id: self._refresh(old.get(row.id), row) for row in rows}
        self._loaded_at[account_id] = time.monotonic()
        for driver in before:
            if not any(line.driver is driver for line in lines.values()):
                await driver.stop()
        return lines

    async def stop(self) -> None:
        """Let go of every line."""
        await asyncio.gather(*(line.driver.stop() for line in self.known()))

    def _refresh(self, line: LiveLine | None, row: Instance) -> LiveLine:
        if line is None:
            return LiveLine(row, self._drivers(row), *self._paces(row))
        if _way(line.instance) != _way(row):
            line.driver = self._drivers(row)
            line.release()
            line.bell.ring()
        if line.instance.pace_milli != row.pace_milli:
            line.pace, line.recipients = self._paces(row)
        line.instance = row
        return line

    def _paces(self, row: Instance) -> tuple[Pace | None, RecipientPace | None]:
        settings = self._settings
        by_kind = {"cloud": settings.cloud_pace, "linked": settings.linked_pace, "sandbox": settings.sandbox_pace}
        per_s = by_kind[row.kind] if row.pace_milli is None else row.pace_milli / 1_000
        pace = Pace(per_s, max(1.0, per_s), JITTER if row.kind == "linked" else 0.0) if per_s > 0 else None
        if row.kind != "cloud" or settings.recipient_interval_s <= 0:
            return pace, None
        return pace, RecipientPace(settings.recipient_interval_s, settings.recipient_burst)

    def known(self) -> list[LiveLine]:
        return [line for lines in self._lines.values() for line in lines.values()]


def _way(row: Instance) -> tuple[object, ...]:
    """What a driver is built from. What the network has told of the line changes nothing about the way to it."""
    return *row.config.way(), row.secrets


def _choose(lines: dict[int, LiveLine], instance_id: int | None, sandbox_only: bool) -> LiveLine | None:
    if instance_id is not None:
        line = lines.get(instance_id)
        return None if line is None or (sandbox_only and line.instance.kind != "sandbox") else line
    if sandbox_only:
        return next((line for line in lines.values() if line.instance.kind == "sandbox"), None)
    return next((line for line in lines.values() if line.instance.is_default), None)
