"""What a row of the store holds, column by column."""

from __future__ import annotations

from typing import Literal, TypedDict

Direction = Literal["in", "out"]
MessageState = Literal["queued", "sent", "delivered", "read", "failed", "cancelled", "received"]
LineKind = Literal["cloud", "linked", "sandbox"]


class KeyRow(TypedDict):
    """Which message a statement has touched."""

    id: str


class Addressed(TypedDict):
    """Of any message, whose it is."""

    phone: str


class Known(Addressed):
    """Of any message, what it is called."""

    id: str
    # The network's name for it, once there is one.
    network_id: str | None


class Priced(TypedDict):
    """Of any message, what it costs as far as is known."""

    id: str
    cost_micros: int


class Claimable(Addressed):
    """Of a message that is to go, what leads back to it."""

    account_id: int
    id: str
    priority: int


class SaidRow(Addressed):
    """What was said, without what stands behind the words."""

    id: str
    direction: Direction
    type: str
    text: str
    state: MessageState
    created_at: int
    deleted_at: int | None


class MessageRow(SaidRow):
    account_id: int
    instance_id: int
    # JSON: of ours as `Stored`, of theirs as it came.
    content: str
    priority: int
    due_at: int | None
    expires_at: int | None
    attempts: int
    claimed_by: str | None
    claimed_at: int | None
    doubt_at: int | None
    network_id: str | None
    error_code: str | None
    error_detail: str | None
    error_network_code: int | None
    category: str
    cost_micros: int
    cost_final_micros: int | None
    sent_at: int | None
    delivered_at: int | None
    read_at: int | None
    failed_at: int | None
    edited_at: int | None
    sent_by: str | None
    trace: str | None


class NewMessage(Claimable):
    """One that is to go out, as it is stored."""

    instance_id: int
    direction: Direction
    type: str
    text: str
    # JSON of a `Stored`.
    content: str
    state: MessageState
    due_at: int | None
    expires_at: int
    claimed_by: str | None
    claimed_at: int | None
    category: str
    cost_micros: int
    created_at: int
    sent_by: str | None
    trace: str | None


class NewSend(NewMessage):
    """With what the process that sends it has to know of it, and does not store."""

    price_micros: int
    # Whether a message for the same recipient waits that another process stored; told when this one is stored.
    overtakes: bool


class TurnRow(TypedDict):
    id: str
    # Whether it would pass another one for the same recipient.
    overtakes: bool


class Waiting(Addressed):
    """Of a message that is to go, what an attempt has to know."""

    account_id: int
    id: str
    attempts: int
    expires_at: int | None
    trace: str | None


class QueueRow(Waiting):
    content: str
    doubt_at: int | None
    due_at: int | None
    priority: int


class LeftRow(Waiting):
    """One that nobody will send any more."""

    instance_id: int


class StepRow(TypedDict):
    """What a report has made of a message."""

    id: str
    state: MessageState


class LineRow(TypedDict):
    account_id: int
    id: int
    kind: LineKind
    name: str
    state: str
    reason: str
    state_at: int
    is_default: int
    hook_key: str
    # JSON of a `Config`.
    config: str
    # Sealed JSON of `Secrets`.
    secrets: str
    pace_milli: int | None
    paused_until: int | None
    created_at: int
    deleted_at: int | None
    handshake_at: int | None
    heard_at: int | None
    # JSON; empty where the network holds nothing against it.
    standing: str
    state_until: int | None
    paused_why: str


class LineStateRow(TypedDict):
    account_id: int
    instance_id: int
    id: str
    at: int
    state: str
    reason: str


class TemplateRow(TypedDict):
    account_id: int
    instance_id: int
    name: str
    language: str
    status: str
    category: str
    # A list as JSON.
    components: str
    synced_at: int
    # Ours, and the network's; empty where there is none yet.
    id: str
    network_id: str
    quality: str
    reason: str
    told_at: int
    # A list as JSON.
    edits: str


class NoticeRow(TypedDict):
    account_id: int
    id: str
    instance_id: int | None
    kind: str
    field: str
    # An object as JSON.
    facts: str
    words: str
    source: str
    external_id: str
    key: str
    at: int


class LinkedRow(TypedDict):
    """What belongs to a line by a phone's own number."""

    account_id: int
    instance_id: int
    # Sealed, as are both codes.
    session: str
    ended: str
    wish: str
    wish_phone: str
    wish_at: int
    code: str
    code_until: int
    typed: str
    typed_until: int
    updated_at: int
    epoch: int
    pair_until: int
    linked_at: int
    seen_at: int


class CountRow(TypedDict):
    """Messages of a stretch of time that are alike."""

    instance_id: int
    direction: Direction
    state: MessageState
    category: str
    beginning: str
    count: int
    cost_micros: int | None
