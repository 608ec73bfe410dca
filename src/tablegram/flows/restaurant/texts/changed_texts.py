"""A guest changes or deletes the message that an order came with. The order stands until people have settled it."""

from __future__ import annotations

from tablegram.errors import NotFound
from tablegram.events.planning import Statement
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.flows.restaurant.texts.call_texts import ring_about
from tablegram.flows.restaurant.texts.said import Said, may_complain
from tablegram.restaurant import tables
from tablegram.restaurant.orders.model import Order, from_row
from tablegram.restaurant.orders.states import CLOSED
from tablegram.restaurant.store import orders as order_store
from tablegram.restaurant.tables import Table
from tablegram.restaurant.texts.words import speak
from tablegram.storage.database import Tx

# Nothing is being cooked yet.
_EARLY = ("awaiting_confirmation", "awaiting_payment", "sent_to_kitchen")


async def order_of(tx: Tx, said: Said) -> Order | None:
    """The order that the message has become, if it did and the order is not over."""
    which = {"b_account": said.venue.account_id, "b_message": said.message_key}
    row = await tx.first(order_store.BY_MESSAGE, which)
    order = None if row is None else from_row(row)
    return None if order is None or order.state in CLOSED else order


async def tell(tx: Tx, ordering: Ordering, said: Said, order: Order, change: str) -> list[Statement]:
    """Ask the guest while nothing is being cooked; once it is, staff are called. The events that follow.

    A changed text is not ordered anew: the guest may have written a word more, or something else altogether.
    """
    is_early = order.state in _EARLY
    kind = f"{change}_early" if is_early else f"{change}_late"
    if await may_complain(tx, said):
        await ordering.telling.word(tx, said.venue, said.phone, order.language, said.now, kind, order=order.order_id)
    table = None if is_early else await _table(tx, order)
    if table is None:
        return []
    note = speak(said.venue.languages[0])[f"note_{change}"].format(order=order.order_id)
    return await ring_about(tx, ordering, said, table, note)


async def _table(tx: Tx, order: Order) -> Table | None:
    if order.table_id is None:
        return None
    try:
        return await tables.find(tx, order.account_id, order.venue_id, order.table_id)
    except NotFound:
        return None
