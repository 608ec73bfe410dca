"""Orders of shops."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get
from litestar.params import PathParameter, QueryParameter

from tablegram.api.requests import ApiRequest, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routes.stores.deliveries import SourceQuery, Words
from tablegram.api.routing import segment
from tablegram.flows.stores.answers import StoreOrderPage, StoreOrderView
from tablegram.flows.stores.delivery_desk import DeliveryDesk
from tablegram.flows.stores.services import StoreServices

_SCOPE = {"scope": "stores:manage"}
_TAGS = ["Stores"]
_ALL = "/stores/orders"


def _desk(request: ApiRequest) -> DeliveryDesk:
    return request.deps.services.of(StoreServices).deliveries


@get(_ALL, opt=_SCOPE, tags=_TAGS, summary="List orders of shops", operation_id="listStoreOrders")
async def list_orders(
    request: ApiRequest,
    source_id: SourceQuery = None,
    contact_id: Annotated[
        str | None, QueryParameter(min_length=1, max_length=64, description="Only of this contact.")
    ] = None,
    q: Words = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[StoreOrderPage]:
    """Orders of every shop, newest first, each as its last event told of it."""
    return json(
        await _desk(request).orders(
            request.caller, source_id=source_id, contact_id=contact_id, query=q or "", limit=limit, cursor=cursor
        )
    )


@get(
    f"{_ALL}/{{store_order_id:str}}",
    opt=_SCOPE,
    tags=_TAGS,
    summary="Look up an order of a shop",
    operation_id="getStoreOrder",
)
async def get_order(
    request: ApiRequest, store_order_id: Annotated[str, PathParameter(description="The order.")]
) -> Response[StoreOrderView]:
    """One order, as its last event told of it."""
    return json(await _desk(request).order(request.caller, segment(store_order_id)))


HANDLERS = [list_orders, get_order]
