"""Figures of customers follow their orders, in the same transaction.

Whoever changes a customer's figures holds their row first: two orders of one customer that change at once in two
processes are counted one after the other, and each sees what the other has written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tablegram.restaurant.figures.model import Counted, by_category, counts, dishes_of, most_of, name_in, read, write
from tablegram.restaurant.figures.rows import FiguresRow
from tablegram.restaurant.figures.store import counting as store
from tablegram.restaurant.orders import payments
from tablegram.restaurant.orders.model import Order
from tablegram.storage.database import Tx

# Before these, no money has come that could have gone back.
_UNPAID = ("unpaid", "link_sent", "failed")


async def follow(tx: Tx, order: Order, *, is_new: bool = False) -> None:
    """Count the order as it is now. It is locked, or was made in this transaction."""
    row = None if is_new else await tx.first(store.COUNTED, {"b_account": order.account_id, "b_key": order.id})
    old = None if row is None else read(row)
    new = await _count(tx, order, old)
    if new == old:
        return
    touched = sorted({one.contact_id for one in (old, new) if one is not None})
    for contact_id in touched:
        await tx.run(store.HOLD, {"b_account": order.account_id, "b_contact": contact_id})
    if new is None:
        await tx.run(store.DROP, {"b_account": order.account_id, "b_key": order.id})
    else:
        await tx.run(store.KEEP, write(new))
    await _tally(tx, (old,), (new,))
    for contact_id in touched:
        await _sum_up(tx, order.account_id, contact_id)


async def follow_new(tx: Tx, made: Iterable[Order]) -> None:
    """The same for many that were made in this transaction."""
    found = [one for order in made if (one := await _count(tx, order, None)) is not None]
    whose = sorted({(one.account_id, one.contact_id) for one in found})
    await tx.many(store.HOLD, [{"b_account": account_id, "b_contact": one} for account_id, one in whose])
    await tx.many(store.KEEP, [write(one) for one in found])
    await _tally(tx, (), found)
    for account_id, contact_id in whose:
        await _sum_up(tx, account_id, contact_id)


async def _count(tx: Tx, order: Order, old: Counted | None) -> Counted | None:
    if not counts(order) or order.contact_id is None:
        return None
    dishes = dishes_of(order)
    if old is not None and old.dishes == dishes:
        # It stays in the categories in which it was ordered, wherever the menu has its dishes by now.
        categories = old.categories
    else:
        which = [{"b_account": order.account_id, "b_id": item} for item in dishes]
        category = {row["id"]: row["category_id"] for row in await tx.gather(store.CATEGORY, which)}
        categories = by_category(dishes, category)
    back = 0 if order.payment_state in _UNPAID else payments.went_back(await payments.of_order(tx, order))
    return Counted(
        account_id=order.account_id, order_key=order.id, contact_id=order.contact_id, at=order.created_at,
        venue_id=order.venue_id, order_type=order.order_type, currency=order.currency,
        amount=max(0, order.total - back), dishes=dishes, categories=categories,
    )  # fmt: skip


async def _tally(tx: Tx, gone: Iterable[Counted | None], came: Iterable[Counted | None]) -> None:
    orders: Counter[tuple[int, str, str, str]] = Counter()
    quantity: Counter[tuple[int, str, str, str]] = Counter()
    for one, sign in (*((one, -1) for one in gone), *((one, 1) for one in came)):
        if one is None:
            continue
        for kind, key, many in one.tallies():
            place = (one.account_id, one.contact_id, kind, key)
            orders[place] += sign
            quantity[place] += sign * many
    rows = [
        {
            "account_id": place[0], "contact_id": place[1], "kind": place[2], "key": place[3], "orders": orders[place],
            "quantity": quantity[place], "is_top": 0,
        }
        for place in sorted(orders)
        if orders[place] or quantity[place]
    ]  # fmt: skip
    if rows:
        await tx.many(store.TALLY, rows)


async def _sum_up(tx: Tx, account_id: int, contact_id: str) -> None:
    """What follows from a customer's orders and tallies; their row is held."""
    which = {"b_account": account_id, "b_contact": contact_id}
    await tx.run(store.EMPTY_TALLIES, which)
    await tx.run(store.TOP, which)
    row = await tx.first(store.SUMMED, which)
    if row is None or not row["n"]:
        await tx.run(store.NO_FIGURES, which)
        return
    new = {"new_orders": row["n"], "new_first_at": row["first_at"], "new_last_at": row["last_at"]}
    await tx.run(store.FIGURES, {**which, **new})


async def move(tx: Tx, account_id: int, gone: str, kept: str) -> None:
    """Two contacts turned out to be one person, whose orders are theirs already."""
    for contact_id in sorted((gone, kept)):
        await tx.run(store.HOLD, {"b_account": account_id, "b_contact": contact_id})
    which = {"b_account": account_id, "b_contact": gone}
    await tx.run(store.MOVE_ORDERS, {**which, "target": kept})
    await tx.run(store.MOVE_TALLIES, {**which, "target": kept})
    await tx.run(store.NO_TALLIES, which)
    await tx.run(store.NO_FIGURES, which)
    await _sum_up(tx, account_id, kept)


async def of_contacts(tx: Tx, account_id: int, contact_ids: Iterable[str]) -> dict[str, FiguresRow]:
    """Number of orders, and when the first and the last one were, of those who have ordered."""
    which = [{"b_account": account_id, "b_contact": one} for one in contact_ids]
    return {row["contact_id"]: row for row in await tx.gather(store.OF_CONTACT, which)}


async def last_dishes(tx: Tx, account_id: int, contact_ids: Iterable[str], language: str) -> dict[str, str]:
    """What each of these had most of in their last order, as the menu calls it now in a language, or in its own."""
    which = [{"b_account": account_id, "b_contact": one} for one in contact_ids]
    rows = sorted(await tx.gather(store.LAST_DISHES, which), key=lambda row: str(row["order_key"]))
    wanted = {str(row["contact_id"]): most_of(row["dishes"]) for row in rows}
    dishes = sorted({dish for dish in wanted.values() if dish})
    names = {
        row["id"]: name_in(row["name"], row["translations"], language)
        for row in await tx.gather(store.DISH, [{"b_account": account_id, "b_id": dish} for dish in dishes])
    }
    # A dish that has left the menu, or is hidden, is named to nobody.
    return {contact_id: names[dish] for contact_id, dish in wanted.items() if dish in names}
