"""What belongs to a venue: its standing, its waiters, sections and tables, and its images."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tablegram.flows.wire import DayOff, OpenDay
from tablegram.restaurant.hours import Reason
from tablegram.restaurant.menu.model import OrderType
from tablegram.restaurant.venues import CallsCouriers as CallsCouriersWhen
from tablegram.values.clock import MomentText

CallsCouriers = Annotated[
    CallsCouriersWhen,
    Meta(
        description="When couriers at work are told by message of an order that nobody brings yet: never, as soon as the kitchen has it, or when it is ready. Each hears of an order once."
    ),
]


class PauseView(Struct, kw_only=True, frozen=True):
    """No orders for a while."""

    starts_at: MomentText
    ends_at: MomentText | None
    reason: str


class VenueView(Struct, kw_only=True, frozen=True):
    """A venue."""

    id: str
    name: str
    instance_id: int | None
    currency: str
    time_zone: str
    locale: str
    languages: list[str]
    order_types: list[OrderType]
    stations: list[str]
    is_default: bool
    accepts_by_itself: bool
    refuses_unsigned: bool
    service_charge: Annotated[float, Meta(description="In percent.")]
    hours: list[OpenDay]
    exceptions: list[DayOff]
    pauses: list[PauseView]
    last_order_min: int
    address: str
    phone: str
    preparation_min: int
    answer_within_min: int
    reads_texts: bool
    skips_read_back: bool
    asks_for_offers: bool = False
    pays_online: list[OrderType]
    prepaid: list[OrderType]
    pay_within_min: int
    payment_provider_id: str
    day_ends_at: str
    calls_couriers: CallsCouriers
    alert_phone: Annotated[str, Meta(description="Who hears of tickets that are not printed; empty: nobody.")]
    logo_id: str | None
    how_to: dict[str, str]
    vat_percent: Annotated[
        float | None, Meta(description="VAT that prices usually include; nothing where none is shown.")
    ]
    latitude: Annotated[float | None, Meta(description="Null where nobody has said where it is.")]
    longitude: float | None
    menu_version: Annotated[int, Meta(description="Grows with every change of the menu.")]
    menu_url: Annotated[str, Meta(description="The menu's page, for guests without a table.")]
    created_at: MomentText
    updated_at: MomentText


class VenuePage(Struct, kw_only=True, frozen=True):
    """Venues, oldest first."""

    data: list[VenueView]
    next_cursor: str | None


class WaiterView(Struct, kw_only=True, frozen=True):
    """A waiter."""

    id: str
    name: str
    phone: Annotated[str, Meta(description="Empty where calls are not sent to them.")]
    member_id: Annotated[str | None, Meta(description="Who signs in as this waiter; null for nobody.")]


class WaiterPage(Struct, kw_only=True, frozen=True):
    """Waiters of a venue, by name."""

    data: list[WaiterView]
    next_cursor: str | None


class SectionView(Struct, kw_only=True, frozen=True):
    """A section."""

    id: str
    name: str
    waiter_id: str | None
    position: int


class SectionPage(Struct, kw_only=True, frozen=True):
    """Sections of a venue in their order."""

    data: list[SectionView]
    next_cursor: str | None


class TableView(Struct, kw_only=True, frozen=True):
    """A table."""

    id: str
    label: str
    section_id: str | None
    section_name: str
    waiter_id: Annotated[str | None, Meta(description="Its own waiter, if it has one.")]
    waiter_name: Annotated[str, Meta(description="Who serves it: its own waiter, or its section's.")]
    seats: int | None
    position: int
    generation: Annotated[int, Meta(description="Grows when its codes are rotated; earlier ones are refused.")]
    link: Annotated[str, Meta(description="What its code opens, signature included.")]
    created_at: MomentText


class TableList(Struct, kw_only=True, frozen=True):
    """Tables in their order."""

    data: list[TableView]


class TablePage(Struct, kw_only=True, frozen=True):
    """Tables in their order, as many as were asked for."""

    data: list[TableView]
    next_cursor: str | None


class ImageView(Struct, kw_only=True, frozen=True):
    """A photo or a logo. The addresses need no key, and what is there never changes."""

    image_id: str
    width: Annotated[int, Meta(description="Of the larger one, in pixels.")]
    height: int
    url: Annotated[str, Meta(description="WebP, 960 pixels at its longer side.")]
    small_url: Annotated[str, Meta(description="WebP, 320 pixels at its longer side.")]
    created_at: MomentText


class ImagePage(Struct, kw_only=True, frozen=True):
    """Images of a venue, newest first."""

    data: list[ImageView]
    next_cursor: str | None


class VenueStanding(Struct, kw_only=True, frozen=True):
    """How a venue stands at this moment."""

    is_open: bool
    until: Annotated[MomentText | None, Meta(description="When it closes; null while it is closed, or without an end.")]
    opens_at: Annotated[MomentText | None, Meta(description="When it opens next, if it is closed; null: never.")]
    takes_orders: bool
    orders_until: Annotated[MomentText | None, Meta(description="The last order must be in before this.")]
    next_slot: Annotated[MomentText | None, Meta(description="The first moment that an order can be for; null: none.")]
    reason: Reason
