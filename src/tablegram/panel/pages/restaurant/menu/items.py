"""One dish: its words in every language, price, photo, allergens, options, and when it can be had.

GET, POST /panel/menu/{venue}/items/{new, id}; POST …/items/{id}/delete
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from litestar import get, post
from litestar.params import FromPath

from tablegram.errors import FieldError, Invalid, NotFound, Problem
from tablegram.flows.restaurant.answers.menus import ItemView, MenuView, OptionGroupView
from tablegram.flows.restaurant.answers.venues import VenueView
from tablegram.flows.restaurant.venue_fields import ItemFields
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form, room_for
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.pages.restaurant.menu import forms
from tablegram.panel.pages.restaurant.menu.editor import ALWAYS, HOME, check_seen, find, seen_item
from tablegram.panel.pages.restaurant.venue.venue import LANGUAGES
from tablegram.panel.pages.restaurant.venues import VenueChoice, beside, look_at
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.restaurant.menu.allergens import ALLERGENS, allergen_name
from tablegram.restaurant.menu.model import ORDER_TYPES
from tablegram.restaurant.pictures.model import MAX_BYTES
from tablegram.values.opening_hours import DAYS

_READ = {"scope": "restaurant:read"}
_MANAGE = {"scope": "restaurant:manage"}
MAX_PHOTO_BYTES = 20_000_000


@get("/menu/{venue_id:str}/items/{item_id:str}", opt=_READ)
async def show_item(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str], item_id: FromPath[str]
) -> PageResponse:
    return await _item(request, visitor, deps, await look_at(request, deps, visitor, venue_id), item_id)


@post(
    "/menu/{venue_id:str}/items/{item_id:str}",
    opt=_MANAGE,
    status_code=200,
    request_max_body_size=room_for(MAX_BYTES),
)
async def save_item(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str], item_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    place = await look_at(request, deps, visitor, venue_id)
    assert place.venue is not None
    try:
        if item_id != "new":
            await check_seen(deps, visitor, venue_id, "items", item_id, form)
        fields = _fields(form, visitor, place.venue)
        fields.update(await _photo(form, deps, visitor, venue_id))
        if item_id == "new":
            call = once(form, f"panel items {venue_id}", repr(sorted(fields.items())))
            answer = await deps.restaurant.menu_desk.add_item(visitor.caller, venue_id, fields, call)
            made = answer.value
        else:
            made = await deps.restaurant.menu_desk.put_item(visitor.caller, venue_id, fields, item_id)
    except NotFound:
        raise
    except Problem as problem:
        return await _item(request, visitor, deps, place, item_id, form, beside(problem, **_BESIDE))
    if form.text("then") == "another":
        target = f"{HOME}/{venue_id}/items/new?category={made.category_id}"
    else:
        target = f"{HOME}?venue={venue_id}#{made.id}"
    return redirect(request, target, toast=visitor.t("menu.saved", name=made.name))


# What the desk calls otherwise than the form.
_BESIDE = {"name_": "translations", "description_": "translations", "translations": "translations"}


@post("/menu/{venue_id:str}/items/{item_id:str}/delete", opt=_MANAGE)
async def delete_item(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, venue_id: FromPath[str], item_id: FromPath[str]
) -> PageResponse:
    item = await deps.restaurant.menu_desk.get_item(visitor.caller, venue_id, item_id)
    await deps.restaurant.menu_desk.delete_item(visitor.caller, venue_id, item_id)
    return redirect(request, f"{HOME}?venue={venue_id}", toast=visitor.t("menu.deleted", name=item.name))


async def _item(
    request: PageRequest,
    visitor: Visitor,
    deps: PanelDeps,
    place: VenueChoice,
    item_id: str,
    form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:
    venue = place.venue
    assert venue is not None
    menu = await deps.restaurant.menu_desk.menu(visitor.caller, venue.id)
    item = None if item_id == "new" else find(menu.items, item_id)
    shown = item or _blank(menu, asked(request, "category"))
    return page(
        request,
        visitor,
        "restaurant/menu/item.html",
        place=place,
        venue=venue,
        item=None if item is None else seen_item(visitor, venue, item, deps.clock.now_ms()),
        thing=shown,
        price_typed="" if item is None else forms.shown_amount(visitor, item.price, venue.currency),
        categories=[(one.id, one.name) for one in menu.categories],
        **_groups(menu.option_groups, form.all("groups") if form else shown.option_group_ids),
        allergens=[(code, allergen_name(code, visitor.language)) for code in ALLERGENS],
        texts=forms.texts_of(shown.translations),
        spans=forms.span_rows(shown.availability, form),
        days=DAYS,
        order_types=ORDER_TYPES,
        language_names=LANGUAGES,
        seen=forms.seen_mark(item) if item else "",
        form=form,
        problem=problem,
        mark=(form.text("once") if form else "") or new_mark(),
    )


def _blank(menu: MenuView, category: str) -> ItemView:
    return ItemView(
        id="new", category_id=category, code="", name="", kitchen_name="", description="", image_id=None, allergens=[],
        tags=[], station=menu.stations[0], translations={}, price=0, hidden=False, option_group_ids=[],
        availability=ALWAYS, sold_out=False, sold_out_until=None, vat_percent=None,
    )  # fmt: skip


def _groups(groups: list[OptionGroupView], chosen: list[str]) -> dict[str, Any]:
    """Those that the dish asks for, in their order; and the others."""
    known = {one.id: one for one in groups}
    return {
        "chosen_groups": [known[one] for one in chosen if one in known],
        "other_groups": [one for one in groups if one.id not in chosen],
    }


def _fields(form: Form, visitor: Visitor, venue: VenueView) -> ItemFields:
    """Everything on the page; each wrong field is named, and not only the first."""
    errors: list[FieldError] = []
    found: dict[str, Any] = {}
    readers: dict[str, Callable[[], Any]] = {
        "price": lambda: forms.amount(form, visitor, "price", venue.currency),
        "availability": lambda: forms.availability(form, visitor),
        **({"vat_percent": lambda: form.number("vat_percent")} if form.has("vat_percent") else {}),
    }
    for name, read in readers.items():
        try:
            found[name] = read()
        except Invalid as problem:
            errors += problem.errors
    if not form.text("name"):
        errors.append(FieldError("name", "name_missing", visitor.t("problem.name_missing")))
    if errors:
        raise Invalid.fields(errors)
    fields: dict[str, Any] = {
        **found,
        **{name: form.text(name) for name in ("category_id", "name", "kitchen_name", "description", "station", "code")},
        "allergens": form.all("allergens"),
        "tags": forms.split(form.text("tags")),
        "option_group_ids": form.all("groups"),
        "hidden": form.flag("hidden"),
        "translations": forms.translations(form, venue.languages[1:]),
    }
    return cast(ItemFields, fields)


async def _photo(form: Form, deps: PanelDeps, visitor: Visitor, venue_id: str) -> ItemFields:
    """The photo that was chosen, kept; or that there shall be none.."""
    file = form.file("photo")
    if file is not None:
        try:
            kept = await deps.restaurant.photos.put(visitor.caller, venue_id, await file.read(MAX_PHOTO_BYTES + 1))
        except Invalid as problem:
            raise Invalid.field("photo", problem.code, problem.detail) from problem
        return {"image_id": kept.image_id}
    return {"image_id": None} if form.flag("photo_gone") else {}


HANDLERS = [show_item, save_item, delete_item]
