"""Gift cards: what is owed on them, each one with its movements, and a form to sell one or give it away.

GET  /panel/loyalty/gifts                     ?state=&cursor=
POST /panel/loyalty/gifts
POST /panel/loyalty/gifts/check               what is left on the card of a code
GET  /panel/loyalty/gifts/{gift_id}
POST /panel/loyalty/gifts/{gift_id}/{send, cancel}
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import msgspec
from litestar import get, post
from litestar.params import FromPath

from tablegram.engine.idempotency import Call
from tablegram.errors import Invalid, Problem
from tablegram.flows.loyalty.fields import GiftFields, ReceiverFields
from tablegram.flows.loyalty.gifts.answers import GiftView, WholeGift
from tablegram.loyalty.gifts.model import PaidBy
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.pages.loyalty.members import HOME, PER_PAGE, services_of
from tablegram.panel.pages.restaurant.orders.turns import in_turn
from tablegram.panel.pages.restaurant.venues import VenueChoice, look_at
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.money import from_wire, from_writing, to_wire, written
from tablegram.values.opening_hours import moment
from tablegram.values.phone import read_phone_in

_READ, _MANAGE = {"scope": "loyalty:read"}, {"scope": "loyalty:manage"}
GIFTS = f"{HOME}/gifts"
STATES = ("active", "spent", "expired", "cancelled")
WAYS: tuple[PaidBy, ...] = ("cash", "card", "online", "given")
TONES = {"active": "ok", "spent": "muted", "expired": "muted", "cancelled": "bad"}
_KINDS = {"issue": "ok", "give_back": "ok", "redeem": "info", "expire": "muted", "cancel": "warn"}


@get("/loyalty/gifts", opt=_READ)
async def list_gifts(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _listed(request, visitor, deps, Form())


@post("/loyalty/gifts", opt=_READ, status_code=200)
async def make_gift(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    acting = await in_turn(visitor, deps)
    try:
        place = await look_at(request, deps, visitor, form.text("venue_id"))
        fields = _typed(form, place)
        call = once(form, "panel gift card", repr(sorted(fields.items(), key=lambda one: one[0])))
        made = (await services_of(deps).gifts.issue(acting.caller, fields, call)).value
    except Problem as problem:
        return await _listed(request, visitor, deps, form, problem)
    waits = made.contact_id is not None and made.sent_at is None
    kind = "waits" if waits else "sent" if made.sent_at else "made"
    return redirect(request, f"{GIFTS}/{made.id}", toast=visitor.t(f"gifts.toast_{kind}"))


@post("/loyalty/gifts/check", opt=_READ, status_code=200)
async def check_gift(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    found = (await services_of(deps).gifts.check(visitor.caller, form.text("code"), Call("panel gift check"))).value
    if found.gift is None:
        problem = Invalid.field("code", "gift_code_unknown", found.detail)
        return await _listed(request, visitor, deps, form, problem)
    return redirect(request, f"{GIFTS}/{found.gift.id}")


@get("/loyalty/gifts/{gift_id:str}", opt=_READ)
async def show_gift(request: PageRequest, visitor: VisitorOf, deps: DepsOf, gift_id: FromPath[str]) -> PageResponse:
    return await _shown(request, visitor, deps, gift_id, Form())


@post("/loyalty/gifts/{gift_id:str}/send", opt=_MANAGE, status_code=200)
async def send_gift(request: PageRequest, visitor: VisitorOf, deps: DepsOf, gift_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    try:
        gift = await services_of(deps).gifts.get(visitor.caller, gift_id)
        fields = _receiver(form, await look_at(request, deps, visitor, gift.venue_id))
        call = once(form, f"panel send gift {gift_id}", repr(fields))
        await services_of(deps).gifts.send(visitor.caller, gift_id, fields, call)
    except Problem as problem:
        return await _shown(request, visitor, deps, gift_id, form, problem)
    return redirect(request, f"{GIFTS}/{gift_id}", toast=visitor.t("gifts.toast_sent"))


@post("/loyalty/gifts/{gift_id:str}/cancel", opt=_MANAGE, status_code=200)
async def cancel_gift(request: PageRequest, visitor: VisitorOf, deps: DepsOf, gift_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    reason, back = form.text("reason"), form.flag("gives_money_back")
    call = once(form, f"panel cancel gift {gift_id}", f"{reason} {back}")
    try:
        await services_of(deps).gifts.cancel(visitor.caller, gift_id, reason, call, gives_money_back=back)
    except Problem as problem:
        return await _shown(request, visitor, deps, gift_id, form, problem)
    return redirect(request, f"{GIFTS}/{gift_id}", toast=visitor.t("gifts.toast_cancelled"))


async def _listed(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, form: Form, problem: Problem | None = None
) -> PageResponse:
    desk, state = services_of(deps).gifts, asked(request, "state")
    found = await desk.page(
        visitor.caller,
        state=state if state in STATES else None,
        limit=PER_PAGE,
        cursor=asked(request, "cursor") or None,
    )
    figures = await desk.figures(visitor.caller)
    place = await look_at(request, deps, visitor) if visitor.can("restaurant:read") else VenueChoice([], None)
    return page(
        request,
        visitor,
        "loyalty/gifts.html",
        gifts=[_gift(visitor, one) for one in found.data],
        next_cursor=found.next_cursor,
        states=STATES,
        state=state,
        owed=[(_money(visitor, one.amount, one.currency), one.cards) for one in figures.outstanding],
        place=place,
        ways=[one for one in WAYS if one != "given" or visitor.can("loyalty:manage")],
        may_sell=visitor.can("loyalty:manage") or visitor.can("payments:manage"),
        is_checked=form.has("code"),
        form=form,
        mark=form.text("once") or new_mark(),
        problem=problem,
        status=problem.status if problem else 200,
    )


async def _shown(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, gift_id: str, form: Form, problem: Problem | None = None
) -> PageResponse:
    gift = await services_of(deps).gifts.get(visitor.caller, gift_id)
    return page(
        request,
        visitor,
        "loyalty/gift.html",
        one=_gift(visitor, gift),
        moves=_moves(visitor, gift),
        form=form,
        mark=new_mark(),
        problem=problem,
        status=problem.status if problem else 200,
    )


def _money(visitor: Visitor, amount: float, currency: str) -> str:
    return written(from_wire(amount, currency), currency, visitor.language)


def _gift(visitor: Visitor, one: GiftView) -> dict[str, Any]:
    return {
        **msgspec.structs.asdict(one),
        "worth": _money(visitor, one.value, one.currency),
        "left": _money(visitor, one.balance, one.currency),
        "tone": TONES[one.state],
        "ends": None if one.expires_at is None else at_ms(one.expires_at),
        "sent": None if one.sent_at is None else at_ms(one.sent_at),
        "at": at_ms(one.created_at),
    }


def _moves(visitor: Visitor, gift: WholeGift) -> list[dict[str, Any]]:
    """The newest first."""
    return [
        {
            **msgspec.structs.asdict(one),
            "moved": _money(visitor, one.amount, gift.currency),
            "left": _money(visitor, one.balance, gift.currency),
            "paid": _money(visitor, one.money, gift.currency) if one.money else "",
            "tone": _KINDS[one.kind],
            "at": at_ms(one.created_at),
        }
        for one in reversed(gift.movements)
    ]


def _typed(form: Form, place: VenueChoice) -> GiftFields:
    if place.venue is None:
        raise Invalid.field("venue_id", "venue_unknown", "Set a venue up first.")
    currency = place.venue.currency
    try:
        amount = to_wire(from_writing(form.text("amount"), currency), currency)
    except ValueError:
        raise Invalid.field("amount", "amount_unreadable", "Write an amount, for example 500.") from None
    way = next((one for one in WAYS if one == form.text("paid_by")), WAYS[0])
    fields: GiftFields = {
        "amount": amount, "paid_by": way, "venue_id": place.id,
        "reason": form.text("reason"), "from_name": form.text("from_name"), "greeting": form.text("greeting"),
        "expires_at": _ends(form, place.venue.time_zone),
    }  # fmt: skip
    if phone := _receiver(form, place).get("phone"):
        fields["phone"] = phone
    return fields


def _receiver(form: Form, place: VenueChoice) -> ReceiverFields:
    phone = form.text("phone")
    return {"phone": read_phone_in(phone, place.country)} if phone else {}


def _ends(form: Form, time_zone: str) -> int | None:
    """The end of the last day, by the clock of the venue."""
    if not form.text("last_day"):
        return None
    try:
        day = date.fromisoformat(form.text("last_day"))
    except ValueError:
        raise Invalid.field("last_day", "day_invalid", "Choose a day.") from None
    return moment(day + timedelta(days=1), 0, time_zone)


HANDLERS = [list_gifts, make_gift, check_gift, show_gift, send_gift, cancel_gift]
