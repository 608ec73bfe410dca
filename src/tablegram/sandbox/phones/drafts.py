"""What a customer can write: read from the phones' API, put into the wire form that a line is told."""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from tablegram.errors import Invalid
from tablegram.sandbox.network import Network
from tablegram.sandbox.phones import samples
from tablegram.sandbox.phones.chats import Message, choices
from tablegram.sandbox.phones.shown import Choice, Content, Reaction, ShownFile, ShownPlace
from tablegram.sandbox.store import Number
from tablegram.values import Json

_DEFAULT_MIME = {
    "image": "image/png",
    "document": "application/pdf",
    "video": "video/mp4",
    "audio": "audio/ogg; codecs=opus",
    "sticker": "image/webp",
}


class Place(msgspec.Struct, kw_only=True):
    latitude: float
    longitude: float
    name: str | None = None
    address: str | None = None


class Draft(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A message as the phones' API takes it. Which members count depends on `type`."""

    type: str = "text"
    to: str | None = None
    name: str | None = None
    context: str | None = None
    text: str | None = None
    data: str | None = None
    mime_type: str | None = None
    filename: str | None = None
    caption: str | None = None
    location: Place | None = None
    contacts: list[Json] | None = None
    id: str | None = None
    title: str | None = None
    description: str | None = None
    emoji: str | None = None


class Written(NamedTuple):
    """A draft that was understood: its kind, what phones show, what the line is told, what it answers to."""

    type: str
    content: Content
    wire: Json
    reply_to: str | None = None


def compose(draft: Draft, phone: str, number: Number, network: Network) -> Written:
    kind = "contacts" if draft.type == "contact" else draft.type
    if kind not in _COMPOSERS:
        raise Invalid.field(
            "type", "type_unknown", f"Unknown type {draft.type!r}. Use one of: {', '.join(_COMPOSERS)}."
        )
    quoted = network.chats.message(draft.context) if draft.context else None
    if draft.context and (quoted is None or quoted.phone != phone):
        raise Invalid.field("context", "message_unknown", f"Phone {phone} has no message {draft.context[:100]}.")
    written = _COMPOSERS[kind](draft, phone, number, network, quoted)
    if quoted is None or kind == "reaction" or "context" in written.wire:
        return written
    wire = written.wire | {"context": _context(quoted, phone, number)}
    return written._replace(wire=wire, reply_to=quoted.id)


def _context(quoted: Message, phone: str, number: Number) -> dict[str, str]:
    author = (number.display_phone_number or number.id) if quoted.direction == "in" else phone
    return {"from": author, "id": quoted.id}


def _need(value: str | None, field: str, longest: int) -> str:
    if value is None or not value.strip():
        raise Invalid.field(field, f"{field}_missing", f"Give {field}; it must not be empty.")
    if len(value) > longest:
        raise Invalid.field(field, f"{field}_too_long", f"{field} may have at most {longest} characters.")
    return value


def _text(draft: Draft, phone: str, number: Number, network: Network, quoted: Message | None) -> Written:
    text = _need(draft.text, "text", 4_096)
    return Written("text", {"text": text}, {"type": "text", "text": {"body": text}})


def _media(kind: str) -> Callable[..., Written]:
    def compose_media(draft: Draft, phone: str, number: Number, network: Network, quoted: Message | None) -> Written:
        content, mime_type = _file(draft, kind)
        filename = draft.filename or {"document": "document.pdf", "image": "photo.png"}.get(kind, kind)
        caption = _need(draft.caption, "caption", 1_024) if draft.caption else None
        kept = network.keep_media(number.id, content, mime_type, filename)
        told: Json = {"id": kept.id, "mime_type": mime_type, "sha256": kept.sha256}
        if kind == "document":
            told["filename"] = filename
        if kind == "audio":
            told["voice"] = True
        if kind == "sticker":
            told["animated"] = False
        if caption:
            told["caption"] = caption
        shown: ShownFile = {
            "kind": kind,
            "id": kept.id,
            "mime_type": mime_type,
            "filename": filename,
            "size": kept.size,
            "sha256": kept.sha256,
            "url": f"/sandbox/media/{kept.id}",
        }
        return Written(kind, {"media": shown, "text": caption}, {"type": kind, kind: told})

    return compose_media


def _file(draft: Draft, kind: str) -> tuple[bytes, str]:
    mime_type = draft.mime_type or _DEFAULT_MIME[kind]
    if draft.data is None:
        if kind == "image":
            return samples.picture(), "image/png"
        if kind == "document":
            return samples.document(), "application/pdf"
        raise Invalid.field("data", "data_missing", f"Give data: the {kind} file in base64.")
    try:
        content = base64.b64decode(draft.data, validate=True)
    except (binascii.Error, ValueError):
        raise Invalid.field("data", "data_invalid", "data must be the file in base64.") from None
    if not content:
        raise Invalid.field("data", "data_missing", "data must not be empty.")
    return content, mime_type


def _location(draft: Draft, phone: str, number: Number, network: Network, quoted: Message | None) -> Written:
    place = draft.location
    if place is None:
        raise Invalid.field("location", "location_missing", "Give location with latitude and longitude.")
    finite = math.isfinite(place.latitude) and math.isfinite(place.longitude)
    if not finite or abs(place.latitude) > 90 or abs(place.longitude) > 180:
        raise Invalid.field("location", "location_invalid", "Latitude goes from -90 to 90, longitude from -180 to 180.")
    told: ShownPlace = {"latitude": place.latitude, "longitude": place.longitude}
    if place.name is not None:
        told["name"] = place.name
    if place.address is not None:
        told["address"] = place.address
    return Written("location", {"location": told}, {"type": "location", "location": told})


def _contacts(draft: Draft, phone: str, number: Number, network: Network, quoted: Message | None) -> Written:
    if not draft.contacts:
        raise Invalid.field("contacts", "contacts_missing", "Give contacts: a list with at least one card.")
    for card in draft.contacts:
        name = card.get("name")
        if not isinstance(name, dict) or not isinstance(name.get("formatted_name"), str) or not name["formatted_name"]:
            raise Invalid.field("contacts", "contact_nameless", "Every contact needs name.formatted_name.")
    return Written("contacts", {"contacts": draft.contacts}, {"type": "contacts", "contacts": draft.contacts})


def _choice(kind: str) -> Callable[..., Written]:
    def compose_choice(draft: Draft, phone: str, number: Number, network: Network, quoted: Message | None) -> Written:
        """A tap on a button or a row: on the message named by `context`, else on the newest that offers it."""
        chosen_id = _need(draft.id, "id", 256)
        offer = quoted or network.chats.last_with_choice(phone, number.id, chosen_id)
        offered = {choice["id"]: choice for choice in choices(offer)} if offer else {}
        if quoted is not None and chosen_id not in offered:
            raise Invalid.field("id", "choice_unknown", f"Message {quoted.id} offers no choice {chosen_id!r}.")
        choice = offered.get(chosen_id)
        title = _need(draft.title or (choice["title"] if choice else None), "title", 256)
        reply: Choice = {"id": chosen_id, "title": title}
        if description := draft.description or (choice.get("description") if choice else None):
            reply["description"] = description
        told: Json
        if offer is not None and offer.type == "template":
            told = {"type": "button", "button": {"payload": chosen_id, "text": title}}
        elif kind == "button":
            told = {"type": "interactive", "interactive": {"type": "button_reply", "button_reply": reply}}
        else:
            told = {"type": "interactive", "interactive": {"type": "list_reply", "list_reply": reply}}
        if offer is not None:
            told["context"] = _context(offer, phone, number)
        return Written(kind, {"text": title, "choice": reply}, told, offer.id if offer else None)

    return compose_choice


def _reaction(draft: Draft, phone: str, number: Number, network: Network, quoted: Message | None) -> Written:
    if quoted is None:
        raise Invalid.field("context", "context_missing", "Give context: the id of the message to react to.")
    emoji = draft.emoji or ""
    if len(emoji) > 20:
        raise Invalid.field("emoji", "emoji_invalid", "Give one emoji, or none to take the reaction back.")
    told = {"message_id": quoted.id} | ({"emoji": emoji} if emoji else {})
    shown: Reaction = {"message_id": quoted.id, "emoji": emoji}
    return Written("reaction", {"reaction": shown}, {"type": "reaction", "reaction": told}, quoted.id)


_COMPOSERS: dict[str, Callable[[Draft, str, Number, Network, Message | None], Written]] = {
    "text": _text,
    **{kind: _media(kind) for kind in _DEFAULT_MIME},
    "location": _location,
    "contacts": _contacts,
    "button": _choice("button"),
    "list": _choice("list"),
    "reaction": _reaction,
}
