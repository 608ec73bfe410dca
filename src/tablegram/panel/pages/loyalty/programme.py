"""The programme's own page.

GET  /panel/loyalty/programme
POST /panel/loyalty/programme
"""

from __future__ import annotations

from litestar import get, post

from tablegram.errors import Problem
from tablegram.flows.loyalty.fields import ProgrammeFields, RateFields
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.pages.loyalty.members import HOME, services_of
from tablegram.panel.pages.restaurant.venues import venues_of
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor

_MANAGE = {"scope": "loyalty:manage"}


@get("/loyalty/programme", opt=_MANAGE)
async def show_programme(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _shown(request, visitor, deps, Form())


@post("/loyalty/programme", opt=_MANAGE, status_code=200)
async def save_programme(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    try:
        kept = await services_of(deps).points.change_programme(visitor.caller, _typed(form))
    except Problem as problem:
        return await _shown(request, visitor, deps, form, problem)
    toast = visitor.t("loyalty.saved_on" if kept.is_on else "loyalty.saved_off")
    return redirect(request, f"{HOME}/programme", toast=toast)


async def _shown(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, form: Form, problem: Problem | None = None
) -> PageResponse:
    venues = await venues_of(deps, visitor) if visitor.can("restaurant:read") else []
    one = await services_of(deps).points.programme(visitor.caller)
    known = {
        rate.currency: {"currency": rate.currency, "per": _plain(rate.per), "worth": _plain(rate.worth)}
        for rate in one.rates
    }
    names = list(dict.fromkeys([*known, *(venue.currency for venue in venues)])) or ["TRY"]
    rates = [known.get(name, {"currency": name, "per": "", "worth": ""}) for name in names]
    return page(
        request, visitor, "loyalty/programme.html", one=one, rates=rates, form=form, problem=problem,
        status=problem.status if problem else 200,
    )  # fmt: skip


def _typed(form: Form) -> ProgrammeFields:
    rates: list[RateFields] = []
    for currency in form.all("currency"):
        per, worth = form.number(f"per_{currency}"), form.number(f"worth_{currency}")
        if per is not None:
            rates.append({"currency": currency, "per": per, "worth": worth or 0})
    return {
        "is_on": form.flag("is_on"),
        "rates": rates,
        "expires_months": _whole(form, "expires_months"),
        "warn_days": _whole(form, "warn_days"),
    }


def _plain(amount: float) -> float | int:
    """As somebody would type it: 10 and not 10.0."""
    return int(amount) if amount == int(amount) else amount


def _whole(form: Form, name: str) -> int:
    given = form.number(name)
    return 0 if given is None else int(given) if given == int(given) else -1


HANDLERS = [show_programme, save_programme]
