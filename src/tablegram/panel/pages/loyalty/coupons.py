"""Coupons: which there are, how often each was used, and a form for a new one.

GET  /panel/loyalty/coupons                ?cursor=
POST /panel/loyalty/coupons
POST /panel/loyalty/coupons/{coupon_id}    switches it on or off
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any, TypeVar

from litestar import get, post
from litestar.params import FromPath
from msgspec.structs import asdict

from tablegram.errors import Problem
from tablegram.flows.loyalty.answers.rewards import CouponView
from tablegram.flows.loyalty.fields import CouponFields
from tablegram.flows.restaurant.answers.venues import VenueView
from tablegram.loyalty.coupons import Gives, Kind, OrderType
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.i18n import format_number
from tablegram.panel.pages.loyalty.members import HOME, PER_PAGE, services_of
from tablegram.panel.pages.restaurant.venues import venues_of
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.money import from_wire, written

_READ, _MANAGE = {"scope": "loyalty:read"}, {"scope": "loyalty:manage"}
KINDS: tuple[Kind, ...] = ("code", "welcome", "birthday", "win_back")
GIVES: tuple[Gives, ...] = ("percent", "amount", "item")
ORDER_TYPES: tuple[OrderType, ...] = ("dine_in", "takeaway", "delivery")
_Choice = TypeVar("_Choice", bound=str)


@get("/loyalty/coupons", opt=_READ)
async def list_coupons(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _shown(request, visitor, deps, Form())


@post("/loyalty/coupons", opt=_MANAGE, status_code=200)
async def make_coupon(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    typed = _typed(visitor, form)
    call = once(form, "panel coupon", repr(sorted(typed.items())))
    try:
        await services_of(deps).coupons.make(visitor.caller, typed, call)
    except Problem as problem:
        return await _shown(request, visitor, deps, form, problem)
    return redirect(request, f"{HOME}/coupons", toast=visitor.t("loyalty.coupon_made"))


@post("/loyalty/coupons/{coupon_id:str}", opt=_MANAGE)
async def switch_coupon(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, coupon_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    is_active = form.text("is_active") == "1"
    await services_of(deps).coupons.change(visitor.caller, coupon_id, {"is_active": is_active})
    toast = visitor.t("loyalty.coupon_on" if is_active else "loyalty.coupon_off")
    return redirect(request, f"{HOME}/coupons", toast=toast)


async def _shown(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, form: Form, problem: Problem | None = None
) -> PageResponse:
    desk = services_of(deps).coupons
    found = await desk.page(visitor.caller, limit=PER_PAGE, cursor=asked(request, "cursor") or None)
    venues = await venues_of(deps, visitor) if visitor.can("restaurant:read") else []
    return page(
        request,
        visitor,
        "loyalty/coupons.html",
        coupons=[_coupon(visitor, one) for one in found.data],
        next_cursor=found.next_cursor,
        kinds=KINDS,
        order_types=ORDER_TYPES,
        venues=[(one.id, one.name) for one in venues],
        items=await _dishes(visitor, deps, venues),
        currency=venues[0].currency if venues else "TRY",
        form=form,
        mark=form.text("once") or new_mark(),
        problem=problem,
        status=problem.status if problem else 200,
    )


async def _dishes(visitor: Visitor, deps: PanelDeps, venues: list[VenueView]) -> list[tuple[str, str]]:
    """What may be free: the dishes of every menu."""
    found: list[tuple[str, str]] = []
    for venue in venues:
        menu = await deps.restaurant.menu_desk.menu(visitor.caller, venue.id)
        found += [(item.id, item.name) for item in menu.items]
    return found


def _coupon(visitor: Visitor, one: CouponView) -> dict[str, Any]:
    language = visitor.language
    if one.gives == "percent":
        gives = visitor.t("loyalty.gives_percent_off", percent=format_number(language, one.percent))
    elif one.gives == "amount":
        gives = written(from_wire(one.amount, one.currency), one.currency, language)
    else:
        gives = visitor.t("loyalty.gives_item_free")
    return {**asdict(one), "shows": gives, "ends": None if one.ends_at is None else at_ms(one.ends_at)}


def _typed(visitor: Visitor, form: Form) -> CouponFields:
    gives = _one_of(GIVES, form.text("gives"))
    fields: CouponFields = {
        "name": form.text("name"),
        "kind": _one_of(KINDS, form.text("kind")),
        "gives": gives,
        "currency": form.text("currency"),
        "per_person": _limit(form, "per_person"),
        "in_all": _limit(form, "in_all"),
        "venue_id": form.text("venue_id") or None,
        "order_types": [one for one in ORDER_TYPES if one in form.all("order_types")],
        "minimum": form.number("minimum") or 0,
        "starts_at": _day(visitor, form.text("starts_on")),
        "ends_at": _day(visitor, form.text("ends_on"), after=True),
    }
    if form.text("code"):
        fields["code"] = form.text("code")
    if gives == "percent":
        fields["percent"] = form.number("percent") or 0
    elif gives == "amount":
        fields["amount"] = form.number("amount") or 0
    else:
        fields["item_id"] = form.text("item_id") or None
    return fields


def _one_of(known: tuple[_Choice, ...], text: str) -> _Choice:
    """What was chosen; the first one where it is none of them."""
    return next((one for one in known if one == text), known[0])


def _limit(form: Form, name: str) -> int | None:
    given = form.number(name)
    return None if given is None else int(given)


def _day(visitor: Visitor, text: str, *, after: bool = False) -> int | None:
    """The beginning of a day by the visitor's clock, or its end."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    there = datetime.combine(day + timedelta(days=1) if after else day, time(), visitor.zone)
    return int(there.timestamp() * 1_000)


HANDLERS = [list_coupons, make_coupon, switch_coupon]
