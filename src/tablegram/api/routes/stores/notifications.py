"""What is said because of a shop's events, and carts that were left behind."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, patch, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routes.restaurant.paths import given
from tablegram.api.routing import segment
from tablegram.api.schemas.stores.notifications import WordNotification
from tablegram.flows.stores.notices.answers import CartPage, NoticePage, NotificationPage, NotificationView, PreviewView
from tablegram.flows.stores.notices.notice_desk import Filters, NoticeDesk
from tablegram.flows.stores.notices.services import NoticeServices
from tablegram.stores.carts.model import State as CartState
from tablegram.stores.notifications.kinds import Kind
from tablegram.stores.notifications.model import State

_SCOPE = {"scope": "stores:manage"}
_TAGS = ["Stores"]
_ALL = "/stores/notifications"
_ONE = _ALL + "/{notification_id:str}"

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
    return json(await _desk(request).set(request.caller, segment(notification_id), given(data)))


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
    return answered(await _desk(request).preview(request.caller, segment(notification_id), given(data), request.call()))


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


HANDLERS = [list_notifications, set_notification, preview_notification, list_notices, list_carts]
