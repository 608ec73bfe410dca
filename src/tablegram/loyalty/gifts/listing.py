"""Gift cards page by page, what is owed on all of them, and what came in for them."""

from __future__ import annotations

import msgspec

from tablegram.loyalty.gifts.model import Gift, Sold, read_gift
from tablegram.loyalty.listing import read_place
from tablegram.loyalty.store import gifts as store
from tablegram.storage.database import Tx
from tablegram.values.cursor import encode_cursor


class Owed(msgspec.Struct, frozen=True):
    """What is left on all cards of a currency."""

    currency: str
    amount: int
    cards: int


async def page(
    tx: Tx, account_id: int, standing: str | None, contact_id: str | None, now: int, cursor: str | None, limit: int
) -> tuple[list[Gift], str | None]:
    """The newest first."""
    wanted = store.page(account_id, standing, contact_id, now, read_place(cursor), limit + 1)
    found = [read_gift(row) for row in await tx.all(wanted, {})]
    last = found[limit - 1] if len(found) > limit else None
    return found[:limit], None if last is None else encode_cursor(f"{last.created_at}:{last.id}")


async def outstanding(tx: Tx, account_id: int) -> list[Owed]:
    rows = await tx.all(store.OUTSTANDING, {"b_account": account_id})
    return [Owed(row["currency"], int(row["balance"]), int(row["cards"])) for row in rows]


async def sold(tx: Tx, account_id: int, venue_id: str, currency: str, since: int, until: int) -> Sold:
    which = {"b_account": account_id, "b_venue": venue_id, "b_currency": currency, "since": since, "until": until}
    by_method = {row["method"]: int(row["money"]) for row in await tx.all(store.SOLD, which)}
    return Sold(sum(by_method.values()), by_method)
