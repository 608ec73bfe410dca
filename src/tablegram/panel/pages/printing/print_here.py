"""A station's screen prints by the system's own dialog.

GET  /panel/print                     printers of the kind `browser`; one of them is opened at once
GET  /panel/print/{printer_id}        the ticket in hand, or how many wait
POST /panel/print/{printer_id}/next   takes the next ticket
POST /panel/print/{printer_id}/end    `token`, and `outcome`: printed or missing
"""

from __future__ import annotations

from litestar import get, post
from litestar.params import FromPath
from markupsafe import Markup

from tablegram.errors import Conflict
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.printing.transports.browser import BrowserPrinting

_ORDERS = {"scope": "orders:manage"}
HOME = "/panel/print"


def _desk(deps: PanelDeps) -> BrowserPrinting:
    return deps.services.of(BrowserPrinting)


def _who(visitor: Visitor) -> str:
    """A ticket is in the hands of a person: on whichever of their screens it is."""
    return f"page {visitor.caller.key_id}"


@get("/print", opt=_ORDERS)
async def list_printers(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    found = await _desk(deps).printers(visitor.caller.account_id)
    if len(found) == 1:
        return redirect(request, f"{HOME}/{found[0].id}")
    return page(request, visitor, "printing/choose.html", printers=found)


@get("/print/{printer_id:str}", opt=_ORDERS)
async def show_printer(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, printer_id: FromPath[str]
) -> PageResponse:
    desk = await _desk(deps).look(visitor.caller.account_id, printer_id, _who(visitor))
    return page(request, visitor, "printing/print_here.html", desk=desk, paper=Markup(desk.paper))


@post("/print/{printer_id:str}/next", opt=_ORDERS, status_code=200)
async def take_next(request: PageRequest, visitor: VisitorOf, deps: DepsOf, printer_id: FromPath[str]) -> PageResponse:
    await read_form(request)
    await _desk(deps).take(visitor.caller.account_id, printer_id, _who(visitor))
    return redirect(request, f"{HOME}/{printer_id}")


@post("/print/{printer_id:str}/end", opt=_ORDERS, status_code=200)
async def end(request: PageRequest, visitor: VisitorOf, deps: DepsOf, printer_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    printed = form.text("outcome") == "printed"
    try:
        await _desk(deps).end(visitor.caller.account_id, printer_id, form.text("token"), printed=printed)
    except Conflict:
        return redirect(request, f"{HOME}/{printer_id}", toast=visitor.t("print_here.elsewhere"), tone="bad")
    toast = visitor.t("print_here.done" if printed else "print_here.comes_again")
    return redirect(request, f"{HOME}/{printer_id}", toast=toast)


HANDLERS = [list_printers, show_printer, take_next, end]
