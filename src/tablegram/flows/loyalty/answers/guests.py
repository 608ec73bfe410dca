"""What the menu's page is told of a guest's points and coupons."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tablegram.loyalty import redeeming


class BegunProof(Struct, kw_only=True, frozen=True):
    """A code for a message, what shows later who asked for it, and the link that opens the app."""

    code: str
    secret: str
    text: str
    link: str | None


class UnknownGuest(Struct, kw_only=True, frozen=True):
    """The message has not come yet."""

    known: Literal[False] = False


class StampsOfGuest(Struct, kw_only=True, frozen=True):
    name: str
    stamps: int
    needed: int


class HeldCoupon(Struct, kw_only=True, frozen=True):
    code: str
    name: str


class ChosenReward(Struct, kw_only=True, frozen=True):
    kind: redeeming.Kind
    name: str


class KnownGuest(Struct, kw_only=True, frozen=True):
    """What a guest has, in minor units."""

    known: Literal[True] = True
    has_points: bool
    points: int
    worth: int
    cards: list[StampsOfGuest]
    coupons: list[HeldCoupon]
    chosen: list[ChosenReward]
