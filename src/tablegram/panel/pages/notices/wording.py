"""Notifications: which there are, and the editor of each beside a phone that shows it.

GET  /panel/notices                           ?source=
GET  /panel/notices/wording/{name}            ?source=
POST /panel/notices/wording/{name}            ?source=
POST /panel/notices/wording/{name}/preview    the phone alone
POST /panel/notices/wording/{name}/unset      ?source=
GET  /panel/notices/wording/{name}/picture    ?source=
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, cast
from urllib.parse import quote

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Stream

from tablegram.errors import Invalid, NotFound, Problem, no_such
from tablegram.flows.stores.notices.answers import NotificationView, PreviewView
from tablegram.flows.stores.notices.notice_desk import NoticeDesk
from tablegram.flows.stores.notices.services import NoticeServices
from tablegram.flows.stores.services import StoreServices
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked
from tablegram.panel.pages.inbox.writing import chunks_of
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.stores.notifications.kinds import BUTTONS, LANGUAGES, TO_TEAM
from tablegram.stores.notifications.model import Wording, WordingFields
from tablegram.web.guards import file_headers

_SCOPE = {"scope": "stores:manage"}
HOME = "/panel/notices"


def desk_of(deps: PanelDeps) -> NoticeDesk:
    return deps.services.of(NoticeServices).desk


@get("/notices", opt=_SCOPE)
async def list_notifications(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    source_id = asked(request, "source")
    found = (await desk_of(deps).notifications(visitor.caller, source_id)).data
    rows: dict[tuple[str, int], list[NotificationView]] = {}
    for one in found:
        rows.setdefault((one.kind, one.step), []).append(one)
    return page(
        request, visitor, "notices/list.html", rows=list(rows.values()), languages=LANGUAGES, source=source_id,
        shops=await _shops(visitor, deps),
    )  # fmt: skip


@get("/notices/wording/{name:str}", opt=_SCOPE)
async def edit(request: PageRequest, visitor: VisitorOf, deps: DepsOf, name: FromPath[str]) -> PageResponse:
    return await _editor(request, visitor, deps, name, Form())


@post("/notices/wording/{name:str}", opt=_SCOPE, status_code=200)
async def save(request: PageRequest, visitor: VisitorOf, deps: DepsOf, name: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    try:
        fields: WordingFields = {**_typed(form), **await _picture(visitor, deps, form)}
        kept = await desk_of(deps).set(visitor.caller, name, fields, asked(request, "source"))
    except Invalid as problem:
        return await _editor(request, visitor, deps, name, form, problem)
    toast = visitor.t("notices.saved_on" if kept.enabled else "notices.saved_off")
    return redirect(request, _place(name, kept.source_id or ""), toast=toast)


@get("/notices/wording/{name:str}/picture", opt=_SCOPE)
async def show_picture(request: PageRequest, visitor: VisitorOf, deps: DepsOf, name: FromPath[str]) -> Response[Any]:
    """What was uploaded for it. Nothing but a picture is kept there."""
    opened = await desk_of(deps).open_picture(visitor.caller, name, asked(request, "source"))
    headers = {"Content-Length": str(opened.size), **file_headers()}
    assert opened.stream is not None
    return Stream(opened.stream, media_type=opened.mime_type, headers=headers)


@post("/notices/wording/{name:str}/unset", opt=_SCOPE)
async def unset(request: PageRequest, visitor: VisitorOf, deps: DepsOf, name: FromPath[str]) -> PageResponse:
    await read_form(request)
    source_id = asked(request, "source")
    if not source_id:
        raise NotFound(no_such("shop or form"), code="source_unknown")
    await desk_of(deps).unset(visitor.caller, name, source_id)
    return redirect(request, _place(name, source_id), toast=visitor.t("notices.unset_done"))


@post("/notices/wording/{name:str}/preview", opt=_SCOPE, status_code=200)
async def preview(request: PageRequest, visitor: VisitorOf, deps: DepsOf, name: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    shown, problem = await _shown(visitor, deps, name, _typed(form))
    return page(request, visitor, "notices/phone.html", shown=shown, wrong=problem)


async def _editor(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, name: str, form: Form, problem: Problem | None = None
) -> PageResponse:
    source_id = asked(request, "source")
    one = await desk_of(deps).get(visitor.caller, name, source_id)
    problem = _told(visitor, problem, one.variables)
    shown, wrong = await _shown(visitor, deps, name, _typed(form) if form.has("csrf") else _worded(one))
    return page(
        request,
        visitor,
        "notices/edit.html",
        one=one,
        shown=shown,
        wrong=wrong,
        others=[language for language in LANGUAGES if language != one.language],
        buttons=BUTTONS[one.kind],
        to_team=one.kind in TO_TEAM,
        source=source_id,
        shops=await _shops(visitor, deps),
        templates=await _templates(visitor, deps),
        form=form,
        problem=problem,
        status=422 if problem else 200,
    )


async def _templates(visitor: Visitor, deps: PanelDeps) -> list[tuple[str, str]]:
    """Names and languages of templates that may be sent, for a choice."""
    if not (visitor.can("messages:read") or visitor.can("instances:manage")):
        return []
    found = await deps.gateway.templates.known(visitor.caller)
    return sorted({(one.name, one.language) for one in found if one.status == "APPROVED"})


async def _shops(visitor: Visitor, deps: PanelDeps) -> list[tuple[str, str]]:
    """The account's shops and forms, for a choice."""
    found = await deps.services.of(StoreServices).sources.page(visitor.caller)
    return [(one.id, one.name) for one in found.data]


def _place(name: str, source_id: str) -> str:
    return f"{HOME}/wording/{name}" + (f"?source={quote(source_id)}" if source_id else "")


async def _picture(visitor: Visitor, deps: PanelDeps, form: Form) -> WordingFields:
    """A picture that was chosen, or taken away; else nothing changes about it."""
    file = form.file("picture")
    if file is not None:
        chunks, claim = chunks_of(file), file.content_type or ""
        return {"image_id": await desk_of(deps).keep_picture(visitor.caller, chunks, file.filename, claim)}
    return {"image_id": ""} if form.flag("picture_gone") else {}


def _worded(one: NotificationView) -> WordingFields:
    """What the preview of a shop's own words is drawn from."""
    return cast(WordingFields, {name: getattr(one, name) for name in Wording.__struct_fields__})


async def _shown(
    visitor: Visitor, deps: PanelDeps, name: str, fields: WordingFields
) -> tuple[PreviewView | None, Problem | None]:
    """How it looks on a phone, or what is wrong with it."""
    try:
        return (await desk_of(deps).preview(visitor.caller, name, fields)).value, None
    except Invalid as problem:
        known = (await desk_of(deps).get(visitor.caller, name)).variables
        return None, _told(visitor, problem, known)


def _told(visitor: Visitor, problem: Problem | None, known: Sequence[str]) -> Problem | None:
    """The same problem; an unknown variable is named in the visitor's language, with those that there are."""
    if problem is None or not problem.errors or problem.errors[0].code != "variable_unknown":
        return problem
    wrong = problem.errors[0]
    named = re.search(r"\{[^{}]*\}", wrong.detail)
    choices = ", ".join(f"{{{one}}}" for one in known)
    words = visitor.t("notices.unknown_variable", name=named[0] if named else "", known=choices)
    return Invalid.field(wrong.field, wrong.code, words)


def _typed(form: Form) -> WordingFields:
    delay = form.number("delay_min")
    typed: WordingFields = {
        "enabled": form.flag("enabled"),
        "text": form.text("text").replace("\r\n", "\n"),
        "delay_min": -1 if delay is None or delay != int(delay) else int(delay),
        "quiet_from": form.text("quiet_from"),
        "quiet_until": form.text("quiet_until"),
        "time_zone": form.text("time_zone"),
        "template_name": form.text("template_name"),
        "template_language": form.text("template_language"),
        "template_variables": [
            word.strip("{} ") for word in form.text("template_variables").split(",") if word.strip()
        ],
        "image_url": form.text("image_url"),
        "buttons": form.all("buttons"),
        "phones": [
            "".join(sign for sign in one if sign.isdigit()) for one in form.text("phones").split(",") if one.strip()
        ],
    }
    if form.flag("picture_gone"):
        typed["image_id"] = ""
    return typed


HANDLERS = [list_notifications, edit, save, unset, preview, show_picture]
