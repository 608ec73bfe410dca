"""Members of the programme, their points, and what the programme does.

GET  /panel/loyalty                             ?q=&cursor=
GET  /panel/loyalty/members/{contact_id}        ?cursor=
POST /panel/loyalty/members/{contact_id}/adjust
"""

from __future__ import annotations

from datetime import date
from typing import Any

from litestar import get, post
from litestar.params import FromPath
from msgspec.structs import asdict

from tablegram.errors import Problem
from tablegram.flows.loyalty.answers.rewards import LoyaltyFigures, LoyaltyMember, LoyaltyWorth
from tablegram.flows.loyalty.services import LoyaltyServices
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.charts import Chart, Series, draw
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.i18n import format_date, format_number
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.money import from_wire, written

_READ, _MANAGE = {"scope": "loyalty:read"}, {"scope": "loyalty:manage"}
HOME = "/panel/loyalty"
PER_PAGE = 25
DAYS = 30
TONES = {"earn": "ok", "give_back": "ok", "redeem": "info", "adjust": "info", "expire": "muted", "reverse": "warn"}


def services_of(deps: PanelDeps) -> LoyaltyServices:
    return deps.services.of(LoyaltyServices)


@get("/loyalty", opt=_READ)
async def list_members(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    desk, q = services_of(deps).points, asked(request, "q")
    if not visitor.can("contacts:read"):
        q = ""
    found = await desk.members(visitor.caller, q=q or None, limit=PER_PAGE, cursor=asked(request, "cursor") or None)
    figures = await desk.figures(visitor.caller, DAYS)
    return page(
        request,
        visitor,
        "loyalty/members.html",
        members=[_member(visitor, one) for one in found.data],
        next_cursor=found.next_cursor,
        is_asked=bool(q),
        figures=figures,
        outstanding=_money(visitor, figures.outstanding_worth),
        chart=_chart(visitor, figures),
        programme=await desk.programme(visitor.caller),
    )


@get("/loyalty/members/{contact_id:str}", opt=_READ)
async def show_member(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str]
) -> PageResponse:
    return await _shown(request, visitor, deps, contact_id, Form())


@post("/loyalty/members/{contact_id:str}/adjust", opt=_MANAGE, status_code=200)
async def adjust(request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    given = form.number("points")
    points = 0 if given is None or given != int(given) else int(given)
    call = once(form, f"panel points {contact_id}", f"{points} {form.text('reason')}")
    try:
        await services_of(deps).points.adjust(visitor.caller, contact_id, points, form.text("reason"), call)
    except Problem as problem:
        return await _shown(request, visitor, deps, contact_id, form, problem)
    return redirect(request, f"{HOME}/members/{contact_id}", toast=visitor.t("loyalty.adjusted"))


async def _shown(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, contact_id: str, form: Form, problem: Problem | None = None
) -> PageResponse:
    desk = services_of(deps).points
    one = await desk.member(visitor.caller, contact_id)
    found = await desk.movements(visitor.caller, contact_id, limit=PER_PAGE, cursor=asked(request, "cursor") or None)
    return page(
        request,
        visitor,
        "loyalty/member.html",
        one=_member(visitor, one),
        expiring=one.expiring and {"points": one.expiring.points, "at": at_ms(one.expiring.at)},
        movements=[{**asdict(row), "at": at_ms(row.created_at), "tone": TONES[row.kind]} for row in found.data],
        next_cursor=found.next_cursor,
        form=form,
        mark=form.text("once") or new_mark(),
        problem=problem,
        status=problem.status if problem else 200,
    )


def _member(visitor: Visitor, one: LoyaltyMember) -> dict[str, Any]:
    return {**asdict(one), "money": _money(visitor, one.worth)}


def _money(visitor: Visitor, worth: list[LoyaltyWorth]) -> str:
    shown = [
        written(from_wire(one.amount, one.currency), one.currency, visitor.language) for one in worth if one.amount
    ]
    return " · ".join(shown)


def _chart(visitor: Visitor, figures: LoyaltyFigures) -> Chart:
    days = figures.days
    return draw(
        visitor.t("loyalty.chart"),
        [format_date(visitor.language, date.fromisoformat(day.day)) for day in days],
        [
            Series(visitor.t(f"loyalty.{name}"), [max(0, getattr(day, name)) for day in days])
            for name in ("given", "redeemed", "expired")
        ],
        lambda value: format_number(visitor.language, value),
        visitor.t(
            "loyalty.chart_summary", days=len(days), given=figures.given, redeemed=figures.redeemed,
            expired=figures.expired,
        ),
    )  # fmt: skip


HANDLERS = [list_members, show_member, adjust]
