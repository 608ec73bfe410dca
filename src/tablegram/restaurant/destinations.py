"""Where a delivery goes, and what was agreed for it: a point, the zone it lies in, and that zone's terms.

The terms are written down with the order: a zone that is changed later changes nothing of what a guest was told.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from tablegram.restaurant.orders.totals import Extra
from tablegram.values.coordinates import Point, route_to

ZoneReach = Literal["unknown", "inside", "outside"]


class Destination(msgspec.Struct, frozen=True, omit_defaults=True):
    """Without a point nobody knows the zone; staff decide."""

    # Millionths of a degree.
    latitude: int | None = None
    longitude: int | None = None
    standing: ZoneReach = "unknown"
    zone_id: str = ""
    zone: str = ""
    distance_m: int | None = None
    # Whole minor units of the venue's currency.
    fee: int = 0
    minimum: int = 0
    free_from: int | None = None
    minutes: int | None = None
    # The guest was asked for the point, which happens once.
    is_asked: bool = False

    @property
    def point(self) -> Point | None:
        if self.latitude is None or self.longitude is None:
            return None
        return Point(self.latitude, self.longitude)

    @property
    def route_url(self) -> str:
        return "" if self.point is None else route_to(self.point)

    def fee_for(self, subtotal: int) -> int:
        return 0 if self.free_from is not None and subtotal >= self.free_from else self.fee

    def missing(self, subtotal: int) -> int:
        """How much is missing to what is brought there at least."""
        return max(self.minimum - subtotal, 0)


_decode = msgspec.json.Decoder(Destination).decode


def write(destination: Destination | None) -> str | None:
    return None if destination is None else msgspec.json.encode(destination).decode()


def read(kept: str | None) -> Destination | None:
    return None if kept is None else _decode(kept)


def charge(destination: Destination | None, subtotal: int, name: str) -> tuple[Extra, ...]:
    """What bringing it costs; nothing where it comes to nothing."""
    fee = 0 if destination is None else destination.fee_for(subtotal)
    return (Extra("delivery", name, fee),) if fee > 0 else ()
