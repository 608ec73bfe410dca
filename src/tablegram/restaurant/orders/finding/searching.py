"""Finding orders: what is typed is understood first, then rows are read in the order that is wanted."""

from __future__ import annotations

from typing import Unpack

import msgspec

from tablegram.restaurant.orders.finding import understanding
from tablegram.restaurant.orders.model import Order, from_row
from tablegram.restaurant.store import orders as store
from tablegram.restaurant.store.orders import Filter, Sort
from tablegram.storage.database import Database
from tablegram.values.cursor import cursor_wrong, decode_cursor, encode_cursor


class OrderSums(msgspec.Struct, frozen=True):
    """What the orders of a list come to: how many there are, and the sums of those that were not called off."""

    count: int = 0
    # By currency, in its minor units.
    amounts: dict[str, int] = {}


async def find(
    db: Database, account_id: int, q: str | None, *, sort: Sort, cursor: str | None, limit: int, **given: Unpack[Filter]
) -> tuple[list[Order], str | None]:
    """A page of orders, and where it goes on."""
    wanted = await _understood(db, account_id, q, given)
    after = None if cursor is None else _read_place(cursor)
    rows = await db.all(store.page(account_id, wanted, sort=sort, after=after, most=limit + 1))
    found = [from_row(row) for row in rows]
    return found[:limit], _place(found[limit - 1]) if len(found) > limit else None


async def add_up(db: Database, account_id: int, q: str | None, **given: Unpack[Filter]) -> OrderSums:
    rows = await db.all(store.sums(account_id, await _understood(db, account_id, q, given)))
    return OrderSums(sum(row["n"] for row in rows), {row["currency"]: row["amount"] for row in rows})


async def _understood(db: Database, account_id: int, q: str | None, given: Filter) -> Filter:
    """The filter, with what `q` means added to it."""
    text = storable(q) or ""
    named: Filter = {
        **given,
        "venue_id": storable(given.get("venue_id")),
        "contact_id": storable(given.get("contact_id")),
    }
    if not text.strip():
        return named
    sought = await db.snapshot(lambda tx: understanding.understand(tx, account_id, text))
    return {**named, "table": sought.table, "text": sought.text, "item_ids": sought.item_ids}


def _place(order: Order) -> str:
    """The cursor behind an order, in whatever order they are listed."""
    return encode_cursor(f"{order.total}:{order.id}")


def _read_place(cursor: str) -> tuple[int, str]:
    total, _, order_key = decode_cursor(cursor).rpartition(":")
    if not (total.isascii() and total.lstrip("-").isdecimal() and len(total) < 18):
        raise cursor_wrong()
    return int(total), order_key


def storable(text: str | None) -> str | None:
    """A text that a store may be asked for: no row holds this sign, and not every store takes it."""
    return None if text is None else text.replace("\x00", "\ufffd")
