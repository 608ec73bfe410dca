"""How long data of people is kept."""

from __future__ import annotations

from litestar import Response, get, patch
from litestar.params import JSONBody

from tablegram.api.requests import ApiRequest, json, taken_as
from tablegram.api.schemas.contacts.retention import ChangeRetention
from tablegram.flows.contacts.answers import Retention
from tablegram.flows.contacts.retention import RetentionChange

_TAGS = ["Contacts"]


@get(
    "/retention",
    opt={"scope": "contacts:read"},
    tags=_TAGS,
    summary="How long data is kept",
    operation_id="getRetention",
)
async def get_retention(request: ApiRequest) -> Response[Retention]:
    """How long the account keeps messages and silent contacts."""
    return json(await request.deps.contacts.keeping.told(request.caller))


@patch(
    "/retention",
    opt={"scope": "contacts:manage"},
    tags=_TAGS,
    summary="Change how long data is kept",
    operation_id="updateRetention",
)
async def update_retention(request: ApiRequest, data: JSONBody[ChangeRetention]) -> Response[Retention]:
    """What is older goes within an hour, for good; silent contacts are erased like one who asks for it."""
    return json(await request.deps.contacts.keeping.change(request.caller, taken_as(RetentionChange, data)))


HANDLERS = [get_retention, update_retention]
