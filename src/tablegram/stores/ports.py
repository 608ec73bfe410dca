"""What a source of store events can do, whichever platform is behind it. One contract test runs over all of them.

A source never decides anything: it proves that a delivery is genuine, gives it a name under which the same delivery
comes once, and says what it means. What is sent because of it is decided by who keeps the notifications.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

import msgspec

EventKind = Literal[
    "order_created",
    "order_paid",
    "order_changed",
    "order_shipped",
    "order_delivered",
    "order_cancelled",
    "order_refunded",
    # A checkout that was begun or changed: a cart that may be left behind.
    "checkout_changed",
    "checkout_completed",
    "checkout_deleted",
    "form_sent",
    # What the law lets a customer, or a shop that leaves, ask for.
    "export_asked",
    "erasure_asked",
    "shop_erasure_asked",
]


class ShopCustomer(msgspec.Struct, frozen=True, kw_only=True):
    """Who it is about, as the source wrote it. `phones` are candidates in the order in which they are tried."""

    name: str = ""
    phones: tuple[str, ...] = ()
    email: str = ""
    # Two letters (`tr`), as far as the source says so; a region is left out.
    language: str = ""
    # Of the address, two capital letters (`TR`): what a national number is read with before the shop's own country.
    country: str = ""
    # Whether they agreed to marketing by message; nothing where the source does not say.
    consents: bool | None = None


class Good(msgspec.Struct, frozen=True, kw_only=True):
    """A line of an order or a cart. `amount` is of the whole line, in minor units of the event's currency."""

    name: str
    quantity: int = 1
    amount: int | None = None
    # Of a dish: what was chosen with it, and what the guest wants of it.
    options: tuple[str, ...] = ()
    note: str = ""


class Tracking(msgspec.Struct, frozen=True, kw_only=True):
    carrier: str = ""
    number: str = ""
    url: str = ""


class StoreEvent(msgspec.Struct, frozen=True, kw_only=True):
    """What happened, in words that all platforms share.

    `reference` is the platform's own id of the order, checkout or submission: the same one names the same thing in every
    later event. `at` is when it happened by the platform's clock, in ms; 0 where it does not say.
    """

    kind: EventKind
    reference: str
    at: int = 0
    # What people call it: `#1001`.
    number: str = ""
    # Ties a checkout to the order that came of it, where the platform has such a word.
    checkout: str = ""
    person: ShopCustomer = ShopCustomer()
    goods: tuple[Good, ...] = ()
    # The total in minor units of `currency` (three capital letters). Of `order_refunded`: what was given back, not the
    # order's total.
    amount: int | None = None
    currency: str = ""
    # The platform's own word for the state of the order.
    status: str = ""
    # Where the customer sees the order, or takes the cart up again.
    url: str = ""
    tracking: Tracking | None = None
    # Why it was cancelled or given back, in the platform's words.
    reason: str = ""
    # Of an order of food: `delivery`, `pickup` or `dine_in`, where to, by when (0: as soon as it can be), and what else
    # was written.
    service: str = ""
    address: str = ""
    due_at: int = 0
    note: str = ""
    # Of a form: its title, and every field as it was written, in order. Mapped fields of a generic source too.
    title: str = ""
    fields: tuple[tuple[str, str], ...] = ()


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What a source was connected with, as far as reading needs it."""

    # Of the shop, two capital letters, or nothing.
    country: str = ""
    # What amounts without a currency are in.
    currency: str = ""
    # Made by clicking on a sample: our name of a fact (`phone`, `name`, `number`, `amount`, `kind`, ...) and where it
    # lies in the payload (`order.customer.phone`, `items.0.title`).
    mapping: dict[str, str] = {}


class Unverified(Exception):
    """A delivery that nobody can have signed who may. Nothing of it is kept."""


class Unreadable(Exception):
    """It is genuine, and means nothing to us. `code` is stable, `detail` is for people, without personal data."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


class Source(Protocol):
    """One platform. Header names come in lower case; the body is what came, byte by byte."""

    platform: str

    def prove(self, secret: str, headers: Mapping[str, str], body: bytes) -> None:
        """Raise `Unverified` unless it is genuine. An empty secret proves nothing where one is needed.

        A secret may be several, one on a line: any of them proves.

        A delivery that platforms send unsigned by design (a ping at connecting) passes, and `read` finds nothing in it.
        """
        ...

    def name(self, headers: Mapping[str, str], body: bytes) -> str:
        """The same delivery has the same name, however often it comes; at most 200 characters."""
        ...

    def topic(self, headers: Mapping[str, str], body: bytes) -> str:
        """The platform's own word for what this is about, for people who look at the log; empty where it has none."""
        ...

    def read(self, headers: Mapping[str, str], body: bytes, setup: Setup) -> tuple[StoreEvent, ...]:
        """What it means; nothing where it is of a kind that we leave alone. Raises `Unreadable`."""
        ...
