"""Kinds of values that a command takes, and how they are shown."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any

import click

from tablegram.values.clock import DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS

_UNITS_MS = {"s": SECOND_MS, "m": MINUTE_MS, "h": HOUR_MS, "d": DAY_MS, "w": 7 * DAY_MS}
_DURATION = re.compile(r"([0-9]{1,6})([smhdw])", re.ASCII)
_MICROS = 1_000_000


class Duration(click.ParamType[int]):
    """A length of time such as 30d, in milliseconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        match = _DURATION.fullmatch(value.strip())
        if match is None or int(match[1]) == 0:
            self.fail("write a number and a unit (s, m, h, d or w), for example 30d", param, ctx)
        return int(match[1]) * _UNITS_MS[match[2]]


class Dollars(click.ParamType[int]):
    """An amount of US dollars such as 25 or 12.50, in millionths."""

    name = "amount"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        try:
            micros = Decimal(value.strip().removeprefix("$")) * _MICROS
        except InvalidOperation:
            self.fail("write an amount of US dollars, for example 25 or 12.50", param, ctx)
        if not micros.is_finite() or micros != int(micros):
            self.fail("an amount may have at most 6 decimals", param, ctx)
        return int(micros)


def dollars(micros: int) -> str:
    """The amount with two decimals, or as many more as it needs."""
    amount = (Decimal(micros) / _MICROS).quantize(Decimal("0.000001"))
    whole, _, fraction = f"{amount:,f}".partition(".")
    return f"${whole}.{fraction.rstrip('0').ljust(2, '0')}"


account_option = click.option("--account", "account_name", required=True, metavar="NAME", help="Name of the account.")
