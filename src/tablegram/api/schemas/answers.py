"""What the API answers with."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.flows.gateway.answers.sends import FieldProblem

_MomentText = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


class ProblemDocument(Struct, kw_only=True, omit_defaults=True):
    """Every answer that is not a success (RFC 9457)."""

    type: Annotated[str, Meta(description="Where this kind of problem is described.")]
    title: str
    status: Annotated[int, Meta(ge=400, le=599)]
    detail: Annotated[str, Meta(description="What happened and what to do.")]
    instance: Annotated[str, Meta(description="Path of the request.")]
    code: Annotated[str, Meta(description="Stable code for programs.", extra_json_schema={"pattern": "^[a-z0-9_]+$"})]
    request_id: Annotated[str, Meta(description="Names this request; quote it when you ask for help.")]
    errors: Annotated[list[FieldProblem], Meta(description="On 422: every wrong field.")] = []


class Upload(Struct, kw_only=True):
    """A file that can be sent for 24 hours."""

    id: str
    url: Annotated[str, Meta(description="What to give as media_url.")]
    mime_type: Annotated[str, Meta(description="What the file itself shows.")]
    size: Annotated[int, Meta(description="Bytes.")]
    sha256: str
    filename: Annotated[str, Meta(description="The name that was given, made harmless; empty when none was.")]


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
    expires_at: _MomentText | None


class Quota(Struct, kw_only=True):
    """Where the account stands with its free messages and its balance."""

    billing: Literal["off", "prepaid"]
    free_messages: int
    free_used: int
    free_left: int
    free_until: _MomentText | None
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
    created_at: _MomentText


class RequestPage(Struct, kw_only=True):
    """Calls of the API, newest first."""

    data: list[RequestView]
    next_cursor: str | None
