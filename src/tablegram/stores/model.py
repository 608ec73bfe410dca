"""Sources, deliveries and orders, as they are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import msgspec

from tablegram.storage.database import Params
from tablegram.stores.ports import EventKind, Good, Setup, StoreEvent, Tracking

if TYPE_CHECKING:
    from tablegram.stores.rows import DeliveryRow, ListedDelivery, OrderRow, ShopRow

SOURCE_PREFIX = "src_"
DELIVERY_PREFIX = "sdl_"
ORDER_PREFIX = "sor_"

State = Literal["done", "ignored", "unreadable"]
STATES: tuple[State, ...] = ("done", "ignored", "unreadable")
# What the law lets people ask for, until somebody has seen to it.
Attention = Literal["", "export_asked", "erasure_asked", "shop_erasure_asked"]
ATTENTIONS: tuple[Attention, ...] = ("export_asked", "erasure_asked", "shop_erasure_asked")
# Why nobody can be written to; empty where there is a number.
PhoneProblem = Literal["", "no_phone", "bad_number"]


class SourceRow(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    id: str
    platform: str
    name: str
    hook_hash: str
    hook_sealed: str
    secret_sealed: str = ""
    country: str = ""
    currency: str = ""
    mapping: dict[str, str] = {}
    # Nothing for the account's usual line.
    instance_id: int | None = None
    # Of a source whose orders are cooked: where. Nothing: found by its name.
    venue_id: str | None = None
    is_active: bool = True
    heard_at: int | None = None
    created_at: int
    updated_at: int
    removed_at: int | None = None

    @property
    def setup(self) -> Setup:
        return Setup(country=self.country, currency=self.currency, mapping=self.mapping)


class Followed(msgspec.Struct, frozen=True, kw_only=True):
    """What a follower did with an event, or why not. `code` is stable; `what` says which thing it speaks of.

    Codes that exist: `recorded`, `older`, `duplicate`, `sent`, `planned`, `cancelled`, `off`, `no_phone`, `bad_number`,
    `no_consent`, `opted_out`, `task`. A follower may have others; the panel has words for each in `stores.outcome.<code>`.
    """

    code: str
    # `order`, `order_confirmation`, `abandoned_cart`, ...: who acted, or on what.
    what: str = ""
    detail: str = ""


class Noted(msgspec.Struct, frozen=True, kw_only=True):
    """An event of a delivery, as the log shows it."""

    event: StoreEvent
    phone: str = ""
    phone_problem: PhoneProblem = ""
    contact_id: str | None = None
    outcomes: tuple[Followed, ...] = ()


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    id: str
    source_id: str
    name: str
    topic: str = ""
    headers: dict[str, str] = {}
    body: bytes = b""
    size: int = 0
    state: State = "done"
    # A stable code where it could not be read, and words for people.
    reason: str = ""
    detail: str = ""
    events: tuple[Noted, ...] = ()
    reference: str = ""
    number: str = ""
    attention: Attention = ""
    settled_by: str = ""
    settled_at: int | None = None
    is_test: bool = False
    replays: int = 0
    received_at: int
    worked_at: int = 0


class StoreOrder(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    id: str
    source_id: str
    reference: str
    number: str = ""
    checkout: str = ""
    name: str = ""
    email: str = ""
    phone: str = ""
    contact_id: str | None = None
    language: str = ""
    amount: int | None = None
    currency: str = ""
    kind: EventKind = "order_created"
    status: str = ""
    url: str = ""
    goods: tuple[Good, ...] = ()
    tracking: Tracking | None = None
    at: int = 0
    created_at: int
    updated_at: int


class ToldEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event as followers get it, with everything that is known of it by then."""

    source: SourceRow
    delivery: Delivery
    event: StoreEvent
    # With its country code: of the event, else of the order that it speaks of.
    phone: str = ""
    phone_problem: PhoneProblem = ""
    contact_id: str | None = None
    # Of events about orders: as it is now.
    order: StoreOrder | None = None
    # The same before this event; nothing where it is new.
    before: StoreOrder | None = None
    # Something newer is known of the order already: what it says of its state is over.
    is_older: bool = False
    # When it happened, in ms: by the platform's clock, else when it came.
    at: int = 0


_AS_JSON = frozenset({"mapping", "headers", "events", "goods", "tracking"})
_FLAGS = frozenset({"is_active", "is_test"})
_encode = msgspec.json.Encoder().encode
_texts = msgspec.json.Decoder(dict[str, str]).decode
_events = msgspec.json.Decoder(tuple[Noted, ...]).decode
_goods = msgspec.json.Decoder(tuple[Good, ...]).decode
_tracking: Callable[[str], Tracking | None] = msgspec.json.Decoder(Tracking | None).decode


def write(row: SourceRow | Delivery | StoreOrder) -> Params:
    """As a row of its table."""
    values = msgspec.structs.asdict(row)
    for name in values.keys() & _AS_JSON:
        values[name] = _encode(values[name]).decode()
    for name in values.keys() & _FLAGS:
        values[name] = int(values[name])
    return values


def read_source(row: ShopRow) -> SourceRow:
    return SourceRow(
        account_id=row["account_id"],
        id=row["id"],
        platform=row["platform"],
        name=row["name"],
        hook_hash=row["hook_hash"],
        hook_sealed=row["hook_sealed"],
        secret_sealed=row["secret_sealed"],
        country=row["country"],
        currency=row["currency"],
        mapping=_texts(row["mapping"]),
        instance_id=row["instance_id"],
        venue_id=row["venue_id"],
        is_active=bool(row["is_active"]),
        heard_at=row["heard_at"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        removed_at=row["removed_at"],
    )


def read_delivery(row: DeliveryRow) -> Delivery:
    return read_listed(row, bytes(row["body"]))


def read_listed(row: ListedDelivery, body: bytes = b"") -> Delivery:
    return Delivery(
        account_id=row["account_id"],
        id=row["id"],
        source_id=row["source_id"],
        name=row["name"],
        topic=row["topic"],
        headers=_texts(row["headers"]),
        body=body,
        size=row["size"],
        state=row["state"],
        reason=row["reason"],
        detail=row["detail"],
        events=_events(row["events"]),
        reference=row["reference"],
        number=row["number"],
        attention=row["attention"],
        settled_by=row["settled_by"],
        settled_at=row["settled_at"],
        is_test=bool(row["is_test"]),
        replays=row["replays"],
        received_at=row["received_at"],
        worked_at=row["worked_at"],
    )


def read_order(row: OrderRow) -> StoreOrder:
    return StoreOrder(
        account_id=row["account_id"],
        id=row["id"],
        source_id=row["source_id"],
        reference=row["reference"],
        number=row["number"],
        checkout=row["checkout"],
        name=row["name"],
        email=row["email"],
        phone=row["phone"],
        contact_id=row["contact_id"],
        language=row["language"],
        amount=row["amount"],
        currency=row["currency"],
        kind=row["kind"],
        status=row["status"],
        url=row["url"],
        goods=_goods(row["goods"]),
        tracking=_tracking(row["tracking"]),
        at=row["at"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )
