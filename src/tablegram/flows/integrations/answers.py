"""What the flows of integrations answer with. The same structs draw the OpenAPI document and are sent."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tablegram.values.clock import MomentText


class KeyView(Struct, kw_only=True, frozen=True):
    """A key, without the key itself."""

    id: str
    name: str
    mode: Literal["live", "test"]
    last4: str
    scopes: list[str]
    created_at: MomentText
    expires_at: MomentText | None
    revoked_at: MomentText | None
    last_used_at: MomentText | None


class NewKeyView(KeyView, kw_only=True, frozen=True):
    """A key just made. `key` is shown this once."""

    key: str


class KeyPage(Struct, kw_only=True, frozen=True):
    """The account's keys, oldest first."""

    data: list[KeyView]
    next_cursor: str | None
