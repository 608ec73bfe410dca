"""The drawer: what should be in it, cash put in and paid out, and counts of it.

GET  /panel/till                    ?venue=, ?cursor=
GET  /panel/till/counts/{count}     ?venue=
POST /panel/till/{count, move}
"""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import get, post
from litestar.params import FromPath

from tablegram.errors import Invalid, Problem
from tablegram.flows.restaurant.fields import CashMoveFields, CountFields, NoteFields
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.pages.restaurant.orders.turns import in_turn
from tablegram.panel.pages.restaurant.venues import look_at, price
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.restaurant.till.model import KINDS, NOTES, OUT
from tablegram.values.money import from_wire, to_wire, written

_MONEY = {"scope": "payments:manage"}
HOME = "/panel/till"
PER_PAGE = 20


@get("/till", opt=_MONEY)
async def show_till(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _till_page(request, visitor, deps)


async def _till_page(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, venue_id: str = "", form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:  # fmt: skip
    place = await look_at(request, deps, visitor, venue_id)
    if place.venue is None:
        return page(request, visitor, "restaurant/board/none.html")
    till = await deps.restaurant.till.get(visitor.caller, place.id)
    counts = await deps.restaurant.till.counts(
        visitor.caller, place.id, limit=PER_PAGE, cursor=asked(request, "cursor") or None
    )
    currency = till.currency
    return page(
        request,
        visitor,
        "restaurant/till/till.html",
        form=form,
        problem=problem,
        place=place,
        till=till,
        since=at_ms(till.since),
        rows=_rows(till),
        movements=[_timed(one) for one in till.movements],
        counts=[_timed(one) for one in counts.data],
        next_cursor=counts.next_cursor,
        notes=[(value, written(value, till.currency, visitor.language)) for value in NOTES.get(till.currency, ())],
        expected_minor=from_wire(till.expected, till.currency),
        cash=lambda amount: price(visitor, currency, round(amount, 4)),
        mark=new_mark(),
    )


@get("/till/counts/{count_id:str}", opt=_MONEY)
async def show_count(request: PageRequest, visitor: VisitorOf, deps: DepsOf, count_id: FromPath[str]) -> PageResponse:
    place = await look_at(request, deps, visitor)
    found = await deps.restaurant.till.get_count(visitor.caller, place.id, count_id)
    currency = found.currency
    return page(
        request,
        visitor,
        "restaurant/till/count.html",
        place=place,
        one=found,
        at=at_ms(found.at),
        since=at_ms(found.since),
        rows=_rows(found),
        movements=[_timed(each) for each in found.movements],
        cash=lambda amount: price(visitor, currency, round(amount, 4)),
    )


@post("/till/count", opt=_MONEY, status_code=200)
async def count(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    venue_id = form.text("venue")
    acting = await in_turn(visitor, deps)
    try:
        place = await look_at(request, deps, visitor, venue_id)
        fields = _counted(form, place.currency)
        call = once(form, f"panel till {venue_id}", repr(sorted(fields.items(), key=lambda one: one[0])))
        made = (await deps.restaurant.till.count(acting.caller, venue_id, fields, call)).value
    except Problem as problem:
        return await _till_page(request, visitor, deps, venue_id, form, problem)
    where = f"{HOME}/counts/{made.id}?venue={venue_id}"
    return redirect(request, where, toast=visitor.t("till.was_counted", n=made.number))


@post("/till/move", opt=_MONEY, status_code=200)
async def move(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    venue_id = form.text("venue")
    acting = await in_turn(visitor, deps)
    kind = "put_in" if form.text("kind") == "put_in" else "paid_out"
    try:
        place = await look_at(request, deps, visitor, venue_id)
        amount = form.amount("amount", place.currency)
        if amount is None:
            raise Invalid.field("amount", "amount_unreadable", "Write an amount.")
        fields: CashMoveFields = {"kind": kind, "amount": amount, "reason": form.text("why")}
        call = once(form, f"panel cash {venue_id}", repr(sorted(fields.items())))
        await deps.restaurant.till.move(acting.caller, venue_id, fields, call)
    except Problem as problem:
        told = problem
        if any(error.field == "reason" for error in problem.errors):
            # The other form has a reason of its own.
            told = Invalid.field("why", problem.errors[0].code, problem.errors[0].detail)
        return await _till_page(request, visitor, deps, venue_id, form, told)
    return redirect(request, f"{HOME}?venue={venue_id}", toast=visitor.t(f"till.did_{kind}"))


def _counted(form: Form, currency: str) -> CountFields:
    notes: list[NoteFields] = []
    for value in NOTES.get(currency, ()):
        many = form.text(f"note_{value}")
        if many and not (many.isascii() and many.isdecimal() and len(many) < 7):
            raise Invalid.field(f"note_{value}", "note_count_invalid", "Write how many there are, such as 12.")
        if many and int(many):
            notes.append({"value": to_wire(value, currency), "count": int(many)})
    fields: CountFields = {
        "counted_amount": form.amount("counted_amount", currency),
        "kept_amount": form.amount("kept_amount", currency),
        "reason": form.text("reason"),
        "expected_amount": form.number("expected"),
    }
    if notes:
        fields["notes"] = notes
    return fields


def _rows(sums: Any) -> list[tuple[str, str, float]]:
    """How what should be there comes about: each line with its sign; what was nothing is left out, but for the first."""
    found = [(kind, "−" if kind in OUT else "+", getattr(sums, kind)) for kind in KINDS]
    return [("opening", "", sums.opening), *(row for row in found if row[2] or row[0] == "taken")]


def _timed(one: Any) -> dict[str, Any]:
    return {**msgspec.structs.asdict(one), "at": at_ms(one.at)}


HANDLERS = [show_till, show_count, count, move]
