"""What happened, and what it looks like."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Raw, Struct

from tablegram.values import Json
from tablegram.values.clock import MomentText

# An object as it was written when it happened; it goes out in the same bytes.
_Written = Annotated[Raw, Meta(extra_json_schema={"type": "object"})]


class EventView(Struct, kw_only=True, frozen=True):
    """An event of the account."""

    id: Annotated[str, Meta(description="The webhook-id header of its deliveries.")]
    cursor: Annotated[str, Meta(description="Give it as `after` to get what came behind this event.")]
    event: str
    created_at: MomentText
    body: Annotated[
        _Written,
        Meta(description="The object that endpoints get; while a file is being fetched, without its size."),
    ]


class EventPage(Struct, kw_only=True, frozen=True):
    """Events, oldest first."""

    data: list[EventView]
    next_cursor: str | None


class SampleView(Struct, kw_only=True, frozen=True):
    """What an event looks like. `id` is its own, as that of every delivery is."""

    id: str
    event: str
    when: str
    body: Json


class SamplePage(Struct, kw_only=True, frozen=True):
    """A sample of each event."""

    data: list[SampleView]
    next_cursor: str | None
