"""Coupons, and what is redeemed on orders."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routes.restaurant.paths import given
from tablegram.api.routing import segment
from tablegram.api.rules import parse_moment_ms
from tablegram.api.schemas.loyalty.coupons import CheckCoupon, CreateCoupon, RedeemReward, UpdateCoupon
from tablegram.flows.loyalty.answers.rewards import CheckedCoupon, CouponPage, CouponView, RedemptionView
from tablegram.flows.loyalty.fields import CouponFields, RedeemFields
from tablegram.flows.loyalty.services import LoyaltyServices
from tablegram.loyalty.coupons import Kind

_READ, _MANAGE, _ORDERS = {"scope": "loyalty:read"}, {"scope": "loyalty:manage"}, {"scope": "orders:manage"}
_TAGS = ["Loyalty"]
_ALL = "/loyalty/coupons"
_ONE = _ALL + "/{coupon_id:str}"

CouponId = Annotated[str, PathParameter(description="The coupon.")]
RedemptionId = Annotated[str, PathParameter(description="What was redeemed.")]
_Kind = Annotated[Kind | None, QueryParameter(description="Only of this kind.")]


def _services(request: ApiRequest) -> LoyaltyServices:
    return request.deps.services.of(LoyaltyServices)


def _fields(data: CreateCoupon | UpdateCoupon) -> CouponFields:
    fields = given(data, CouponFields)
    if isinstance(data.starts_at, str):
        fields["starts_at"] = parse_moment_ms(data.starts_at)
    if isinstance(data.ends_at, str):
        fields["ends_at"] = parse_moment_ms(data.ends_at)
    return fields


@get(_ALL, opt=_READ, tags=_TAGS, summary="List coupons", operation_id="listCoupons")
async def list_coupons(
    request: ApiRequest, kind: _Kind = None, limit: Limit = 50, cursor: Cursor = None
) -> Response[CouponPage]:
    """The account's coupons, newest first, and how often each was used."""
    return json(await _services(request).coupons.page(request.caller, kind=kind, limit=limit, cursor=cursor))


@post(_ALL, status_code=201, opt=_MANAGE, tags=_TAGS, summary="Make a coupon", operation_id="createCoupon")
async def create_coupon(request: ApiRequest, data: JSONBody[CreateCoupon]) -> Response[CouponView]:
    """Makes a coupon: a percentage, an amount, or a free dish, with limits."""
    return answered(await _services(request).coupons.make(request.caller, _fields(data), request.call()))


@post(
    f"{_ALL}/check", status_code=200, opt=_READ, tags=_TAGS, summary="Check a coupon's code", operation_id="checkCoupon"
)
async def check_coupon(request: ApiRequest, data: JSONBody[CheckCoupon]) -> Response[CheckedCoupon]:
    """Whether a code is valid right now. Nothing is used; the order decides about minimum, dishes, venue and type."""
    desk = _services(request).coupons
    return answered(await desk.check(request.caller, data.code, data.contact_id, request.call()))


@get(_ONE, opt=_READ, tags=_TAGS, summary="Look up a coupon", operation_id="getCoupon")
async def get_coupon(request: ApiRequest, coupon_id: CouponId) -> Response[CouponView]:
    """One coupon."""
    return json(await _services(request).coupons.get(request.caller, segment(coupon_id)))


@patch(_ONE, opt=_MANAGE, tags=_TAGS, summary="Change a coupon", operation_id="updateCoupon")
async def update_coupon(request: ApiRequest, coupon_id: CouponId, data: JSONBody[UpdateCoupon]) -> Response[CouponView]:
    """Changes its name, times and limits, or switches it off. What it gives stays: make another one."""
    return json(await _services(request).coupons.change(request.caller, segment(coupon_id), _fields(data)))


@post(
    "/loyalty/redemptions",
    status_code=201,
    opt=_ORDERS,
    tags=_TAGS,
    summary="Redeem on an order",
    operation_id="redeemReward",
)
async def redeem(request: ApiRequest, data: JSONBody[RedeemReward]) -> Response[RedemptionView]:
    """Uses a coupon or points on an order that runs: a discount with its reason. An order has at most one of each."""
    return answered(
        await _services(request).redeeming.redeem(request.caller, given(data, RedeemFields), request.call())
    )


@delete(
    "/loyalty/redemptions/{redemption_id:str}",
    status_code=204,
    opt=_ORDERS,
    tags=_TAGS,
    summary="Take a redemption back",
    operation_id="takeRedemptionBack",
)
async def take_redemption_back(request: ApiRequest, redemption_id: RedemptionId) -> None:
    """The order is to be paid without it, and whoever had it has it again."""
    await _services(request).redeeming.take_back(request.caller, segment(redemption_id))


HANDLERS = [list_coupons, create_coupon, check_coupon, get_coupon, update_coupon, redeem, take_redemption_back]
