"""What shops and forms delivered."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, post
from litestar.params import PathParameter, QueryParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routing import segment
from tablegram.flows.stores.answers import StoreDelivery, StoreDeliveryPage
from tablegram.flows.stores.delivery_desk import DeliveryDesk
from tablegram.flows.stores.services import StoreServices
from tablegram.stores.model import State

_SCOPE = {"scope": "stores:manage"}
_TAGS = ["Stores"]
_ALL = "/stores/deliveries"
_ONE = _ALL + "/{store_delivery_id:str}"

DeliveryId = Annotated[str, PathParameter(description="The delivery.")]
SourceQuery = Annotated[
    str | None, QueryParameter(min_length=1, max_length=64, description="Only of this shop or form.")
]
Words = Annotated[
    str | None,
    QueryParameter(
        min_length=1,
        max_length=100,
        pattern=r"^[^\x00-\x1f\x7f]+$",
        description="Only with this number, reference or topic, or one that begins so.",
    ),
]


def _desk(request: ApiRequest) -> DeliveryDesk:
    return request.deps.services.of(StoreServices).deliveries


@get(_ALL, opt=_SCOPE, tags=_TAGS, summary="List deliveries of shops", operation_id="listStoreDeliveries")
async def list_deliveries(
    request: ApiRequest,
    source_id: SourceQuery = None,
    delivery_state: Annotated[State | None, QueryParameter(name="state", description="Only in this state.")] = None,
    attention: Annotated[bool, QueryParameter(description="Only those that somebody must see to.")] = False,
    q: Words = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[StoreDeliveryPage]:
    """What shops and forms delivered, newest first, with what was read from it, and what came of it or why not."""
    return json(
        await _desk(request).page(
            request.caller,
            source_id=source_id,
            state=delivery_state,
            open_only=attention,
            query=q or "",
            limit=limit,
            cursor=cursor,
        )
    )


@get(_ONE, opt=_SCOPE, tags=_TAGS, summary="Look up a delivery of a shop", operation_id="getStoreDelivery")
async def get_delivery(request: ApiRequest, store_delivery_id: DeliveryId) -> Response[StoreDelivery]:
    """One delivery, with its body as it came. Deliveries are kept for 30 days."""
    return json(await _desk(request).get(request.caller, segment(store_delivery_id)))


@get(
    f"{_ONE}/replay",
    opt=_SCOPE,
    tags=_TAGS,
    summary="Ask what a replay would do",
    operation_id="rehearseStoreDelivery",
)
async def rehearse_delivery(request: ApiRequest, store_delivery_id: DeliveryId) -> Response[StoreDelivery]:
    """The delivery as it would be after a replay. Nothing is changed and nothing is sent."""
    return json(await _desk(request).rehearse(request.caller, segment(store_delivery_id)))


@post(
    f"{_ONE}/replay",
    status_code=200,
    opt=_SCOPE,
    tags=_TAGS,
    summary="Replay a delivery of a shop",
    operation_id="replayStoreDelivery",
)
async def replay_delivery(request: ApiRequest, store_delivery_id: DeliveryId) -> Response[StoreDelivery]:
    """Reads it again with the source as it is now, and does what was not done yet: what was sent is not sent again."""
    return answered(await _desk(request).replay(request.caller, segment(store_delivery_id), request.call()))


@post(
    f"{_ONE}/settle",
    status_code=200,
    opt=_SCOPE,
    tags=_TAGS,
    summary="Say that it was seen to",
    operation_id="settleStoreDelivery",
)
async def settle_delivery(request: ApiRequest, store_delivery_id: DeliveryId) -> Response[StoreDelivery]:
    """Somebody has exported or erased what the shop's customer asked for."""
    return answered(await _desk(request).settle(request.caller, segment(store_delivery_id), request.call()))


HANDLERS = [list_deliveries, get_delivery, rehearse_delivery, replay_delivery, settle_delivery]
