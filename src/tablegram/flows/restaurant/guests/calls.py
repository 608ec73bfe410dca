"""Guests who call from their table: rung once, seen on the board, told to the waiter's phone and to programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Answer, Idempotency
from tablegram.engine.idempotency import Call as Asked
from tablegram.events.planning import Statement
from tablegram.flows.restaurant.orders.ordering import Ordering, run_all
from tablegram.restaurant import calls, venues
from tablegram.restaurant.calls import Call, Kind, State
from tablegram.restaurant.tables import Table
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import SECOND_MS, Clock, iso

CALLED = "restaurant.waiter_called"

# An account, a topic of the panel's live pages, and ids.
Notice = Callable[[int, str, Iterable[str]], None]


class TableCalls:
    def __init__(
        self, db: Database, clock: Clock, ordering: Ordering, notice: Notice, idempotency: Idempotency
    ) -> None:
        self._idempotency = idempotency
        self._db = db
        self._clock = clock
        self._ordering = ordering
        self._notice = notice

    async def ring(
        self, venue: Venue, table: Table, kind: Kind, note: str, count: Callable[[], None]
    ) -> dict[str, Any]:
        """A guest calls. Who taps again while nobody came does not ring again, and is not counted again.

        `count` refuses it where there were too many.
        """
        await self._ordering.refresh(venue.account_id)

        async def work(tx: Tx) -> tuple[Call, bool, list[Statement]]:
            now = self._clock.now_ms()
            call, is_new = await calls.call(tx, table, kind, note, now)
            if not is_new:
                return call, False, []
            count()
            plan = self._ordering.announce(venue.account_id, CALLED, call_event(call), f"table:{table.id}")
            await run_all(tx, plan)
            await self._ordering.telling.called(tx, venue, table, call, now)
            return call, True, plan

        call, is_new, plan = await self._db.write(work)
        if is_new:
            self._ordering.told(venue, plan)
        return {"id": call.id, "kind": call.kind, "is_new": is_new}

    async def heard(self, table: Table) -> dict[Kind, State]:
        """What the guests of a table are told of their calls."""
        return await self._db.snapshot(lambda tx: calls.heard(tx, table, self._clock.now_ms()))

    async def waiting(self, caller: Caller, venue_id: str) -> list[dict[str, Any]]:
        """Every call that nobody answered yet, the longest waiting first."""
        caller.require("orders:manage")

        async def look(tx: Tx) -> list[Call]:
            await venues.find(tx, caller.account_id, venue_id)
            return await calls.waiting(tx, caller.account_id, venue_id)

        now = self._clock.now_ms()
        return [call_view(call, now) for call in await self._db.snapshot(look)]

    async def answer(self, caller: Caller, venue_id: str, call_id: str) -> None:
        """Somebody went there."""
        await self.answer_once(caller, venue_id, call_id, Asked("answer a call"))

    async def answer_once(self, caller: Caller, venue_id: str, call_id: str, asked: Asked) -> Answer:
        caller.require("orders:manage")
        who = caller.key_name or caller.key_id

        async def work(tx: Tx) -> Answer:
            await venues.find(tx, caller.account_id, venue_id)
            await calls.answer(tx, caller.account_id, venue_id, call_id, who, self._clock.now_ms())
            return Answer(200, msgspec.json.encode({"id": call_id, "answered_by": who}))

        answer = await self._idempotency.once(caller.account_id, asked, work)
        self._notice(caller.account_id, "orders", [call_id])
        return answer


def call_view(call: Call, now: int) -> dict[str, Any]:
    return {
        "id": call.id,
        "kind": call.kind,
        "table_id": call.table_id,
        "table_number": call.table_label,
        "waiter_assigned": call.waiter,
        "note": call.note,
        "created_at": iso(call.created_at),
        "age_s": max(0, now - call.created_at) // SECOND_MS,
    }


def call_event(call: Call) -> dict[str, Any]:
    return {
        "event": CALLED,
        "venue_id": call.venue_id,
        "table_number": call.table_label,
        "waiter_assigned": call.waiter,
        "kind": call.kind,
        "note": call.note,
        "call_id": call.id,
        "timestamp": call.created_at // SECOND_MS,
    }
