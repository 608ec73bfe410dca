"""A gift card, and every movement of its value. Minor units everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    # They speak of the words of this module.
    from tablegram.loyalty.rows import GiftMoveRow, GiftRow

PaidBy = Literal["cash", "card", "online", "given"]
State = Literal["active", "cancelled"]
Kind = Literal["issue", "redeem", "give_back", "expire", "cancel"]
# What a card is at this moment, as people see it.
GiftState = Literal["active", "spent", "expired", "cancelled"]


class Gift(msgspec.Struct, frozen=True, kw_only=True):
    """`value - spent - expired - cancelled` is `balance`."""

    account_id: int
    id: str
    code: str
    venue_id: str
    currency: str
    value: int
    balance: int = 0
    spent: int = 0
    expired: int = 0
    cancelled: int = 0
    state: State = "active"
    paid_by: PaidBy
    reason: str = ""
    contact_id: str | None = None
    from_name: str = ""
    greeting: str = ""
    language: str = ""
    expires_at: int | None = None
    warned_at: int | None = None
    sent_at: int | None = None
    by: str = ""
    made_by: str = ""
    created_at: int
    updated_at: int

    def standing(self, now: int) -> GiftState:
        if self.state == "cancelled":
            return "cancelled"
        if self.balance and self.expires_at is not None and self.expires_at <= now:
            return "expired"
        if self.balance:
            return "active"
        return "expired" if self.expired else "spent"


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """Value that came or went. `money` is what was paid for it, or given back in money."""

    account_id: int
    id: str
    gift_id: str
    kind: Kind
    cause: str
    amount: int
    balance: int
    currency: str
    money: int = 0
    method: str = ""
    venue_id: str = ""
    payment_id: str | None = None
    tab_id: str | None = None
    reason: str = ""
    by: str = ""
    created_at: int


class Sold(msgspec.Struct, frozen=True):
    """The money that came for gift cards over a stretch of time, without what went back: in all, and by the way it came."""

    amount: int = 0
    by_method: dict[str, int] = {}


def read_gift(row: GiftRow) -> Gift:
    return Gift(**row)


def read_move(row: GiftMoveRow) -> Move:
    return Move(**row)
