"""One thing that a callback said, and how it looks as a row."""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.crm.contacts import Sender
from tablegram.flows.contacts.echoes import Key
from tablegram.flows.gateway.answering import Written
from tablegram.messaging.incoming import InboundMessage, Incoming, MessageChange, StatusUpdate
from tablegram.storage.database import Row
from tablegram.values.ids import new_id, past_id

_encode = msgspec.json.Encoder().encode

_WRITERS = ("from", "from_user_id", "from_parent_user_id")


class Arrival(msgspec.Struct, frozen=True):
    """One thing that a callback said, and whose line it was said to."""

    account_id: int
    instance_id: int
    item: Incoming
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


def body_of(row: Row) -> tuple[str, str]:
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


def is_said(arrival: Arrival) -> bool:
    """Whether it is a message, of now or of earlier."""
    return isinstance(arrival.item, InboundMessage) and not arrival.is_strangers


def is_written(arrival: Arrival) -> bool:
    """Whether a customer wrote it just now, and it is known who."""
    return is_said(arrival) and _has_sender(arrival) and not message_of(arrival).is_history


def is_echo(arrival: Arrival) -> bool:
    """Whether the owner wrote it in the network's own app, and it is known to whom."""
    return is_said(arrival) and message_of(arrival).echo and bool(message_of(arrival).recipient)


def is_history(arrival: Arrival) -> bool:
    """Whether a customer wrote it before the line was ours."""
    return is_said(arrival) and _has_sender(arrival) and message_of(arrival).is_history


def is_changed(arrival: Arrival) -> bool:
    return isinstance(arrival.item, MessageChange) and not arrival.is_strangers


def is_nobodys(arrival: Arrival) -> bool:
    """A message of which nobody can tell who wrote it, or to whom."""
    return is_said(arrival) and not (is_written(arrival) or is_echo(arrival) or is_history(arrival))


def _has_sender(arrival: Arrival) -> bool:
    return not message_of(arrival).echo and bool(sender_of(arrival).aliases())


def written_of(arrival: Arrival, change: str = "") -> Written:
    return Written(arrival.account_id, arrival.instance_id, message_of(arrival), arrival.failures, change)


def sender_of(arrival: Arrival) -> Sender:
    item = message_of(arrival)
    return Sender(
        arrival.account_id, arrival.instance_id, item.sender_phone, item.sender_user_id,
        "" if item.group_id else item.sender_name, item.at_ms, item.new_phone, item.parent_user_id, item.new_user_id,
        item.new_parent_user_id, item.username, item.group_id,
    )  # fmt: skip


def row_of(arrival: Arrival) -> dict[str, Any]:
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


def _kept(item: InboundMessage) -> dict[str, Any]:
    """As it came. Who wrote in a group is not kept in it: erasing him could not find it there."""
    if not item.group_id:
        return item.raw
    return {name: value for name, value in item.raw.items() if name not in _WRITERS}


def echo_row_of(arrival: Arrival) -> dict[str, Any]:
    item = message_of(arrival)
    sent = {"direction": "out", "phone": item.group_id or item.recipient, "state": "sent", "sent_at": item.at_ms}
    return {**row_of(arrival), **sent}
