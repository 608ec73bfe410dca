"""Automations: listed with ready-made ones, written as cards, tried on a contact, turned on and reported.

GET  /panel/automations
POST /panel/automations               once, preset
GET  /panel/automations/{id}
POST /panel/automations/{id}          name, on, days, at, tag, do-N, rest-N, f-N-…, language, quiet_from, quiet_until,
                                      cap_messages, phones; act=turn_on, pause or archive
POST /panel/automations/{id}/look     the same: what is wrong with it
POST /panel/automations/{id}/try      contact: what would happen to them
GET  /panel/automations/{id}/report
POST /panel/automations/{id}/ratings/{run}
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import msgspec
from litestar import get, post
from litestar.params import FromPath

from tablegram.automations import checking
from tablegram.automations.fields import NewAutomationFields
from tablegram.automations.presets import PRESETS
from tablegram.automations.states import Event
from tablegram.errors import FieldError, Invalid, Problem
from tablegram.flows.automations.services import AutomationServices
from tablegram.flows.campaigns.segments.services import SegmentServices
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms, with_times
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.pages.automations.flow_form import MAX_CARDS, beside, card_of, cards_in, cards_of, fields_in
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.money import from_wire, written

_READ = {"scope": "campaigns:read"}
_MANAGE = {"scope": "campaigns:manage"}
HOME = "/panel/automations"
PER_PAGE = 25
TRIGGERS = ("first_order", "meal_finished", "no_order", "birthday", "tag_added", "first_message")
ACTS: dict[Event, str] = {"turn_on": "on", "pause": "paused", "archive": "archived"}
TONES = {"draft": "muted", "on": "ok", "paused": "warn", "archived": "muted"}


def services_of(deps: PanelDeps) -> AutomationServices:
    return deps.services.of(AutomationServices)


@get("/automations", opt=_READ)
async def list_automations(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    found = await services_of(deps).desk.page(visitor.caller, limit=PER_PAGE, cursor=asked(request, "cursor") or None)
    shown = [msgspec.to_builtins(one) for one in found.data]
    return page(
        request, visitor, "automations/list.html", automations=shown, next_cursor=found.next_cursor, presets=PRESETS,
        tones=TONES, mark=new_mark(), open_ratings=await services_of(deps).reporting.open_ratings(visitor.caller),
    )  # fmt: skip


@post("/automations", opt=_MANAGE)
async def add_automation(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    preset = form.text("preset")
    fields: NewAutomationFields = {"name": visitor.t("automations.unnamed"), "trigger": {"on": "first_order"}}
    for known in PRESETS:
        if known == preset:
            fields = {"preset": known}
    made = await services_of(deps).desk.create(visitor.caller, fields, once(form, "POST /automations", preset))
    return redirect(request, f"{HOME}/{made.value.id}", toast=visitor.t("automations.made"))


@get("/automations/{automation_id:str}", opt=_READ)
async def show_automation(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, automation_id: FromPath[str]
) -> PageResponse:
    return await _edit(request, visitor, deps, automation_id)


async def _edit(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, automation_id: str, form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:  # fmt: skip
    one = msgspec.to_builtins(await services_of(deps).desk.get(visitor.caller, automation_id))
    one["trigger"] = defaultdict(str, one["trigger"])
    cards = cards_of(one["steps"]) if form is None else cards_in(form)
    return page(
        request, visitor, "automations/edit.html", form=form, problem=problem, one=one, cards=cards, tones=TONES,
        blank=[card_of(0, {"do": do}) | {"n": "N"} for do in checking.KINDS], triggers=TRIGGERS, most=MAX_CARDS,
        segments=await _segments(visitor, deps), mark=new_mark(),
    )  # fmt: skip


async def _segments(visitor: Visitor, deps: PanelDeps) -> list[tuple[str, str]]:
    found = await deps.services.of(SegmentServices).segments.page(visitor.caller, 200, None, "")
    return [(one.id, one.name) for one in found.data]


@post("/automations/{automation_id:str}", opt=_MANAGE)
async def change_automation(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, automation_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    desk, act = services_of(deps).desk, next((one for one in ACTS if one == form.text("act")), None)
    here = f"{HOME}/{automation_id}"
    await desk.get(visitor.caller, automation_id)
    try:
        if act != "archive" and form.has("on"):
            # Whoever turns it on means what stands there.
            await desk.change(visitor.caller, automation_id, fields_in(form))
        if act is not None:
            call = once(form, f"POST /automations/{automation_id}/{act}", act)
            await desk.act(visitor.caller, automation_id, act, call)
    except Problem as problem:
        return await _edit(request, visitor, deps, automation_id, form, beside(problem, form))
    if act == "archive":
        return redirect(request, HOME, toast=visitor.t("automations.now_archived"))
    return redirect(request, here, toast=visitor.t(f"automations.now_{'saved' if act is None else ACTS[act]}"))


@post("/automations/{automation_id:str}/look", opt=_READ)
async def look_at(request: PageRequest, visitor: VisitorOf, deps: DepsOf, automation_id: FromPath[str]) -> PageResponse:
    """What is wrong with what stands there, by step. Nothing is kept."""
    form = await read_form(request)
    await services_of(deps).desk.get(visitor.caller, automation_id)
    wrong: tuple[FieldError, ...] = ()
    try:
        checking.check_ready(checking.parse(fields_in(form)))
    except Invalid as problem:
        wrong = problem.errors
    return page(request, visitor, "automations/look.html", status=200, wrong=[_told(one) for one in wrong])


def _told(error: FieldError) -> dict[str, Any]:
    """Which step it is about, from 1; none for what is about all of it."""
    place = error.field.removeprefix("steps[").partition("]")[0] if error.field.startswith("steps[") else ""
    return {"step": int(place) + 1 if place.isdigit() else None, "error": error}


@post("/automations/{automation_id:str}/try", opt=_READ)
async def try_automation(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, automation_id: FromPath[str]
) -> PageResponse:
    visitor.caller.require("contacts:read")
    form = await read_form(request)
    typed = form.text("contact")[:200]
    found = await deps.contacts.pool.page(
        visitor.caller, q=typed.removeprefix("+") or None, tag=None, since_ms=None, limit=1, cursor=None
    )
    trial: dict[str, Any] | None = None
    if typed and found.data:
        call = once(form, f"POST /automations/{automation_id}/try", typed)
        made = await services_of(deps).trials.run(visitor.caller, automation_id, found.data[0].id, call)
        trial = msgspec.to_builtins(made.value)
        trial["steps"] = [{**step, "at": at_ms(step["at"])} for step in trial["steps"]]
    one = msgspec.to_builtins(await services_of(deps).desk.get(visitor.caller, automation_id))
    return page(request, visitor, "automations/trial.html", status=200, one=one, trial=trial, sought=typed)


@get("/automations/{automation_id:str}/report", opt=_READ)
async def show_report(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, automation_id: FromPath[str]
) -> PageResponse:
    reporting = services_of(deps).reporting
    one = msgspec.to_builtins(await services_of(deps).desk.get(visitor.caller, automation_id))
    report = msgspec.to_builtins(await reporting.report(visitor.caller, automation_id))
    ratings: list[dict[str, Any]] = []
    if visitor.can("contacts:read"):
        found = await reporting.ratings(visitor.caller, automation_id, limit=PER_PAGE)
        ratings = [with_times(msgspec.to_builtins(said)) for said in found.data]
    money = [
        {**row, "shown": written(from_wire(row["amount"], row["currency"]), row["currency"], visitor.language)}
        for row in report["orders"]
    ]
    most = max([*report["ratings"]["spread"], 1])
    bars = [
        {"figure": figure, "n": n, "width": round(100 * n / most)}
        for figure, n in reversed(list(enumerate(report["ratings"]["spread"], 1)))
    ]
    asks = any(step["do"] == "feedback" for step in one["steps"])
    return page(
        request, visitor, "automations/report.html", one=one, report=report, orders=money, bars=bars, ratings=ratings,
        tones=TONES, asks=asks,
    )  # fmt: skip


@post("/automations/{automation_id:str}/ratings/{run_id:str}", opt=_MANAGE)
async def close_rating(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, automation_id: FromPath[str], run_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    call = once(form, f"POST /automations/{automation_id}/ratings/{run_id}/close")
    await services_of(deps).reporting.close(visitor.caller, automation_id, run_id, call)
    return redirect(request, f"{HOME}/{automation_id}/report", toast=visitor.t("automations.closed"))


HANDLERS = [
    list_automations,
    add_automation,
    show_automation,
    change_automation,
    look_at,
    try_automation,
    show_report,
    close_rating,
]
