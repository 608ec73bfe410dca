"""The parts of the OpenAPI document that no route owns: words, problems, header fields, links, examples."""

from __future__ import annotations

from typing import Any

from tablegram.settings import Settings
from tablegram.web.version import API_VERSION

INFO = {
    "title": "Tablegram",
    "version": API_VERSION,
    "summary": "A messaging gateway: send messages over cloud lines, linked devices and a sandbox.",
    "description": (
        "JSON over HTTP. Every request carries `Authorization: Bearer <API key>`; requests with a body carry "
        "`Content-Type: application/json`.\n\n"
        "**Errors** are problem documents (RFC 9457, `application/problem+json`) with a stable `code`, a `detail` that "
        "says what to do, the `request_id`, and on 422 `errors`, which names every wrong field.\n\n"
        "**Repeating safely:** send an `Idempotency-Key` with any POST. The same key and body answer the same again, "
        "with `Idempotent-Replayed: true`, for 24 hours.\n\n"
        "**Rate limit:** every answer carries `RateLimit-Policy` and `RateLimit`; a 429 says in `Retry-After` how long "
        "to wait.\n\n"
        "**Lists** take `limit` and `cursor`, and answer `data` and `next_cursor`, which is null on the last page."
    ),
    "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
}

TAGS = [
    {"name": "Sending", "description": "Calls that send something. All answer the same four fields."},
    {"name": "Messages", "description": "What was sent and received, and its state."},
    {"name": "Templates", "description": "Message templates of a line."},
    {"name": "Lines", "description": "The lines that messages leave through."},
    {"name": "Webhooks", "description": "Where events are posted to, and what became of each delivery."},
    {"name": "Events", "description": "What happened: page by page, and live."},
    {"name": "Contacts", "description": "Everybody who has written, and what is known of them."},
    {"name": "Segments", "description": "Groups of contacts by rules: saved, counted, and previewed with why."},
    {"name": "Conversations", "description": "The inbox: who wrote, what waits, and who looks after it."},
    {"name": "Canned replies", "description": "Texts that people send often."},
    {"name": "Automatic replies", "description": "What a line answers automatically."},
    {"name": "Venues", "description": "Restaurants: where they are, when they are open, who serves."},
    {"name": "Tables", "description": "Tables, and the codes that open the menu at them."},
    {"name": "Menus", "description": "Categories, items, options, photos; in bulk and as files."},
    {"name": "Orders", "description": "What guests ordered, how far it is, and who calls from a table."},
    {"name": "Bills", "description": "What the guests of a table owe, what they paid and how, and what is open."},
    {
        "name": "Cash",
        "description": "The drawer of a venue: what should be in it, what came and went, and counts of it.",
    },
    {
        "name": "Delivery",
        "description": "Zones: where a venue delivers to, on which terms, and whether it reaches a place.",
    },
    {"name": "Printing", "description": "Printers, the tickets that orders become, and what became of each."},
    {"name": "Stores", "description": "Shops and forms: what they tell of, and what is said because of it."},
    {
        "name": "Automations",
        "description": "Messages that go out automatically after an occasion, and what guests say to them.",
    },
    {"name": "Campaigns", "description": "What is written to many at once, and what came of it."},
    {"name": "Payments", "description": "Payment links, refunds, and the providers that they are paid with."},
    {"name": "Loyalty", "description": "The programme, points of guests, coupons, and what is redeemed on orders."},
    {"name": "Couriers", "description": "Who brings orders, what each of them has, and the cash they hand in."},
    {"name": "Sales", "description": "What was sold: by day, hour, item, waiter and kind of order."},
    {"name": "Account", "description": "Who calls, what they have called, and who did what."},
    {"name": "Team", "description": "The people who sign in to the account, and their roles."},
    {"name": "Keys", "description": "The account's API keys."},
    {"name": "Operator", "description": "The installation itself. For keys made by `tablegram key create --operator`."},
]

SECURITY = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "An API key: tg_live_ or tg_test_ and 46 more characters.",
    }
}

SUCCESS = {
    "200": "Done.",
    "201": "Made.",
    "202": "Accepted; it is done in the background.",
    "204": "Done; there is nothing to answer.",
}

HEADERS: dict[str, Any] = {
    "X-Request-Id": {
        "description": "Names this request; the caller's own when it sent a sane one.",
        "required": True,
        "schema": {"type": "string"},
    },
    "X-API-Version": {"description": "Version of the interface.", "required": True, "schema": {"const": API_VERSION}},
    "RateLimit-Policy": {"description": "The limit: q requests in w seconds.", "schema": {"type": "string"}},
    "RateLimit": {
        "description": "What is left: r requests now, all of them after t seconds.",
        "schema": {"type": "string"},
    },
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "string", "pattern": "^[0-9]+$"}},
    "WWW-Authenticate": {"description": "How to show who you are.", "schema": {"type": "string"}},
    "Allow": {"description": "The methods that this address takes.", "schema": {"type": "string"}},
    "Idempotent-Replayed": {
        "description": "true when an earlier answer is given again.",
        "schema": {"type": "string", "enum": ["true"]},
    },
}

ON_EVERY_ANSWER = {
    name: {"$ref": f"#/components/headers/{name}"}
    for name in ("X-Request-Id", "X-API-Version", "RateLimit-Policy", "RateLimit")
}

PARAMETERS: dict[str, Any] = {
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "required": False,
        "description": "Makes the call safe to repeat for 24 hours. 1 to 255 visible ASCII characters.",
        "schema": {
            "type": "string",
            "minLength": 1,
            "maxLength": 255,
            "pattern": "^[!-~]+$",
            "format": "idempotency-key",
        },
    },
    "Prefer": {
        "name": "Prefer",
        "in": "header",
        "required": False,
        "description": "`respond-async`: answer `queued` as soon as the message is stored, without waiting for the network.",
        "schema": {"type": "string"},
    },
}

# Only what a list has answered is right here; its form is nobody's business.
OPAQUE = {"cursor", "after"}
FORMATS = {
    "since": "date-time",
    "active_since": "date-time",
    "placed_since": "date-time",
    "placed_until": "date-time",
    "cursor": "cursor",
    "after": "cursor",
    "phone": "phone",
    "message_id": "message-id",
    "media_id": "media-id",
    "contact_id": "contact-id",
    "webhook_id": "webhook-id",
    "delivery_id": "delivery-id",
    "reply_id": "reply-id",
    "venue_id": "venue-id",
    "table_id": "table-id",
    "waiter_id": "waiter-id",
    "section_id": "section-id",
    "category_id": "category-id",
    "item_id": "item-id",
    "group_id": "group-id",
    "image_id": "image-id",
    "order_id": "order-id",
    "printer_id": "printer-id",
    "ticket_id": "ticket-id",
}

KINDS = {kind: f"#/components/schemas/Create{kind.capitalize()}" for kind in ("sandbox", "cloud", "linked")}

# status: name of the shared response, when it happens, header fields of its own.
_PROBLEMS: dict[int, tuple[str, str, tuple[str, ...]]] = {
    400: ("Malformed", "The request is not HTTP that can be read.", ()),
    401: (
        "Unauthorized",
        "The key is missing, malformed, unknown, expired or revoked, or the account is suspended.",
        ("WWW-Authenticate",),
    ),
    402: ("QuotaExhausted", "The free quota is used up and the balance does not cover the message.", ()),
    403: ("ScopeMissing", "The key lacks the scope that this call needs, or is a test key and this is live.", ()),
    404: ("NotFound", "There is nothing at this address, or nothing of this account.", ()),
    405: ("MethodNotAllowed", "The address exists and does not take this method.", ("Allow",)),
    408: ("RequestTimeout", "No byte of the request came for too long; the connection is closed.", ()),
    409: (
        "Conflict",
        "The state does not allow it, or a call under the same Idempotency-Key is still running.",
        ("Retry-After",),
    ),
    410: ("Gone", "What is asked for was here, or should have been, and is not to be had any more.", ()),
    413: ("BodyTooLarge", "The body is too large.", ()),
    415: ("UnsupportedMediaType", "The body is not application/json, or a form where a file is wanted.", ()),
    422: ("Unprocessable", "A field is wrong, the JSON is malformed, or the network refused the message for good.", ()),
    429: ("RateLimited", "Too many requests.", ("Retry-After",)),
    431: ("HeaderTooLarge", "The request's header fields are too large; the connection is closed.", ()),
    503: ("Unavailable", "The storage or the network cannot be reached right now.", ("Retry-After",)),
}
NAMES = {status: name for status, (name, _, _) in _PROBLEMS.items()}
_BODY_ONLY = {408, 413, 415}


_FILE = {"type": "string", "format": "binary"}

# Calls that answer something else than one JSON document of one type: a file of whatever type it has, a file of the
# type that was asked for, and events one after the other, each of this form.
CONTENTS: dict[str, dict[str, Any]] = {
    "getMedia": {"*/*": {"schema": _FILE}},
    "exportContacts": {
        "application/json": {"schema": {"$ref": "#/components/schemas/ContactExport"}},
        "text/csv": {"schema": {"type": "string"}},
    },
    "exportConsents": {
        "application/json": {"schema": {"$ref": "#/components/schemas/ConsentExport"}},
        "text/csv": {"schema": {"type": "string"}},
    },
    "exportUsage": {"text/csv": {"schema": {"type": "string"}}},
    "exportCampaignReport": {"text/csv": {"schema": {"type": "string"}}},
    "exportSales": {"text/csv": {"schema": {"type": "string"}}},
    "exportTakings": {"text/csv": {"schema": {"type": "string"}}},
    "printTableCodes": {"application/pdf": {"schema": _FILE}},
    "getTableCodePng": {"image/png": {"schema": _FILE}},
    "getTableCodeSvg": {"image/svg+xml": {"schema": {"type": "string"}}},
    "getQrPng": {"image/png": {"schema": _FILE}},
    "getQrSvg": {"image/svg+xml": {"schema": {"type": "string"}}},
    "exportMenu": {
        "application/json": {"schema": {"$ref": "#/components/schemas/ExportedMenu"}},
        "text/csv": {"schema": {"type": "string"}},
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": {"schema": _FILE},
    },
    "streamEvents": {
        "text/event-stream": {
            "schema": {
                "type": "object",
                "properties": {name: {"type": "string"} for name in ("id", "event", "data")},
                "required": ["id", "event", "data"],
            }
        }
    },
}

# Calls whose body is not one JSON document of one type: a file of whatever type it has.
BODIES: dict[str, dict[str, Any]] = {
    "uploadMedia": {
        "description": "The file itself, with its own Content-Type; 100 MB at most.",
        "required": True,
        "content": {"application/octet-stream": {"schema": _FILE}},
    },
    "uploadImage": {
        "description": "The picture itself, with its own Content-Type; 15 MB at most.",
        "required": True,
        "content": {"application/octet-stream": {"schema": _FILE}},
    },
    "importMenu": {
        "description": "The file itself: CSV, XLSX or JSON; 10 MB at most.",
        "required": True,
        "content": {"application/octet-stream": {"schema": _FILE}},
    },
}

# Problems of single calls, beside those that their method brings along: a file that is not there yet or no more, and a
# look-up that only one kind of line can answer.
_OF_CALLS: dict[str, set[int]] = {
    "getMedia": {409, 410},
    "printTableCodes": {409},
    **{name: {409} for name in ("getQr", "getQrPng", "getQrSvg")},
}


def problem_statuses(method: str, operation_id: str, *, has_body: bool) -> list[int]:
    sends = {402, 409} if method == "POST" else {409} if method in ("PATCH", "DELETE") else set()
    never = ({402, 409, 410} - sends - _OF_CALLS.get(operation_id, set())) | (set() if has_body else _BODY_ONLY)
    return [status for status in _PROBLEMS if status not in never]


def responses(settings: Settings) -> dict[str, Any]:
    """One shape for every answer that is not a success."""
    return {
        name: {
            "description": when,
            "headers": {**ON_EVERY_ANSWER, **{field: {"$ref": f"#/components/headers/{field}"} for field in fields}},
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}},
        }
        for name, when, fields in _PROBLEMS.values()
    }


def header_parameters(method: str, operation_id: str) -> list[dict[str, str]]:
    names = []
    if method == "POST":
        names.append("IdempotencyKey")
    if operation_id.startswith("send") or operation_id == "react":
        names.append("Prefer")
    return [{"$ref": f"#/components/parameters/{name}"} for name in names]
