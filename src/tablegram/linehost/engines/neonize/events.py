"""What the library tells, in the protocol's words. Pure functions of its own messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tablegram.linehost.engines.e2e.folding import fold
from tablegram.linehost.engines.e2e.history import read_history
from tablegram.linehost.engines.e2e.inbound import Heard, Told, millis, read_receipt
from tablegram.linehost.engines.e2e.people import GROUPS, NOBODY, PHONES, Jid
from tablegram.linehost.engines.e2e.telling import Note

_STATUS = {"DELIVERED": "delivered", "READ": "read", "PLAYED": "read"}
_BANS = {
    "SEND_TO_TOO_MANY_PEOPLE": "it wrote to too many people who do not know it",
    "BLOCKED_BY_USERS": "too many people blocked it",
    "CREATED_TOO_MANY_GROUPS": "it made too many groups",
    "SENT_TOO_MANY_SAME_MESSAGE": "it sent the same message too often",
    "BROADCAST_LIST": "it sent too much to broadcast lists",
}


def address(of: Any) -> Jid:
    """A `JID` of the library, without the device's number."""
    return Jid(of.User, of.Server) if of.User else NOBODY


def heard(event: Any, phone_of: Callable[[Jid], Jid]) -> Heard:
    """A `Message` of the library. `phone_of`: the number behind a LID, where the device knows it."""
    info = event.Info
    source = info.MessageSource
    chat, sender = address(source.Chat), address(source.Sender)
    return Heard(
        id=info.ID,
        at_ms=millis(info.Timestamp),
        chat=chat,
        sender=sender,
        sender_alt=address(source.SenderAlt) or phone_of(sender),
        chat_alt=(address(source.RecipientAlt) or phone_of(chat)) if source.IsFromMe else NOBODY,
        is_mine=source.IsFromMe,
        name=info.Pushname,
        content={} if info.Category == "peer" else fold(event.Message),
    )


def receipt(event: Any, with_groups: bool) -> list[Told]:
    """Of a message that this device or its phone sent. What the owner's own devices say of themselves is not told."""
    source = event.MessageSource
    status = _STATUS.get(_word(event, "Type"), "")
    is_group = address(source.Chat).kind == GROUPS
    if not status or source.IsFromMe or (is_group and not with_groups):
        return []
    chat = address(source.Sender) if is_group else address(source.Chat)
    alt = address(source.SenderAlt) if address(source.SenderAlt) != NOBODY else address(source.RecipientAlt)
    return read_receipt(list(event.MessageIDs), status, millis(event.Timestamp), chat, alt)


def history(event: Any, with_groups: bool) -> list[tuple[Told, Heard]]:
    return read_history(fold(event.Data), with_groups)


# How the line is.


def ban(event: Any, now_ms: int) -> Note:
    why = _BANS.get(_word(event, "Code"), "")
    until_ms = now_ms + event.Expire * 1_000
    return Note("restricted", "banned", why, until_ms)


def connect_failure(event: Any) -> Note:
    reason = _word(event, "Reason")
    if reason in ("LOGGED_OUT", "MAIN_DEVICE_GONE", "UNKNOWN_LOGOUT"):
        return Note("logged_out", "logged_out_by_phone")
    if reason in ("CLIENT_OUTDATED", "BAD_USER_AGENT"):
        return Note("needs_attention", "outdated")
    if reason == "TEMP_BANNED":
        return Note("restricted", "banned", event.Message)
    words = event.Message or reason.replace("_", " ").lower() or "it does not say why"
    return Note("disconnected", "unreachable", f"it refuses the device ({words[:100]})")


def login(word: str) -> Note | None:
    """What came of a code that was shown; nothing when the next one follows."""
    if "passkey" in word:
        return Note("needs_attention", "passkey_needed")
    if word == "err-client-outdated":
        return Note("needs_attention", "outdated")
    if word == "err-scanned-without-multidevice":
        words = "The phone is too old to link devices. Update its app and scan again."
        return Note("needs_attention", "phone_outdated", words)
    return None


def pairing(event: Any) -> Note | None:
    """Why a phone that scanned was not linked."""
    if _word(event, "Status") != "ERROR":
        return None
    if "passkey" in event.Error.lower():
        return Note("needs_attention", "passkey_needed")
    words = f"The phone could not be linked: {event.Error[:150] or 'it does not say why'}. Try again."
    return Note("needs_attention", "pairing_failed", words)


def own_number(device: Any) -> str:
    """Of the `Device` that the library is."""
    return address(device.JID).user if address(device.JID).kind == PHONES else ""


def _word(event: Any, field: str) -> str:
    """An enumeration's value by name; empty where it is not set."""
    if not event.HasField(field):
        return ""
    described = event.DESCRIPTOR.fields_by_name[field].enum_type
    found = described.values_by_number.get(getattr(event, field))
    return found.name if found is not None else ""
