"""Bodies of the calls about menus. Prices are decimal numbers of the venue's currency."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import line, moment, optional_block, optional_line
from tablegram.api.schemas.restaurant.paying import Vat
from tablegram.api.schemas.restaurant.venues import Language
from tablegram.errors import FieldError
from tablegram.flows.wire import OpenDay
from tablegram.restaurant.menu.allergens import ALLERGENS
from tablegram.restaurant.menu.model import OrderType

_ONCE_EACH = {"uniqueItems": True}
_Name = Annotated[str, line(120, "In the menu's own language.", "Mercimek çorbası")]
_KitchenName = Annotated[str, optional_line(40, "What the kitchen reads; empty: the name.", "Merc. ç.")]
_Description = Annotated[str, optional_block(1_000, "What guests read below the name.")]
_Code = Annotated[
    str,
    Meta(
        pattern="^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$",
        description="The restaurant's own short code, once in a menu. Absent: made of the name.",
        examples=["soup-lentil"],
    ),
]
_Id = Annotated[str, line(64, "An id of the menu.")]
_Ids = Annotated[list[_Id], Meta(max_length=2_000)]
_Price = Annotated[float, Meta(ge=0, le=1_000_000_000, description="In the venue's currency.", examples=[85.5])]
_Extra = Annotated[
    float,
    Meta(ge=-1_000_000_000, le=1_000_000_000, description="What it costs more; below zero: less.", examples=[15]),
]
_Image = Annotated[_Id | None, Meta(description="An image of the venue; null: none.")]
_Day = Annotated[str, Meta(pattern="^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$", examples=["2027-06-01"])]


class Availability(Struct, kw_only=True, forbid_unknown_fields=True):
    """When and for which orders it can be had. What is empty does not limit it."""

    hours: Annotated[list[OpenDay], Meta(max_length=70)] = []
    order_types: Annotated[list[OrderType], Meta(max_length=3)] = []
    from_day: Annotated[_Day | None, Meta(description="The first day, in the venue's calendar.")] = None
    until_day: Annotated[_Day | None, Meta(description="The last day.")] = None


class Translation(Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Texts in one more language of the menu."""

    name: Annotated[str, optional_line(120, "The name.", "Lentil soup")] = ""
    description: Annotated[str, optional_block(1_000, "What guests read below the name.")] = ""


_Translations = Annotated[
    dict[Language, Translation],
    Meta(max_length=9, description="By language, for those of the venue but the first. Replaces all that were there."),
]
_Availability = Annotated[Availability | None, Meta(description="Null: always.")]
_Hidden = Annotated[bool, Meta(description="true: guests do not see it.")]


class CreateCategory(Struct, kw_only=True, forbid_unknown_fields=True):
    """A new category, behind the others."""

    name: _Name
    description: _Description | UnsetType = UNSET
    hidden: _Hidden | UnsetType = UNSET
    image_id: _Image | UnsetType = UNSET
    availability: _Availability | UnsetType = UNSET
    translations: _Translations | UnsetType = UNSET


class UpdateCategory(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are."""

    name: _Name | UnsetType = UNSET
    description: _Description | UnsetType = UNSET
    hidden: _Hidden | UnsetType = UNSET
    image_id: _Image | UnsetType = UNSET
    availability: _Availability | UnsetType = UNSET
    translations: _Translations | UnsetType = UNSET


_Allergens = Annotated[
    list[Annotated[str, Meta(extra_json_schema={"enum": list(ALLERGENS)}, examples=["milk"])]],
    Meta(max_length=14, description="Of the fourteen that the EU names."),
]
_Tags = Annotated[list[Annotated[str, line(40, "A word of your own.", "vegan")]], Meta(max_length=20)]
_Station = Annotated[
    str, Meta(pattern=r"^[^\s,;]+( [^\s,;]+)*$", max_length=40, description="Where it is made; one of the venue's.")
]
_GroupIds = Annotated[
    list[_Id],
    Meta(max_length=20, description="Its option groups, in the order they are asked in.", extra_json_schema=_ONCE_EACH),
]


class CreateItem(Struct, kw_only=True, forbid_unknown_fields=True):
    """A new item, last in its category."""

    category_id: _Id
    name: _Name
    price: _Price
    code: _Code | UnsetType = UNSET
    kitchen_name: _KitchenName | UnsetType = UNSET
    description: _Description | UnsetType = UNSET
    image_id: _Image | UnsetType = UNSET
    allergens: _Allergens | UnsetType = UNSET
    tags: _Tags | UnsetType = UNSET
    station: _Station | UnsetType = UNSET
    vat_percent: Vat | UnsetType | None = UNSET
    availability: _Availability | UnsetType = UNSET
    hidden: _Hidden | UnsetType = UNSET
    option_group_ids: _GroupIds | UnsetType = UNSET
    translations: _Translations | UnsetType = UNSET


class UpdateItem(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are. In another category it comes last."""

    category_id: _Id | UnsetType = UNSET
    name: _Name | UnsetType = UNSET
    price: _Price | UnsetType = UNSET
    code: _Code | UnsetType = UNSET
    kitchen_name: _KitchenName | UnsetType = UNSET
    description: _Description | UnsetType = UNSET
    image_id: _Image | UnsetType = UNSET
    allergens: _Allergens | UnsetType = UNSET
    tags: _Tags | UnsetType = UNSET
    station: _Station | UnsetType = UNSET
    vat_percent: Vat | UnsetType | None = UNSET
    availability: _Availability | UnsetType = UNSET
    hidden: _Hidden | UnsetType = UNSET
    option_group_ids: _GroupIds | UnsetType = UNSET
    translations: _Translations | UnsetType = UNSET


class PutOption(Struct, kw_only=True, forbid_unknown_fields=True):
    """One option of a group. With its id, or else its name, it stays the one that it was."""

    name: _Name
    id: _Id | UnsetType = UNSET
    kitchen_name: _KitchenName | UnsetType = UNSET
    price: _Extra | UnsetType = UNSET
    most: Annotated[int, Meta(ge=1, le=99, description="How often it may be taken in one portion.")] | UnsetType = UNSET
    default: Annotated[bool, Meta(description="Whether it is chosen beforehand.")] | UnsetType = UNSET
    opens: (
        Annotated[
            list[_Id],
            Meta(max_length=20, description="Groups to choose from when it is chosen.", extra_json_schema=_ONCE_EACH),
        ]
        | UnsetType
    ) = UNSET
    translations: _Translations | UnsetType = UNSET


_Options = Annotated[list[PutOption], Meta(min_length=1, max_length=100, description="All of its options, in order.")]
_Least = Annotated[int, Meta(ge=0, le=9_900, description="How few may be chosen by who chooses any.")]
_Most = Annotated[
    Annotated[int, Meta(ge=1, le=9_900)] | None,
    Meta(description="How many may be chosen, quantities counted; null: no end."),
]
_Required = Annotated[bool, Meta(description="Whether everybody must choose.")]


class CreateOptionGroup(Struct, kw_only=True, forbid_unknown_fields=True):
    """A new option group, for items and options to name."""

    name: _Name
    options: _Options
    code: _Code | UnsetType = UNSET
    required: _Required | UnsetType = UNSET
    least: _Least | UnsetType = UNSET
    most: _Most | UnsetType = UNSET
    translations: _Translations | UnsetType = UNSET


class UpdateOptionGroup(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are. Options that are not named are gone."""

    name: _Name | UnsetType = UNSET
    options: _Options | UnsetType = UNSET
    code: _Code | UnsetType = UNSET
    required: _Required | UnsetType = UNSET
    least: _Least | UnsetType = UNSET
    most: _Most | UnsetType = UNSET
    translations: _Translations | UnsetType = UNSET


class OrderMenu(Struct, kw_only=True, forbid_unknown_fields=True):
    """A new order: of the categories, or of the items of one category. Each of them is named once."""

    ids: _Ids
    category_id: Annotated[
        _Id | None, Meta(description="Of which the ids are items. Null or absent: they are categories.")
    ] = None


class SellOut(Struct, kw_only=True, forbid_unknown_fields=True):
    """What is sold out, or can be had again."""

    ids: Annotated[list[_Id], Meta(min_length=1, max_length=500, description="Items and options.")]
    until: Annotated[
        Literal["tomorrow", "told", "time", "now"],
        Meta(
            description="tomorrow: until the doors open on another day. told: until somebody says otherwise. time: until "
            "the moment in `at`. now: it can be had again."
        ),
    ] = "tomorrow"
    at: Annotated[
        Annotated[str, moment("A moment.", "2027-01-31T18:30:00+03:00")] | None,
        Meta(description="With time: until when."),
    ] = None

    def problems(self, path: str) -> list[FieldError]:
        if (self.until == "time") == (self.at is not None):
            return []
        return [FieldError("at", "time_needed", "Give at together with until: time, and only then.")]


class ChangePrices(Struct, kw_only=True, forbid_unknown_fields=True):
    """By a percentage, by an amount, or both: first the one, then the other, then rounded."""

    percent: (
        Annotated[float, Meta(ge=-100, le=100, description="Two decimals at most.", examples=[12.5])] | UnsetType
    ) = UNSET
    amount: _Extra | UnsetType = UNSET
    step: (
        Annotated[
            float,
            Meta(ge=0.001, le=1_000_000, description="Prices become multiples of this. Absent: the smallest coin."),
        ]
        | UnsetType
    ) = UNSET
    rounding: Literal["nearest", "up", "down"] | UnsetType = UNSET
    category_ids: Annotated[_Ids, Meta(description="Only of these, if any.")] | UnsetType = UNSET
    item_ids: Annotated[_Ids, Meta(description="Only of these, if any.")] | UnsetType = UNSET
    options: Annotated[bool, Meta(description="Whether the prices of options follow.")] | UnsetType = UNSET
    dry_run: Annotated[bool, Meta(description="true: only tell what would change.")] = False
