"""Managing webhook endpoints, and looking at what was delivered to them."""

from __future__ import annotations

from typing import Annotated, Literal

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from tablegram.api.requests import ApiRequest, answered, json, taken_as
from tablegram.api.routes.parameters import Cursor, Limit, moment_ms
from tablegram.api.routing import segment
from tablegram.api.schemas.integrations.webhooks import CreateWebhook, ReplayRange, UpdateWebhook
from tablegram.events.answers.webhooks import (
    DeliveryDetail,
    DeliveryPage,
    DeliveryView,
    NewWebhookView,
    ReplayAnswer,
    RotatedWebhookView,
    WebhookPage,
    WebhookView,
)
from tablegram.events.endpoints import EndpointChange

_MANAGE = {"scope": "webhooks:manage"}
_TAGS = ["Webhooks"]

WebhookPath = Annotated[str, PathParameter(description="The endpoint.")]
DeliveryPath = Annotated[str, PathParameter(description="The delivery.")]


@post("/webhooks", status_code=201, opt=_MANAGE, tags=_TAGS, summary="Create an endpoint", operation_id="createWebhook")
async def create_webhook(request: ApiRequest, data: JSONBody[CreateWebhook]) -> Response[NewWebhookView]:
    """Adds an address that events are posted to. Nothing is sent there by this call; use the test call for that.

    `secret` signs every delivery and is shown this once. An address that must not be called is refused as
    `target_forbidden`.
    """
    answer = await request.deps.integrations.webhooks.create(
        request.caller, data.url, list(data.events), data.description, request.call()
    )
    return answered(answer)


@get("/webhooks", opt=_MANAGE, tags=_TAGS, summary="List endpoints", operation_id="listWebhooks")
async def list_webhooks(request: ApiRequest, limit: Limit = 50, cursor: Cursor = None) -> Response[WebhookPage]:
    """The account's endpoints, oldest first."""
    return json(await request.deps.integrations.webhooks.page(request.caller, limit, cursor))


@get("/webhooks/{webhook_id:str}", opt=_MANAGE, tags=_TAGS, summary="Look up an endpoint", operation_id="getWebhook")
async def get_webhook(request: ApiRequest, webhook_id: WebhookPath) -> Response[WebhookView]:
    """One endpoint with its state."""
    return json(await request.deps.integrations.webhooks.get(request.caller, segment(webhook_id)))


@patch(
    "/webhooks/{webhook_id:str}", opt=_MANAGE, tags=_TAGS, summary="Change an endpoint", operation_id="updateWebhook"
)
async def update_webhook(
    request: ApiRequest, webhook_id: WebhookPath, data: JSONBody[UpdateWebhook]
) -> Response[WebhookView]:
    """Changes what is given and leaves the rest. Switched on again, the endpoint gets what waited for it; what
    happened while it was disabled comes by a replay."""
    change = taken_as(EndpointChange, data)
    return json(await request.deps.integrations.webhooks.update(request.caller, segment(webhook_id), change))


@delete(
    "/webhooks/{webhook_id:str}",
    status_code=204,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Delete an endpoint",
    operation_id="deleteWebhook",
)
async def delete_webhook(request: ApiRequest, webhook_id: WebhookPath) -> None:
    """Takes an endpoint away, with what waits for it and its secret."""
    await request.deps.integrations.webhooks.delete(request.caller, segment(webhook_id))


@post(
    "/webhooks/{webhook_id:str}/test",
    status_code=202,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Send a test event",
    operation_id="testWebhook",
)
async def test_webhook(request: ApiRequest, webhook_id: WebhookPath) -> Response[DeliveryView]:
    """Sends `webhook.test` to this endpoint alone, whatever it has subscribed to. Look at the delivery for the outcome."""
    return answered(await request.deps.integrations.webhooks.test(request.caller, segment(webhook_id), request.call()))


@post(
    "/webhooks/{webhook_id:str}/rotate-secret",
    status_code=200,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Change an endpoint's secret",
    operation_id="rotateWebhookSecret",
)
async def rotate_secret(request: ApiRequest, webhook_id: WebhookPath) -> Response[RotatedWebhookView]:
    """Makes a new secret, shown this once. For 24 hours deliveries carry a signature of each, so that nothing is
    refused while the receiver is changed."""
    return answered(
        await request.deps.integrations.webhooks.rotate(request.caller, segment(webhook_id), request.call())
    )


@post(
    "/webhooks/{webhook_id:str}/replay",
    status_code=202,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Replay a stretch of time",
    operation_id="replayWebhook",
)
async def replay_webhook(
    request: ApiRequest, webhook_id: WebhookPath, data: JSONBody[ReplayRange]
) -> Response[ReplayAnswer]:
    """Delivers again every event of that time that the endpoint's filter lets through now, taken before or not."""
    since = moment_ms(data.since, "since") or 0
    until = moment_ms(data.until, "until")
    if until is None:
        until = request.deps.clock.now_ms() + 1
    answer = await request.deps.integrations.webhooks.replay_range(
        request.caller, segment(webhook_id), since, until, request.call()
    )
    return answered(answer)


@get(
    "/webhooks/{webhook_id:str}/deliveries",
    opt=_MANAGE,
    tags=_TAGS,
    summary="List deliveries",
    operation_id="listDeliveries",
)
async def list_deliveries(
    request: ApiRequest,
    webhook_id: WebhookPath,
    # The framework keeps the name `state` for itself.
    wanted: Annotated[
        Literal["pending", "delivered", "dead"] | None, QueryParameter(name="state", description="Only in this state.")
    ] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[DeliveryPage]:
    """What was, is and will be delivered to an endpoint, newest event first. Kept for 30 days."""
    page = await request.deps.integrations.webhooks.deliveries(
        request.caller, segment(webhook_id), limit, cursor, wanted
    )
    return json(page)


@get("/deliveries/{delivery_id:str}", opt=_MANAGE, tags=_TAGS, summary="Look up a delivery", operation_id="getDelivery")
async def get_delivery(request: ApiRequest, delivery_id: DeliveryPath) -> Response[DeliveryDetail]:
    """One delivery with its body and every attempt: when, how long it took, what came back."""
    return json(await request.deps.integrations.webhooks.delivery(request.caller, segment(delivery_id)))


@post(
    "/deliveries/{delivery_id:str}/replay",
    status_code=202,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Deliver again",
    operation_id="replayDelivery",
)
async def replay_delivery(request: ApiRequest, delivery_id: DeliveryPath) -> Response[DeliveryView]:
    """Delivers one event again, whatever became of it. Its webhook-id stays the same."""
    return answered(
        await request.deps.integrations.webhooks.replay(request.caller, segment(delivery_id), request.call())
    )


HANDLERS = [
    create_webhook,
    list_webhooks,
    get_webhook,
    update_webhook,
    delete_webhook,
    test_webhook,
    rotate_secret,
    replay_webhook,
    list_deliveries,
    get_delivery,
    replay_delivery,
]
