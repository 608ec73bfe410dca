"""The bodies posted to a line's callback URL, in the Cloud API's shape."""

from __future__ import annotations

import hashlib
import hmac

import msgspec

from tablegram.sandbox.graph.errors import StatusError
from tablegram.sandbox.phones.chats import Message, Phone
from tablegram.sandbox.store import Number
from tablegram.values import Json
from tablegram.values.clock import DAY_MS


def stamp(at_ms: int, in_ms: bool = False) -> str:
    """Seconds as text, as the network writes times (milliseconds only when made to err)."""
    return str(at_ms if in_ms else at_ms // 1_000)


def status_value(
    message: Message,
    phone: Phone,
    status: str,
    at_ms: int,
    *,
    error: StatusError | None = None,
    in_ms: bool = False,
) -> Json:
    """A message's new status. Contacts come without a profile here, as on the real network."""
    category = message.content.get("category", "service")
    told: Json = {
        "id": message.id,
        "status": status,
        "timestamp": stamp(at_ms, in_ms),
        "recipient_id": phone.number,
        "recipient_user_id": phone.user_id,
    }
    if message.correlation is not None:
        told["biz_opaque_callback_data"] = message.correlation
    if status in ("sent", "delivered"):
        told["conversation"] = {
            "id": hashlib.md5(f"{message.number_id}/{phone.number}/{category}".encode()).hexdigest(),
            "expiration_timestamp": stamp(at_ms + DAY_MS, in_ms),
            "origin": {"type": category},
        }
        told["pricing"] = {"billable": True, "pricing_model": "PMP", "type": "regular", "category": category}
    if error is not None:
        told["errors"] = [error]
    return {"contacts": [{"wa_id": phone.number, "user_id": phone.user_id}], "statuses": [told]}


def inbound_value(
    message: Message,
    phone: Phone,
    wire: Json,
    *,
    with_profile: bool = True,
    with_phone: bool = True,
    in_ms: bool = False,
) -> Json:
    """A customer's message; `wire` is its type and the object named like it."""
    contact: Json = {"user_id": phone.user_id}
    told: Json = {"from_user_id": phone.user_id, "id": message.id, "timestamp": stamp(message.at_ms, in_ms)}
    if with_phone:
        contact["wa_id"] = told["from"] = phone.number
    if with_profile:
        contact["profile"] = {"name": phone.name or phone.number}
    return {"contacts": [contact], "messages": [told | wire]}


def echo_value(message: Message, phone: Phone, owner: str) -> Json:
    """A message that the owner of a phone wrote there, for a device that is linked with it."""
    told = {
        "from": owner,
        "to": phone.number,
        "to_user_id": phone.user_id,
        "id": message.id,
        "timestamp": stamp(message.at_ms),
        "type": "text",
        "text": {"body": message.content["text"]},
    }
    return {"message_echoes": [told]}


def body(number: Number, values: list[Json]) -> bytes:
    """One body for one change or several: merged lists, several changes and several entries all occur."""
    news = [value for value in values if "field" in value]
    values = [value for value in values if "field" not in value]
    half = len(values) // 2
    groups = [[merge(values[:half])], values[half:]] if half else [values]
    entries = [
        {"id": number.waba_id, "changes": [{"field": "messages", "value": _shell(number) | value} for value in group]}
        for group in groups
        if group
    ]
    entries += [{"id": number.waba_id, **news_entry(value)} for value in news]
    return msgspec.json.encode({"object": "whatsapp_business_account", "entry": entries})


def news_entry(value: Json) -> Json:
    """What is about no message is told by itself, with the time at which it was so."""
    return {"time": value["time"], "changes": [{"field": value["field"], "value": value["value"]}]}


def merge(values: list[Json]) -> Json:
    together: Json = {}
    for value in values:
        for name, items in value.items():
            together.setdefault(name, []).extend(items)
    return together


def signature(app_secret: str, raw: bytes) -> str:
    """The value of X-Hub-Signature-256."""
    return "sha256=" + hmac.new(app_secret.encode(), raw, hashlib.sha256).hexdigest()


def _shell(number: Number) -> Json:
    return {
        "messaging_product": "whatsapp",
        "metadata": {"display_phone_number": number.display_phone_number, "phone_number_id": number.id},
    }
