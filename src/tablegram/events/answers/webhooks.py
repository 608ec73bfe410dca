"""Endpoints, and what became of each delivery."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Raw, Struct

from tablegram.values.clock import MomentText

# An object as it was written when it happened; it goes out in the same bytes.
_Written = Annotated[Raw, Meta(extra_json_schema={"type": "object"})]


class WebhookView(Struct, kw_only=True, frozen=True):
    """An endpoint. Its secret never comes back."""

    id: str
    url: str
    events: list[str]
    description: str
    state: Literal["active", "disabled"]
    reason: Annotated[str, Meta(description="Why it fails or is disabled; empty when there is nothing to say.")]
    failing_since: Annotated[
        MomentText | None, Meta(description="Since when nothing but failures came back; null while it is well.")
    ]
    previous_secret_until: Annotated[
        MomentText | None,
        Meta(description="Until then the secret before the last change signs too; null if it was never changed."),
    ]
    created_at: MomentText


class NewWebhookView(WebhookView, kw_only=True, frozen=True):
    """An endpoint just made. `secret` is shown this once."""

    secret: Annotated[str, Meta(description="Signs every delivery (Standard Webhooks).", examples=["whsec_…"])]


class RotatedWebhookView(NewWebhookView, kw_only=True, frozen=True):
    """An endpoint with a new secret, shown this once. `previous_secret_until` is set."""


class WebhookPage(Struct, kw_only=True, frozen=True):
    """The account's endpoints, oldest first."""

    data: list[WebhookView]
    next_cursor: str | None


class DeliveryView(Struct, kw_only=True, frozen=True):
    """One event on its way to one endpoint."""

    id: str
    webhook_id: str
    event_id: Annotated[str, Meta(description="The webhook-id header of every attempt.")]
    event: str
    state: Literal["pending", "delivered", "dead"]
    attempt_count: Annotated[int, Meta(ge=0, description="How often it was tried, earlier replays included.")]
    attempts_spent: Annotated[
        int,
        Meta(ge=0, description="Tries that count, of 13. While an endpoint is down, most tries are free."),
    ]
    last_status: Annotated[int | None, Meta(description="HTTP status of the last answer; null when there was none.")]
    last_error: str | None
    next_attempt_at: MomentText | None
    delivered_at: MomentText | None
    created_at: MomentText


class DeliveryPage(Struct, kw_only=True, frozen=True):
    """Deliveries, newest first."""

    data: list[DeliveryView]
    next_cursor: str | None


class AttemptView(Struct, kw_only=True, frozen=True):
    """One try to deliver."""

    at: MomentText
    status: int | None
    error: str | None
    latency_ms: Annotated[int, Meta(ge=0, description="Until the status line of the answer, or until it was given up.")]
    answer: Annotated[str, Meta(description="The first bytes of the answer, at most 2,048.")]


class DeliveryDetail(DeliveryView, kw_only=True, frozen=True):
    """A delivery with what was sent and every try."""

    body: Annotated[_Written | None, Meta(description="What was sent; null for a key without the scope `events:read`.")]
    attempts: list[AttemptView]


class ReplayAnswer(Struct, kw_only=True, frozen=True):
    """How many events are delivered again."""

    status: Annotated[Literal["success"], Meta(description="Outcome of the call.")]
    count: Annotated[int, Meta(ge=0)]
