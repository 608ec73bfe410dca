"""A campaign is written: whom, what, and within which limits; the phone beside it shows what comes out.

GET  /panel/campaigns/new                   ?idea= ?kind=template ?template=name/language
POST /panel/campaigns
GET  /panel/campaigns/{id}/edit
POST /panel/campaigns/{id}
POST /panel/campaigns/look                  the phone, for what is typed
GET  /panel/campaigns/{id}/picture          that was uploaded
"""

from __future__ import annotations

from typing import Any, cast

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Stream

from tablegram.campaigns.fields import CampaignFields
from tablegram.campaigns.model import MAX_TEXTS, Language
from tablegram.campaigns.segments.starts import STARTS
from tablegram.errors import Invalid, Problem
from tablegram.flows.campaigns.segments.ready import ReadyMade
from tablegram.flows.campaigns.segments.services import SegmentServices
from tablegram.flows.campaigns.services import CampaignServices
from tablegram.flows.campaigns.trying import invented
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.pages.campaigns.network_texts import Shape, shapes
from tablegram.panel.pages.campaigns.versions import (
    is_to_arrange,
    read_versions,
    versions_shown,
    wanted_at_first,
    wanted_of,
)
from tablegram.panel.pages.inbox.writing import chunks_of
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.web.guards import file_headers

_READ = {"scope": "campaigns:read"}
_MANAGE = {"scope": "campaigns:manage"}
HOME = "/panel/campaigns"
# What to begin with, and the ready-made group that it is for; empty: everybody. The words of each are `campaigns.idea_…`.
IDEAS = {"missed": "lost", "weekend": "", "dish": ""}
# A ready-made group among the segments to choose from.
READY = "ready:"
MAX_LINES = 50
_NUMBERS = {
    "cap_messages": (0, 30), "holdout_percent": (0, 50), "pace_per_min": (0, 30_000), "start_window_min": (5, 1_440),
    "attribution_days": (1, 30),
}  # fmt: skip


def services_of(deps: PanelDeps) -> CampaignServices:
    return deps.services.of(CampaignServices)


@get("/campaigns/new", opt=_MANAGE)
async def new_campaign(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _editor(request, visitor, deps, None, None)


@get("/campaigns/{campaign_id:str}/edit", opt=_MANAGE)
async def edit_campaign(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, campaign_id: FromPath[str]
) -> PageResponse:
    return await _editor(request, visitor, deps, campaign_id, None)


@post("/campaigns", opt=_MANAGE, status_code=200)
async def create_campaign(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    try:
        if is_to_arrange(form):
            return await _editor(request, visitor, deps, None, form)
        fields = await _typed(visitor, deps, form)
        call = once(form, "panel campaigns", msgspec.json.encode(fields).decode())
        fields |= await _picture(visitor, deps, form, fields, "")
        made = (await services_of(deps).desk.create(visitor.caller, fields, call)).value
    except Problem as problem:
        return await _editor(request, visitor, deps, None, form, problem)
    return redirect(request, f"{HOME}/{made.id}")


@post("/campaigns/{campaign_id:str}", opt=_MANAGE, status_code=200)
async def save_campaign(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, campaign_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    desk = services_of(deps).desk
    try:
        if is_to_arrange(form):
            return await _editor(request, visitor, deps, campaign_id, form)
        fields = await _typed(visitor, deps, form)
        fields |= await _picture(visitor, deps, form, fields, (await desk.get(visitor.caller, campaign_id)).image_id)
        await desk.change(visitor.caller, campaign_id, fields)
    except Invalid as problem:
        return await _editor(request, visitor, deps, campaign_id, form, problem)
    return redirect(request, f"{HOME}/{campaign_id}", toast=visitor.t("campaigns.saved"))


@get("/campaigns/{campaign_id:str}/picture", opt=_READ)
async def show_picture(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, campaign_id: FromPath[str]
) -> Response[Any]:
    """What was uploaded for it. Nothing but a picture is kept there."""
    opened = await services_of(deps).pictures.open(visitor.caller, campaign_id)
    headers = {"Content-Length": str(opened.size), **file_headers()}
    assert opened.stream is not None
    return Stream(opened.stream, media_type=opened.mime_type, headers=headers)


@post("/campaigns/look", opt=_READ, status_code=200)
async def look_at(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    texts, wrong = await _look(visitor, deps, await read_form(request))
    return page(
        request, visitor, "campaigns/phone.html", texts=texts, wrong=wrong, picture="", known_shapes=[], status=200
    )


async def _look(visitor: Visitor, deps: PanelDeps, form: Form) -> tuple[list[Any], Problem | None]:
    """The texts for an invented customer; or what is wrong with them."""
    try:
        typed: CampaignFields = {
            "texts": _texts(form),
            "language": _language(form),
            "instance_id": _line(form),
            **_media(form),
        }
        return list(await services_of(deps).trying.look(visitor.caller, typed)), None
    except Invalid as wrong:
        return [], wrong


async def _editor(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, campaign_id: str | None, form: Form | None,
    problem: Problem | None = None,
) -> PageResponse:  # fmt: skip
    services = services_of(deps)
    one = None if campaign_id is None else await services.desk.get(visitor.caller, campaign_id)
    if one is not None and one.state != "draft":
        return redirect(request, f"{HOME}/{one.id}")
    plan: Any = one if one is not None else await services.desk.usual(visitor.caller)
    idea = asked(request, "idea") if one is None and asked(request, "idea") in IDEAS else ""
    if idea:
        # Its words are in the visitor's language, and so are those that lead out.
        plan = msgspec.structs.replace(plan, language="tr" if visitor.language == "tr" else "en")
    lines = (await deps.gateway.lines.page(visitor.caller, MAX_LINES, None)).data
    line = _line(form) if form is not None else None if one is None else one.instance_id
    kind = form.text("kind") if form is not None else asked(request, "kind") or plan.kind
    found: list[Shape] = []
    trouble = None
    if kind == "template":
        found, trouble = await shapes(visitor, deps, line)
    kept = [] if one is None else one.versions
    wanted = wanted_of(form) if form is not None else wanted_at_first(asked(request, "template"), kept)
    texts, wrong = await _look(visitor, deps, form if form is not None else _as_form(visitor, plan, idea))
    chosen = one.segment_id if one is not None else asked(request, "segment")
    if idea and IDEAS[idea] and not chosen:
        chosen = await _ready(deps).saved(visitor.caller, IDEAS[idea]) or READY + IDEAS[idea]
    named = form.text("segment_id") if form is not None else chosen
    audiences = await services.trying.audiences(visitor.caller, chosen)
    ready = await _ready(deps).offered(visitor.caller, named.removeprefix(READY))
    return page(
        request, visitor, "campaigns/edit.html", one=one, plan=plan, form=form, problem=problem, mark=new_mark(),
        audiences=audiences, segment=chosen, lines=lines, kind=kind,
        ready=_unlike(audiences, [(READY + each, visitor.t(f"segments.start_{each}"), n) for each, n in ready], named),
        shapes=found, trouble=trouble, versions=versions_shown(found, wanted, kept), most=MAX_TEXTS, idea=idea,
        texts=texts, wrong=wrong, shown_as=invented("tr" if visitor.language == "tr" else "en"),
        known_shapes=[],
    )  # fmt: skip


def _unlike(
    saved: list[tuple[str, str, int]], ready: list[tuple[str, str, int]], chosen: str
) -> list[tuple[str, str, int]]:
    """Without those that somebody calls so already: nobody could tell the two apart."""
    names = {name for _, name, _ in saved}
    return [one for one in ready if one[1] not in names or one[0] == chosen]


def _as_form(visitor: Visitor, plan: Any, idea: str) -> Form:
    """What the editor begins with, as if it had been typed."""
    words = visitor.t(f"campaigns.idea_{idea}_text") if idea else plan.texts[0] if plan.texts else ""
    second = plan.texts[1] if len(plan.texts) > 1 else ""
    given = [("text", words), ("text_b", second), ("language", plan.language), ("media_url", plan.media_url)]
    return Form([*given, ("has_picture", "1")] if plan.image_id else given)


async def _picture(
    visitor: Visitor, deps: PanelDeps, form: Form, fields: CampaignFields, before: str
) -> CampaignFields:
    """A picture that was chosen, or taken away; else nothing changes about it. It goes before an address."""
    if fields["kind"] == "template":
        return {"image_id": ""}
    image_id, file = "" if form.flag("picture_gone") else before, form.file("picture")
    if file is not None:
        pictures, claim = services_of(deps).pictures, file.content_type or ""
        image_id = await pictures.keep(visitor.caller, chunks_of(file), file.filename, claim)
    return {"image_id": image_id, "kind": "media", "media_kind": "image"} if image_id else {"image_id": ""}


def _ready(deps: PanelDeps) -> ReadyMade:
    return deps.services.of(SegmentServices).ready


async def _typed(visitor: Visitor, deps: PanelDeps, form: Form) -> CampaignFields:
    """What the form says. A ready-made group becomes a segment once the rest of it can be read."""
    typed, segment = _read(form), form.text("segment_id")
    if segment.startswith(READY):
        name = segment.removeprefix(READY)
        if name not in STARTS:
            raise Invalid.field("segment_id", "segment_unknown", "The account has no segment with this id.")
        typed["segment_id"] = await _ready(deps).keep(visitor.caller, name, visitor.t(f"segments.start_{name}"))
    return typed


def _read(form: Form) -> CampaignFields:
    cap_days = form.text("cap_days", "7")
    figures = {name: _whole(form, name, *edges) for name, edges in _NUMBERS.items() if form.has(name)}
    typed: CampaignFields = {
        "name": form.text("name"),
        "segment_id": form.text("segment_id")[:64],
        "instance_id": _line(form),
        "texts": _texts(form),
        "language": _language(form),
        "time_zone": form.text("time_zone") or "UTC",
        "clock": "recipient" if form.text("clock") == "recipient" else "venue",
        "quiet_from": form.text("quiet_from"),
        "quiet_until": form.text("quiet_until"),
        "cap_days": 30 if cap_days == "30" else 7,
        **_media(form),
        **cast(CampaignFields, figures),
    }
    if form.text("kind") == "template":
        typed |= {"kind": "template", "texts": [], "versions": read_versions(form)}
        del typed["media_url"]
    return typed


def _texts(form: Form) -> list[str]:
    texts = [form.raw(name).replace("\r\n", "\n").strip() for name in ("text", "text_b")]
    return [text for text in texts if text]


def _media(form: Form) -> CampaignFields:
    address = form.text("media_url")
    if address and not (address.startswith("https://") and address.isascii() and len(address.split()) == 1):
        raise Invalid.field(
            "media_url", "image_url_invalid", "Give the address of a picture that begins with https://."
        )
    return {"kind": "media" if address or form.flag("has_picture") else "text", "media_url": address[:2_000]}


def _language(form: Form) -> Language:
    return "tr" if form.text("language") == "tr" else "en"


def _line(form: Form) -> int | None:
    typed = form.text("instance_id")
    return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 10 else None


def _whole(form: Form, name: str, least: int, most: int) -> int:
    figure = form.number(name) or 0
    if figure != int(figure) or not least <= figure <= most:
        raise Invalid.field(name, "campaign_number", f"Write a whole number from {least} to {most}.")
    return int(figure)


HANDLERS = [new_campaign, look_at, create_campaign, edit_campaign, save_campaign, show_picture]
