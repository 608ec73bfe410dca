"""The templates for guests whose points expire and who have not written for a day: one for each language.

GET  /panel/loyalty/programme/template      ?template=name/language
POST /panel/loyalty/programme/template
POST /panel/loyalty/programme/template/remove
"""

from __future__ import annotations

from typing import Any, get_args

from litestar import get, post

from tablegram.errors import Problem
from tablegram.flows.loyalty.answers.rewards import LoyaltyWarnTemplate
from tablegram.flows.loyalty.fields import TemplateFields
from tablegram.loyalty.model import Variable
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked
from tablegram.panel.pages.campaigns.network_texts import shapes
from tablegram.panel.pages.loyalty.members import HOME, services_of
from tablegram.panel.pages.restaurant.venues import venues_of
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor

_MANAGE = {"scope": "loyalty:manage"}
_BACK = f"{HOME}/programme"
VARIABLES: tuple[Variable, ...] = get_args(Variable)
_BY_NAME = {str(one): one for one in VARIABLES}
# What most such templates say, in this order.
_USUAL: tuple[Variable, ...] = ("first_name", "points", "day")
MAX_PLACES = 10


@get("/loyalty/programme/template", opt=_MANAGE)
async def show_template(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _shown(request, visitor, deps, asked(request, "template"))


@post("/loyalty/programme/template", opt=_MANAGE, status_code=200)
async def save_template(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    name, _, language = form.text("template").partition("/")
    numbers = range(1, MAX_PLACES + 1)
    variables = [form.text(f"place-{number}") for number in numbers if form.has(f"place-{number}")]
    chosen: TemplateFields = {
        "name": name[:512], "language": language[:16], "variables": [_BY_NAME[one] for one in variables if one in _BY_NAME],
    }  # fmt: skip
    try:
        await _keep(visitor, deps, language[:16], chosen)
    except Problem as problem:
        return await _shown(request, visitor, deps, form.text("template"), form, problem)
    return redirect(request, _BACK, toast=visitor.t("loyalty.template_saved"))


@post("/loyalty/programme/template/remove", opt=_MANAGE, status_code=200)
async def remove_template(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    await _keep(visitor, deps, (await read_form(request)).text("language"))
    return redirect(request, _BACK, toast=visitor.t("loyalty.template_removed"))


async def _keep(visitor: Visitor, deps: PanelDeps, language: str, chosen: TemplateFields | None = None) -> None:
    """In the place of the one in this language, if there is one; without any, that goes."""
    points = services_of(deps).points
    kept: list[TemplateFields] = [
        {"name": one.name, "language": one.language, "variables": list(one.variables)}
        for one in (await points.programme(visitor.caller)).warn_templates
    ]
    places = [each["language"] for each in kept]
    place = places.index(language) if language in places else len(kept)
    kept[place : place + 1] = [] if chosen is None else [chosen]
    await points.change_programme(visitor.caller, {"warn_templates": kept})


async def _shown(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, wanted: str, form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:  # fmt: skip
    one = await services_of(deps).points.programme(visitor.caller)
    found, trouble = await shapes(visitor, deps, await _line(visitor, deps))
    found = [each for each in found if len(each.places) <= MAX_PLACES]
    shape = next((each for each in found if each.key == wanted), None)
    variables: list[Any] = list(_USUAL)
    if form is not None:
        variables = [form.text(f"place-{number}") for number in range(1, MAX_PLACES + 1)]
    elif shape is not None:
        kept = {each.name: list(each.variables) for each in one.warn_templates}
        variables = kept.get(shape.name, variables)
    known = {name: visitor.t(f"loyalty.sample_{name}") for name in VARIABLES}
    places = [] if shape is None else _filled(variables, len(shape.places))
    return page(
        request, visitor, "loyalty/template.html", one=one, shapes=found, shape=shape, trouble=trouble, form=form,
        problem=problem, variables=VARIABLES, places=places, chosen=[_key(each) for each in one.warn_templates],
        status=problem.status if problem else 200,
        said="" if shape is None else shape.filled([known[name] for name in places]),
    )  # fmt: skip


def _key(template: LoyaltyWarnTemplate) -> str:
    return f"{template.name}/{template.language}"


def _filled(given: list[Any], count: int) -> list[Variable]:
    """What each place has: what was chosen, then what comes next."""
    rest = [one for one in (*_USUAL, *VARIABLES) if one not in given]
    chosen = [one for one in given if one in VARIABLES][:count]
    return [*chosen, *rest, *["points"] * count][:count]


async def _line(visitor: Visitor, deps: PanelDeps) -> int | None:
    """The line that guests hear of their points by: that of the usual venue with one."""
    if not visitor.can("restaurant:read"):
        return None
    venues = await venues_of(deps, visitor)
    known = [one for one in venues if one.instance_id is not None]
    usual = next((one for one in known if one.is_default), known[0] if known else None)
    return None if usual is None else usual.instance_id


HANDLERS = [show_template, save_template, remove_template]
