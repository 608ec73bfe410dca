"""The display of a station: its share of every order, the oldest first, moved on by taps and keys.

GET  /panel/kitchen                         the venue's first station
GET  /panel/kitchen/{station}               ?venue=, ?others=1; ?part=dishes for what is made there
POST /panel/kitchen/taps/{order_id}         `tap`: start, finish or recall, for one line as `finish:LINE`
POST /panel/kitchen/taps/{order_id}/undo    `tap_id`
"""

from __future__ import annotations

import hashlib
from typing import Any
from urllib.parse import quote

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from tablegram.engine.idempotency import Result
from tablegram.errors import Invalid, NotFound, Problem
from tablegram.flows.restaurant.answers.menus import ItemView
from tablegram.flows.restaurant.fields import TapFields
from tablegram.flows.restaurant.kitchen.answers import OrderProgress
from tablegram.flows.restaurant.kitchen.display import StationTicket
from tablegram.panel import cookies
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked
from tablegram.panel.frame.once import once
from tablegram.panel.pages.inbox.writing import wants_json
from tablegram.panel.pages.restaurant.orders.board import refused
from tablegram.panel.pages.restaurant.orders.cards import known_marks, tone_at
from tablegram.panel.pages.restaurant.orders.turns import in_turn, shared
from tablegram.panel.pages.restaurant.venues import VenueChoice, look_at
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.restaurant.kitchen.progress import TAPS
from tablegram.values.clock import MINUTE_MS

_ORDERS = {"scope": "orders:manage"}
HOME = "/panel/kitchen"


@get("/kitchen", opt=_ORDERS)
async def first_station(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    place = await look_at(request, deps, visitor)
    if place.venue is None:
        return page(request, visitor, "restaurant/board/none.html")
    return redirect(request, f"{station_address(place.venue.stations[0])}?venue={place.id}")


@get("/kitchen/{station:str}", opt=_ORDERS)
async def show_station(request: PageRequest, visitor: VisitorOf, deps: DepsOf, station: FromPath[str]) -> PageResponse:
    place = await look_at(request, deps, visitor)
    if place.venue is None:
        raise NotFound("There is no venue yet, and so no station.", code="station_unknown")
    with_others = asked(request, "others") == "1"
    found = await deps.restaurant.displays.show(visitor.caller, place.id, station, with_others=with_others)
    now = deps.clock.now_ms()
    return page(
        request,
        visitor,
        "restaurant/kitchen/kitchen.html",
        place=place,
        station=station,
        display=found,
        with_others=with_others,
        known=known_marks(request),
        shared=await shared(request, visitor, deps, place.id),
        mark_of=mark_of,
        minutes=lambda since: max(0, now - since) // MINUTE_MS,
        tone=lambda ticket: tone_at(now, ticket.promised_at, ticket.late_at),
        station_address=station_address,
        dishes=await _dishes(visitor, deps, place, station) if asked(request, "part") == "dishes" else [],
        # A wall of light in a kitchen at night dazzles; who wants one chooses it.
        theme=cookies.theme(request) or "dark",
    )


async def _dishes(visitor: Visitor, deps: PanelDeps, place: VenueChoice, station: str) -> list[ItemView]:
    """What is made at the station, what is sold out first."""
    menu = await deps.restaurant.menu_desk.menu(visitor.caller, place.id)
    made = [one for one in menu.items if one.station == station and not one.hidden]
    return sorted(made, key=lambda one: (not one.sold_out, one.name.casefold()))


@post("/kitchen/taps/{order_id:str}", opt=_ORDERS, status_code=200)
async def tap(request: PageRequest, visitor: VisitorOf, deps: DepsOf, order_id: FromPath[str]) -> Response[Any]:
    form = await read_form(request)
    visitor = await in_turn(visitor, deps)
    action, _, line = form.text("tap").partition(":")
    station = form.text("station")
    try:
        known = next((one for one in TAPS if one == action), None)
        if known is None:
            raise Invalid.field("tap", "action_unknown", "A line is started, finished or recalled.")
        fields: TapFields = {"action": known, "station": station, "line_ids": [line] if line else []}
        call = once(form, f"panel tap {order_id}", form.text("tap"), station)
        answer = await deps.restaurant.kitchen.tap(visitor.caller, order_id, fields, call)
    except Problem as problem:
        if not wants_json(request):
            raise
        return refused(visitor, problem)
    return _answered(request, answer, form)


@post("/kitchen/taps/{order_id:str}/undo", opt=_ORDERS, status_code=200)
async def undo(request: PageRequest, visitor: VisitorOf, deps: DepsOf, order_id: FromPath[str]) -> Response[Any]:
    form = await read_form(request)
    visitor = await in_turn(visitor, deps)
    tap_id = form.text("tap_id")
    try:
        if not tap_id:
            raise NotFound("The order has no such tap.", code="tap_unknown")
        call = once(form, f"panel undo {order_id}", tap_id)
        answer = await deps.restaurant.kitchen.undo(visitor.caller, order_id, tap_id, call)
    except Problem as problem:
        if not wants_json(request):
            raise
        return refused(visitor, problem)
    return _answered(request, answer, form)


def _answered(request: PageRequest, answer: Result[OrderProgress], form: Form) -> Response[Any]:
    if wants_json(request):
        told = {"tap_id": answer.value.tap_id, "status": answer.value.status}
        return Response(told, status_code=200, media_type="application/json")
    return redirect(request, form.text("next") or HOME)


def station_address(station: str) -> str:
    return f"{HOME}/{quote(station, safe='')}"


def mark_of(ticket: StationTicket) -> str:
    """Changes whenever the ticket shows something else."""
    return hashlib.sha256(msgspec.json.encode(ticket)).hexdigest()[:10]


HANDLERS = [first_station, show_station, tap, undo]
