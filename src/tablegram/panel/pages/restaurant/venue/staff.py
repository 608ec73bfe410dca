"""Waiters and sections: who serves which part of the room, and whose phone hears a call.

GET  /panel/tables/staff
POST /panel/tables/{venue}/waiters, …/waiters/{id}, /panel/tables/{venue}/sections, …/sections/{id}
"""

from __future__ import annotations

from litestar import get, post
from litestar.params import FromPath
from msgspec.structs import asdict

from tablegram.errors import Invalid, Problem
from tablegram.flows.restaurant.answers.venues import TableView, WaiterView
from tablegram.flows.restaurant.desks.venue_desk import Staff
from tablegram.flows.restaurant.fields import SectionFields, WaiterFields
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.pages.restaurant.venues import VenueChoice, beside, look_at
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.phone import read_phone_in

_READ = {"scope": "restaurant:read"}
_MANAGE = {"scope": "restaurant:manage"}
HOME = "/panel/tables/staff"


@get("/tables/staff", opt=_READ)
async def list_staff(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    place = await look_at(request, deps, visitor)
    if place.venue is None:
        return redirect(request, "/panel/venue")
    return await _list(request, visitor, deps, place)


@post("/tables/{venue_id:str}/waiters", opt=_MANAGE, status_code=200)
async def add_waiter(request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    place = await look_at(request, deps, visitor, venue_id)
    fields: WaiterFields = {"name": form.text("name"), "member_id": form.text("member_id")}
    try:
        fields["phone"] = _phone(form, visitor, place)
        call = once(form, f"panel waiters {venue_id}", *map(str, fields.values()))
        await deps.restaurant.venue_desk.add_waiter(visitor.caller, venue_id, fields, call)
    except Problem as problem:
        return await _list(request, visitor, deps, place, form, beside(problem, member_taken="member_id"), "waiter")
    return redirect(request, f"{HOME}?venue={venue_id}", toast=visitor.t("tables.person_added", name=fields["name"]))


@post("/tables/{venue_id:str}/waiters/{waiter_id:str}", opt=_MANAGE, status_code=200)
async def change_waiter(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str], waiter_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    place = await look_at(request, deps, visitor, venue_id)
    if form.text("act") == "remove":
        await deps.restaurant.venue_desk.remove_waiter(visitor.caller, venue_id, waiter_id)
        return redirect(request, f"{HOME}?venue={venue_id}", toast=visitor.t("tables.waiter_removed"))
    fields: WaiterFields = {"name": form.text("name"), "member_id": form.text("member_id")}
    try:
        fields["phone"] = _phone(form, visitor, place)
        await deps.restaurant.venue_desk.change_waiter(visitor.caller, venue_id, waiter_id, fields)
        if form.text("pin") or form.text("act") == "no_pin":
            pin = "" if form.text("act") == "no_pin" else form.text("pin")
            await deps.restaurant.turns.give_pin(visitor.caller, venue_id, waiter_id, pin)
    except Problem as problem:
        return await _list(
            request, visitor, deps, place, form, beside(problem, member_taken="member_id", pin_taken="pin"), waiter_id
        )
    return redirect(request, f"{HOME}?venue={venue_id}", toast=visitor.t("tables.saved", name=fields["name"]))


@post("/tables/{venue_id:str}/sections", opt=_MANAGE, status_code=200)
async def add_section(request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    place = await look_at(request, deps, visitor, venue_id)
    fields: SectionFields = {"name": form.text("name"), "waiter_id": form.text("waiter_id") or None}
    try:
        call = once(form, f"panel sections {venue_id}", fields["name"] or "", fields["waiter_id"] or "")
        await deps.restaurant.venue_desk.add_section(visitor.caller, venue_id, fields, call)
    except Problem as problem:
        return await _list(request, visitor, deps, place, form, problem, "section")
    toast = visitor.t("tables.section_added", name=fields["name"])
    return redirect(request, f"{HOME}?venue={venue_id}", toast=toast)


@post("/tables/{venue_id:str}/sections/{section_id:str}", opt=_MANAGE, status_code=200)
async def change_section(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str], section_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    place = await look_at(request, deps, visitor, venue_id)
    if form.text("act") == "remove":
        await deps.restaurant.venue_desk.remove_section(visitor.caller, venue_id, section_id)
        return redirect(request, f"{HOME}?venue={venue_id}", toast=visitor.t("tables.section_removed"))
    fields: SectionFields = {"name": form.text("name"), "waiter_id": form.text("waiter_id") or None}
    try:
        await deps.restaurant.venue_desk.change_section(visitor.caller, venue_id, section_id, fields)
    except Problem as problem:
        return await _list(request, visitor, deps, place, form, problem, section_id)
    return redirect(request, f"{HOME}?venue={venue_id}", toast=visitor.t("tables.saved", name=fields["name"]))


async def _list(
    request: PageRequest,
    visitor: Visitor,
    deps: PanelDeps,
    place: VenueChoice,
    form: Form | None = None,
    problem: Problem | None = None,
    opened: str = "",
) -> PageResponse:
    """`opened` names the dialog whose form was wrong."""
    staff = await deps.restaurant.venue_desk.staff(visitor.caller, place.id)
    tables = await deps.restaurant.table_desk.tables(visitor.caller, place.id)
    names = {one.id: one.name for one in staff.waiters}
    with_pins: set[str] = set()
    if visitor.can("restaurant:manage"):
        with_pins = await deps.restaurant.turns.with_pins(visitor.caller, place.id)
    team = {one.id: one.name or one.email for one in await deps.account.team.list_members(visitor.caller.account_id)}
    return page(
        request,
        visitor,
        "restaurant/tables/staff.html",
        place=place,
        venue=place.venue,
        waiters=[
            {
                **asdict(one),
                "member": team.get(one.member_id or "", ""),
                "has_pin": one.id in with_pins,
                "tables": [t.label for t in tables if t.waiter_name and _serves(t, one, staff)],
            }
            for one in staff.waiters
        ],
        sections=[
            {
                **asdict(one),
                "waiter": names.get(one.waiter_id or "", ""),
                "tables": [table.label for table in tables if table.section_id == one.id],
            }
            for one in staff.sections
        ],
        member_choices=[("", visitor.t("tables.member_none")), *team.items()],
        waiter_choices=[("", visitor.t("tables.nobody")), *names.items()],
        opened=opened,
        form=form,
        problem=problem,
        mark=new_mark(),
    )


def _phone(form: Form, visitor: Visitor, place: VenueChoice) -> str:
    """A number as people there write it, as its digits; nothing where none was written."""
    written = form.text("phone")
    try:
        return read_phone_in(written, place.country) if written else ""
    except Invalid:
        raise Invalid.field("phone", "waiter_phone_invalid", visitor.t("tables.phone_invalid")) from None


def _serves(table: TableView, waiter: WaiterView, staff: Staff) -> bool:
    """Whether a table is a waiter's: by itself, or by its section where it names nobody."""
    if table.waiter_id is not None:
        return table.waiter_id == waiter.id
    return any(one.id == table.section_id and one.waiter_id == waiter.id for one in staff.sections)


HANDLERS = [list_staff, add_waiter, change_waiter, add_section, change_section]
