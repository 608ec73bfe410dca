"""Sales, and the money that came in. Amounts are decimal numbers of the venue's currency."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.values.clock import DayText, MomentText


class TakingsShare(Struct, kw_only=True, frozen=True):
    """What came in one way, by one person, on one day or in one hour."""

    key: str
    amount: float


class DayTakings(Struct, kw_only=True, frozen=True):
    """The money that came in; what was given back is taken off."""

    paid: float
    open: Annotated[float, Meta(description="What can still be paid of the orders of this time.")]
    unpaid: Annotated[float, Meta(description="What nobody will pay any more of the orders of this time.")]
    tips: Annotated[float, Meta(description="Beside what was paid.")]
    refunds: Annotated[float, Meta(description="What was given back; it is taken off `paid` already.")]
    discounts: Annotated[float, Meta(description="What was let off bills.")]
    by_method: Annotated[
        list[TakingsShare], Meta(description="cash, card, online and gift, which was paid for earlier.")
    ]
    by_person: Annotated[list[TakingsShare], Meta(description="Who took it.")]
    gifts_sold: Annotated[float, Meta(description="What came for gift cards: beside `paid`, for it is no revenue yet.")]
    gifts_by_method: Annotated[list[TakingsShare], Meta(description="How gift cards were paid for.")]


class TakingsBefore(Struct, kw_only=True, frozen=True):
    """As many days right before; of days that are not over yet, as much as has passed of the others."""

    since: DayText
    until: DayText
    paid: float
    open: float
    unpaid: float
    tips: float
    refunds: float
    discounts: float


class TakingsReport(DayTakings, kw_only=True, frozen=True):
    """The money that came in over some business days, and in the days before them."""

    venue_id: str
    since: DayText
    until: DayText
    day_ends_at: Annotated[str, Meta(description="When the business day ends, by the clock of the venue.")]
    time_zone: str
    currency: str
    by_day: list[TakingsShare]
    by_hour: Annotated[list[TakingsShare], Meta(description="Hours of the clock, from the beginning of the day.")]
    before: TakingsBefore


class SalesFigures(Struct, kw_only=True, frozen=True):
    """How many orders, and what they came to."""

    orders: int
    revenue: float
    average: Annotated[float, Meta(description="Of one order.")]


class SalesRow(Struct, kw_only=True, frozen=True):
    """One day, hour, item, waiter or kind of order."""

    key: Annotated[str, Meta(description="The day, the hour, the item's id, the waiter's name or the kind.")]
    name: Annotated[str, Meta(description="Of an item; else empty.")]
    quantity: Annotated[int | None, Meta(description="How often an item was sold; else null.")]
    orders: Annotated[int | None, Meta(description="Null for items.")]
    revenue: float
    average: Annotated[float, Meta(description="Of one order, or of one item.")]


class SalesReport(Struct, kw_only=True, frozen=True):
    """What a venue sold, in days of its own calendar."""

    venue_id: str
    since: DayText
    until: DayText
    time_zone: str
    currency: str
    by: Literal["day", "hour", "item", "waiter", "order_type"]
    total: SalesFigures
    data: list[SalesRow]


class SalesGroup(Struct, kw_only=True, frozen=True):
    """One way of paying, or one kind of order."""

    key: str
    orders: int
    revenue: float
    average: Annotated[float, Meta(description="Of one order.")]


class SalesExtra(Struct, kw_only=True, frozen=True):
    """Charges or discounts of one name, added up."""

    kind: str
    name: str
    orders: int
    amount: float


class DaySummary(Struct, kw_only=True, frozen=True):
    """The end of a day."""

    venue_id: str
    venue_name: str
    day: DayText
    time_zone: str
    currency: str
    total: SalesFigures
    takings: DayTakings
    by_payment_method: list[SalesGroup]
    by_order_type: list[SalesGroup]
    charges: list[SalesExtra]
    discounts: list[SalesExtra]
    top_items: list[SalesRow]
    cancelled: Annotated[SalesFigures, Meta(description="Cancelled, rejected and expired ones, which do not count.")]
    refunded: Annotated[SalesFigures, Meta(description="Given back, which do not count.")]
    waiting: Annotated[SalesFigures, Meta(description="Not accepted or not paid yet, which do not count yet.")]
    made_at: MomentText
