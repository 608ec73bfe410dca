"""A venue's menu as one value: categories, items, option groups. What it may hold, and how it is found and named.

Every change makes a new menu from the old one (`changes`), is checked as a whole, and is then written by its
difference (`keeping`). The order of the lists is the order on the page.
"""

from __future__ import annotations

import unicodedata
from functools import cached_property
from typing import Literal

import msgspec

from tablegram.values.opening_hours import OpeningHours, WeekSpan, local_day

OrderType = Literal["dine_in", "takeaway", "delivery"]
ORDER_TYPES: tuple[OrderType, ...] = ("dine_in", "takeaway", "delivery")

# Until somebody says otherwise: later than any clock, and still exact in a double.
UNTIL_TOLD = (1 << 53) - 1

# Language, then field, then text. The menu's own language stands in the fields themselves.
Translations = dict[str, dict[str, str]]


class Availability(msgspec.Struct, frozen=True, omit_defaults=True):
    """When and for whom something can be had. What is left out does not limit it."""

    hours: list[WeekSpan] = []
    order_types: list[OrderType] = []
    # First and last day, as dates of the venue's calendar.
    from_day: str | None = None
    until_day: str | None = None

    def holds(self, at_ms: int, time_zone: str) -> bool:
        """Whether the time is right. A span past midnight belongs to the day that it began on."""
        if self.hours and not OpeningHours(time_zone, self.hours).is_open(at_ms):
            return False
        if self.from_day is None and self.until_day is None:
            return True
        day = local_day(at_ms, time_zone).isoformat()
        return (self.from_day is None or day >= self.from_day) and (self.until_day is None or day <= self.until_day)

    def serves(self, order_type: str) -> bool:
        return not self.order_types or order_type in self.order_types


ALWAYS = Availability()


class Category(msgspec.Struct, frozen=True):
    id: str
    name: str
    description: str = ""
    is_hidden: bool = False
    image_id: str | None = None
    availability: Availability = ALWAYS
    translations: Translations = {}


class Item(msgspec.Struct, frozen=True):
    id: str
    category_id: str
    # The restaurant's own short code; unique in the menu.
    code: str
    name: str
    price: int
    # What the kitchen reads; the name where it is empty.
    kitchen_name: str = ""
    description: str = ""
    image_id: str | None = None
    allergens: list[str] = []
    tags: list[str] = []
    station: str = "kitchen"
    availability: Availability = ALWAYS
    sold_out_until: int | None = None
    is_hidden: bool = False
    translations: Translations = {}
    # Ids of its option groups, in the order they are asked in.
    group_ids: list[str] = []
    # The tax that its price includes, in hundredths of a percent; the venue's usual rate where it has none of its own.
    vat: int | None = None

    def is_sold_out(self, at_ms: int) -> bool:
        return self.sold_out_until is not None and at_ms < self.sold_out_until


class Option(msgspec.Struct, frozen=True):
    id: str
    name: str
    kitchen_name: str = ""
    price_delta: int = 0
    # How often it may be taken in one portion.
    most: int = 1
    is_default: bool = False
    sold_out_until: int | None = None
    # Groups that open when it is chosen: a size with options and prices of its own.
    opens: list[str] = []
    translations: Translations = {}

    def is_sold_out(self, at_ms: int) -> bool:
        return self.sold_out_until is not None and at_ms < self.sold_out_until


class Group(msgspec.Struct, frozen=True):
    """Options to choose among. Who need not choose may choose none; who does chooses `least` to `most`."""

    id: str
    code: str
    name: str
    options: list[Option]
    required: bool = False
    least: int = 0
    most: int | None = 1
    translations: Translations = {}

    @property
    def fewest(self) -> int:
        """How many must be chosen by everybody."""
        return max(1, self.least) if self.required else 0


class Menu(msgspec.Struct, frozen=True, dict=True):
    """`languages`: the menu's own first. `stations`: where items may be made."""

    currency: str
    time_zone: str
    languages: list[str]
    stations: list[str]
    version: int = 1
    categories: list[Category] = []
    # In the order of the page within each category.
    items: list[Item] = []
    groups: list[Group] = []
    # The usual rate of value added tax.
    vat: int | None = None

    @cached_property
    def categories_by_id(self) -> dict[str, Category]:
        return {one.id: one for one in self.categories}

    @cached_property
    def items_by_id(self) -> dict[str, Item]:
        return {one.id: one for one in self.items}

    @cached_property
    def groups_by_id(self) -> dict[str, Group]:
        return {one.id: one for one in self.groups}

    @cached_property
    def options_by_id(self) -> dict[str, tuple[Group, Option]]:
        return {option.id: (group, option) for group in self.groups for option in group.options}

    def items_of(self, category_id: str) -> list[Item]:
        return [one for one in self.items if one.category_id == category_id]

    def is_shown(self, item: Item) -> bool:
        category = self.categories_by_id.get(item.category_id)
        return not item.is_hidden and category is not None and not category.is_hidden


Named = Category | Item | Group | Option


def named(thing: Named, language: str, field: str = "name") -> str:
    """A field in a language, or in the menu's own where it was not translated."""
    text = thing.translations.get(language.partition("-")[0].lower(), {}).get(field)
    own: str = getattr(thing, field, "")
    return text or own


def clean_line(text: str) -> str:
    """One line of text as it may be shown and printed anywhere.

    Signs that turn the direction of what follows, or that nobody sees, would change a page or a receipt around them;
    letters of every script stay.
    """
    spaced = " ".join(unicodedata.normalize("NFC", text).split())
    return "".join(sign for sign in spaced if not _is_hidden_sign(sign)).strip()


def clean_text(text: str) -> str:
    """The same for text of several lines."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(clean_line(line) for line in lines).strip()


def _is_hidden_sign(sign: str) -> bool:
    # The two joiners shape letters of some scripts and whole emoji.
    return unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Cn") and sign not in "\u200c\u200d"
