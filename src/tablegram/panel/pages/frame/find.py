"""Going anywhere: the places of the panel, and what its parts find, by a few letters.

GET /panel/find
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from litestar import get

from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.finding import Finder, Found
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, fits
from tablegram.panel.render import PageResponse, page
from tablegram.panel.visitor import Visitor
from tablegram.values.folding import words

# Of each kind; whoever wants more goes to its list.
MOST = 5
# One letter is the beginning of too many names; a digit may be the number of an order.
SHORTEST = 2


@dataclass(frozen=True, slots=True)
class Kind:
    """What was found of one kind. Each find has the icon of its place."""

    name: str
    found: list[tuple[str, Found]]


@get("/find")
async def find(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    search = asked(request, "q")
    places = _places(deps, visitor, search)
    others = await _others(deps, visitor, search)
    # What is called so comes before what merely mentions it.
    others.sort(key=lambda kind: not any(fits(search, one.title) for _, one in kind.found))
    kinds = [kind for kind in (places, *others) if kind.found]
    return page(
        request, visitor, "frame/find.html", search=search, kinds=kinds, many=sum(len(kind.found) for kind in kinds)
    )


def _places(deps: PanelDeps, visitor: Visitor, search: str) -> Kind:
    """Only those that the navigation shows to this visitor; all of them, as long as nothing was typed."""
    found: list[tuple[str, Found]] = []
    if search and not words(search):
        return Kind("places", found)
    for group in deps.navigation.shown_to(visitor, ""):
        heading = visitor.t(f"group.{group.name}") if group.folds else ""
        for place in group.places:
            name = visitor.t(f"nav.{place.name}")
            if fits(search, name):
                found.append((place.name, Found(name, place.path, heading)))
    return Kind("places", found)


async def _others(deps: PanelDeps, visitor: Visitor, search: str) -> list[Kind]:
    if not words(search) or (len(search) < SHORTEST and not search.isdecimal()):
        return []
    wanted = [one for one in deps.finders() if visitor.can(one.scope)]
    return list(await asyncio.gather(*(_ask(one, deps, visitor, search) for one in wanted)))


async def _ask(finder: Finder, deps: PanelDeps, visitor: Visitor, search: str) -> Kind:
    found = await finder.find(deps, visitor, search, MOST)
    return Kind(finder.name, [(finder.icon, one) for one in found])


HANDLERS = [find]
