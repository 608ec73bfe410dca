"""Gift cards."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routes.restaurant.paths import given
from tablegram.api.routing import segment
from tablegram.api.rules import parse_moment_ms
from tablegram.api.schemas.loyalty.gifts import CancelGift, CheckGift, CreateGift, SendGift
from tablegram.flows.loyalty.desks.gift_desk import GiftDesk
from tablegram.flows.loyalty.fields import GiftFields, ReceiverFields
from tablegram.flows.loyalty.gifts.answers import CheckedGift, GiftFigures, GiftPage, WholeGift
from tablegram.flows.loyalty.services import LoyaltyServices
from tablegram.loyalty.gifts.model import GiftState

_READ, _MANAGE = {"scope": "loyalty:read"}, {"scope": "loyalty:manage"}
_TAGS = ["Loyalty"]
_ALL = "/loyalty/gifts"
_ONE = _ALL + "/{gift_id:str}"

GiftId = Annotated[str, PathParameter(description="The gift card.")]
_State = Annotated[GiftState | None, QueryParameter(description="Only cards in this state.")]
_Whose = Annotated[str | None, QueryParameter(max_length=64, description="Only those of this contact.")]


def _desk(request: ApiRequest) -> GiftDesk:
    return request.deps.services.of(LoyaltyServices).gifts


@get(_ALL, opt=_READ, tags=_TAGS, summary="List gift cards", operation_id="listGifts")
async def list_gifts(
    request: ApiRequest, status: _State = None, contact_id: _Whose = None, limit: Limit = 50, cursor: Cursor = None
) -> Response[GiftPage]:
    """Gift cards of the account, newest first. Codes are in full for `loyalty:manage` alone."""
    page = _desk(request).page
    return json(await page(request.caller, state=status, contact_id=contact_id or None, limit=limit, cursor=cursor))


@post(_ALL, status_code=201, opt=_MANAGE, tags=_TAGS, summary="Make a gift card", operation_id="createGift")
async def create_gift(request: ApiRequest, data: JSONBody[CreateGift]) -> Response[WholeGift]:
    """Makes a gift card and draws its code; with a receiver, sends it. What came for it is no revenue until it is spent.

    With an Idempotency-Key, a call that is repeated makes one card. Spend it with `takePayment` and
    `method` `gift`, or with `payOrderByGift`.
    """
    fields = given(data, GiftFields)
    if data.expires_at is not None:
        fields["expires_at"] = parse_moment_ms(data.expires_at)
    return answered(await _desk(request).issue(request.caller, fields, request.call()))


@post(
    f"{_ALL}/check",
    status_code=200,
    opt=_READ,
    tags=_TAGS,
    summary="Check a gift card's code",
    operation_id="checkGift",
)
async def check_gift(request: ApiRequest, data: JSONBody[CheckGift]) -> Response[CheckedGift]:
    """What is left on the card of a code, and whether it pays right now. Nothing is spent."""
    return answered(await _desk(request).check(request.caller, data.code, request.call()))


@get(f"{_ALL}/figures", opt=_READ, tags=_TAGS, summary="What is owed on gift cards", operation_id="getGiftFigures")
async def get_gift_figures(request: ApiRequest) -> Response[GiftFigures]:
    """What is left on all cards, by currency: a liability until they are spent, expire or are cancelled."""
    return json(await _desk(request).figures(request.caller))


@get(_ONE, opt=_READ, tags=_TAGS, summary="Look up a gift card", operation_id="getGift")
async def get_gift(request: ApiRequest, gift_id: GiftId) -> Response[WholeGift]:
    """One gift card, and every movement of its value."""
    return json(await _desk(request).get(request.caller, segment(gift_id)))


@post(f"{_ONE}/send", status_code=200, opt=_MANAGE, tags=_TAGS, summary="Send a gift card", operation_id="sendGift")
async def send_gift(request: ApiRequest, gift_id: GiftId, data: JSONBody[SendGift]) -> Response[WholeGift]:
    """Writes value and code to the receiver, once more or to somebody else, whose card it is from then on."""
    return answered(
        await _desk(request).send(request.caller, segment(gift_id), given(data, ReceiverFields), request.call())
    )


@post(
    f"{_ONE}/cancel", status_code=200, opt=_MANAGE, tags=_TAGS, summary="Cancel a gift card", operation_id="cancelGift"
)
async def cancel_gift(request: ApiRequest, gift_id: GiftId, data: JSONBody[CancelGift]) -> Response[WholeGift]:
    """It pays nothing any more. What was spent stays spent; what is left may go back in money."""
    cancel = _desk(request).cancel
    return answered(
        await cancel(
            request.caller, segment(gift_id), data.reason, request.call(), gives_money_back=data.gives_money_back
        )
    )


HANDLERS = [list_gifts, create_gift, check_gift, get_gift_figures, get_gift, send_gift, cancel_gift]
