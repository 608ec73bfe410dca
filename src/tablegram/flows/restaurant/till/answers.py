"""What is answered about the drawer. Amounts are decimal numbers of the venue's currency."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tablegram.restaurant.till.model import Kind
from tablegram.values.clock import MomentText


class TillMovement(Struct, kw_only=True, frozen=True):
    """Cash that came into the drawer or left it."""

    id: str
    kind: Annotated[
        Kind,
        Meta(
            description="taken from guests, their tips, handed_in by couriers, put_in; and out of it given_back, paid_out."
        ),
    ]
    amount: Annotated[float, Meta(description="More than nothing; the kind says which way.")]
    by: str
    reason: str
    at: MomentText


class TillSums(Struct, kw_only=True, frozen=True):
    """What came and went since the count before. `expected` is what should be in the drawer."""

    venue_id: str
    currency: str
    since: Annotated[MomentText | None, Meta(description="The count before; null before the first one.")]
    opening: Annotated[float, Meta(description="What the count before left in the drawer.")]
    taken: Annotated[float, Meta(description="Cash that guests paid.")]
    tips: Annotated[float, Meta(description="Tips in cash.")]
    handed_in: Annotated[float, Meta(description="What couriers handed in.")]
    put_in: float
    given_back: Annotated[float, Meta(description="Refunds in cash.")]
    paid_out: float
    expected: Annotated[float, Meta(description="opening + taken + tips + handed_in + put_in - given_back - paid_out.")]


class TillView(TillSums, kw_only=True, frozen=True):
    """The drawer now."""

    movements: Annotated[list[TillMovement], Meta(description="The newest first, at most 500.")]


class CountedNote(Struct, kw_only=True, frozen=True):
    """So many notes or coins of one value."""

    value: float
    count: int


class TillCount(TillSums, kw_only=True, frozen=True):
    """The drawer as somebody found it. It never changes."""

    id: str
    number: Annotated[int, Meta(description="From 1, without a gap.")]
    counted: float
    difference: Annotated[float, Meta(description="counted - expected: below 0 something is missing.")]
    kept: Annotated[float, Meta(description="What stayed in the drawer; the next one opens with it.")]
    notes: list[CountedNote]
    reason: str
    by: str
    at: MomentText


class TillCountDetails(TillCount, kw_only=True, frozen=True):
    """A count with everything that it closed."""

    movements: Annotated[list[TillMovement], Meta(description="The newest first, at most 500.")]


class TillCountPage(Struct, kw_only=True, frozen=True):
    """Counts, the newest first."""

    data: list[TillCount]
    next_cursor: str | None
