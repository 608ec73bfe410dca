"""Messages, lines, the network and endpoints."""

from __future__ import annotations

from tablegram.events.catalogue import TEST
from tablegram.values import Json

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

SAMPLES: dict[str, Json] = {
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
