"""One thing that a callback said, and how it looks as a row."""

from __future__ import annotations

from typing import Literal, TypedDict

import msgspec

from tablegram.crm.contacts import Sender
from tablegram.engine.rows import BodyName
from tablegram.flows.contacts.echoes import Key
from tablegram.flows.gateway.answering import Written
from tablegram.messaging.incoming import InboundMessage, Incoming, MessageChange, StatusUpdate
from tablegram.values.authors import BY_PHONE
from tablegram.values.ids import new_id, past_id

_encode = msgspec.json.Encoder().encode

_WRITERS = ("from", "from_user_id", "from_parent_user_id")


# A customer wrote it just now, or before the line was ours; the owner did, in the network's own app; it is about an
# earlier message, changed or moved on; nobody knows whose message it is; it is no message.
Role = Literal["written", "history", "echo", "old_echo", "changed", "status", "nobodys", "other"]


class Arrival(msgspec.Struct, frozen=True):
    """One thing that a callback said, and whose line it was said to."""

    account_id: int
    instance_id: int
    item: Incoming
    role: Role
    # Which body said it, and when that came.
    source: str = ""
    external_id: str = ""
    received_at: int = 0
    # How often working it in has failed.
    failures: int = 0
    # The lines that news is about.
    about: tuple[int, ...] = ()
    # It names a number that is no line's.
    is_strangers: bool = False


def body_of(row: BodyName) -> tuple[str, str]:
    return row["source"], row["external_id"]


def key_of(arrival: Arrival) -> Key:
    item = arrival.item
    if isinstance(item, MessageChange):
        item = item.message
    network_id = item.network_id if isinstance(item, InboundMessage | StatusUpdate) else ""
    return arrival.account_id, arrival.instance_id, network_id


def message_of(arrival: Arrival) -> InboundMessage:
    item = arrival.item
    if isinstance(item, MessageChange):
        return item.message
    assert isinstance(item, InboundMessage)
    return item


def role_of(item: Incoming, *, is_strangers: bool) -> Role:
    """What is done with it. Told once, since every arrival is asked many times."""
    if is_strangers:
        return "other"
    if isinstance(item, MessageChange):
        return "changed"
    if isinstance(item, StatusUpdate):
        return "status"
    if not isinstance(item, InboundMessage):
        return "other"
    if item.echo:
        return "nobodys" if not item.recipient else "old_echo" if item.is_history else "echo"
    names = (
        item.sender_phone,
        item.sender_user_id,
        item.group_id,
        item.parent_user_id,
        item.new_phone,
        item.new_user_id,
    )
    return "nobodys" if not any(names) else "history" if item.is_history else "written"


def written_of(arrival: Arrival, change: str = "") -> Written:
    return Written(arrival.account_id, arrival.instance_id, message_of(arrival), arrival.failures, change)


def sender_of(arrival: Arrival) -> Sender:
    item = message_of(arrival)
    return Sender(
        arrival.account_id, arrival.instance_id, item.sender_phone, item.sender_user_id,
        "" if item.group_id else item.sender_name, item.at_ms, item.new_phone, item.parent_user_id, item.new_user_id,
        item.new_parent_user_id, item.username, item.group_id,
    )  # fmt: skip


class NewArrival(TypedDict):
    account_id: int
    id: str
    instance_id: int
    direction: str
    phone: str
    type: str
    text: str
    # JSON, as it came.
    content: str
    state: str
    priority: int
    network_id: str
    category: str
    cost_micros: int
    created_at: int


class NewEcho(NewArrival):
    sent_at: int
    sent_by: str


def row_of(arrival: Arrival) -> NewArrival:
    item = message_of(arrival)
    return {
        "account_id": arrival.account_id,
        "id": past_id(item.at_ms) if item.is_history else new_id(),
        "instance_id": arrival.instance_id,
        "direction": "in",
        # A group is a conversation of its own.
        "phone": item.group_id or item.sender_phone or item.sender_user_id,
        "type": item.type,
        "text": item.text.replace("\x00", ""),
        "content": _encode(_kept(item)).decode(),
        "state": "received",
        "priority": 0,
        "network_id": item.network_id,
        "category": "service",
        "cost_micros": 0,
        "created_at": item.at_ms,
    }


def _kept(item: InboundMessage) -> dict[str, object]:
    """As it came. Who wrote in a group is not kept in it: erasing them could not find it there."""
    if not item.group_id:
        return item.raw
    return {name: value for name, value in item.raw.items() if name not in _WRITERS}


def echo_row_of(arrival: Arrival) -> NewEcho:
    item = message_of(arrival)
    return {
        **row_of(arrival),
        "direction": "out",
        "phone": item.group_id or item.recipient,
        "state": "sent",
        "sent_at": item.at_ms,
        "sent_by": BY_PHONE,
    }
