"""Printers of a restaurant."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routes.restaurant.paths import MANAGE, READ, given
from tablegram.api.routing import segment
from tablegram.api.schemas.printing.printers import CreatePrinter, UpdatePrinter
from tablegram.flows.printing.answers import PrinterPage, PrinterView, PrinterWithKey, TicketView
from tablegram.flows.printing.fields import PrinterFields
from tablegram.flows.printing.printer_desk import PrinterDesk
from tablegram.flows.printing.services import PrintingServices

_TAGS = ["Printing"]
_ALL = "/restaurant/printers"
_ONE = _ALL + "/{printer_id:str}"

PrinterId = Annotated[str, PathParameter(description="The printer.")]
OneVenue = Annotated[str | None, QueryParameter(min_length=1, max_length=64, description="Only of this venue.")]


def _desk(request: ApiRequest) -> PrinterDesk:
    return request.deps.services.of(PrintingServices).printers


@get(_ALL, opt=READ, tags=_TAGS, summary="List printers", operation_id="listPrinters")
async def list_printers(
    request: ApiRequest, venue_id: OneVenue = None, limit: Limit = 200, cursor: Cursor = None
) -> Response[PrinterPage]:
    """The account's printers, oldest first, and how each is right now."""
    return json(await _desk(request).page(request.caller, venue_id=venue_id, limit=limit, cursor=cursor))


@post(_ALL, status_code=201, opt=MANAGE, tags=_TAGS, summary="Register a printer", operation_id="createPrinter")
async def create_printer(request: ApiRequest, data: JSONBody[CreatePrinter]) -> Response[PrinterWithKey]:
    """Registers a printer. Type the `url` of the answer into the printer, or give the `key` to the print agent."""
    return answered(await _desk(request).create(request.caller, given(data, PrinterFields), request.call()))


@get(_ONE, opt=READ, tags=_TAGS, summary="Look up a printer", operation_id="getPrinter")
async def get_printer(request: ApiRequest, printer_id: PrinterId) -> Response[PrinterView]:
    """One printer, and how it is right now."""
    return json(await _desk(request).get(request.caller, segment(printer_id)))


@patch(_ONE, opt=MANAGE, tags=_TAGS, summary="Change a printer", operation_id="updatePrinter")
async def update_printer(
    request: ApiRequest, printer_id: PrinterId, data: JSONBody[UpdatePrinter]
) -> Response[PrinterView]:
    """Changes what is given and leaves the rest. What waits for the printer already still comes out there."""
    return json(await _desk(request).change(request.caller, segment(printer_id), given(data, PrinterFields)))


@delete(_ONE, status_code=204, opt=MANAGE, tags=_TAGS, summary="Remove a printer", operation_id="deletePrinter")
async def delete_printer(request: ApiRequest, printer_id: PrinterId) -> None:
    """Takes a printer away. What waits for it is dropped; the log stays."""
    await _desk(request).remove(request.caller, segment(printer_id))


@get(f"{_ONE}/key", opt=MANAGE, tags=_TAGS, summary="Show a printer's key", operation_id="getPrinterKey")
async def get_key(request: ApiRequest, printer_id: PrinterId) -> Response[PrinterWithKey]:
    """The printer with its key and its address, to set it up again."""
    return json(await _desk(request).reveal(request.caller, segment(printer_id)))


@post(
    f"{_ONE}/key",
    status_code=200,
    opt=MANAGE,
    tags=_TAGS,
    summary="Give it another key",
    operation_id="rotatePrinterKey",
)
async def rotate_key(request: ApiRequest, printer_id: PrinterId) -> Response[PrinterWithKey]:
    """Gives the printer another key. It prints nothing until the new address is typed into it."""
    return answered(await _desk(request).rotate(request.caller, segment(printer_id), request.call()))


@post(f"{_ONE}/test", status_code=201, opt=MANAGE, tags=_TAGS, summary="Print a test page", operation_id="testPrinter")
async def test_printer(request: ApiRequest, printer_id: PrinterId) -> Response[TicketView]:
    """Prints a page with letters, sizes and marks. It waits ten minutes for its printer."""
    return answered(await _desk(request).test(request.caller, segment(printer_id), request.call()))


HANDLERS = [
    list_printers,
    create_printer,
    get_printer,
    update_printer,
    delete_printer,
    get_key,
    rotate_key,
    test_printer,
]
