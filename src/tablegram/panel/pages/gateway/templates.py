"""Templates: which there are and how they stand, and the editor of each beside a phone that shows it.

GET  /panel/templates             ?line= &q= &status=
GET  /panel/templates/new         ?line=
POST /panel/templates             once, line, name, language, category, header_…, text, examples, footer, button_N_…, picture
POST /panel/templates/preview     the phone alone
GET  /panel/templates/{id}
POST /panel/templates/{id}        the same without line, name and language
POST /panel/templates/{id}/delete confirm
"""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import get, post
from litestar.params import FromPath

from tablegram.errors import Invalid, Problem, Unavailable
from tablegram.flows.gateway.answers.templates import TemplateView
from tablegram.messaging.templates.model import MEDIA_FORMATS, DraftFields, Header, TemplateDraft
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form, require_word
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms, fits
from tablegram.panel.frame.once import contents_of, new_mark, once
from tablegram.panel.i18n import say
from tablegram.panel.pages.gateway import template_forms as forms
from tablegram.panel.pages.inbox.writing import chunks_of
from tablegram.panel.pages.integrations.snippets import every_line
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor

_MANAGE = {"scope": "instances:manage"}
HOME = "/panel/templates"
MOST = 200


@get("/templates", opt=_MANAGE)
async def list_templates(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    lines = await _lines(deps, visitor)
    line = _chosen(request, lines)
    trouble = None
    # A page that only follows the news need not ask the network again.
    if line is not None and not asked(request, "part"):
        try:
            await deps.gateway.templates.page(visitor.caller, line, 1, None)
        except Unavailable as problem:
            trouble = problem
    every = await deps.gateway.templates.known(visitor.caller, line) if line is not None else []
    search, status = asked(request, "q"), asked(request, "status")
    found = [one for one in every if fits(search, one.name, one.text) and status in ("", one.status)]
    return page(
        request,
        visitor,
        "gateway/templates/list.html",
        lines=lines,
        line=line,
        trouble=trouble,
        has_any=bool(every),
        statuses=[(one, _status(visitor, one)) for one in sorted({one.status for one in every})],
        templates=[_seen(visitor, one) for one in found[:MOST]],
    )


@get("/templates/new", opt=_MANAGE)
async def new_template(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _editor(request, visitor, deps, Form())


@post("/templates", opt=_MANAGE, status_code=200)
async def create_template(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    line = form.text("line")
    try:
        draft = forms.draft_of(form)
        file = form.file("picture")
        held = (file.filename, await contents_of(file)) if file else ()
        call = once(form, "panel templates", line, msgspec.json.encode(draft).decode(), *held)
        draft = await _with_sample(visitor, deps, form, draft)
        number = int(line) if line.isascii() and line.isdecimal() and len(line) < 10 else None
        made = (await deps.gateway.templates.create(visitor.caller, number, draft, call)).value
    except Problem as problem:
        if problem.status not in (422, 503):
            raise
        return await _editor(request, visitor, deps, form, problem=problem)
    return redirect(request, f"{HOME}/{made.id}", toast=visitor.t("templates.handed_over"))


@post("/templates/preview", opt=_MANAGE, status_code=200)
async def preview(request: PageRequest, visitor: VisitorOf) -> PageResponse:
    form = await read_form(request)
    return page(request, visitor, "gateway/templates/phone.html", shown=forms.shown(visitor, forms.draft_of(form)))


@get("/templates/{template_id:str}", opt=_MANAGE)
async def show_template(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, template_id: FromPath[str]
) -> PageResponse:
    return await _editor(request, visitor, deps, Form(), await deps.gateway.templates.get(visitor.caller, template_id))


@post("/templates/{template_id:str}", opt=_MANAGE, status_code=200)
async def update_template(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, template_id: FromPath[str]
) -> PageResponse:
    one = await deps.gateway.templates.get(visitor.caller, template_id)
    form = await read_form(request)
    try:
        draft = await _with_sample(visitor, deps, form, forms.draft_of(form, one.name, one.language))
        changes: DraftFields = {
            "category": draft.category, "text": draft.text, "examples": draft.examples, "header": draft.header,
            "footer": draft.footer, "buttons": draft.buttons,
        }  # fmt: skip
        await deps.gateway.templates.update(visitor.caller, template_id, changes)
    except Problem as problem:
        if problem.status not in (409, 422, 503):
            raise
        return await _editor(request, visitor, deps, form, one, problem)
    return redirect(request, f"{HOME}/{template_id}", toast=visitor.t("templates.handed_over"))


@post("/templates/{template_id:str}/delete", opt=_MANAGE, status_code=200)
async def delete_template(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, template_id: FromPath[str]
) -> PageResponse:
    one = await deps.gateway.templates.get(visitor.caller, template_id)
    form = await read_form(request)
    try:
        require_word(form, one.name)
        await deps.gateway.templates.delete(visitor.caller, template_id)
    except Problem as problem:
        if problem.status not in (422, 503):
            raise
        return await _editor(request, visitor, deps, form, one, problem, is_deleting=True)
    return redirect(request, f"{HOME}?line={one.instance_id}", toast=visitor.t("templates.deleted", name=one.name))


async def _editor(
    request: PageRequest,
    visitor: Visitor,
    deps: PanelDeps,
    form: Form,
    one: TemplateView | None = None,
    problem: Problem | None = None,
    *,
    is_deleting: bool = False,
) -> PageResponse:
    lines = await _lines(deps, visitor)
    kept = forms.read_view(one) if one is not None else None
    typed = form.has("text")
    names = (one.name, one.language) if one is not None else ("", "")
    draft = forms.draft_of(form, *names) if typed else kept
    blocked = "" if one is None else _blocked(visitor, one, await _editable(deps, visitor, one))
    return page(
        request,
        visitor,
        "gateway/templates/edit.html",
        one=None if one is None else _seen(visitor, one),
        kept=kept,
        blocked=blocked,
        rows=forms.button_rows(draft),
        formats=forms.FORMATS,
        kinds=forms.BUTTONS,
        lines=lines,
        line=_chosen(request, lines),
        shown=forms.shown(visitor, draft or _EMPTY),
        form=form,
        problem=forms.told(visitor, problem, form) if problem is not None else None,
        status=problem.status if problem is not None else 200,
        is_deleting=is_deleting,
        mark=new_mark(),
    )


_EMPTY = TemplateDraft(name="", language="", category="", text="")


async def _with_sample(visitor: Visitor, deps: PanelDeps, form: Form, draft: TemplateDraft) -> TemplateDraft:
    """With the file that was chosen, where the header is one."""
    file = form.file("picture")
    if file is None or draft.header is None or draft.header.format not in MEDIA_FORMATS:
        return draft
    try:
        kept = await deps.files.attachments.keep(
            visitor.caller, chunks_of(file), file.filename, file.content_type or ""
        )
    except Invalid as problem:
        raise Invalid.field(
            "header.media_id", problem.errors[0].code, say(visitor.language, problem.errors[0])
        ) from None
    header = Header(format=draft.header.format, media_id=kept.id)
    return msgspec.structs.replace(draft, header=header)


async def _lines(deps: PanelDeps, visitor: Visitor) -> dict[int, str]:
    """Those that have templates; a linked device needs none. The default one first."""
    every = [line for line in await every_line(deps, visitor) if line.kind != "linked"]
    return {line.id: line.name for line in sorted(every, key=lambda line: (not line.is_default, line.id))}


def _chosen(request: PageRequest, lines: dict[int, str]) -> int | None:
    wished = asked(request, "line")
    if wished.isascii() and wished.isdecimal() and len(wished) < 10 and int(wished) in lines:
        return int(wished)
    return next(iter(lines), None)


async def _editable(deps: PanelDeps, visitor: Visitor, one: TemplateView) -> str:
    return await deps.gateway.templates.why_not_editable(visitor.caller, one.id)


def _blocked(visitor: Visitor, one: TemplateView, code: str) -> str:
    """Why it cannot be edited now, in words."""
    if not code:
        return ""
    if code == "template_edited_lately":
        return visitor.t("templates.blocked_lately")
    return visitor.t(f"templates.blocked_{one.status if one.status in ('PENDING', 'DISABLED') else 'other'}")


def _status(visitor: Visitor, status: str) -> str:
    return (
        visitor.t(f"templates.status_{status}") if status in forms.STATUSES else status.replace("_", " ").capitalize()
    )


def _seen(visitor: Visitor, one: TemplateView) -> dict[str, Any]:
    """A template with what the pages say of it in words."""
    reason = one.reason.replace("_", " ").capitalize()
    category = one.category.lower()
    return {
        **{name: getattr(one, name) for name in one.__struct_fields__},
        "status_words": _status(visitor, one.status),
        "tone": forms.STATUSES.get(one.status, "muted"),
        "quality_words": visitor.t(f"templates.quality_{one.quality}") if one.quality in forms.QUALITIES else "",
        "quality_tone": forms.QUALITIES.get(one.quality, "muted"),
        "reason_words": visitor.t(f"templates.reason_{one.reason}") if one.reason in forms.REASONS else reason,
        "category_words": visitor.t(f"templates.category_{category}")
        if category in ("marketing", "utility")
        else category,
        "known_at": at_ms(one.synced_at),
    }


HANDLERS = [
    list_templates,
    new_template,
    create_template,
    preview,
    show_template,
    update_template,
    delete_template,
]
