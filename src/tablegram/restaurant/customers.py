"""One person in the restaurant's books: their orders, and how they outlive what is known of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from tablegram.restaurant.figures import keeping as figures
from tablegram.restaurant.lines import DishLine, PricedLine
from tablegram.restaurant.orders import history
from tablegram.restaurant.orders.brief import ContactOrder, brief
from tablegram.restaurant.orders.model import Order, from_row
from tablegram.restaurant.readers import waiting
from tablegram.restaurant.rows.orders import SpentRow
from tablegram.restaurant.store import customers as store
from tablegram.restaurant.texts import asked, drafts, requests
from tablegram.storage.database import Tx

_decode_cart = msgspec.json.Decoder(tuple[DishLine, ...]).decode
_encode = msgspec.json.Encoder().encode


class Spent(msgspec.Struct, frozen=True):
    """What one person has ordered: how often, and for how much in each currency, in its minor units."""

    count: int = 0
    amounts: dict[str, int] = {}

    @property
    def most(self) -> int:
        return max(self.amounts.values(), default=0)


async def spent(tx: Tx, account_id: int) -> dict[str, Spent]:
    """What everybody has ordered that was not called off, by contact."""
    return _spent(await tx.all(store.SPENT, {"b_account": account_id}))


async def spent_by(tx: Tx, account_id: int, contact_ids: Iterable[str]) -> dict[str, Spent]:
    """The same of some."""
    which = [{"b_account": account_id, "b_contact": one} for one in contact_ids]
    return _spent(await tx.gather(store.SPENT_BY, which))


def _spent(rows: Iterable[SpentRow]) -> dict[str, Spent]:
    found: dict[str, Spent] = {}
    for row in rows:
        old = found.get(row["contact_id"], Spent())
        amounts = {**old.amounts, row["currency"]: row["amount"]}
        found[row["contact_id"]] = Spent(old.count + row["n"], amounts)
    return found


async def orders_of(tx: Tx, account_id: int, contact_ids: Iterable[str], phones: Iterable[str] = ()) -> list[Order]:
    """Every order of a person, under whatever id or number they are known, the newest first."""
    found: dict[str, Order] = {}
    for query, name, values in ((store.OF_CONTACT, "b_contact", contact_ids), (store.OF_PHONE, "b_phone", phones)):
        for row in await tx.gather(query, [{"b_account": account_id, name: value} for value in values]):
            found[row["id"]] = from_row(row)
    return sorted(found.values(), key=lambda order: order.id, reverse=True)


async def briefs_of(tx: Tx, account_id: int, contact_ids: list[str]) -> dict[str, list[ContactOrder]]:
    """The orders of each of these contacts, the newest first."""
    found: dict[str, list[ContactOrder]] = {}
    for order in await orders_of(tx, account_id, contact_ids):
        found.setdefault(order.contact_id or "", []).append(brief(order))
    return found


async def move(tx: Tx, account_id: int, gone: str, kept: str) -> int:
    """Two contacts turned out to be one person: the orders of both are theirs, and so is what they were asked."""
    await asked.move(tx, account_id, gone, kept)
    await waiting.move(tx, account_id, gone, kept)
    await drafts.move(tx, account_id, gone, kept)
    count = await tx.run(store.MOVE, {"b_account": account_id, "b_from": gone, "target": kept})
    await figures.move(tx, account_id, gone, kept)
    return count


async def forget(tx: Tx, account_id: int, contact_ids: Sequence[str], phones: Sequence[str], now_ms: int) -> int:
    """Take a person out of the books; returns of how many orders. What was sold stays, nobody's from now on."""
    # In the order that their texts take them in: what they were asked, then carts and orders.
    await drafts.forget_person(tx, account_id, contact_ids, phones)
    await asked.forget_person(tx, account_id, contact_ids, phones)
    await waiting.forget_person(tx, account_id, contact_ids, phones)
    orders = await orders_of(tx, account_id, contact_ids, phones)
    for order in orders:
        which = {"b_account": account_id, "b_id": order.id}
        lines = tuple(msgspec.structs.replace(line, note="") for line in order.lines)
        await tx.run(store.EMPTY, {**which, "new_lines": _written(lines)})
        await figures.follow(tx, msgspec.structs.replace(order, contact_id=None))
        await tx.run(store.NO_REASONS, which)
        await requests.forget(tx, order)
        await _forget_steps(tx, which)
    for tab_id in {order.tab_id for order in orders if order.tab_id is not None}:
        await _forget_calls(tx, account_id, tab_id, now_ms)
    codes = [order.cart_code for order in orders if order.cart_code is not None]
    for phone, code in [*((one, "") for one in phones), *(("", one) for one in codes)]:
        await _forget_carts(tx, account_id, phone, code)
    return len(orders)


async def _forget_steps(tx: Tx, which: dict[str, Any]) -> None:
    for row in await tx.all(store.STEPS, which):
        step = history.read_step(row)
        if step is not None:
            kept = history.write_step(history.without_person(step))
            await tx.run(store.NEW_STEP, {**which, "b_number": row["number"], "new_step": kept})


async def _forget_calls(tx: Tx, account_id: int, tab_id: str, now_ms: int) -> None:
    """What was written with calls from their table while they sat there."""
    tab = await tx.first(store.TAB, {"b_account": account_id, "b_id": tab_id})
    if tab is not None:
        span = {"since": tab["opened_at"], "until": tab["closed_at"] or now_ms}
        await tx.run(store.NO_CALL_NOTES, {"b_account": account_id, "b_table": tab["table_id"], **span})


async def _forget_carts(tx: Tx, account_id: int, phone: str, code: str) -> None:
    for row in await tx.all(store.CARTS, {"b_account": account_id, "b_phone": phone, "b_code": code}):
        lines = tuple(msgspec.structs.replace(line, note="") for line in _decode_cart(row["lines"]))
        values = {"new_lines": _written(lines), "new_state": "expired" if row["state"] == "open" else row["state"]}
        await tx.run(store.EMPTY_CART, {"b_account": account_id, "b_code": row["code"], **values})


def _written(lines: Sequence[DishLine] | Sequence[PricedLine]) -> str:
    return _encode(lines).decode()
