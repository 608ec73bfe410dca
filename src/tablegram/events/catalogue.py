"""The kinds of events, when they happen, and a sample of each."""

from __future__ import annotations

from typing import Any

WHEN: dict[str, str] = {
    "messages.upsert": "A customer writes to one of the account's lines.",
    "messages.update": "A sent message changes its state; `status` is `read` when the customer has read it.",
    "contact.opted_out": "A customer asks not to be written to any more.",
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
    "contact.opted_out": {
        "event": "contact.opted_out",
        "data": {"contact_id": "01m7egbgzkw6jjsq9bfg3vp00c", "phone": "905551112233", "timestamp": 1794709512},
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
    return subscribed == ALL or kind in subscribed.split()
