"""Who pays how much of a bill: all that is open, an amount, some orders, some dishes, or an equal share.

Nothing is lost in dividing: whoever pays last pays what is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from tablegram.errors import Conflict, Invalid
from tablegram.restaurant.bills.model import Bill, BillEntry, LineShare
from tablegram.restaurant.bills.vat import own_amounts
from tablegram.values.money import AMOUNT_WANTED

MAX_PARTS = 100


class Split(msgspec.Struct, frozen=True, kw_only=True):
    """One of these, or none of them for everything that is open."""

    amount: int | None = None
    # Keys of orders: those of one person.
    orders: tuple[str, ...] = ()
    lines: tuple[LineShare, ...] = ()
    # What is open is shared among so many, and one of them pays.
    parts: int | None = None


# An order's key, and how much of the money is for it.
Part = tuple[str, int]


def divide(bill: Bill, split: Split) -> list[Part]:
    """What each order gets of a payment. Raises for more than is open, and where nothing is."""
    chosen = [split.amount is not None, bool(split.orders), bool(split.lines), split.parts is not None]
    if sum(chosen) > 1:
        raise Invalid.field("amount", "split_unclear", "Say one of amount, orders, lines or parts.")
    if bill.open == 0:
        raise Conflict("Nothing is open on this bill.", code="nothing_open")
    if split.lines:
        parts = _by_lines(bill, split.lines)
    elif split.orders:
        parts = _by_orders(bill, split.orders)
    elif split.parts is not None:
        if not 1 <= split.parts <= MAX_PARTS:
            raise Invalid.field("parts", "out_of_range", f"A bill is shared among 1 to {MAX_PARTS} people.")
        # One of very many may pay nothing of very little; the smallest coin is paid then.
        parts = _spread(bill.counted, max(1, bill.open // split.parts))
    else:
        amount = bill.open if split.amount is None else split.amount
        if amount <= 0:
            raise Invalid.field("amount", "out_of_range", AMOUNT_WANTED)
        if amount > bill.open:
            raise Conflict(
                "This is more than is open. Take what is open, and the rest as a tip.", code="more_than_open"
            )
        parts = _spread(bill.counted, amount)
    if not parts:
        raise Conflict("Nothing is open of what you chose.", code="nothing_open")
    return parts


def _spread(entries: Iterable[BillEntry], amount: int) -> list[Part]:
    """The oldest order is paid first."""
    parts: list[Part] = []
    for one in entries:
        part = min(one.open, amount)
        if part > 0:
            parts.append((one.order.id, part))
            amount -= part
    return parts


def _by_orders(bill: Bill, keys: Sequence[str]) -> list[Part]:
    known = {one.order.id: one for one in bill.counted}
    if any(key not in known for key in keys):
        raise Invalid.field("order_ids", "order_unknown", "One of these orders is not on this bill.")
    return [(key, known[key].open) for key in dict.fromkeys(keys) if known[key].open > 0]


def _by_lines(bill: Bill, shares: Sequence[LineShare]) -> list[Part]:
    """Dishes without what was let off of each, with their part of the service charge and of other discounts.

    With the last one, the order's rest.
    """
    known = {one.order.id: one for one in bill.counted}
    covered = bill.covered
    chosen: dict[str, dict[int, int]] = {}
    for share in shares:
        entry = known.get(share.order_key)
        if entry is None or not 0 <= share.line < len(entry.order.lines):
            raise Invalid.field("lines", "line_unknown", "One of these dishes is not on this bill.")
        wanted = chosen.setdefault(share.order_key, {})
        wanted[share.line] = wanted.get(share.line, 0) + share.quantity
        left = entry.order.lines[share.line].quantity - covered.get((share.order_key, share.line), 0)
        if share.quantity < 1 or wanted[share.line] > left:
            raise Conflict("One of these dishes was paid already. Look at the bill again.", code="line_paid")
    parts: list[Part] = []
    for key, wanted in chosen.items():
        part = _worth(known[key], wanted, covered)
        if part > 0:
            parts.append((key, part))
    return parts


def _worth(entry: BillEntry, wanted: dict[int, int], covered: dict[tuple[str, int], int]) -> int:
    order = entry.order
    own = own_amounts(order.lines, order.discounts)
    after = {line: covered.get((order.id, line), 0) + wanted.get(line, 0) for line in range(len(order.lines))}
    # What costs nothing is nobody's to pay.
    if all(after[line] >= order.lines[line].quantity for line in after if own[line]):
        return entry.open
    whole = sum(own)
    value = sum(_portion(own[line], count, order.lines[line].quantity) for line, count in wanted.items())
    return min(entry.open, (2 * order.total * value + whole) // (2 * whole)) if whole else 0


def _portion(amount: int, count: int, quantity: int) -> int:
    """So many of a dish, rounded half up."""
    return (2 * amount * count + quantity) // (2 * quantity)
