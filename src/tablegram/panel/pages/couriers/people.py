"""Couriers: who they are, who works right now, and the cash they hand in.

GET  /panel/couriers/people                ?venue=
POST /panel/couriers/people                `name`, `phone`, `language`, `member_id`
POST /panel/couriers/people/{id}           the same, or `act`: remove, begin or end
POST /panel/couriers/cash/{shift_id}       `counted`, `note`
"""

from __future__ import annotations

from litestar import get, post
from litestar.params import FromPath

from tablegram.delivery.couriers.fields import CourierFields
from tablegram.errors import Conflict, Invalid, NotFound, Problem
from tablegram.flows.delivery.fields import CashFields
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import at_ms
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.i18n import say
from tablegram.panel.pages.couriers.board import services_of
from tablegram.panel.pages.restaurant.venues import VenueChoice, beside, look_at
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.money import from_wire, from_writing, to_wire, written
from tablegram.values.phone import read_phone_in

_ORDERS, _MANAGE = {"scope": "orders:manage"}, {"scope": "restaurant:manage"}
HOME = "/panel/couriers/people"
MONEY = "payments:manage"


@get("/couriers/people", opt=_ORDERS)
async def list_people(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    place = await look_at(request, deps, visitor)
    if place.venue is None:
        return redirect(request, "/panel/venue")
    return await _list(request, visitor, deps, place)


@post("/couriers/people", opt=_MANAGE, status_code=200)
async def add(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    place = await look_at(request, deps, visitor, form.text("venue"))
    try:
        fields = _typed(form, visitor, place)
        call = once(form, f"panel couriers {place.id}", *map(str, fields.values()))
        made = await services_of(deps).couriers.create(visitor.caller, {**fields, "venue_id": place.id}, call)
    except Problem as problem:
        return await _list(request, visitor, deps, place, form, _beside(problem), "courier")
    return redirect(request, _home(place), toast=visitor.t("couriers.added", name=made.value.name))


@post("/couriers/people/{courier_id:str}", opt=_ORDERS, status_code=200)
async def change(request: PageRequest, visitor: VisitorOf, deps: DepsOf, courier_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    place = await look_at(request, deps, visitor, form.text("venue"))
    desk, act = services_of(deps).couriers, form.text("act")
    try:
        if act in ("begin", "end"):
            shown = await (desk.begin_shift if act == "begin" else desk.end_shift)(visitor.caller, courier_id)
            return redirect(request, _home(place), toast=visitor.t(f"couriers.shift_{act}", name=shown.name))
        if act == "remove":
            await desk.remove(visitor.caller, courier_id)
            return redirect(request, _home(place), toast=visitor.t("couriers.removed"))
    except Conflict as problem:
        return redirect(request, _home(place), toast=say(visitor.language, problem), tone="bad")
    try:
        fields: CourierFields = {**_typed(form, visitor, place), "active": form.text("active") == "1"}
        kept = await desk.change(visitor.caller, courier_id, fields)
    except NotFound:
        raise
    except Problem as problem:
        return await _list(request, visitor, deps, place, form, _beside(problem), courier_id)
    return redirect(request, _home(place), toast=visitor.t("couriers.saved", name=kept.name))


@post("/couriers/cash/{shift_id:str}", opt=_ORDERS, status_code=200)
async def count(request: PageRequest, visitor: VisitorOf, deps: DepsOf, shift_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    place = await look_at(request, deps, visitor, form.text("venue"))
    currency = form.text("currency")
    try:
        try:
            counted = from_writing(form.text("counted"), currency)
        except (ValueError, KeyError, ArithmeticError):
            raise Invalid.field("counted", "amount_invalid", "Give the cash that was handed in, 0 or more.") from None
        fields: CashFields = {"counted_amount": to_wire(counted, currency), "note": form.text("note")}
        call = once(form, f"panel courier cash {shift_id}", form.text("counted"), form.text("note"))
        told = await services_of(deps).couriers.count_cash(visitor.caller, shift_id, fields, call)
    except NotFound:
        raise
    except Problem as problem:
        return await _list(request, visitor, deps, place, form, beside(problem, counted_amount="counted"))
    difference = told.value.difference_amount or 0
    amount = written(from_wire(abs(difference), currency), currency, visitor.language)
    kind = "even" if difference == 0 else "more" if difference > 0 else "less"
    return redirect(request, _home(place), toast=visitor.t(f"couriers.counted_{kind}", amount=amount))


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
    desk = services_of(deps).couriers
    found = (await desk.page(visitor.caller, venue_id=place.id)).data
    uncounted = await desk.uncounted(visitor.caller) if visitor.can(MONEY) else []
    team = {one.id: one.name or one.email for one in await deps.account.team.list_members(visitor.caller.account_id)}
    return page(
        request,
        visitor,
        "couriers/people.html",
        place=place,
        couriers=found,
        uncounted=[one for one in uncounted if one.venue_id == place.id],
        team=team,
        member_choices=[("", visitor.t("tables.member_none")), *team.items()],
        amount=lambda figure, currency: written(from_wire(figure, currency), currency, visitor.language),
        at=lambda text: at_ms(text) if text else None,
        opened=opened,
        form=form,
        problem=problem,
        mark=new_mark(),
    )


def _typed(form: Form, visitor: Visitor, place: VenueChoice) -> CourierFields:
    given = form.text("phone")
    try:
        phone = read_phone_in(given, place.country) if given else ""
    except Invalid:
        raise Invalid.field("phone", "waiter_phone_invalid", visitor.t("tables.phone_invalid")) from None
    return {
        "name": form.text("name"),
        "phone": phone,
        "language": form.text("language") or "en",
        "member_id": form.text("member_id") or None,
    }


def _beside(problem: Problem) -> Problem:
    return beside(problem, member_taken="member_id", phone_taken="phone", courier_busy="active")


def _home(place: VenueChoice) -> str:
    return f"{HOME}?venue={place.id}"


HANDLERS = [list_people, add, change, count]
