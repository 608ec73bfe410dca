"""Bills of tables: who sits where and owes what, one bill, and the money that is taken for it.

GET  /panel/bills                           ?venue=, ?state=closed, ?cursor=
GET  /panel/bills/{tab}, /panel/bills/at/{table}
POST /panel/bills/{tab}/{take, discount, close, move}
POST /panel/bills/{tab}/payments/{payment}/back, /panel/bills/{tab}/discounts/{discount}/remove
"""

from __future__ import annotations

from typing import Any
from zlib import crc32

import msgspec
from litestar import get, post
from litestar.params import FromPath

from tablegram.errors import Invalid, Problem
from tablegram.flows.restaurant.bills.answers import BillOrder, BillView
from tablegram.flows.restaurant.fields import DiscountFields, PaymentFields
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms, choice, with_times
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.pages.restaurant.orders.turns import in_turn
from tablegram.panel.pages.restaurant.venues import look_at, price
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.figures.writing import exact
from tablegram.values.money import from_wire, to_wire
from tablegram.values.qr import draw_qr
from tablegram.values.texts.reasons import needed_reason

_MONEY = {"scope": "payments:manage"}
HOME = "/panel/bills"
PER_PAGE = 30
WAYS = ("all", "share", "guest", "dishes", "amount")
# Ready-made words for what nobody pays; `other` is typed.
REASONS = ("walked_out", "house", "complaint", "other")
MAX_PARTS = 12


@get("/bills", opt=_MONEY)
async def list_bills(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    place = await look_at(request, deps, visitor)
    if place.venue is None:
        return page(request, visitor, "restaurant/board/none.html")
    state = choice(request, "state", ("open", "closed"))
    found = await deps.restaurant.bills.page(
        visitor.caller, venue_id=place.id, state=state, limit=PER_PAGE, cursor=asked(request, "cursor") or None
    )
    return page(
        request,
        visitor,
        "restaurant/bills/list.html",
        place=place,
        state=state,
        tabs=[with_times(msgspec.structs.asdict(one)) for one in found.data],
        next_cursor=found.next_cursor,
        cash=lambda one, amount: price(visitor, one["currency"], amount),
    )


@get("/bills/at/{table_id:str}", opt=_MONEY)
async def bill_at(request: PageRequest, visitor: VisitorOf, deps: DepsOf, table_id: FromPath[str]) -> PageResponse:
    """To the bill of who sits at a table now; to all bills when nobody does. Another account's table is unknown."""
    place = await look_at(request, deps, visitor)
    seated = await deps.restaurant.bills.seated(visitor.caller, place.id) if place.venue else {}
    found = seated.get(table_id)
    if found:
        return redirect(request, f"{HOME}/{found.tab_id}")
    await deps.restaurant.table_desk.get(visitor.caller, place.id, table_id)
    return redirect(request, f"{HOME}?venue={place.id}")


@get("/bills/{tab_id:str}", opt=_MONEY)
async def show_bill(request: PageRequest, visitor: VisitorOf, deps: DepsOf, tab_id: FromPath[str]) -> PageResponse:
    return await bill_page(request, visitor, deps, tab_id)


async def bill_page(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, tab_id: str, form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:  # fmt: skip
    bill = await deps.restaurant.bills.get(visitor.caller, tab_id)
    place = await look_at(request, deps, visitor, bill.venue_id)
    seated = await deps.restaurant.bills.seated(visitor.caller, bill.venue_id)
    tables = await deps.restaurant.table_desk.tables(visitor.caller, bill.venue_id)
    currency = bill.currency
    return page(
        request,
        visitor,
        "restaurant/bills/bill.html",
        form=form,
        problem=problem,
        place=place,
        bill=bill,
        opened_at=at_ms(bill.opened_at),
        closed_at=at_ms(bill.closed_at),
        payments=_moved(visitor, bill),
        discounts=[{**msgspec.structs.asdict(one), "at": at_ms(one.at)} for one in bill.discounts],
        links=[
            {
                **msgspec.structs.asdict(one),
                "expires_at": at_ms(one.expires_at),
                "picture": draw_qr(one.url) if one.url else "",
            }
            for one in bill.payment_links
        ],
        pays_online=await deps.restaurant.bill_links.offered(visitor.caller, bill.venue_id),
        guests=_guests(visitor, bill, form),
        parts=_parts(bill),
        sums=[_for_sums(one, bill.currency) for one in bill.orders],
        ways=WAYS,
        reasons=REASONS,
        other_tables=[
            (one.id, visitor.t("bills.table_taken", table=one.label) if one.id in seated else one.label)
            for one in tables
            if one.id != bill.table_id
        ],
        cash=lambda amount: price(visitor, currency, round(amount, 4)),
        percent=lambda figure: exact(visitor.language, figure),
        mark=new_mark(),
        state=_state(bill),
    )


def _state(bill: BillView) -> str:
    """A mark of what the forms are made from: a page whose forms have another one shows what is no longer so."""
    lines = [[(line.quantity, line.paid_quantity, line.discount) for line in one.items] for one in bill.orders]
    orders = [(one.order_id, one.guest, one.open, each) for one, each in zip(bill.orders, lines, strict=True)]
    return f"{crc32(repr((bill.state, bill.open, bill.waiting, orders)).encode()):08x}"


def _guests(visitor: Visitor, bill: BillView, form: Form | None) -> list[tuple[str, str, float, bool]]:
    """Each guest with the numbers of their orders, what is open of them, and whether they are chosen.

    Who told no name shares one. A guest who was chosen and has nothing to pay any more leaves nobody chosen.
    """
    chosen = [] if form is None else form.text("guest").split(",")
    found: dict[str, tuple[str, list[str], float]] = {}
    for order in bill.orders:
        if order.open > 0:
            name = order.guest or visitor.t("bills.no_name")
            key = order.phone or order.guest
            _, numbers, open_ = found.get(key, (name, [], 0.0))
            found[key] = name, [*numbers, order.order_id], open_ + order.open
    picked = [bool(set(chosen) & set(numbers)) for _, numbers, _ in found.values()]
    if form is None or not form.text("guest"):
        picked = [place == 0 for place in range(len(found))]
    return [
        (",".join(numbers), name, open_, is_chosen)
        for (name, numbers, open_), is_chosen in zip(found.values(), picked, strict=True)
    ]


def _moved(visitor: Visitor, bill: BillView) -> list[dict[str, Any]]:
    """All money that came and went, in the order of time: that of the bill, and that of single orders."""
    own = {"id": "", "tip": 0, "reason": "", "went_back": 0, "left": 0, "is_gone": False}
    rows: list[dict[str, Any]] = [
        {**own, **msgspec.structs.asdict(one), "way": visitor.t(f"order.pay_{one.method}")} for one in bill.own_payments
    ]
    for one in bill.payments:
        left = round(one.amount + one.tip - one.went_back, 4) if one.kind == "payment" else 0
        more = {"order_id": "", "left": left, "is_gone": one.kind == "payment" and left <= 0}
        rows.append({**msgspec.structs.asdict(one), **more, "way": visitor.t(f"bills.method_{one.method}")})
    return sorted(({**one, "at": at_ms(one["at"])} for one in rows), key=lambda one: one["at"])


def _parts(bill: BillView) -> list[tuple[int, float]]:
    """What one pays of what is open, by the number of people; one less after each share that was paid."""
    open_ = from_wire(bill.open, bill.currency)
    return [(one, to_wire(max(1, open_ // one), bill.currency)) for one in range(2, MAX_PARTS + 1)] if open_ else []


def _for_sums(order: BillOrder, currency: str) -> dict[str, Any]:
    """What a page needs to add dishes up: in minor units, as the bill does it."""
    amounts = [from_wire(line.amount, currency) for line in order.items]
    own = [max(0, one - from_wire(line.discount, currency)) for one, line in zip(amounts, order.items, strict=True)]
    own = own if any(own) else amounts
    figures = {"total": from_wire(order.total, currency), "open": from_wire(order.open, currency), "whole": sum(own)}
    left = sum(line.quantity - line.paid_quantity for one, line in zip(own, order.items, strict=True) if one)
    return {**figures, "left": left, "own": own}


@post("/bills/{tab_id:str}/take", opt=_MONEY, status_code=200)
async def take(request: PageRequest, visitor: VisitorOf, deps: DepsOf, tab_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    acting = await in_turn(visitor, deps)
    try:
        bill = await deps.restaurant.bills.get(visitor.caller, tab_id)
        fields = taken(form, bill.currency)
        call = once(form, f"panel bill {tab_id}", repr(sorted(fields.items())))
        told = (await deps.restaurant.bills.take(acting.caller, tab_id, fields, call)).value
    except Problem as problem:
        return await bill_page(request, visitor, deps, tab_id, form, problem)
    currency = told.bill.currency
    amount = price(visitor, currency, round(told.payment.amount + told.payment.tip, 4))
    toast = visitor.t(f"bills.took_{told.payment.method}", amount=amount)
    if told.gift_left is not None:
        toast += " " + visitor.t("bills.gift_left", amount=price(visitor, currency, told.gift_left))
    if told.payment.change:
        toast += " " + visitor.t("bills.change", amount=price(visitor, currency, told.payment.change))
    if told.bill.state == "closed":
        toast += " " + visitor.t("bills.is_paid")
    return redirect(request, f"{HOME}/{tab_id}", toast=toast)


def taken(form: Form, currency: str) -> PaymentFields:
    how = form.text("how") or "all"
    method = form.text("method")
    fields: PaymentFields = {"method": "card" if method == "card" else "gift" if method == "gift" else "cash"}
    # Whoever typed a code and takes cash all the same is asked what they meant.
    fields["gift_code"] = form.text("gift_code")
    if how == "amount":
        fields["amount"] = form.amount("amount", currency)
        if fields["amount"] is None:
            raise Invalid.field("amount", "amount_unreadable", "Write an amount.")
    elif how == "share":
        parts = form.text("parts")
        fields["parts"] = int(parts) if parts.isascii() and parts.isdecimal() and len(parts) < 4 else 0
    elif how == "guest":
        fields["order_ids"] = [one for one in form.text("guest").split(",") if one]
        if not fields["order_ids"]:
            raise Invalid.field("guest", "nothing_chosen", "Choose what is paid.")
    elif how == "dishes":
        chosen = [one.split(":") for one in form.all("dish") if one.count(":") == 2]
        fields["lines"] = [
            {"order_id": number, "line": int(line), "quantity": int(many)}
            for number, line, many in chosen
            if line.isascii() and line.isdecimal() and many.isascii() and many.isdecimal() and len(line + many) < 8
        ]
        if not fields["lines"]:
            raise Invalid.field("dish", "nothing_chosen", "Choose what is paid.")
    fields["tip"] = form.amount("tip", currency) or 0
    if fields["method"] == "cash":
        fields["given"] = form.amount("given", currency)
    seen = form.number("open")
    return {**fields, "expected_open": seen} if seen is not None else fields


@post("/bills/{tab_id:str}/payments/{payment_id:str}/back", opt=_MONEY, status_code=200)
async def give_back(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, tab_id: FromPath[str], payment_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    acting = await in_turn(visitor, deps)
    call = once(form, f"panel bill back {payment_id}", form.text("reason"))
    try:
        told = await deps.restaurant.bills.give_back(acting.caller, tab_id, payment_id, form.text("reason"), call)
    except Problem as problem:
        return await bill_page(request, visitor, deps, tab_id, form, problem)
    moved, currency = told.value.payment, told.value.bill.currency
    amount = price(visitor, currency, round(moved.amount + moved.tip - moved.went_back, 4))
    word = "bills.gave_back" if moved.kind == "refund" else "bills.back_asked"
    return redirect(request, f"{HOME}/{tab_id}", toast=visitor.t(word, amount=amount))


@post("/bills/{tab_id:str}/discount", opt=_MONEY, status_code=200)
async def give_discount(request: PageRequest, visitor: VisitorOf, deps: DepsOf, tab_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    acting = await in_turn(visitor, deps)
    try:
        bill = await deps.restaurant.bills.get(visitor.caller, tab_id)
        fields: DiscountFields = {"reason": form.text("reason")}
        if form.text("kind") == "percent":
            fields["percent"] = form.number("figure")
        else:
            fields["amount"] = form.amount("figure", bill.currency)
        number, _, line = form.text("on").partition(":")
        if line.isascii() and line.isdecimal() and len(line) < 4:
            fields["order_id"], fields["line"] = number, int(line)
        call = once(form, f"panel discount {tab_id}", repr(sorted(fields.items())))
        await deps.restaurant.bills.discount(acting.caller, tab_id, fields, call)
    except Problem as problem:
        return await bill_page(request, visitor, deps, tab_id, form, _beside_figure(problem))
    return redirect(request, f"{HOME}/{tab_id}", toast=visitor.t("bills.discounted"))


def _beside_figure(problem: Problem) -> Problem:
    """What is wrong with how much is let off stands beside the one field for it, and says what can be."""
    if problem.code == "more_than_open":
        return Invalid.field("figure", "discount_more_than_open", problem.detail)
    for error in problem.errors:
        if error.field in ("percent", "amount"):
            code = f"{error.field}_out_of_range" if error.code == "out_of_range" else error.code
            return Invalid.field("figure", code, error.detail)
    return problem


@post("/bills/{tab_id:str}/discounts/{discount_id:str}/remove", opt=_MONEY, status_code=200)
async def remove_discount(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, tab_id: FromPath[str], discount_id: FromPath[str]
) -> PageResponse:
    acting = await in_turn(visitor, deps)
    try:
        await deps.restaurant.bills.take_discount_back(acting.caller, tab_id, discount_id)
    except Problem as problem:
        return await bill_page(request, visitor, deps, tab_id, None, problem)
    return redirect(request, f"{HOME}/{tab_id}", toast=visitor.t("bills.discount_removed"))


@post("/bills/{tab_id:str}/close", opt=_MONEY, status_code=200)
async def close_bill(request: PageRequest, visitor: VisitorOf, deps: DepsOf, tab_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    acting = await in_turn(visitor, deps)
    why = form.text("why")
    reason = form.text("reason") if why in ("", "other") else visitor.t(f"bills.why_{why}") if why in REASONS else ""
    call = once(form, f"panel close {tab_id}", reason)
    try:
        if why:
            needed_reason(reason)
        await deps.restaurant.bills.close(acting.caller, tab_id, reason, call)
    except Problem as problem:
        return await bill_page(request, visitor, deps, tab_id, form, problem)
    return redirect(request, f"{HOME}/{tab_id}", toast=visitor.t("bills.closed"))


@post("/bills/{tab_id:str}/move", opt=_MONEY, status_code=200)
async def move_bill(request: PageRequest, visitor: VisitorOf, deps: DepsOf, tab_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    acting = await in_turn(visitor, deps)
    table_id = form.text("table_id")
    try:
        told = await deps.restaurant.bills.move(
            acting.caller, tab_id, table_id, once(form, f"panel move {tab_id}", table_id)
        )
    except Problem as problem:
        return await bill_page(request, visitor, deps, tab_id, form, problem)
    toast = visitor.t("bills.moved", table=told.value.table_number)
    return redirect(request, f"{HOME}/{told.value.id}", toast=toast)


HANDLERS = [
    list_bills,
    bill_at,
    show_bill,
    take,
    give_back,
    give_discount,
    remove_discount,
    close_bill,
    move_bill,
]
