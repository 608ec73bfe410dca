"""Option groups: what a guest chooses with a dish, from sizes to extras.

GET  /panel/menu/{venue}/options, …/options/{new, id}
POST /panel/menu/{venue}/options/{new, id}, …/options/{id}/delete
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import msgspec
from litestar import get, post
from litestar.params import FromPath

from tablegram.errors import FieldError, Invalid, NotFound, Problem
from tablegram.flows.restaurant.answers.menus import OptionGroupView, OptionView
from tablegram.flows.restaurant.answers.venues import VenueView
from tablegram.flows.restaurant.venue_fields import GroupFields
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.pages.restaurant.menu import forms
from tablegram.panel.pages.restaurant.menu.editor import HOME, check_seen, find
from tablegram.panel.pages.restaurant.venue.venue import LANGUAGES
from tablegram.panel.pages.restaurant.venues import VenueChoice, beside, look_at, price
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor

_READ = {"scope": "restaurant:read"}
_MANAGE = {"scope": "restaurant:manage"}
SPARE = 2
MAX_OPTIONS = 100


@get("/menu/{venue_id:str}/options", opt=_READ)
async def list_groups(request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]) -> PageResponse:
    place = await look_at(request, deps, visitor, venue_id)
    assert place.venue is not None
    menu = await deps.restaurant.menu_desk.menu(visitor.caller, venue_id)
    names = told_apart(menu.option_groups)
    return page(
        request,
        visitor,
        "restaurant/menu/options.html",
        place=place,
        venue=place.venue,
        option_groups=[
            {
                **msgspec.structs.asdict(group),
                "options": [_priced(visitor, place.venue, one, names) for one in group.options],
                "used": sum(group.id in item.option_group_ids for item in menu.items),
                "opened_by": _openers(menu.option_groups, group.id),
            }
            for group in menu.option_groups
        ],
    )


@get("/menu/{venue_id:str}/options/{group_id:str}", opt=_READ)
async def show_group(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str], group_id: FromPath[str]
) -> PageResponse:
    return await _group(request, visitor, deps, await look_at(request, deps, visitor, venue_id), group_id)


@post("/menu/{venue_id:str}/options/{group_id:str}", opt=_MANAGE, status_code=200)
async def save_group(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str], group_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    place = await look_at(request, deps, visitor, venue_id)
    assert place.venue is not None
    try:
        if group_id != "new":
            await check_seen(deps, visitor, venue_id, "option_groups", group_id, form)
        fields = _fields(form, visitor, place.venue)
        if group_id == "new":
            call = once(form, f"panel options {venue_id}", repr(sorted(fields.items())))
            await deps.restaurant.menu_desk.add_group(visitor.caller, venue_id, fields, call)
        else:
            await deps.restaurant.menu_desk.put_group(visitor.caller, venue_id, fields, group_id)
    except NotFound:
        raise
    except Problem as problem:
        told = beside(problem, options="options", name_="name", translations="name")
        return await _group(request, visitor, deps, place, group_id, form, told)
    return redirect(request, f"{HOME}/{venue_id}/options", toast=visitor.t("menu.saved", name=fields["name"]))


@post("/menu/{venue_id:str}/options/{group_id:str}/delete", opt=_MANAGE)
async def delete_group(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str], group_id: FromPath[str]
) -> PageResponse:
    group = find((await deps.restaurant.menu_desk.menu(visitor.caller, venue_id)).option_groups, group_id)
    await deps.restaurant.menu_desk.delete_group(visitor.caller, venue_id, group_id)
    return redirect(request, f"{HOME}/{venue_id}/options", toast=visitor.t("menu.deleted", name=group.name))


async def _group(
    request: PageRequest,
    visitor: Visitor,
    deps: PanelDeps,
    place: VenueChoice,
    group_id: str,
    form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:
    venue = place.venue
    assert venue is not None
    menu = await deps.restaurant.menu_desk.menu(visitor.caller, venue.id)
    group = None if group_id == "new" else find(menu.option_groups, group_id)
    shown = group or OptionGroupView(
        id="new", code="", name="", required=False, least=0, most=1, translations={}, options=[]
    )
    return page(
        request,
        visitor,
        "restaurant/menu/group.html",
        place=place,
        venue=venue,
        group=group,
        thing=shown,
        texts=forms.texts_of(shown.translations),
        rows=_typed_rows(form, venue) if form else _rows(visitor, venue, shown),
        others=[("", "–"), *(one for one in told_apart(menu.option_groups).items() if one[0] != group_id)],
        used=[one.name for one in menu.items if group_id in one.option_group_ids],
        language_names=LANGUAGES,
        seen=forms.seen_mark(group) if group else "",
        form=form,
        problem=problem,
        mark=(form.text("once") if form else "") or new_mark(),
    )


def _rows(visitor: Visitor, venue: VenueView, group: OptionGroupView) -> list[dict[str, Any]]:
    """The options as lines of the form, and some to spare."""
    kept = [
        {
            **msgspec.structs.asdict(one),
            "key": f"o{number}",
            "price": forms.shown_amount(visitor, one.price, venue.currency) if one.price else "",
            "texts": forms.texts_of(one.translations),
        }
        for number, one in enumerate(group.options)
    ]
    return kept + [_blank_row(f"n{number}") for number in range(SPARE)]


def _blank_row(key: str) -> dict[str, Any]:
    return {"id": "", "key": key, "name": "", "kitchen_name": "", "price": "", "most": 1, "default": False,
            "opens": [], "texts": {}}  # fmt: skip


def _typed_rows(form: Form, venue: VenueView) -> list[dict[str, Any]]:
    """The lines as they were typed."""
    rows = []
    for key in _keys(form):
        texts = ("id", "name", "kitchen_name", "price", "most")
        rows.append({
            **{name: form.text(f"{name}_{key}") for name in texts},
            "key": key,
            "default": form.flag(f"default_{key}"),
            "opens": [one for one in form.all(f"opens_{key}") if one],
            "texts": forms.translations(form, venue.languages[1:], f"_{key}", ("name",)),
        })  # fmt: skip
    return rows


def _keys(form: Form) -> list[str]:
    """Names of the lines, in the order that they stand in."""
    return [key for key in dict.fromkeys(form.all("option")) if key.isalnum()][: MAX_OPTIONS + SPARE]


def _fields(form: Form, visitor: Visitor, venue: VenueView) -> GroupFields:
    errors: list[FieldError] = []
    options = []
    for number, key in enumerate((key for key in _keys(form) if form.text(f"name_{key}")), 1):
        try:
            options.append(_option(form, visitor, venue, key))
        except Invalid as problem:
            words = visitor.t("menu.option_wrong", number=number, what=problem.errors[0].detail)
            errors.append(FieldError("options", "option_wrong", words))
    counts: dict[str, int | None] = {}
    for name in ("least", "most"):
        try:
            counts[name] = _whole(form, visitor, name)
        except Invalid as problem:
            errors += problem.errors
    if form.flag("required") and counts.get("least") == 0:
        errors.append(FieldError("least", "least_zero", visitor.t("menu.least_zero")))
    if not form.text("name"):
        errors.append(FieldError("name", "name_missing", visitor.t("problem.name_missing")))
    if errors:
        raise Invalid.fields(errors)
    fields: dict[str, Any] = {
        "name": form.text("name"),
        "required": form.flag("required"),
        "least": counts["least"] or 0,
        "most": counts["most"],
        "options": options,
        "translations": forms.translations(form, venue.languages[1:], "", ("name",)),
    }
    return cast(GroupFields, fields)


def _option(form: Form, visitor: Visitor, venue: VenueView, key: str) -> dict[str, Any]:
    option_id = form.text(f"id_{key}")
    return {
        **({"id": option_id} if option_id else {}),
        "name": form.text(f"name_{key}"),
        "kitchen_name": form.text(f"kitchen_name_{key}"),
        "price": forms.amount(form, visitor, f"price_{key}", venue.currency, empty="0"),
        "most": _whole(form, visitor, f"most_{key}") or 1,
        "default": form.flag(f"default_{key}"),
        "opens": list(dict.fromkeys(one for one in form.all(f"opens_{key}") if one)),
        "translations": forms.translations(form, venue.languages[1:], f"_{key}", ("name",)),
    }


def _whole(form: Form, visitor: Visitor, name: str) -> int | None:
    typed = form.text(name)
    if not typed:
        return None
    if not (typed.isascii() and typed.isdecimal() and len(typed) <= 5):
        raise Invalid.field(name, "whole_needed", visitor.t("tables.whole_needed"))
    return int(typed)


def told_apart(groups: Sequence[OptionGroupView]) -> dict[str, str]:
    """What each group is called in a list; those of one name by their first answers, and at last by their codes."""
    names = [one.name for one in groups]
    told = {}
    for one in groups:
        answers = ", ".join(option.name for option in one.options[:3])
        told[one.id] = one.name if names.count(one.name) == 1 else f"{one.name} ({answers})"
    shown = list(told.values())
    return {
        one.id: told[one.id] if shown.count(told[one.id]) == 1 else f"{told[one.id]} · {one.code}" for one in groups
    }


def _openers(groups: Sequence[OptionGroupView], group_id: str) -> list[str]:
    """The answers of other groups that lead to this one."""
    return [one.name for group in groups for one in group.options if group_id in one.opens]


def _priced(visitor: Visitor, venue: VenueView, option: OptionView, names: dict[str, str]) -> dict[str, Any]:
    shown = price(visitor, venue.currency, option.price) if option.price else ""
    return {
        **msgspec.structs.asdict(option),
        "price_words": f"+{shown}" if option.price > 0 else shown,
        "opens_words": ", ".join(names[one] for one in option.opens if one in names),
    }


HANDLERS = [list_groups, show_group, save_group, delete_group]
