"""The menu: its categories and items in their order, what is sold out, and categories themselves.

GET  /panel/menu, /panel/menu/{venue}/categories/{new, id}
POST /panel/menu/{venue}/{sell-out, order}, /panel/menu/{venue}/categories, …/categories/{id}, …/delete
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeVar

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from tablegram.errors import Conflict, Invalid, NotFound, Problem
from tablegram.flows.restaurant.answers.menus import AvailabilityView, CategoryView, ItemView, OptionGroupView
from tablegram.flows.restaurant.answers.venues import VenueView
from tablegram.flows.restaurant.venue_fields import CategoryFields
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame import turkish
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms, choice, fits
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.i18n import say
from tablegram.panel.pages.inbox.writing import wants_json
from tablegram.panel.pages.restaurant.menu import forms
from tablegram.panel.pages.restaurant.venues import (
    VenueChoice,
    beside,
    clock_time,
    image_address,
    look_at,
    price,
)
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.restaurant.menu.model import ORDER_TYPES
from tablegram.values.opening_hours import DAYS

_READ = {"scope": "restaurant:read"}
_MANAGE = {"scope": "restaurant:manage"}
# Whoever cooks knows first that something is gone; every role that manages the restaurant handles orders as well.
_SELL_OUT = {"scope": "orders:manage"}
HOME = "/panel/menu"
# Stations that have words of ours; others are called what the venue calls them.
NAMED = ("kitchen", "bar")
NAMED_TAGS = ("vegan", "vegetarian", "spicy", "chef", "new", "halal", "gluten_free", "seasonal", "popular")
SHOWN = ("", "sold_out", "hidden")


@get("/menu", opt=_READ)
async def show_menu(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    place = await look_at(request, deps, visitor)
    if place.venue is None:
        return redirect(request, "/panel/venue")
    venue = place.venue
    menu = await deps.restaurant.menu_desk.menu(visitor.caller, venue.id)
    search, show = asked(request, "q"), choice(request, "show", SHOWN)
    now = deps.clock.now_ms()
    items = [seen_item(visitor, venue, one, now) for one in menu.items]
    found = [one for one in items if _fits(one, search) and (not show or getattr(one, show))]
    is_whole = not search and not show
    return page(
        request,
        visitor,
        "restaurant/menu/menu.html",
        place=place,
        venue=venue,
        menu=menu,
        categories=[
            {**msgspec.structs.asdict(one), "items": inside}
            for one in menu.categories
            if (inside := [item for item in found if item.category_id == one.id]) or is_whole
        ],
        counts={"": len(items), **{name: sum(getattr(one, name) for one in items) for name in SHOWN[1:]}},
        search=search,
        show=show,
        arranging=is_whole and visitor.can("restaurant:manage") and asked(request, "arrange") == "1",
        may_sort=is_whole and visitor.can("restaurant:manage"),
    )


@post("/menu/{venue_id:str}/sell-out", opt=_SELL_OUT, status_code=200)
async def sell_out(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]
) -> PageResponse | Response[Any]:
    """Mark items or options as gone, or as there again: one tap."""
    form = await read_form(request)
    ids = form.all("ids")
    venue = await deps.restaurant.venue_desk.get(visitor.caller, venue_id)
    back = form.text("back") or f"{HOME}?venue={venue_id}"
    try:
        until = forms.until(form, visitor, venue.time_zone)
        await deps.restaurant.menu_desk.sell_out(visitor.caller, venue_id, ids, until)
    except Invalid as problem:
        if wants_json(request):
            raise
        return redirect(request, back, toast=say(visitor.language, problem), tone="bad")
    name = form.text("name")
    toast = visitor.t("menu.now_back" if until is None else "menu.now_sold_out", name=name)
    if wants_json(request):
        return Response({"toast": toast}, headers={"Cache-Control": "no-store"})
    return redirect(request, back, toast=toast)


@post("/menu/{venue_id:str}/order", opt=_MANAGE, status_code=200)
async def reorder(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str]
) -> PageResponse | Response[Any]:
    """A new order: as it was dragged (`ids`), or one place up or down (`move` and `way`)."""
    form = await read_form(request)
    category = form.text("category")
    await look_at(request, deps, visitor, venue_id)
    back = f"{HOME}?venue={venue_id}&arrange=1#{form.text('move')}"
    try:
        if form.text("item"):
            # Dragged from one category into another.
            await deps.restaurant.menu_desk.move_item(
                visitor.caller, venue_id, form.text("item"), category, form.text("before") or None
            )
        elif category:
            ids = await _wanted(form, deps, visitor, venue_id, category)
            await deps.restaurant.menu_desk.reorder_items(visitor.caller, venue_id, category, ids)
        else:
            ids = await _wanted(form, deps, visitor, venue_id, "")
            await deps.restaurant.menu_desk.reorder_categories(visitor.caller, venue_id, ids)
    except (Invalid, NotFound, Conflict) as problem:
        if wants_json(request):
            raise
        return redirect(request, back, toast=say(visitor.language, problem), tone="bad")
    if wants_json(request):
        return Response({"toast": visitor.t("menu.order_saved")}, headers={"Cache-Control": "no-store"})
    return redirect(request, back)


@get("/menu/{venue_id:str}/categories/{category_id:str}", opt=_MANAGE)
async def edit_category(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str], category_id: FromPath[str]
) -> PageResponse:
    return await _category(request, visitor, deps, await look_at(request, deps, visitor, venue_id), category_id)


@post("/menu/{venue_id:str}/categories/{category_id:str}", opt=_MANAGE, status_code=200)
async def save_category(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str], category_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    place = await look_at(request, deps, visitor, venue_id)
    assert place.venue is not None
    try:
        fields: CategoryFields = {
            "name": form.text("name"),
            "description": form.text("description"),
            "hidden": form.flag("hidden"),
            "availability": forms.availability(form, visitor),
            "translations": forms.translations(form, place.venue.languages[1:]),
        }
        if category_id == "new":
            call = once(form, f"panel categories {venue_id}", repr(sorted(fields.items())))
            await deps.restaurant.menu_desk.add_category(visitor.caller, venue_id, fields, call)
        else:
            await check_seen(deps, visitor, venue_id, "categories", category_id, form)
            await deps.restaurant.menu_desk.put_category(visitor.caller, venue_id, fields, category_id)
    except NotFound:
        raise
    except Problem as problem:
        return await _category(request, visitor, deps, place, category_id, form, beside(problem))
    return redirect(request, f"{HOME}?venue={venue_id}", toast=visitor.t("menu.saved", name=fields["name"]))


@post("/menu/{venue_id:str}/categories/{category_id:str}/delete", opt=_MANAGE, status_code=200)
async def delete_category(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str], category_id: FromPath[str]
) -> PageResponse:
    category = find((await deps.restaurant.menu_desk.menu(visitor.caller, venue_id)).categories, category_id)
    try:
        await deps.restaurant.menu_desk.delete_category(visitor.caller, venue_id, category_id)
    except Conflict as problem:
        place = await look_at(request, deps, visitor, venue_id)
        return await _category(request, visitor, deps, place, category_id, None, problem)
    return redirect(request, f"{HOME}?venue={venue_id}", toast=visitor.t("menu.deleted", name=category.name))


async def _category(
    request: PageRequest,
    visitor: Visitor,
    deps: PanelDeps,
    place: VenueChoice,
    category_id: str,
    form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:
    menu = await deps.restaurant.menu_desk.menu(visitor.caller, place.id)
    category = None if category_id == "new" else find(menu.categories, category_id)
    shown = category or CategoryView(
        id="new", name="", description="", hidden=False, image_id=None, translations={}, availability=ALWAYS
    )
    return page(
        request,
        visitor,
        "restaurant/menu/category.html",
        place=place,
        venue=place.venue,
        category=category,
        thing=shown,
        texts=forms.texts_of(shown.translations),
        spans=forms.span_rows(shown.availability, form),
        days=DAYS,
        order_types=ORDER_TYPES,
        items=[one for one in menu.items if one.category_id == category_id],
        seen=forms.seen_mark(category) if category else "",
        form=form,
        problem=problem,
        mark=new_mark(),
    )


ALWAYS = AvailabilityView(hours=[], order_types=[], from_day=None, until_day=None)
Kind = Literal["categories", "items", "option_groups"]
One = TypeVar("One", CategoryView, ItemView, OptionGroupView)


def find(things: Sequence[One], thing_id: str) -> One:
    """One category, item or option group of a menu."""
    found = next((one for one in things if one.id == thing_id), None)
    if found is None:
        raise NotFound("It is no longer on the menu.", code="not_on_menu")
    return found


async def check_seen(deps: PanelDeps, visitor: Visitor, venue_id: str, kind: Kind, thing_id: str, form: Form) -> None:
    """Refuses to write over what somebody else wrote while this form was open; sent again, it does."""
    menu = await deps.restaurant.menu_desk.menu(visitor.caller, venue_id)
    now: forms.Thing
    if kind == "categories":
        now = find(menu.categories, thing_id)
    elif kind == "items":
        now = find(menu.items, thing_id)
    else:
        now = find(menu.option_groups, thing_id)
    if form.text("seen") and form.text("seen") != forms.seen_mark(now):
        raise Conflict(visitor.t("menu.changed_meanwhile"), code="changed_meanwhile")


class SeenItem(ItemView, kw_only=True, frozen=True):
    """An item with its words: the price, until when it is sold out, its station and tags; and its picture's address."""

    price_words: str
    image_url: str | None
    out_words: str
    station_words: str
    tag_words: list[str]


def seen_item(visitor: Visitor, venue: VenueView, item: ItemView, now_ms: int) -> SeenItem:
    """An item as the pages show it: the price in words, the picture's address, until when it is sold out."""
    until = at_ms(item.sold_out_until)
    out = ""
    if item.sold_out:
        time = "" if until is None else clock_time(visitor, venue, until, now_ms)
        ending = turkish.until(time) if visitor.language == "tr" else time
        out = visitor.t("menu.until_told") if until is None else visitor.t("menu.until_time", time=ending)
    return SeenItem(
        **msgspec.structs.asdict(item),
        price_words=price(visitor, venue.currency, item.price),
        image_url=item.image_id and image_address(item.image_id),
        out_words=out,
        station_words=visitor.t(f"menu.station_{item.station}") if item.station in NAMED else item.station,
        tag_words=[visitor.t(f"menu.tag_{tag}") if tag in NAMED_TAGS else tag for tag in item.tags],
    )


def _fits(item: SeenItem, search: str) -> bool:
    names = [one.name or "" for one in item.translations.values()]
    return fits(search, item.name, item.kitchen_name, item.code, *names, *item.tags, *item.tag_words)


async def _wanted(form: Form, deps: PanelDeps, visitor: Visitor, venue_id: str, category: str) -> list[str]:
    if form.text("ids"):
        return forms.split(form.text("ids"))
    menu = await deps.restaurant.menu_desk.menu(visitor.caller, venue_id)
    inside = [one.id for one in menu.items if one.category_id == category]
    ids = inside if category else [one.id for one in menu.categories]
    if (moved := form.text("move")) not in ids:
        raise NotFound("It is no longer on the menu.", code="not_on_menu")
    place = ids.index(moved)
    other = min(max(place + (-1 if form.text("way") == "up" else 1), 0), len(ids) - 1)
    ids[place], ids[other] = ids[other], ids[place]
    return ids


HANDLERS = [show_menu, sell_out, reorder, edit_category, save_category, delete_category]
