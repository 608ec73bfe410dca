"""Bodies of the calls about webhook endpoints, deliveries and events."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import moment, optional_line

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
