"""What a network tells us: statuses of what we sent, messages of customers, and its own troubles.

Every kind of source has a parser that translates what its network says into these, so that nothing above knows a
wire format.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec

DeliveryStatus = Literal["sent", "delivered", "read", "failed"]

InboundType = Literal[
    "text",
    "image",
    "document",
    "audio",
    "video",
    "sticker",
    "location",
    "contacts",
    "reaction",
    "button",
    "list",
    "order",
    "unsupported",
]


class StatusUpdate(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a message that we sent. Steps come repeated and in any order."""

    network_id: str
    # The value we gave when sending; empty when the network did not send it back.
    correlation: str
    status: DeliveryStatus
    at_ms: int
    # The phone number, or the network's own user id where it hides the number.
    recipient: str
    # The network's id of the line's number, here and below; empty where a source speaks for one line alone.
    phone_number_id: str = ""
    # Only when failed: the network's code, our stable code for it, and plain words.
    error_code: int | None = None
    reason: str = ""
    detail: str = ""
    # The network's own pricing object, as it came.
    pricing: dict[str, Any] | None = None


class InboundMedia(msgspec.Struct, frozen=True, kw_only=True):
    """A file that a customer sent, by the network's id for it."""

    media_id: str
    mime_type: str = ""
    filename: str = ""
    sha256: str = ""
    caption: str = ""
    voice: bool = False


class InboundMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message that a customer wrote, or (`echo`) one that the owner wrote in the network's own app."""

    network_id: str
    at_ms: int
    type: InboundType
    # The network's word for the type, which may be one that we do not know.
    network_type: str
    phone_number_id: str = ""
    # Any of the two may be empty: a network may hide the number or not have a user id.
    sender_phone: str
    sender_user_id: str
    sender_name: str
    # The number that the sender has from now on, when the network tells that he has changed it.
    new_phone: str = ""
    # The text, or the caption or title where the type has one.
    text: str = ""
    media: InboundMedia | None = None
    # The type's natural object as it came: location, contacts, reaction, reply, order.
    body: Any = None
    reply_to: str = ""
    # For an echo: whom the owner wrote to.
    recipient: str = ""
    echo: bool = False
    # The message exactly as it came, for what we do not understand yet.
    raw: dict[str, Any]


class NetworkError(msgspec.Struct, frozen=True, kw_only=True):
    """A trouble of the line itself that the network reports on its own."""

    phone_number_id: str = ""
    error_code: int | None
    reason: str
    detail: str
    raw: dict[str, Any]


class UnknownChange(msgspec.Struct, frozen=True, kw_only=True):
    """Something well-formed that we have no meaning for. Kept, never an error."""

    field: str
    phone_number_id: str = ""
    raw: Any


Incoming = StatusUpdate | InboundMessage | NetworkError | UnknownChange

# Reads a body of one kind of source, as the inbox keeps it. Raises `Malformed` and nothing else.
Parse = Callable[[bytes], list[Incoming]]


class Malformed(Exception):
    """A callback's body is not a JSON object. The only thing a parser may raise."""
