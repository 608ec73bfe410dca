"""Reads a send request of the Cloud API: what the phone will show, or the refusal a real network would give."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from tablegram.sandbox.graph.errors import GraphError, missing, wrong
from tablegram.sandbox.graph.fields import fields, text_of
from tablegram.sandbox.graph.interactive import read_interactive
from tablegram.sandbox.graph.templates import TEMPLATES, Template, fill_in
from tablegram.sandbox.network import Sending
from tablegram.sandbox.phones.chats import Chats
from tablegram.sandbox.phones.shown import Content, ShownFile, ShownPlace
from tablegram.sandbox.store import Number, Store
from tablegram.values import Json

MEDIA_TYPES = ("image", "video", "document", "audio", "sticker")
_SEPARATORS = re.compile(r"[\s()+.-]")
_PHONE = re.compile(r"[1-9][0-9]{6,14}", re.ASCII)
_MAX_CORRELATION = 512


def read_send(
    body: Json,
    number: Number,
    store: Store,
    chats: Chats,
    wire: str | None = None,
    templates: Callable[[], Sequence[Template]] = lambda: TEMPLATES,
) -> Sending:
    """Check one send and put it into the phone's terms; `wire` is how it came, `templates` are the line's."""
    if body.get("messaging_product") != "whatsapp":
        raise GraphError(100, "The parameter messaging_product is required and must be whatsapp.")
    phone = _recipient(body, number, chats)
    kind = body.get("type", "text")
    if not isinstance(kind, str) or (kind not in _READERS and kind != "template"):
        kinds = ", ".join([*_READERS, "template"]).upper()
        raise GraphError(100, f"Param type must be one of {{{kinds}}} - got {str(kind)[:40]!r}.")
    if kind not in body:
        raise missing(kind)
    if kind == "template":
        content = _template(body[kind], templates())
    else:
        content = _READERS[kind](body[kind], store, chats)
    correlation = body.get("biz_opaque_callback_data")
    if correlation is not None and (not isinstance(correlation, str) or len(correlation) > _MAX_CORRELATION):
        raise wrong("biz_opaque_callback_data", f"must be text of at most {_MAX_CORRELATION} characters")
    return Sending(phone, kind, content, _reply_to(body, content), correlation, wire)


def _recipient(body: Json, number: Number, chats: Chats) -> str:
    to, user = body.get("to"), body.get("recipient")
    if to is None and user is None:
        raise missing("to")
    if to is None:
        known = chats.phone_by_user(str(user))
        if known is None:
            raise GraphError(131026, f"No user {str(user)[:60]} is on this network.")
        return known.number
    phone = _SEPARATORS.sub("", str(to))
    if _PHONE.fullmatch(phone) is None:
        raise wrong("to", "is not a phone number")
    if phone == _SEPARATORS.sub("", number.display_phone_number):
        raise GraphError(131021, "Recipient and sender are the same number.")
    return phone


def _reply_to(body: Json, content: Content) -> str | None:
    if "reaction" in content:
        return content["reaction"]["message_id"]
    context = body.get("context")
    if context is None:
        return None
    if not isinstance(context, dict) or not isinstance(context.get("message_id"), str):
        raise missing("context['message_id']")
    # As on the real network, a reply to a message that is gone is sent, only without its quote.
    return str(context["message_id"])


def _text(value: Any, store: Store, chats: Chats) -> Content:
    return {"text": text_of(fields(value, "text"), "body", "text", 4_096)}


def _media(kind: str) -> Callable[[Any, Store, Chats], Content]:
    def read(value: Any, store: Store, chats: Chats) -> Content:
        asked = fields(value, kind)
        media: ShownFile = {"kind": kind}
        if asked.get("id"):
            kept = store.media(str(asked["id"]))
            if kept is None:
                raise wrong(f"{kind}['id']", "is not a media id of this network")
            media |= {
                "id": kept.id,
                "mime_type": kept.mime_type,
                "size": kept.size,
                "sha256": kept.sha256,
                "filename": kept.filename,
                "url": f"/sandbox/media/{kept.id}",
            }
        else:
            link = text_of(asked, "link", kind, 4_096)
            if not link.startswith(("http://", "https://")):
                raise wrong(f"{kind}['link']", "must start with http:// or https://")
            media["link"] = link
        if filename := text_of(asked, "filename", kind, 240, required=False):
            media["filename"] = filename
        if asked.get("caption") and kind in ("audio", "sticker"):
            raise GraphError(100, f"The parameter {kind}['caption'] is not allowed.")
        return {"media": media, "text": text_of(asked, "caption", kind, 1_024, required=False)}

    return read


def _location(value: Any, store: Store, chats: Chats) -> Content:
    asked = fields(value, "location")
    place: ShownPlace = {
        "latitude": _degrees(asked, "latitude", 90),
        "longitude": _degrees(asked, "longitude", 180),
        "name": text_of(asked, "name", "location", 1_000, required=False),
        "address": text_of(asked, "address", "location", 1_000, required=False),
    }
    return {"location": place}


def _degrees(asked: Json, name: str, bound: int) -> float:
    try:
        degrees = float(str(asked[name]))
    except KeyError:
        raise missing(f"location['{name}']") from None
    except (TypeError, ValueError):
        raise wrong(f"location['{name}']", "must be a number") from None
    if not -bound <= degrees <= bound:
        raise wrong(f"location['{name}']", f"must be between -{bound} and {bound}")
    return degrees


def _contacts(value: Any, store: Store, chats: Chats) -> Content:
    if not isinstance(value, list) or not value:
        raise missing("contacts")
    for position, contact in enumerate(value):
        path = f"contacts[{position}]"
        name = fields(fields(contact, path).get("name"), f"{path}['name']")
        text_of(name, "formatted_name", f"{path}['name']", 300)
    return {"contacts": value}


def _reaction(value: Any, store: Store, chats: Chats) -> Content:
    asked = fields(value, "reaction")
    message_id = text_of(asked, "message_id", "reaction", 400)
    if chats.message(message_id) is None:
        raise wrong("reaction['message_id']", "is not a message of this chat")
    return {"reaction": {"message_id": message_id, "emoji": text_of(asked, "emoji", "reaction", 20, False) or ""}}


def _template(value: Any, templates: Sequence[Template]) -> Content:
    asked = fields(value, "template")
    name = text_of(asked, "name", "template", 512)
    language = text_of(fields(asked.get("language"), "template['language']"), "code", "template['language']", 20)
    components = asked.get("components") or []
    if not isinstance(components, list):
        raise wrong("template['components']", "must be a list")
    return fill_in(templates, name, language, components)


def _interactive(value: Any, store: Store, chats: Chats) -> Content:
    return read_interactive(fields(value, "interactive"))


_READERS: dict[str, Callable[[Any, Store, Chats], Content]] = {
    "text": _text,
    **{kind: _media(kind) for kind in MEDIA_TYPES},
    "location": _location,
    "contacts": _contacts,
    "reaction": _reaction,
    "interactive": _interactive,
}
