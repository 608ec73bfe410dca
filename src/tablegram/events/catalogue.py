"""The kinds of events, when they happen, and a sample of each."""

from __future__ import annotations

from typing import Any

WHEN: dict[str, str] = {
    "messages.upsert": "A customer writes to one of the account's lines.",
    "messages.update": "A sent message changes its state; `status` is `read` when the customer has read it.",
    "messages.edited": "Somebody changes a message after it was sent: a customer, or the owner in the network's own app.",
    "messages.deleted": "Somebody takes a message back after it was sent.",
    "restaurant.order_created": "An order is confirmed and goes to the kitchen: once in its life.",
    "restaurant.order_updated": "An order is received, changed or moved on; the same body with its present `status`.",
    "restaurant.delivery_updated": "An order is given to a courier, picked up, delivered, brought back or taken away again.",
    "restaurant.waiter_called": "A guest calls the waiter to his table, or asks for the bill.",
    "restaurant.ticket_failed": "A ticket is not on paper after a minute, cannot be printed, or is too old to be printed.",
    "restaurant.printer_status": "A printer comes or goes, or says something new of its paper or its cover.",
    "contact.opted_out": "A customer asks not to be written to any more.",
    "contact.opted_in": "A customer agrees to be written to.",
    "network.notice": "The network has news about the account, a line, a template, a flow, a group, a call or a payment.",
    "instance.status": "A line changes its state.",
    "webhook.failing": "An endpoint has failed four times in a row with one event, or was disabled.",
}
ALL = "*"
# Sent by hand to try an endpoint out; never planned, so it is not part of what one can subscribe to.
TEST = "webhook.test"

_UPSERT = {
    "from": "905551112233",
    "from_kind": "phone",
    "contact_id": "01m7egbgzkw6jjsq9bfg3vp00c",
    "sender_name": "Ayşe Yılmaz",
    "message_id": "wamid.HTkwNTU1MTExMjIzMxVE",
    "timestamp": 1794709507,
    "type": "text",
    "text": "Hello, is my order on its way?",
}

_ORDER: dict[str, Any] = {
    "order_id": "ORD-20261115-0042",
    "order_type": "dine_in",
    "table_number": "12",
    "waiter_assigned": "Elif",
    "customer": {"phone": "+905551112233", "name": "Ayşe Yılmaz"},
    "items": [
        {
            "name": "Adana Kebab",
            "quantity": 2,
            "unit_price": 290.0,
            "options": ["Not spicy", "Extra lavash"],
            "station": "kitchen",
            "note": "No onions",
            "kitchen_name": "Adana",
            "kitchen_options": ["Acısız", "Ekstra lavaş"],
            "item_id": "01m7egbgzkw6jjsq9bfg3vp00e",
        },
        {
            "name": "Ayran",
            "quantity": 2,
            "unit_price": 45.0,
            "options": ["Large"],
            "station": "bar",
            "note": "",
            "kitchen_name": "Ayran",
            "kitchen_options": ["Büyük"],
            "item_id": "01m7egbgzkw6jjsq9bfg3vp00f",
        },
    ],
    "notes": "All together, please",
    "total_amount": 737.0,
    "payment_method": "pos_at_table",
    "status": "sent_to_kitchen",
    "payment_status": "unpaid",
    "currency": "TRY",
    "charges": [{"kind": "service", "name": "Service", "amount": 67.0}],
    "discounts": [],
    "venue_id": "01m7egbgzkw6jjsq9bfg3vp00g",
    "contact_id": "01m7egbgzkw6jjsq9bfg3vp00c",
    "address": "",
    "route_url": "",
    "destination": None,
    "language": "en",
    "revision": 1,
    "reason": "",
    "promised_at": "2026-11-15T10:25:07.000Z",
    "created_at": "2026-11-15T10:05:07.000Z",
    "updated_at": "2026-11-15T10:05:07.000Z",
}

SAMPLES: dict[str, dict[str, Any]] = {
    "messages.upsert": {"event": "messages.upsert", "instance_id": 1, "data": _UPSERT},
    "messages.update": {
        "event": "messages.update",
        "instance_id": 1,
        "data": {
            "message_id": "wamid.HTkwNTU1MTExMjIzMxVF",
            "gateway_id": "gw.01m7egbkfkajzb9pbxeb85g8a2",
            "to": "905551112233",
            "status": "read",
            "timestamp": 1794709512,
        },
    },
    "messages.edited": {
        "event": "messages.edited",
        "instance_id": 1,
        "data": {
            "message_id": "wamid.HTkwNTU1MTExMjIzMxVE",
            "gateway_id": "gw.01m7egbgzkw6jjsq9bfg3vp00b",
            "direction": "in",
            "from": "905551112233",
            "contact_id": "01m7egbgzkw6jjsq9bfg3vp00c",
            "timestamp": 1794709620,
            "type": "text",
            "text": "Hello, is my order ready?",
            "previous_text": "Hello, is my order on its way?",
        },
    },
    "messages.deleted": {
        "event": "messages.deleted",
        "instance_id": 1,
        "data": {
            "message_id": "wamid.HTkwNTU1MTExMjIzMxVE",
            "gateway_id": "gw.01m7egbgzkw6jjsq9bfg3vp00b",
            "direction": "in",
            "from": "905551112233",
            "contact_id": "01m7egbgzkw6jjsq9bfg3vp00c",
            "timestamp": 1794709680,
        },
    },
    "restaurant.order_created": {"event": "restaurant.order_created", **_ORDER},
    "restaurant.order_updated": {
        "event": "restaurant.order_updated",
        **_ORDER,
        "status": "ready",
        "updated_at": "2026-11-15T10:21:40.000Z",
    },
    "restaurant.delivery_updated": {
        "event": "restaurant.delivery_updated",
        "venue_id": "01m7egbgzkw6jjsq9bfg3vp00g",
        "order_id": "ORD-20261115-0042",
        "order_status": "out_for_delivery",
        "delivery_id": "01m7egbgzkw6jjsq9bfg3vp00m",
        "state": "picked_up",
        "courier": {"id": "01m7egbgzkw6jjsq9bfg3vp00n", "name": "Mert Aydın"},
        "collected_amount": 0.0,
        "collected_by": "",
        "currency": "TRY",
        "assigned_at": "2026-11-15T10:18:02.000Z",
        "picked_up_at": "2026-11-15T10:21:40.000Z",
        "ended_at": None,
    },
    "restaurant.waiter_called": {
        "event": "restaurant.waiter_called",
        "venue_id": "01m7egbgzkw6jjsq9bfg3vp00g",
        "table_number": "12",
        "waiter_assigned": "Elif",
        "kind": "bill",
        "note": "",
        "call_id": "01m7egbgzkw6jjsq9bfg3vp00h",
        "timestamp": 1794709512,
    },
    "restaurant.ticket_failed": {
        "event": "restaurant.ticket_failed",
        "venue_id": "01m7egbgzkw6jjsq9bfg3vp00g",
        "order_id": "ORD-20261115-0042",
        "ticket_id": "01m7egbgzkw6jjsq9bfg3vp00j",
        "kind": "order",
        "station": "kitchen",
        "printer_id": "prn_01m7egbgzkw6jjsq9bfg3vp00k",
        "printer_name": "Kitchen printer",
        "code": "not_printed",
        "attempts": 1,
        "will_retry": True,
        "timestamp": 1794709567,
    },
    "restaurant.printer_status": {
        "event": "restaurant.printer_status",
        "venue_id": "01m7egbgzkw6jjsq9bfg3vp00g",
        "printer_id": "prn_01m7egbgzkw6jjsq9bfg3vp00k",
        "printer_name": "Kitchen printer",
        "online": True,
        "paper": "out",
        "cover": "closed",
        "error": "",
        "timestamp": 1794709560,
    },
    "contact.opted_out": {
        "event": "contact.opted_out",
        "data": {"contact_id": "01m7egbgzkw6jjsq9bfg3vp00c", "phone": "905551112233", "timestamp": 1794709512},
    },
    "contact.opted_in": {
        "event": "contact.opted_in",
        "data": {"contact_id": "01m7egbgzkw6jjsq9bfg3vp00c", "phone": "905551112233", "timestamp": 1794709512},
    },
    "network.notice": {
        "event": "network.notice",
        "instance_id": 1,
        "data": {
            "kind": "template_status",
            "field": "message_template_status_update",
            "facts": {"event": "REJECTED", "message_template_name": "order_ready", "message_template_language": "tr"},
            "timestamp": 1794709500,
        },
    },
    "instance.status": {
        "event": "instance.status",
        "instance_id": 1,
        "data": {"state": "connected", "reason": "", "previous": "created", "timestamp": 1794709500},
    },
    "webhook.failing": {
        "event": "webhook.failing",
        "data": {
            "webhook_id": "01m7egbgzkw6jjsq9bfg3vp00d",
            "url": "https://example.com/hooks",
            "state": "active",
            "reason": "HTTP 500",
            "failing_since": 1794700000,
            "timestamp": 1794709512,
        },
    },
    TEST: {"event": TEST, "data": {"message": "This is a test from Tablegram.", "timestamp": 1794709512}},
}


def wants(subscribed: str, kind: str) -> bool:
    """Whether an endpoint's space-separated subscription covers a kind."""
    kinds = subscribed.split()
    return ALL in kinds or kind in kinds
