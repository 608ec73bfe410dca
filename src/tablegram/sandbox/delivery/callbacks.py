"""The bodies posted to a line's callback URL, in the Cloud API's shape."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from typing import NotRequired, TypedDict, final

import msgspec

from tablegram.sandbox.graph.errors import StatusError
from tablegram.sandbox.phones.chats import Message, Phone
from tablegram.sandbox.store import Number
from tablegram.values import Json
from tablegram.values.clock import DAY_MS


class Conversation(TypedDict):
    id: str
    expiration_timestamp: str
    origin: dict[str, str]


class Pricing(TypedDict):
    billable: bool
    pricing_model: str
    type: str
    category: str


class Status(TypedDict):
    id: str
    status: str
    timestamp: str
    recipient_id: str
    recipient_user_id: str
    biz_opaque_callback_data: NotRequired[str]
    conversation: NotRequired[Conversation]
    pricing: NotRequired[Pricing]
    errors: NotRequired[list[StatusError]]


class Contact(TypedDict):
    user_id: str
    wa_id: NotRequired[str]
    profile: NotRequired[dict[str, str]]


@final
class Value(TypedDict, total=False):
    """What is told of messages. Those of customers differ by their type."""

    contacts: list[Contact]
    statuses: list[Status]
    messages: list[Json]
    message_echoes: list[Json]


@final
class News(TypedDict):
    """What is about no message."""

    field: str
    # In seconds.
    time: int
    value: Mapping[str, object]


class Change(TypedDict):
    field: str
    value: Mapping[str, object]


class NewsEntry(TypedDict):
    time: int
    changes: list[Change]


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
) -> Value:
    """A message's new status. Contacts come without a profile here, as on the real network."""
    category = message.content.get("category", "service")
    told: Status = {
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
) -> Value:
    """A customer's message; `wire` is its type and the object named like it."""
    contact: Contact = {"user_id": phone.user_id}
    told: Json = {"from_user_id": phone.user_id, "id": message.id, "timestamp": stamp(message.at_ms, in_ms)}
    if with_phone:
        contact["wa_id"] = told["from"] = phone.number
    if with_profile:
        contact["profile"] = {"name": phone.name or phone.number}
    return {"contacts": [contact], "messages": [told | wire]}


def echo_value(message: Message, phone: Phone, owner: str) -> Value:
    """A message that the owner of a phone wrote there, for a device that is linked with it."""
    told: Json = {
        "from": owner,
        "to": phone.number,
        "to_user_id": phone.user_id,
        "id": message.id,
        "timestamp": stamp(message.at_ms),
        "type": "text",
        "text": {"body": message.content["text"]},
    }
    return {"message_echoes": [told]}


def body(number: Number, told: Sequence[Value | News]) -> bytes:
    """One body for one change or several: merged lists, several changes and several entries all occur."""
    news = [value for value in told if "field" in value]
    values = [value for value in told if "field" not in value]
    half = len(values) // 2
    groups = [[merge(values[:half])], values[half:]] if half else [values]
    entries: list[dict[str, object]] = [
        {
            "id": number.waba_id,
            "changes": [{"field": "messages", "value": {**_shell(number), **value}} for value in group],
        }
        for group in groups
        if group
    ]
    entries += [{"id": number.waba_id, **news_entry(value)} for value in news]
    return msgspec.json.encode({"object": "whatsapp_business_account", "entry": entries})


def news_entry(value: News) -> NewsEntry:
    """What is about no message is told by itself, with the time at which it was so."""
    return {"time": value["time"], "changes": [{"field": value["field"], "value": value["value"]}]}


def merge(values: Iterable[Value]) -> Value:
    together: Value = {}
    for value in values:
        if "contacts" in value:
            together.setdefault("contacts", []).extend(value["contacts"])
        if "statuses" in value:
            together.setdefault("statuses", []).extend(value["statuses"])
        if "messages" in value:
            together.setdefault("messages", []).extend(value["messages"])
        if "message_echoes" in value:
            together.setdefault("message_echoes", []).extend(value["message_echoes"])
    return together


def signature(app_secret: str, raw: bytes) -> str:
    """The value of X-Hub-Signature-256."""
    return "sha256=" + hmac.new(app_secret.encode(), raw, hashlib.sha256).hexdigest()


def _shell(number: Number) -> Json:
    return {
        "messaging_product": "whatsapp",
        "metadata": {"display_phone_number": number.display_phone_number, "phone_number_id": number.id},
    }
