"""Menus in the store: read whole, written by their difference, with a version that grows."""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.errors import Conflict, Invalid
from tablegram.restaurant.menu.checks import check_menu
from tablegram.restaurant.menu.model import Availability, Category, Group, Item, Menu, Option, Translations
from tablegram.restaurant.rows.menus import CategoryRow, GroupRow, ItemRow, OptionRow
from tablegram.restaurant.store import menus as store
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Query, Tx

_AVAILABILITY = msgspec.json.Decoder(Availability)
_TRANSLATIONS = msgspec.json.Decoder(Translations)
_LIST = msgspec.json.Decoder(list[str])

_Rows = dict[Any, dict[str, Any]]


async def load(tx: Tx, venue: Venue) -> Menu:
    """The whole menu of a venue."""
    which = {"b_account": venue.account_id, "b_venue": venue.id}
    options: dict[str, list[Option]] = {}
    for row in await tx.all(store.OPTIONS, which):
        options.setdefault(row["group_id"], []).append(_option(row))
    asked: dict[str, list[str]] = {}
    for join in await tx.all(store.JOINS, which):
        asked.setdefault(join["item_id"], []).append(join["group_id"])
    categories = [_category(row) for row in await tx.all(store.CATEGORIES, which)]
    places = {one.id: place for place, one in enumerate(categories)}
    items = [_item(row, asked.get(row["id"], [])) for row in await tx.all(store.ITEMS, which)]
    return Menu(
        currency=venue.currency,
        time_zone=venue.time_zone,
        languages=venue.languages,
        stations=venue.stations,
        version=venue.menu_version,
        categories=categories,
        items=sorted(items, key=lambda one: places.get(one.category_id, 0)),
        groups=[_group(row, options.get(row["id"], [])) for row in await tx.all(store.GROUPS, which)],
        vat=venue.details.vat,
    )


async def save(tx: Tx, venue: Venue, old: Menu, new: Menu, now_ms: int) -> Menu:
    """Write what differs. Raises `Invalid` for a menu that may not be kept, `Conflict` when `old` is no longer true."""
    faults = check_menu(new)
    if faults:
        raise Invalid.fields(faults)
    which = {"b_account": venue.account_id, "b_venue": venue.id}
    bump = {**which, "b_version": old.version, "b_next": old.version + 1, "now": now_ms}
    if await tx.run(store.BUMP, bump) == 0:
        raise Conflict("Somebody else changed the menu meanwhile. Load it again.", code="menu_changed")
    before, after = _tables(venue, old, now_ms), _tables(venue, new, now_ms)
    # What goes frees its code and its place before what comes needs them.
    for (_, drop), was, will in zip(_WAYS, before, after, strict=True):
        for key, row in was.items():
            # Two things that exchange their codes would otherwise meet half-way.
            if key not in will or row.get("code") != will[key].get("code"):
                await tx.run(drop, _key(venue.account_id, key))
    for (put, _), was, will in zip(_WAYS, before, after, strict=True):
        changed = [row for key, row in will.items() if was.get(key) != row]
        if changed:
            await tx.many(put, changed)
    return msgspec.structs.replace(new, version=old.version + 1)


_WAYS: tuple[tuple[Query, Query], ...] = (
    (store.PUT_CATEGORY, store.DROP_CATEGORY),
    (store.PUT_ITEM, store.DROP_ITEM),
    (store.PUT_GROUP, store.DROP_GROUP),
    (store.PUT_OPTION, store.DROP_OPTION),
    (store.PUT_JOIN, store.DROP_JOIN),
)


def _key(account_id: int, key: Any) -> dict[str, Any]:
    if isinstance(key, tuple):
        return {"b_account": account_id, "b_item": key[0], "b_group": key[1]}
    return {"b_account": account_id, "b_id": key}


def _tables(venue: Venue, menu: Menu, now_ms: int) -> tuple[_Rows, ...]:
    """The rows of a menu, table by table, each under its key. The order of the lists becomes the position."""
    own = {"account_id": venue.account_id, "venue_id": venue.id}
    categories = {
        one.id: {**own, **_row(one, "is_hidden"), "position": place} for place, one in enumerate(menu.categories)
    }
    items = {}
    places: dict[str, int] = {}
    for item in menu.items:
        place = places[item.category_id] = places.get(item.category_id, -1) + 1
        row = {name: value for name, value in _row(item, "is_hidden").items() if name != "group_ids"}
        items[item.id] = {**own, **row, "position": place, "updated_at": now_ms}
    groups = {
        one.id: {**own, **{name: value for name, value in _row(one, "required").items() if name != "options"}}
        for one in menu.groups
    }
    options = {
        option.id: {**own, **_row(option, "is_default"), "group_id": group.id, "position": place}
        for group in menu.groups
        for place, option in enumerate(group.options)
    }
    joins = {
        (item.id, group_id): {**own, "item_id": item.id, "group_id": group_id, "position": place}
        for item in menu.items
        for place, group_id in enumerate(item.group_ids)
    }
    return categories, items, groups, options, joins


def _row(thing: msgspec.Struct, flag: str) -> dict[str, Any]:
    """A thing's fields as columns: lists and structures as JSON, the flag as a number."""
    fields = msgspec.structs.asdict(thing)
    return {
        name: int(value)
        if name == flag
        else msgspec.json.encode(value).decode()
        if isinstance(value, list | dict | msgspec.Struct)
        else value
        for name, value in fields.items()
    }


def _category(row: CategoryRow) -> Category:
    return Category(
        id=row["id"],
        name=row["name"],
        description=row["description"],
        is_hidden=bool(row["is_hidden"]),
        image_id=row["image_id"],
        availability=_AVAILABILITY.decode(row["availability"]),
        translations=_TRANSLATIONS.decode(row["translations"]),
    )


def _item(row: ItemRow, group_ids: list[str]) -> Item:
    return Item(
        id=row["id"],
        category_id=row["category_id"],
        code=row["code"],
        name=row["name"],
        price=row["price"],
        kitchen_name=row["kitchen_name"],
        description=row["description"],
        image_id=row["image_id"],
        allergens=_LIST.decode(row["allergens"]),
        tags=_LIST.decode(row["tags"]),
        station=row["station"],
        availability=_AVAILABILITY.decode(row["availability"]),
        sold_out_until=row["sold_out_until"],
        is_hidden=bool(row["is_hidden"]),
        translations=_TRANSLATIONS.decode(row["translations"]),
        group_ids=group_ids,
        vat=row["vat"],
    )


def _group(row: GroupRow, options: list[Option]) -> Group:
    return Group(
        id=row["id"],
        code=row["code"],
        name=row["name"],
        options=options,
        required=bool(row["required"]),
        least=row["least"],
        most=row["most"],
        translations=_TRANSLATIONS.decode(row["translations"]),
    )


def _option(row: OptionRow) -> Option:
    return Option(
        id=row["id"],
        name=row["name"],
        kitchen_name=row["kitchen_name"],
        price_delta=row["price_delta"],
        most=row["most"],
        is_default=bool(row["is_default"]),
        sold_out_until=row["sold_out_until"],
        opens=_LIST.decode(row["opens"]),
        translations=_TRANSLATIONS.decode(row["translations"]),
    )
