"""A tablet that several people share: whoever takes it types four digits, and what they do carries their name.

POST /panel/turn        `venue`, `pin`
POST /panel/turn/end
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from litestar import post

from tablegram.errors import Problem
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked
from tablegram.panel.i18n import say
from tablegram.panel.render import PageResponse, redirect
from tablegram.panel.visitor import Visitor

_ORDERS = {"scope": "orders:manage"}
HOME = "/panel/board"


@dataclass(frozen=True, slots=True)
class Shared:
    """Whether anybody of the venue has a PIN, and who is at the tablet."""

    has_pins: bool = False
    name: str = ""


async def shared(request: PageRequest, visitor: Visitor, deps: PanelDeps, venue_id: str) -> Shared:
    """For the head of a page; parts of it that are fetched again leave it as it is."""
    if asked(request, "part"):
        return Shared()
    turns = deps.restaurant.turns
    turn = await turns.at(visitor.caller, visitor.session.id)
    has_pins = bool(turn) or bool(await turns.with_pins(visitor.caller, venue_id))
    return Shared(has_pins, turn.name if turn else "")


async def in_turn(visitor: Visitor, deps: PanelDeps) -> Visitor:
    """The visitor under the name of who is at the tablet; what the device may do stays what it is."""
    turn = await deps.restaurant.turns.at(visitor.caller, visitor.session.id)
    if turn is None:
        return visitor
    caller = replace(visitor.caller, key_name=turn.name)
    return replace(visitor, session=replace(visitor.session, caller=caller))


@post("/turn", opt=_ORDERS)
async def begin_turn(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    back = form.text("next") or HOME
    try:
        turn = await deps.restaurant.turns.begin(
            visitor.caller, visitor.session.id, form.text("venue"), form.text("pin"), visitor.remote
        )
    except Problem as problem:
        told = problem.errors[0] if problem.errors else problem
        return redirect(request, back, toast=say(visitor.language, told), tone="bad")
    return redirect(request, back, toast=visitor.t("turn.hello", name=turn.name))


@post("/turn/end", opt=_ORDERS)
async def end_turn(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    await deps.restaurant.turns.end(visitor.caller, visitor.session.id)
    return redirect(request, form.text("next") or HOME, toast=visitor.t("turn.bye"))


HANDLERS = [begin_turn, end_turn]
