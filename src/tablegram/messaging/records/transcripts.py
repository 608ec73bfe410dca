"""A stored message as a person reads it: the parts beside its text, whoever wrote it."""

from __future__ import annotations

from typing import Any

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
from tablegram.storage.database import Row

_STORED = msgspec.json.Decoder(Stored)
_OBJECTS = ("location", "contacts", "reaction", "button", "list", "order", "call")
ROUTE = "https://www.google.com/maps/dir/?api=1&destination="


def details(row: Row) -> dict[str, Any]:
    """`location`, `reaction`, `cards`, `choices`, `template`, `reply_to`: those that the message has, else empty."""
    empty: dict[str, Any] = {
        "location": None,
        "reaction": None,
        "cards": [],
        "choices": [],
        "template": None,
        "reply_to": "",
        "filename": "",
        "link": "",
    }
    try:
        told = _sent(row) if row["direction"] == "out" else _received(row)
    except (ValueError, KeyError, TypeError, AttributeError):
        # What was erased, or is in a form that we do not know, is shown without its parts.
        told = {}
    return {**empty, **told}


def content_of(row: Row) -> dict[str, Any] | list[Any] | None:
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


def beside_of(row: Row) -> dict[str, Any]:
    """What else a customer's message came with, as in its event."""
    if row["direction"] != "in" or row["deleted_at"]:
        return {}
    try:
        raw = msgspec.json.decode(row["content"])
    except ValueError:
        return {}
    return beside(row["type"], raw) if isinstance(raw, dict) and raw else {}


def _sent(row: Row) -> dict[str, Any]:
    try:
        stored = _STORED.decode(row["content"])
    except msgspec.ValidationError:
        # Written in the network's own app, and kept as the network told it.
        return _received(row)
    return {"reply_to": stored.reply_to, **_content(stored.content)}


def _content(content: Content) -> dict[str, Any]:
    match content:
        case Location():
            return {"location": _place(content.latitude, content.longitude, content.name, content.address)}
        case Reaction():
            return {"reaction": {"emoji": content.emoji, "to": content.network_id}}
        case Contacts():
            return {"cards": _cards(content.contacts)}
        case Buttons():
            return {"choices": [button.title for button in content.buttons]}
        case LinkButton():
            return {"choices": [f"{content.title}: {content.url}"]}
        case ListMenu():
            return {"choices": [one.title for section in content.sections for one in section.rows]}
        case Template():
            return {"template": {"name": content.name, "language": content.language, "values": _values(content)}}
        case Media():
            link = content.url if content.url.startswith(("https://", "http://")) else ""
            return {"filename": content.filename, "link": link}
    return {}


def _values(template: Template) -> list[str]:
    parts = [part for component in template.components for part in component.get("parameters") or []]
    return [str(part["text"]) for part in parts if isinstance(part, dict) and "text" in part]


def _received(row: Row) -> dict[str, Any]:
    """The network's own object, of which every member may be missing."""
    raw: dict[str, Any] = msgspec.json.decode(row["content"])
    told: dict[str, Any] = {"reply_to": str((raw.get("context") or {}).get("id") or "")}
    kind = row["type"]
    if kind == "location":
        place = raw["location"]
        told["location"] = _place(
            float(place["latitude"]), float(place["longitude"]), place.get("name") or "", place.get("address") or ""
        )
    elif kind == "reaction":
        reaction = raw["reaction"]
        told["reaction"] = {"emoji": str(reaction.get("emoji") or ""), "to": str(reaction.get("message_id") or "")}
    elif kind == "contacts":
        told["cards"] = _cards(raw.get("contacts") or [])
    return told


def _place(latitude: float, longitude: float, name: str, address: str) -> dict[str, Any] | None:
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        return None
    at = f"{latitude:.6f},{longitude:.6f}"
    return {"name": str(name), "address": str(address), "at": at, "url": ROUTE + at}


def _cards(contacts: list[Any]) -> list[dict[str, Any]]:
    cards = []
    for card in contacts:
        name = (card.get("name") or {}).get("formatted_name") or (card.get("name") or {}).get("first_name") or ""
        phones = [str(one.get("phone") or one.get("wa_id") or "") for one in card.get("phones") or []]
        cards.append({"name": str(name), "phones": [phone for phone in phones if phone]})
    return cards
