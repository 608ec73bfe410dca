"""Bodies of the calls about the progress of an order."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tablegram.api.schemas.fields import line
from tablegram.restaurant.kitchen.progress import Tap

_LineId = Annotated[str, Meta(pattern="^[0-9a-f]{12}(-[0-9]{1,2})?$", examples=["5f3a0c9be212"])]


class TapLines(Struct, kw_only=True, forbid_unknown_fields=True):
    """What a station does to its share of an order. Without `station` and `line_ids`: to the whole order."""

    action: Annotated[
        Tap, Meta(description="start: somebody cooks it. finish: it is done. recall: it is not done after all.")
    ]
    station: Annotated[
        Annotated[str, line(40, "A station of the venue.", "bar")] | None,
        Meta(description="Only what is made there. A line of another station is then refused."),
    ] = None
    line_ids: Annotated[list[_LineId], Meta(max_length=50, description="Only these lines; empty for all.")] = []
    revision: Annotated[
        Annotated[int, Meta(ge=1, le=2_000_000_000)] | None,
        Meta(description="Only if the order is still this revision; otherwise 409 order_changed."),
    ] = None
