"""The parts of the OpenAPI document that no route owns: words, problems, header fields, links, examples."""

from __future__ import annotations

from typing import Any

from tablegram.settings import Settings

INFO = {
    "title": "Tablegram",
    "version": "1.4",
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
    {"name": "Account", "description": "Who calls, and what they have called."},
    {"name": "Keys", "description": "The account's API keys."},
]

SECURITY = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "An API key: tg_live_ or tg_test_ and 46 more characters.",
    }
}

SUCCESS = {"200": "Done.", "201": "Made.", "204": "Done; there is nothing to answer."}

HEADERS: dict[str, Any] = {
    "X-Request-Id": {
        "description": "Names this request; the caller's own when it sent a sane one.",
        "required": True,
        "schema": {"type": "string"},
    },
    "X-API-Version": {"description": "Version of the interface.", "required": True, "schema": {"const": "1.4"}},
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
OPAQUE = {"cursor"}
FORMATS = {"since": "date-time", "cursor": "cursor", "message_id": "message-id", "phone": "phone"}

KINDS = {"sandbox": "#/components/schemas/CreateSandbox", "cloud": "#/components/schemas/CreateCloud"}

# status: name of the shared response, when it happens, header fields of its own.
_PROBLEMS: dict[int, tuple[str, str, tuple[str, ...]]] = {
    400: ("Malformed", "The request is not HTTP that can be read.", ()),
    401: (
        "Unauthorized",
        "The key is missing, malformed, unknown, expired or revoked, or the account is suspended.",
        ("WWW-Authenticate",),
    ),
    402: ("QuotaExhausted", "The free quota is used up and the balance does not cover the message.", ()),
    403: ("ScopeMissing", "The key lacks the scope that this call needs.", ()),
    404: ("NotFound", "There is nothing at this address, or nothing of this account.", ()),
    405: ("MethodNotAllowed", "The address exists and does not take this method.", ("Allow",)),
    408: ("RequestTimeout", "No byte of the request came for too long; the connection is closed.", ()),
    409: (
        "Conflict",
        "The state does not allow it, or a call under the same Idempotency-Key is still running.",
        ("Retry-After",),
    ),
    413: ("BodyTooLarge", "The body is too large.", ()),
    415: ("UnsupportedMediaType", "The body is not application/json.", ()),
    422: ("Unprocessable", "A field is wrong, the JSON is malformed, or the network refused the message for good.", ()),
    429: ("RateLimited", "Too many requests.", ("Retry-After",)),
    431: ("HeaderTooLarge", "The request's header fields are too large; the connection is closed.", ()),
    503: ("Unavailable", "The storage or the network cannot be reached right now.", ("Retry-After",)),
}
NAMES = {status: name for status, (name, _, _) in _PROBLEMS.items()}
_BODY_ONLY = {408, 413, 415}


# A look-up that only one kind of line can answer.
_CONFLICTING = {"getQr"}


def problem_statuses(method: str, operation_id: str, *, has_body: bool) -> list[int]:
    conflicts = method in ("PATCH", "DELETE") or operation_id in _CONFLICTING
    sends = {402, 409} if method == "POST" else {409} if conflicts else set()
    never = ({402, 409} - sends) | (set() if has_body else _BODY_ONLY)
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


def _link(operation_id: str, parameter: str, pointer: str, description: str) -> dict[str, Any]:
    return {
        "operationId": operation_id,
        "parameters": {parameter: f"$response.body#/{pointer}"},
        "description": description,
    }


_SENDS = ("sendText", "sendMedia", "sendTemplate", "sendLocation", "sendContacts", "sendButtons", "sendList", "react")
_MESSAGE_LINKS = {
    "getMessage": _link("getMessage", "message_id", "message_id", "Look the message up."),
    "cancelMessage": _link("cancelMessage", "message_id", "message_id", "Cancel it while it is queued."),
}
LINKS: dict[str, dict[str, Any]] = {
    **dict.fromkeys(_SENDS, _MESSAGE_LINKS),
    "createInstance": {
        "getInstance": _link("getInstance", "instance_id", "id", "Look the line up."),
        "updateInstance": _link("updateInstance", "instance_id", "id", "Change it."),
        "makeDefault": _link("makeDefault", "instance_id", "id", "Make it the default."),
        "restartInstance": _link("restartInstance", "instance_id", "id", "Restart it."),
        "getQr": _link("getQr", "instance_id", "id", "Pair it, if it is a linked device."),
        "createPairCode": _link("createPairCode", "instance_id", "id", "Pair it with a code to type."),
        "logoutInstance": _link("logoutInstance", "instance_id", "id", "End its pairing."),
        "deleteInstance": _link("deleteInstance", "instance_id", "id", "Delete it."),
    },
    "createKey": {"revokeKey": _link("revokeKey", "key_id", "id", "Revoke the key.")},
}

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
    "createKey": {"name": "Till", "scopes": ["messages:send"]},
}
