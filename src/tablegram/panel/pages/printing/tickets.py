"""The printing log: what came out where, what did not, and printing once more.

GET  /panel/printing                     ?venue=, ?printer=, ?order=
POST /panel/printing/{ticket}/reprint
"""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import get, post
from litestar.params import FromPath

from tablegram.errors import Conflict, Invalid
from tablegram.flows.printing.answers import TicketView
from tablegram.flows.printing.services import PrintingServices
from tablegram.panel.frame.forms import read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.i18n import say
from tablegram.panel.pages.restaurant.venue.venue import shown_station
from tablegram.panel.pages.restaurant.venues import look_at
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor

_ORDERS = {"scope": "orders:manage"}
HOME = "/panel/printing"
PER_PAGE = 25


@get("/printing", opt=_ORDERS)
async def list_tickets(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    place = await look_at(request, deps, visitor)
    services = deps.services.of(PrintingServices)
    printers = (await services.printers.page(visitor.caller, venue_id=place.id or None)).data
    wanted, order = asked(request, "printer"), asked(request, "order")
    chosen = wanted if wanted in {one.id for one in printers} else ""
    found = await services.tickets.page(
        visitor.caller,
        venue_id=place.id or None,
        printer_id=chosen or None,
        order_id=order or None,
        limit=PER_PAGE,
        cursor=asked(request, "cursor") or None,
    )
    return page(
        request,
        visitor,
        "printing/log.html",
        place=place,
        printers=[(one.id, one.name) for one in printers],
        chosen=chosen,
        order=order,
        tickets=[_shown(visitor, one) for one in found.data],
        next_cursor=found.next_cursor,
        mark=new_mark(),
    )


@post("/printing/{ticket_id:str}/reprint", opt=_ORDERS)
async def reprint(request: PageRequest, visitor: VisitorOf, deps: DepsOf, ticket_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    call = once(form, f"panel reprint {ticket_id}", form.text("printer"))
    back = form.text("next") or HOME
    desk = deps.services.of(PrintingServices).tickets
    try:
        await desk.reprint(visitor.caller, ticket_id, call, form.text("printer") or None)
    except (Conflict, Invalid) as problem:
        return redirect(request, back, toast=say(visitor.language, problem), tone="bad")
    return redirect(request, back, toast=visitor.t("tickets.reprinting"))


def _shown(visitor: Visitor, ticket: TicketView) -> dict[str, Any]:
    view: dict[str, Any] = msgspec.to_builtins(ticket)
    return {
        **view,
        "created_at": at_ms(ticket.created_at),
        "shown_station": shown_station(visitor, ticket.station) if ticket.station else "",
        "jobs": [{**job, "ended_at": at_ms(job["ended_at"])} for job in view["jobs"]],
    }


HANDLERS = [list_tickets, reprint]
