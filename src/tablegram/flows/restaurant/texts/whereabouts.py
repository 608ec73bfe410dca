"""Where an order goes: as the guest says, as is known from just before, or the only way there is."""

from __future__ import annotations

import msgspec

from tablegram.errors import NotFound
from tablegram.flows.restaurant.texts.said import Said
from tablegram.messaging.store import messages as message_store
from tablegram.restaurant import tables
from tablegram.restaurant.guests import SAID_BEFORE_MS, SITS_MS
from tablegram.restaurant.orders.states import OrderType
from tablegram.restaurant.reading import Reading
from tablegram.restaurant.reading.sentences.places import table_alone
from tablegram.restaurant.store import orders as order_store
from tablegram.restaurant.tables import Table
from tablegram.storage.database import Tx
from tablegram.values.ids import first_id


class Where(msgspec.Struct, frozen=True):
    order_type: OrderType
    table: Table | None = None


async def find(tx: Tx, said: Said, heard: Reading) -> Where | None:
    """Where the order goes, if that is beyond doubt."""
    named = await find_named(tx, said, heard.table, heard.order_type)
    if named is not None or heard.table or (heard.order_type and heard.order_type != "dine_in"):
        return named
    at = await sitting(tx, said) or await _said_before(tx, said)
    if at is not None:
        return Where("dine_in", at)
    offered = said.venue.order_types
    only = offered[0] if len(offered) == 1 and offered[0] != "dine_in" else None
    return None if only is None or heard.order_type else Where(only)


async def _said_before(tx: Tx, said: Said) -> Table | None:
    """`masa 3`, and then in another message what somebody wants there."""
    which = {"b_account": said.venue.account_id, "b_phone": said.phone, "after": first_id(said.now - SAID_BEFORE_MS)}
    for row in await tx.all(message_store.HEARD_LAST, which):
        if label := table_alone(row["text"] or ""):
            return await named_table(tx, said, label)
    return None


async def find_named(tx: Tx, said: Said, table: str, order_type: str) -> Where | None:
    """The place that was said, as far as the venue offers it."""
    if order_type in said.venue.order_types and order_type != "dine_in":
        return Where(order_type)
    if not table or (order_type and order_type != "dine_in"):
        return None
    found = await named_table(tx, said, table)
    return None if found is None else Where("dine_in", found)


async def named_table(tx: Tx, said: Said, label: str) -> Table | None:
    """A table that is named and not proved; a venue may not believe it."""
    venue = said.venue
    if "dine_in" not in venue.order_types or venue.refuses_unsigned:
        return None
    return await tables.find_by_label(tx, venue.account_id, venue.id, label)


async def sitting(tx: Tx, said: Said) -> Table | None:
    """The table that the guest has ordered at and not left."""
    venue = said.venue
    row = await tx.first(order_store.AT_TABLE, {**said.whose, "since": said.now - SITS_MS})
    if row is None or "dine_in" not in venue.order_types:
        return None
    return await table_by_id(tx, said, row["table_id"])


async def table_by_id(tx: Tx, said: Said, table_id: str | None) -> Table | None:
    """A table that may have been taken away meanwhile."""
    if table_id is None:
        return None
    try:
        return await tables.find(tx, said.venue.account_id, said.venue.id, table_id)
    except NotFound:
        return None
