"""What the texts of an automation may be filled in with."""

from __future__ import annotations

from tablegram.values.texts.variables import names

VARIABLES = ("name", "first_name", "venue", "order", "coupon")


def values_of(name: str, *, venue: str = "", order: str = "", coupon: str = "") -> dict[str, str]:
    return {**names(name), "venue": venue, "order": order, "coupon": coupon}
