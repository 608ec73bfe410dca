"""What is said because of a shop's events, and carts that were left behind."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.account.usage import Zone, zone_of
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routes.restaurant.paths import given
from tablegram.api.routes.stores.sources import SourceId
from tablegram.api.routing import segment
from tablegram.api.schemas.stores.notifications import WordNotification
from tablegram.flows.stores.notices.answers import (
    CartFigures,
    CartPage,
    NoticePage,
    NotificationPage,
    NotificationView,
    PreviewView,
)
from tablegram.flows.stores.notices.notice_desk import Filters, NoticeDesk
from tablegram.flows.stores.notices.services import NoticeServices
from tablegram.flows.stores.notices.views import figures_view
from tablegram.stores.carts.model import State as CartState
from tablegram.stores.notifications.kinds import Kind
from tablegram.stores.notifications.model import State, WordingFields

_SCOPE = {"scope": "stores:manage"}
_TAGS = ["Stores"]
_ALL = "/stores/notifications"
_ONE = _ALL + "/{notification_id:str}"

_OF_SHOP = "/stores/sources/{source_id:str}/notifications"
_ONE_OF_SHOP = _OF_SHOP + "/{notification_id:str}"

NotificationId = Annotated[str, PathParameter(description="The notification, such as order_confirmation-1-en.")]
_Source = Annotated[str | None, QueryParameter(min_length=1, max_length=64, description="Only of this source.")]
_Phone = Annotated[str | None, QueryParameter(pattern="^[1-9][0-9]{6,14}$", description="Only to this number.")]


def _desk(request: ApiRequest) -> NoticeDesk:
    return request.deps.services.of(NoticeServices).desk


@get(_ALL, opt=_SCOPE, tags=_TAGS, summary="List notifications", operation_id="listStoreNotifications")
async def list_notifications(request: ApiRequest) -> Response[NotificationPage]:
    """Every notification in every language, with what it may be filled in with. All are off until somebody switches them
    on."""
    return json(await _desk(request).notifications(request.caller))


@patch(_ONE, opt=_SCOPE, tags=_TAGS, summary="Set a notification", operation_id="setStoreNotification")
async def set_notification(
    request: ApiRequest, notification_id: NotificationId, data: JSONBody[WordNotification]
) -> Response[NotificationView]:
    """Changes what is given. What waits already goes as it is worded when it goes."""
    return json(await _desk(request).set(request.caller, segment(notification_id), given(data, WordingFields)))


@post(
    f"{_ONE}/preview",
    status_code=200,
    opt=_SCOPE,
    tags=_TAGS,
    summary="Preview a notification",
    operation_id="previewStoreNotification",
)
async def preview_notification(
    request: ApiRequest, notification_id: NotificationId, data: JSONBody[WordNotification]
) -> Response[PreviewView]:
    """How the message would look with these changes, filled in with an invented customer. Nothing is kept or sent."""
    return answered(
        await _desk(request).preview(
            request.caller, segment(notification_id), given(data, WordingFields), request.call()
        )
    )


@get(
    _OF_SHOP,
    opt=_SCOPE,
    tags=_TAGS,
    summary="List notifications of a shop",
    operation_id="listStoreSourceNotifications",
)
async def list_shop_notifications(request: ApiRequest, source_id: SourceId) -> Response[NotificationPage]:
    """Every notification as this shop sends it. What it has no words of its own for is as for all shops."""
    return json(await _desk(request).notifications(request.caller, segment(source_id)))


@patch(
    _ONE_OF_SHOP,
    opt=_SCOPE,
    tags=_TAGS,
    summary="Set a notification of a shop",
    operation_id="setStoreSourceNotification",
)
async def set_shop_notification(
    request: ApiRequest, source_id: SourceId, notification_id: NotificationId, data: JSONBody[WordNotification]
) -> Response[NotificationView]:
    """Changes what is given, for this shop alone. What is not given is taken from what it uses until now; from then
    on all of it is the shop's own, and on or off apart from the others."""
    changed = await _desk(request).set(
        request.caller, segment(notification_id), given(data, WordingFields), segment(source_id)
    )
    return json(changed)


@delete(
    _ONE_OF_SHOP,
    status_code=204,
    opt=_SCOPE,
    tags=_TAGS,
    summary="Take a shop's own words back",
    operation_id="unsetStoreSourceNotification",
)
async def unset_shop_notification(request: ApiRequest, source_id: SourceId, notification_id: NotificationId) -> None:
    """The shop speaks as all shops do again. Nothing happens where it does."""
    await _desk(request).unset(request.caller, segment(notification_id), segment(source_id))


@get("/stores/notices", opt=_SCOPE, tags=_TAGS, summary="List notices", operation_id="listStoreNotices")
async def list_notices(
    request: ApiRequest,
    kind: Annotated[Kind | None, QueryParameter(description="Only of this kind.")] = None,
    notice_state: Annotated[State | None, QueryParameter(name="state", description="Only in this state.")] = None,
    source_id: _Source = None,
    phone: _Phone = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[NoticePage]:
    """What was said because of a shop's events, what waits, and what was not said and why; newest first."""
    filters = Filters(kind=kind, state=notice_state, source_id=source_id, phone=phone)
    return json(await _desk(request).notices(request.caller, filters, limit=limit, cursor=cursor))


@get("/stores/carts", opt=_SCOPE, tags=_TAGS, summary="List carts", operation_id="listStoreCarts")
async def list_carts(
    request: ApiRequest,
    cart_state: Annotated[CartState | None, QueryParameter(name="state", description="Only in this state.")] = None,
    source_id: _Source = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[CartPage]:
    """Carts with their timers, and what became of them; newest first."""
    filters = Filters(state=cart_state, source_id=source_id)
    return json(await _desk(request).carts(request.caller, filters, limit=limit, cursor=cursor))


@get("/stores/carts/figures", opt=_SCOPE, tags=_TAGS, summary="Figures of carts", operation_id="getStoreCartFigures")
async def get_cart_figures(request: ApiRequest, time_zone: Zone = "UTC") -> Response[CartFigures]:
    """What became of carts in the last 30 days, day by day, how many are open, and what reminders brought back."""
    return json(figures_view(await _desk(request).summary(request.caller, zone_of(time_zone)), time_zone))


HANDLERS = [
    list_notifications, set_notification, preview_notification, list_shop_notifications, set_shop_notification,
    unset_shop_notification, list_notices, list_carts, get_cart_figures,
]  # fmt: skip
