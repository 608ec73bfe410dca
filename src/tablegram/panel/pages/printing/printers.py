"""Printers: registered, set up step by step, tried out, changed, taken away.

GET  /panel/printers                 ?venue=
GET  /panel/printers/new             ?venue=
POST /panel/printers
GET  /panel/printers/{id}            how it is, and how it is set up
GET  /panel/printers/{id}/edit
POST /panel/printers/{id}
POST /panel/printers/{id}/{test|key|delete}
"""

from __future__ import annotations

from typing import Any, cast

import msgspec
from litestar import get, post
from litestar.params import FromPath

from tablegram.errors import Invalid, Problem
from tablegram.flows.printing.answers import PrinterView
from tablegram.flows.printing.fields import PrinterFields, ProfileFields
from tablegram.flows.printing.printer_desk import PrinterDesk
from tablegram.flows.printing.services import PrintingServices
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form, require_word
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import at_ms
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.pages.restaurant.venue.venue import shown_station
from tablegram.panel.pages.restaurant.venues import VenueChoice, beside, look_at
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.printing.printers.model import Extra
from tablegram.printing.printers.profile import KINDS, Profile
from tablegram.values.qr import draw_qr

_READ, _MANAGE = {"scope": "restaurant:read"}, {"scope": "restaurant:manage"}
HOME = "/panel/printers"
# Of each kind, how many steps there are to tell; the words are the templates'.
STEPS = {"cloudprnt": 4, "epson": 5, "agent": 3, "direct": 2, "browser": 2, "sandbox": 1}
# The pages that printers have under which number, as far as makers agree.
SLOTS = (("cp857", 13), ("cp857", 61), ("cp1254", 48), ("cp1254", 91), ("cp858", 19), ("cp1252", 16), ("cp437", 0))
# What is wrong with the profile is told beside the fields of the form.
_FIELDS = {"profile.host": "host"}


def desk_of(deps: PanelDeps) -> PrinterDesk:
    return deps.services.of(PrintingServices).printers


@get("/printers", opt=_READ)
async def list_printers(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    place = await look_at(request, deps, visitor)
    found = await desk_of(deps).page(visitor.caller, venue_id=place.id or None)
    printers = [_shown(visitor, one) for one in found.data]
    return page(request, visitor, "printing/list.html", place=place, printers=printers)


@get("/printers/new", opt=_MANAGE)
async def new_printer(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _form(request, visitor, deps, await look_at(request, deps, visitor), Form())


@post("/printers", opt=_MANAGE, status_code=200)
async def create_printer(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    place = await look_at(request, deps, visitor, form.text("venue"))
    try:
        kind = next((one for one in KINDS if one == form.text("kind")), None)
        if kind is None:
            raise Invalid.field("kind", "kind_missing", visitor.t("printers.kind_missing"))
        fields: PrinterFields = {**_typed(form), "kind": kind, "venue_id": place.id}
        call = once(form, "panel printers", msgspec.json.encode(fields).decode())
        made = await desk_of(deps).create(visitor.caller, fields, call)
    except Problem as problem:
        return await _form(request, visitor, deps, place, form, problem)
    return redirect(request, f"{HOME}/{made.value.id}", toast=visitor.t("printers.added", name=made.value.name))


@get("/printers/{printer_id:str}", opt=_READ)
async def show_printer(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, printer_id: FromPath[str]
) -> PageResponse:
    return await _one(request, visitor, deps, printer_id)


async def _one(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, printer_id: str, form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:  # fmt: skip
    desk = desk_of(deps)
    printer = await desk.get(visitor.caller, printer_id)
    place = await look_at(request, deps, visitor, printer.venue_id)
    others = {one.id: one.name for one in (await desk.page(visitor.caller, venue_id=printer.venue_id)).data}
    key = await desk.reveal(visitor.caller, printer_id) if visitor.can("restaurant:manage") else None
    return page(
        request,
        visitor,
        "printing/printer.html",
        place=place,
        printer=_shown(visitor, printer),
        fallback=others.get(printer.fallback_id or ""),
        key=key,
        picture=draw_qr(key.url) if key is not None and key.url else "",
        steps=STEPS[printer.kind],
        found=await desk.found(visitor.caller, printer_id),
        form=form,
        problem=problem,
        mark=new_mark(),
    )


@get("/printers/{printer_id:str}/edit", opt=_MANAGE)
async def edit_printer(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, printer_id: FromPath[str]
) -> PageResponse:
    printer = await desk_of(deps).get(visitor.caller, printer_id)
    place = await look_at(request, deps, visitor, printer.venue_id)
    return await _form(request, visitor, deps, place, Form(), printer=printer)


@post("/printers/{printer_id:str}", opt=_MANAGE, status_code=200)
async def update_printer(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, printer_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    try:
        kept = await desk_of(deps).change(visitor.caller, printer_id, _typed(form))
    except Invalid as problem:
        printer = await desk_of(deps).get(visitor.caller, printer_id)
        place = await look_at(request, deps, visitor, printer.venue_id)
        return await _form(request, visitor, deps, place, form, problem, printer)
    return redirect(request, f"{HOME}/{kept.id}", toast=visitor.t("printers.saved"))


@post("/printers/{printer_id:str}/test", opt=_MANAGE)
async def test_printer(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, printer_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    await desk_of(deps).test(visitor.caller, printer_id, once(form, f"panel test page {printer_id}"))
    return redirect(request, f"{HOME}/{printer_id}", toast=visitor.t("printers.test_sent"))


@post("/printers/{printer_id:str}/key", opt=_MANAGE)
async def rotate_key(request: PageRequest, visitor: VisitorOf, deps: DepsOf, printer_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    await desk_of(deps).rotate(visitor.caller, printer_id, once(form, f"panel printer key {printer_id}"))
    return redirect(request, f"{HOME}/{printer_id}", toast=visitor.t("printers.rotated"))


@post("/printers/{printer_id:str}/delete", opt=_MANAGE)
async def delete_printer(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, printer_id: FromPath[str]
) -> PageResponse:
    printer = await desk_of(deps).get(visitor.caller, printer_id)
    form = await read_form(request)
    try:
        require_word(form, printer.name)
    except Invalid as problem:
        return await _one(request, visitor, deps, printer_id, form, problem)
    await desk_of(deps).remove(visitor.caller, printer_id)
    return redirect(request, f"{HOME}?venue={printer.venue_id}", toast=visitor.t("printers.removed", name=printer.name))


async def _form(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, place: VenueChoice, form: Form, problem: Problem | None = None,
    printer: PrinterView | None = None,
) -> PageResponse:  # fmt: skip
    others = (await desk_of(deps).page(visitor.caller, venue_id=place.id)).data if place.id else []
    stations = [] if place.venue is None else place.venue.stations
    return page(
        request,
        visitor,
        "printing/form.html",
        place=place,
        printer=printer,
        kinds=KINDS,
        stations=[(one, shown_station(visitor, one), "") for one in stations],
        others=[(one.id, one.name) for one in others if printer is None or one.id != printer.id],
        pages=[(f"{code}:{slot}", f"{code} · {slot}") for code, slot in _pages(printer)],
        form=form,
        problem=None if problem is None else beside(problem, **_FIELDS),
        mark=new_mark(),
    )


def _pages(printer: PrinterView | None) -> list[tuple[str, int]]:
    """The usual code pages, and the one that this printer has."""
    own = [] if printer is None else [(printer.profile.code_page, printer.profile.slot)]
    return list(dict.fromkeys([*own, *SLOTS]))


def _typed(form: Form) -> PrinterFields:
    code_page, _, slot = form.text("page").partition(":")
    given: dict[str, Any] = {
        "columns": form.text("columns"),
        "code_page": code_page,
        "slot": slot,
        "mode": form.text("mode"),
        "language": form.text("language"),
        "port": form.text("port") or "9100",
        "epson_version": form.text("epson_version") or "2.00",
        **{name: form.flag(name) for name in ("cut", "buzzer", "drawer")},
        **{name: form.text(name) for name in ("host", "device", "user")},
    }
    if form.text("password"):
        given["password"] = form.raw("password")
    fallback_after = form.number("fallback_after_s")
    return {
        "name": form.text("name"),
        "stations": form.all("stations"),
        "extras": cast(list[Extra], form.all("extras")),
        "copies": int(form.number("copies") or 1),
        "fallback_id": form.text("fallback_id") or None,
        "fallback_after_s": 120 if fallback_after is None else int(fallback_after),
        "profile": _profile(given),
    }


def _profile(given: dict[str, Any]) -> ProfileFields:
    """What was chosen, as the kinds that the profile has; a choice that is none is the usual one."""
    usual = Profile()
    known: dict[str, Any] = {}
    for name, value in given.items():
        kind = next(one for one in msgspec.structs.fields(Profile) if one.name == name).type
        try:
            known[name] = msgspec.convert(int(value) if name in ("columns", "slot", "port") else value, kind)
        except (ValueError, msgspec.ValidationError):
            known[name] = getattr(usual, name)
    return cast(ProfileFields, known)


def _shown(visitor: Visitor, printer: PrinterView) -> dict[str, Any]:
    """With its time as a number, and one word for how it is."""
    view: dict[str, Any] = msgspec.to_builtins(printer)
    state = printer.state
    trouble = (
        "never" if state.last_seen_at is None
        else "offline" if not state.online
        else "paper" if state.paper == "out"
        else "cover" if state.cover == "open"
        else "error" if state.error
        else "low" if state.paper == "low"
        else ""
    )  # fmt: skip
    # Those are no machines that could be heard.
    is_mute = printer.kind in ("browser", "sandbox", "direct") and trouble == "never"
    return {
        **view,
        "seen_at": at_ms(state.last_seen_at),
        "how": "ready" if not trouble or is_mute else trouble,
        "shown_stations": [shown_station(visitor, one) for one in printer.stations],
    }


HANDLERS = [
    list_printers,
    new_printer,
    create_printer,
    show_printer,
    edit_printer,
    update_printer,
    test_printer,
    rotate_key,
    delete_printer,
]
