"""The value added tax that prices include, by rate: whole minor units, and sums that come out.

A discount on one dish lowers that dish. All other charges and discounts of an order belong to its dishes in proportion, so that
what was paid for each rate is the order's total.
The tax is reckoned once for each rate of a bill, and not dish by dish: nothing is lost in rounding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from tablegram.restaurant.lines import PricedLine
from tablegram.restaurant.orders.totals import Extra

# Rates are hundredths of a percent.
WHOLE = 10_000


class Taxed(msgspec.Struct, frozen=True):
    """What was sold at one rate: `gross` is `net` and `tax`."""

    rate: int
    gross: int
    tax: int

    @property
    def net(self) -> int:
        return self.gross - self.tax


def tax_in(gross: int, rate: int) -> int:
    """The tax that an amount includes, rounded half up."""
    return (2 * gross * rate + WHOLE + rate) // (2 * (WHOLE + rate))


def spread(amount: int, weights: Sequence[int]) -> list[int]:
    """An amount in proportion to weights, exactly: what is left over goes to who lost most by rounding."""
    whole = sum(weights)
    if whole == 0:
        return [amount if place == 0 else 0 for place in range(len(weights))]
    parts = [amount * weight // whole for weight in weights]
    lost = sorted(range(len(weights)), key=lambda place: (-(amount * weights[place] % whole), place))
    for place in lost[: amount - sum(parts)]:
        parts[place] += 1
    return parts


def let_off_of(lines: Sequence[PricedLine], discounts: Iterable[Extra]) -> list[int]:
    """What was let off of each dish alone. An order that was changed since may have fewer dishes: then it is of all of them."""
    let_off = [0] * len(lines)
    for one in discounts:
        if one.line is not None and one.line < len(lines):
            let_off[one.line] += one.amount
    return let_off


def own_amounts(lines: Sequence[PricedLine], discounts: Iterable[Extra]) -> list[int]:
    """Dishes without what was let off of each alone: all other charges and discounts belong to them in this proportion."""
    let_off = let_off_of(lines, discounts)
    amounts = [max(0, line.amount - off) for line, off in zip(lines, let_off, strict=True)]
    return amounts if any(amounts) else [line.amount for line in lines]


def gross_by_rate(lines: Sequence[PricedLine], total: int, discounts: Iterable[Extra] = ()) -> dict[int | None, int]:
    """What an order came to, by the rate of its dishes; nothing stands for dishes without one."""
    if not lines:
        return {None: total}
    weights: dict[int | None, int] = {}
    for line, amount in zip(lines, own_amounts(lines, discounts), strict=True):
        weights[line.vat] = weights.get(line.vat, 0) + amount
    return dict(zip(weights, spread(total, list(weights.values())), strict=True))


def taxed(sums: Iterable[Mapping[int | None, int]]) -> list[Taxed]:
    """The orders of a bill together, by rate; what has no rate is left out."""
    gross: dict[int, int] = {}
    for one in sums:
        for rate, amount in one.items():
            if rate is not None:
                gross[rate] = gross.get(rate, 0) + amount
    return [Taxed(rate, amount, tax_in(amount, rate)) for rate, amount in sorted(gross.items()) if amount]
