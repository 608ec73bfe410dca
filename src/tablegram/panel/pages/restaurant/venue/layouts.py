"""How tickets look: what is printed for each station, beside a picture of the paper.

GET  /panel/venue/layouts
POST /panel/venue/{id}/layouts, /panel/venue/{id}/layouts/preview
"""

from __future__ import annotations

from typing import Any, Literal, cast

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath
from markupsafe import Markup

from tablegram.errors import Invalid, NotFound, Problem, no_such
from tablegram.flows.printing.layouts.answers import LayoutChoice, LayoutKind, LayoutView
from tablegram.flows.printing.layouts.desk import LayoutDesk
from tablegram.flows.printing.services import PrintingServices
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked
from tablegram.panel.pages.restaurant.venue.venue import NAMED_STATIONS
from tablegram.panel.pages.restaurant.venues import VenueChoice, look_at
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.printing.paper.layouts.layout import SECTIONS, SIZES

_READ = {"scope": "restaurant:read"}
_MANAGE = {"scope": "restaurant:manage"}
HOME = "/panel/venue/layouts"
_COLUMNS = (32, 42, 48)
_USUAL_COLUMNS = 48
# Names of languages in themselves.
_LANGUAGES = (("en", "English"), ("tr", "Türkçe"), ("de", "Deutsch"))
Target = tuple[LayoutKind, str]


@get("/venue/layouts", opt=_READ)
async def show_layouts(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    place = await look_at(request, deps, visitor)
    if place.venue is None:
        return redirect(request, "/panel/venue")
    return await _shown(request, visitor, deps, place, _target(asked(request, "of")))


@post("/venue/{venue_id:str}/layouts", opt=_MANAGE, status_code=200)
async def change_layout(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    place = await look_at(request, deps, visitor, venue_id)
    target = _target(form.text("of"))
    if form.has("move"):
        # Without scripts: the same page, with one section moved and nothing saved.
        return await _shown(request, visitor, deps, place, target, form)
    is_usual = form.text("do") == "usual"
    try:
        choice = None if is_usual else _typed(form)
        await _desk(deps).choose(visitor.caller, venue_id, *target, choice)
    except Problem as problem:
        return await _shown(request, visitor, deps, place, target, form, problem)
    toast = visitor.t("layouts.now_usual" if is_usual else "layouts.saved")
    return redirect(request, f"{HOME}?venue={venue_id}&of={_word(target)}", toast=toast)


@post("/venue/{venue_id:str}/layouts/preview", opt=_READ, status_code=200)
async def preview_layout(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]
) -> Response[str]:
    """The paper alone, for the page that shows it while somebody chooses."""
    form = await read_form(request)
    drawn = await _drawn(visitor, deps, venue_id, _target(form.text("of")), _typed(form), _columns(form))
    return Response(drawn, media_type="text/html", headers={"Cache-Control": "no-store"})


async def _shown(
    request: PageRequest,
    visitor: Visitor,
    deps: PanelDeps,
    place: VenueChoice,
    target: Target,
    form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:
    listed = (await _desk(deps).page(visitor.caller, place.id)).data
    known = {(view.kind, view.station): view for view in listed}
    if target == ("station", ""):
        target = (listed[0].kind, listed[0].station)
    if target not in known:
        raise NotFound(no_such("station", "venue"), code="station_unknown")
    view = known[target]
    order = _order(view.layout.sections) if form is None else _moved(form)
    shown = view.layout.sections if form is None else form.all("sections")
    choice = view.layout if form is None or problem is not None else _typed(form, order)
    columns = _USUAL_COLUMNS if form is None else _columns(form)
    return page(
        request, visitor, "restaurant/venue/layouts.html",
        form=form, problem=problem, place=place, venue=place.venue, of=_word(target), view=view, choice=choice,
        targets=[(_word((one.kind, one.station)), _name(visitor, one), one.is_own) for one in listed],
        sections=[(name, name in shown, name in ("place", "lines")) for name in order],
        sizes=[(size, visitor.t(f"layouts.size_{size}")) for size in SIZES],
        languages=[("", visitor.t("layouts.language_usual")), *_LANGUAGES],
        widths=[(str(one), visitor.t("layouts.columns_n", n=one)) for one in _COLUMNS], columns=columns,
        paper=Markup(await _drawn(visitor, deps, place.id, target, choice, columns)),
    )  # fmt: skip


async def _drawn(
    visitor: Visitor, deps: PanelDeps, venue_id: str, target: Target, choice: LayoutChoice, columns: int
) -> str:
    width = cast(Literal[32, 42, 48], columns)
    return await _desk(deps).preview(visitor.caller, venue_id, *target, choice, width)


def _desk(deps: PanelDeps) -> LayoutDesk:
    return deps.services.of(PrintingServices).layouts


def _typed(form: Form, order: list[str] | None = None) -> LayoutChoice:
    """What the form says. Raises `Invalid`."""
    shown = form.all("sections")
    given: dict[str, Any] = {
        "sections": [name for name in order or shown if name in shown],
        "head": form.text("head"),
        "dishes": form.text("dishes"),
        **{name: form.flag(name) for name in ("allergens", "courses", "prices")},
        "footer": form.text("footer").replace("\r\n", "\n"),
        "link": form.text("link"),
        "language": form.text("language"),
    }
    try:
        return msgspec.convert(given, LayoutChoice)
    except msgspec.ValidationError as problem:
        field = "link" if "$.link" in str(problem) else "footer" if "$.footer" in str(problem) else "sections"
        raise Invalid.field(field, f"layout_{field}", "Look at this once more.") from None


def _order(shown: list[Any]) -> list[str]:
    """All sections: those that are shown in their order, and after them the others."""
    return [*shown, *(name for name in SECTIONS if name not in shown)]


def _moved(form: Form) -> list[str]:
    known: list[str] = [name for name in form.all("order") if name in SECTIONS]
    order = _order(list(dict.fromkeys(known)))
    way, _, name = form.text("move").partition(":")
    if name in order:
        at = order.index(name)
        to = max(at - 1, 0) if way == "up" else min(at + 1, len(order) - 1)
        order.insert(to, order.pop(at))
    return order


def _target(word: str) -> Target:
    kind, _, station = word.partition(":")
    return ("pass", "") if kind == "pass" else ("receipt", "") if kind == "receipt" else ("station", station)


def _word(target: Target) -> str:
    return f"station:{target[1]}" if target[0] == "station" else target[0]


def _name(visitor: Visitor, view: LayoutView) -> str:
    if view.kind != "station":
        return visitor.t(f"layouts.of_{view.kind}")
    return visitor.t(f"menu.station_{view.station}") if view.station in NAMED_STATIONS else view.station


def _columns(form: Form) -> int:
    typed = form.text("columns")
    return int(typed) if typed in map(str, _COLUMNS) else _USUAL_COLUMNS


HANDLERS = [show_layouts, change_layout, preview_layout]
