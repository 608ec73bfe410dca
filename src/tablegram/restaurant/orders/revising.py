"""What was ordered, where it goes and whom it is for, changed by people. Each revision has a number."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tablegram.errors import Conflict, Invalid
from tablegram.restaurant.carts import contents
from tablegram.restaurant.kitchen import keeping as kitchen
from tablegram.restaurant.lines import DishLine, LineProblem, PricedLine, Prices
from tablegram.restaurant.orders import totals
from tablegram.restaurant.orders.keeping import OrderChange, keep, lock, must
from tablegram.restaurant.orders.model import Order, OrderChanges
from tablegram.restaurant.orders.states import Moved, move
from tablegram.restaurant.orders.totals import Extra
from tablegram.storage.database import Tx


class KeptPrices:
    """What a changed order costs: its own prices for what stays in it, the menu's for what is new."""

    def __init__(self, order: Order, menu: Prices) -> None:
        self._known = {line.line.key: line for line in order.lines}
        self._menu = menu

    def price(self, line: DishLine) -> PricedLine | tuple[LineProblem, ...]:
        known = self._known.get(line.key)
        if known is None:
            return self._menu.price(line)
        if line.quantity > known.quantity:
            now = self._menu.price(line)
            if not isinstance(now, PricedLine):
                return now
        return msgspec.structs.replace(known, quantity=line.quantity)


async def revise(
    tx: Tx, account_id: int, order_id: str, lines: Sequence[PricedLine], charges: Sequence[Extra],
    discounts: Sequence[Extra], who: str, now: int, *, notes: str | None = None, revision: int | None = None,
) -> OrderChange:  # fmt: skip
    """A waiter changes what was ordered. Each revision has a number, which kitchen tickets carry."""
    order = await lock(tx, account_id, order_id, revision)
    if not lines:
        raise Invalid.field("lines", "cart_empty", "An order has at least one line. Cancel it instead.")
    # What was let off stays, as far as there is something to pay.
    discounts = totals.cap(discounts, totals.subtotal(lines) + sum(one.amount for one in charges))
    total = totals.total(lines, charges, discounts)
    moved = must(move(order.standing, "revise", "staff", total=total))
    changes: OrderChanges = {
        "lines": tuple(lines),
        "charges": tuple(charges),
        "discounts": tuple(discounts),
        "notes": order.notes if notes is None else contents.clean_notes(notes),
    }
    if msgspec.structs.replace(order, **changes) == order:
        return OrderChange(order, order, changed=False)
    changes["revision"] = order.revision + 1
    if order.state == moved.standing.state:
        # What was taken out may have been the last that was still to be made.
        state = await kitchen.follow_lines(tx, order, lines)
        moved = msgspec.structs.replace(moved, standing=msgspec.structs.replace(moved.standing, state=state))
    return await keep(tx, order, moved, "revise", now, who, "", changes)


async def amend(
    tx: Tx, account_id: int, order_id: str, changes: OrderChanges, who: str, now: int, *,
    revision: int | None = None, charges: Sequence[Extra] | None = None,
) -> OrderChange:  # fmt: skip
    """Change where an order goes and whom it is for: none of that moves it on, and none of it is cooked.

    With `charges`, what bringing it there costs.
    """
    order = await lock(tx, account_id, order_id, revision)
    if order.closed_at is not None:
        raise Conflict("The order is over and stays as it was.", code="state_conflict")
    if msgspec.structs.replace(order, **changes) == order:
        return OrderChange(order, order, changed=False)
    kept: OrderChanges = {**changes, "revision": order.revision + 1}
    if charges is not None and tuple(charges) != order.charges:
        total = totals.total(order.lines, charges, order.discounts)
        moved = must(move(order.standing, "revise", "staff", total=total))
        # Only the sum is another one: nothing of it is made anew.
        moved = msgspec.structs.replace(moved, standing=msgspec.structs.replace(moved.standing, state=order.state))
        return await keep(tx, order, moved, "revise", now, who, "", {**kept, "charges": tuple(charges)})
    return await keep(tx, order, Moved(order.standing), "amend", now, who, "", kept)
