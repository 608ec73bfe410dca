"""From a checked request to the message it asks for."""

from __future__ import annotations

from typing import Any

from tablegram.accounts.keys.keys import Caller
from tablegram.api.deps import ApiDeps
from tablegram.api.rules import parse_moment_ms
from tablegram.api.schemas.fields import MAX_AHEAD_DAYS
from tablegram.api.schemas.gateway.sends import (
    ContactCard,
    Send,
    SendButtons,
    SendContacts,
    SendList,
    SendLocation,
    SendMedia,
    SendTemplate,
)
from tablegram.errors import Invalid
from tablegram.flows.gateway.sending import Draft
from tablegram.messaging.media import MediaFacts, inspect
from tablegram.messaging.model import (
    BULK,
    NORMAL,
    URGENT,
    Button,
    Buttons,
    Contacts,
    Content,
    ListMenu,
    Location,
    Media,
    Row,
    Section,
    Template,
    type_of,
    words_of,
)
from tablegram.values.clock import DAY_MS

PRIORITIES = {None: NORMAL, "urgent": URGENT, "normal": NORMAL, "bulk": BULK}


async def draft(
    deps: ApiDeps, caller: Caller, body: Send, content: Content, priority: int | None = None, media_id: str = ""
) -> Draft:
    """A send of any kind as the flows take it; `priority` is for a body that names none.

    `media_id`: the file in our own store that the content is.
    """
    return Draft(
        phone=body.phone,
        content=content,
        type=type_of(content),
        text=words_of(content),
        instance_id=instance_of(body.instance_id),
        send_at_ms=send_at_ms(body.send_at, deps.clock.now_ms()),
        priority=priority if body.priority is None and priority is not None else PRIORITIES[body.priority],
        reply_to=await deps.gateway.lookups.network_id_of(caller, body.reply_to, "reply_to") if body.reply_to else "",
        media_id=media_id,
        shares_media=bool(media_id),
    )


def instance_of(value: int | str | None) -> int | None:
    """An empty string means the default line, as null does."""
    return value if isinstance(value, int) else None


def send_at_ms(text: str | None, now_ms: int, field: str = "send_at") -> int | None:
    """When to send; nothing means at once, which a time that has passed means too."""
    if text is None:
        return None
    at_ms = parse_moment_ms(text)
    if at_ms is None or at_ms > now_ms + MAX_AHEAD_DAYS * DAY_MS:
        raise Invalid.field(field, "out_of_range", f"{field} may be at most {MAX_AHEAD_DAYS} days ahead.")
    return at_ms if at_ms > now_ms else None


async def look_at(deps: ApiDeps, caller: Caller, body: SendMedia) -> MediaFacts:
    """What is behind a `media_url`: a file of our own store, which is not asked for over HTTP, or one elsewhere."""
    media_id = deps.files.attachments.own_id(body.media_url)
    if media_id is None:
        return await inspect(deps.gateway.fetcher, body.media_url, body.type)
    return await deps.files.attachments.inspect(caller, media_id, body.type, deps.gateway.lines.within_reach(caller))


def media(body: SendMedia, facts: MediaFacts) -> Media:
    return Media(
        kind=facts.kind,
        url=facts.kept_url or body.media_url,
        by_link=facts.by_link,
        caption=body.caption or "",
        filename=body.filename or facts.filename,
        mime_type=facts.mime_type,
    )


def template(body: SendTemplate) -> Template:
    components: list[dict[str, Any]] = list(body.components)
    if body.parameters:
        texts = [{"type": "text", "text": value} for value in body.parameters]
        components.insert(0, {"type": "body", "parameters": texts})
    return Template(body.template, body.language, components, body.category or "utility")


def location(body: SendLocation) -> Location:
    return Location(body.latitude, body.longitude, body.name or "", body.address or "")


def contacts(body: SendContacts) -> Contacts:
    return Contacts([_card(card) for card in body.contacts])


def _card(card: ContactCard) -> dict[str, Any]:
    """A card in the network's own shape, which wants a first name beside the whole one."""
    network: dict[str, Any] = {
        "name": {"formatted_name": card.name, "first_name": card.name.split()[0]},
        "phones": [{"phone": phone, "type": "CELL"} for phone in card.phones],
    }
    if card.emails:
        network["emails"] = [{"email": email, "type": "WORK"} for email in card.emails]
    if card.company or card.title:
        network["org"] = {"company": card.company or "", "title": card.title or ""}
    return network


def buttons(body: SendButtons) -> Buttons:
    return Buttons(
        body.body, [Button(button.id, button.title) for button in body.buttons], body.header or "", body.footer or ""
    )


def list_menu(body: SendList) -> ListMenu:
    sections = [
        Section([Row(row.id, row.title, row.description or "") for row in section.rows], section.title)
        for section in body.sections
    ]
    return ListMenu(body.body, body.button, sections, body.header or "", body.footer or "")
