"""A menu, and what became of its files and prices. Prices are decimal numbers of the venue's currency."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.flows.wire import OpenDay
from tablegram.restaurant.menu.model import OrderType
from tablegram.values.clock import MomentText

_SoldOutUntil = Annotated[
    MomentText | None, Meta(description="Null while it can be had, or when nobody knows until when it cannot.")
]


class TranslationView(Struct, kw_only=True, frozen=True):
    """Texts in one language; what was not translated is not there."""

    name: str | UnsetType = UNSET
    description: str | UnsetType = UNSET


class AvailabilityView(Struct, kw_only=True, frozen=True):
    """When and for which orders something can be had."""

    hours: list[OpenDay]
    order_types: list[OrderType]
    from_day: str | None
    until_day: str | None


class CategoryView(Struct, kw_only=True, frozen=True):
    """A category."""

    id: str
    name: str
    description: str
    hidden: bool
    image_id: str | None
    availability: AvailabilityView
    translations: dict[str, TranslationView]


class ItemView(Struct, kw_only=True, frozen=True):
    """An item."""

    id: str
    category_id: str
    code: str
    name: str
    kitchen_name: str
    description: str
    image_id: str | None
    allergens: list[str]
    tags: list[str]
    station: str
    translations: dict[str, TranslationView]
    price: float
    vat_percent: Annotated[
        float | None, Meta(description="VAT that its price includes; nothing for the venue's usual rate.")
    ]
    hidden: bool
    option_group_ids: list[str]
    availability: AvailabilityView
    sold_out: bool
    sold_out_until: _SoldOutUntil


class OptionView(Struct, kw_only=True, frozen=True):
    """An option."""

    id: str
    name: str
    kitchen_name: str
    most: int
    opens: list[str]
    translations: dict[str, TranslationView]
    price: float
    default: bool
    sold_out: bool
    sold_out_until: _SoldOutUntil


class OptionGroupView(Struct, kw_only=True, frozen=True):
    """An option group with its options."""

    id: str
    code: str
    name: str
    required: bool
    least: int
    most: int | None
    translations: dict[str, TranslationView]
    options: list[OptionView]


class MenuView(Struct, kw_only=True, frozen=True):
    """A whole menu. The order of the lists is the order on the page."""

    venue_id: str
    version: int
    currency: str
    languages: list[str]
    stations: list[str]
    categories: list[CategoryView]
    items: list[ItemView]
    option_groups: list[OptionGroupView]


class NewPrice(Struct, kw_only=True, frozen=True):
    """A price before and after."""

    id: str
    name: str
    before: float
    after: float


class PricesChanged(Struct, kw_only=True, frozen=True):
    """Every price that changed, or would."""

    applied: bool
    prices: list[NewPrice]


class MenuFileError(Struct, kw_only=True, frozen=True):
    """What is wrong where."""

    place: Annotated[str, Meta(description="Where it is in the file: a row of a table, a place in a document.")]
    row: Annotated[int | None, Meta(description="The row as a table program counts; null in a document.")]
    column: str
    code: str
    detail: str


class MenuFileSummary(Struct, kw_only=True, frozen=True):
    """Items and option groups, counted."""

    added: int
    changed: int
    unchanged: int
    removed: int


class MenuImported(Struct, kw_only=True, frozen=True):
    """What came of a file. With any error nothing was changed."""

    applied: bool
    summary: MenuFileSummary
    errors: Annotated[list[MenuFileError], Meta(description="The first 200.")]
