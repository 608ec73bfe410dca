"""Couriers: who brings orders, when they work, and the cash they hand in."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routes.restaurant.paths import MANAGE, READ, given
from tablegram.api.routing import segment
from tablegram.api.schemas.delivery.couriers import (
    CountCash,
    CreateCourier,
    GivePage,
    SetShift,
    SetTour,
    UpdateCourier,
)
from tablegram.delivery.couriers.fields import CourierFields
from tablegram.flows.delivery.couriers.answers import (
    CourierLink,
    CourierPage,
    CourierView,
    ShiftPage,
    ShiftView,
    Tour,
)
from tablegram.flows.delivery.couriers.courier_access import CourierAccess
from tablegram.flows.delivery.couriers.courier_desk import CourierDesk
from tablegram.flows.delivery.couriers.services import CourierServices
from tablegram.flows.delivery.fields import CashFields

_TAGS = ["Couriers"]
_ORDERS = {"scope": "orders:manage"}
_ALL = "/restaurant/couriers"
_ONE = _ALL + "/{courier_id:str}"

CourierId = Annotated[str, PathParameter(description="The courier.")]
ShiftId = Annotated[str, PathParameter(description="The shift.")]
OneVenue = Annotated[str | None, QueryParameter(min_length=1, max_length=64, description="Only of this venue.")]


def _desk(request: ApiRequest) -> CourierDesk:
    return request.deps.services.of(CourierServices).couriers


def _access(request: ApiRequest) -> CourierAccess:
    return request.deps.services.of(CourierServices).access


@get(_ALL, opt=READ, tags=_TAGS, summary="List couriers", operation_id="listCouriers")
async def list_couriers(
    request: ApiRequest, venue_id: OneVenue = None, limit: Limit = 200, cursor: Cursor = None
) -> Response[CourierPage]:
    """The account's couriers, oldest first, who works right now and what each has to bring."""
    return json(await _desk(request).page(request.caller, venue_id=venue_id, limit=limit, cursor=cursor))


@post(_ALL, status_code=201, opt=MANAGE, tags=_TAGS, summary="Add a courier", operation_id="createCourier")
async def create_courier(request: ApiRequest, data: JSONBody[CreateCourier]) -> Response[CourierView]:
    """Adds a courier. With a phone they get orders by message, and move them on by replying."""
    return answered(await _desk(request).create(request.caller, given(data, CourierFields), request.call()))


@get(_ONE, opt=READ, tags=_TAGS, summary="Look up a courier", operation_id="getCourier")
async def get_courier(request: ApiRequest, courier_id: CourierId) -> Response[CourierView]:
    """One courier, and the shift that they work right now."""
    return json(await _desk(request).get(request.caller, segment(courier_id)))


@patch(_ONE, opt=MANAGE, tags=_TAGS, summary="Change a courier", operation_id="updateCourier")
async def update_courier(
    request: ApiRequest, courier_id: CourierId, data: JSONBody[UpdateCourier]
) -> Response[CourierView]:
    """Changes what is given and leaves the rest."""
    return json(await _desk(request).change(request.caller, segment(courier_id), given(data, CourierFields)))


@delete(_ONE, status_code=204, opt=MANAGE, tags=_TAGS, summary="Remove a courier", operation_id="deleteCourier")
async def delete_courier(request: ApiRequest, courier_id: CourierId) -> None:
    """Removes a courier who has nothing left to bring; the shift ends. What they brought goes on naming them."""
    await _desk(request).remove(request.caller, segment(courier_id))


@patch(
    f"{_ONE}/shift", opt=_ORDERS, tags=_TAGS, summary="Begin or end a shift", operation_id="setCourierShift"
)  # fmt: skip
async def set_shift(request: ApiRequest, courier_id: CourierId, data: JSONBody[SetShift]) -> Response[CourierView]:
    """Begins or ends a shift; who works already, or not, stays so. It ends when nothing is left to bring."""
    desk = _desk(request)
    change = desk.begin_shift if data.working else desk.end_shift
    return json(await change(request.caller, segment(courier_id)))


@get(f"{_ONE}/shifts", opt=_ORDERS, tags=_TAGS, summary="List shifts", operation_id="listCourierShifts")
async def list_shifts(request: ApiRequest, courier_id: CourierId) -> Response[ShiftPage]:
    """The last hundred shifts of a courier, newest first, with the cash of each."""
    return json(await _desk(request).shifts_of(request.caller, segment(courier_id)))


@post(
    "/restaurant/courier-shifts/{shift_id:str}/count",
    status_code=200,
    opt=_ORDERS,
    tags=_TAGS,
    summary="Count a shift's cash",
    operation_id="countCourierCash",
)
async def count_cash(request: ApiRequest, shift_id: ShiftId, data: JSONBody[CountCash]) -> Response[ShiftView]:
    """Notes the cash that was handed in beside what the courier took: once, after the shift has ended."""
    return answered(
        await _desk(request).count_cash(request.caller, segment(shift_id), given(data, CashFields), request.call())
    )


@get(f"{_ONE}/page", opt=MANAGE, tags=_TAGS, summary="Look up a courier's page", operation_id="getCourierPage")
async def get_page(request: ApiRequest, courier_id: CourierId) -> Response[CourierLink]:
    """The private link to the courier's own page; empty where they have none. The PIN is told once, when it is made."""
    return json(await _access(request).link(request.caller, segment(courier_id)))


@post(
    f"{_ONE}/page",
    status_code=200,
    opt=MANAGE,
    tags=_TAGS,
    summary="Give a courier their page",
    operation_id="giveCourierPage",
)
async def give_page(request: ApiRequest, courier_id: CourierId, data: JSONBody[GivePage]) -> Response[CourierLink]:
    """Makes a new PIN, and the link where there is none. Whoever has the page open has to enter the new PIN."""
    who, call = segment(courier_id), request.call()
    return answered(await _access(request).grant(request.caller, who, call, new_link=data.new_link))


@delete(
    f"{_ONE}/page",
    status_code=204,
    opt=MANAGE,
    tags=_TAGS,
    summary="Take a courier's page away",
    operation_id="revokeCourierPage",
)
async def revoke_page(request: ApiRequest, courier_id: CourierId) -> None:
    """The link leads nowhere from now on, also for whoever has the page open."""
    await _access(request).revoke(request.caller, segment(courier_id))


@get(f"{_ONE}/tour", opt=_ORDERS, tags=_TAGS, summary="What does a courier bring?", operation_id="getCourierTour")
async def get_tour(request: ApiRequest, courier_id: CourierId) -> Response[Tour]:
    """What a courier has to bring, stop by stop, with one route link through all of them."""
    desk = request.deps.services.of(CourierServices).deliveries
    return json(await desk.tour(request.caller, segment(courier_id)))


@patch(f"{_ONE}/tour", opt=_ORDERS, tags=_TAGS, summary="Change the order of stops", operation_id="setCourierTour")
async def set_tour(request: ApiRequest, courier_id: CourierId, data: JSONBody[SetTour]) -> Response[Tour]:
    """Puts the stops of a courier into an order, or proposes one: from each stop to the nearest that is left."""
    desk = request.deps.services.of(CourierServices).deliveries
    return json(await desk.arrange(request.caller, segment(courier_id), data.delivery_ids))


HANDLERS = [
    list_couriers,
    create_courier,
    get_courier,
    update_courier,
    delete_courier,
    set_shift,
    list_shifts,
    count_cash,
    get_page,
    give_page,
    revoke_page,
    get_tour,
    set_tour,
]
