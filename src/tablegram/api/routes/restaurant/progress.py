"""How far an order is at each station, and what stations do about it."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.restaurant.orders import OrderId
from tablegram.api.routes.restaurant.paths import given
from tablegram.api.routing import segment
from tablegram.api.schemas.restaurant.progress import TapLines
from tablegram.flows.restaurant.fields import TapFields
from tablegram.flows.restaurant.kitchen.answers import OrderProgress

_ORDERS = {"scope": "orders:manage"}
_TAGS = ["Orders"]
_PROGRESS = "/orders/{order_id:str}/progress"

TapId = Annotated[str, PathParameter(description="The tap, as the call that made it answered.")]


@get(_PROGRESS, opt=_ORDERS, tags=_TAGS, summary="How far is an order?", operation_id="getOrderProgress")
async def get_progress(request: ApiRequest, order_id: OrderId) -> Response[OrderProgress]:
    """Each line and each station's share of the order: waiting, cooking or done; and who did what."""
    return json(await request.deps.restaurant.kitchen.progress(request.caller, segment(order_id)))


@post(
    _PROGRESS, status_code=200, opt=_ORDERS, tags=_TAGS, summary="Move lines on", operation_id="tapOrderLines"
)  # fmt: skip
async def tap_lines(request: ApiRequest, order_id: OrderId, data: JSONBody[TapLines]) -> Response[OrderProgress]:
    """A station begins, finishes or recalls its share of an order, or single lines.

    The order itself follows: `preparing` with the first line that is begun, `ready` with the last that is done. What is
    so already stays so, and `tap_id` is empty. An order that has left the kitchen is answered with 409.
    """
    fields = given(data, TapFields)
    kitchen = request.deps.restaurant.kitchen
    return answered(await kitchen.tap(request.caller, segment(order_id), fields, request.call()))


@post(
    _PROGRESS + "/{tap_id:str}/undo",
    status_code=200,
    opt=_ORDERS,
    tags=_TAGS,
    summary="Take a tap back",
    operation_id="undoOrderTap",
)
async def undo_tap(request: ApiRequest, order_id: OrderId, tap_id: TapId) -> Response[OrderProgress]:
    """Within ten seconds, and as long as nobody has moved the same lines since; else 409."""
    kitchen = request.deps.restaurant.kitchen
    return answered(await kitchen.undo(request.caller, segment(order_id), segment(tap_id), request.call()))


HANDLERS = [get_progress, tap_lines, undo_tap]
