"""A menu as programs and forms see it: decimal prices, moments in RFC 3339, names that say what they are."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec
from msgspec import UNSET

from tablegram.errors import Invalid, NotFound, no_such
from tablegram.flows.restaurant.answers.menus import (
    AvailabilityView,
    CategoryView,
    ItemView,
    MenuView,
    OptionGroupView,
    OptionView,
    TranslationView,
)
from tablegram.flows.restaurant.venue_fields import CategoryFields, GroupFields, ItemFields, OptionFields, ThingFields
from tablegram.flows.wire import days_of
from tablegram.restaurant.menu.checks import MAX_VAT
from tablegram.restaurant.menu.importing.shelf import Shelf
from tablegram.restaurant.menu.model import (
    ALWAYS,
    UNTIL_TOLD,
    Availability,
    Category,
    Group,
    Item,
    Menu,
    Option,
    Translations,
    clean_line,
    clean_text,
)
from tablegram.values.clock import iso
from tablegram.values.folding import fold
from tablegram.values.ids import new_id
from tablegram.values.money import from_wire, to_wire

replace = msgspec.structs.replace


def menu_view(menu: Menu, venue_id: str, now_ms: int) -> MenuView:
    return MenuView(
        venue_id=venue_id,
        version=menu.version,
        currency=menu.currency,
        languages=menu.languages,
        stations=menu.stations,
        categories=[category_view(one) for one in menu.categories],
        items=[item_view(menu, one, now_ms) for one in menu.items],
        option_groups=[group_view(menu, one, now_ms) for one in menu.groups],
    )


def category_view(category: Category) -> CategoryView:
    return CategoryView(
        id=category.id,
        name=category.name,
        description=category.description,
        hidden=category.is_hidden,
        image_id=category.image_id,
        availability=_availability_view(category.availability),
        translations=_translated_view(category.translations),
    )


def item_view(menu: Menu, item: Item, now_ms: int) -> ItemView:
    return ItemView(
        id=item.id,
        category_id=item.category_id,
        code=item.code,
        name=item.name,
        kitchen_name=item.kitchen_name,
        description=item.description,
        image_id=item.image_id,
        allergens=item.allergens,
        tags=item.tags,
        station=item.station,
        translations=_translated_view(item.translations),
        price=to_wire(item.price, menu.currency),
        vat_percent=None if item.vat is None else item.vat / 100,
        hidden=item.is_hidden,
        option_group_ids=item.group_ids,
        availability=_availability_view(item.availability),
        sold_out=item.is_sold_out(now_ms),
        sold_out_until=_sold_out_until(item, now_ms),
    )


def group_view(menu: Menu, group: Group, now_ms: int) -> OptionGroupView:
    return OptionGroupView(
        id=group.id,
        code=group.code,
        name=group.name,
        required=group.required,
        least=group.least,
        most=group.most,
        translations=_translated_view(group.translations),
        options=[_option_view(menu, one, now_ms) for one in group.options],
    )


def _option_view(menu: Menu, option: Option, now_ms: int) -> OptionView:
    return OptionView(
        id=option.id,
        name=option.name,
        kitchen_name=option.kitchen_name,
        most=option.most,
        opens=option.opens,
        translations=_translated_view(option.translations),
        price=to_wire(option.price_delta, menu.currency),
        default=option.is_default,
        sold_out=option.is_sold_out(now_ms),
        sold_out_until=_sold_out_until(option, now_ms),
    )


def _translated_view(given: Translations) -> dict[str, TranslationView]:
    return {
        language: TranslationView(name=texts.get("name", UNSET), description=texts.get("description", UNSET))
        for language, texts in given.items()
    }


def _sold_out_until(thing: Item | Option, now_ms: int) -> str | None:
    """Until when it is sold out; nothing means until somebody says otherwise, or that it is not."""
    known = thing.is_sold_out(now_ms) and thing.sold_out_until != UNTIL_TOLD
    return iso(thing.sold_out_until) if known else None


def _availability_view(availability: Availability) -> AvailabilityView:
    return AvailabilityView(
        hours=days_of(availability.hours),
        order_types=availability.order_types,
        from_day=availability.from_day,
        until_day=availability.until_day,
    )


# The way back. What is given changes, the rest stays.


def read_category(menu: Menu, fields: CategoryFields, category_id: str | None) -> Category:
    if category_id is None:
        old: Category | None = Category(new_id(), "")
    else:
        old = menu.categories_by_id.get(category_id)
    if old is None:
        raise NotFound(no_such("category", "menu"), code="category_unknown")
    return replace(old, **_shared(menu, old.translations, fields, "image_id"))


def read_item(menu: Menu, fields: ItemFields, item_id: str | None) -> Item:
    if item_id is None:
        name = clean_line(fields.get("name") or "")
        code = Shelf(menu.items).free_code(name)
        old: Item | None = Item(new_id(), fields["category_id"], code, name, 0, station=menu.stations[0])
    else:
        old = menu.items_by_id.get(item_id)
    if old is None:
        raise NotFound(no_such("item", "menu"), code="item_unknown")
    plain = ("category_id", "image_id", "allergens", "tags", "station", "code")
    given = _shared(menu, old.translations, fields, *plain)
    if not given.get("code", "x"):
        del given["code"]
    if "price" in fields:
        given["price"] = minor(fields["price"], menu.currency, "price")
    if "vat_percent" in fields:
        given["vat"] = hundredths(fields["vat_percent"])
    if "option_group_ids" in fields:
        given["group_ids"] = list(fields["option_group_ids"])
    if "tags" in given:
        given["tags"] = list(dict.fromkeys(filter(None, map(clean_line, given["tags"]))))
    if "allergens" in given:
        given["allergens"] = list(dict.fromkeys(given["allergens"]))
    return replace(old, **given)


def read_group(menu: Menu, fields: GroupFields, group_id: str | None) -> Group:
    if group_id is None:
        name = clean_line(fields.get("name") or "")
        old: Group | None = Group(new_id(), Shelf(menu.groups).free_code(name), name, [])
    else:
        old = menu.groups_by_id.get(group_id)
    if old is None:
        raise NotFound(no_such("option group", "menu"), code="group_unknown")
    given = _shared(menu, old.translations, fields, "code", "required", "least", "most")
    if not given.get("code", "x"):
        del given["code"]
    if "options" in fields:
        given["options"] = [
            _read_option(menu, old, one, f"options[{number}]") for number, one in enumerate(fields["options"])
        ]
    return replace(old, **given)


def _read_option(menu: Menu, group: Group, fields: OptionFields, place: str) -> Option:
    """An option that is known by its id, else by its name, keeps its id: carts that hold it stay as they are."""
    name = clean_line(fields.get("name") or "")
    known = {one.id: one for one in group.options}
    if fields.get("id"):
        old = known.get(fields["id"])
        if old is None:
            raise Invalid.field(f"{place}.id", "option_unknown", "The group has no such option. Leave its id out.")
    else:
        named = (one for one in group.options if fold(one.name) == fold(name))
        old = next(named, Option(new_id(), name))
    given = _shared(menu, old.translations, fields, "most", "opens")
    if "price" in fields:
        given["price_delta"] = minor(fields["price"], menu.currency, f"{place}.price")
    if "default" in fields:
        given["is_default"] = fields["default"]
    return replace(old, **given)


def _shared(menu: Menu, translations: Translations, thing: ThingFields, *plain: str) -> dict[str, Any]:
    """Fields that most things of a menu have, and those named as they are."""
    fields: dict[str, Any] = {**thing}
    given = {name: fields[name] for name in plain if name in fields}
    for name in ("name", "kitchen_name"):
        if name in fields:
            given[name] = clean_line(fields[name])
    if "description" in fields:
        given["description"] = clean_text(fields["description"])
    if "hidden" in fields:
        given["is_hidden"] = fields["hidden"]
    if "availability" in fields:
        told = fields["availability"]
        given["availability"] = ALWAYS if told is None else msgspec.convert(_without_nothing(told), Availability)
    if "translations" in fields:
        given["translations"] = _translated(menu, fields["translations"])
    return given


def _translated(menu: Menu, given: Translations) -> Translations:
    """Names and descriptions by language, cleaned; empty ones are not kept."""
    kept: Translations = {}
    for language, texts in given.items():
        if language not in menu.languages[1:]:
            detail = f"The menu is not translated into {language}. Add the language to the venue first."
            raise Invalid.field("translations", "language_unknown", detail)
        cleaned = {
            field: clean_line(text) if field == "name" else clean_text(text)
            for field, text in texts.items()
            if field in ("name", "description")
        }
        filled = {field: text for field, text in cleaned.items() if text}
        if filled:
            kept[language] = filled
    return kept


def minor(value: float | str, currency: str, field: str) -> int:
    """Minor units of a decimal number that somebody gave."""
    try:
        return from_wire(value, currency)
    except ValueError as error:
        raise Invalid.field(field, "price_invalid", f"{field} is not an amount: {error}.") from None


def hundredths(percent: float | None, field: str = "vat_percent") -> int | None:
    """Hundredths of a percent, finer ones rounded; nothing where nothing is said."""
    if percent is None:
        return None
    found = int((Decimal(str(percent)) * 100).to_integral_value())
    if not 0 <= found <= MAX_VAT:
        raise Invalid.field(field, "out_of_range", "VAT is 0 to 100 percent, with at most two decimals.")
    return found


def _without_nothing(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
