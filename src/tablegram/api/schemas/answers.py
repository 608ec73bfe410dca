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


class PairingView(Struct, kw_only=True):
    """What a phone scans, or what is typed on it."""

    code: Annotated[str, Meta(description="The text of the QR code, or the code to type.")]
    expires_at: _MomentText


class InstanceView(Struct, kw_only=True):
    """A line. Its secrets never come back."""

    id: int
    kind: Annotated[str, Meta(description="cloud, linked or sandbox.")]
    name: str
    state: str
    reason: Annotated[str, Meta(description="Why the line is in its state; empty when there is nothing to say.")]
    is_default: bool
    pace_per_s: Annotated[float | None, Meta(description="Messages per second; null is the usual figure of its kind.")]
    created_at: _MomentText
    phone: Annotated[
        str | None,
        Meta(
            description="Cloud lines and linked devices: the number that people dial, in digits; null until the network "
            "has told it."
        ),
    ] = None
    phone_number_id: Annotated[str | None, Meta(description="Cloud lines only: the network's id of the number.")] = None
    waba_id: Annotated[str | None, Meta(description="Cloud lines only.")] = None
    engine: Annotated[
        str | None, Meta(description="Linked devices only: the program that was chosen for the line; null is any.")
    ] = None
    state_until: Annotated[
        _MomentText | None, Meta(description="When the present state ends by itself, where the network tells it.")
    ] = None
    paused_until: Annotated[
        _MomentText | None,
        Meta(description="Until when the line sends nothing, by its own limits; pause_reason says why."),
    ] = None
    pause_reason: Annotated[str, Meta(description="Why the line pauses; empty while it does not.")] = ""
    daily_cap: Annotated[
        int | None, Meta(description="Linked devices only: messages in 24 hours; null is the usual figure.")
    ] = None
    warm_up: Annotated[
        bool | None, Meta(description="Linked devices only: a newly linked phone begins with few new people a day.")
    ] = None
    check_numbers: Annotated[
        bool | None, Meta(description="Linked devices only: a number is looked up before it is first written to.")
    ] = None
    typing: Annotated[bool | None, Meta(description="Linked devices only: people see that a text is being typed.")] = (
        None
    )
    groups: Annotated[bool | None, Meta(description="Linked devices only: messages of groups come in.")] = None
    callback_url: Annotated[
        str | None,
        Meta(
            description="Cloud lines only: the address to give to the network for its callbacks. An app has one: that "
            "of any of its lines serves all lines of the account with the same app_secret."
        ),
    ] = None
    handshake_at: Annotated[
        _MomentText | None, Meta(description="Cloud lines only: when the network last verified the callback address.")
    ] = None
    heard_at: Annotated[
        _MomentText | None, Meta(description="Cloud lines only: when the first callback with a good signature came.")
    ] = None


class LineStateView(Struct, kw_only=True):
    """A state that a line came to be in."""

    state: str
    reason: str
    at: _MomentText


class LineStatePage(Struct, kw_only=True):
    """States of a line, newest first."""

    data: list[LineStateView]
    next_cursor: str | None


class InstancePage(Struct, kw_only=True):
    """The account's lines."""

    data: list[InstanceView]
    next_cursor: str | None


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
