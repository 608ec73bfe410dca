"""Shifts: begun, ended when nothing is under way any more, and the cash of them counted once."""

from __future__ import annotations

import msgspec

from tablegram.delivery.couriers import store
from tablegram.delivery.couriers.model import Courier, Shift, read_shift
from tablegram.errors import Conflict, Invalid, NotFound, no_such
from tablegram.storage.database import Tx
from tablegram.values.ids import new_id

MAX_NOTE = 200
# More cash than anybody carries, in the smallest unit of any currency.
MAX_CASH = 10**12


class Taken(msgspec.Struct, frozen=True):
    """What a courier took in a shift: minor units."""

    cash: int = 0
    card: int = 0
    orders: int = 0


async def current(tx: Tx, courier: Courier) -> Shift | None:
    row = await tx.first(store.OPEN_SHIFT, {"b_account": courier.account_id, "b_courier": courier.id})
    return None if row is None else read_shift(row)


async def at_work(tx: Tx, account_id: int) -> dict[str, Shift]:
    """Everybody's who works right now, by courier."""
    rows = await tx.all(store.OPEN_SHIFTS, {"b_account": account_id})
    return {row["courier_id"]: read_shift(row) for row in rows}


async def uncounted(tx: Tx, account_id: int) -> list[Shift]:
    """Over, and nobody has counted the cash."""
    return [read_shift(row) for row in await tx.all(store.UNCOUNTED, {"b_account": account_id})]


async def of_courier(tx: Tx, account_id: int, courier_id: str) -> list[Shift]:
    """The newest first."""
    rows = await tx.all(store.SHIFTS, {"b_account": account_id, "b_courier": courier_id})
    return [read_shift(row) for row in rows]


async def begin(tx: Tx, courier: Courier, currency: str, who: str, now: int) -> Shift:
    """The courier's shift, begun if there is none. The courier is locked."""
    found = await current(tx, courier)
    if found is not None:
        return found
    if not courier.active:
        raise Conflict(f"{courier.name} does not work right now. Make them active first.", code="courier_inactive")
    shift = Shift(
        account_id=courier.account_id,
        id=new_id(now),
        venue_id=courier.venue_id,
        courier_id=courier.id,
        currency=currency,
        started_at=now,
        started_by=who,
    )
    await tx.run(store.INSERT_SHIFT, msgspec.structs.asdict(shift))
    return shift


async def end(tx: Tx, courier: Courier, who: str, now: int) -> Shift | None:
    """End the courier's shift; nothing where there is none. The courier is locked."""
    found = await current(tx, courier)
    if found is None:
        return None
    if await is_busy(tx, courier):
        raise Conflict(f"{courier.name} still has orders to bring. Finish or reassign them first.", code="shift_busy")
    await tx.run(store.END_SHIFT, {"b_account": courier.account_id, "b_id": found.id, "now": now, "who": who})
    return msgspec.structs.replace(found, ended_at=now, ended_by=who)


async def is_busy(tx: Tx, courier: Courier) -> bool:
    which = {"b_account": courier.account_id, "b_courier": courier.id}
    return await tx.first(store.BUSY, which) is not None


async def taken(tx: Tx, account_id: int, shift_id: str) -> Taken:
    rows = await tx.all(store.TAKEN, {"b_account": account_id, "b_shift": shift_id})
    sums = {row["collected_by"]: row["amount"] for row in rows}
    cash = sums.pop("cash", 0)
    return Taken(cash, sum(sums.values()), sum(row["n"] for row in rows))


async def get(tx: Tx, account_id: int, shift_id: str) -> Shift:
    row = await tx.first(store.SHIFT, {"b_account": account_id, "b_id": shift_id})
    if row is None:
        raise NotFound(no_such("shift"), code="shift_unknown")
    return read_shift(row)


async def count(tx: Tx, account_id: int, shift_id: str, counted: int, note: str, who: str, now: int) -> Shift:
    """Note the cash that was handed in beside what it should be: once, after the shift has ended."""
    row = await tx.first(store.LOCK_SHIFT, {"b_account": account_id, "b_id": shift_id})
    if row is None:
        raise NotFound(no_such("shift"), code="shift_unknown")
    shift = read_shift(row)
    if shift.ended_at is None:
        raise Conflict("The shift is not over. End it first.", code="shift_open")
    if shift.counted_at is not None:
        raise Conflict("The cash of this shift is counted already.", code="shift_counted")
    if not 0 <= counted <= MAX_CASH:
        raise Invalid.field("counted_amount", "amount_invalid", "Give the cash that was handed in, 0 or more.")
    if len(note) > MAX_NOTE:
        raise Invalid.field("note", "too_long", f"A note has at most {MAX_NOTE} characters.")
    expected = (await taken(tx, account_id, shift_id)).cash
    values = {"new_expected": expected, "new_counted": counted, "new_note": note, "now": now, "who": who}
    await tx.run(store.COUNT_CASH, {"b_account": account_id, "b_id": shift_id, **values})
    return msgspec.structs.replace(shift, expected=expected, counted=counted, note=note, counted_at=now, counted_by=who)
