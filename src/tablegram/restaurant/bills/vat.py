"""The value added tax that prices include, by rate: whole minor units, and sums that come out.

Charges and discounts of an order belong to its dishes in proportion, so that what was paid for each rate is the order's total.
The tax is reckoned once for each rate of a bill, and not dish by dish: nothing is lost in rounding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from tablegram.restaurant.lines import PricedLine

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


def gross_by_rate(lines: Iterable[PricedLine], total: int) -> dict[int | None, int]:
    """What an order came to, by the rate of its dishes; nothing stands for dishes without one."""
    weights: dict[int | None, int] = {}
    for line in lines:
        weights[line.vat] = weights.get(line.vat, 0) + line.amount
    if not weights:
        return {None: total}
    return dict(zip(weights, spread(total, list(weights.values())), strict=True))


def taxed(sums: Iterable[Mapping[int | None, int]]) -> list[Taxed]:
    """The orders of a bill together, by rate; what has no rate is left out."""
    gross: dict[int, int] = {}
    for one in sums:
        for rate, amount in one.items():
            if rate is not None:
                gross[rate] = gross.get(rate, 0) + amount
    return [Taxed(rate, amount, tax_in(amount, rate)) for rate, amount in sorted(gross.items()) if amount]
