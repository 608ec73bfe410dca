"""What the restaurant asks of whoever takes payment online; it knows no more of payments than this."""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx


class LinkFace(msgspec.Struct, frozen=True, kw_only=True):
    """The newest payment link of an order, as its guest sees it.

    `making`: the provider has not answered yet; `over`: it ran out, or could not be made.
    """

    state: Literal["making", "open", "paid", "over"]
    url: str = ""
    expires_at: int


class OnlineMoney(Protocol):
    async def is_ready(self, tx: Tx, venue: Venue) -> bool:
        """Whether a provider is connected that guests of the venue can pay with."""
        ...

    async def face(self, tx: Tx, order: Order) -> LinkFace | None:
        """The order's newest link; nothing where it never had one."""
        ...

    async def order_of(self, tx: Tx, account_id: int, link_id: str) -> str | None:
        """The key of the order that a link is for."""
        ...

    async def send_link(self, tx: Tx, venue: Venue, order: Order, who: str, now: int) -> None:
        """Send the open link once more, or a new one. Raises `Conflict` where nothing is to be paid online."""
        ...

    async def refund(
        self, tx: Tx, order: Order, who: str, now: int, *, amount: int | None, lines: tuple[int, ...], reason: str
    ) -> bool:
        """Ask for money to go back to who paid online; false where nobody did. It is noted when the provider has done so.

        `amount` in minor units, or the lines by their place in the order, or nothing for all that is left.
        """
        ...
