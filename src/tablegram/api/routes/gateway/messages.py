"""Looking at messages, and what can still be done with one."""

from __future__ import annotations

from typing import Annotated, Literal

from litestar import Response, get, post
from litestar.params import QueryParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit, MessageId, moment_ms
from tablegram.api.routing import segment
from tablegram.flows.gateway.answers.messages import MessagePage, MessageView, ReadAnswer

_READ = {"scope": "messages:read", "test_keys": True}
_SEND = {"scope": "messages:send", "test_keys": True}
_TAGS = ["Messages"]

State = Literal["queued", "sent", "delivered", "read", "failed", "cancelled", "received"]


@get("/messages", opt=_READ, tags=_TAGS, summary="List messages", operation_id="listMessages")
async def list_messages(
    request: ApiRequest,
    phone: Annotated[
        str | None,
        QueryParameter(pattern="^[1-9][0-9]{6,14}$", max_length=15, description="Only to or from this number."),
    ] = None,
    status: Annotated[State | None, QueryParameter(description="Only in this state.")] = None,
    since: Annotated[
        str | None, QueryParameter(description="Only made at or after this time, RFC 3339 with an offset.")
    ] = None,
    direction: Annotated[
        Literal["in", "out"] | None, QueryParameter(description="in: from customers. out: sent.")
    ] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[MessagePage]:
    """The account's messages, newest first."""
    page = await request.deps.gateway.lookups.messages(
        request.caller,
        phone=phone,
        status=status,
        since_ms=moment_ms(since, "since"),
        direction=direction,
        limit=limit,
        cursor=cursor,
    )
    return json(page)


@get("/messages/{message_id:str}", opt=_READ, tags=_TAGS, summary="Look up a message", operation_id="getMessage")
async def get_message(request: ApiRequest, message_id: MessageId) -> Response[MessageView]:
    """One message with its state and how it got there. Both of its identifiers find it."""
    return json(await request.deps.gateway.lookups.message(request.caller, segment(message_id)))


@post(
    "/messages/{message_id:str}/cancel",
    status_code=200,
    opt=_SEND,
    tags=_TAGS,
    summary="Cancel a queued message",
    operation_id="cancelMessage",
)
async def cancel_message(request: ApiRequest, message_id: MessageId) -> Response[MessageView]:
    """Takes back a message that is still queued, and what it cost. Later it is 409."""
    return answered(await request.deps.gateway.lookups.cancel(request.caller, segment(message_id), request.call()))


@post(
    "/messages/{message_id:str}/read",
    status_code=200,
    opt=_SEND,
    tags=_TAGS,
    summary="Mark a message read",
    operation_id="markRead",
)
async def mark_read(request: ApiRequest, message_id: MessageId) -> Response[ReadAnswer]:
    """Tells the customer that a message of theirs was read."""
    return answered(await request.deps.gateway.lookups.mark_read(request.caller, segment(message_id), request.call()))


HANDLERS = [list_messages, get_message, cancel_message, mark_read]
