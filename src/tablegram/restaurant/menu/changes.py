"""Changes of a menu, each a function from the old one to a new one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from typing import Literal, Protocol, TypeVar

import msgspec

from tablegram.errors import Conflict, Invalid, NotFound, no_such
from tablegram.restaurant.hours import VenueHours, look
from tablegram.restaurant.menu.model import Category, Group, Item, Menu
from tablegram.values.clock import MINUTE_MS
from tablegram.values.opening_hours import local_day, moment

# When a new day begins in a house that never closes.
_MORNING_MIN = 6 * 60
# As much as prices rise or fall at once; more is a typing error.
MAX_PERCENT_BP = 100_00


class _HasId(Protocol):
    @property
    def id(self) -> str: ...


Thing = TypeVar("Thing", bound=_HasId)
replace = msgspec.structs.replace


def put_category(menu: Menu, category: Category) -> Menu:
    """Add a category at the end, or change the one with its id."""
    return replace(menu, categories=_put(menu.categories, category))


def put_item(menu: Menu, item: Item) -> Menu:
    """Add an item at the end of its category, or change the one with its id; in a new category it comes last."""
    old = menu.items_by_id.get(item.id)
    kept = menu.items if old is None or old.category_id == item.category_id else _without(menu.items, {item.id})
    return replace(menu, items=_put(kept, item))


def put_group(menu: Menu, group: Group) -> Menu:
    return replace(menu, groups=_put(menu.groups, group))


def remove_category(menu: Menu, category_id: str) -> Menu:
    if category_id not in menu.categories_by_id:
        raise NotFound(no_such("category", "menu"), code="category_unknown")
    if menu.items_of(category_id):
        raise Conflict("The category still holds items. Move or remove them first.", code="category_in_use")
    return replace(menu, categories=_without(menu.categories, {category_id}))


def remove_item(menu: Menu, item_id: str) -> Menu:
    if item_id not in menu.items_by_id:
        raise NotFound(no_such("item", "menu"), code="item_unknown")
    return replace(menu, items=_without(menu.items, {item_id}))


def remove_group(menu: Menu, group_id: str) -> Menu:
    """Remove a group, from every item that asked for it and every option that opened it as well."""
    if group_id not in menu.groups_by_id:
        raise NotFound(no_such("option group", "menu"), code="group_unknown")
    items = [
        replace(one, group_ids=[other for other in one.group_ids if other != group_id])
        if group_id in one.group_ids
        else one
        for one in menu.items
    ]
    return replace(menu, items=items, groups=[_no_longer_opening(one, group_id) for one in menu.groups if one.id != group_id])  # fmt: skip


def reorder_categories(menu: Menu, ids: Sequence[str]) -> Menu:
    return replace(menu, categories=_in_order(menu.categories, ids, "categories"))


def reorder_items(menu: Menu, category_id: str, ids: Sequence[str]) -> Menu:
    """Put the items of a category into an order; every one of them is named."""
    if category_id not in menu.categories_by_id:
        raise Invalid.field("category_id", "category_unknown", no_such("category", "menu"))
    inside = _in_order(menu.items_of(category_id), ids, "items")
    others = [one for one in menu.items if one.category_id != category_id]
    return replace(menu, items=[*others, *inside])


def move_item(menu: Menu, item_id: str, category_id: str, before_id: str | None = None) -> Menu:
    """Put an item into a category, before another item of it or behind all."""
    item = menu.items_by_id.get(item_id)
    if item is None:
        raise NotFound(no_such("item", "menu"), code="item_unknown")
    if category_id not in menu.categories_by_id:
        raise Invalid.field("category_id", "category_unknown", no_such("category", "menu"))
    others = _without(menu.items, {item_id})
    place = len(others)
    if before_id is not None and before_id != item_id:
        inside = [number for number, one in enumerate(others) if (one.id, one.category_id) == (before_id, category_id)]
        if not inside:
            raise Invalid.field("before_id", "item_unknown", no_such("item", "category"))
        place = inside[0]
    return replace(menu, items=[*others[:place], replace(item, category_id=category_id), *others[place:]])


def sell_out(menu: Menu, ids: Sequence[str], until_ms: int | None) -> Menu:
    """Mark items and options as sold out until then; with nothing, they can be had again."""
    wanted = set(ids)
    unknown = wanted - menu.items_by_id.keys() - menu.options_by_id.keys()
    if unknown:
        raise NotFound(f"The menu has no item or option {min(unknown)}.", code="item_unknown")
    items = [replace(one, sold_out_until=until_ms) if one.id in wanted else one for one in menu.items]
    groups = [
        replace(
            group,
            options=[replace(one, sold_out_until=until_ms) if one.id in wanted else one for one in group.options],
        )
        for group in menu.groups
    ]
    return replace(menu, items=items, groups=groups)


def until_next_day(hours: VenueHours, at_ms: int) -> int:
    """Sold out for today: until the doors open again after they have closed; where they never close, until morning."""
    standing = look(hours, at_ms)
    if not standing.is_open:
        return standing.opens_ms or at_ms + 24 * 60 * MINUTE_MS
    opens = None if standing.until_ms is None else look(hours, standing.until_ms).opens_ms
    today = local_day(at_ms, hours.time_zone)
    mornings = (moment(today + timedelta(days=n), _MORNING_MIN, hours.time_zone) for n in range(3))
    return opens or next(one for one in mornings if one > at_ms)


class PriceChange(msgspec.Struct, frozen=True):
    """By a percentage, by an amount, or both: first the one, then the other, then rounded."""

    # Hundredths of a percent; below zero prices fall.
    percent_bp: int = 0
    # Minor units.
    amount: int = 0
    # Prices become multiples of this many minor units; 1 leaves them as they come out.
    step: int = 1
    rounding: Literal["nearest", "up", "down"] = "nearest"
    # Of the whole menu where both are empty.
    category_ids: list[str] = []
    item_ids: list[str] = []
    # Whether the prices of options follow as well.
    options: bool = False


class NewPrice(msgspec.Struct, frozen=True):
    id: str
    name: str
    before: int
    after: int


def change_prices(menu: Menu, change: PriceChange) -> tuple[Menu, list[NewPrice]]:
    """The menu with new prices, and each price that changed, for somebody to look at first."""
    _check(change, menu)
    moved: list[NewPrice] = []
    items = []
    for item in menu.items:
        chosen = item.id in change.item_ids or item.category_id in change.category_ids
        if not chosen and (change.item_ids or change.category_ids):
            items.append(item)
            continue
        price = max(0, _changed(item.price, change, change.amount))
        if price != item.price:
            moved.append(NewPrice(item.id, item.name, item.price, price))
        items.append(replace(item, price=price))
    groups = [_changed_group(group, change, moved) for group in menu.groups] if change.options else menu.groups
    return replace(menu, items=items, groups=groups), moved


def _changed_group(group: Group, change: PriceChange, moved: list[NewPrice]) -> Group:
    options = []
    for option in group.options:
        # What costs nothing more costs nothing more; an amount is for dishes, not for each of their extras.
        delta = _changed(option.price_delta, change, 0) if option.price_delta else 0
        if delta != option.price_delta:
            moved.append(NewPrice(option.id, f"{group.name}: {option.name}", option.price_delta, delta))
        options.append(replace(option, price_delta=delta))
    return replace(group, options=options)


def _changed(price: int, change: PriceChange, amount: int) -> int:
    ways = {"nearest": ROUND_HALF_UP, "up": ROUND_CEILING, "down": ROUND_FLOOR}
    exact = Decimal(price) * (10_000 + change.percent_bp) / 10_000 + amount
    return int((exact / change.step).quantize(Decimal(1), ways[change.rounding])) * change.step


def _check(change: PriceChange, menu: Menu) -> None:
    if change.percent_bp == 0 and change.amount == 0 and change.step == 1:
        raise Invalid.field("percent", "change_missing", "Say by how much prices change.")
    if abs(change.percent_bp) > MAX_PERCENT_BP:
        raise Invalid.field("percent", "out_of_range", "Prices change by 100% at most.")
    if change.step < 1:
        raise Invalid.field("step", "out_of_range", "Prices are rounded to a step of at least the smallest coin.")
    unknown = (set(change.item_ids) - menu.items_by_id.keys()) | (
        set(change.category_ids) - menu.categories_by_id.keys()
    )
    if unknown:
        raise NotFound(f"The menu has no item or category {min(unknown)}.", code="item_unknown")
    if change.options and (change.item_ids or change.category_ids):
        raise Invalid.field(
            "options",
            "options_shared",
            "Options belong to many items. Change their prices with those of the whole menu.",
        )


def _no_longer_opening(group: Group, group_id: str) -> Group:
    if not any(group_id in option.opens for option in group.options):
        return group
    options = [replace(one, opens=[other for other in one.opens if other != group_id]) for one in group.options]
    return replace(group, options=options)


def _put(things: list[Thing], thing: Thing) -> list[Thing]:
    if any(one.id == thing.id for one in things):
        return [thing if one.id == thing.id else one for one in things]
    return [*things, thing]


def _without(things: list[Thing], ids: set[str]) -> list[Thing]:
    return [one for one in things if one.id not in ids]


def _in_order(things: list[Thing], ids: Sequence[str], field: str) -> list[Thing]:
    known = {one.id: one for one in things}
    if len(ids) != len(known) or set(ids) != known.keys():
        raise Invalid.field(
            field,
            "order_incomplete",
            "Name each of them exactly once. Somebody may have changed the menu: load it again.",
        )
    return [known[one] for one in ids]
