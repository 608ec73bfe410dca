"""The courier of one endpoint: posts its events, signed and in order, until they are taken or given up."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any

from tablegram.engine import crash_points
from tablegram.engine.drains import Work, guarded
from tablegram.engine.flights import Flight
from tablegram.engine.leases import Lease
from tablegram.errors import LeaseLost
from tablegram.events import measures, store
from tablegram.events.addressee import Addressee
from tablegram.events.planning import Statement
from tablegram.events.posting import Result, post
from tablegram.events.rows import NewDelivery, PendingRow
from tablegram.events.waiting.lanes import MAX_AWAY, Item, Lanes
from tablegram.storage.database import Tx
from tablegram.values.http.wire import Overtaken, only_while
from tablegram.values.ids import new_id
from tablegram.values.watching import spans, trail

if TYPE_CHECKING:
    from tablegram.events.delivery import Deliveries

log = logging.getLogger("tablegram.events")

LOAD = 256
# Enough to keep every sender busy; what is beyond it waits in the store until half of these are gone. Reading shows
# again what is known already, so that to read for every one that leaves would cost more than to deliver it.
MAX_KNOWN = 2_048
FEW = 64
IDLE_S = 30.0
# A courier with nothing left stays for so long: to come back costs two looks at the store, and the next event is often near.
LINGER_S = 10.0
# What was settled is remembered until the store is read again; with so many it is read, so that they can be forgotten.
MAX_SETTLED = 1_024
# An event that was read so recently is taken to be there still; another process may erase the person it tells of.
TRUST_MS = 3_000


class Courier(Work):
    def __init__(self, office: Deliveries, account_id: int, endpoint_id: str) -> None:
        super().__init__()
        self._office = office
        self.account_id = account_id
        self.endpoint_id = endpoint_id
        self.flight: Flight[str] = Flight(office.tasks, self.bell, MAX_AWAY)
        self.lanes = Lanes()
        # The store may hold deliveries that are not in the lanes. `_told` counts the times that somebody said so.
        self._unseen = True
        self._told = 0
        # What was settled while the store was being read: the rows that were read may still show it as pending.
        self._settled: set[str] = set()
        # What was handed over while the store was being read: if that was all it had, these come right behind.
        self._meanwhile: list[Item] | None = None
        # What became due meanwhile, though the rows that were read may still tell it to wait.
        self._hastened: set[str] = set()
        # With nothing left: when it goes.
        self._leaves_at: float | None = None
        self._to = Addressee(office, account_id, endpoint_id)

    def wake(self) -> None:
        """The store has something for this endpoint."""
        self._unseen = True
        self._told += 1
        self.bell.ring()

    def forget(self) -> None:
        """Look at the endpoint and its queue anew."""
        self._to.told_of_change()
        self.lanes.clear()
        self.wake()

    def hand_over(self, row: NewDelivery, body: str, trace: str | None) -> None:
        """Take a delivery that was just committed, without reading it back.

        Not while the store holds others that are not loaded yet: the order of a sender would be lost. And with other processes
        about it may hold some that they planned before, so that it is read.
        """
        pending: PendingRow = {
            "event_id": row["event_id"], "sender": row["sender"], "attempts": 0, "due_at": row["due_at"],
            "created_at": row["created_at"], "last_status": None, "body": body, "trace": trace,
        }  # fmt: skip
        item = _item(pending, row["created_at"])
        if item.id in self._settled:
            # It was read, and taken, before whoever stored it came to say so.
            return
        if self._meanwhile is not None and self._office.is_alone:
            self._meanwhile.append(item)
        elif self._unseen or not self._office.is_alone or len(self.lanes.known) >= MAX_KNOWN:
            self._unseen = True
            self._told += 1
        else:
            self.lanes.add(item)
        # One more in the queue of an endpoint that is down changes nothing; looking at a long queue costs time.
        if not self.lanes.down or len(self.lanes.known) <= FEW:
            self.bell.ring()

    def erase(self, event_ids: list[str]) -> None:
        """Do not send these any more: they are no longer in the store, and whom they tell of is not to be told of."""
        for event_id in event_ids:
            self._settled.add(event_id)
            self.lanes.forget(event_id)
        self.bell.ring()

    def hasten(self, event_id: str) -> None:
        """What an event waited for is here. One that is not known yet may be on its way out of the store as it was."""
        if event_id in self.lanes.known:
            self.lanes.hasten(event_id, self._office.clock.now_ms())
            self.bell.ring()
        else:
            self._hastened.add(event_id)
            self.wake()

    async def is_wanted(self) -> bool:
        return await self._to.is_active()

    def start_over(self, lease: Lease | None) -> None:
        self.lanes.clear()
        self._unseen = True

    async def step(self) -> float | None:
        """Send what can go."""
        told = self._told
        await self._load()
        if not self.lanes.known and not self._unseen and told == self._told:
            return self._linger()
        self._leaves_at = None
        if self._to.has_changed:
            # Nothing is sent to where, or signed as, it is no longer wanted.
            return 0.0
        now = self._office.clock.now_ms()
        for item in self.lanes.take(now):
            self.flight.begin(item.id, f"deliver {item.id}", self._deliver(item, self.lease))
        at = self.lanes.next_at(now)
        return IDLE_S if at is None else max(0.0, min(IDLE_S, (at - now) / 1_000))

    def _linger(self) -> float | None:
        """Nothing is left: wait a while for the next event, then go.

        Others may plan events of the same sender, which this one has not seen when it is handed a later one; so with
        others about the store is read before anything that comes.
        """
        now = time.monotonic()
        if self._leaves_at is None:
            self._leaves_at = now + LINGER_S
        if now >= self._leaves_at:
            return None
        self._unseen = not self._office.is_alone or len(self._settled) > MAX_SETTLED
        return self._leaves_at - now

    async def _load(self) -> None:
        """Take in what the store has and this process does not know yet, oldest first."""
        while self._unseen and self._has_room():
            self._settled.clear()
            self._hastened.clear()
            told, most = self._told, min(MAX_KNOWN, max(LOAD, 2 * len(self.lanes.known)))
            self._meanwhile = []
            try:
                params = {"account_id": self.account_id, "webhook_id": self.endpoint_id, "most": most}
                rows = await self._office.db.all(store.PENDING, params)
            finally:
                meanwhile, self._meanwhile = self._meanwhile, None
            now = self._office.clock.now_ms()
            for row in rows:
                if row["event_id"] not in self._settled:
                    self.lanes.add(_item(row, now))
                if row["event_id"] in self._hastened:
                    self.lanes.hasten(row["event_id"], now)
            # Whoever was told meanwhile may mean something that was not read; what was handed over is at hand.
            self._unseen = len(rows) == most or told != self._told
            if not self._unseen:
                for item in meanwhile:
                    if item.id not in self._settled:
                        self.lanes.add(item)

    def _has_room(self) -> bool:
        """Whether it is worth reading: few are left, or none of them can go while others might."""
        known = len(self.lanes.known)
        return known < MAX_KNOWN // 2 or (known < MAX_KNOWN and not self.lanes.any_ready)

    async def _deliver(self, item: Item, lease: Lease) -> None:
        office, url = self._office, self._to.url
        trail.follow(item.trace)
        try:
            now = office.clock.now_ms()
            if office.retries.is_over(item.attempts, item.created_at, now):
                await self._give_up(item, Result(None, "It was not taken in time."), counted=0)
                return
            if _may_have_changed(item, now) and not await self._read_again(item, now):
                # Erased since, maybe by another process.
                self._drop(item)
                return
            crash_points.reach("delivery.claimed")
            if not lease.is_sure():
                # This process hung since it took the event in, and another may have posted it by now.
                self._leave_to_others(item)
                return
            span = spans.begin("deliver", item.trace, event_id=item.id, endpoint=self.endpoint_id)
            with only_while(lease.is_sure):
                result = await post(
                    office.client, url, self._to.keys, item.id, item.body, now // 1_000, office.patience
                )
            crash_points.reach("delivery.answered")
            spans.end(span, failed="" if result.taken else result.outcome, status=result.status or 0)
            trail.step(f"event {result.outcome}", event_id=item.id, endpoint=self.endpoint_id, status=result.status)
            measures.POSTED.took(result.latency_ms / 1_000, result.outcome)
            if result.taken:
                await self._taken(item, result)
            elif item.gone:
                self._drop(item)
            else:
                await self._refused(item, result)
            office.settled(self.account_id, self.endpoint_id, item.id)
        except (LeaseLost, Overtaken):
            self._leave_to_others(item)
        except BaseException:
            # Only a stop or a store that is down ends up here; the row is still pending.
            self._leave_to_others(item)
            raise

    def _leave_to_others(self, item: Item) -> None:
        """To whoever reads it from the store next, this process or another."""
        if item.id in self.lanes.known:
            self.lanes.dropped(item)
            self._unseen = True

    async def _decide(self, *statements: Statement) -> None:
        """Write what only who delivers may say: that something waits, is given up or switched off.

        That an event was taken is true whoever says so.
        """

        async def unit(tx: Tx) -> None:
            for query, params in statements:
                await tx.run(query, params)

        await self._office.db.write(guarded(self.lease, unit))

    async def _read_again(self, item: Item, now: int) -> bool:
        """Its body as it is now; whether it is still there."""
        row = await self._office.db.first(store.EVENT, {"b_account": self.account_id, "b_event": item.id})
        if row is None or item.gone:
            return False
        item.body, item.read_at = row["body"].encode(), now
        return True

    def _drop(self, item: Item) -> None:
        self._settled.add(item.id)
        self.lanes.dropped(item)

    async def _taken(self, item: Item, result: Result) -> None:
        now = self._office.clock.now_ms()
        statements: list[Statement] = [
            (store.DELIVERED, {**self._which(item), "now": now, "status": result.status}),
            self._attempt(item, result, now),
            *self._to.well(),
        ]
        await self._office.db.put(*statements)
        crash_points.reach("delivery.recorded")
        self._settled.add(item.id)
        self._office.counts["delivered"] += 1
        measures.LAG.took((now - item.created_at) / 1_000)
        self.lanes.succeeded(item, now)

    async def _refused(self, item: Item, result: Result) -> None:
        office = self._office
        now = office.clock.now_ms()
        office.counts["failed"] += 1
        if result.status == 410:
            await self._disable(item, result, now)
            return
        throttled = result.asks_for_patience and self.lanes.is_paused(now)
        counted = int(self.lanes.counts(item) and not throttled)
        attempts = item.attempts + counted
        if office.retries.is_over(attempts, item.created_at, now):
            await self._give_up(item, result, counted)
            return
        next_at = item.due_at
        if counted or result.retry_after_s is not None:
            next_at = office.retries.next_ms(attempts, now, result.retry_after_s, office.chance)
        which = self._which(item)
        postponed = {**which, "counted": counted, "next_at": next_at, "status": result.status, "error": result.error}
        word = await self._to.failed(attempts, result, now)
        await self._decide((store.POSTPONED, postponed), self._attempt(item, result, now), *word)
        if result.asks_for_patience:
            self.lanes.pause(now, next_at)
        item.attempts = attempts
        self.lanes.failed(item, now, next_at if next_at != item.due_at else None)
        if any(query is store.INSERT_EVENT for query, _ in word):
            office.planner.planned(self.account_id)
        if self._to.is_hopeless(now):
            await self._switch_off("Nothing but failures for five days.", now)

    async def _give_up(self, item: Item, result: Result, counted: int) -> None:
        now = self._office.clock.now_ms()
        dead = {**self._which(item), "counted": counted, "status": result.status, "error": result.error}
        statements: list[Statement] = [(store.DEAD, dead)]
        if counted:
            statements.append(self._attempt(item, result, now))
        await self._decide(*statements)
        self._settled.add(item.id)
        self._office.counts["dead"] += 1
        self.lanes.dropped(item)

    async def _disable(self, item: Item, result: Result, now: int) -> None:
        """The endpoint is gone for good, by its own word. Its deliveries wait for it to be switched on again."""
        postponed = {
            **self._which(item), "counted": 1, "next_at": now, "status": result.status, "error": result.error,
        }  # fmt: skip
        await self._decide((store.POSTPONED, postponed), self._attempt(item, result, now))
        await self._switch_off("The endpoint answered 410 Gone.", now)
        # Only now: it is due, and would go again while the endpoint is being switched off.
        item.attempts += 1
        self.lanes.failed(item, now, now)

    async def _switch_off(self, reason: str, now: int) -> None:
        statements = await self._to.switched_off(reason, now)
        if not statements:
            return
        await self._decide(*statements)
        # Before anything else is awaited: who asked before this for the endpoint, or for what waits for it, asks again.
        self._to.told_of_change()
        await self._office.planner.reload(self.account_id)
        self._office.planner.planned(self.account_id)
        log.warning("endpoint %s is disabled: %s", self.endpoint_id, reason)

    def _which(self, item: Item) -> dict[str, Any]:
        return {"b_account": self.account_id, "b_endpoint": self.endpoint_id, "b_event": item.id}

    def _attempt(self, item: Item, result: Result, now: int) -> Statement:
        row = {
            "account_id": self.account_id,
            "webhook_id": self.endpoint_id,
            "event_id": item.id,
            "id": new_id(now),
            "at": now,
            "latency_ms": result.latency_ms,
            "status": result.status,
            "error": result.error or None,
            "answer": result.answer,
        }
        return store.INSERT_ATTEMPT, row


def _may_have_changed(item: Item, now: int) -> bool:
    """Whether to look at the event again before it goes: it waited for its body, it failed, or it has waited long."""
    return not item.body or item.failed_at is not None or not 0 <= now - item.read_at < TRUST_MS


def _item(row: PendingRow, now: int) -> Item:
    # An event that waits for something still changes; its body is read when it goes.
    waits = not row["attempts"] and row["due_at"] > row["created_at"]
    item = Item(
        id=row["event_id"],
        sender=row["sender"],
        body=b"" if waits else row["body"].encode(),
        attempts=row["attempts"],
        due_at=row["due_at"],
        created_at=row["created_at"],
        read_at=now,
        trace=row["trace"] or "",
    )
    if item.attempts:
        # It failed under a process that is gone. Whether alone is not known, so it is asked once, before those behind
        # it are let pass; unless the endpoint had asked for patience.
        item.failed_at = now
        item.free = item.due_at > now and row["last_status"] not in (429, 503)
        item.failed_first_at = None if item.free else now
    return item
