"""What the restaurant asks of whoever keeps gift cards; it knows no more of them than this."""

from __future__ import annotations

from typing import Protocol

import msgspec

from tablegram.restaurant.bills.model import TabPayment
from tablegram.restaurant.orders.payments import Payment
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx


class HeldGift(msgspec.Struct, frozen=True):
    """A card, and what is left on it in minor units."""

    id: str
    balance: int
    # Enough to tell cards apart, and nothing that could be spent.
    hint: str


class GiftMoney(Protocol):
    async def offered(self, tx: Tx, account_id: int) -> bool:
        """Whether the house ever made a card: else nobody is asked for one."""
        ...

    async def hold(self, tx: Tx, venue: Venue, code: str, now: int, *, lock: bool = True) -> HeldGift:
        """The card of a code, locked. Raises where there is none, or where it pays nothing here."""
        ...

    async def spend(self, tx: Tx, venue: Venue, gift_id: str, payment: TabPayment | Payment, now: int) -> int:
        """Take a payment off a card; answers with what is left. Raises `Conflict` where that is too little."""
        ...

    async def give_back(self, tx: Tx, back: TabPayment, now: int) -> None:
        """A payment was given back: so goes the value onto the card that it came from."""
        ...
