"""Automatic replies of a line."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, InstancePath, Limit
from tablegram.api.routes.restaurant.paths import given
from tablegram.api.routing import segment
from tablegram.api.schemas.gateway.auto_replies import CreateAutoReply, UpdateAutoReply
from tablegram.flows.gateway.answers.auto_replies import AutoReplyPage, AutoReplyView
from tablegram.flows.gateway.line_replies import NewReplyFields, ReplyFields

_MANAGE = {"scope": "instances:manage", "test_keys": True}
_TAGS = ["Automatic replies"]
_ALL = "/instances/{instance_id:int}/auto-replies"
_ONE = _ALL + "/{reply_id:str}"

ReplyId = Annotated[str, PathParameter(description="The automatic reply.")]


@post(_ALL, status_code=201, opt=_MANAGE, tags=_TAGS, summary="Add a reply", operation_id="createAutoReply")
async def create_reply(
    request: ApiRequest, instance_id: InstancePath, data: JSONBody[CreateAutoReply]
) -> Response[AutoReplyView]:
    """From now on the line answers automatically. At most one reply answers a message: keyword, then closed, then greeting.

    Nobody gets the same reply again before its cool-down is over. A reply is a message like any other and costs as much.
    """
    fields = given(data, NewReplyFields)
    return answered(await request.deps.gateway.line_replies.create(request.caller, instance_id, fields, request.call()))


@get(_ALL, opt=_MANAGE, tags=_TAGS, summary="List replies", operation_id="listAutoReplies")
async def list_replies(
    request: ApiRequest, instance_id: InstancePath, limit: Limit = 50, cursor: Cursor = None
) -> Response[AutoReplyPage]:
    """The line's automatic replies, oldest first."""
    return json(await request.deps.gateway.line_replies.page(request.caller, instance_id, limit, cursor))


@get(_ONE, opt=_MANAGE, tags=_TAGS, summary="Look up a reply", operation_id="getAutoReply")
async def get_reply(request: ApiRequest, instance_id: InstancePath, reply_id: ReplyId) -> Response[AutoReplyView]:
    """One automatic reply."""
    return json(await request.deps.gateway.line_replies.get(request.caller, instance_id, segment(reply_id)))


@patch(_ONE, opt=_MANAGE, tags=_TAGS, summary="Change a reply", operation_id="updateAutoReply")
async def update_reply(
    request: ApiRequest, instance_id: InstancePath, reply_id: ReplyId, data: JSONBody[UpdateAutoReply]
) -> Response[AutoReplyView]:
    """Changes what is given and leaves the rest; `enabled` is its switch."""
    fields = given(data, ReplyFields)
    return json(await request.deps.gateway.line_replies.update(request.caller, instance_id, segment(reply_id), fields))


@delete(_ONE, status_code=204, opt=_MANAGE, tags=_TAGS, summary="Delete a reply", operation_id="deleteAutoReply")
async def delete_reply(request: ApiRequest, instance_id: InstancePath, reply_id: ReplyId) -> None:
    """Takes an automatic reply away."""
    await request.deps.gateway.line_replies.delete(request.caller, instance_id, segment(reply_id))


HANDLERS = [create_reply, list_replies, get_reply, update_reply, delete_reply]
