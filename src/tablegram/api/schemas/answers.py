"""What the API answers with."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tablegram.values.clock import MomentText


class Account(Struct, kw_only=True):
    """The account that the key belongs to."""

    id: int
    name: str
    plan: str


class KeyFacts(Struct, kw_only=True):
    """The key of this request."""

    id: str
    name: str
    mode: Literal["live", "test"]
    scopes: list[str]
    expires_at: MomentText | None


class Quota(Struct, kw_only=True):
    """Where the account stands with its free messages and its balance."""

    billing: Literal["off", "prepaid"]
    free_messages: int
    free_used: int
    free_left: int
    free_until: MomentText | None
    balance_usd: float


class RateFigures(Struct, kw_only=True):
    """How fast this key may call."""

    per_second: float
    burst: int


class Me(Struct, kw_only=True):
    """Who calls, and what they may do."""

    account: Account
    key: KeyFacts
    quota: Quota
    rate_limit: RateFigures
    api_version: str


class RequestView(Struct, kw_only=True):
    """One call of the API as the log has it."""

    request_id: str
    key_id: str
    method: str
    path: str
    status: int
    code: str | None
    detail: str | None
    duration_ms: float
    remote: str
    created_at: MomentText


class RequestPage(Struct, kw_only=True):
    """Calls of the API, newest first."""

    data: list[RequestView]
    next_cursor: str | None
