"""What is answered about shops and forms: the structs that flows make, pages show, and the API encodes."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.stores.model import Attention, State
from tablegram.stores.ports import EventKind
from tablegram.values.clock import MomentText

Platform = Literal["shopify", "woocommerce", "trendyol", "gloriafood", "generic", "form"]


class SourceView(Struct, kw_only=True, frozen=True):
    """A shop or a form that the account has connected."""

    id: str
    platform: Platform
    name: str
    hook_url: Annotated[str, Meta(description="Enter it at the platform: there it delivers.")]
    has_secret: Annotated[bool, Meta(description="Whether deliveries are proven with a secret.")]
    secret: Annotated[str | None, Meta(description="Only where we made one just now; it is not shown again.")]
    country: Annotated[str, Meta(description="What national numbers are read with; empty where nobody said.")]
    currency: str
    mapping: Annotated[dict[str, str], Meta(description="Where facts lie in what is delivered, by fact.")]
    instance_id: Annotated[int | None, Meta(description="The line that its customers are written with.")]
    venue_id: Annotated[
        str | None,
        Meta(
            description="Of GloriaFood: the venue that cooks its orders. Null: the one that has the restaurant's name."
        ),
    ]
    active: Annotated[bool, Meta(description="false: deliveries are answered and not kept.")]
    heard_at: Annotated[MomentText | None, Meta(description="When it last delivered something.")]
    created_at: MomentText
    updated_at: MomentText


class SourcePage(Struct, kw_only=True, frozen=True):
    """The account's shops and forms, oldest first."""

    data: list[SourceView]


class PersonView(Struct, kw_only=True, frozen=True):
    """Whom it is about, as the platform wrote it."""

    name: str
    phones: list[str]
    email: str
    language: str
    country: str
    consents: Annotated[bool | None, Meta(description="To marketing by message; null where the platform does not say.")]


class GoodView(Struct, kw_only=True, frozen=True):
    """A line of an order or a cart."""

    name: str
    quantity: int
    amount: float | None


class TrackingView(Struct, kw_only=True, frozen=True):
    """How a parcel is followed."""

    carrier: str
    number: str
    url: str


class FieldView(Struct, kw_only=True, frozen=True):
    """A field of a form, as it was filled in."""

    name: str
    value: str


class OutcomeView(Struct, kw_only=True, frozen=True):
    """What was done because of an event, or why not."""

    code: Annotated[str, Meta(description="Stable: recorded, older, sent, planned, duplicate, off, no_phone, task, …")]
    what: Annotated[str, Meta(description="What it speaks of: order, order_confirmation, …")]
    detail: str


class StoreEventView(Struct, kw_only=True, frozen=True):
    """What was read from a delivery."""

    kind: EventKind
    reference: Annotated[str, Meta(description="The platform's own id of the order, checkout or submission.")]
    number: str
    at: Annotated[MomentText | None, Meta(description="When it happened by the platform's clock.")]
    person: PersonView
    phone: Annotated[str, Meta(description="The number that was found, with its country code; else empty.")]
    phone_problem: Annotated[Literal["", "no_phone", "bad_number"], Meta(description="Why there is none; else empty.")]
    contact_id: str | None
    goods: list[GoodView]
    amount: float | None
    currency: str
    status: str
    url: str
    tracking: TrackingView | None
    reason: str
    title: str
    fields: list[FieldView]
    outcomes: list[OutcomeView]


class StoreDeliveryView(Struct, kw_only=True, frozen=True):
    """Something that a shop or a form delivered."""

    id: str
    source_id: str
    topic: Annotated[str, Meta(description="The platform's own word for it.")]
    state: Annotated[
        State,
        Meta(
            description="done: it meant something. ignored: it is of a kind that is left alone. unreadable: see reason."
        ),
    ]
    reason: Annotated[str, Meta(description="Why it could not be read, by a stable code; else empty.")]
    detail: str
    events: list[StoreEventView]
    attention: Annotated[Attention, Meta(description="What somebody must see to; else empty.")]
    settled_at: Annotated[MomentText | None, Meta(description="When somebody did.")]
    test: Annotated[bool, Meta(description="A sample that somebody had sent.")]
    size: Annotated[int, Meta(description="Bytes of its body.")]
    replays: int
    received_at: MomentText
    worked_at: MomentText


class StoreDelivery(StoreDeliveryView, kw_only=True, frozen=True):
    """With what came, as it came."""

    headers: Annotated[dict[str, str], Meta(description="Those that say what it is; never those that prove it.")]
    body: Annotated[str, Meta(description="As text; at most its first 100,000 characters. Empty once it is forgotten.")]


class StoreDeliveryPage(Struct, kw_only=True, frozen=True):
    """Deliveries, newest first."""

    data: list[StoreDeliveryView]
    next_cursor: str | None


class StoreOrderView(Struct, kw_only=True, frozen=True):
    """An order of a shop, as the last event told of it."""

    id: str
    source_id: str
    reference: str
    number: str
    name: str
    email: str
    phone: str
    contact_id: str | None
    language: str
    amount: float | None
    currency: str
    last_event: EventKind
    status: Annotated[str, Meta(description="The platform's own word.")]
    url: str
    goods: list[GoodView]
    tracking: TrackingView | None
    happened_at: Annotated[MomentText, Meta(description="When the last event happened, by the platform's clock.")]
    created_at: MomentText
    updated_at: MomentText


class StoreOrderPage(Struct, kw_only=True, frozen=True):
    """Orders, newest first."""

    data: list[StoreOrderView]
    next_cursor: str | None


class SourceTest(Struct, kw_only=True, frozen=True):
    """A sample on its way through the real hook."""

    status: Annotated[int, Meta(description="What the hook answered.")]
    delivery_name: Annotated[str, Meta(description="Under which the log shows it: the number of the sample order.")]
