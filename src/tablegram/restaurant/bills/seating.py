"""Who sits where: tables with their tabs, since when, and how much they owe."""

from __future__ import annotations

import msgspec

from tablegram.errors import Invalid, NotFound, no_such
from tablegram.restaurant import tables
from tablegram.restaurant.bills import store
from tablegram.restaurant.bills.model import Bill, Tab, read_tab
from tablegram.restaurant.tables import Table
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.cursor import cursor_wrong, decode_cursor, encode_cursor


class Seated(msgspec.Struct, frozen=True):
    """A table's tab as a list shows it, in minor units."""

    tab_id: str
    table_id: str
    opened_at: int
    orders: int
    total: int
    open: int


async def seated(tx: Tx, account_id: int, venue_id: str) -> list[Seated]:
    """Every open tab of a venue at which something was ordered."""
    rows = await tx.all(store.SEATED, {"b_account": account_id, "b_venue": venue_id})
    return [
        Seated(
            row["id"],
            row["table_id"],
            row["opened_at"],
            row["orders"],
            row["total"],
            row["open"],
        )
        for row in rows
    ]


async def page(
    tx: Tx, account_id: int, venue_id: str | None, state: str | None, table_id: str | None, cursor: str | None,
    limit: int,
) -> tuple[list[Tab], str | None]:  # fmt: skip
    before = None if cursor is None else _place(cursor)
    wanted = store.page(account_id, venue_id, state, table_id, before, limit + 1)
    rows = await tx.all(wanted, {})
    found = [read_tab(row) for row in rows]
    if len(found) <= limit:
        return found, None
    last = found[limit - 1]
    return found[:limit], encode_cursor(f"{last.opened_at}:{last.id}")


def _place(cursor: str) -> tuple[int, str]:
    at, _, tab_id = decode_cursor(cursor).partition(":")
    if not (at.isascii() and at.isdecimal() and len(at) < 16):
        raise cursor_wrong()
    return int(at), tab_id


async def table_of(tx: Tx, bill: Bill) -> Table | None:
    """The bill's table, as long as there is one."""
    try:
        return await tables.find(tx, bill.tab.account_id, bill.tab.venue_id, bill.tab.table_id)
    except NotFound:
        return None


async def table_named(tx: Tx, venue: Venue, table_id: str) -> Table:
    try:
        return await tables.find(tx, venue.account_id, venue.id, table_id)
    except NotFound:
        raise Invalid.field("table_id", "table_unknown", no_such("table", "venue")) from None


async def label_of(tx: Tx, bill: Bill) -> str:
    """What the table is called; what it was called on the last order, where it is gone."""
    found = await tx.first(store.LABEL, {"b_account": bill.tab.account_id, "b_table": bill.tab.table_id})
    if found is not None:
        return found["label"]
    return bill.entries[-1].order.table_label if bill.entries else ""


async def lock_both(tx: Tx, tab: Tab, table_id: str) -> None:
    """A tab and the open one of another table, in the order in which everybody takes them."""
    await tx.all(store.LOCK_BOTH, {"b_account": tab.account_id, "b_tab": tab.id, "b_table": table_id})


def is_done(bill: Bill) -> bool:
    """Whether everything that was ordered is brought and paid."""
    brought = all(one.order.closed_at is not None or one.order.state == "served" for one in bill.counted)
    return bill.open == 0 and not bill.waiting and brought
