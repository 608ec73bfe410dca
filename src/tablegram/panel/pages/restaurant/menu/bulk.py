"""Many things of a menu at once: prices that rise, and files that come in and go out.

GET  /panel/menu/{venue}/prices, /panel/menu/{venue}/import, /panel/menu/{venue}/export/{name}
POST /panel/menu/{venue}/prices, /panel/menu/{venue}/import
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import zlib
from typing import Any, Literal, cast

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from tablegram.errors import Conflict, Invalid, NotFound, Problem
from tablegram.flows.restaurant.answers.menus import MenuImported, NewPrice
from tablegram.flows.restaurant.answers.venues import VenueView
from tablegram.flows.restaurant.venue_fields import PriceFields
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form, room_for
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.i18n import words
from tablegram.panel.pages.restaurant.menu import forms
from tablegram.panel.pages.restaurant.menu.editor import HOME
from tablegram.panel.pages.restaurant.venues import VenueChoice, look_at, price
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.restaurant.menu.importing.documents import MAX_BYTES
from tablegram.restaurant.menu.importing.jobs import Format
from tablegram.values.files.filenames import attachment
from tablegram.values.money import exponent

_READ = {"scope": "restaurant:read"}
_MANAGE = {"scope": "restaurant:manage"}
ROUNDINGS = ("nearest", "up", "down")
# In units of the currency; the smallest coin comes first and leaves prices as they come out.
STEPS = ("0.05", "0.1", "0.25", "0.5", "1", "5", "10", "50", "100", "1000")
MODES = ("merge", "replace")
FILES: dict[str, tuple[Format, Literal["items", "options"], str]] = {
    "menu.xlsx": ("xlsx", "items", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "items.csv": ("csv", "items", "text/csv"),
    "options.csv": ("csv", "options", "text/csv"),
    "menu.json": ("json", "items", "application/json"),
}


@get("/menu/{venue_id:str}/prices", opt=_MANAGE)
async def show_prices(request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]) -> PageResponse:
    return await _prices(request, visitor, deps, await look_at(request, deps, visitor, venue_id))


@post("/menu/{venue_id:str}/prices", opt=_MANAGE, status_code=200)
async def change_prices(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]
) -> PageResponse:
    """First what would change, for somebody to look at; then the same again, for real."""
    form = await read_form(request)
    place = await look_at(request, deps, visitor, venue_id)
    assert place.venue is not None
    try:
        fields = _price_fields(form, visitor, place.venue)
        menu = await deps.restaurant.menu_desk.menu(visitor.caller, venue_id)
        looked_at = form.text("version") == str(menu.version)
        really = form.text("act") == "apply" and looked_at
        outcome = await deps.restaurant.menu_desk.change_prices(visitor.caller, venue_id, fields, dry_run=not really)
    except Problem as problem:
        return await _prices(request, visitor, deps, place, form, problem)
    if really:
        toast = visitor.t("menu.prices_changed", n=len(outcome.prices))
        return redirect(request, f"{HOME}?venue={venue_id}", toast=toast)
    stale = None
    if form.text("act") == "apply":
        stale = Conflict(visitor.t("menu.prices_stale"), code="prices_stale")
    return await _prices(request, visitor, deps, place, form, stale, outcome.prices, menu.version)


async def _prices(
    request: PageRequest,
    visitor: Visitor,
    deps: PanelDeps,
    place: VenueChoice,
    form: Form | None = None,
    problem: Problem | None = None,
    preview: list[NewPrice] | None = None,
    version: int = 0,
) -> PageResponse:
    venue = place.venue
    assert venue is not None
    menu = await deps.restaurant.menu_desk.menu(visitor.caller, venue.id)
    return page(
        request,
        visitor,
        "restaurant/menu/prices.html",
        place=place,
        venue=venue,
        categories=[(one.id, one.name) for one in menu.categories],
        steps=[("", visitor.t("menu.step_none"))]
        + [(step, price(visitor, venue.currency, float(step))) for step in STEPS if _is_coin(step, venue.currency)],
        roundings=ROUNDINGS,
        preview=None
        if preview is None
        else [
            {
                **msgspec.structs.asdict(one),
                "before_words": price(visitor, venue.currency, one.before),
                "after_words": price(visitor, venue.currency, one.after),
            }
            for one in preview
        ],
        version=version,
        form=form,
        problem=problem,
    )


def _price_fields(form: Form, visitor: Visitor, venue: VenueView) -> PriceFields:
    rounding = form.text("rounding")
    step = form.text("step")
    fields: dict[str, Any] = {
        "percent": form.number("percent") or 0,
        "amount": forms.amount(form, visitor, "amount", venue.currency, empty="0"),
        "step": step if step in STEPS else None,
        "rounding": rounding if rounding in ROUNDINGS else "nearest",
        "category_ids": form.all("categories"),
        "options": form.flag("options"),
    }
    return cast(PriceFields, fields)


def _is_coin(step: str, currency: str) -> bool:
    """Whether a currency has coins for a step."""
    return len(step.partition(".")[2]) <= exponent(currency)


@get("/menu/{venue_id:str}/import", opt=_MANAGE)
async def show_import(request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]) -> PageResponse:
    return _import(request, visitor, await look_at(request, deps, visitor, venue_id))


@post(
    "/menu/{venue_id:str}/import",
    # The page carries a checked file as text.
    opt={**_MANAGE, "text_bytes": room_for(MAX_BYTES)},
    status_code=200,
    request_max_body_size=room_for(MAX_BYTES),
)
async def import_file(request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]) -> PageResponse:
    """A file is checked first. Whoever agrees to what it would do sends it again, carried by the page itself."""
    form = await read_form(request)
    place = await look_at(request, deps, visitor, venue_id)
    mode = form.text("mode") if form.text("mode") in MODES else "merge"
    really = form.text("act") == "apply"
    try:
        raw, name = await asyncio.to_thread(_unpack, form, visitor) if really else await _chosen(form, visitor)
        outcome = await deps.restaurant.menu_desk.import_file(
            visitor.caller, venue_id, raw, "replace" if mode == "replace" else "merge", dry_run=not really
        )
    except Problem as problem:
        return _import(request, visitor, place, form, problem)
    if outcome.applied:
        toast = visitor.t("menu.imported", **msgspec.structs.asdict(outcome.summary))
        return redirect(request, f"{HOME}?venue={venue_id}", toast=toast)
    carried = "" if outcome.errors else await asyncio.to_thread(_pack, raw)
    return _import(request, visitor, place, form, None, outcome, mode=mode, carried=carried, filename=name)


def _import(
    request: PageRequest,
    visitor: Visitor,
    place: VenueChoice,
    form: Form | None = None,
    problem: Problem | None = None,
    outcome: MenuImported | None = None,
    **values: Any,
) -> PageResponse:
    known = words(visitor.language)
    errors = [
        {
            **msgspec.structs.asdict(one),
            "words": known.get(f"problem.{one.code}") or known.get(f"code.{one.code}") or one.detail,
        }
        for one in (outcome.errors if outcome else ())
    ]
    return page(
        request,
        visitor,
        "restaurant/menu/import.html",
        place=place,
        venue=place.venue,
        outcome=outcome,
        errors=errors,
        form=form,
        problem=problem,
        **{"mode": "merge", "carried": "", "filename": "", **values},
    )


async def _chosen(form: Form, visitor: Visitor) -> tuple[bytes, str]:
    file = form.file("file")
    if file is None:
        raise Invalid.field("file", "file_missing", visitor.t("menu.choose_first"))
    return await file.read(MAX_BYTES + 1), file.filename


def _pack(raw: bytes) -> str:
    return base64.b64encode(zlib.compress(raw, 6)).decode()


def _unpack(form: Form, visitor: Visitor) -> tuple[bytes, str]:
    """The file that the page carried; more than a file may have is not unpacked."""
    try:
        packed = base64.b64decode("".join(form.all("carried")), validate=True)
        opened = zlib.decompressobj()
        raw = opened.decompress(packed, MAX_BYTES + 1)
    except (binascii.Error, zlib.error):
        raw = b""
    if not raw:
        raise Invalid.field("file", "file_missing", visitor.t("menu.choose_first"))
    return raw, form.text("filename")[:200]


@get("/menu/{venue_id:str}/export/{name:str}", opt=_READ)
async def export_file(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str], name: FromPath[str]
) -> Response[Any]:
    if name not in FILES:
        raise NotFound(visitor.t("frame.not_found_text"))
    kind, table, mime_type = FILES[name]
    venue = await deps.restaurant.venue_desk.get(visitor.caller, venue_id)
    raw = await deps.restaurant.menu_desk.export(visitor.caller, venue_id, kind, table)
    headers = {"Content-Disposition": attachment(f"{venue.name} {name}"), "Cache-Control": "no-store"}
    return Response(raw, media_type=mime_type, headers=headers)


HANDLERS = [show_prices, change_prices, show_import, import_file, export_file]
