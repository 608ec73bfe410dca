"""Segments of contacts."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from tablegram.api.requests import ApiRequest, answered, json, taken_as
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routing import segment
from tablegram.api.schemas.campaigns.segments import CountRules, CreateSegment, PreviewRules, UpdateSegment
from tablegram.flows.campaigns.segments.answers import (
    CountedSegment,
    SegmentCount,
    SegmentMembers,
    SegmentPage,
    SegmentPreview,
    SegmentView,
)
from tablegram.flows.campaigns.segments.segments import SegmentChange, SegmentDraft, Segments
from tablegram.flows.campaigns.segments.services import SegmentServices

_READ = {"scope": "campaigns:read"}
_MANAGE = {"scope": "campaigns:manage"}
_TAGS = ["Segments"]
_ALL = "/segments"
_ONE = _ALL + "/{segment_id:str}"

SegmentId = Annotated[str, PathParameter(description="The segment.")]
Search = Annotated[str | None, QueryParameter(max_length=80, description="Only those whose name holds this.")]


def _segments(request: ApiRequest) -> Segments:
    return request.deps.services.of(SegmentServices).segments


@get(_ALL, opt=_READ, tags=_TAGS, summary="List segments", operation_id="listSegments")
async def list_segments(
    request: ApiRequest, q: Search = None, limit: Limit = 50, cursor: Cursor = None
) -> Response[SegmentPage]:
    """The account's segments in the order of their names."""
    return json(await _segments(request).page(request.caller, limit, cursor, q))


@post(_ALL, status_code=201, opt=_MANAGE, tags=_TAGS, summary="Save a segment", operation_id="createSegment")
async def create_segment(request: ApiRequest, data: JSONBody[CreateSegment]) -> Response[SegmentView]:
    """Saves rules under a name. Who is in is found out anew each time that somebody asks."""
    return answered(await _segments(request).add(request.caller, taken_as(SegmentDraft, data), request.call()))


@post(_ALL + "/count", status_code=200, opt=_READ, tags=_TAGS, summary="Count by rules", operation_id="countSegment")
async def count_segment(request: ApiRequest, data: JSONBody[CountRules]) -> Response[SegmentCount]:
    """How many contacts fit the rules, without saving them."""
    return answered(await _segments(request).counted(request.caller, data.rules, request.call()))


@post(_ALL + "/preview", status_code=200, opt=_READ, tags=_TAGS, summary="Preview rules", operation_id="previewSegment")
async def preview_segment(request: ApiRequest, data: JSONBody[PreviewRules]) -> Response[SegmentPreview]:
    """Twenty contacts that fit the rules, and why each is in, in plain words. Needs `contacts:read` too."""
    told = await _segments(request).previewed(request.caller, data.rules, data.language, request.call())
    return answered(told)


@get(_ONE, opt=_READ, tags=_TAGS, summary="Look up a segment", operation_id="getSegment")
async def get_segment(request: ApiRequest, segment_id: SegmentId) -> Response[CountedSegment]:
    """One segment, with how many contacts are in it at this moment."""
    return json(await _segments(request).get(request.caller, segment(segment_id)))


@get(_ONE + "/members", opt=_READ, tags=_TAGS, summary="List who is in", operation_id="listSegmentMembers")
async def list_members(
    request: ApiRequest, segment_id: SegmentId, limit: Limit = 50, cursor: Cursor = None
) -> Response[SegmentMembers]:
    """The contacts of a segment in the order of their ids. Needs `contacts:read` too."""
    return json(await _segments(request).members(request.caller, segment(segment_id), limit, cursor))


@patch(_ONE, opt=_MANAGE, tags=_TAGS, summary="Change a segment", operation_id="updateSegment")
async def update_segment(
    request: ApiRequest, segment_id: SegmentId, data: JSONBody[UpdateSegment]
) -> Response[SegmentView]:
    """Changes what is given and leaves the rest."""
    change = taken_as(SegmentChange, data)
    return json(await _segments(request).update(request.caller, segment(segment_id), change))


@delete(_ONE, status_code=204, opt=_MANAGE, tags=_TAGS, summary="Delete a segment", operation_id="deleteSegment")
async def delete_segment(request: ApiRequest, segment_id: SegmentId) -> None:
    """Takes a segment away. One that is a rule of another segment stays until that is changed."""
    await _segments(request).delete(request.caller, segment(segment_id))


HANDLERS = [
    list_segments,
    create_segment,
    count_segment,
    preview_segment,
    get_segment,
    list_members,
    update_segment,
    delete_segment,
]
