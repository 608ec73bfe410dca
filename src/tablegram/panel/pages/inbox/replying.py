"""Answering a customer: words, files and templates."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from msgspec.structs import replace

from tablegram.errors import Invalid, NotFound, Problem, Refused
from tablegram.flows.files.attachments import MAX_BYTES
from tablegram.flows.inbox.answers import ConversationView
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, fits
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.i18n import say
from tablegram.panel.pages.inbox.inbox import thread_page
from tablegram.panel.pages.inbox.writing import Model, draft_of, reply, send, wants_json
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.web.forms import MAX_TEXT_BYTES

_SEND = {"scope": "messages:send"}
MOST_TEMPLATES = 200


@post("/inbox/{contact_id:str}/send", opt=_SEND, request_max_body_size=MAX_BYTES + MAX_TEXT_BYTES)
async def send_reply(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str]
) -> Response[Any]:
    form = await read_form(request)
    try:
        await reply(deps, visitor, contact_id, form)
    except Problem as problem:
        if wants_json(request):
            return Response(
                {"code": problem.code, "detail": _told(visitor, problem), "once": new_mark()},
                status_code=problem.status,
                media_type="application/json",
            )
        if isinstance(problem, Invalid | Refused):
            return await thread_page(request, visitor, deps, contact_id, form, problem)
        raise
    if wants_json(request):
        return Response({"once": new_mark()}, status_code=200, media_type="application/json")
    return redirect(request, f"/panel/inbox/{contact_id}#composer")


def _told(visitor: Visitor, problem: Problem) -> str:
    first = problem.errors[0] if problem.errors else problem
    return say(visitor.language, first)


@get("/inbox/{contact_id:str}/template", opt=_SEND)
async def choose_template(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str]
) -> PageResponse:
    return await _template_page(request, visitor, deps, contact_id)


@post("/inbox/{contact_id:str}/template", opt=_SEND)
async def send_template(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    talk = _by_line(await deps.inbox.conversations.get(visitor.caller, contact_id), form.text("line"))
    model = await _model(visitor, deps, talk, form.text("template"))
    try:
        draft = draft_of(talk, model, form)
        await send(deps, visitor, talk, draft, once(form, "panel template", talk.contact_id, draft.text))
    except (Invalid, Refused) as problem:
        return await _template_page(request, visitor, deps, contact_id, form, problem)
    toast = visitor.t("inbox.template_sent", name=talk.name or talk.addresses[0])
    return redirect(request, f"/panel/inbox/{talk.contact_id}", toast=toast)


async def _template_page(
    request: PageRequest,
    visitor: Visitor,
    deps: PanelDeps,
    contact_id: str,
    form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:
    line = form.text("line") if form is not None else asked(request, "line")
    talk = _by_line(await deps.inbox.conversations.get(visitor.caller, contact_id), line)
    chosen = form.text("template") if form is not None else asked(request, "template")
    models, trouble = await _models(visitor, deps, talk)
    search = asked(request, "q")
    return page(
        request,
        visitor,
        "inbox/template.html",
        form=form,
        problem=problem,
        talk=talk,
        line=line if line.isascii() and line.isdecimal() else "",
        trouble=trouble,
        models=[model for model in models if fits(search, model.name, model.body)],
        chosen=next((model for model in models if _name(model) == chosen and model.usable), None),
        name_of=_name,
        mark=new_mark(),
    )


def _by_line(talk: ConversationView, line: str) -> ConversationView:
    """The conversation as it goes on by a line that was chosen, and not by the last one."""
    return replace(talk, last_instance_id=int(line)) if line.isascii() and line.isdecimal() and len(line) < 10 else talk


async def _models(visitor: Visitor, deps: PanelDeps, talk: ConversationView) -> tuple[list[Model], Problem | None]:
    """The line's templates, those that can be sent from here first; or why they cannot be had."""
    try:
        found = await deps.gateway.templates.page(visitor.caller, talk.last_instance_id, MOST_TEMPLATES, None)
    except Problem as problem:
        return [], problem
    models = [Model(template) for template in found.data]
    return sorted((one for one in models if one.approved), key=lambda one: (not one.usable, one.name)), None


async def _model(visitor: Visitor, deps: PanelDeps, talk: ConversationView, chosen: str) -> Model:
    models, trouble = await _models(visitor, deps, talk)
    if trouble is not None:
        raise trouble
    for model in models:
        if _name(model) == chosen and model.usable:
            return model
    raise NotFound(visitor.t("inbox.template_gone"))


def _name(model: Model) -> str:
    return f"{model.name}/{model.language}"


HANDLERS = [send_reply, choose_template, send_template]
