"""A stored message as a person reads it: the parts beside its text, whoever wrote it."""

from __future__ import annotations

import msgspec

from tablegram.messaging.model import (
    Buttons,
    Contacts,
    Content,
    LinkButton,
    ListMenu,
    Location,
    Media,
    Reaction,
    Stored,
    Template,
)
from tablegram.messaging.records.besides import beside
from tablegram.messaging.rows.messages import MessageRow
from tablegram.values import Json, dicts, mapping

_STORED = msgspec.json.Decoder(Stored)
_OBJECTS = ("location", "contacts", "reaction", "button", "list", "order", "call")
ROUTE = "https://www.google.com/maps/dir/?api=1&destination="


class Place(msgspec.Struct, kw_only=True, frozen=True):
    name: str
    address: str
    at: str
    url: str


class Reacted(msgspec.Struct, kw_only=True, frozen=True):
    """An emoji on a message; empty where it was taken away."""

    emoji: str
    to: str


class Card(msgspec.Struct, kw_only=True, frozen=True):
    name: str
    phones: list[str]


class UsedTemplate(msgspec.Struct, kw_only=True, frozen=True):
    name: str
    language: str
    values: list[str]


class Details(msgspec.Struct, kw_only=True, frozen=True):
    """The parts of a message: those that it has, else empty."""

    location: Place | None = None
    reaction: Reacted | None = None
    cards: list[Card] = []
    choices: list[str] = []
    template: UsedTemplate | None = None
    reply_to: str = ""
    filename: str = ""
    link: str = ""


def details(row: MessageRow) -> Details:
    try:
        return _sent(row) if row["direction"] == "out" else _received(row)
    except (ValueError, KeyError, TypeError, AttributeError):
        # What was erased, or is in a form that we do not know, is shown without its parts.
        return Details()


def content_of(row: MessageRow) -> Json | list[object] | None:
    """What a customer sent that is neither text nor file: the network's own object, as in the message's event."""
    kind = row["type"]
    if row["direction"] != "in" or kind not in _OBJECTS:
        return None
    try:
        raw = msgspec.json.decode(row["content"])
        part = raw.get(kind) or raw["interactive"][f"{kind}_reply"]
        if kind == "button" and "payload" in part:
            part = {"id": part["payload"], "title": part.get("text", "")}
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return part if isinstance(part, list if kind == "contacts" else dict) else None


def beside_of(row: MessageRow) -> Json:
    """What else a customer's message came with, as in its event."""
    if row["direction"] != "in" or row["deleted_at"]:
        return {}
    try:
        raw = msgspec.json.decode(row["content"])
    except ValueError:
        return {}
    return beside(row["type"], raw) if isinstance(raw, dict) and raw else {}


def _sent(row: MessageRow) -> Details:
    try:
        stored = _STORED.decode(row["content"])
    except msgspec.ValidationError:
        # Written in the network's own app, and kept as the network told it.
        return _received(row)
    return msgspec.structs.replace(_content(stored.content), reply_to=stored.reply_to)


def _content(content: Content) -> Details:
    match content:
        case Location():
            return Details(location=_place(content.latitude, content.longitude, content.name, content.address))
        case Reaction():
            return Details(reaction=Reacted(emoji=content.emoji, to=content.network_id))
        case Contacts():
            return Details(cards=_cards(content.contacts))
        case Buttons():
            return Details(choices=[button.title for button in content.buttons])
        case LinkButton():
            return Details(choices=[f"{content.title}: {content.url}"])
        case ListMenu():
            return Details(choices=[one.title for section in content.sections for one in section.rows])
        case Template():
            used = UsedTemplate(name=content.name, language=content.language, values=_values(content))
            return Details(template=used)
        case Media():
            link = content.url if content.url.startswith(("https://", "http://")) else ""
            return Details(filename=content.filename, link=link)
    return Details()


def _values(template: Template) -> list[str]:
    parts = [part for component in template.components for part in dicts(component.get("parameters"))]
    return [str(part["text"]) for part in parts if "text" in part]


def _received(row: MessageRow) -> Details:
    """The network's own object, of which every member may be missing."""
    raw = mapping(msgspec.json.decode(row["content"]))
    reply_to = str(mapping(raw.get("context")).get("id") or "")
    match row["type"]:
        case "location":
            told = mapping(raw["location"])
            at = float(str(told["latitude"])), float(str(told["longitude"]))
            place = _place(*at, str(told.get("name") or ""), str(told.get("address") or ""))
            return Details(reply_to=reply_to, location=place)
        case "reaction":
            told = mapping(raw["reaction"])
            emoji, to = str(told.get("emoji") or ""), str(told.get("message_id") or "")
            return Details(reply_to=reply_to, reaction=Reacted(emoji=emoji, to=to))
        case "contacts":
            return Details(reply_to=reply_to, cards=_cards(dicts(raw.get("contacts"))))
    return Details(reply_to=reply_to)


def _place(latitude: float, longitude: float, name: str, address: str) -> Place | None:
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        return None
    at = f"{latitude:.6f},{longitude:.6f}"
    return Place(name=name, address=address, at=at, url=ROUTE + at)


def _cards(contacts: list[Json]) -> list[Card]:
    cards = []
    for card in contacts:
        called = mapping(card.get("name"))
        name = called.get("formatted_name") or called.get("first_name") or ""
        phones = [str(one.get("phone") or one.get("wa_id") or "") for one in dicts(card.get("phones"))]
        cards.append(Card(name=str(name), phones=[phone for phone in phones if phone]))
    return cards
