"""Canned replies: the texts behind a slash."""

from __future__ import annotations

from litestar import get, post
from litestar.params import FromPath

from tablegram.errors import Conflict, FieldError, Invalid, Problem
from tablegram.flows.inbox.canned import CannedChange, CannedDraft
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, cut, fits, with_times
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor

_READ = {"scope": "messages:read"}
_SEND = {"scope": "messages:send"}
HOME = "/panel/inbox/replies"


@get("/inbox/replies", opt=_READ)
async def list_replies(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _list(request, visitor, deps)


async def _list(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, form: Form | None = None, problem: Problem | None = None
) -> PageResponse:
    every = await deps.inbox.canned.every(visitor.caller)
    search = asked(request, "q")
    found = [with_times(one) for one in every if fits(search, one.shortcut, one.text)]
    return page(
        request,
        visitor,
        "inbox/replies.html",
        form=form,
        problem=problem,
        replies=cut(found, asked(request, "cursor"), lambda one: str(one["id"])),
        has_any=bool(every),
        adding=form is not None,
        mark=new_mark(),
    )


@post("/inbox/replies", opt=_SEND)
async def add_reply(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    draft = CannedDraft(shortcut=form.text("shortcut"), text=form.text("text"))
    call = once(form, "POST /canned-replies", draft.shortcut, draft.text)
    try:
        await deps.inbox.canned.add(visitor.caller, draft, call)
    except Problem as problem:
        return await _list(request, visitor, deps, form, beside(problem))
    return redirect(request, HOME, toast=visitor.t("canned.added", shortcut=draft.shortcut.removeprefix("/")))


@get("/inbox/replies/{reply_id:str}", opt=_READ)
async def show_reply(request: PageRequest, visitor: VisitorOf, deps: DepsOf, reply_id: FromPath[str]) -> PageResponse:
    reply = await deps.inbox.canned.get(visitor.caller, reply_id)
    return page(request, visitor, "inbox/reply.html", reply=with_times(reply))


@post("/inbox/replies/{reply_id:str}", opt=_SEND)
async def change_reply(request: PageRequest, visitor: VisitorOf, deps: DepsOf, reply_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    reply = await deps.inbox.canned.get(visitor.caller, reply_id)
    if form.text("act") == "delete":
        await deps.inbox.canned.delete(visitor.caller, reply_id)
        return redirect(request, HOME, toast=visitor.t("canned.deleted", shortcut=reply.shortcut))
    try:
        change = CannedChange(shortcut=form.text("shortcut"), text=form.text("text"))
        changed = await deps.inbox.canned.update(visitor.caller, reply_id, change)
    except Problem as problem:
        return page(request, visitor, "inbox/reply.html", reply=with_times(reply), form=form, problem=beside(problem))
    return redirect(request, HOME, toast=visitor.t("canned.changed", shortcut=changed.shortcut))


def beside(problem: Problem) -> Problem:
    """A shortcut that is taken is a fault of that field."""
    if isinstance(problem, Conflict) and problem.code == "shortcut_taken":
        return Invalid(
            problem.detail, code=problem.code, errors=(FieldError("shortcut", problem.code, problem.detail),)
        )
    return problem


HANDLERS = [list_replies, add_reply, show_reply, change_reply]
