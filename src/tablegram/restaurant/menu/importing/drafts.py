"""What a file says about a menu, before it is joined with the one that is kept.

A draft names only what its file holds: a table without a column for descriptions leaves the descriptions as they are.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.errors import FieldError
from tablegram.restaurant.menu.model import Translations


class RowError(msgspec.Struct, frozen=True):
    """What is wrong where. `row` counts as a table program does; a JSON document has places instead."""

    place: str
    field: str
    code: str
    detail: str
    row: int | None = None


class Place(msgspec.Struct, frozen=True):
    text: str
    row: int | None = None

    def error(self, field: str, code: str, detail: str) -> RowError:
        return RowError(self.text, field, code, detail, self.row)

    def errors(self, faults: list[FieldError]) -> list[RowError]:
        return [self.error(one.field, one.code, one.detail) for one in faults]


class CategoryDraft(msgspec.Struct):
    place: Place
    name: str
    # Fields of a category by their names.
    fields: dict[str, Any] = {}
    translations: Translations = {}


class ItemDraft(msgspec.Struct):
    place: Place
    # Empty where the file does not say: then an item is found by its name.
    code: str
    # The name of its category in the menu's own language; empty leaves it where it is.
    category: str
    # Fields of an item by their names; of its availability perhaps only parts, as a dictionary.
    fields: dict[str, Any] = {}
    # Codes or names of its option groups; nothing leaves them.
    groups: list[str] | None = None
    translations: Translations = {}


class OptionDraft(msgspec.Struct):
    place: Place
    fields: dict[str, Any]
    # Codes or names of the groups that it opens; nothing leaves them.
    opens: list[str] | None = None
    translations: Translations = {}


class GroupDraft(msgspec.Struct):
    """A group comes with all of its options; those that it does not name are gone."""

    place: Place
    code: str
    fields: dict[str, Any]
    options: list[OptionDraft]
    translations: Translations = {}


class Draft(msgspec.Struct):
    categories: list[CategoryDraft] = []
    items: list[ItemDraft] = []
    groups: list[GroupDraft] = []
    errors: list[RowError] = []
