"""Messages in the Cloud API's wire format."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from tablegram.messaging.model import (
    Buttons,
    Contacts,
    LinkButton,
    ListMenu,
    Location,
    Media,
    Outbound,
    PlaceRequest,
    Reaction,
    Template,
    Text,
)
from tablegram.values import Json

Wire = Json

_ENCODER = msgspec.json.Encoder()


def encode(message: Outbound, media_id: str | None = None) -> bytes:
    """The body of a send. `media_id` is the network's id of an uploaded file, in place of its link."""
    return _ENCODER.encode(envelope(message, media_id))


def encode_read(network_id: str) -> bytes:
    """The body that marks an inbound message as read."""
    return _ENCODER.encode({"messaging_product": "whatsapp", "status": "read", "message_id": network_id})


def envelope(message: Outbound, media_id: str | None = None) -> Wire:
    content = message.content
    wire: Wire = {"messaging_product": "whatsapp", "recipient_type": "individual"}
    # A person whose number the network hides is addressed by the network's own user id.
    wire["to" if message.phone.isdecimal() else "recipient"] = message.phone
    if isinstance(content, Text):
        wire["type"] = "text"
        wire["text"] = {"body": content.body, "preview_url": False}
    elif isinstance(content, Media):
        wire["type"] = content.kind
        wire[content.kind] = _media(content, media_id)
    else:
        kind, part = _SHAPES[type(content)](content)
        wire["type"] = kind
        wire[kind] = part
    if message.reply_to:
        wire["context"] = {"message_id": message.reply_to}
    wire["biz_opaque_callback_data"] = message.correlation
    return wire


def _media(content: Media, media_id: str | None) -> Wire:
    wire: Wire = {"link": content.url} if media_id is None else {"id": media_id}
    # The network refuses a caption on sound and stickers, and a file name on all but documents.
    if content.caption and content.kind in ("image", "video", "document"):
        wire["caption"] = content.caption
    if content.filename and content.kind == "document":
        wire["filename"] = content.filename
    return wire


def _location(content: Location) -> tuple[str, object]:
    wire: Wire = {"latitude": content.latitude, "longitude": content.longitude}
    if content.name:
        wire["name"] = content.name
    if content.address:
        wire["address"] = content.address
    return "location", wire


def _contacts(content: Contacts) -> tuple[str, object]:
    return "contacts", content.contacts


def _template(content: Template) -> tuple[str, object]:
    wire: Wire = {"name": content.name, "language": {"code": content.language}}
    if content.components:
        wire["components"] = content.components
    return "template", wire


def _reaction(content: Reaction) -> tuple[str, object]:
    return "reaction", {"message_id": content.network_id, "emoji": content.emoji}


def _buttons(content: Buttons) -> tuple[str, object]:
    replies = [{"type": "reply", "reply": {"id": button.id, "title": button.title}} for button in content.buttons]
    return "interactive", _interactive("button", content, {"buttons": replies})


def _list_menu(content: ListMenu) -> tuple[str, object]:
    sections = []
    for section in content.sections:
        rows = []
        for row in section.rows:
            wire = {"id": row.id, "title": row.title}
            if row.description:
                wire["description"] = row.description
            rows.append(wire)
        # The network wants a title on each section as soon as there are two.
        sections.append({"title": section.title, "rows": rows} if section.title else {"rows": rows})
    return "interactive", _interactive("list", content, {"button": content.button, "sections": sections})


def _place_request(content: PlaceRequest) -> tuple[str, object]:
    action = {"name": "send_location"}
    return "interactive", {"type": "location_request_message", "body": {"text": content.body}, "action": action}


def _link_button(content: LinkButton) -> tuple[str, object]:
    action = {"name": "cta_url", "parameters": {"display_text": content.title, "url": content.url}}
    return "interactive", {"type": "cta_url", "body": {"text": content.body}, "action": action}


def _interactive(kind: str, content: Buttons | ListMenu, action: Wire) -> Wire:
    wire: Wire = {"type": kind, "body": {"text": content.body}, "action": action}
    if content.header:
        wire["header"] = {"type": "text", "text": content.header}
    if content.footer:
        wire["footer"] = {"text": content.footer}
    return wire


_SHAPES: dict[type, Callable[[Any], tuple[str, object]]] = {
    Location: _location,
    Contacts: _contacts,
    Template: _template,
    Reaction: _reaction,
    Buttons: _buttons,
    ListMenu: _list_menu,
    PlaceRequest: _place_request,
    LinkButton: _link_button,
}
