"""Shops and forms that an account has connected."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.restaurant.paths import given
from tablegram.api.routing import segment
from tablegram.api.schemas.stores.sources import CreateStoreSource, TestStoreSource, UpdateStoreSource
from tablegram.flows.stores.answers import SourcePage, SourceTest, SourceView
from tablegram.flows.stores.services import StoreServices
from tablegram.flows.stores.source_desk import NewSourceFields, SourceDesk, SourceFields

_SCOPE = {"scope": "stores:manage"}
_TAGS = ["Stores"]
_ALL = "/stores/sources"
_ONE = _ALL + "/{source_id:str}"

SourceId = Annotated[str, PathParameter(description="The shop or form.")]


def _desk(request: ApiRequest) -> SourceDesk:
    return request.deps.services.of(StoreServices).sources


@get(_ALL, opt=_SCOPE, tags=_TAGS, summary="List shops and forms", operation_id="listStoreSources")
async def list_sources(request: ApiRequest) -> Response[SourcePage]:
    """The shops and forms that the account has connected. Secrets are never shown."""
    return json(await _desk(request).page(request.caller))


@post(
    _ALL,
    status_code=201,
    opt=_SCOPE,
    tags=_TAGS,
    summary="Connect a shop or a form",
    operation_id="createStoreSource",
)
async def create_source(request: ApiRequest, data: JSONBody[CreateStoreSource]) -> Response[SourceView]:
    """Connects a shop or a form. Enter the `hook_url` of the answer at the platform, and the `secret` where there is one: it
    is shown this once.
    """
    return answered(await _desk(request).create(request.caller, given(data, NewSourceFields), request.call()))


@get(_ONE, opt=_SCOPE, tags=_TAGS, summary="Look up a shop or a form", operation_id="getStoreSource")
async def get_source(request: ApiRequest, source_id: SourceId) -> Response[SourceView]:
    """One shop or form, and when it was last heard."""
    return json(await _desk(request).get(request.caller, segment(source_id)))


@patch(_ONE, opt=_SCOPE, tags=_TAGS, summary="Change a shop or a form", operation_id="updateStoreSource")
async def update_source(
    request: ApiRequest, source_id: SourceId, data: JSONBody[UpdateStoreSource]
) -> Response[SourceView]:
    """Changes its name, secret, country, currency, line or mapping, or pauses it. What comes from now on is read so."""
    return json(await _desk(request).change(request.caller, segment(source_id), given(data, SourceFields)))


@delete(
    _ONE,
    status_code=204,
    opt=_SCOPE,
    tags=_TAGS,
    summary="Remove a shop or a form",
    operation_id="deleteStoreSource",
)
async def delete_source(request: ApiRequest, source_id: SourceId) -> None:
    """Takes it away: its address leads nowhere from now on. What it delivered stays, and so do its orders."""
    await _desk(request).remove(request.caller, segment(source_id))


@post(
    f"{_ONE}/rotate-secret",
    status_code=200,
    opt=_SCOPE,
    tags=_TAGS,
    summary="Make another secret",
    operation_id="rotateStoreSource",
)
async def rotate_source(request: ApiRequest, source_id: SourceId) -> Response[SourceView]:
    """Makes another secret, or another address where the address is the proof. The former one is over at once."""
    return answered(await _desk(request).rotate(request.caller, segment(source_id), request.call()))


@post(
    f"{_ONE}/test",
    status_code=200,
    opt=_SCOPE,
    tags=_TAGS,
    summary="Send yourself a sample",
    operation_id="testStoreSource",
)
async def test_source(
    request: ApiRequest, source_id: SourceId, data: JSONBody[TestStoreSource]
) -> Response[SourceTest]:
    """Sends a sample of the platform through the real hook, about somebody with your number."""
    return answered(await _desk(request).test(request.caller, segment(source_id), data.phone, request.call()))


HANDLERS = [
    list_sources,
    create_source,
    get_source,
    update_source,
    delete_source,
    rotate_source,
    test_source,
]
