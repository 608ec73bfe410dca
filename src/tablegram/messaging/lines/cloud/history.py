"""What was said before the line was ours, and calls: neither is a message of its own kind on the wire."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from tablegram.messaging.incoming import InboundMessage, Incoming, Notice
from tablegram.messaging.lines.cloud.inbound import read_message, read_sender
from tablegram.messaging.lines.cloud.loose import at_ms, phone, text
from tablegram.values import Json, dicts, mapping


def read_history(value: Json, number_id: str) -> Iterator[Incoming]:
    """The conversations of an earlier time, the files that belong to them, or that the owner does not share them."""
    own = phone(mapping(value.get("metadata")).get("display_phone_number"))
    for part in dicts(value.get("history")):
        for thread in dicts(part.get("threads")):
            yield from _read_thread(thread, own, number_id)
        for error in dicts(part.get("errors")):
            facts = {"code": text(error.get("code")), "title": text(error.get("title"))}
            yield Notice(kind="history_refused", field="history", phone_number_id=number_id, facts=facts)
    for message in dicts(value.get("messages")):
        yield from _read_old(message, own, text(message.get("to")), number_id)
    for echo in dicts(value.get("message_echoes")):
        yield from _read_old({**echo, "from": own}, own, text(echo.get("to")), number_id)


def _read_thread(thread: Json, own: str, number_id: str) -> Iterator[Incoming]:
    whom = mapping(thread.get("context"))
    other = text(thread.get("id")) or text(whom.get("wa_id")) or text(whom.get("user_id"))
    for message in dicts(thread.get("messages")):
        yield from _read_old(message, own, other, number_id)


def _read_old(message: Json, own: str, other: str, number_id: str) -> Iterator[InboundMessage]:
    """A message of long ago, as the customer's or as ours. One that is known already is not told again."""
    is_own = bool(own) and phone(message.get("from")) == own
    read = read_message(message, [], number_id, echo=is_own)
    if isinstance(read, InboundMessage):
        recipient = (text(message.get("to")) or other) if is_own else ""
        yield msgspec.structs.replace(read, is_history=True, recipient=recipient)


def read_call(call: Json, contacts: list[Json], number_id: str) -> Incoming | None:
    """A customer who rings is a missed call in the conversation, since nobody can take it here."""
    network_id = text(call.get("id"))
    number, user_id = read_sender(call.get("from"), call.get("from_user_id"))
    if not network_id:
        return None
    if text(call.get("direction")).upper() == "BUSINESS_INITIATED":
        facts = {"event": text(call.get("event")), "status": text(call.get("status"))}
        return Notice(kind="call", field="calls", phone_number_id=number_id, facts=facts)
    if not number and not user_id:
        return None
    kept = {name: call[name] for name in ("event", "direction", "status", "start_time", "end_time") if name in call}
    raw = {**{name: item for name, item in call.items() if name != "session"}, "type": "call", "call": kept}
    read = read_message(raw, contacts, number_id)
    if not isinstance(read, InboundMessage):
        return None
    return msgspec.structs.replace(read, type="call", body=kept, at_ms=at_ms(call.get("timestamp")))
