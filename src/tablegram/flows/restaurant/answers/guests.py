"""What the guest's page reads of a venue, a cart, a table and an order. Amounts are whole minor units."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from tablegram.restaurant.destinations import ZoneReach
from tablegram.restaurant.hours import Reason
from tablegram.restaurant.lines import Choice, Trouble
from tablegram.restaurant.menu.public import Closed
from tablegram.restaurant.orders.states import OrderType, PaymentMethod, PaymentState, State


class OfferSentence(Struct, frozen=True):
    """What guests agree to by ticking it."""

    version: str
    words: str


class GuestVenueStanding(Struct, kw_only=True, frozen=True):
    """How a venue stands at this moment: open or not, and what cannot be had."""

    open: bool
    until_ms: int | None
    opens_ms: int | None
    takes_orders: bool
    orders_until_ms: int | None
    reason: Reason
    order_types: list[OrderType]
    # By language.
    offers: dict[str, OfferSentence]
    # By kind of order, as is what is closed; in it by the id of a dish or an option.
    payment_methods: dict[str, list[PaymentMethod]]
    rewards: bool
    gifts: bool
    closed: dict[str, dict[str, Closed]]


class VenueGlance(Struct, frozen=True):
    """What open pages hear of."""

    version: int
    standing: GuestVenueStanding


class PageLine(Struct, kw_only=True, frozen=True):
    """A line with its price, as the page shows and edits it."""

    item_id: str
    quantity: int
    choices: tuple[Choice, ...]
    note: str
    name: str
    options: tuple[str, ...]
    unit_price: int
    amount: int


class PageExtra(Struct, frozen=True):
    """A charge or a discount."""

    kind: str
    name: str
    amount: int


class BroughtView(Struct, kw_only=True, frozen=True):
    """What it takes to bring a cart to where its guest is; `words` say why nobody does."""

    standing: ZoneReach = "unknown"
    zone: str = ""
    minutes: int | None = None
    missing: int = 0
    words: str = ""


class CartOrder(Struct, frozen=True):
    """The order that a cart has become."""

    order_id: str
    status: State
    status_url: str


class CartView(Struct, kw_only=True, frozen=True):
    """A cart with the prices of this moment, what stands in its way, and the text that sends it."""

    code: str
    revision: int
    state: str
    order_type: OrderType
    table: str
    language: str
    notes: str
    offers: str
    lines: list[PageLine]
    troubles: tuple[Trouble, ...]
    subtotal: int
    charges: list[PageExtra]
    total: int
    delivery: BroughtView | None
    currency: str
    text: str
    expires_ms: int
    order: CartOrder | None = None
    # Told once, to who opens the cart.
    holder: str | UnsetType = UNSET
    # Where the text is sent from; nothing where the venue has no number.
    link: str | None = None


class TakenOff(Struct, frozen=True):
    name: str
    amount: int


class CartRewards(Struct, frozen=True):
    """What the guest chose to redeem takes off a cart."""

    revision: int
    discounts: list[TakenOff]
    to_pay: int


class TableLine(Struct, kw_only=True, frozen=True):
    item_id: str
    name: str
    quantity: int
    options: tuple[str, ...]
    amount: int


class OtherCart(Struct, kw_only=True, frozen=True):
    id: str
    age_min: int
    lines: list[TableLine]
    subtotal: int


class TableOrder(Struct, kw_only=True, frozen=True):
    order_id: str
    status: State
    lines: list[TableLine]
    total: int


class GuestTableView(Struct, kw_only=True, frozen=True):
    """What the others at the table have chosen and what was ordered there; nobody's name or number."""

    others: list[OtherCart]
    ordered: list[TableOrder]
    total: int
    currency: str


class GuestVenue(Struct, kw_only=True, frozen=True):
    id: str
    name: str
    time_zone: str
    phone: str


class GuestStep(Struct, frozen=True):
    """A state that an order went through, and the moment it came."""

    status: State
    at_ms: int


class PayingView(Struct, kw_only=True, frozen=True):
    """How the guest can pay on their phone: by link, and by `gift` card. `left` is what is to be paid.

    `state`: `none` before anybody asked for a link, `making` while the provider has not answered, `open`, or `over`; empty
    where nothing is paid by link.
    """

    state: Literal["", "none", "making", "open", "over"] = ""
    url: str = ""
    expires_ms: int | None = None
    in_person: bool = False
    gift: bool = False
    left: int = 0


class GuestOrder(Struct, kw_only=True, frozen=True):
    """An order for the guest whose it is."""

    order_id: str
    status: State
    status_url: str
    venue: GuestVenue
    order_type: OrderType
    table: str
    name: str
    items: list[PageLine]
    notes: str
    address: str
    subtotal: int
    charges: list[PageExtra]
    discounts: list[PageExtra]
    total: int
    currency: str
    payment_method: PaymentMethod
    payment_status: PaymentState
    language: str
    created_ms: int
    promised_ms: int | None
    updated_ms: int
    may_cancel: bool
    reason: str
    history: list[GuestStep]
    # The first name of who is on the way with it.
    courier: str
    paying: PayingView | None
    # By it a number that was only typed says that it is its order; nothing where it need not.
    proof_link: str | UnsetType | None = UNSET
