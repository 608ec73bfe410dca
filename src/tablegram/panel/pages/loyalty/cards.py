"""Stamp cards: which there are, and a form for a new one.

GET  /panel/loyalty/cards
POST /panel/loyalty/cards
POST /panel/loyalty/cards/{card_id}    takes it out of use, or into it again
"""

from __future__ import annotations

from litestar import get, post
from litestar.params import FromPath
from msgspec.structs import asdict

from tablegram.errors import Problem
from tablegram.flows.loyalty.answers.rewards import StampCard
from tablegram.flows.loyalty.fields import CardFields, RewardOfCard
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.pages.loyalty.members import HOME, services_of
from tablegram.panel.pages.restaurant.venues import venues_of
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor

_READ, _MANAGE = {"scope": "loyalty:read"}, {"scope": "loyalty:manage"}
_ITEM, _CATEGORY = "item:", "category:"


@get("/loyalty/cards", opt=_READ)
async def list_cards(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _shown(request, visitor, deps, Form())


@post("/loyalty/cards", opt=_MANAGE, status_code=200)
async def make_card(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    typed = _typed(form)
    call = once(form, "panel stamp card", repr(sorted(typed.items())))
    try:
        await services_of(deps).cards.make(visitor.caller, typed, call)
    except Problem as problem:
        return await _shown(request, visitor, deps, form, problem)
    return redirect(request, f"{HOME}/cards", toast=visitor.t("loyalty.card_made"))


@post("/loyalty/cards/{card_id:str}", opt=_MANAGE)
async def switch_card(request: PageRequest, visitor: VisitorOf, deps: DepsOf, card_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    is_active = form.text("is_active") == "1"
    await services_of(deps).cards.change(visitor.caller, card_id, {"is_active": is_active})
    toast = visitor.t("loyalty.card_on" if is_active else "loyalty.card_off")
    return redirect(request, f"{HOME}/cards", toast=toast)


async def _shown(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, form: Form, problem: Problem | None = None
) -> PageResponse:
    found = await services_of(deps).cards.every(visitor.caller)
    counted = await _counted(visitor, deps)
    names = dict(counted)
    return page(
        request,
        visitor,
        "loyalty/cards.html",
        cards=[{**asdict(one), "counts": names.get(_key(one), visitor.t("loyalty.visit"))} for one in found.data],
        counted=[("", visitor.t("loyalty.visit")), *counted],
        free=counted,
        form=form,
        mark=form.text("once") or new_mark(),
        problem=problem,
        status=problem.status if problem else 200,
    )


async def _counted(visitor: Visitor, deps: PanelDeps) -> list[tuple[str, str]]:
    """What may bring a stamp, or be free: the categories and dishes of every menu."""
    if not visitor.can("restaurant:read"):
        return []
    found: list[tuple[str, str]] = []
    for venue in await venues_of(deps, visitor):
        menu = await deps.restaurant.menu_desk.menu(visitor.caller, venue.id)
        found += [(_CATEGORY + one.id, visitor.t("loyalty.any_of", name=one.name)) for one in menu.categories]
        found += [(_ITEM + one.id, one.name) for one in menu.items]
    return found


def _key(one: StampCard) -> str:
    return _ITEM + one.item_id if one.item_id else _CATEGORY + (one.category_id or "")


def _named(text: str) -> tuple[str | None, str | None]:
    """The dish that was chosen, or else the category."""
    kind, _, name = text.partition(":")
    return (name or None) if kind == "item" else None, (name or None) if kind == "category" else None


def _typed(form: Form) -> CardFields:
    reward: RewardOfCard = {"name": form.text("reward"), "gives": "item", "days": int(form.number("days") or 60)}
    if form.text("gives") == "percent":
        reward["gives"], reward["percent"] = "percent", form.number("percent") or 0
    else:
        reward["item_id"], reward["category_id"] = _named(form.text("item_id"))
    item_id, category_id = _named(form.text("counts"))
    return {
        "name": form.text("name"), "needed": int(form.number("needed") or 0), "reward": reward,
        "expires_months": int(form.number("expires_months") or 0), "item_id": item_id, "category_id": category_id,
    }  # fmt: skip


HANDLERS = [list_cards, make_card, switch_card]
