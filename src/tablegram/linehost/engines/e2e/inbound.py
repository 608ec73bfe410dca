"""What an engine heard, as events of the protocol. Nothing of a message's keys is in them."""

from __future__ import annotations

from typing import Any, NamedTuple

from tablegram.linehost.engines.e2e.people import GROUPS, LIDS, NOBODY, PHONES, Jid, person
from tablegram.linehost.engines.e2e.vcards import read_card
from tablegram.linehost.engines.port import Facts

# Kind, a name that is always the same, and what it is.
Told = tuple[str, str, Facts]

REVOKED, EDITED = 0, 14
# What stands around a message, and holds it in `message`.
_AROUND = (
    "devicesentmessage", "ephemeralmessage", "viewoncemessage", "viewoncemessagev2", "viewoncemessagev2extension",
    "documentwithcaptionmessage", "editedmessage", "lottiestickermessage", "groupmentionedmessage",
)  # fmt: skip
# What is for the device and not for people.
_SILENT = (
    "messagecontextinfo", "senderkeydistributionmessage", "fastratchetkeysenderkeydistributionmessage",
    "protocolmessage", "keepinchatmessage", "pininchatmessage", "encreactionmessage", "placeholdermessage",
)  # fmt: skip
_MEDIA = {
    "imagemessage": "image", "videomessage": "video", "ptvmessage": "video", "audiomessage": "audio",
    "documentmessage": "document", "stickermessage": "sticker",
}  # fmt: skip


class Heard(NamedTuple):
    """One message as it came, from whichever library. `chat` is where it was written, `sender` by whom."""

    id: str
    at_ms: int
    chat: Jid
    sender: Jid
    content: Facts
    # The other name of the sender and, of what the owner wrote, of who it is for.
    sender_alt: Jid = NOBODY
    chat_alt: Jid = NOBODY
    is_mine: bool = False
    name: str = ""
    is_history: bool = False


def millis(at: int) -> int:
    """Moments come in seconds or in milliseconds, by the kind of event."""
    return at if at > 100_000_000_000 else at * 1_000


def read_message(heard: Heard, with_groups: bool) -> Told | None:
    """The event; nothing for what is not for people, and for groups where nobody asked for them."""
    is_group = heard.chat.kind == GROUPS
    if not heard.id or heard.chat.kind not in (PHONES, LIDS, GROUPS) or (is_group and not with_groups):
        return None
    content = unwrapped(heard.content)
    told: Facts = {"id": heard.id, "at_ms": heard.at_ms, "reply_to": "", "group": str(heard.chat) if is_group else ""}
    told["from"] = person(heard.sender, heard.sender_alt, name="" if heard.is_mine else heard.name)
    if heard.is_mine:
        told |= {"echo": True, "to": person() if is_group else person(heard.chat, heard.chat_alt)}
    if heard.is_history:
        told["history"] = True
    change = content.get("protocolmessage")
    if change is not None:
        return _change(change, told)
    meant = meaning(content)
    return None if meant is None else ("message", f"m:{heard.id}", _with_file(told | meant))


def unwrapped(content: Facts) -> Facts:
    for _ in range(5):
        inner = next((content[one].get("message") for one in _AROUND if isinstance(content.get(one), dict)), None)
        if not isinstance(inner, dict):
            break
        content = inner
    return content


def _change(change: Facts, told: Facts) -> Told | None:
    """An edit and a revocation tell the message they are about."""
    meant = str((change.get("key") or {}).get("id", ""))
    if not meant:
        return None
    kind = change.get("type", REVOKED)
    if kind == REVOKED:
        return "revoke", f"d:{meant}", told | {"id": meant, "type": "text", "text": ""}
    now = meaning(unwrapped(change.get("editedmessage") or {})) if kind == EDITED else None
    if now is None:
        return None
    name = f"e:{meant}:{change.get('timestampms', told['at_ms'])}"
    return "edit", name, _with_file(told | {"id": meant} | now)


def _with_file(told: Facts) -> Facts:
    """A message has one file, which is asked for by the message's own id."""
    return told | {"media": {"id": told["id"], **told["media"]}} if "media" in told else told


def meaning(content: Facts) -> Facts | None:
    """`type`, `text`, `media`, `body` and `reply_to`; nothing when there is nothing for people in it."""
    if "conversation" in content:
        return {"type": "text", "text": content["conversation"]}
    shape = next((name for name in content if name not in _SILENT), None)
    if shape is None:
        return None
    inner = content[shape] if isinstance(content[shape], dict) else {}
    told = _meaning(shape, inner)
    answered = (inner.get("contextinfo") or {}).get("stanzaid", "")
    return told | ({"reply_to": answered} if answered else {})


def _meaning(shape: str, inner: Facts) -> Facts:
    if shape == "extendedtextmessage":
        return {"type": "text", "text": inner.get("text", "")}
    if shape in _MEDIA:
        return _media(shape, inner)
    if shape in ("locationmessage", "livelocationmessage"):
        place: Facts = {"latitude": inner.get("degreeslatitude", 0.0), "longitude": inner.get("degreeslongitude", 0.0)}
        place |= {name: inner[name] for name in ("name", "address") if inner.get(name)}
        return {"type": "location", "text": inner.get("caption", ""), "body": place}
    if shape in ("contactmessage", "contactsarraymessage"):
        cards = [inner] if shape == "contactmessage" else inner.get("contacts", [])
        body = [read_card(card.get("displayname", ""), card.get("vcard", "")) for card in cards]
        return {"type": "contacts", "text": "", "body": body}
    if shape == "reactionmessage":
        emoji = inner.get("text", "")
        meant = (inner.get("key") or {}).get("id", "")
        return {"type": "reaction", "text": emoji, "body": {"message_id": meant, "emoji": emoji}}
    return _choice(shape, inner) or {"type": shape.removesuffix("message"), "text": "", "raw": {"shape": shape}}


def _media(shape: str, inner: Facts) -> Facts:
    digest: Any = inner.get("filesha256", b"")
    media = {
        "mime_type": inner.get("mimetype", ""), "filename": inner.get("filename", ""), "sha256": digest.hex(),
        "voice": bool(inner.get("ptt")), "animated": bool(inner.get("gifplayback") or inner.get("isanimated")),
    }  # fmt: skip
    return {"type": _MEDIA[shape], "text": inner.get("caption", ""), "media": media}


def _choice(shape: str, inner: Facts) -> Facts | None:
    """A button or a row that somebody tapped."""
    if shape == "buttonsresponsemessage":
        body = {"id": inner.get("selectedbuttonid", ""), "title": inner.get("selecteddisplaytext", "")}
    elif shape == "templatebuttonreplymessage":
        body = {"id": inner.get("selectedid", ""), "title": inner.get("selecteddisplaytext", "")}
    elif shape == "listresponsemessage":
        row = (inner.get("singleselectreply") or {}).get("selectedrowid", "")
        body = {"id": row, "title": inner.get("title", ""), "description": inner.get("description", "")}
        return {"type": "list", "text": body["title"], "body": body}
    else:
        return None
    return {"type": "button", "text": body["title"], "body": body}


def read_receipt(ids: list[str], status: str, at_ms: int, chat: Jid, chat_alt: Jid = NOBODY) -> list[Told]:
    """`delivered` or `read`, once for each message."""
    who = person(chat, chat_alt)
    told = {"status": status, "at_ms": at_ms, "to": who["phone"] or who["lid"], "key": ""}
    return [("receipt", f"r:{one}:{status}", {"id": one, **told}) for one in ids]
