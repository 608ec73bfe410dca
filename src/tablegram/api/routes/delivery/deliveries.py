"""Deliveries: orders in somebody's hands, and the steps they take."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routes.restaurant.paths import given
from tablegram.api.routing import segment
from tablegram.api.schemas.delivery.couriers import ActOnDelivery, AssignDelivery
from tablegram.delivery.tours.states import Action, State
from tablegram.flows.delivery.couriers.answers import OrderDeliveryPage, WholeOrderDelivery
from tablegram.flows.delivery.couriers.delivery_desk import DeliveryDesk
from tablegram.flows.delivery.couriers.services import CourierServices
from tablegram.flows.delivery.fields import AssignFields, StepFields

_TAGS = ["Couriers"]
_ORDERS = {"scope": "orders:manage"}
_ALL = "/restaurant/deliveries"
_ONE = _ALL + "/{order_delivery_id:str}"

DeliveryId = Annotated[str, PathParameter(description="The delivery.")]
StepId = Annotated[str, PathParameter(description="The step.")]
OneVenue = Annotated[str | None, QueryParameter(min_length=1, max_length=64, description="Only of this venue.")]
OneCourier = Annotated[str | None, QueryParameter(min_length=1, max_length=64, description="Only of this courier.")]
OneOrder = Annotated[
    str | None, QueryParameter(min_length=1, max_length=64, description="Only of this order: ORD-20261115-0042.")
]
OneState = Annotated[State | None, QueryParameter(description="Only in this state.")]


def _desk(request: ApiRequest) -> DeliveryDesk:
    return request.deps.services.of(CourierServices).deliveries


@get(_ALL, opt=_ORDERS, tags=_TAGS, summary="List deliveries", operation_id="listOrderDeliveries")
async def list_deliveries(
    request: ApiRequest,
    venue_id: OneVenue = None,
    courier_id: OneCourier = None,
    order_id: OneOrder = None,
    status: OneState = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[OrderDeliveryPage]:
    """Orders that were given to couriers, newest first. They are kept for 90 days."""
    page = await _desk(request).page(
        request.caller,
        venue_id=venue_id,
        courier_id=courier_id,
        order_id=order_id,
        state=status,
        limit=limit,
        cursor=cursor,
    )
    return json(page)


@post(
    _ALL, status_code=201, opt=_ORDERS, tags=_TAGS, summary="Give an order to a courier", operation_id="assignDelivery"
)  # fmt: skip
async def assign_delivery(request: ApiRequest, data: JSONBody[AssignDelivery]) -> Response[WholeOrderDelivery]:
    """Gives an order to a courier, who is told by message; whoever had it and has not picked it up loses it.

    The order may still be in the kitchen. The courier's shift begins, if they do not work yet.
    """
    return answered(await _desk(request).assign(request.caller, given(data, AssignFields), request.call()))


@get(_ONE, opt=_ORDERS, tags=_TAGS, summary="Look up a delivery", operation_id="getOrderDelivery")
async def get_delivery(request: ApiRequest, order_delivery_id: DeliveryId) -> Response[WholeOrderDelivery]:
    """One delivery, with who did what."""
    return json(await _desk(request).get(request.caller, segment(order_delivery_id)))


@post(
    _ONE + "/{move:str}",
    status_code=200,
    opt=_ORDERS,
    tags=_TAGS,
    summary="Move a delivery on",
    operation_id="actOnDelivery",
)
async def act_on_delivery(
    request: ApiRequest,
    order_delivery_id: DeliveryId,
    move: Annotated[Action, PathParameter(description="What happens; `actions` of the delivery says what can.")],
    data: JSONBody[ActOnDelivery],
) -> Response[WholeOrderDelivery]:
    """The courier has picked it up, delivered it or brought it back; `drop` takes it from them before that.

    The order follows: out for delivery, delivered, or ready again. What cannot be is answered with 409.
    """
    fields = given(data, StepFields)
    desk, call = _desk(request), request.call()
    return answered(await desk.act(request.caller, segment(order_delivery_id), move, fields, call))


@post(
    _ONE + "/steps/{step_id:str}/undo",
    status_code=200,
    opt=_ORDERS,
    tags=_TAGS,
    summary="Take a step back",
    operation_id="undoDeliveryStep",
)
async def undo_step(
    request: ApiRequest, order_delivery_id: DeliveryId, step_id: StepId
) -> Response[WholeOrderDelivery]:
    """Within ten seconds, and as long as nobody has moved it on since; else 409. Money that was noted stays noted."""
    desk, call = _desk(request), request.call()
    return answered(await desk.undo(request.caller, segment(order_delivery_id), segment(step_id), call))


HANDLERS = [list_deliveries, assign_delivery, get_delivery, act_on_delivery, undo_step]
