"""What an order comes to: Σ quantity × unit price + charges − discounts, in whole minor units."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from tablegram.errors import Invalid
from tablegram.restaurant.lines import PricedLine
from tablegram.values.money import MAX_AMOUNT, share


class Extra(msgspec.Struct, frozen=True, omit_defaults=True):
    """A charge or a discount: what for, as the guest reads it, and a positive amount."""

    kind: str
    name: str
    amount: int
    # Of a discount that somebody gave on a bill: which one.
    ref: str = ""
    # Of a discount on one dish: its place in the order.
    line: int | None = None


def subtotal(lines: Iterable[PricedLine]) -> int:
    return sum(line.amount for line in lines)


def service_charge(lines: Iterable[PricedLine], basis_points: int, name: str) -> tuple[Extra, ...]:
    """The venue's percentage of what was ordered, in hundredths of a percent; nothing where it comes to nothing."""
    amount = share(subtotal(lines), basis_points)
    return (Extra("service", name, amount),) if amount > 0 else ()


def cap(discounts: Iterable[Extra], payable: int) -> tuple[Extra, ...]:
    """Discounts in their order, as far as there is something to pay. Nobody is given money back by a coupon."""
    kept: list[Extra] = []
    left = payable
    for one in discounts:
        amount = min(one.amount, left)
        if amount > 0:
            kept.append(msgspec.structs.replace(one, amount=amount))
            left -= amount
    return tuple(kept)


def total(lines: Iterable[PricedLine], charges: Iterable[Extra] = (), discounts: Iterable[Extra] = ()) -> int:
    """Raises `Invalid` for more than anybody pays, `ValueError` where the parts make no sense, which is a bug."""
    charges, discounts = tuple(charges), tuple(discounts)
    if any(one.amount < 0 for one in (*charges, *discounts)):
        raise ValueError("charges and discounts are positive")
    amount = subtotal(lines) + sum(one.amount for one in charges) - sum(one.amount for one in discounts)
    if amount < 0:
        raise ValueError(f"{amount} is no total")
    if amount > MAX_AMOUNT:
        raise Invalid.field("lines", "total_too_large", "This comes to more than one order can. Take less of it.")
    return amount
