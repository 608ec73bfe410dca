"""Campaigns: a list of them; a draft that is looked at, tried and started; and how far one is, and what came of it.

GET  /panel/campaigns                       ?state=
GET  /panel/campaigns/{id}                  a draft to check and start (?q= ?contact= for whom); else its report
POST /panel/campaigns/{id}/{start|pause|resume|cancel|test}
GET  /panel/campaigns/{id}/export           the report as CSV
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from tablegram.campaigns.states import STATES, Event
from tablegram.errors import Invalid, Problem
from tablegram.flows.campaigns.answers import CampaignView
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, choice
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.pages.campaigns.editing import HOME, IDEAS, services_of
from tablegram.panel.pages.campaigns.network_texts import Shape, shapes
from tablegram.panel.pages.campaigns.showing import groups, interval, reasons, shown, steps
from tablegram.panel.pages.contacts.finding import find_people
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.opening_hours import moment

_READ = {"scope": "campaigns:read"}
_MANAGE = {"scope": "campaigns:manage"}
PER_PAGE = 25
MOST_PEOPLE = 5


@get("/campaigns", opt=_READ)
async def list_campaigns(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    state = choice(request, "state", ("", *STATES)) or None
    cursor = asked(request, "cursor") or None
    found = await services_of(deps).desk.page(visitor.caller, state=state, limit=PER_PAGE, cursor=cursor)
    return page(
        request,
        visitor,
        "campaigns/list.html",
        campaigns=[shown(one) for one in found.data],
        next_cursor=found.next_cursor,
        is_asked=state is not None,
        states=STATES,
        ideas=IDEAS,
        may_write=visitor.caller.has("campaigns:manage"),
    )


@get("/campaigns/{campaign_id:str}", opt=_READ)
async def show_campaign(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, campaign_id: FromPath[str]
) -> PageResponse:
    return await _one(request, visitor, deps, campaign_id, Form())


@post("/campaigns/{campaign_id:str}/start", opt=_MANAGE, status_code=200)
async def start_campaign(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, campaign_id: FromPath[str]
) -> PageResponse:
    form, desk = await read_form(request), services_of(deps).desk
    zone = (await desk.get(visitor.caller, campaign_id)).time_zone
    try:
        starts_at = _moment(form, zone) if form.text("when") == "later" else None
        call = once(form, f"panel start {campaign_id}", str(starts_at))
        await desk.start(visitor.caller, campaign_id, starts_at, call)
    except Problem as problem:
        return await _one(request, visitor, deps, campaign_id, form, problem)
    toast = visitor.t("campaigns.started" if starts_at is None else "campaigns.scheduled")
    return redirect(request, f"{HOME}/{campaign_id}", toast=toast)


@post("/campaigns/{campaign_id:str}/test", opt=_MANAGE, status_code=200)
async def test_campaign(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, campaign_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    phone = "".join(sign for sign in form.text("phone") if sign.isdigit())
    try:
        if not 7 <= len(phone) <= 15:
            raise Invalid.field("phone", "phone_invalid", "Write the number with its country code.")
        call = once(form, f"panel test {campaign_id}", phone)
        await services_of(deps).trying.test(visitor.caller, campaign_id, phone, call)
    except Problem as problem:
        return await _one(request, visitor, deps, campaign_id, form, problem)
    return redirect(request, f"{HOME}/{campaign_id}", toast=visitor.t("campaigns.tested"))


async def _act(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, campaign_id: str, event: Event, toast: str
) -> PageResponse:
    form = await read_form(request)
    try:
        await services_of(deps).desk.act(visitor.caller, campaign_id, event, once(form, f"panel {event} {campaign_id}"))
    except Problem as problem:
        return await _one(request, visitor, deps, campaign_id, form, problem)
    return redirect(request, f"{HOME}/{campaign_id}", toast=visitor.t(toast))


@post("/campaigns/{campaign_id:str}/pause", opt=_MANAGE, status_code=200)
async def pause_campaign(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, campaign_id: FromPath[str]
) -> PageResponse:
    return await _act(request, visitor, deps, campaign_id, "pause", "campaigns.paused")


@post("/campaigns/{campaign_id:str}/resume", opt=_MANAGE, status_code=200)
async def resume_campaign(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, campaign_id: FromPath[str]
) -> PageResponse:
    return await _act(request, visitor, deps, campaign_id, "resume", "campaigns.resumed")


@post("/campaigns/{campaign_id:str}/cancel", opt=_MANAGE, status_code=200)
async def cancel_campaign(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, campaign_id: FromPath[str]
) -> PageResponse:
    return await _act(request, visitor, deps, campaign_id, "cancel", "campaigns.cancelled")


@get("/campaigns/{campaign_id:str}/export", opt=_READ)
async def export_report(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, campaign_id: FromPath[str]
) -> Response[bytes]:
    table = await services_of(deps).reporting.table(visitor.caller, campaign_id)
    return Response(
        table, media_type="text/csv", headers={"Content-Disposition": 'attachment; filename="campaign.csv"'}
    )


async def _one(
    request: PageRequest,
    visitor: Visitor,
    deps: PanelDeps,
    campaign_id: str,
    form: Form,
    problem: Problem | None = None,
) -> PageResponse:
    services = services_of(deps)
    one = await services.desk.get(visitor.caller, campaign_id)
    given: dict[str, Any] = {
        "one": shown(one), "form": form, "problem": problem, "mark": new_mark(),
        "may_write": visitor.caller.has("campaigns:manage"), "status": problem.status if problem else 200,
    }  # fmt: skip
    if one.state == "draft":
        return await _check(request, visitor, deps, one, given)
    report = await services.reporting.report(visitor.caller, campaign_id)
    return page(
        request, visitor, "campaigns/one.html", report=report, compared=groups(visitor, report),
        steps=steps(visitor, one), reasons=reasons(visitor, report), interval=interval(visitor, report), **given,
    )  # fmt: skip


async def _check(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, one: CampaignView, given: dict[str, Any]
) -> PageResponse:
    """A draft, before it begins: for an invented customer, or for one of one's own."""
    trying = services_of(deps).trying
    search = asked(request, "q") if visitor.can("contacts:read") else ""
    people = await find_people(deps, visitor, search, MOST_PEOPLE) if search else []
    contact = (asked(request, "contact") or (_last(people[0].path) if people else "")) if search else ""
    call = once(Form(), f"panel preview {one.id}")
    seen = (await trying.preview(visitor.caller, one.id, contact, call)).value
    known: list[Shape | None] = []
    if one.kind == "template":
        found = {shape.key: shape for shape in (await shapes(visitor, deps, one.instance_id))[0]}
        known = [found.get(f"{version.template_name}/{version.template_language}") for version in one.versions]
    names = {key: name for key, name, _ in await trying.audiences(visitor.caller, one.segment_id)}
    return page(
        request, visitor, "campaigns/check.html", seen=seen, texts=seen.texts, wrong=None, known_shapes=known,
        people=[(_last(person.path), person.title, _last(person.path) == contact) for person in people],
        search=search, audience=names.get(one.segment_id, ""), estimate=await trying.estimate(visitor.caller, one.id),
        **given,
    )  # fmt: skip


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _moment(form: Form, zone: str) -> int:
    """What was typed is by the venue's clock."""
    try:
        typed = datetime.fromisoformat(form.text("starts_at"))
    except ValueError:
        raise Invalid.field("starts_at", "time_invalid", "Choose a day and a time.") from None
    return moment(typed.date(), typed.hour * 60 + typed.minute, zone)


HANDLERS = [
    list_campaigns,
    show_campaign,
    start_campaign,
    test_campaign,
    pause_campaign,
    resume_campaign,
    cancel_campaign,
    export_report,
]
