"""Orders of shops: one row for each, which never goes back in time, however its events are shuffled."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from tablegram.storage.database import Tx
from tablegram.stores.model import ORDER_PREFIX, SourceRow, StoreOrder, read_order, write
from tablegram.stores.ports import EventKind, StoreEvent
from tablegram.stores.store import orders as store
from tablegram.values.ids import new_id

# Of events of one and the same moment, the later one in an order's life counts.
STAGES: dict[EventKind, int] = {
    "order_created": 1,
    "order_changed": 2,
    "order_paid": 3,
    "order_shipped": 4,
    "order_delivered": 5,
    "order_cancelled": 6,
    "order_refunded": 7,
}
_replace = msgspec.structs.replace


class Recorded(NamedTuple):
    """An order as it is now, as it was before (nothing where it is new), and whether something newer was known already."""

    order: StoreOrder
    before: StoreOrder | None
    is_older: bool


def is_order(event: StoreEvent) -> bool:
    return event.kind in STAGES and bool(event.reference)


async def record(
    tx: Tx, source: SourceRow, event: StoreEvent, at: int, phone: str, contact_id: str | None, now: int
) -> Recorded:
    """The order as it is with this event."""
    fresh = StoreOrder(
        account_id=source.account_id,
        id=ORDER_PREFIX + new_id(now),
        source_id=source.id,
        reference=event.reference,
        number=event.number,
        checkout=event.checkout,
        name=event.person.name,
        email=event.person.email,
        phone=phone,
        contact_id=contact_id,
        language=event.person.language,
        # A refund tells what went back, not what the order came to.
        amount=None if event.kind == "order_refunded" else event.amount,
        currency=event.currency,
        kind=event.kind,
        status=event.status,
        url=event.url,
        goods=event.goods,
        tracking=event.tracking,
        at=at,
        created_at=now,
        updated_at=now,
    )
    if await tx.all(store.INSERT, write(fresh)):
        return Recorded(fresh, None, is_older=False)
    row = await tx.first(store.LOCK, _named(source, event.reference))
    assert row is not None, "an order that could not be added is there"
    known = read_order(row)
    is_older = (at, STAGES[event.kind]) < (known.at, STAGES[known.kind])
    after = _filled(known, fresh) if is_older else _filled(_replace(fresh, id=known.id), known)
    after = _replace(after, created_at=known.created_at, updated_at=now)
    values = write(after)
    which = {"b_account": source.account_id, "b_id": known.id}
    await tx.run(store.UPDATE, {**which, **{f"new_{name}": values[name] for name in store.CHANGING}})
    return Recorded(after, known, is_older)


def _filled(newer: StoreOrder, older: StoreOrder) -> StoreOrder:
    """The newer word counts; what it leaves out is taken from the older. What is said together stays together."""
    values: dict[str, Any] = {
        name: getattr(newer, name) or getattr(older, name)
        for name in ("number", "checkout", "name", "email", "language", "status", "url", "goods", "tracking")
    }
    person = newer if newer.phone else older
    money = newer if newer.amount is not None else older
    return _replace(
        newer,
        phone=person.phone,
        contact_id=person.contact_id,
        amount=money.amount,
        currency=money.currency or newer.currency,
        **values,
    )


def _named(source: SourceRow, reference: str) -> dict[str, object]:
    return {"b_account": source.account_id, "b_source": source.id, "b_reference": reference}
