"""What the library tells, in the protocol's words. Pure functions of its own events."""

from __future__ import annotations

from typing import Any

from tablegram.linehost.engines.e2e.folding import fold
from tablegram.linehost.engines.e2e.inbound import Heard, Told, read_message, read_receipt
from tablegram.linehost.engines.e2e.people import GROUPS, NOBODY, Jid
from tablegram.linehost.engines.e2e.telling import Note

_STATUS = {"Delivered": "delivered", "Read": "read", "Played": "read"}
_BANS = {
    "SentToTooManyPeople": "it wrote to too many people who do not know it",
    "SentBlockedNyUser": "too many people blocked it",
    "CreateTooManyGroups": "it made too many groups",
    "SentTooManySameMessage": "it sent the same message too often",
}


def address(of: Any) -> Jid:
    """A `JID` of the library, or nobody's."""
    return Jid(of.user.partition(":")[0].partition(".")[0], of.server) if of is not None and of.user else NOBODY


def heard(data: Any) -> Heard:
    """The `MessageData` of an event."""
    info = data.message_info
    source = info.source
    return Heard(
        id=info.id,
        at_ms=int(info.timestamp.timestamp() * 1_000),
        chat=address(source.chat),
        sender=address(source.sender),
        sender_alt=address(source.sender_alt),
        chat_alt=address(source.recipient_alt),
        is_mine=source.is_from_me,
        name=info.push_name or "",
        content=fold(data.raw_proto),
    )


def message(event: Any, with_groups: bool) -> Told | None:
    return read_message(heard(event.data), with_groups)


def receipt(event: Any, with_groups: bool) -> list[Told]:
    """Of a message that this device or its phone sent; not what the owner's own devices say of themselves."""
    source = event.source
    status = _STATUS.get(_word(event.receipt_type), "")
    if not status or source is None or source.is_from_me:
        return []
    is_group = address(source.chat).kind == GROUPS
    if is_group and not with_groups:
        return []
    chat = address(source.sender) if is_group else address(source.chat)
    alt = address(source.sender_alt) if source.sender_alt is not None else address(source.recipient_alt)
    at_ms = int(event.timestamp.timestamp() * 1_000)
    return read_receipt(list(event.message_ids), status, at_ms, chat, alt)


def ban(event: Any) -> Note:
    why = _BANS.get(_word(event.data.code), "")
    until_ms = int(event.data.expire.timestamp() * 1_000)
    return Note("restricted", "banned", why, until_ms)


def connect_failure(event: Any) -> Note:
    reason = str(event.reason)
    if "Logged" in reason or "Gone" in reason or "Logout" in reason:
        return Note("logged_out", "logged_out_by_phone")
    if "Outdated" in reason or "OutDated" in reason or "UserAgent" in reason:
        return Note("needs_attention", "outdated")
    if "Banned" in reason:
        return Note("restricted", "banned")
    words = f"it refuses the device ({(event.message or reason)[:100]})"
    return Note("disconnected", "unreachable", words)


def pairing_failed(event: Any) -> Note:
    if "passkey" in event.error.lower():
        return Note("needs_attention", "passkey_needed")
    words = f"The phone could not be linked: {event.error[:150] or 'it does not say why'}. Try again."
    return Note("needs_attention", "pairing_failed", words)


def _word(value: Any) -> str:
    """A value of an enumeration, without the enumeration's name."""
    return str(value).rpartition(".")[2]
