"""The programme, its members and their points."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, patch, post
from litestar.params import JSONBody, QueryParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.contacts.contacts import ContactId
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routes.restaurant.paths import given
from tablegram.api.routing import segment
from tablegram.api.schemas.loyalty.points import AdjustPoints, UpdateLoyaltyProgramme
from tablegram.flows.loyalty.answers.rewards import (
    AdjustedPoints,
    LoyaltyFigures,
    LoyaltyMemberPage,
    LoyaltyMovementPage,
    LoyaltyProgramme,
    WholeLoyaltyMember,
)
from tablegram.flows.loyalty.desks.points_desk import PointsDesk
from tablegram.flows.loyalty.fields import ProgrammeFields
from tablegram.flows.loyalty.services import LoyaltyServices

_READ, _MANAGE = {"scope": "loyalty:read"}, {"scope": "loyalty:manage"}
_TAGS = ["Loyalty"]
_MEMBER = "/loyalty/members/{contact_id:str}"

_Query = Annotated[
    str | None, QueryParameter(max_length=200, description="Name, number or tag; needs `contacts:read` as well.")
]
_DayCount = Annotated[int, QueryParameter(ge=1, le=366, description="How many days, the present one included.")]


def _desk(request: ApiRequest) -> PointsDesk:
    return request.deps.services.of(LoyaltyServices).points


@get("/loyalty/programme", opt=_READ, tags=_TAGS, summary="Look up the programme", operation_id="getLoyaltyProgramme")
async def get_programme(request: ApiRequest) -> Response[LoyaltyProgramme]:
    """What brings points and what they are worth. It is off until somebody switches it on."""
    return json(await _desk(request).programme(request.caller))


@patch(
    "/loyalty/programme", opt=_MANAGE, tags=_TAGS, summary="Change the programme", operation_id="updateLoyaltyProgramme"
)
async def update_programme(request: ApiRequest, data: JSONBody[UpdateLoyaltyProgramme]) -> Response[LoyaltyProgramme]:
    """Changes what is given and leaves the rest. Points that guests have stay theirs."""
    return json(await _desk(request).change_programme(request.caller, given(data, ProgrammeFields)))


@get("/loyalty/members", opt=_READ, tags=_TAGS, summary="List members", operation_id="listLoyaltyMembers")
async def list_members(
    request: ApiRequest, q: _Query = None, limit: Limit = 50, cursor: Cursor = None
) -> Response[LoyaltyMemberPage]:
    """Everybody who ever had points, those with the most first."""
    return json(await _desk(request).members(request.caller, q=q, limit=limit, cursor=cursor))


@get(_MEMBER, opt=_READ, tags=_TAGS, summary="Look up a member", operation_id="getLoyaltyMember")
async def get_member(request: ApiRequest, contact_id: ContactId) -> Response[WholeLoyaltyMember]:
    """A contact's points, and which of them expire next. Who has none yet has 0."""
    return json(await _desk(request).member(request.caller, segment(contact_id)))


@get(
    f"{_MEMBER}/movements",
    opt=_READ,
    tags=_TAGS,
    summary="List a member's movements",
    operation_id="listLoyaltyMovements",
)
async def list_movements(
    request: ApiRequest, contact_id: ContactId, limit: Limit = 50, cursor: Cursor = None
) -> Response[LoyaltyMovementPage]:
    """The ledger of a contact's points, newest first."""
    desk = _desk(request)
    return json(await desk.movements(request.caller, segment(contact_id), limit=limit, cursor=cursor))


@post(
    f"{_MEMBER}/adjust",
    status_code=201,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Give or take points",
    operation_id="adjustLoyaltyPoints",
)
async def adjust_points(
    request: ApiRequest, contact_id: ContactId, data: JSONBody[AdjustPoints]
) -> Response[AdjustedPoints]:
    """Gives points to a contact, or takes some that are there, with a reason."""
    desk = _desk(request)
    return answered(await desk.adjust(request.caller, segment(contact_id), data.points, data.reason, request.call()))


@get("/loyalty/figures", opt=_READ, tags=_TAGS, summary="Look at the figures", operation_id="getLoyaltyFigures")
async def get_figures(request: ApiRequest, days: _DayCount = 30) -> Response[LoyaltyFigures]:
    """Points given, redeemed, expired and taken back by day, and what is outstanding."""
    return json(await _desk(request).figures(request.caller, days))


HANDLERS = [get_programme, update_programme, list_members, get_member, list_movements, adjust_points, get_figures]
