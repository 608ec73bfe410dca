"""People, found from every page by name or number."""

from __future__ import annotations

from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.finding import Finder, Found
from tablegram.panel.frame.listing import fits
from tablegram.panel.i18n import format_phone
from tablegram.panel.visitor import Visitor


async def find_people(deps: PanelDeps, visitor: Visitor, search: str, most: int) -> list[Found]:
    """Whose name it is comes first; who was found by a note or a tag comes after, with the tags."""
    page = await deps.contacts.pool.page(visitor.caller, q=search, tag=None, since_ms=None, limit=most, cursor=None)
    named: list[Found] = []
    others: list[Found] = []
    for one in page.data:
        phone = format_phone(next(iter(one.phones), ""))
        name = one.name.strip()
        by_name = fits(search, name, *one.phones)
        parts = (phone if name else "", "" if by_name else ", ".join(one.tags))
        title, detail = name or phone or one.id, " · ".join(part for part in parts if part)
        (named if by_name else others).append(Found(title, f"/panel/contacts/{one.id}", detail))
    return [*named, *others]


FINDER = Finder("people", "contacts", "contacts:read", find_people)
