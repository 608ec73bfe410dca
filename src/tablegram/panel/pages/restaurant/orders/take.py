"""A waiter takes an order at the table, or changes one, on a tablet or a phone.

GET  /panel/take    ?venue=, ?table=, or ?order= to change one
GET  /panel/take/guest    ?phone=: who has ordered from it before
POST /panel/take    what was put together, as JSON in the field `wish`
"""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, get, post

from tablegram.errors import Invalid, Problem
from tablegram.flows.restaurant.answers.venues import TableView
from tablegram.flows.restaurant.desks.regulars import Sitting
from tablegram.flows.restaurant.fields import ChangeFields, TakeFields
from tablegram.flows.restaurant.orders.answers import WholeOrder
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.pages.restaurant.orders.board import refused
from tablegram.panel.pages.restaurant.orders.turns import in_turn, shared
from tablegram.panel.pages.restaurant.venues import look_at
from tablegram.panel.render import PageResponse, page
from tablegram.panel.visitor import Visitor
from tablegram.restaurant.orders.states import OrderType, PaymentMethod
from tablegram.values.phone import read_phone_in

_ORDERS = {"scope": "orders:manage"}
MAX_LINES = 200


class Choice(msgspec.Struct, forbid_unknown_fields=True):
    option_id: str
    quantity: int = 1


class WishedLine(msgspec.Struct, forbid_unknown_fields=True):
    item_id: str
    quantity: int
    choices: list[Choice] = []
    note: str = ""


class Wish(msgspec.Struct, forbid_unknown_fields=True):
    """What the page put together. Names and prices are the menu's, whatever the page showed."""

    venue_id: str
    lines: list[WishedLine]
    order_type: OrderType = "dine_in"
    table_id: str = ""
    notes: str = ""
    name: str = ""
    phone: str = ""
    address: str = ""
    payment_method: PaymentMethod | None = None
    # An order that is changed, and as which revision it was seen.
    order_id: str = ""
    revision: int | None = None


_decode = msgspec.json.Decoder(Wish).decode


@get("/take", opt=_ORDERS)
async def show_take(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    order_id = asked(request, "order")
    order = await deps.restaurant.orders.get(visitor.caller, order_id) if order_id else None
    place = await look_at(request, deps, visitor, order.venue_id if order else "")
    if place.venue is None:
        return page(request, visitor, "restaurant/board/none.html")
    # The venue is the account's own: `look_at` found it among them.
    seat = await deps.restaurant.guests.seat(place.id, None, None)
    edition = await deps.restaurant.guests.menu(seat.venue, visitor.language)
    standing = await deps.restaurant.guests.standing(seat.venue)
    tables = await deps.restaurant.table_desk.tables(visitor.caller, place.id)
    sat = await deps.restaurant.regulars.sat(visitor.caller, place.id)
    return page(
        request,
        visitor,
        "restaurant/orders/take.html",
        place=place,
        order=order,
        shared=await shared(request, visitor, deps, place.id),
        has_menu=b'"categories":[]' not in edition.body,
        facts={
            "menu": msgspec.Raw(edition.body),
            "standing": standing,
            "tables": [{**named(one), **_sits(sat.get(one.id))} for one in tables],
            # What sells most, of the last orders.
            "quick": await deps.restaurant.regulars.quick(visitor.caller, place.id),
            "venue": {"id": place.id, "service_charge": place.venue.service_charge},
            "table": asked(request, "table"),
            "order": None if order is None else _known(order),
        },
        mark=new_mark(),
    )


def named(table: TableView) -> dict[str, object]:
    return {"id": table.id, "label": table.label, "section": table.section_name}


@get("/take/guest", opt=_ORDERS)
async def known_guest(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> Response[Any]:
    """Name and address of who ordered from a number last, for who may see them; nothing where nobody did."""
    place = await look_at(request, deps, visitor)
    try:
        phone = read_phone_in(asked(request, "phone"), place.country)
    except Problem:
        phone = ""
    guest = await deps.restaurant.regulars.guest(visitor.caller, phone) if phone else {}
    return Response(guest, status_code=200, media_type="application/json", headers={"Cache-Control": "no-store"})


@post("/take", opt=_ORDERS)
async def send_order(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> Response[Any]:
    form = await read_form(request)
    visitor = await in_turn(visitor, deps)
    try:
        wish = _read(form.raw("wish"))
        order = await _change(visitor, deps, wish) if wish.order_id else await _take(request, visitor, deps, wish, form)
    except Problem as problem:
        return refused(visitor, problem)
    return Response(
        {"order_id": order.order_id, "location": f"/panel/orders/{order.order_id}", "once": new_mark()},
        status_code=200,
        media_type="application/json",
    )


async def _take(request: PageRequest, visitor: Visitor, deps: PanelDeps, wish: Wish, form: Form) -> WholeOrder:
    place = await look_at(request, deps, visitor, wish.venue_id)
    turn = await deps.restaurant.turns.at(visitor.caller, visitor.session.id)
    fields: TakeFields = {
        "venue_id": wish.venue_id,
        "order_type": wish.order_type,
        "lines": msgspec.to_builtins(wish.lines),
        "notes": wish.notes,
        "customer_name": wish.name,
        "customer_phone": read_phone_in(wish.phone, place.country) if wish.phone else "",
        "address": wish.address,
        # Whoever is at a shared tablet has taken it, and nobody else's table is theirs by that.
        "taken_by": turn.name if turn and turn.venue_id == wish.venue_id else "",
    }
    if wish.order_type == "dine_in":
        fields["table_id"] = wish.table_id or None
    if wish.payment_method is not None:
        fields["payment_method"] = wish.payment_method
    answer = await deps.restaurant.orders.take(visitor.caller, fields, once(form, "panel take", form.raw("wish")))
    return answer.value


async def _change(visitor: Visitor, deps: PanelDeps, wish: Wish) -> WholeOrder:
    fields: ChangeFields = {"lines": msgspec.to_builtins(wish.lines), "notes": wish.notes, "customer_name": wish.name}
    if wish.table_id:
        fields["table_id"] = wish.table_id
    if wish.revision is not None:
        fields["revision"] = wish.revision
    return await deps.restaurant.orders.change(visitor.caller, wish.order_id, fields)


def _read(text: str) -> Wish:
    try:
        wish = _decode(text.encode("utf-8", "replace"))
    except msgspec.DecodeError:
        raise Invalid.field("wish", "request_malformed", "The page sent something unreadable. Load it again.") from None
    if not wish.lines:
        raise Invalid.field("lines", "cart_empty", "Choose something first.")
    if len(wish.lines) > MAX_LINES:
        raise Invalid.field("lines", "cart_too_large", f"An order has at most {MAX_LINES} lines.")
    return wish


def _sits(found: Sitting | None) -> dict[str, int]:
    return {} if found is None else {"since": found.since, "amount": found.amount}


def _known(order: WholeOrder) -> dict[str, object]:
    """As much of an order as the page needs to change it."""
    lines = [
        {name: getattr(one, name) for name in ("item_id", "name", "quantity", "unit_price", "choices", "note")}
        for one in order.items
    ]
    names = ("order_id", "order_type", "revision", "notes", "table_id", "table_number", "payment_method")
    return {**{name: getattr(order, name) for name in names}, "name": order.customer.name, "lines": lines}


HANDLERS = [show_take, known_guest, send_order]
