"""What is to be sent, as a message between phones, in folded names."""

from __future__ import annotations

import time

from tablegram.linehost.engines.e2e.memory import Known
from tablegram.linehost.engines.e2e.vcards import write_card
from tablegram.linehost.engines.port import Facts, Outgoing, Refusal

MEDIA = ("image", "video", "document", "audio", "sticker")
CAN = ("text", *MEDIA, "location", "contacts", "reaction")


def about(order: Outgoing) -> str:
    """The message that this one is about: what it reacts to, or answers; empty for none."""
    return str(order.content.get("id") or "") if order.content["type"] == "reaction" else order.reply_to


def compose(content: Facts, reply_to: str, uploaded: Facts | None, answered: Known | None) -> Facts:
    """`uploaded`: where its file lies on the network. `answered`: what the engine knows of the message that this one is
    about."""
    kind = content["type"]
    context = _context(reply_to, answered)
    if kind == "text":
        if not context:
            return {"conversation": str(content["text"])}
        return {"extendedtextmessage": {"text": str(content["text"]), **context}}
    if kind in MEDIA:
        assert uploaded is not None
        return {f"{kind}message": {**_media(kind, content), **uploaded, **context}}
    if kind == "location":
        place: Facts = {"degreeslatitude": content["latitude"], "degreeslongitude": content["longitude"]}
        place |= {name: content[name] for name in ("name", "address") if content.get(name)}
        return {"locationmessage": place | context}
    if kind == "contacts":
        return _contacts(content["contacts"], context)
    if kind == "reaction":
        return {"reactionmessage": _reaction(content, answered)}
    raise Refusal("content_unsupported", f"This line cannot send {kind}.")


def _media(kind: str, content: Facts) -> Facts:
    made: Facts = {"mimetype": content["mime_type"]}
    if content.get("caption") and kind in ("image", "video", "document"):
        made["caption"] = content["caption"]
    if kind == "document":
        made["filename"] = made["title"] = content.get("filename") or "file"
    if kind == "audio" and content["mime_type"].startswith("audio/ogg"):
        # Phones play these as what somebody has said.
        made |= {"mimetype": "audio/ogg; codecs=opus", "ptt": True}
    return made


def _contacts(contacts: list[Facts], context: Facts) -> Facts:
    cards = [{"displayname": shown, "vcard": card} for shown, card in map(write_card, contacts)]
    if len(cards) == 1:
        return {"contactmessage": cards[0] | context}
    return {"contactsarraymessage": {"displayname": f"{len(cards)} contacts", "contacts": cards, **context}}


def _context(reply_to: str, answered: Known | None) -> Facts:
    if not reply_to:
        return {}
    quoted: Facts = {"stanzaid": reply_to, "quotedmessage": {"conversation": ""}}
    if answered is not None and answered.sender:
        quoted["participant"] = answered.sender
    return {"contextinfo": quoted}


def _reaction(content: Facts, answered: Known | None) -> Facts:
    if answered is None:
        raise Refusal("message_unknown", "The message to react to is not known on this line any more.")
    key: Facts = {"remotejid": answered.chat, "fromme": answered.is_mine, "id": content["id"]}
    if answered.chat.endswith("@g.us") and not answered.is_mine:
        key["participant"] = answered.sender
    return {"key": key, "text": content.get("emoji", ""), "sendertimestampms": int(time.time() * 1_000)}
