"""Bodies and answers of the calls about webhook endpoints, deliveries and events."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import moment, optional_line

_MomentText = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]

# The kinds of `tablegram.events.catalogue`; a test holds the two together.
EventType = Literal[
    "messages.upsert",
    "messages.update",
    "messages.edited",
    "messages.deleted",
    "restaurant.order_created",
    "restaurant.order_updated",
    "restaurant.delivery_updated",
    "restaurant.waiter_called",
    "restaurant.bill_paid",
    "restaurant.tab_closed",
    "restaurant.ticket_failed",
    "restaurant.printer_status",
    "payment.succeeded",
    "payment.failed",
    "payment.refunded",
    "store.order_received",
    "store.order_updated",
    "store.cart_recovered",
    "store.form_sent",
    "campaign.started",
    "campaign.finished",
    "campaign.stopped",
    "loyalty.points_changed",
    "loyalty.coupon_redeemed",
    "loyalty.gift_changed",
    "loyalty.stamps_given",
    "loyalty.card_full",
    "feedback.received",
    "feedback.commented",
    "contact.opted_out",
    "contact.opted_in",
    "network.notice",
    "instance.status",
    "webhook.failing",
]
_Events = Annotated[
    list[EventType | Literal["*"]],
    Meta(min_length=1, max_length=50, description="The events to send there; * is all of them, also those to come."),
]
# Whether it may be called is not a matter of its form alone; `target_forbidden` says why not.
_Url = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=2_048,
        description="Where to post events, for example https://example.com/hooks: https, reachable from the internet.",
        extra_json_schema={"format": "webhook-url"},
    ),
]
_Description = Annotated[str, optional_line(200, "What the endpoint is for.", "Order screen")]


class CreateWebhook(Struct, kw_only=True, forbid_unknown_fields=True):
    """A new endpoint."""

    url: _Url
    events: _Events
    description: _Description = ""


class UpdateWebhook(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are."""

    url: _Url | UnsetType = UNSET
    events: _Events | UnsetType = UNSET
    description: _Description | UnsetType = UNSET
    state: (
        Annotated[
            Literal["active", "disabled"],
            Meta(description="active: what waited for the endpoint is delivered now. disabled: nothing is sent there."),
        ]
        | UnsetType
    ) = UNSET


class ReplayRange(Struct, kw_only=True, forbid_unknown_fields=True):
    """A stretch of time whose events are delivered again."""

    since: Annotated[str, moment("Events at or after this time, RFC 3339 with an offset; at most 30 days ago.")]
    until: Annotated[
        Annotated[str, moment("RFC 3339 with an offset.")] | None,
        Meta(description="Events before this time. Absent: now."),
    ] = None


class WebhookView(Struct, kw_only=True):
    """An endpoint. Its secret never comes back."""

    id: str
    url: str
    events: list[str]
    description: str
    state: Literal["active", "disabled"]
    reason: Annotated[str, Meta(description="Why it fails or is disabled; empty when there is nothing to say.")]
    failing_since: Annotated[
        _MomentText | None, Meta(description="Since when nothing but failures came back; null while it is well.")
    ]
    previous_secret_until: Annotated[
        _MomentText | None,
        Meta(description="Until then the secret before the last change signs too; null if it was never changed."),
    ]
    created_at: _MomentText


class NewWebhookView(WebhookView, kw_only=True):
    """An endpoint just made. `secret` is shown this once."""

    secret: Annotated[str, Meta(description="Signs every delivery (Standard Webhooks).", examples=["whsec_…"])]


class RotatedWebhookView(NewWebhookView, kw_only=True):
    """An endpoint with a new secret, shown this once. `previous_secret_until` is set."""


class WebhookPage(Struct, kw_only=True):
    """The account's endpoints, oldest first."""

    data: list[WebhookView]
    next_cursor: str | None


class DeliveryView(Struct, kw_only=True):
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
    next_attempt_at: _MomentText | None
    delivered_at: _MomentText | None
    created_at: _MomentText


class DeliveryPage(Struct, kw_only=True):
    """Deliveries, newest first."""

    data: list[DeliveryView]
    next_cursor: str | None


class AttemptView(Struct, kw_only=True):
    """One try to deliver."""

    at: _MomentText
    status: int | None
    error: str | None
    latency_ms: Annotated[int, Meta(ge=0, description="Until the status line of the answer, or until it was given up.")]
    answer: Annotated[str, Meta(description="The first bytes of the answer, at most 2,048.")]


class DeliveryDetail(DeliveryView, kw_only=True):
    """A delivery with what was sent and every try."""

    body: Annotated[
        dict[str, Any] | None, Meta(description="What was sent; null for a key without the scope `events:read`.")
    ]
    attempts: list[AttemptView]


class ReplayAnswer(Struct, kw_only=True):
    """How many events are delivered again."""

    status: Annotated[Literal["success"], Meta(description="Outcome of the call.")]
    count: Annotated[int, Meta(ge=0)]


class EventView(Struct, kw_only=True):
    """An event of the account."""

    id: Annotated[str, Meta(description="The webhook-id header of its deliveries.")]
    cursor: Annotated[str, Meta(description="Give it as `after` to get what came behind this event.")]
    event: str
    created_at: _MomentText
    body: Annotated[
        dict[str, Any],
        Meta(description="The object that endpoints get; while a file is being fetched, without its size."),
    ]


class EventPage(Struct, kw_only=True):
    """Events, oldest first."""

    data: list[EventView]
    next_cursor: str | None


class SampleView(Struct, kw_only=True):
    """What an event looks like. `id` is its own, as that of every delivery is."""

    id: str
    event: str
    when: str
    body: dict[str, Any]


class SamplePage(Struct, kw_only=True):
    """A sample of each event."""

    data: list[SampleView]
    next_cursor: str | None
