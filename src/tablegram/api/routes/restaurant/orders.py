"""Orders, and guests who call."""

from __future__ import annotations

from typing import Annotated, TypeVar, cast

from litestar import Response, get, patch, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit, moment_ms
from tablegram.api.routes.restaurant.paths import VENUE, VenueId, given, page_of
from tablegram.api.routing import segment
from tablegram.api.schemas.restaurant.orders import (
    Action,
    ActOnOrder,
    ChangeOrder,
    PayByGift,
    TakeOrder,
    Word,
)
from tablegram.flows.restaurant.answers.calls import AnsweredCall, TableCallPage
from tablegram.flows.restaurant.fields import ActFields, ChangeFields, GiftPaymentFields, TakeFields
from tablegram.flows.restaurant.orders.answers import (
    AnsweredOrderRequest,
    OrderPage,
    OrderRequestPage,
    PaidByGift,
    WholeOrder,
)
from tablegram.restaurant.orders.states import OrderType, State
from tablegram.restaurant.store.orders import Sort

_Fields = TypeVar("_Fields", TakeFields, ActFields)
_ORDERS = {"scope": "orders:manage"}
_TAGS = ["Orders"]
_ONE = "/orders/{order_id:str}"

OrderId = Annotated[str, PathParameter(description="The order, as people call it: ORD-20261115-0042.")]
CallId = Annotated[str, PathParameter(description="The call.")]
# Leaving a filter out means any.
OneVenue = Annotated[str | None, QueryParameter(min_length=1, max_length=64, description="Only of this venue.")]
OneState = Annotated[State | None, QueryParameter(description="Only in this state.")]
OneType = Annotated[OrderType | None, QueryParameter(description="Only of this kind.")]
Wanted = Annotated[
    str | None,
    QueryParameter(
        max_length=100,
        description="Part of a number, name, phone or table; table 9 or masa 9 for that table alone; or a dish.",
    ),
]


@get("/orders", opt=_ORDERS, tags=_TAGS, summary="List orders", operation_id="listOrders")
async def list_orders(
    request: ApiRequest,
    venue_id: OneVenue = None,
    status: OneState = None,
    open: Annotated[bool, QueryParameter(description="Only those that are not over.")] = False,
    order_type: OneType = None,
    q: Wanted = None,
    placed_since: Annotated[
        str | None, QueryParameter(description="Only placed at or after this time, RFC 3339 with an offset.")
    ] = None,
    placed_until: Annotated[
        str | None, QueryParameter(description="Only placed before this time, RFC 3339 with an offset.")
    ] = None,
    sort: Annotated[
        Sort,
        QueryParameter(
            description="-placed: newest first. placed: oldest first. -total and total: by what they come to, newest "
            "first among equals. A cursor belongs to one order."
        ),
    ] = "-placed",
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[OrderPage]:
    """The account's orders, newest first unless another order is asked for."""
    page = await request.deps.restaurant.orders.page(
        request.caller,
        limit=limit,
        cursor=cursor,
        sort=sort,
        venue_id=venue_id,
        state=status,
        open_only=open,
        order_type=order_type,
        q=q,
        since_ms=moment_ms(placed_since, "placed_since"),
        until_ms=moment_ms(placed_until, "placed_until"),
    )
    return json(page)


@post("/orders", status_code=201, opt=_ORDERS, tags=_TAGS, summary="Take an order", operation_id="takeOrder")
async def take_order(request: ApiRequest, data: JSONBody[TakeOrder]) -> Response[WholeOrder]:
    """An order that a waiter takes for a guest. It is priced by the menu and goes to the kitchen at once."""
    return answered(
        await request.deps.restaurant.orders.take(
            request.caller, _without_nulls(given(data, TakeFields)), request.call()
        )
    )


@get(_ONE, opt=_ORDERS, tags=_TAGS, summary="Look up an order", operation_id="getOrder")
async def get_order(request: ApiRequest, order_id: OrderId) -> Response[WholeOrder]:
    """One order, with what happened to it and what can be done."""
    return json(await request.deps.restaurant.orders.get(request.caller, segment(order_id)))


@patch(_ONE, opt=_ORDERS, tags=_TAGS, summary="Change an order", operation_id="changeOrder")
async def change_order(request: ApiRequest, order_id: OrderId, data: JSONBody[ChangeOrder]) -> Response[WholeOrder]:
    """Changes what is given and leaves the rest. What stays in the order keeps its price."""
    return json(
        await request.deps.restaurant.orders.change(request.caller, segment(order_id), given(data, ChangeFields))
    )


@post(
    _ONE + "/{action:str}",
    status_code=200,
    opt=_ORDERS,
    tags=_TAGS,
    summary="Move an order on",
    operation_id="actOnOrder",
)
async def act_on_order(
    request: ApiRequest,
    order_id: OrderId,
    action: Annotated[Action, PathParameter(description="What happens; `actions` of the order says what can.")],
    data: JSONBody[ActOnOrder],
) -> Response[WholeOrder]:
    """Something happens to an order. What its state does not allow is answered with 409."""
    fields = _without_nulls(given(data, ActFields))
    orders = request.deps.restaurant.orders
    return answered(await orders.act(request.caller, segment(order_id), action, fields, request.call()))


@post(
    f"{_ONE}/gift-payments",
    status_code=201,
    opt=_ORDERS,
    tags=_TAGS,
    summary="Pay an order with a gift card",
    operation_id="payOrderByGift",
)
async def pay_by_gift(request: ApiRequest, order_id: OrderId, data: JSONBody[PayByGift]) -> Response[PaidByGift]:
    """Takes a gift card for an order that is on no bill: a takeaway or a delivery. All of it, or a part.

    With an Idempotency-Key, a call that is repeated pays once. What waited for money goes to the kitchen when nothing is
    left to pay. An order at a table is paid on the table's bill; it is answered with 409.
    """
    gifts = request.deps.restaurant.counter_gifts
    return answered(await gifts.pay(request.caller, segment(order_id), given(data, GiftPaymentFields), request.call()))


@get(f"{VENUE}/calls", opt=_ORDERS, tags=_TAGS, summary="Who calls?", operation_id="listTableCalls")
async def list_calls(
    request: ApiRequest, venue_id: VenueId, limit: Limit = 200, cursor: Cursor = None
) -> Response[TableCallPage]:
    """Guests who called for the waiter or the bill, and whom nobody answered yet; the longest waiting first."""
    waiting = await request.deps.restaurant.table_calls.waiting(request.caller, segment(venue_id))
    return json(page_of(TableCallPage, waiting, limit, cursor))


@post(
    f"{VENUE}/calls/{{call_id:str}}/answer",
    status_code=200,
    opt=_ORDERS,
    tags=_TAGS,
    summary="Answer a call",
    operation_id="answerTableCall",
)
async def answer_call(request: ApiRequest, venue_id: VenueId, call_id: CallId) -> Response[AnsweredCall]:
    """Somebody goes to the table; the call leaves the board. A call that was answered is answered with 404."""
    calls = request.deps.restaurant.table_calls
    return answered(await calls.answer_once(request.caller, segment(venue_id), segment(call_id), request.call()))


@get(
    f"{VENUE}/order-requests",
    opt=_ORDERS,
    tags=_TAGS,
    summary="What do guests want changed?",
    operation_id="listOrderRequests",
)
async def list_requests(
    request: ApiRequest, venue_id: VenueId, limit: Limit = 200, cursor: Cursor = None
) -> Response[OrderRequestPage]:
    """Guests who want an order cancelled or changed that the kitchen has begun, and whom nobody answered yet."""
    waiting = await request.deps.restaurant.order_requests.waiting(request.caller, segment(venue_id))
    return json(page_of(OrderRequestPage, waiting, limit, cursor))


@post(
    f"{VENUE}/order-requests/{{order_request_id:str}}/{{word:str}}",
    status_code=200,
    opt=_ORDERS,
    tags=_TAGS,
    summary="Accept or refuse a guest's wish",
    operation_id="answerOrderRequest",
)
async def answer_request(
    request: ApiRequest,
    venue_id: VenueId,
    order_request_id: Annotated[str, PathParameter(description="The wish.")],
    word: Annotated[Word, PathParameter(description="accept: the order is cancelled or changed. refuse: it stays.")],
) -> Response[AnsweredOrderRequest]:
    """Does what the guest wants, or leaves the order as it is, and tells the guest which.

    A wish that was answered is answered with 404; what can no longer be done, with 409.
    """
    return answered(
        await request.deps.restaurant.order_requests.answer_once(
            request.caller,
            segment(venue_id),
            segment(order_request_id),
            accepts=word == "accept",
            call=request.call(),
        )
    )


def _without_nulls(fields: _Fields) -> _Fields:
    return cast(_Fields, {name: value for name, value in fields.items() if value is not None})


HANDLERS = [
    list_orders,
    take_order,
    get_order,
    change_order,
    act_on_order,
    pay_by_gift,
    list_calls,
    answer_call,
    list_requests,
    answer_request,
]
