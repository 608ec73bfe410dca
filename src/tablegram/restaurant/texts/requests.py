"""What guests want of orders that the kitchen has begun: cancelled or changed, if staff say so. One waits for each order."""

from __future__ import annotations

import msgspec

from tablegram.errors import NotFound
from tablegram.restaurant.lines import DishLine
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.rows.guests import RequestKind, RequestRow
from tablegram.restaurant.store import texts as store
from tablegram.storage.database import Tx
from tablegram.values.ids import new_id

MAX_WORDS = 200

Kind = RequestKind

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(tuple[DishLine, ...]).decode


class OrderRequest(msgspec.Struct, frozen=True):
    account_id: int
    id: str
    venue_id: str
    order_id: str
    kind: Kind
    # As the guest wrote it.
    words: str
    # What the order would be; nothing for who cancels it.
    lines: tuple[DishLine, ...]
    created_at: int


async def ask(tx: Tx, order: Order, kind: Kind, words: str, lines: tuple[DishLine, ...], now: int) -> OrderRequest:
    """The later wish takes the place of the one before it."""
    await tx.run(store.REPLACE_REQUEST, {"b_account": order.account_id, "b_order": order.order_id, "now": now})
    row: RequestRow = {
        "account_id": order.account_id, "id": new_id(now), "venue_id": order.venue_id, "order_id": order.order_id,
        "kind": kind, "words": words[:MAX_WORDS], "lines": _encode(lines).decode(), "state": "open", "created_at": now,
        "answered_at": None, "answered_by": "",
    }  # fmt: skip
    await tx.run(store.ASK_STAFF, row)
    return _read(row)


async def waiting(tx: Tx, account_id: int, venue_id: str) -> list[OrderRequest]:
    """What staff have not answered yet, the longest waiting first."""
    return [_read(row) for row in await tx.all(store.OPEN_REQUESTS, {"b_account": account_id, "b_venue": venue_id})]


async def lock(tx: Tx, account_id: int, request_id: str) -> OrderRequest:
    row = await tx.first(store.LOCK_REQUEST, {"b_account": account_id, "b_id": request_id})
    if row is None:
        raise NotFound("No such wish is waiting; somebody may have answered it.", code="order_request_unknown")
    return _read(row)


async def answer(tx: Tx, request: OrderRequest, *, accepts: bool, by: str, now: int) -> None:
    values = {"b_account": request.account_id, "b_id": request.id, "now": now, "by": by}
    await tx.run(store.ANSWER_REQUEST, {**values, "new_state": "accepted" if accepts else "refused"})


async def forget(tx: Tx, order: Order) -> None:
    """What its guest wrote goes with them."""
    await tx.run(store.FORGET_REQUEST, {"b_account": order.account_id, "b_order": order.order_id})


def _read(row: RequestRow) -> OrderRequest:
    return OrderRequest(
        account_id=row["account_id"],
        id=row["id"],
        venue_id=row["venue_id"],
        order_id=row["order_id"],
        kind=row["kind"],
        words=row["words"],
        lines=_decode(row["lines"]),
        created_at=row["created_at"],
    )
