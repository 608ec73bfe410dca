"""The Cloud API's callbacks: whether one is genuine, and what it says.

Everything here is pure. A callback may hold any number of entries, changes, messages and statuses, may come twice,
out of order, with times in seconds or milliseconds, without a profile, and without the sender's number.
What is well-formed JSON never fails: what has no meaning for us comes out as `UnknownChange`.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator

import msgspec

from tablegram.messaging.incoming import (
    DeliveryStatus,
    Incoming,
    Malformed,
    NetworkError,
    StatusUpdate,
    UnknownChange,
)
from tablegram.messaging.lines.cloud import errors, news, people
from tablegram.messaging.lines.cloud.errors import GraphError
from tablegram.messaging.lines.cloud.history import read_call, read_history
from tablegram.messaging.lines.cloud.inbound import read_message
from tablegram.messaging.lines.cloud.loose import at_ms, decode, phone, text
from tablegram.values import Json, dicts, mapping

_PREFIX = "sha256="

# A voice message that was played has been read, and more.
_STATUSES: dict[str, DeliveryStatus] = {
    "sent": "sent",
    "delivered": "delivered",
    "read": "read",
    "played": "read",
    "failed": "failed",
    # Taken back by the owner in the network's own app.
    "deleted": "deleted",
}
_KNOWN_LISTS = (
    "messages", "statuses", "errors", "message_echoes", "user_preferences", "user_id_update", "state_sync", "calls",
)  # fmt: skip


def verify(app_secret: str, raw: bytes, header: str | None) -> bool:
    """Whether the header signs exactly these bytes with this secret. An empty secret never verifies."""
    if not app_secret or header is None or not header.startswith(_PREFIX):
        return False
    expected = hmac.new(app_secret.encode(), raw, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), header[len(_PREFIX) :].encode("utf-8", "replace"))


def parse(raw: bytes) -> list[Incoming]:
    """Everything that a callback says, in its own order. Raises `Malformed` for what is not a JSON object."""
    try:
        document = decode(raw)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"The body is not JSON: {error}") from None
    if not isinstance(document, dict):
        raise Malformed("The body is JSON, but not an object.")
    found: list[Incoming] = []
    for entry in dicts(document.get("entry")):
        for change in dicts(entry.get("changes")):
            found += _read_change(entry, change)
    # A body that says nothing we know of is told of as well.
    return found or [_unknown(text(document.get("object")), "", document)]


def read_phone(raw: bytes, phone_number_id: str) -> str:
    """The number that people dial to reach a line, in digits, if a callback tells it; one may tell of others as well."""
    try:
        document = mapping(decode(raw))
    except (ValueError, RecursionError):
        return ""
    for entry in dicts(document.get("entry")):
        for change in dicts(entry.get("changes")):
            metadata = mapping(mapping(change.get("value")).get("metadata"))
            dialled = phone(metadata.get("display_phone_number"))
            if dialled and text(metadata.get("phone_number_id")) == phone_number_id:
                return dialled
    return ""


def _read_change(entry: Json, change: Json) -> Iterator[Incoming]:
    field = text(change.get("field"))
    value = mapping(change.get("value"))
    number_id = text(mapping(value.get("metadata")).get("phone_number_id"))
    if field in news.FIELDS:
        yield news.read(field, value, text(entry.get("id")), at_ms(value.get("timestamp") or entry.get("time")))
        return
    if field == "history":
        found = list(read_history(value, number_id))
        yield from found or [_unknown(field, number_id, change.get("value"))]
        return
    if not any(isinstance(value.get(name), list) for name in _KNOWN_LISTS):
        yield _unknown(field, number_id, change.get("value"))
        return
    yield from _read_lists(field, value, number_id)


def _read_lists(field: str, value: Json, number_id: str) -> Iterator[Incoming]:
    messages, contacts = dicts(value.get("messages")), dicts(value.get("contacts"))
    if len({text(one.get("from")) or text(one.get("from_user_id")) for one in messages}) > 1 and len(contacts) == 1:
        # One card among several writers is only for whoever it names.
        contacts = [*contacts, {}]
    for message in messages:
        yield read_message(message, contacts, number_id) or _unknown(field, number_id, message)
    for status in dicts(value.get("statuses")):
        yield (
            _read_status(status, number_id) or news.read_status(status, number_id) or _unknown(field, number_id, status)
        )
    for error in dicts(value.get("errors")):
        yield _read_error(error, number_id)
    for echo in dicts(value.get("message_echoes")):
        yield read_message(echo, [], number_id, echo=True) or _unknown(field, number_id, echo)
    for preference in dicts(value.get("user_preferences")):
        yield people.read_preference(preference, contacts, number_id) or _unknown(field, number_id, preference)
    for identity in dicts(value.get("user_id_update")):
        yield people.read_identity(identity, contacts, number_id) or _unknown(field, number_id, identity)
    for card in dicts(value.get("state_sync")):
        yield people.read_card(card, number_id) or _unknown(field, number_id, card)
    for call in dicts(value.get("calls")):
        yield read_call(call, contacts, number_id) or _unknown(field, number_id, call)


def _unknown(field: str, number_id: str, raw: object) -> UnknownChange:
    return UnknownChange(field=field, phone_number_id=number_id, raw=raw)


def _read_status(status: Json, number_id: str) -> StatusUpdate | None:
    network_id = text(status.get("id"))
    known = _STATUSES.get(text(status.get("status")))
    if not network_id or known is None or text(status.get("type")) in news.OTHER_STATUSES:
        return None
    code, reason, detail = None, "", ""
    if known == "failed":
        code, reason, detail = _explain(next(iter(dicts(status.get("errors"))), {}))
    pricing = status.get("pricing")
    return StatusUpdate(
        network_id=network_id,
        correlation=text(status.get("biz_opaque_callback_data")),
        status=known,
        at_ms=at_ms(status.get("timestamp")),
        recipient=text(status.get("recipient_id")) or text(status.get("recipient_user_id")),
        phone_number_id=number_id,
        error_code=code,
        reason=reason,
        detail=detail,
        pricing=pricing if isinstance(pricing, dict) else None,
    )


def _read_error(error: Json, number_id: str) -> NetworkError:
    code, reason, detail = _explain(error)
    return NetworkError(phone_number_id=number_id, error_code=code, reason=reason, detail=detail, raw=error)


def _explain(error: Json) -> tuple[int | None, str, str]:
    """The network's code, our code and plain words. Who reads a failed status can no longer retry it."""
    try:
        graph = msgspec.convert(error, GraphError, strict=False)
    except msgspec.ValidationError:
        graph = GraphError()
    verdict = errors.judge(graph)
    return (graph.code if graph.code >= 0 else None), verdict.code, errors.describe(verdict, graph)
