"""Of messages: what a row of the store holds, column by column."""

from __future__ import annotations

from typing import Literal

from tablegram.storage.shapes import TypedDict

Direction = Literal["in", "out"]
MessageState = Literal["queued", "sent", "delivered", "read", "failed", "cancelled", "received"]


class WhichAccount(TypedDict):
    id: int


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


class RetryRow(Addressed):
    """One that waits for another try."""

    id: str
    due_at: int


class WordsRow(TypedDict):
    text: str


class CountedRow(TypedDict):
    n: int


class SentRow(TypedDict):
    id: str
    category: str


class NamedRow(TypedDict):
    id: str
    network_id: str


class ClaimantRow(TypedDict):
    claimed_by: str


class OwnedRow(TypedDict):
    """A message, and whose it is."""

    account_id: int
    id: str


class StaleRow(OwnedRow):
    instance_id: int


class LeftRow(Waiting):
    """One that nobody will send any more."""

    instance_id: int


class StepRow(TypedDict):
    """What a report has made of a message."""

    id: str
    state: MessageState


class NextRow(TypedDict):
    """When something is due, if anything is."""

    at: int | None


class DepthRow(TypedDict):
    queued: int
    in_doubt: int


class CountRow(TypedDict):
    """Messages of a stretch of time that are alike."""

    instance_id: int
    direction: Direction
    state: MessageState
    category: str
    beginning: str
    count: int
    cost_micros: int | None
