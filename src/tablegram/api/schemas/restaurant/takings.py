"""The money that came in. Amounts are decimal numbers of the venue's currency."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

_DayText = Annotated[str, Meta(extra_json_schema={"format": "date"})]


class TakingsShare(Struct, kw_only=True):
    """What came in one way, by one person, on one day or in one hour."""

    key: str
    amount: float


class DayTakings(Struct, kw_only=True):
    """The money that came in; what was given back is taken off."""

    paid: float
    refunds: Annotated[float, Meta(description="What was given back; it is taken off `paid` already.")]
    open: Annotated[float, Meta(description="What can still be paid of the orders of this time.")]
    unpaid: Annotated[float, Meta(description="What nobody will pay any more of the orders of this time.")]
    tips: Annotated[float, Meta(description="Beside what was paid.")]
    discounts: Annotated[float, Meta(description="What was let off bills.")]
    by_method: Annotated[
        list[TakingsShare], Meta(description="cash, card, online and gift, which was paid for earlier.")
    ]
    by_person: Annotated[list[TakingsShare], Meta(description="Who took it.")]
    gifts_sold: Annotated[float, Meta(description="What came for gift cards: beside `paid`, for it is no revenue yet.")]
    gifts_by_method: Annotated[list[TakingsShare], Meta(description="How gift cards were paid for.")]


class TakingsBefore(Struct, kw_only=True):
    """As many days right before; of days that are not over yet, as much as has passed of the others."""

    since: _DayText
    until: _DayText
    paid: float
    refunds: float
    open: float
    unpaid: float
    tips: float
    discounts: float


class TakingsReport(DayTakings, kw_only=True):
    """The money that came in over some business days, and in the days before them."""

    venue_id: str
    since: _DayText
    until: _DayText
    day_ends_at: Annotated[str, Meta(description="When the business day ends, by the clock of the venue.")]
    time_zone: str
    currency: str
    by_day: list[TakingsShare]
    by_hour: Annotated[list[TakingsShare], Meta(description="Hours of the clock, from the beginning of the day.")]
    before: TakingsBefore
