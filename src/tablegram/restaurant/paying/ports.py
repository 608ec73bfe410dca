"""What the restaurant asks of whoever takes payment online or keeps gift cards; it knows no more of them than this."""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from tablegram.restaurant.bills.model import Bill, LineShare, TabPayment
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.payments import Payment
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx

# Who is written down for a link that a guest asked for at the table.
GUEST = "guest"


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

    async def renew(self, tx: Tx, venue: Venue, order: Order, now: int) -> None:
        """Another sum is left to pay: the open link is taken back, and what waits for money gets one for the rest."""
        ...

    async def refund(
        self, tx: Tx, order: Order, who: str, now: int, *, amount: int | None, lines: tuple[int, ...], reason: str
    ) -> bool:
        """Ask for money to go back to who paid online; false where nobody did. It is noted when the provider has done so.

        `amount` in minor units, or the lines by their place in the order, or nothing for all that is left.
        """
        ...


class TabWish(msgspec.Struct, frozen=True, kw_only=True):
    """A payment link for a table's bill, in minor units; with a phone it is sent there."""

    amount: int
    # Beside the amount.
    tip: int = 0
    # The dishes that it is for, where somebody chose some.
    lines: tuple[LineShare, ...] = ()
    language: str
    by: str
    phone: str = ""
    is_test: bool = False


class TabLink(msgspec.Struct, frozen=True, kw_only=True):
    """A payment link of a bill. `making`: the provider has not answered yet. It has an address while it is open."""

    id: str
    state: Literal["making", "open", "paid", "expired", "cancelled", "failed"]
    # With the tip.
    amount: int
    tip: int
    currency: str
    url: str
    phone: str
    by: str
    expires_at: int
    created_at: int
    waits_for_decision: bool

    @property
    def is_open(self) -> bool:
        """Whether it can still be paid."""
        return self.state in ("making", "open")


class TabReceipt(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a link that a guest asked for at a table, in minor units.

    `waiting`: nobody has proved the money yet; `held`: it came and does not fit the bill, so people decide about it;
    `over`: the link has ended, and no money came.
    """

    venue_id: str
    table_id: str
    state: Literal["waiting", "paid", "held", "returned", "over"]
    # With the tip; nothing before it is proved.
    amount: int = 0
    tip: int = 0
    language: str


class TabMoney(Protocol):
    """The same for tables' bills, which are locked where money moves."""

    async def room(self, tx: Tx, bill: Bill) -> int:
        """What is open and no link asks for yet."""
        ...

    async def ask(self, tx: Tx, venue: Venue, bill: Bill, wish: TabWish, now: int) -> str:
        """A new link's id. Raises `Conflict` where links would ask for more than is open. Call `hurry` after the commit."""
        ...

    async def hurry(self, account_id: int, link_id: str) -> TabLink:
        """Have the provider make it; what fails is done again later."""
        ...

    async def links(self, tx: Tx, bill: Bill) -> list[TabLink]:
        """Those that can be paid, or that people have to decide about."""
        ...

    async def take_back(self, tx: Tx, venue: Venue, bill: Bill, link_id: str, now: int, *, by: str = "") -> None:
        """Nobody is to pay it any more; with `by`, only if they asked for it, and it is no matter if it has ended."""
        ...

    async def refund(self, tx: Tx, venue: Venue, payment: TabPayment, reason: str, who: str, now: int) -> None:
        """Ask for what came by link to go back; it is noted when the provider has done so."""
        ...

    async def receipt(self, tx: Tx, account_id: int, link_id: str) -> TabReceipt | None:
        """What came of a link, and where a guest asked for it; nothing for links that no guest asked for."""
        ...


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
