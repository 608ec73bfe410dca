"""The deliveries board: what nobody brings yet, what each courier has, and what came to an end.

GET  /panel/couriers                            ?venue=, ?q=
POST /panel/couriers/give                       `order_id`, `courier_id`
POST /panel/couriers/deliveries/{id}            `act`: pick_up, deliver, bring_back, drop or undo; `paid`, `step_id`
POST /panel/couriers/{courier_id}/nearest       the nearest stop first
POST /panel/couriers/{courier_id}/first         `delivery_id` becomes the first stop
"""

from __future__ import annotations

from litestar import get, post
from litestar.params import FromPath

from tablegram.delivery.tours.keeping import UNDO_MS
from tablegram.errors import Invalid, NotFound, Problem
from tablegram.flows.delivery.couriers.answers import OrderDeliveryView, Tour
from tablegram.flows.delivery.couriers.delivery_desk import DeliveryBoard
from tablegram.flows.delivery.couriers.services import CourierServices
from tablegram.flows.delivery.fields import AssignFields, StepFields
from tablegram.flows.restaurant.orders.answers import OrderView
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.i18n import say
from tablegram.panel.pages.restaurant.orders.turns import in_turn
from tablegram.panel.pages.restaurant.venues import clock_time, look_at, price
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.folding import fold

_ORDERS = {"scope": "orders:manage"}
HOME = "/panel/couriers"


def services_of(deps: PanelDeps) -> CourierServices:
    return deps.services.of(CourierServices)


@get("/couriers", opt=_ORDERS)
async def show_board(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    place = await look_at(request, deps, visitor)
    if place.venue is None:
        return page(request, visitor, "restaurant/board/none.html")
    services, venue, now = services_of(deps), place.venue, deps.clock.now_ms()
    board = _sought(await services.deliveries.board(visitor.caller, place.id), asked(request, "q"))
    known = (await services.couriers.page(visitor.caller, venue_id=place.id)).data

    def moment(text: str | None) -> str:
        when = None if text is None else at_ms(text)
        return "" if when is None else clock_time(visitor, venue, when, now)

    def is_fresh(one: OrderDeliveryView) -> bool:
        when = at_ms(one.ended_at or one.picked_up_at or "") if one.ended_at or one.picked_up_at else None
        return when is not None and now - when <= UNDO_MS

    return page(
        request,
        visitor,
        "couriers/board.html",
        place=place,
        board=board,
        # Who works right now stands first.
        couriers=sorted((one for one in known if one.active), key=lambda one: (one.shift is None, one.name)),
        moment=moment,
        is_fresh=is_fresh,
        number=lambda order_id: order_id.rpartition("-")[2],
        price=lambda amount: price(visitor, venue.currency, amount),
        mark=new_mark(),
    )


def _sought(board: DeliveryBoard, q: str) -> DeliveryBoard:
    """Only what is looked for: a number, a name, an address or a courier."""
    wanted = fold(q).split()
    if not wanted:
        return board

    def fits(*texts: str) -> bool:
        text = fold(" ".join(texts))
        return all(word in text for word in wanted)

    def brought(one: OrderDeliveryView) -> bool:
        return fits(one.order_id, one.customer.name, one.customer.phone, one.address, one.courier.name)

    def waits(one: OrderView) -> bool:
        return fits(one.order_id, one.customer.name, one.customer.phone, one.address)

    tours = [
        Tour(courier_id=one.courier_id, courier_name=one.courier_name, stops=stops, route_urls=one.route_urls)
        for one in board.tours
        if (stops := [stop for stop in one.stops if brought(stop)])
    ]
    return DeliveryBoard(
        unassigned=[one for one in board.unassigned if waits(one)],
        tours=tours,
        ended=[one for one in board.ended if brought(one)],
    )


@post("/couriers/give", opt=_ORDERS, status_code=200)
async def give(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    visitor = await in_turn(visitor, deps)
    fields: AssignFields = {"order_id": form.text("order_id"), "courier_id": form.text("courier_id")}
    back = _back(form.text("venue"))
    try:
        call = once(form, "panel give delivery", fields["order_id"], fields["courier_id"])
        told = await services_of(deps).deliveries.assign(visitor.caller, fields, call)
    except Problem as problem:
        return _refused(request, visitor, back, problem)
    return redirect(request, back, toast=visitor.t("couriers.given", name=told.value.courier.name))


@post("/couriers/deliveries/{delivery_id:str}", opt=_ORDERS, status_code=200)
async def move(request: PageRequest, visitor: VisitorOf, deps: DepsOf, delivery_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    visitor = await in_turn(visitor, deps)
    # A button says all of it: `deliver:cash`.
    act, _, paid = form.text("act").partition(":")
    back, desk = _back(form.text("venue")), services_of(deps).deliveries
    call = once(form, f"panel delivery {delivery_id}", act, paid, form.text("step_id"))
    try:
        if act == "undo":
            await desk.undo(visitor.caller, delivery_id, form.text("step_id"), call)
        else:
            if paid not in ("", "cash", "card_on_delivery"):
                raise Invalid.field("paid", "payment_method_invalid", "Say how it is paid: cash or card_on_delivery.")
            fields: StepFields = {"paid": "cash" if paid == "cash" else "card_on_delivery"} if paid else {}
            await desk.act(visitor.caller, delivery_id, act, fields, call)
    except Problem as problem:
        return _refused(request, visitor, back, problem)
    return redirect(request, back, toast=visitor.t(f"couriers.did_{act}"))


@post("/couriers/{courier_id:str}/{how:str}", opt=_ORDERS, status_code=200)
async def arrange(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, courier_id: FromPath[str], how: FromPath[str]
) -> PageResponse:
    if how not in ("nearest", "first"):
        raise NotFound("Stops are put in order by `nearest` or `first`.", code="action_unknown")
    form = await read_form(request)
    back = _back(form.text("venue"))
    wanted = [form.text("delivery_id")] if how == "first" else None
    try:
        await services_of(deps).deliveries.arrange(visitor.caller, courier_id, wanted)
    except Problem as problem:
        return _refused(request, visitor, back, problem)
    return redirect(request, back, toast=visitor.t("couriers.arranged"))


def _back(venue_id: str) -> str:
    return f"{HOME}?venue={venue_id}" if venue_id.isalnum() else HOME


def _refused(request: PageRequest, visitor: Visitor, back: str, problem: Problem) -> PageResponse:
    if isinstance(problem, NotFound):
        raise problem
    told = problem.errors[0] if problem.errors else problem
    return redirect(request, back, toast=say(visitor.language, told), tone="bad")


HANDLERS = [show_board, give, move, arrange]
