"""What is answered about gift cards. Amounts are decimal numbers of the card's currency."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tablegram.loyalty.gifts.model import GiftState, Kind, PaidBy
from tablegram.values.clock import MomentText


class GiftView(Struct, kw_only=True, frozen=True):
    """A gift card."""

    id: str
    code: Annotated[
        str, Meta(description="In full for who made it and for `loyalty:manage`; for others only its last four signs.")
    ]
    state: Annotated[GiftState, Meta(description="`active` cards pay bills.")]
    value: Annotated[float, Meta(description="What it was worth at first.")]
    balance: Annotated[float, Meta(ge=0, description="What is left on it.")]
    currency: str
    venue_id: Annotated[str, Meta(description="Where it was made. It pays at every venue of its currency.")]
    paid_by: Annotated[PaidBy, Meta(description="How it was paid for; `given`: nobody paid.")]
    reason: Annotated[str, Meta(description="Why it was given away; else empty.")]
    contact_id: Annotated[str | None, Meta(description="Who received it, if anybody is known.")]
    name: Annotated[str, Meta(description="Of the receiver; empty where the caller may not read contacts.")]
    phone: Annotated[str, Meta(description="Of the receiver; empty where the caller may not read contacts.")]
    from_name: str
    greeting: str
    expires_at: MomentText | None
    sent_at: Annotated[MomentText | None, Meta(description="When the receiver was last written to; null: not yet.")]
    by: str
    created_at: MomentText


class GiftMove(Struct, kw_only=True, frozen=True):
    """Value that came or went."""

    id: str
    kind: Kind
    amount: Annotated[float, Meta(description="Negative where value went.")]
    balance: Annotated[float, Meta(description="What was left after it.")]
    money: Annotated[float, Meta(description="What was paid for it; negative where money went back.")]
    tab_id: Annotated[str | None, Meta(description="The table's bill that it paid.")]
    order_id: Annotated[str | None, Meta(description="The order that it paid, where that is on no bill.")]
    reason: str
    by: str
    created_at: MomentText


class WholeGift(GiftView, kw_only=True, frozen=True):
    """A gift card with every movement of its value, the oldest first."""

    movements: list[GiftMove]


class GiftPage(Struct, kw_only=True, frozen=True):
    """Gift cards, newest first."""

    data: list[GiftView]
    next_cursor: str | None


class CheckedGift(Struct, kw_only=True, frozen=True):
    """Whether a code can be spent, and how much is left."""

    holds: bool
    reason: Annotated[str, Meta(description="Why it is not valid, as a stable code; else empty.")]
    detail: str
    gift: GiftView | None


class OutstandingGifts(Struct, kw_only=True, frozen=True):
    """What is owed on the cards of one currency."""

    currency: str
    amount: float
    cards: int


class GiftFigures(Struct, kw_only=True, frozen=True):
    """What is left on all cards: a liability until they are spent or end."""

    outstanding: list[OutstandingGifts]
