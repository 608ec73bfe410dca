"""From what a person typed to a message: the address, the words, a template or a file."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

from litestar import Request
from litestar.datastructures import UploadFile

from tablegram.crm.conversations import ConversationChange
from tablegram.errors import Conflict, Invalid
from tablegram.flows.gateway.answers.templates import TemplateView
from tablegram.flows.gateway.sending import Draft
from tablegram.flows.inbox.answers import ConversationView
from tablegram.messaging.model import URGENT, Content, Template, Text, type_of
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form
from tablegram.panel.frame.once import contents_of, once
from tablegram.panel.visitor import Visitor
from tablegram.values import Json, dicts

MAX_TEXT = 4_096
MAX_CAPTION = 1_024
ROUTE = "panel reply"
CHUNK_BYTES = 262_144

_PLACE = re.compile(r"\{\{\s*([A-Za-z0-9_]+)\s*\}\}")


def wants_json(request: Request[Any, Any, Any]) -> bool:
    """Whether a module of ours asks, and not the browser itself."""
    return "application/json" in request.headers.get("accept", "")


async def reply(deps: PanelDeps, visitor: Visitor, contact_id: str, form: Form) -> None:
    """Send what was typed, and the file if one was chosen. The same form sends once, however often it comes."""
    talk = await deps.inbox.conversations.get(visitor.caller, contact_id)
    text, file = form.text("text").replace("\r\n", "\n"), form.file("file")
    attached = (file.filename, await contents_of(file)) if file else ()
    call = once(form, ROUTE, talk.contact_id, text, *attached)
    if await deps.gateway.sending.earlier(visitor.caller, call) is not None:
        return
    content: Content
    media_id = ""
    if file is not None:
        if len(text) > MAX_CAPTION:
            raise Invalid.field("text", "caption_too_long", f"Beside a file, at most {MAX_CAPTION:,} characters.")
        kept = await deps.files.attachments.keep(
            visitor.caller, chunks_of(file), file.filename, file.content_type or ""
        )
        media_id = kept.id
        content = await deps.files.attachments.content(visitor.caller, media_id, text)
    else:
        if not text:
            raise Invalid.field("text", "blank", "Write something first.")
        if len(text) > MAX_TEXT:
            raise Invalid.field("text", "text_too_long", f"A message may have at most {MAX_TEXT:,} characters.")
        content = Text(text)
    await send(deps, visitor, talk, Draft(phone_of(talk), content, type_of(content), text, media_id=media_id), call)


async def send(deps: PanelDeps, visitor: Visitor, talk: ConversationView, draft: Draft, call: Any) -> None:
    """By the line that the customer wrote to; by the default one where that is gone. Who answers has read."""
    line = talk.last_instance_id
    # What a person types goes ahead of what programs send.
    draft = _with(draft, instance_id=line, priority=URGENT)
    try:
        await deps.gateway.sending.send(visitor.caller, draft, call)
    except Invalid as problem:
        if line is None or problem.code != "instance_unknown":
            raise
        await deps.gateway.sending.send(visitor.caller, _with(draft, instance_id=None), call)
    finally:
        deps.live.notice(visitor.caller.account_id, "messages", [talk.contact_id])
    await deps.inbox.conversations.update(visitor.caller, talk.contact_id, ConversationChange(seen=True))


def _with(draft: Draft, **changes: Any) -> Draft:
    fields = {name: getattr(draft, name) for name in draft.__struct_fields__}
    return Draft(**{**fields, **changes})


def phone_of(talk: ConversationView) -> str:
    """The number, or what the network calls them who hide it."""
    if not talk.addresses:
        raise Conflict("Nothing can be sent to a group from here. Use the network's own app.", code="no_number")
    return talk.addresses[0]


async def chunks_of(file: UploadFile) -> AsyncIterator[bytes]:
    """A file that somebody chose, piece by piece."""
    while chunk := await file.read(CHUNK_BYTES):
        yield chunk


class Model:
    """A template of the network as a form: its text, and the places in it that a person fills in."""

    def __init__(self, template: TemplateView) -> None:
        parts = {str(part.get("type", "")).upper(): part for part in template.components}
        self.name = template.name
        self.language = template.language
        self.category = template.category.lower()
        self.header = _text(parts.get("HEADER"))
        self.body = _text(parts.get("BODY"))
        self.footer = _text(parts.get("FOOTER"))
        self.approved = template.status.upper() == "APPROVED"
        self._media_header = str(parts.get("HEADER", {}).get("format", "TEXT")).upper() not in ("TEXT", "")
        buttons = dicts(parts.get("BUTTONS", {}).get("buttons"))
        self._open_buttons = any(_PLACE.search(str(button.get("url", ""))) for button in buttons)

    @property
    def usable(self) -> bool:
        """Whether words alone fill it in; a picture or an address of its own needs the API."""
        return self.approved and not self._media_header and not self._open_buttons

    def places(self) -> list[tuple[str, str]]:
        """Names of the form's fields and of the places they fill, header first."""
        return [
            (f"{part}.{name}", name)
            for part, text in (("header", self.header), ("body", self.body))
            for name in dict.fromkeys(_PLACE.findall(text))
        ]

    def content(self, form: Form) -> Template:
        empty = [field for field, _ in self.places() if not form.text(field)]
        if empty:
            raise Invalid.field(empty[0], "blank", "Fill in every place of the template.")
        components: list[Json] = []
        for part, text in (("header", self.header), ("body", self.body)):
            names = list(dict.fromkeys(_PLACE.findall(text)))
            if names:
                values = [_value(name, form.text(f"{part}.{name}")) for name in names]
                components.append({"type": part, "parameters": values})
        return Template(self.name, self.language, components, self.category)

    def written(self, form: Form) -> str:
        """The text as the customer reads it."""

        def fill(part: str, text: str) -> str:
            return _PLACE.sub(lambda place: form.text(f"{part}.{place[1]}") or place[0], text)

        filled = (fill("header", self.header), fill("body", self.body))
        return "\n".join(text for text in (*filled, self.footer) if text)


def _text(part: Json | None) -> str:
    return str((part or {}).get("text") or "")


def _value(name: str, text: str) -> dict[str, str]:
    value = {"type": "text", "text": text}
    return value if name.isdecimal() else {**value, "parameter_name": name}


def draft_of(talk: ConversationView, model: Model, form: Form) -> Draft:
    return Draft(phone_of(talk), model.content(form), "template", model.written(form)[:MAX_TEXT])
