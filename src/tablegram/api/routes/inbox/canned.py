"""Canned replies."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter

from tablegram.api.requests import ApiRequest, answered, json, taken_as
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routing import segment
from tablegram.api.schemas.inbox.conversations import CreateCannedReply, UpdateCannedReply
from tablegram.flows.inbox.answers import CannedReplyPage, CannedReplyView
from tablegram.flows.inbox.canned import CannedChange, CannedDraft

_READ = {"scope": "messages:read"}
_SEND = {"scope": "messages:send"}
_TAGS = ["Canned replies"]
_ALL = "/canned-replies"
_ONE = _ALL + "/{canned_id:str}"

CannedId = Annotated[str, PathParameter(description="The canned reply.")]


@get(_ALL, opt=_READ, tags=_TAGS, summary="List canned replies", operation_id="listCannedReplies")
async def list_canned(request: ApiRequest, limit: Limit = 50, cursor: Cursor = None) -> Response[CannedReplyPage]:
    """The account's canned replies in the order of their shortcuts."""
    return json(await request.deps.inbox.canned.page(request.caller, limit, cursor))


@post(_ALL, status_code=201, opt=_SEND, tags=_TAGS, summary="Add a canned reply", operation_id="createCannedReply")
async def create_canned(request: ApiRequest, data: JSONBody[CreateCannedReply]) -> Response[CannedReplyView]:
    """Adds a text that people call by its shortcut. It is only sent when somebody chooses it."""
    draft = taken_as(CannedDraft, data)
    return answered(await request.deps.inbox.canned.add(request.caller, draft, request.call()))


@get(_ONE, opt=_READ, tags=_TAGS, summary="Look up a canned reply", operation_id="getCannedReply")
async def get_canned(request: ApiRequest, canned_id: CannedId) -> Response[CannedReplyView]:
    """One canned reply."""
    return json(await request.deps.inbox.canned.get(request.caller, segment(canned_id)))


@patch(_ONE, opt=_SEND, tags=_TAGS, summary="Change a canned reply", operation_id="updateCannedReply")
async def update_canned(
    request: ApiRequest, canned_id: CannedId, data: JSONBody[UpdateCannedReply]
) -> Response[CannedReplyView]:
    """Changes what is given and leaves the rest."""
    change = taken_as(CannedChange, data)
    return json(await request.deps.inbox.canned.update(request.caller, segment(canned_id), change))


@delete(_ONE, status_code=204, opt=_SEND, tags=_TAGS, summary="Delete a canned reply", operation_id="deleteCannedReply")
async def delete_canned(request: ApiRequest, canned_id: CannedId) -> None:
    """Takes a canned reply away; messages that were sent with it stay."""
    await request.deps.inbox.canned.delete(request.caller, segment(canned_id))


HANDLERS = [list_canned, create_canned, get_canned, update_canned, delete_canned]
