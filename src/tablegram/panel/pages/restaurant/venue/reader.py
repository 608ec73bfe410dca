"""The account's switch for the language model, on the page of a venue: POST /panel/venue/{id}/reader."""

from __future__ import annotations

from litestar import post
from litestar.params import FromPath

from tablegram.panel.frame.forms import read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.render import PageResponse, redirect


@post("/venue/{venue_id:str}/reader", opt={"scope": "restaurant:manage"})
async def switch_reader(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]
) -> PageResponse:
    is_on = (await read_form(request)).flag("is_on")
    venue = await deps.restaurant.venue_desk.get(visitor.caller, venue_id)
    await deps.restaurant.reader_desk.switch(visitor.caller, is_on)
    word = "reader.now_on" if is_on else "reader.now_off"
    return redirect(request, f"/panel/venue?venue={venue.id}", toast=visitor.t(word))


HANDLERS = [switch_reader]
