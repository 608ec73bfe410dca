"""Tickets: the printing log, and printing once more."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routing import segment
from tablegram.api.schemas.printing.printers import ReprintTicket
from tablegram.flows.printing.answers import TicketPage, TicketView
from tablegram.flows.printing.services import PrintingServices
from tablegram.flows.printing.ticket_desk import TicketDesk
from tablegram.printing.tickets.content import TicketKind

_ORDERS = {"scope": "orders:manage"}
_TAGS = ["Printing"]
_ALL = "/restaurant/tickets"
_ONE = _ALL + "/{ticket_id:str}"

TicketId = Annotated[str, PathParameter(description="The ticket.")]
OneVenue = Annotated[str | None, QueryParameter(min_length=1, max_length=64, description="Only of this venue.")]
OneOrder = Annotated[
    str | None, QueryParameter(min_length=1, max_length=64, description="Only of this order: ORD-20261115-0042.")
]
OnePrinter = Annotated[str | None, QueryParameter(min_length=1, max_length=64, description="Only for this printer.")]
OneKind = Annotated[TicketKind | None, QueryParameter(description="Only of this kind.")]


def _desk(request: ApiRequest) -> TicketDesk:
    return request.deps.services.of(PrintingServices).tickets


@get(_ALL, opt=_ORDERS, tags=_TAGS, summary="List tickets", operation_id="listTickets")
async def list_tickets(
    request: ApiRequest,
    venue_id: OneVenue = None,
    order_id: OneOrder = None,
    printer_id: OnePrinter = None,
    kind: OneKind = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[TicketPage]:
    """The printing log, newest first: each ticket with what became of it on every printer. It is kept for a month."""
    page = await _desk(request).page(
        request.caller,
        venue_id=venue_id,
        order_id=order_id,
        printer_id=printer_id,
        kind=kind,
        limit=limit,
        cursor=cursor,
    )
    return json(page)


@get(_ONE, opt=_ORDERS, tags=_TAGS, summary="Look up a ticket", operation_id="getTicket")
async def get_ticket(request: ApiRequest, ticket_id: TicketId) -> Response[TicketView]:
    """One ticket."""
    return json(await _desk(request).get(request.caller, segment(ticket_id)))


@post(f"{_ONE}/reprint", status_code=201, opt=_ORDERS, tags=_TAGS, summary="Print again", operation_id="reprintTicket")
async def reprint_ticket(
    request: ApiRequest, ticket_id: TicketId, data: JSONBody[ReprintTicket]
) -> Response[TicketView]:
    """Prints a ticket once more; the paper says that it is a reprint."""
    desk = _desk(request)
    return answered(await desk.reprint(request.caller, segment(ticket_id), request.call(), data.printer_id))


HANDLERS = [list_tickets, get_ticket, reprint_ticket]
