"""Segments: found, built from sentences while the number is shown, and saved.

GET  /panel/segments                ?q=
GET  /panel/segments/new            ?start=
POST /panel/segments                once, name, how, sentence-N, holds-N, gap-N-…; or rules
POST /panel/segments/look           the same: how many, and who and why
GET  /panel/segments/{id}
POST /panel/segments/{id}           the same; act=delete
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
from litestar import get, post
from litestar.params import FromPath

from tablegram.campaigns.segments.starts import STARTS, starts
from tablegram.errors import FieldError, Invalid, Problem
from tablegram.flows.campaigns.segments.editing import MAX_ROWS, Editor, Row
from tablegram.flows.campaigns.segments.segments import SegmentChange, SegmentDraft, Segments
from tablegram.flows.campaigns.segments.services import SegmentServices
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, with_times
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor

_READ = {"scope": "campaigns:read"}
_MANAGE = {"scope": "campaigns:manage"}
HOME = "/panel/segments"
PER_PAGE = 25
MAX_JSON = 20_000
_GAP = re.compile(r"(?:sentence|holds|gap)-([0-9]{1,3})(?:-(\w+))?")


def _services(deps: PanelDeps) -> SegmentServices:
    return deps.services.of(SegmentServices)


def _segments(deps: PanelDeps) -> Segments:
    return _services(deps).segments


def _editor(deps: PanelDeps) -> Editor:
    return _services(deps).editor


@get("/segments", opt=_READ)
async def list_segments(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    search = asked(request, "q")
    found = await _segments(deps).page(visitor.caller, PER_PAGE, asked(request, "cursor") or None, search)
    counts = await _segments(deps).counts(visitor.caller, [one.id for one in found.data])
    shown = [{**with_times(one), "count": counts[one.id]} for one in found.data]
    return page(
        request, visitor, "segments/list.html", segments=shown, next_cursor=found.next_cursor,
        is_asked=bool(search), starts=STARTS,
    )  # fmt: skip


@get("/segments/new", opt=_MANAGE)
async def new_segment(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    start = asked(request, "start")
    _, currency = await _editor(deps).sentences(visitor.caller, visitor.language)
    rules = starts(currency).get(start, starts(currency)["lost"])
    name = visitor.t(f"segments.start_{start}") if start in STARTS else ""
    return await _edit(request, visitor, deps, SegmentDraft(name=name, rules=rules))


@get("/segments/{segment_id:str}", opt=_READ)
async def show_segment(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, segment_id: FromPath[str]
) -> PageResponse:
    segment = await _segments(deps).get(visitor.caller, segment_id)
    return await _edit(request, visitor, deps, SegmentDraft(name=segment.name, rules=segment.rules), segment.id)


async def _edit(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, segment: SegmentDraft, segment_id: str = "",
    form: Form | None = None, problem: Problem | None = None,
) -> PageResponse:  # fmt: skip
    sentences, _ = await _editor(deps).sentences(visitor.caller, visitor.language)
    rows = _editor(deps).rows_of(segment.rules) if form is None else _rows(form)
    known = {one.key for one in sentences}
    if rows is not None and any(row.sentence not in known for row in rows[1]):
        rows = None
    return page(
        request, visitor, "segments/edit.html", form=form, problem=problem, segment=segment, segment_id=segment_id, sentences=sentences,
        by_key={one.key: one for one in sentences}, how=rows[0] if rows else "", rows=rows[1] if rows else None,
        rules=_written(segment.rules), look=await _look(visitor, deps, segment.rules), mark=new_mark(),
        most=MAX_ROWS,
    )  # fmt: skip


async def _look(visitor: Visitor, deps: PanelDeps, rules: Any) -> dict[str, Any]:
    """How many, who and why; or what is wrong."""
    try:
        if not visitor.can("contacts:read"):
            return {"count": await _segments(deps).count(visitor.caller, rules), "data": []}
        found = await _segments(deps).preview(visitor.caller, rules, "tr" if visitor.language == "tr" else "en")
    except Invalid as wrong:
        return {"count": None, "data": [], "wrong": wrong.errors}
    return {"count": found.count, "data": [with_times(one) for one in found.data]}


@post("/segments/look", opt=_READ)
async def look_at(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    rules = _rules(deps, await read_form(request))
    return page(request, visitor, "segments/look.html", status=200, look=await _look(visitor, deps, rules))


@post("/segments", opt=_MANAGE)
async def add_segment(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    draft = SegmentDraft(name=form.text("name"), rules=_rules(deps, form))
    call = once(form, "POST /segments", draft.name, _written(draft.rules))
    try:
        await _segments(deps).add(visitor.caller, draft, call)
    except Problem as problem:
        return await _edit(request, visitor, deps, draft, "", form, _beside(problem))
    return redirect(request, HOME, toast=visitor.t("segments.saved", name=draft.name))


@post("/segments/{segment_id:str}", opt=_MANAGE)
async def change_segment(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, segment_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    segment = await _segments(deps).get(visitor.caller, segment_id)
    draft = SegmentDraft(name=form.text("name"), rules=_rules(deps, form))
    try:
        if form.text("act") == "delete":
            await _segments(deps).delete(visitor.caller, segment_id)
            return redirect(request, HOME, toast=visitor.t("segments.deleted", name=segment.name))
        changed = await _segments(deps).update(
            visitor.caller, segment_id, SegmentChange(name=draft.name, rules=draft.rules)
        )
    except Problem as problem:
        return await _edit(request, visitor, deps, draft, segment.id, form, _beside(problem))
    return redirect(request, HOME, toast=visitor.t("segments.saved", name=changed.name))


def _rules(deps: PanelDeps, form: Form) -> Any:
    if form.has("rules"):
        try:
            return msgspec.json.decode(form.raw("rules")[:MAX_JSON])
        except (msgspec.DecodeError, RecursionError):
            return {}
    found = _rows(form)
    return {} if found is None else _editor(deps).rules_of(*found)


def _rows(form: Form) -> tuple[str, list[Row]] | None:
    """The rows of a form in the order of their numbers."""
    if form.has("rules"):
        return None
    numbers: dict[int, dict[str, str]] = {}
    for name in form.names():
        if found := _GAP.fullmatch(name):
            numbers.setdefault(int(found[1]), {})[found[2] or name.partition("-")[0]] = form.text(name)
    rows = [
        Row(given.get("sentence", ""), given.get("holds") != "no", given)
        for _, given in sorted(numbers.items())
        if given.get("sentence")
    ]
    return form.text("how"), rows[:MAX_ROWS]


def _written(rules: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(rules)).decode()


def _beside(problem: Problem) -> Problem:
    """A name that is taken is a fault of that field; rules are told beside the number."""
    if problem.code == "name_taken":
        return Invalid(problem.detail, code=problem.code, errors=(FieldError("name", problem.code, problem.detail),))
    return problem


HANDLERS = [list_segments, new_segment, look_at, add_segment, show_segment, change_segment]
