"""What a file says about a menu, before it is joined with the one that is kept.

A draft names only what its file holds: a table without a column for descriptions leaves the descriptions as they are.
"""

from __future__ import annotations

from typing import TypedDict

import msgspec

from tablegram.errors import FieldError
from tablegram.restaurant.menu.model import Availability, OrderType, Translations
from tablegram.values.opening_hours import WeekSpan


class RowError(msgspec.Struct, frozen=True):
    """What is wrong where. `row` counts as a table program does; a JSON document has places instead."""

    place: str
    field: str
    code: str
    detail: str
    row: int | None = None


class DraftPlace(msgspec.Struct, frozen=True):
    text: str
    row: int | None = None

    def error(self, field: str, code: str, detail: str) -> RowError:
        return RowError(self.text, field, code, detail, self.row)

    def errors(self, faults: list[FieldError]) -> list[RowError]:
        return [self.error(one.field, one.code, one.detail) for one in faults]


class AvailabilityParts(TypedDict, total=False):
    """What a table says of when and how a dish is had; the rest of it stays."""

    hours: list[WeekSpan]
    order_types: list[OrderType]


class CategoryFields(TypedDict, total=False):
    name: str
    description: str
    is_hidden: bool
    availability: Availability


class ItemFields(TypedDict, total=False):
    name: str
    kitchen_name: str
    description: str
    station: str
    price: int
    vat: int | None
    allergens: list[str]
    tags: list[str]
    is_hidden: bool
    availability: Availability | AvailabilityParts


class OptionFields(TypedDict, total=False):
    name: str
    kitchen_name: str
    price_delta: int
    most: int | None
    is_default: bool


class GroupFields(TypedDict, total=False):
    name: str
    required: bool
    least: int | None
    most: int | None


class CategoryDraft(msgspec.Struct):
    place: DraftPlace
    name: str
    fields: CategoryFields = {}
    translations: Translations = {}


class ItemDraft(msgspec.Struct):
    place: DraftPlace
    # Empty where the file does not say: then an item is found by its name.
    code: str
    # The name of its category in the menu's own language; empty leaves it where it is.
    category: str
    fields: ItemFields = {}
    # Codes or names of its option groups; nothing leaves them.
    groups: list[str] | None = None
    translations: Translations = {}


class OptionDraft(msgspec.Struct):
    place: DraftPlace
    fields: OptionFields
    # Codes or names of the groups that it opens; nothing leaves them.
    opens: list[str] | None = None
    translations: Translations = {}


class GroupDraft(msgspec.Struct):
    """A group comes with all of its options; those that it does not name are gone."""

    place: DraftPlace
    code: str
    fields: GroupFields
    options: list[OptionDraft]
    translations: Translations = {}


class MenuDraft(msgspec.Struct):
    categories: list[CategoryDraft] = []
    items: list[ItemDraft] = []
    groups: list[GroupDraft] = []
    errors: list[RowError] = []
