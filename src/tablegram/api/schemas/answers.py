"""What the API answers with."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

_MomentText = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


class SendAnswer(Struct, kw_only=True, forbid_unknown_fields=True):
    """Exactly four fields, for every kind of send."""

    status: Annotated[Literal["success"], Meta(description="Outcome of the call.")]
    message_id: Annotated[
        str, Meta(description="The network's identifier once it took the message, else the gateway's own (gw.…).")
    ]
    status_code: Annotated[
        str, Meta(description="sent: the network took it. queued: it goes out later by itself.", examples=["sent"])
    ]
    cost_usd: Annotated[float, Meta(ge=0, description="Estimated cost in US dollars.", examples=[0.0123])]


class FieldProblem(Struct, kw_only=True):
    """One wrong field."""

    field: Annotated[str, Meta(description="Path of the field, for example messages[2].phone.")]
    code: Annotated[str, Meta(description="Stable code for programs.")]
    detail: Annotated[str, Meta(description="What is wrong and how to put it right.")]


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


class BatchEntry(Struct, kw_only=True):
    """The outcome of one message of a batch: the four fields, or a problem."""

    index: Annotated[int, Meta(ge=0, description="Place of the message in the request.")]
    status: Annotated[Literal["success", "error"], Meta(description="Outcome of this message.")]
    message_id: str | None = None
    status_code: str | None = None
    cost_usd: float | None = None
    code: str | None = None
    detail: str | None = None
    errors: list[FieldProblem] = []


class BatchAnswer(Struct, kw_only=True):
    """One entry for each message, in the order of the request."""

    data: list[BatchEntry]


class StatusStep(Struct, kw_only=True):
    """A state that a message has reached."""

    status: str
    at: _MomentText


class MessageError(Struct, kw_only=True):
    """Why a message failed."""

    code: str
    detail: str | None = None
    network_code: int | None = None


class MediaError(Struct, kw_only=True):
    """Why a file could not be had."""

    code: str
    detail: str


class MediaView(Struct, kw_only=True):
    """A file that a customer sent, or that went with a message of the account out of the gateway's own store."""

    id: str
    url: Annotated[str, Meta(description="Where the file is, for who shows an API key.")]
    state: Annotated[
        str,
        Meta(description="wanted: it is being fetched. kept: it is at url. failed: see error. gone: its time is over."),
    ]
    mime_type: Annotated[str, Meta(description="The network's word while wanted; then what the file itself shows.")]
    claimed_type: Annotated[str | None, Meta(description="The network's word, when the file turned out to be another.")]
    filename: Annotated[str, Meta(description="The sender's name for it, made harmless; empty when there is none.")]
    size: Annotated[int | None, Meta(description="Bytes; null until it is kept.")]
    sha256: str
    error: MediaError | None


class Upload(Struct, kw_only=True):
    """A file that can be sent for 24 hours."""

    id: str
    url: Annotated[str, Meta(description="What to give as media_url.")]
    mime_type: Annotated[str, Meta(description="What the file itself shows.")]
    size: Annotated[int, Meta(description="Bytes.")]
    sha256: str
    filename: Annotated[str, Meta(description="The name that was given, made harmless; empty when none was.")]


class MessageView(Struct, kw_only=True):
    """A message as it stands now."""

    message_id: str
    gateway_id: str
    instance_id: int
    direction: Annotated[Literal["in", "out"], Meta(description="out: sent by the account. in: written by a customer.")]
    phone: str
    type: str
    text: str
    media: Annotated[
        MediaView | None,
        Meta(description="The file of an inbound message, or the uploaded one of an outbound message."),
    ]
    content: Annotated[
        dict[str, Any] | list[Any] | None,
        Meta(
            description="Location, contacts, reaction, button, list or order of an inbound message: the network's own "
            "object, as in its event."
        ),
    ] = None
    status: Annotated[
        str, Meta(description="queued, sent, delivered, read, failed, cancelled; received for an inbound one.")
    ]
    status_history: list[StatusStep]
    error: MessageError | None
    cost_usd: float
    created_at: _MomentText


class MessagePage(Struct, kw_only=True):
    """Messages, newest first."""

    data: list[MessageView]
    next_cursor: str | None


class ReadAnswer(Struct, kw_only=True):
    """The network was told that the message was read."""

    status: Annotated[Literal["success"], Meta(description="Outcome of the call.")]
    message_id: str


class TemplateView(Struct, kw_only=True):
    """A template as the network has it."""

    name: str
    language: str
    status: str
    category: str
    components: list[dict[str, Any]]


class TemplatePage(Struct, kw_only=True):
    """Templates of a line."""

    data: list[TemplateView]
    next_cursor: str | None


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
            description="Cloud lines only: the number that people dial, in digits; null until the network has told it."
        ),
    ] = None
    phone_number_id: Annotated[str | None, Meta(description="Cloud lines only: the network's id of the number.")] = None
    waba_id: Annotated[str | None, Meta(description="Cloud lines only.")] = None
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


class KeyView(Struct, kw_only=True):
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


class NewKeyView(KeyView, kw_only=True):
    """A key just made. `key` is shown this once."""

    key: str


class KeyPage(Struct, kw_only=True):
    """The account's keys, oldest first."""

    data: list[KeyView]
    next_cursor: str | None


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
