"""What a menu may hold. Every fault is named with its place, so that a form or a table's row can show it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from tablegram.errors import FieldError, no_such
from tablegram.restaurant.hours import check_hours_of_week, is_date
from tablegram.restaurant.menu.allergens import ALLERGENS
from tablegram.restaurant.menu.model import ORDER_TYPES, Availability, Category, Group, Item, Menu, Named, Option
from tablegram.values.folding import fold
from tablegram.values.money import MAX_AMOUNT

MAX_CATEGORIES = 100
MAX_ITEMS = 2_000
MAX_GROUPS = 500
MAX_OPTIONS = 100
MAX_NAME = 120
MAX_KITCHEN_NAME = 40
MAX_DESCRIPTION = 1_000
# Hundredths of a percent.
MAX_VAT = 10_000
MAX_TAGS = 20
MAX_TAG = 40
MAX_GROUPS_OF_ITEM = 20
MAX_QUANTITY = 99
# How deep groups may open each other: an item, its size, what that size offers.
MAX_DEPTH = 3

_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}", re.ASCII)

Fault = FieldError


def check_menu(menu: Menu) -> list[Fault]:
    """Everything that is wrong with a menu; nothing when it may be kept."""
    faults = list(_check_sizes(menu))
    for category in menu.categories:
        faults += _placed(f"categories[{category.id}]", check_category(category))
    for item in menu.items:
        faults += _placed(f"items[{item.id}]", check_item(item, menu))
    for group in menu.groups:
        faults += _placed(f"groups[{group.id}]", check_group(group, menu))
    for kind, codes in (("items", [one.code for one in menu.items]), ("groups", [one.code for one in menu.groups])):
        for code in _repeated(codes):
            faults.append(Fault(f"{kind}.code", "code_taken", f"The code {code} is used twice. Each needs its own."))
    return faults


def check_category(category: Category) -> list[Fault]:
    return [*_check_names(category), *_check_availability(category.availability)]


def check_item(item: Item, menu: Menu) -> list[Fault]:
    faults = [*_check_names(item), *_check_availability(item.availability)]
    if _CODE.fullmatch(item.code) is None:
        faults.append(Fault("code", "code_invalid", "A code is 1 to 40 letters, digits, points, - or _."))
    if not 0 <= item.price <= MAX_AMOUNT:
        faults.append(Fault("price", "price_invalid", "The price is zero or more."))
    if item.vat is not None and not 0 <= item.vat <= MAX_VAT:
        faults.append(Fault("vat", "out_of_range", "VAT is 0 to 100 percent, with at most two decimals."))
    if item.category_id not in menu.categories_by_id:
        faults.append(Fault("category", "category_unknown", no_such("category", "menu")))
    if item.station not in menu.stations:
        known = ", ".join(menu.stations)
        faults.append(Fault("station", "station_unknown", f"The venue has no station {item.station}. It has: {known}."))
    for code in item.allergens:
        if code not in ALLERGENS:
            faults.append(
                Fault("allergens", "allergen_unknown", f"{code} is none of the 14 allergens: {', '.join(ALLERGENS)}.")
            )
    if len(item.tags) > MAX_TAGS or any(not tag or len(tag) > MAX_TAG for tag in item.tags):
        faults.append(Fault("tags", "tags_invalid", f"At most {MAX_TAGS} tags of up to {MAX_TAG} characters."))
    faults += _check_references("option_groups", item.group_ids, menu)
    if len(item.group_ids) > MAX_GROUPS_OF_ITEM:
        faults.append(Fault("option_groups", "too_many", f"An item has at most {MAX_GROUPS_OF_ITEM} option groups."))
    return faults


def check_group(group: Group, menu: Menu) -> list[Fault]:
    faults = list(_check_names(group))
    if _CODE.fullmatch(group.code) is None:
        faults.append(Fault("code", "code_invalid", "A code is 1 to 40 letters, digits, points, - or _."))
    if not 1 <= len(group.options) <= MAX_OPTIONS:
        faults.append(Fault("options", "options_missing", f"A group has 1 to {MAX_OPTIONS} options."))
    faults += _check_counts(group)
    for number, option in enumerate(group.options):
        faults += _placed(f"options[{number}]", _check_option(option, menu))
    for name in _repeated([fold(option.name) for option in group.options]):
        faults.append(Fault("options", "option_twice", f"{name} is among the options twice. Give each its own name."))
    if _depth(group, menu, frozenset()) > MAX_DEPTH:
        faults.append(
            Fault(
                "options", "nested_too_deep", f"Groups open each other {MAX_DEPTH} deep at most, and never in a ring."
            )
        )
    return faults


def _check_option(option: Option, menu: Menu) -> Iterator[Fault]:
    yield from _check_names(option)
    yield from _check_references("opens", option.opens, menu)
    if abs(option.price_delta) > MAX_AMOUNT:
        yield Fault("price_delta", "price_invalid", "This price is too large.")
    if not 1 <= option.most <= MAX_QUANTITY:
        yield Fault("most", "out_of_range", f"An option can be taken 1 to {MAX_QUANTITY} times.")


def _check_counts(group: Group) -> Iterator[Fault]:
    within_reach = sum(option.most for option in group.options)
    fewest = max(group.fewest, group.least)
    if group.least < 0 or (group.most is not None and not max(1, fewest) <= group.most <= MAX_QUANTITY * MAX_OPTIONS):
        yield Fault("most", "counts_invalid", "The most to choose is at least 1 and not less than the least.")
    elif fewest > within_reach:
        yield Fault("least", "counts_invalid", f"{fewest} must be chosen, but the options make only {within_reach}.")
    by_default = sum(option.is_default for option in group.options)
    if group.most is not None and by_default > group.most:
        yield Fault("options", "too_many_defaults", "More options are chosen beforehand than may be chosen.")


def _depth(group: Group, menu: Menu, above: frozenset[str]) -> int:
    if group.id in above:
        return MAX_DEPTH + 1
    below = {inner for option in group.options for inner in option.opens} & menu.groups_by_id.keys()
    if len(above) >= MAX_DEPTH:
        return 1
    return 1 + max((_depth(menu.groups_by_id[inner], menu, above | {group.id}) for inner in below), default=0)


def _check_names(thing: Named) -> Iterator[Fault]:
    if not thing.name:
        yield Fault("name", "blank", "Write a name.")
    limits = {"name": MAX_NAME, "kitchen_name": MAX_KITCHEN_NAME, "description": MAX_DESCRIPTION}
    for field, most in limits.items():
        if len(getattr(thing, field, "")) > most:
            yield Fault(field, "too_long", f"At most {most} characters.")
    for language, texts in thing.translations.items():
        for field, text in texts.items():
            if field not in ("name", "description") or len(text) > limits[field]:
                yield Fault(f"{field}_{language}", "too_long", f"At most {limits.get(field, 0)} characters.")


def _check_availability(availability: Availability) -> Iterator[Fault]:
    if not check_hours_of_week(availability.hours):
        yield Fault("availability", "time_invalid", "Write days with times of day as 09:30 and 23:00.")
    if any(one not in ORDER_TYPES for one in availability.order_types):
        yield Fault("order_types", "order_type_unknown", f"Order types are {', '.join(ORDER_TYPES)}.")
    days = [day for day in (availability.from_day, availability.until_day) if day is not None]
    if not all(is_date(day) for day in days) or days != sorted(days):
        yield Fault("availability", "date_invalid", "Write dates as 2027-01-31, the first before the last.")


def _check_references(field: str, ids: list[str], menu: Menu) -> Iterator[Fault]:
    for group_id in ids:
        if group_id not in menu.groups_by_id:
            yield Fault(field, "group_unknown", f"The menu has no option group {group_id}.")
    if len(set(ids)) < len(ids):
        yield Fault(field, "group_twice", "The same option group is named twice.")


def _check_sizes(menu: Menu) -> Iterator[Fault]:
    sizes = (
        ("categories", len(menu.categories), MAX_CATEGORIES),
        ("items", len(menu.items), MAX_ITEMS),
        ("groups", len(menu.groups), MAX_GROUPS),
    )
    for field, size, most in sizes:
        if size > most:
            yield Fault(field, "too_many", f"A menu has at most {most:,} {field}; this one has {size:,}.")


def _placed(place: str, faults: Iterable[Fault]) -> list[Fault]:
    return [Fault(f"{place}.{one.field}", one.code, one.detail) for one in faults]


def _repeated(codes: list[str]) -> list[str]:
    return [code for code, count in Counter(codes).items() if count > 1]
