"""What a row of the store holds, column by column."""

from __future__ import annotations

from typing import Literal

from tablegram.storage.shapes import TypedDict

EndpointState = Literal["active", "disabled"]
DeliveryState = Literal["pending", "delivered", "dead"]


class NewEvent(TypedDict):
    account_id: int
    id: str
    type: str
    sender: str
    # JSON, as it is posted.
    body: str
    created_at: int
    # The request that began it.
    trace: str | None


class EventRow(NewEvent):
    # Its place in the feed.
    seq: int


class OldRow(TypedDict):
    """Of an event, whether its time is over."""

    seq: int
    account_id: int
    id: str
    created_at: int


class PlaceRow(TypedDict):
    """Where an event is in the feed."""

    seq: int


class NewestRow(TypedDict):
    # Empty where there is no event.
    seq: int | None


class NewEndpoint(TypedDict):
    account_id: int
    id: str
    url: str
    description: str
    # Kinds with spaces between them; `*` is all of them.
    events: str
    state: EndpointState
    reason: str
    # Sealed.
    secret: str
    created_at: int


class ShownEndpoint(NewEndpoint):
    failing_since: int | None
    previous_until: int | None


class EndpointRow(ShownEndpoint):
    previous_secret: str | None
    warned_at: int | None
    deleted_at: int | None


class DeliveryName(TypedDict):
    """What a delivery is called: its event and its endpoint."""

    webhook_id: str
    event_id: str


class NewDelivery(DeliveryName):
    account_id: int
    sender: str
    state: DeliveryState
    due_at: int
    created_at: int


class PendingRow(TypedDict):
    """A delivery as it waits, with its event."""

    event_id: str
    sender: str
    attempts: int
    due_at: int
    created_at: int
    last_status: int | None
    body: str
    trace: str | None


class DeliveryRow(NewDelivery):
    """With what it delivers, and how often that was tried."""

    attempts: int
    delivered_at: int | None
    last_status: int | None
    last_error: str | None
    type: str
    tries: int


class WholeDelivery(DeliveryRow):
    body: str


class DepthRow(TypedDict):
    """How much waits for an endpoint, and its oldest event."""

    id: str
    account_id: int
    state: EndpointState
    n: int
    oldest: str


class EventName(TypedDict):
    id: str


class AttemptRow(DeliveryName):
    account_id: int
    id: str
    at: int
    latency_ms: int
    status: int | None
    error: str | None
    answer: str


class TakerRow(TypedDict):
    """An endpoint that something is due at."""

    webhook_id: str


class TakerOfAccount(TakerRow):
    account_id: int
