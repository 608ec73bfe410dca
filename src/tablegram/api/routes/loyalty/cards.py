"""Stamp cards."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, patch, post
from litestar.params import JSONBody, PathParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.restaurant.paths import given
from tablegram.api.routing import segment
from tablegram.api.schemas.loyalty.cards import CreateStampCard, UpdateStampCard
from tablegram.flows.loyalty.answers.rewards import StampCard, StampCardList
from tablegram.flows.loyalty.desks.card_desk import CardDesk
from tablegram.flows.loyalty.fields import CardFields
from tablegram.flows.loyalty.services import LoyaltyServices

_READ, _MANAGE = {"scope": "loyalty:read"}, {"scope": "loyalty:manage"}
_TAGS = ["Loyalty"]
_ALL = "/loyalty/cards"

CardId = Annotated[str, PathParameter(description="The stamp card.")]


def _desk(request: ApiRequest) -> CardDesk:
    return request.deps.services.of(LoyaltyServices).cards


@get(_ALL, opt=_READ, tags=_TAGS, summary="List stamp cards", operation_id="listStampCards")
async def list_cards(request: ApiRequest) -> Response[StampCardList]:
    """All stamp cards of the account, at most 50, newest first."""
    return json(await _desk(request).every(request.caller))


@post(_ALL, status_code=201, opt=_MANAGE, tags=_TAGS, summary="Make a stamp card", operation_id="createStampCard")
async def create_card(request: ApiRequest, data: JSONBody[CreateStampCard]) -> Response[StampCard]:
    """Orders that are completed and paid from now on bring stamps; a full card becomes a coupon of the guest's own."""
    return answered(await _desk(request).make(request.caller, given(data, CardFields), request.call()))


@patch(_ALL + "/{card_id:str}", opt=_MANAGE, tags=_TAGS, summary="Change a stamp card", operation_id="updateStampCard")
async def update_card(request: ApiRequest, card_id: CardId, data: JSONBody[UpdateStampCard]) -> Response[StampCard]:
    """Changes what is given and leaves the rest."""
    return json(await _desk(request).change(request.caller, segment(card_id), given(data, CardFields)))


HANDLERS = [list_cards, create_card, update_card]
