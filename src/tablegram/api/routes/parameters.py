"""Parameters that several addresses take."""

from __future__ import annotations

from typing import Annotated

from litestar.params import PathParameter, QueryParameter

from tablegram.api.rules import parse_moment_ms
from tablegram.errors import Invalid

Limit = Annotated[int, QueryParameter(ge=1, le=200, description="How many entries to answer, 1 to 200.")]
Cursor = Annotated[
    str | None,
    QueryParameter(
        pattern="^[A-Za-z0-9_-]+$",
        max_length=500,
        description="The next_cursor of the previous page; absent: the first page.",
    ),
]
MessageId = Annotated[
    str, PathParameter(description="The network's identifier of the message, or the gateway's own (gw.…).")
]
InstancePath = Annotated[int, PathParameter(ge=1, le=9_007_199_254_740_991, description="The line.")]


def moment_ms(text: str | None, field: str) -> int | None:
    if text is None:
        return None
    # A plus sign in an address means a space; who forgot to encode it is understood all the same.
    at_ms = parse_moment_ms(text.replace(" ", "+"))
    if at_ms is None:
        raise Invalid.field(
            field, "time_invalid", f"{field} must be RFC 3339 with its offset, for example 2026-03-01T18:30:00Z."
        )
    return at_ms
