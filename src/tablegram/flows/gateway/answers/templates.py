"""A template as the API shows it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from tablegram.messaging.rows.lines import TemplateRow
from tablegram.messaging.templates.components import places
from tablegram.values import Json
from tablegram.values.clock import MomentText, iso


class TemplateView(Struct, kw_only=True, frozen=True):
    """A template as the network has it."""

    id: str
    instance_id: int
    name: str
    language: str
    status: Annotated[
        str,
        Meta(description="The network's word: APPROVED, PENDING, REJECTED, PAUSED, DISABLED and others of its own."),
    ]
    category: str
    quality: Annotated[
        str, Meta(description="GREEN, YELLOW or RED, as customers take to it; empty before the network has judged.")
    ]
    reason: Annotated[str, Meta(description="Why it was rejected or paused, in the network's word; else empty.")]
    text: Annotated[str, Meta(description="The text of its body.")]
    variables: Annotated[
        list[str], Meta(description="The names of the text's variables, in the order of their values.")
    ]
    components: Annotated[list[Json], Meta(description="All of it, as the network has it.")]
    synced_at: Annotated[MomentText, Meta(description="As of when this is known.")]


class TemplatePage(Struct, kw_only=True, frozen=True):
    """Templates of a line."""

    data: list[TemplateView]
    next_cursor: str | None


class TemplateSync(Struct, kw_only=True, frozen=True):
    """What a line's templates have become."""

    instance_id: int
    templates: Annotated[int, Meta(description="How many there are now.")]
    added: int
    changed: int
    removed: int


def show(row: TemplateRow) -> TemplateView:
    components: list[Json] = msgspec.json.decode(row["components"])
    body = next((part for part in components if str(part.get("type", "")).upper() == "BODY"), {})
    text = body.get("text")
    text = text if isinstance(text, str) else ""
    return TemplateView(
        id=row["id"],
        instance_id=row["instance_id"],
        name=row["name"],
        language=row["language"],
        status=row["status"],
        category=row["category"],
        quality=row["quality"],
        reason=row["reason"],
        text=text,
        variables=places(text),
        components=components,
        synced_at=iso(row["synced_at"]),
    )
