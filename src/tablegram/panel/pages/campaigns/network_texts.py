"""Templates of the network, as far as a campaign can fill them in."""

from __future__ import annotations

import re

from tablegram.errors import Problem
from tablegram.flows.campaigns.message.templates import CATEGORY, shape_of
from tablegram.flows.gateway.answers.templates import TemplateView
from tablegram.panel.deps import PanelDeps
from tablegram.panel.visitor import Visitor
from tablegram.values import Json, listed, mapping

MOST = 100
_PLACE = re.compile(r"\{\{\s*(\w+)\s*\}\}")


class Shape:
    """Its words, the places in them, and the quick replies below, by their number among its buttons."""

    def __init__(self, template: TemplateView) -> None:
        parts = {str(part.get("type", "")).upper(): part for part in template.components}
        self.key = f"{template.name}/{template.language}"
        self.name, self.language = template.name, template.language
        self.header, self.body, self.footer = (_words(parts.get(name)) for name in ("HEADER", "BODY", "FOOTER"))
        self.places = template.variables
        # Counted with what is no button, as the network counts them.
        buttons = [mapping(one) for one in listed(parts.get("BUTTONS", {}).get("buttons"))]
        self.buttons = [str(button.get("text", "")) for button in buttons]
        self.replies = [
            (number, str(button.get("text", "")))
            for number, button in enumerate(buttons)
            if str(button.get("type", "")).upper() == "QUICK_REPLY"
        ]
        known = shape_of(template.components)
        # The picture, film or paper that stands above the words; each campaign brings its own.
        self.media = known.file
        is_allowed = template.status.upper() == "APPROVED" and template.category.lower() == CATEGORY
        self.usable = is_allowed and known.is_fillable

    def filled(self, values: list[str]) -> str:
        """What a customer reads."""
        known = dict(zip(self.places, values, strict=False))
        body = _PLACE.sub(lambda place: known.get(place[1], place[0]), self.body)
        return "\n".join(text for text in (self.header, body, self.footer) if text)


async def shapes(visitor: Visitor, deps: PanelDeps, line: int | None) -> tuple[list[Shape], Problem | None]:
    """The line's templates that a campaign can fill in; or why they cannot be had."""
    try:
        found = await deps.gateway.templates.page(visitor.caller, line, MOST, None)
    except Problem as problem:
        return [], problem
    return [shape for shape in map(Shape, found.data) if shape.usable], None


def _words(part: Json | None) -> str:
    return str((part or {}).get("text") or "")
