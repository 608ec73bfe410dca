"""What a line of an order costs, by the menu as it is now: a priced line, or precisely what stands in its way.

Nothing that a guest's phone says about prices is ever read. The same function answers for the page, for a cart that
is sent, and for a waiter's tablet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from tablegram.restaurant.lines import Choice, DishLine, LineProblem, PricedLine
from tablegram.restaurant.menu.model import Group, Item, Menu, Option, named
from tablegram.restaurant.menu.obstacles import Obstacle, explain

MAX_QUANTITY = 99

Taken = list[tuple[Option, int]]


def price_line(
    menu: Menu,
    item_id: str,
    choices: Sequence[Choice],
    quantity: int,
    at_ms: int,
    order_type: str,
    language: str = "",
) -> PricedLine | list[Obstacle]:
    """The line as it can be ordered at that moment, or everything that is wrong with it, the dish itself first.

    Names are in `language`, or in the menu's own without one; the kitchen's name is always in the menu's own.
    """
    item = menu.items_by_id.get(item_id)
    if item is None or not menu.is_shown(item):
        return [Obstacle("item_unknown", "" if item is None else named(item, language), item_id)]
    counts = _counted(choices)
    groups = asked_groups(menu, item, set(counts))
    taken: Taken = [(one, counts[one.id]) for group in groups for one in group.options if one.id in counts]
    unit_price = item.price + sum(option.price_delta * count for option, count in taken)
    obstacles = [
        *_obstacles_of_item(menu, item, quantity, at_ms, order_type, language),
        *_obstacles_of_strangers(menu, item, counts, {option.id for option, _ in taken}, language),
        *_obstacles_of_counts(menu, item, choices, language),
        *(one for group in groups for one in _obstacles_of_group(group, counts, item, at_ms, language)),
    ]
    if unit_price < 0:
        obstacles.append(Obstacle("price_negative", named(item, language), item.id))
    if obstacles:
        return obstacles
    return PricedLine(
        item_id=item.id,
        name=named(item, language),
        kitchen_name=item.kitchen_name or item.name,
        station=item.station,
        quantity=quantity,
        unit_price=unit_price,
        options=tuple(_shown(option, count, language) for option, count in taken),
        choices=tuple(Choice(option.id, count) for option, count in taken),
        kitchen_options=tuple(_times(option.kitchen_name or option.name, count) for option, count in taken),
        vat=menu.vat if item.vat is None else item.vat,
    )


class MenuPrices:
    """A venue's menu at one moment, for one kind of order and in one language, as carts and orders ask it."""

    def __init__(self, menu: Menu, at_ms: int, order_type: str, language: str = "") -> None:
        self._menu, self._at_ms, self._order_type, self._language = menu, at_ms, order_type, language

    def price(self, line: DishLine) -> PricedLine | tuple[LineProblem, ...]:
        found = price_line(
            self._menu, line.item_id, line.choices, line.quantity, self._at_ms, self._order_type, self._language
        )
        if isinstance(found, PricedLine):
            return msgspec.structs.replace(found, note=line.note)
        return tuple(self._problem(one) for one in found)

    def _problem(self, obstacle: Obstacle) -> LineProblem:
        item = self._menu.items_by_id.get(obstacle.item_id)
        name = "" if item is None else named(item, self._language)
        language = self._language or self._menu.languages[0]
        detail = explain(obstacle, language, self._menu.time_zone)
        return LineProblem(obstacle.code, detail, name, obstacle.option_id)


def asked_groups(menu: Menu, item: Item, chosen: set[str]) -> list[Group]:
    """The groups that an item asks for, those included that a chosen option opens, each once, in their order."""
    found: dict[str, Group] = {}
    waiting = list(item.group_ids)
    while waiting:
        group = menu.groups_by_id.get(waiting.pop(0))
        if group is None or group.id in found:
            continue
        found[group.id] = group
        # What a size opens is asked right after the size.
        waiting = [inner for option in group.options if option.id in chosen for inner in option.opens] + waiting
    return list(found.values())


def is_available(menu: Menu, item: Item, at_ms: int) -> bool:
    """Whether the hours of the item and of its category allow it now."""
    category = menu.categories_by_id[item.category_id]
    return item.availability.holds(at_ms, menu.time_zone) and category.availability.holds(at_ms, menu.time_zone)


def is_served(menu: Menu, item: Item, order_type: str) -> bool:
    """Whether it can be had for this kind of order."""
    category = menu.categories_by_id[item.category_id]
    return item.availability.serves(order_type) and category.availability.serves(order_type)


def _obstacles_of_item(
    menu: Menu, item: Item, quantity: int, at_ms: int, order_type: str, language: str
) -> Iterator[Obstacle]:
    name = named(item, language)
    if item.is_sold_out(at_ms):
        yield Obstacle("sold_out", name, item.id, until_ms=item.sold_out_until)
    if not is_available(menu, item, at_ms):
        yield Obstacle("not_available_now", name, item.id)
    if not is_served(menu, item, order_type):
        yield Obstacle("not_for_order_type", name, item.id)
    if not 1 <= quantity <= MAX_QUANTITY:
        yield Obstacle("quantity_invalid", name, item.id, least=1, most=MAX_QUANTITY)


def _obstacles_of_strangers(
    menu: Menu, item: Item, counts: dict[str, int], offered: set[str], language: str
) -> Iterator[Obstacle]:
    """Options that nobody knows, and those of groups that are not asked for."""
    for option_id in counts:
        known = menu.options_by_id.get(option_id)
        if known is None:
            yield Obstacle("option_unknown", "", item.id, option_id=option_id)
        elif option_id not in offered:
            group, option = known
            yield Obstacle("option_not_offered", named(option, language), item.id, group.id, option_id)


def _obstacles_of_counts(menu: Menu, item: Item, choices: Sequence[Choice], language: str) -> Iterator[Obstacle]:
    """An option is chosen once or more; less than that could only be meant to lower a sum."""
    for choice in choices:
        known = menu.options_by_id.get(choice.option_id)
        if choice.quantity < 1 and known is not None:
            group, option = known
            yield Obstacle(
                "option_too_often", named(option, language), item.id, group.id, option.id, None, 1, option.most
            )


def _obstacles_of_group(
    group: Group, counts: dict[str, int], item: Item, at_ms: int, language: str
) -> Iterator[Obstacle]:
    taken = [(option, counts[option.id]) for option in group.options if option.id in counts]
    for option, count in taken:
        name = named(option, language)
        if option.is_sold_out(at_ms):
            yield Obstacle("option_sold_out", name, item.id, group.id, option.id, option.sold_out_until)
        if count > option.most:
            yield Obstacle("option_too_often", name, item.id, group.id, option.id, None, 1, option.most)
    total = sum(count for _, count in taken)
    fewest = max(group.fewest, group.least) if taken else group.fewest
    if total < fewest:
        yield Obstacle("too_few_options", named(group, language), item.id, group.id, "", None, fewest, group.most)
    elif group.most is not None and total > group.most:
        yield Obstacle("too_many_options", named(group, language), item.id, group.id, "", None, fewest, group.most)


def _counted(choices: Sequence[Choice]) -> dict[str, int]:
    """How often each option is chosen; one that is named twice is added up."""
    counts: dict[str, int] = {}
    for choice in choices:
        counts[choice.option_id] = counts.get(choice.option_id, 0) + max(choice.quantity, 0)
    return counts


def _shown(option: Option, count: int, language: str) -> str:
    return _times(named(option, language), count)


def _times(name: str, count: int) -> str:
    return name if count == 1 else f"{count} × {name}"
