"""Tables: by section, added one by one or by number, each with its code to scan, to save and to print.

GET  /panel/tables, /panel/tables/{venue}/sheet.pdf, /panel/tables/{venue}/{table}, …/code.{svg, png}
POST /panel/tables/{venue}, /panel/tables/{venue}/{many, rotate}, /panel/tables/{venue}/{table}, …/{rotate, remove}
"""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from litestar import Response, get, post
from litestar.params import FromPath

from tablegram.errors import Invalid, NotFound, Problem
from tablegram.flows.restaurant.answers.venues import SectionView, TableView
from tablegram.flows.restaurant.desks.venue_desk import Staff
from tablegram.flows.restaurant.fields import TableFields
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, fits
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.pages.restaurant.venues import VenueChoice, beside, look_at
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.restaurant.codes.code_sheets import GRIDS
from tablegram.values.files.filenames import attachment
from tablegram.values.money import written
from tablegram.web.guards import DRAWING_POLICY, file_headers

_READ = {"scope": "restaurant:read"}
_MANAGE = {"scope": "restaurant:manage"}
HOME = "/panel/tables"
MIME = {"svg": "image/svg+xml", "png": "image/png"}


@get("/tables", opt=_READ)
async def list_tables(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    place = await look_at(request, deps, visitor)
    if place.venue is None:
        return redirect(request, "/panel/venue")
    return await _list(request, visitor, deps, place)


@post("/tables/{venue_id:str}", opt=_MANAGE, status_code=200)
async def add_table(request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    place = await look_at(request, deps, visitor, venue_id)
    try:
        fields = _fields(form, visitor)
        call = once(form, f"panel tables {venue_id}", repr(sorted(fields.items())))
        await deps.restaurant.table_desk.add(visitor.caller, venue_id, fields, call)
    except Problem as problem:
        return await _list(request, visitor, deps, place, form, beside(problem, label_taken="label"), "add")
    return redirect(request, f"{HOME}?venue={venue_id}", toast=visitor.t("tables.added", label=fields["label"]))


@post("/tables/{venue_id:str}/many", opt=_MANAGE, status_code=200)
async def add_tables(request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]) -> PageResponse:
    """All the numbers from one to another; those that are there already stay."""
    form = await read_form(request)
    place = await look_at(request, deps, visitor, venue_id)
    try:
        first, last = (_whole(form, visitor, name) for name in ("first", "last"))
        section = form.text("section_id") or None
        call = once(form, f"panel tables {venue_id}", str(first), str(last), section or "")
        answer = await deps.restaurant.table_desk.add_many(
            visitor.caller, venue_id, first or 0, last or 0, section, call
        )
    except Problem as problem:
        return await _list(request, visitor, deps, place, form, problem, "many")
    made = answer.value.data
    toast = visitor.t("tables.added_many", n=len(made)) if made else visitor.t("tables.added_none")
    return redirect(request, f"{HOME}?venue={venue_id}", toast=toast)


@post("/tables/{venue_id:str}/rotate", opt=_MANAGE)
async def rotate_all(request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]) -> PageResponse:
    await deps.restaurant.table_desk.rotate_all(visitor.caller, venue_id)
    return redirect(request, f"{HOME}?venue={venue_id}", toast=visitor.t("tables.rotated_all"))


@get("/tables/{venue_id:str}/sheet.pdf", opt=_READ)
async def print_sheet(request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]) -> Response[Any]:
    """The codes as a PDF to print: of all tables, of a section, or of one."""
    size = request.query_params.get("size", "medium")
    tables = await deps.restaurant.table_desk.tables(visitor.caller, venue_id)
    section, table = asked(request, "section"), asked(request, "table")
    wanted = [one.id for one in tables if (not section or one.section_id == section) and table in ("", one.id)]
    if size not in GRIDS or not wanted:
        raise NotFound(visitor.t("tables.nothing_to_print"))
    venue = await deps.restaurant.venue_desk.get(visitor.caller, venue_id)
    raw = await deps.restaurant.table_desk.sheet(visitor.caller, venue_id, size, wanted)
    headers = {"Content-Disposition": attachment(f"{venue.name} QR {size}.pdf"), "Cache-Control": "no-store"}
    return Response(raw, media_type="application/pdf", headers=headers)


@get("/tables/{venue_id:str}/{table_id:str}", opt=_READ)
async def show_table(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str], table_id: FromPath[str]
) -> PageResponse:
    return await _shown(request, visitor, deps, venue_id, table_id)


@post("/tables/{venue_id:str}/{table_id:str}", opt=_MANAGE, status_code=200)
async def change_table(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str], table_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    try:
        fields = _fields(form, visitor)
        await deps.restaurant.table_desk.change(visitor.caller, venue_id, table_id, fields)
    except NotFound:
        raise
    except Problem as problem:
        return await _shown(request, visitor, deps, venue_id, table_id, form, beside(problem, label_taken="label"))
    return redirect(request, f"{HOME}?venue={venue_id}", toast=visitor.t("tables.changed", label=fields["label"]))


@post("/tables/{venue_id:str}/{table_id:str}/rotate", opt=_MANAGE)
async def rotate_table(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str], table_id: FromPath[str]
) -> PageResponse:
    table = await deps.restaurant.table_desk.rotate(visitor.caller, venue_id, table_id)
    toast = visitor.t("tables.rotated", label=table.label)
    return redirect(request, f"{HOME}/{venue_id}/{table_id}", toast=toast)


@post("/tables/{venue_id:str}/{table_id:str}/remove", opt=_MANAGE)
async def remove_table(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str], table_id: FromPath[str]
) -> PageResponse:
    table = await deps.restaurant.table_desk.get(visitor.caller, venue_id, table_id)
    await deps.restaurant.table_desk.remove(visitor.caller, venue_id, table_id)
    return redirect(request, f"{HOME}?venue={venue_id}", toast=visitor.t("tables.removed", label=table.label))


@get("/tables/{venue_id:str}/{table_id:str}/{name:str}", opt=_READ)
async def show_code(
    request: PageRequest,
    visitor: VisitorOf,
    deps: DepsOf,
    venue_id: FromPath[str],
    table_id: FromPath[str],
    name: FromPath[str],
) -> Response[Any]:
    """The code as a picture: `code.svg` or `code.png`, shown in place or saved (`?save=1`)."""
    stem, _, kind = name.partition(".")
    if stem != "code" or kind not in MIME:
        raise NotFound(visitor.t("frame.not_found_text"))
    table = await deps.restaurant.table_desk.get(visitor.caller, venue_id, table_id)
    raw = await deps.restaurant.table_desk.code(visitor.caller, venue_id, table_id, "svg" if kind == "svg" else "png")
    headers = file_headers("no-store", DRAWING_POLICY)
    if request.query_params.get("save") is not None:
        headers["Content-Disposition"] = attachment(f"QR {table.label}.{kind}")
    return Response(raw, media_type=MIME[kind], headers=headers)


async def _list(
    request: PageRequest,
    visitor: Visitor,
    deps: PanelDeps,
    place: VenueChoice,
    form: Form | None = None,
    problem: Problem | None = None,
    opened: str = "",
) -> PageResponse:
    search = asked(request, "q")
    tables = await deps.restaurant.table_desk.tables(visitor.caller, place.id)
    staff = await deps.restaurant.venue_desk.staff(visitor.caller, place.id)
    found = [one for one in tables if fits(search, one.label, one.section_name, one.waiter_name)]
    seated = await deps.restaurant.bills.seated(visitor.caller, place.id) if visitor.can("payments:manage") else {}
    money = place.currency
    return page(
        request,
        visitor,
        "restaurant/tables/list.html",
        place=place,
        venue=place.venue,
        groups_of_tables=_by_section(found, staff.sections),
        count=len(tables),
        seated=seated,
        cash=lambda amount: written(amount, money, visitor.language),
        next_number=_next_number(tables),
        **_people(staff, visitor),
        sizes=list(GRIDS),
        out_of_reach=unreachable(tables[0].link) if tables else "",
        search=search,
        opened=opened,
        form=form,
        problem=problem,
        mark=new_mark(),
    )


async def _shown(
    request: PageRequest,
    visitor: Visitor,
    deps: PanelDeps,
    venue_id: str,
    table_id: str,
    form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:
    table = await deps.restaurant.table_desk.get(visitor.caller, venue_id, table_id)
    staff = await deps.restaurant.venue_desk.staff(visitor.caller, venue_id)
    return page(
        request,
        visitor,
        "restaurant/tables/table.html",
        table=table,
        venue_id=venue_id,
        where=f"{HOME}/{venue_id}/{table_id}",
        sizes=list(GRIDS),
        out_of_reach=unreachable(table.link),
        **_people(staff, visitor),
        form=form,
        problem=problem,
    )


def unreachable(link: str) -> str:
    """Where a code leads, if that is this machine itself and no guest's phone gets there; else nothing."""
    parts = urlsplit(link)
    try:
        address = ip_address(parts.hostname or "")
        lost = address.is_loopback or address.is_unspecified
    except ValueError:
        lost = parts.hostname == "localhost" or (parts.hostname or "").endswith(".localhost")
    return f"{parts.scheme}://{parts.netloc}" if lost else ""


def _people(staff: Staff, visitor: Visitor) -> dict[str, Any]:
    """Sections and waiters as the choices of a select."""
    return {
        "sections": [("", visitor.t("tables.no_section")), *((one.id, one.name) for one in staff.sections)],
        "waiters": [("", visitor.t("tables.by_section")), *((one.id, one.name) for one in staff.waiters)],
    }


def _by_section(tables: list[TableView], sections: list[SectionView]) -> list[tuple[str, str, list[TableView]]]:
    """Id and name of each section with its tables; those without one come last."""
    groups = [(one.id, one.name) for one in sections] + [("", "")]
    grouped = [(key, name, [one for one in tables if (one.section_id or "") == key]) for key, name in groups]
    return [group for group in grouped if group[2]]


def _next_number(tables: list[TableView]) -> int:
    return max((int(one.label) for one in tables if one.label.isdecimal()), default=0) + 1


def _fields(form: Form, visitor: Visitor) -> TableFields:
    return {
        "label": form.text("label"),
        "section_id": form.text("section_id") or None,
        "waiter_id": form.text("waiter_id") or None,
        "seats": _whole(form, visitor, "seats"),
    }


def _whole(form: Form, visitor: Visitor, name: str) -> int | None:
    typed = form.text(name)
    if not typed:
        return None
    if not (typed.isascii() and typed.isdecimal() and len(typed) <= 6):
        raise Invalid.field(name, "whole_needed", visitor.t("tables.whole_needed"))
    return int(typed)


HANDLERS = [
    list_tables,
    add_table,
    add_tables,
    rotate_all,
    print_sheet,
    show_table,
    change_table,
    rotate_table,
    remove_table,
    show_code,
]
