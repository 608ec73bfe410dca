"""A menu as the JSON document that goes out, and that `read_document` takes again. The same structs draw the OpenAPI document.

They are those that are read, and say more: what is read may still be wrong, and is looked at one by one.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType, field

from tablegram.restaurant.menu.importing.documents import FORMAT, CategoryDoc, GroupDoc, ItemDoc, OptionDoc, Text
from tablegram.restaurant.menu.model import ALWAYS, Availability, Category, Group, Item, Menu, Named, Option
from tablegram.values.money import to_wire


class ExportedAvailability(Availability, frozen=True, omit_defaults=True):
    """When and for which orders something can be had. What is left out does not limit it."""


class ExportedItem(ItemDoc, omit_defaults=True, forbid_unknown_fields=False):
    """An item of a menu. A text in several languages is an object with a string for each."""

    price: float | UnsetType = UNSET
    vat: Annotated[float, Meta(description="The rate in percent.")] | UnsetType = UNSET
    option_groups: Annotated[list[str], Meta(description="Codes of groups.")] | UnsetType = UNSET
    availability: ExportedAvailability | UnsetType = UNSET


class ExportedCategory(CategoryDoc, omit_defaults=True, forbid_unknown_fields=False):
    """A category with its items."""

    availability: ExportedAvailability | UnsetType = UNSET
    items: list[ExportedItem] = field(default_factory=list)


class ExportedOption(OptionDoc, omit_defaults=True, forbid_unknown_fields=False):
    """An option of a group, and what it adds to the price."""

    price: float = 0
    opens: Annotated[list[str], Meta(description="Codes of groups that it opens.")] = field(default_factory=list)


class ExportedGroup(GroupDoc, omit_defaults=True, forbid_unknown_fields=False):
    """A group of options."""

    options: list[ExportedOption] = field(default_factory=list)


class ExportedMenu(msgspec.Struct, frozen=True):
    """A whole menu, as an import takes it again."""

    format: Literal["tablegram-menu/1"]
    currency: str
    languages: Annotated[list[str], Meta(description="The menu's own language first.")]
    categories: list[ExportedCategory]
    option_groups: list[ExportedGroup]


def write_document(menu: Menu) -> bytes:
    """The whole menu as a document that `read_document` takes again."""
    codes = {group.id: group.code for group in menu.groups}
    document = ExportedMenu(
        FORMAT,
        menu.currency,
        menu.languages,
        [_category_doc(menu, one, codes) for one in menu.categories],
        [_group_doc(menu, one, codes) for one in menu.groups],
    )
    return msgspec.json.format(msgspec.json.encode(document), indent=2)


def _category_doc(menu: Menu, category: Category, codes: dict[str, str]) -> ExportedCategory:
    return ExportedCategory(
        _text(menu, category, "name"),
        _text(menu, category, "description"),
        _availability(category.availability),
        category.is_hidden,
        [_item_doc(menu, one, codes) for one in menu.items_of(category.id)],
    )


def _item_doc(menu: Menu, item: Item, codes: dict[str, str]) -> ExportedItem:
    return ExportedItem(
        name=_text(menu, item, "name"),
        code=item.code,
        price=to_wire(item.price, menu.currency),
        kitchen_name=item.kitchen_name,
        description=_text(menu, item, "description"),
        allergens=item.allergens,
        tags=item.tags,
        station=item.station,
        vat=UNSET if item.vat is None else item.vat / 100,
        option_groups=[codes[one] for one in item.group_ids],
        availability=UNSET if item.availability == ALWAYS else _availability(item.availability),
        hidden=item.is_hidden,
    )


def _group_doc(menu: Menu, group: Group, codes: dict[str, str]) -> ExportedGroup:
    options = [_option_doc(menu, one, codes) for one in group.options]
    return ExportedGroup(_text(menu, group, "name"), group.code, group.required, group.least, group.most, options)


def _option_doc(menu: Menu, option: Option, codes: dict[str, str]) -> ExportedOption:
    price = to_wire(option.price_delta, menu.currency)
    opens = [codes[one] for one in option.opens]
    return ExportedOption(
        _text(menu, option, "name"), price, option.kitchen_name, option.most, option.is_default, opens
    )


def _text(menu: Menu, thing: Named, field: str) -> Text:
    texts = {language: one[field] for language, one in thing.translations.items() if one.get(field)}
    own: str = getattr(thing, field)
    return {menu.languages[0]: own, **texts} if texts else own


def _availability(had: Availability) -> ExportedAvailability:
    return ExportedAvailability(had.hours, had.order_types, had.from_day, had.until_day)
