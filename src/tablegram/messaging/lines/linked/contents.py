"""What a message is, in the protocol's words."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from tablegram.messaging.model import (
    Buttons,
    Contacts,
    Content,
    LinkButton,
    ListMenu,
    Location,
    Media,
    PlaceRequest,
    Reaction,
    Template,
    Text,
)
from tablegram.messaging.ports import NetworkRefused


def content(of: Content, file: Path | None) -> Mapping[str, object] | NetworkRefused:
    """The content of a message; `file` is where the bytes of a media message lie."""
    match of:
        case Text():
            return {"type": "text", "text": of.body}
        case Media():
            return {
                "type": of.kind, "path": str(file), "mime_type": of.mime_type or "application/octet-stream",
                "filename": of.filename, "caption": of.caption,
            }  # fmt: skip
        case Location():
            place = {"latitude": of.latitude, "longitude": of.longitude, "name": of.name, "address": of.address}
            return {"type": "location", **place}
        case Contacts():
            return {"type": "contacts", "contacts": of.contacts}
        case Reaction():
            return {"type": "reaction", "id": of.network_id, "emoji": of.emoji}
        case Buttons():
            buttons = [{"id": one.id, "title": one.title} for one in of.buttons]
            return {"type": "buttons", "body": of.body, "buttons": buttons, "header": of.header, "footer": of.footer}
        case ListMenu():
            sections = [
                {
                    "title": section.title,
                    "rows": [
                        {"id": row.id, "title": row.title, "description": row.description} for row in section.rows
                    ],
                }
                for section in of.sections
            ]
            return {
                "type": "list", "body": of.body, "button": of.button, "sections": sections, "header": of.header,
                "footer": of.footer,
            }  # fmt: skip
        case PlaceRequest():
            return {"type": "location_request", "body": of.body}
        case LinkButton():
            return {"type": "text", "text": _with_address(of)}
        case Template():
            words = "A linked device has no templates. Send a text, or use a cloud line."
            return NetworkRefused("template_unavailable", words)


def spelt_out(of: Content, can: Collection[str]) -> Content:
    """Choices as a text that numbers them, for a line that cannot show them; what is asked for is asked in words."""
    if isinstance(of, PlaceRequest):
        return of if "location_request" in can else Text(of.body)
    if isinstance(of, LinkButton):
        return Text(_with_address(of))
    if isinstance(of, Buttons) and "buttons" not in can:
        titles = [button.title for button in of.buttons]
    elif isinstance(of, ListMenu) and "list" not in can:
        titles = [row.title for section in of.sections for row in section.rows]
    else:
        return of
    choices = "\n".join(f"{number}. {title}" for number, title in enumerate(titles, 1))
    return Text("\n\n".join(part for part in (of.header, of.body, choices, of.footer) if part))


def _with_address(of: LinkButton) -> str:
    return f"{of.body}\n\n{of.title}: {of.url}"
