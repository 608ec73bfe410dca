"""What a network tells us: statuses of what we sent, messages of customers, and its own troubles.

Every kind of source has a parser that translates what its network says into these, so that nothing above knows a
wire format.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from tablegram.values import Json
from tablegram.values.clock import HOUR_MS

DeliveryStatus = Literal["sent", "delivered", "read", "failed", "deleted"]

# Whose message was held up for longer would wonder at an answer that is sent by itself.
MAX_AGE_MS = HOUR_MS

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
    "call",
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
    pricing: Json | None = None


class InboundMedia(msgspec.Struct, frozen=True, kw_only=True):
    """A file that a customer sent, by the network's id for it."""

    media_id: str
    mime_type: str = ""
    filename: str = ""
    sha256: str = ""
    caption: str = ""
    voice: bool = False
    animated: bool = False


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
    # What the network calls the sender besides: the name they chose, and their id among several businesses of one owner.
    username: str = ""
    parent_user_id: str = ""
    # The number and the ids that the sender has from now on, when the network tells that they have changed.
    new_phone: str = ""
    new_user_id: str = ""
    new_parent_user_id: str = ""
    # The group that it was written in; empty for what is between two.
    group_id: str = ""
    # The text, or the caption or title where the type has one.
    text: str = ""
    media: InboundMedia | None = None
    # The type's natural object as it came: location, contacts, reaction, reply, order.
    body: object = None
    reply_to: str = ""
    # For an echo: whom the owner wrote to.
    recipient: str = ""
    echo: bool = False
    # It was written before the line was ours, and is told of afterwards.
    is_history: bool = False
    # The message exactly as it came, for what we do not understand yet.
    raw: Json

    @property
    def address(self) -> str:
        """Where an answer goes: the number, or what the network calls whoever hides it."""
        return self.sender_phone or self.sender_user_id

    def is_late(self, now: int) -> bool:
        return now - self.at_ms > MAX_AGE_MS


class NetworkError(msgspec.Struct, frozen=True, kw_only=True):
    """A trouble of the line itself that the network reports on its own."""

    phone_number_id: str = ""
    error_code: int | None
    reason: str
    detail: str
    raw: Json


class MessageChange(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody has changed what they wrote, or taken it back. `message` is as it stands now, by the id it always had."""

    kind: Literal["edited", "deleted"]
    message: InboundMessage
    phone_number_id: str = ""


class Preference(msgspec.Struct, frozen=True, kw_only=True):
    """A customer told the network whether they want advertising of this business."""

    phone_number_id: str = ""
    phone: str
    user_id: str
    parent_user_id: str = ""
    name: str
    wants: bool
    detail: str
    at_ms: int


class IdentityChange(msgspec.Struct, frozen=True, kw_only=True):
    """The network calls a person otherwise from now on. All of these are the same person."""

    phone_number_id: str = ""
    phone: str
    user_ids: tuple[str, ...]
    parent_user_ids: tuple[str, ...] = ()
    name: str = ""
    at_ms: int


class AddressCard(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody from the address book of the phone that the number is also used on."""

    phone_number_id: str = ""
    phone: str
    user_id: str = ""
    username: str = ""
    name: str


class LineStanding(msgspec.Struct, frozen=True, kw_only=True):
    """What the network thinks of a line, in one respect. Without a state, that is over."""

    topic: str
    state: Literal["degraded", "restricted", "needs_attention"] | None
    reason: str = ""
    # When it ends by itself, if it does: at a time, or so long after it was told.
    until_ms: int | None = None
    lasts_ms: int | None = None


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """News of the network about an account, a number or something that belongs to them; nobody wrote it."""

    # What it is about, in our words, and in the network's.
    kind: str
    field: str
    phone_number_id: str = ""
    # Either may be empty: the network's id of the business account, and the number that people dial.
    waba_id: str = ""
    phone: str = ""
    at_ms: int = 0
    # What it says, without persons.
    facts: dict[str, str]
    standing: LineStanding | None = None


class UnknownChange(msgspec.Struct, frozen=True, kw_only=True):
    """Something that we have no meaning for. Kept, never an error."""

    field: str
    phone_number_id: str = ""
    raw: object
    # What it is called where it is shown; `malformed` is what is not even JSON, and why.
    kind: Literal["unknown", "malformed"] = "unknown"
    why: str = ""


Incoming = (
    StatusUpdate
    | InboundMessage
    | MessageChange
    | Preference
    | IdentityChange
    | AddressCard
    | Notice
    | NetworkError
    | UnknownChange
)

# Reads a body of one kind of source, as the inbox keeps it. Raises `Malformed` and nothing else.
Parse = Callable[[bytes], list[Incoming]]


class Malformed(Exception):
    """A callback's body is not a JSON object. The only thing a parser may raise."""
