"""The board: what the kitchen and the waiters look at all evening.

GET  /panel/board               ?venue=, ?station=
POST /panel/board/calls/{id}    somebody goes to the table
POST /panel/board/requests/{id}/{accept|refuse}    what a guest wants of an order that the kitchen has begun
"""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from tablegram.errors import NotFound, Problem
from tablegram.flows.payments.link_desk import Filters
from tablegram.flows.payments.services import PaymentServices
from tablegram.flows.printing.services import PrintingServices
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms
from tablegram.panel.i18n import say
from tablegram.panel.pages.inbox.writing import wants_json
from tablegram.panel.pages.restaurant.orders.cards import PAYING, cards, known_marks, rings
from tablegram.panel.pages.restaurant.orders.turns import in_turn, shared
from tablegram.panel.pages.restaurant.venues import look_at, price
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor

_ORDERS = {"scope": "orders:manage"}
HOME = "/panel/board"
UNDECIDED = Filters(undecided=True, subject_kind="order")
MAX_MONEY = 5


@get("/board", opt=_ORDERS)
async def show_board(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    place = await look_at(request, deps, visitor)
    if place.venue is None:
        return page(request, visitor, "restaurant/board/none.html")
    now, currency = deps.clock.now_ms(), place.currency
    wanted = asked(request, "station")
    station = wanted if wanted in place.venue.stations else ""
    found = await deps.restaurant.orders.board(visitor.caller, place.id)
    tickets = deps.services.of(PrintingServices).tickets
    papers = await tickets.by_order(visitor.caller, [one.order_id for one in found.orders])
    columns = cards(visitor, place.venue, found.orders, found.progress, papers, station, now)
    return page(
        request,
        visitor,
        "restaurant/board/board.html",
        place=place,
        station=station,
        paying=columns.pop(PAYING),
        columns=columns,
        known=known_marks(request),
        shared=await shared(request, visitor, deps, place.id),
        rings=rings(found.calls, now),
        written_price=lambda amount: price(visitor, currency, amount),
        wishes=rings(found.requests, now),
        troubles=await tickets.troubles(visitor.caller, place.id),
        money=await _undecided(visitor, deps),
    )


async def _undecided(visitor: Visitor, deps: PanelDeps) -> list[dict[str, Any]]:
    """Money of orders that waits for a decision, for who decides about money: each leads to its order."""
    if not visitor.can("payments:manage"):
        return []
    found = await deps.services.of(PaymentServices).links.page(visitor.caller, UNDECIDED, limit=MAX_MONEY)
    return [
        {
            "id": one.id,
            "attention": one.attention,
            # The number of the order stands last in what its link is for.
            "order_id": one.description.rpartition(" ")[2],
            "amount": price(visitor, one.paid_currency, one.paid_amount - one.refunded_amount),
            "since": at_ms(one.updated_at) or 0,
        }
        for one in found.data
    ]


@post("/board/calls/{call_id:str}", opt=_ORDERS)
async def answer_call(request: PageRequest, visitor: VisitorOf, deps: DepsOf, call_id: FromPath[str]) -> Response[Any]:
    form = await read_form(request)
    visitor = await in_turn(visitor, deps)
    try:
        await deps.restaurant.table_calls.answer(visitor.caller, form.text("venue"), call_id)
    except Problem as problem:
        if not wants_json(request):
            raise
        return refused(visitor, problem)
    if wants_json(request):
        return Response({}, status_code=200, media_type="application/json")
    return redirect(request, form.text("next") or HOME)


@post("/board/requests/{request_id:str}/{answer:str}", opt=_ORDERS)
async def answer_request(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, request_id: FromPath[str], answer: FromPath[str]
) -> Response[Any]:
    form = await read_form(request)
    visitor = await in_turn(visitor, deps)
    try:
        if answer not in ("accept", "refuse"):
            raise NotFound("A wish is accepted or refused.", code="action_unknown")
        await deps.restaurant.order_requests.answer(visitor.caller, request_id, accepts=answer == "accept")
    except Problem as problem:
        if not wants_json(request):
            raise
        return refused(visitor, problem)
    if wants_json(request):
        return Response({}, status_code=200, media_type="application/json")
    return redirect(request, form.text("next") or HOME)


def refused(visitor: Visitor, problem: Problem) -> Response[Any]:
    """Why a tap did nothing, for the module that sent it."""
    first = problem.errors[0] if problem.errors else problem
    told = {"code": problem.code, "detail": say(visitor.language, first), "errors": [
        {"field": one.field, "detail": say(visitor.language, one)} for one in problem.errors
    ]}  # fmt: skip
    return Response(told, status_code=problem.status, media_type="application/json")


HANDLERS = [show_board, answer_call, answer_request]
