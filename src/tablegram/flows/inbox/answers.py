"""What the flows of the inbox answer with. The same structs draw the OpenAPI document and are sent."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

_MomentText = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


class CannedReplyView(Struct, kw_only=True, frozen=True):
    """A canned reply."""

    id: str
    shortcut: str
    text: str
    updated_at: _MomentText
    updated_by: Annotated[str, Meta(description="Who changed it last: a person's or a key's name.")]


class CannedReplyPage(Struct, kw_only=True, frozen=True):
    """Canned replies in the order of their shortcuts."""

    data: list[CannedReplyView]
    next_cursor: str | None
