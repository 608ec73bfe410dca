"""Payment links for a bill, and its receipt.

POST /panel/bills/{tab}/link, /panel/bills/{tab}/links/{link}/cancel, /panel/bills/{tab}/receipt
"""

from __future__ import annotations

from typing import cast

from litestar import post
from litestar.params import FromPath

from tablegram.errors import Problem
from tablegram.flows.printing.fields import ReceiptFields
from tablegram.flows.printing.services import PrintingServices
from tablegram.flows.restaurant.fields import BillLinkFields
from tablegram.panel.frame.forms import read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.once import once
from tablegram.panel.pages.restaurant.bills.bills import HOME, bill_page, taken
from tablegram.panel.pages.restaurant.orders.turns import in_turn
from tablegram.panel.pages.restaurant.venues import look_at
from tablegram.panel.render import PageResponse, redirect
from tablegram.values.phone import read_phone_in

_MONEY = {"scope": "payments:manage"}
# What only money in somebody's hand has.
_IN_PERSON = ("method", "tip", "given", "gift_code")


@post("/bills/{tab_id:str}/link", opt=_MONEY, status_code=200)
async def ask_for_payment(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, tab_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    acting = await in_turn(visitor, deps)
    try:
        bill = await deps.restaurant.bills.get(visitor.caller, tab_id)
        told = taken(form, bill.currency)
        fields = cast(BillLinkFields, {name: value for name, value in told.items() if name not in _IN_PERSON})
        place = await look_at(request, deps, visitor, bill.venue_id)
        phone = form.text("phone")
        fields["phone"] = read_phone_in(phone, place.country) if phone else ""
        fields["language"] = visitor.language
        call = once(form, f"panel bill link {tab_id}", repr(sorted(fields.items())))
        link = (await deps.restaurant.bill_links.ask(acting.caller, tab_id, fields, call)).value
    except Problem as problem:
        return await bill_page(request, visitor, deps, tab_id, form, problem)
    kind = "waits" if link.state == "making" else "sent" if phone else "made"
    return redirect(request, f"{HOME}/{tab_id}", toast=visitor.t(f"bills.link_{kind}", phone=phone))


@post("/bills/{tab_id:str}/links/{link_id:str}/cancel", opt=_MONEY, status_code=200)
async def take_back(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, tab_id: FromPath[str], link_id: FromPath[str]
) -> PageResponse:
    acting = await in_turn(visitor, deps)
    try:
        await deps.restaurant.bill_links.take_back(acting.caller, tab_id, link_id)
    except Problem as problem:
        return await bill_page(request, visitor, deps, tab_id, None, problem)
    return redirect(request, f"{HOME}/{tab_id}", toast=visitor.t("bills.link_cancelled"))


@post("/bills/{tab_id:str}/receipt", opt=_MONEY, status_code=200)
async def give_receipt(request: PageRequest, visitor: VisitorOf, deps: DepsOf, tab_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    acting = await in_turn(visitor, deps)
    try:
        bill = await deps.restaurant.bills.get(visitor.caller, tab_id)
        fields: ReceiptFields = {"by": "paper" if form.text("by") == "paper" else "message"}
        place = await look_at(request, deps, visitor, bill.venue_id)
        if typed := form.text("receipt_phone"):
            fields["phone"] = read_phone_in(typed, place.country, "receipt_phone")
        call = once(form, f"panel receipt {tab_id}", repr(sorted(fields.items())))
        await deps.services.of(PrintingServices).receipts.give(acting.caller, tab_id, fields, call)
    except Problem as problem:
        return await bill_page(request, visitor, deps, tab_id, form, problem)
    return redirect(request, f"{HOME}/{tab_id}", toast=visitor.t(f"bills.receipt_{fields['by']}"))


HANDLERS = [ask_for_payment, take_back, give_receipt]
