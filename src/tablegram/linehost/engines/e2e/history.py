"""What was written before a device was linked, as it comes with the link."""

from __future__ import annotations

from tablegram.linehost.engines.e2e.inbound import Heard, Told, millis, read_message
from tablegram.linehost.engines.e2e.people import GROUPS, NOBODY, Jid, jid
from tablegram.linehost.engines.port import Facts

# So many messages are told.
MAX_HISTORY = 2_000


def read_history(history: Facts, with_groups: bool) -> list[tuple[Told, Heard]]:
    """The newest messages, oldest first."""
    found = []
    for conversation in history.get("conversations", ()):
        chat = jid(conversation.get("id", ""))
        known = (jid(conversation.get("pnjid", "")), jid(conversation.get("lidjid", "")))
        alt = next((one for one in known if one not in (NOBODY, chat)), NOBODY)
        for item in conversation.get("messages", ()):
            heard = _past(item.get("message", {}), chat, alt)
            told = read_message(heard, with_groups)
            if told is not None:
                found.append((told, heard))
    found.sort(key=lambda pair: pair[1].at_ms)
    return found[-MAX_HISTORY:]


def _past(message: Facts, chat: Jid, alt: Jid) -> Heard:
    key = message.get("key", {})
    is_mine = bool(key.get("fromme"))
    is_group = chat.kind == GROUPS
    writer = jid(key.get("participant") or message.get("participant", "")) if is_group else chat
    return Heard(
        id=key.get("id", ""),
        at_ms=millis(message.get("messagetimestamp", 0)),
        chat=chat,
        sender=NOBODY if is_mine else writer,
        sender_alt=NOBODY if is_mine or is_group else alt,
        chat_alt=alt if is_mine else NOBODY,
        is_mine=is_mine,
        name=message.get("pushname", ""),
        content=message.get("message", {}),
        is_history=True,
    )
