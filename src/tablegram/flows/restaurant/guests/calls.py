"""Guests who call from their table: rung once, seen on the board, told to the waiter's phone and to programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypedDict

from msgspec import Struct

from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call as Asked
from tablegram.engine.idempotency import Idempotency, Result
from tablegram.events.planning import Statement
from tablegram.flows.restaurant.answers.calls import AnsweredCall, TableCall
from tablegram.flows.restaurant.bills.links import BillFace, face_of
from tablegram.flows.restaurant.orders.ordering import Ordering, run_all
from tablegram.restaurant import calls, venues
from tablegram.restaurant.bills import keeping as bills
from tablegram.restaurant.bills.model import Bill
from tablegram.restaurant.calls import GuestCall, Kind, PayBy, State
from tablegram.restaurant.tables import Table
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import SECOND_MS, Clock, iso
from tablegram.values.money import to_wire

CALLED = "restaurant.waiter_called"

# An account, a topic of the panel's live pages, and ids.
Notice = Callable[[int, str, Iterable[str]], None]


class RungCall(Struct, kw_only=True, frozen=True):
    """What a guest who calls is told."""

    id: str
    kind: Kind
    is_new: bool


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
        self, venue: Venue, table: Table, kind: Kind, note: str, count: Callable[[], None], method: PayBy | None = None
    ) -> RungCall:
        """A guest calls. Who taps again while nobody came does not ring again, and is not counted again.

        `count` refuses it where there were too many.
        """
        await self._ordering.refresh(venue.account_id)

        async def work(tx: Tx) -> tuple[GuestCall, bool, list[Statement]]:
            now = self._clock.now_ms()
            owed = await open_at(tx, table) if kind == "bill" else None
            amount = owed.open if owed is not None else None
            call, is_new = await calls.call(tx, table, kind, note, now, method=method, amount=amount)
            if not is_new:
                return call, False, []
            count()
            body = call_event(call, venue.currency)
            plan = self._ordering.announce(venue.account_id, CALLED, body, f"table:{table.id}")
            await run_all(tx, plan)
            await self._ordering.telling.called(tx, venue, table, call, now)
            return call, True, plan

        call, is_new, plan = await self._db.write(work)
        if is_new:
            self._ordering.told(venue, plan)
        return RungCall(id=call.id, kind=call.kind, is_new=is_new)

    async def owed(self, venue: Venue, table: Table, own_link: str = "") -> BillFace:
        """What the guests of a table are shown of their bill, in minor units."""

        async def look(tx: Tx) -> BillFace:
            present = await venues.find(tx, venue.account_id, venue.id)
            bill = await open_at(tx, table)
            if bill is None or not bill.entries:
                since = self._clock.now_ms() - calls.PAID_LATELY_MS
                return BillFace(currency=present.currency, is_settled=await bills.is_paid_since(tx, table, since))
            return await face_of(tx, self._ordering, present, bill, own_link)

        return await self._db.snapshot(look)

    async def heard(self, table: Table) -> dict[Kind, State]:
        """What the guests of a table are told of their calls."""
        return await self._db.snapshot(lambda tx: calls.heard(tx, table, self._clock.now_ms()))

    async def waiting(self, caller: Caller, venue_id: str) -> list[TableCall]:
        """Every call that nobody answered yet, the longest waiting first."""
        caller.require("orders:manage")

        async def look(tx: Tx) -> tuple[Venue, list[GuestCall]]:
            venue = await venues.find(tx, caller.account_id, venue_id)
            return venue, await calls.waiting(tx, caller.account_id, venue_id)

        now = self._clock.now_ms()
        venue, found = await self._db.snapshot(look)
        return [call_view(call, now, venue.currency) for call in found]

    async def answer(self, caller: Caller, venue_id: str, call_id: str) -> None:
        """Somebody went there."""
        await self.answer_once(caller, venue_id, call_id, Asked("answer a call"))

    async def answer_once(self, caller: Caller, venue_id: str, call_id: str, asked: Asked) -> Result[AnsweredCall]:
        caller.require("orders:manage")
        who = caller.key_name or caller.key_id

        async def work(tx: Tx) -> Result[AnsweredCall]:
            await venues.find(tx, caller.account_id, venue_id)
            await calls.answer(tx, caller.account_id, venue_id, call_id, who, self._clock.now_ms())
            return Result(AnsweredCall(id=call_id, answered_by=who))

        answer = await self._idempotency.once_for(AnsweredCall, caller.account_id, asked, work)
        self._notice(caller.account_id, "orders", [call_id])
        return answer


def call_view(call: GuestCall, now: int, currency: str) -> TableCall:
    return TableCall(
        id=call.id,
        kind=call.kind,
        table_id=call.table_id,
        table_number=call.table_label,
        waiter_assigned=call.waiter,
        note=call.note,
        payment_method=call.method or "",
        amount=_amount(call, currency),
        created_at=iso(call.created_at),
        age_s=max(0, now - call.created_at) // SECOND_MS,
    )


class CallEvent(TypedDict):
    event: str
    venue_id: str
    table_number: str
    waiter_assigned: str
    kind: Kind
    note: str
    # How the guest wants to pay; empty for none said.
    payment_method: str
    amount: float | None
    call_id: str
    timestamp: int


def call_event(call: GuestCall, currency: str) -> CallEvent:
    return {
        "event": CALLED,
        "venue_id": call.venue_id,
        "table_number": call.table_label,
        "waiter_assigned": call.waiter,
        "kind": call.kind,
        "note": call.note,
        "payment_method": call.method or "",
        "amount": _amount(call, currency),
        "call_id": call.id,
        "timestamp": call.created_at // SECOND_MS,
    }


async def open_at(tx: Tx, table: Table) -> Bill | None:
    """The bill of who sits at a table now."""
    tab = await bills.open_at(tx, table.account_id, table.id)
    return None if tab is None else await bills.look(tx, tab)


def _amount(call: GuestCall, currency: str) -> float | None:
    """Of a call for the bill: how much was open then."""
    return None if call.amount is None else to_wire(call.amount, currency)
