"""What the flows of integrations answer with. The same structs draw the OpenAPI document and are sent."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

_MomentText = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


class KeyView(Struct, kw_only=True, frozen=True):
    """A key, without the key itself."""

    id: str
    name: str
    mode: Literal["live", "test"]
    last4: str
    scopes: list[str]
    created_at: _MomentText
    expires_at: _MomentText | None
    revoked_at: _MomentText | None
    last_used_at: _MomentText | None


class NewKeyView(KeyView, kw_only=True, frozen=True):
    """A key just made. `key` is shown this once."""

    key: str


class KeyPage(Struct, kw_only=True, frozen=True):
    """The account's keys, oldest first."""

    data: list[KeyView]
    next_cursor: str | None
