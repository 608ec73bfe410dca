"""A new conversation: a line, whom to write to, and the first words."""

from __future__ import annotations

from typing import Any

from litestar import get, post
from msgspec.structs import replace

from tablegram.crm.importing.checking import RowProblem, read_phone
from tablegram.engine.idempotency import Call
from tablegram.errors import Conflict, Invalid, Problem, Refused
from tablegram.flows.contacts.fields import ContactDraft
from tablegram.flows.gateway.sending import Draft
from tablegram.flows.inbox.answers import ConversationView
from tablegram.messaging.model import Text
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, with_times
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.i18n import format_phone
from tablegram.panel.pages.inbox.writing import MAX_TEXT, phone_of, send
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor

_SEND = {"scope": "messages:send"}
# So many of those that a name finds are offered.
OFFERED = 10


@get("/inbox/new", opt=_SEND)
async def new_talk(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _page(request, visitor, deps)


@post("/inbox/new", opt=_SEND)
async def begin_talk(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    talk: ConversationView | None = None
    found: list[dict[str, Any]] = []
    try:
        line = await _line(form, visitor, deps)
        found = await _found(form, visitor, deps)
        if len(found) != 1:
            code = "several_found" if found else "nobody_found"
            raise Invalid.field("to", code, visitor.t(f"inbox.{code}"))
        talk = await deps.inbox.conversations.get(visitor.caller, found[0]["id"])
        text = form.text("text").replace("\r\n", "\n")
        if not talk.window_open:
            # The words about it, and the way on, stand in the page.
            raise Invalid.field("text", "window_closed", visitor.t("inbox.window_shut"))
        if not text or len(text) > MAX_TEXT:
            code = "text_too_long" if text else "blank"
            raise Invalid.field("text", code, f"Write 1 to {MAX_TEXT:,} characters.")
        call = once(form, "panel reply", talk.contact_id, text)
        draft = Draft(phone_of(talk), Text(text), "text", text)
        await send(deps, visitor, replace(talk, last_instance_id=line), draft, call)
    except (Invalid, Refused) as problem:
        return await _page(request, visitor, deps, form, problem, talk=talk, found=found)
    return redirect(request, f"/panel/inbox/{talk.contact_id}")


async def _page(
    request: PageRequest,
    visitor: Visitor,
    deps: PanelDeps,
    form: Form | None = None,
    problem: Problem | None = None,
    *,
    talk: ConversationView | None = None,
    found: list[dict[str, Any]] | None = None,
) -> PageResponse:
    lines = await deps.gateway.overviews.line_names(visitor.caller)
    return page(
        request,
        visitor,
        "inbox/new.html",
        form=form,
        problem=problem,
        lines=list(lines.items()),
        to=asked(request, "to"),
        talk=None if talk is None else with_times(talk),
        line=form.text("line") if form is not None else "",
        found=[_offered(one) for one in found or []] if talk is None else [],
        mark=new_mark(),
    )


def _offered(one: dict[str, Any]) -> tuple[str, str, str]:
    """One of several, as a choice: who, and by which number."""
    phone = format_phone(next(iter(one["phones"]), ""))
    return one["id"], one["name"] or phone, phone if one["name"] else ""


async def _line(form: Form, visitor: Visitor, deps: PanelDeps) -> int:
    lines = await deps.gateway.overviews.line_names(visitor.caller)
    for number in lines:
        if str(number) == form.text("line"):
            return number
    raise Invalid.field("line", "line_missing", visitor.t("inbox.choose_line"))


async def _found(form: Form, visitor: Visitor, deps: PanelDeps) -> list[dict[str, Any]]:
    """Whom the form means: the one that was ticked, the owner of a number, or all whom a name finds."""
    caller, to = visitor.caller, form.text("to")
    if form.text("chosen"):
        talk = await deps.inbox.conversations.get(caller, form.text("chosen"))
        return [{"id": talk.contact_id}]
    phone = read_phone(to, await deps.contacts.home.of(caller.account_id))
    if not isinstance(phone, RowProblem):
        return [{"id": await _owner(phone, visitor, deps)}]
    if not any(sign.isalpha() for sign in to):
        raise Invalid.field("to", phone.code, visitor.t(f"imports.error_{phone.code}"))
    talks = await deps.inbox.conversations.page(caller, state="all", q=to, limit=OFFERED)
    return [{"id": one.contact_id, "name": one.name, "phones": one.phones} for one in talks.data]


async def _owner(phone: str, visitor: Visitor, deps: PanelDeps) -> str:
    """The contact with a number. Who is not known yet is added, by whom that is allowed to."""
    try:
        made = await deps.contacts.pool.add(visitor.caller, ContactDraft(phone=phone), Call("panel new conversation"))
    except Conflict as problem:
        if problem.code != "contact_exists":
            raise
        return str(problem.extra["contact_id"])
    return made.value.id


HANDLERS = [new_talk, begin_talk]
