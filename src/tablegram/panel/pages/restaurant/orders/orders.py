"""Orders: the list of all of them, one of them, and what is done to it.

GET  /panel/orders                      ?venue=, ?q=, ?state=, ?type=, ?day=, ?sort=, ?cursor=
GET  /panel/orders/{order_id}
POST /panel/orders/{order_id}/{action}  a tap on the board or a form of the order's own page
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, cast
from zoneinfo import ZoneInfo

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from tablegram.engine.idempotency import Call
from tablegram.errors import Invalid, Problem
from tablegram.flows.restaurant.answers.venues import VenueView
from tablegram.flows.restaurant.fields import ActFields
from tablegram.flows.restaurant.kitchen.answers import OrderProgress, TapView
from tablegram.flows.restaurant.orders.answers import OrderItem, OrderView, WholeOrder
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms, choice, with_times
from tablegram.panel.frame.once import new_mark
from tablegram.panel.i18n import format_moment, translate
from tablegram.panel.pages.contacts.contacts import amounts_of
from tablegram.panel.pages.inbox.writing import wants_json
from tablegram.panel.pages.restaurant.orders import cards as order_cards
from tablegram.panel.pages.restaurant.orders.board import refused
from tablegram.panel.pages.restaurant.orders.gifts import PAY_GIFT, open_by_gift, pay_gift
from tablegram.panel.pages.restaurant.orders.rewards import REWARDING, reward, rewards_of
from tablegram.panel.pages.restaurant.orders.turns import in_turn
from tablegram.panel.pages.restaurant.venues import look_at, price
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.restaurant.orders.states import ORDER_TYPES, STATES, PaymentMethod
from tablegram.restaurant.store.orders import Filter, Sort
from tablegram.values.opening_hours import moment
from tablegram.values.words import LANGUAGES

_ORDERS = {"scope": "orders:manage"}
HOME = "/panel/orders"
PER_PAGE = 30
SORTS: dict[str, Sort] = {"-placed": "-placed", "placed": "placed", "-total": "-total", "total": "total"}


@get("/orders", opt=_ORDERS)
async def list_orders(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    place = await look_at(request, deps, visitor)
    if place.venue is None:
        return page(request, visitor, "restaurant/board/none.html")
    state, kind = choice(request, "state", ("", "open", *STATES)), choice(request, "type", ("", *ORDER_TYPES))
    search, problem, since, until = asked(request, "q"), None, None, None
    try:
        since, until = _day(asked(request, "day"), place.venue.time_zone)
    except Invalid as error:
        problem = error
    sort = SORTS[choice(request, "sort", tuple(SORTS))]
    wanted: Filter = {
        "venue_id": place.id,
        "state": state if state not in ("", "open") else None,
        "open_only": state == "open",
        "order_type": kind or None,
        "since_ms": since,
        "until_ms": until,
    }
    found = await deps.restaurant.orders.page(
        visitor.caller, limit=PER_PAGE, cursor=asked(request, "cursor") or None, q=search or None, sort=sort, **wanted
    )
    names = await deps.restaurant.menu_desk.spoken(visitor.caller, place.id, visitor.language)
    filtered = bool(search or state or kind or since)
    # What a list comes to is for who takes money, and for a list that was narrowed.
    sums = None
    if filtered and visitor.can("payments:manage"):
        sums = await deps.restaurant.orders.sums(visitor.caller, search or None, **wanted)
    return page(
        request,
        visitor,
        "restaurant/orders/list.html",
        problem=problem,
        place=place,
        orders=[_timed(one, names) for one in found.data],
        next_cursor=found.next_cursor,
        sort=sort,
        sums=sums,
        sum_words=amounts_of(visitor, sums.amounts) if sums else "",
        filtered=filtered,
        states=STATES,
        kinds=ORDER_TYPES,
        cash=lambda order: (
            price(visitor, order["currency"], order["total_amount"]) if visitor.can("payments:manage") else ""
        ),
    )


@get("/orders/{order_id:str}", opt=_ORDERS)
async def show_order(request: PageRequest, visitor: VisitorOf, deps: DepsOf, order_id: FromPath[str]) -> PageResponse:
    return await _order_page(request, visitor, deps, order_id)


async def _order_page(
    request: PageRequest,
    visitor: Visitor,
    deps: PanelDeps,
    order_id: str,
    form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:
    found = await deps.restaurant.orders.get(visitor.caller, order_id)
    names = await deps.restaurant.menu_desk.spoken(visitor.caller, found.venue_id, visitor.language)
    order = _timed(found, names)
    place = await look_at(request, deps, visitor, found.venue_id)
    assert place.venue is not None
    card = order_cards.card_of(visitor, place.venue, found, "", deps.clock.now_ms())
    progress = await deps.restaurant.kitchen.progress(visitor.caller, order_id)
    money = await deps.restaurant.orders.money(visitor.caller, order_id) if visitor.can("payments:manage") else []
    return page(
        request,
        visitor,
        "restaurant/orders/order.html",
        form=form,
        problem=problem,
        place=place,
        order=order,
        card=card,
        money=money,
        left=round(sum(one.amount if one.kind == "payment" else -one.amount for one in money), 4),
        zone=order_cards.zone_words(visitor, found.destination),
        # Who did what at which station, the first of it first.
        taps=[
            {**with_times(msgspec.structs.asdict(one)), "at": at_ms(one.at), "dishes": _tapped(progress, one)}
            for one in progress.taps[::-1]
        ],
        # On paper, by the clock in the venue.
        placed_words=_on_paper(visitor, place.venue, order["created_at"]),
        promised_words=_on_paper(visitor, place.venue, order["promised_at"]),
        subtotal=sum(round(one.quantity * one.unit_price, 4) for one in found.items),
        cash=lambda amount: (
            price(visitor, order["currency"], round(amount, 4)) if visitor.can("payments:manage") else ""
        ),
        delays=order_cards.DELAYS_MIN,
        reject_reasons=order_cards.REJECT_REASONS,
        cancel_reasons=order_cards.CANCEL_REASONS,
        paid_by=order_cards.PAID_BY,
        opened=form is not None,
        rewards=await rewards_of(visitor, deps, found),
        by_gift=await open_by_gift(visitor, deps, found),
        mark=(form.text("once") if form else "") or new_mark(),
    )


@post("/orders/{order_id:str}/{action:str}", opt=_ORDERS)
async def act(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, order_id: FromPath[str], action: FromPath[str]
) -> Response[Any]:
    form = await read_form(request)
    visitor = await in_turn(visitor, deps)
    try:
        if action in REWARDING:
            toast = await reward(visitor, deps, order_id, action, form)
        elif action == PAY_GIFT:
            toast = await pay_gift(visitor, deps, order_id, form)
        else:
            toast = await _act(visitor, deps, order_id, action, form)
    except Problem as problem:
        if wants_json(request):
            return refused(visitor, problem)
        return await _order_page(request, visitor, deps, order_id, form, problem)
    if wants_json(request):
        return Response({"toast": toast}, status_code=200, media_type="application/json")
    return redirect(request, form.text("next") or f"{HOME}/{order_id}", toast=toast)


def _tapped(progress: OrderProgress, tap: TapView) -> str:
    """The dishes that somebody tapped, as far as they are still in the order."""
    return ", ".join(f"{one.quantity} × {one.kitchen_name}" for one in progress.lines if one.line_id in tap.line_ids)


async def _act(visitor: Visitor, deps: PanelDeps, order_id: str, action: str, form: Form) -> str:
    """Do it, and say what was done where that cannot be seen at once."""
    number = order_id.rpartition("-")[2]
    fields: ActFields = {}
    if form.text("revision").isdecimal():
        fields["revision"] = int(form.text("revision")[:9])
    if action in ("reject", "cancel"):
        fields["reason"] = await _reason(visitor, deps, order_id, action, form)
    if action == "refund":
        fields["reason"] = form.text("reason")
        fields["lines"] = [int(one) for one in form.all("lines") if one.isascii() and one.isdecimal() and len(one) < 4]
    if action == "delay":
        minutes = form.text("minutes")
        fields["minutes"] = int(minutes) if minutes.isascii() and minutes.isdecimal() and len(minutes) < 5 else 0
    if form.flag("paid"):
        fields["paid"] = True
    if form.text("payment_method"):
        # Whether there is such a way is for who takes the money to say.
        fields["payment_method"] = cast(PaymentMethod, form.text("payment_method"))
    await deps.restaurant.orders.act(visitor.caller, order_id, action, fields, Call("panel order"))
    said = ("reject", "cancel", "delay", "complete", "pay", "pay_in_person", "send_link", "refund")
    return visitor.t(f"orders.did_{action}", number=number) if action in said else ""


async def _reason(visitor: Visitor, deps: PanelDeps, order_id: str, action: str, form: Form) -> str:
    """What the guest is told: ready-made words in their language, or what was typed."""
    chosen = form.text("why")
    if chosen in ("", "other"):
        return form.text("reason")
    known = order_cards.REJECT_REASONS if action == "reject" else order_cards.CANCEL_REASONS
    if chosen not in known:
        return form.text("reason")
    language = (await deps.restaurant.orders.get(visitor.caller, order_id)).language.partition("-")[0]
    return translate(language if language in LANGUAGES else "en", f"orders.told_{chosen}")


def _spoken(item: OrderItem, names: dict[str, str]) -> OrderItem:
    """A line in the language of who reads it; what is no longer on the menu stays as the guest saw it."""
    chosen = [(names.get(one.option_id, ""), one.quantity) for one in item.choices]
    options = [name if count == 1 else f"{count} × {name}" for name, count in chosen]
    known = len(options) == len(item.options) and all(name for name, _ in chosen)
    name = names.get(item.item_id, item.name)
    return msgspec.structs.replace(item, name=name, options=options if known else item.options)


def _on_paper(visitor: Visitor, venue: VenueView | None, at: int | None) -> str:
    zone = visitor.zone if venue is None else ZoneInfo(venue.time_zone)
    return "" if at is None else format_moment(visitor.language, at, zone)


def _timed(order: OrderView, names: dict[str, str]) -> dict[str, Any]:
    """An order for its template, which writes times and dishes as the visitor reads them."""
    steps = order.history if isinstance(order, WholeOrder) else []
    history = [{**msgspec.structs.asdict(one), "at": at_ms(one.at)} for one in steps]
    items = [_spoken(one, names) for one in order.items]
    return {**with_times(msgspec.structs.asdict(order)), "items": items, "history": history}


def _day(text: str, time_zone: str) -> tuple[int | None, int | None]:
    """The moments between which a day of the venue's calendar lies; nothing without one."""
    if not text:
        return None, None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    if not 1970 < day.year <= 2200:
        raise Invalid.field("day", "day_invalid", "Choose a day of the calendar.")
    return moment(day, 0, time_zone), moment(day + timedelta(days=1), 0, time_zone)


HANDLERS = [list_orders, show_order, act]
