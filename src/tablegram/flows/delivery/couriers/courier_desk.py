"""Couriers as people and programs manage them: taken on, at work, and their cash counted."""

from __future__ import annotations

from typing import Any

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.delivery.couriers import keeping, shifts
from tablegram.delivery.couriers.fields import CourierFields
from tablegram.delivery.couriers.model import Courier, Shift
from tablegram.delivery.tours import keeping as tours
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, Invalid
from tablegram.flows.delivery.couriers.answers import (
    CourierPage,
    CourierView,
    ShiftPage,
    ShiftView,
)
from tablegram.flows.delivery.couriers.dispatching import Dispatching
from tablegram.flows.delivery.couriers.views import courier_view, shift_view
from tablegram.flows.delivery.fields import CashFields
from tablegram.flows.restaurant.desks.desk import CHANGE, LOOK
from tablegram.flows.restaurant.orders.seeing import MONEY
from tablegram.restaurant import venues
from tablegram.restaurant.till import keeping as till
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.cursor import decode_cursor, encode_cursor
from tablegram.values.money import from_wire

ORDERS = "orders:manage"


class CourierDesk:
    def __init__(
        self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit, dispatching: Dispatching
    ) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
        self._dispatching = dispatching

    # Looking.

    async def page(
        self, caller: Caller, *, venue_id: str | None = None, limit: int = 200, cursor: str | None = None
    ) -> CourierPage:
        """Couriers, oldest first."""
        caller.require(LOOK, ORDERS)
        after = "" if cursor is None else decode_cursor(cursor)

        async def look(tx: Tx) -> CourierPage:
            every = await keeping.every(tx, caller.account_id)
            found = [one for one in every if one.id > after and venue_id in (None, one.venue_id)]
            return CourierPage(
                data=[await self._view(tx, caller, one) for one in found[:limit]],
                next_cursor=encode_cursor(found[limit - 1].id) if len(found) > limit else None,
            )

        return await self._db.snapshot(look)

    async def get(self, caller: Caller, courier_id: str) -> CourierView:
        caller.require(LOOK, ORDERS)

        async def look(tx: Tx) -> CourierView:
            return await self._view(tx, caller, await keeping.get(tx, caller.account_id, courier_id))

        return await self._db.snapshot(look)

    async def shifts_of(self, caller: Caller, courier_id: str) -> ShiftPage:
        """The newest first, each with the cash of it."""
        _check_cash(caller)

        async def look(tx: Tx) -> ShiftPage:
            courier = await keeping.get(tx, caller.account_id, courier_id)
            found = await shifts.of_courier(tx, caller.account_id, courier.id)
            return ShiftPage(data=[await _shift_view(tx, one, courier.name) for one in found])

        return await self._db.snapshot(look)

    async def uncounted(self, caller: Caller) -> list[ShiftView]:
        """Shifts that are over and whose cash nobody has counted, the oldest first."""
        _check_cash(caller)

        async def look(tx: Tx) -> list[ShiftView]:
            names = await keeping.names(tx, caller.account_id)
            found = await shifts.uncounted(tx, caller.account_id)
            return [await _shift_view(tx, one, names.get(one.courier_id, "")) for one in found]

        return await self._db.snapshot(look)

    # Changing.

    async def create(self, caller: Caller, fields: CourierFields, call: Call) -> Result[CourierView]:
        """`name`, and whatever else is known."""
        caller.require(CHANGE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Result[CourierView]:
            venue_id = fields.get("venue_id") or (await venues.default(tx, caller.account_id)).id
            venue = await venues.lock(tx, caller.account_id, venue_id)
            spoken = [one for one in venue.languages if one in keeping.LANGUAGES]
            given: CourierFields = {"language": spoken[0] if spoken else "en", **fields}
            kept = await keeping.add(tx, caller.account_id, venue.id, given, self._clock.now_ms())
            await acting.note(tx, "courier.added", "courier", kept.id, {"name": kept.name})
            return Result(await self._view(tx, caller, kept), 201)

        return await self._idempotency.once_for(CourierView, caller.account_id, call, work)

    async def change(self, caller: Caller, courier_id: str, fields: CourierFields) -> CourierView:
        """Change what is given and leave the rest."""
        caller.require(CHANGE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> CourierView:
            seen = await keeping.get(tx, caller.account_id, courier_id)
            await venues.lock(tx, caller.account_id, seen.venue_id)
            courier = await keeping.lock(tx, caller.account_id, courier_id)
            if fields.get("active") is False and await shifts.is_busy(tx, courier):
                raise Conflict(f"{courier.name} still has orders to bring. Reassign them first.", code="courier_busy")
            kept = await keeping.change(tx, courier, fields, self._clock.now_ms())
            await acting.note(tx, "courier.changed", "courier", kept.id, {"name": kept.name, "fields": sorted(fields)})
            return await self._view(tx, caller, kept)

        return await self._db.write(work)

    async def remove(self, caller: Caller, courier_id: str) -> None:
        """Let somebody go, with nothing left to bring; their shift ends with it."""
        caller.require(CHANGE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> None:
            now = self._clock.now_ms()
            courier = await keeping.lock(tx, caller.account_id, courier_id)
            if await shifts.is_busy(tx, courier):
                raise Conflict(f"{courier.name} still has orders to bring. Reassign them first.", code="courier_busy")
            await shifts.end(tx, courier, caller.key_name or caller.key_id, now)
            await keeping.remove(tx, courier, now)
            await acting.note(tx, "courier.removed", "courier", courier.id, {"name": courier.name})

        await self._db.write(work)

    # Shifts and cash.

    async def begin_shift(self, caller: Caller, courier_id: str) -> CourierView:
        caller.require(ORDERS)

        async def work(tx: Tx) -> tuple[CourierView, Venue]:
            courier, who = await keeping.lock(tx, caller.account_id, courier_id), caller.key_name or caller.key_id
            venue = await self._dispatching.begin_shift(tx, courier, who, self._clock.now_ms())
            return await self._view(tx, caller, courier), venue

        shown, venue = await self._db.write(work)
        self._dispatching.began(venue)
        return shown

    async def end_shift(self, caller: Caller, courier_id: str) -> CourierView:
        caller.require(ORDERS)

        async def work(tx: Tx) -> CourierView:
            courier = await keeping.lock(tx, caller.account_id, courier_id)
            await shifts.end(tx, courier, caller.key_name or caller.key_id, self._clock.now_ms())
            return await self._view(tx, caller, courier)

        return await self._db.write(work)

    async def count_cash(self, caller: Caller, shift_id: str, fields: CashFields, call: Call) -> Result[ShiftView]:
        """`counted_amount` was handed in for a shift; `note` says why it differs."""
        _check_cash(caller)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Result[ShiftView]:
            seen = await shifts.get(tx, caller.account_id, shift_id)
            counted = _amount(fields.get("counted_amount"), seen.currency)
            who, now = caller.key_name or caller.key_id, self._clock.now_ms()
            note = str(fields.get("note") or "").strip()
            kept = await shifts.count(tx, caller.account_id, shift_id, counted, note, who, now)
            # What was handed in lies in the drawer from now on.
            await till.note(
                tx, kept.account_id, kept.venue_id, kept.currency, "handed_in", counted, who, now,
                source=f"shift:{kept.id}",
            )  # fmt: skip
            names = await keeping.names(tx, caller.account_id)
            shown = await _shift_view(tx, kept, names.get(kept.courier_id, ""))
            facts = {"name": shown.courier_name, "difference": shown.difference_amount, "currency": kept.currency}
            await acting.note(tx, "courier.cash_counted", "courier", kept.courier_id, facts)
            return Result(shown)

        return await self._idempotency.once_for(ShiftView, caller.account_id, call, work)

    async def _view(self, tx: Tx, caller: Caller, courier: Courier) -> CourierView:
        shift = await shifts.current(tx, courier)
        shown = None if shift is None else await _shift_view(tx, shift, courier.name)
        return courier_view(caller, courier, shown, len(await tours.stops(tx, courier.account_id, courier.id)))


async def _shift_view(tx: Tx, shift: Shift, name: str) -> ShiftView:
    return shift_view(shift, name, await shifts.taken(tx, shift.account_id, shift.id))


def _check_cash(caller: Caller) -> None:
    """Who manages orders; of people, only who takes money."""
    caller.require(ORDERS)
    if caller.is_person:
        caller.require(MONEY)


def _amount(given: Any, currency: str) -> int:
    try:
        return from_wire(given, currency)
    except (ValueError, TypeError, ArithmeticError):
        raise Invalid.field(
            "counted_amount", "amount_invalid", "Give the cash that was handed in, 0 or more."
        ) from None
