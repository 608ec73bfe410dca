"""Bodies as one would send them, by operation."""

from __future__ import annotations

from typing import Any

_PHONE = "905551112233"
EXAMPLES: dict[str, Any] = {
    "sendText": {"phone": _PHONE, "message": "Your table is ready."},
    "sendLocation": {
        "phone": _PHONE,
        "latitude": 41.008583,
        "longitude": 28.980175,
        "name": "Our door",
        "address": "Sultanahmet, Istanbul",
    },
    "sendContacts": {"phone": _PHONE, "contacts": [{"name": "Ayşe Yılmaz", "phones": ["+90 555 111 22 33"]}]},
    "sendButtons": {
        "phone": _PHONE,
        "body": "Shall we keep your table?",
        "buttons": [{"id": "yes", "title": "Yes, please"}, {"id": "no", "title": "No, thank you"}],
    },
    "sendList": {
        "phone": _PHONE,
        "body": "What would you like to start with?",
        "button": "Choose",
        "sections": [
            {"title": "Starters", "rows": [{"id": "soup", "title": "Lentil soup", "description": "With lemon"}]},
        ],
    },
    "sendBatch": {
        "messages": [
            {"phone": _PHONE, "message": "Doors open at eight."},
            {"phone": "447700900123", "message": "Doors open at eight.", "priority": "normal"},
            {"kind": "location", "phone": _PHONE, "latitude": 41.008583, "longitude": 28.980175, "name": "Our door"},
        ]
    },
    "createInstance": {"kind": "sandbox", "name": "Try-out"},
    "updateInstance": {"name": "Front desk"},
    "createWebhook": {"url": "https://example.com/hooks", "events": ["messages.upsert"], "description": "Order screen"},
    "updateWebhook": {"state": "active"},
    "updateConversation": {"seen": True, "closed": True},
    "createSegment": {
        "name": "Lost regulars",
        "rules": {"all": [{"rule": "last_order", "not_within_days": 30}, {"rule": "orders", "at_least": 3}]},
    },
    "updateSegment": {"name": "Regulars we miss"},
    "countSegment": {"rules": {"rule": "spent", "currency": "TRY", "at_least": 1000, "within_days": 90}},
    "previewSegment": {"rules": {"rule": "customer_class", "is": "at_risk"}, "language": "tr"},
    "createCannedReply": {"shortcut": "hours", "text": "Hello {name}, we are open from 9 to 23 every day."},
    "updateCannedReply": {"text": "We are open from 9 to 24 every day."},
    "checkContactImport": {"filename": "guests.csv", "csv": "phone;name;tags\n905551112299;Işıl Çağlar;regular\n"},
    "startContactImport": {"existing": "update"},
    "startContactJob": {"act": "tag", "tag": "summer", "matching": {"q": "ayşe"}},
    "noteConsent": {"contact_id": "01k9v3m8q0examplecontact01", "state": "denied", "source": "Phone call"},
    "writeConsentText": {"language": "en", "words": "Blue Door may tell me about its offers by message."},
    "createContact": {"phone": _PHONE, "name": "Ayşe Yılmaz", "tags": ["regular"]},
    "createAutoReply": {"kind": "keyword", "message": "https://example.com/menu", "keywords": ["menü", "menu"]},
    "updateContact": {"tags": ["regular", "vegetarian"], "consent": {"state": "granted", "source": "Card at the till"}},
    "createVenue": {
        "name": "Safran Lokantası",
        "currency": "TRY",
        "time_zone": "Europe/Istanbul",
        "locale": "tr-TR",
        "languages": ["tr", "en"],
        "order_types": ["dine_in", "takeaway"],
        "hours": [{"day": "friday", "opens": "18:00", "closes": "02:00"}],
        "service_charge": 10,
    },
    "createZone": {
        "name": "Moda",
        "corners": [
            {"latitude": 40.991, "longitude": 29.02},
            {"latitude": 40.991, "longitude": 29.04},
            {"latitude": 40.976, "longitude": 29.03},
        ],
        "fee": 35,
        "minimum": 250,
        "free_from": 800,
        "minutes": 40,
    },
    "updateZone": {"fee": 40, "minutes": 45},
    "checkPlace": {"latitude": 40.987654, "longitude": 29.028765},
    "importZones": {
        "type": "FeatureCollection",
        "features": [
            {
                "type": "Feature",
                "geometry": {
                    "type": "Polygon",
                    "coordinates": [[[29.02, 40.991], [29.04, 40.991], [29.03, 40.976], [29.02, 40.991]]],
                },
                "properties": {"name": "Moda", "fee": 35},
            }
        ],
    },
    "createAddress": {
        "label": "Ev",
        "address": "Moda Caddesi 12, daire 5",
        "latitude": 40.987654,
        "longitude": 29.028765,
    },
    "updateAddress": {"label": "İş"},
    "createPrinter": {
        "name": "Kitchen printer",
        "kind": "cloudprnt",
        "stations": ["kitchen"],
        "copies": 1,
        "profile": {"columns": 48, "code_page": "cp857", "slot": 13},
    },
    "updatePrinter": {"copies": 2},
    "setLayout": {
        "kind": "station",
        "station": "kitchen",
        "layout": {
            "sections": ["station", "place", "lines", "notes"],
            "head": "huge",
            "dishes": "large",
            "language": "tr",
        },
    },
    "inviteMember": {"email": "ada@example.com", "role": "staff", "name": "Ada", "language": "tr"},
    "inviteMemberAgain": {"language": "tr"},
    "changeMember": {"role": "manager"},
    "createKey": {"name": "Till", "scopes": ["messages:send"]},
    "createAccount": {"name": "Blue Door", "plan": "standard", "owner": {"email": "ada@example.com", "name": "Ada"}},
    "topUpAccount": {"amount_usd": 25, "reference": "invoice 2026-117"},
    "inviteOwner": {"email": "ada@example.com", "name": "Ada", "language": "tr"},
    "createPlan": {"name": "starter", "free_messages": 1000, "free_hours": 720},
    "changePlan": {"free_messages": 2000},
}
