"""What was used and what it cost, as the API tells it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

By = Literal["day", "instance", "country", "category"]
_Sent = Annotated[int, Meta(description="Taken by the network and not yet known to be delivered.")]
_Delivered = Annotated[int, Meta(description="Delivered and not yet read.")]
_Cost = Annotated[float, Meta(description="The network's price where it is known, else the estimate.")]


class UsageCounts(Struct, kw_only=True):
    """Messages by their present state, and their cost."""

    received: int
    queued: int
    sent: _Sent
    delivered: _Delivered
    read: int
    failed: int
    cancelled: int
    cost_usd: _Cost


class UsageRow(Struct, kw_only=True):
    # Not inherited: what a row stands for comes first, and its counts after it.
    key: Annotated[str, Meta(description="The day, the line's id, the calling code or the category; empty: none.")]
    name: Annotated[str, Meta(description="The line's name or the country's two letters; empty otherwise.")]
    received: int
    queued: int
    sent: _Sent
    delivered: _Delivered
    read: int
    failed: int
    cancelled: int
    cost_usd: _Cost


class UsageReport(Struct, kw_only=True):
    since: Annotated[str, Meta(description="The first day.")]
    until: Annotated[str, Meta(description="The last day.")]
    time_zone: str
    by: By
    total: UsageCounts
    data: list[UsageRow]
