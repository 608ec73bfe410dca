"""A menu as a JSON document: what programs bring in and take out, and what the demo's menu is written in.

A text is a string in the menu's own language, or an object with a string for each language. Prices are decimal
numbers. Images are not part of it: they are files of the account.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar, cast

import msgspec
from msgspec import UNSET, UnsetType

from tablegram.errors import Invalid
from tablegram.restaurant.menu.checks import MAX_CATEGORIES, MAX_GROUPS, MAX_ITEMS, MAX_OPTIONS
from tablegram.restaurant.menu.importing.drafts import (
    CategoryDraft,
    CategoryFields,
    DraftPlace,
    GroupDraft,
    GroupFields,
    ItemDraft,
    ItemFields,
    MenuDraft,
    OptionDraft,
    OptionFields,
    RowError,
)
from tablegram.restaurant.menu.model import (
    Availability,
    Menu,
    Translations,
    clean_line,
    clean_text,
)
from tablegram.values import Json
from tablegram.values.money import from_wire

FORMAT: Final = "tablegram-menu/1"
MAX_BYTES = 10 * 1_048_576
# A full menu, all of its names in several languages.
MAX_OBJECTS = 250_000

Text = str | dict[str, str]
Number = int | float | str
Doc = TypeVar("Doc", bound=msgspec.Struct)


class ItemDoc(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    name: Text
    code: str = ""
    price: Number | UnsetType = UNSET
    kitchen_name: str | UnsetType = UNSET
    description: Text | UnsetType = UNSET
    allergens: list[str] | UnsetType = UNSET
    tags: list[str] | UnsetType = UNSET
    station: str | UnsetType = UNSET
    vat: Number | UnsetType | None = UNSET
    option_groups: list[str] | UnsetType = UNSET
    availability: Availability | UnsetType = UNSET
    hidden: bool | UnsetType = UNSET


class CategoryDoc(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    name: Text
    description: Text | UnsetType = UNSET
    availability: Availability | UnsetType = UNSET
    hidden: bool | UnsetType = UNSET
    items: Sequence[object] = []


class OptionDoc(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    name: Text
    price: Number = 0
    kitchen_name: str = ""
    most: int = 1
    default: bool = False
    opens: list[str] = []


class GroupDoc(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    name: Text
    code: str = ""
    required: bool = False
    least: int = 0
    most: int | None = 1
    options: Sequence[object] = []


class MenuDoc(msgspec.Struct, forbid_unknown_fields=True):
    format: str = FORMAT
    currency: str = ""
    languages: list[str] = []
    categories: list[object] = []
    option_groups: list[object] = []


def read_document(raw: bytes, menu: Menu) -> MenuDraft:
    """What a document says. What is wrong with one thing is told with its place, and does not hide the rest."""
    if len(raw) > MAX_BYTES:
        raise Invalid.field("file", "file_too_large", f"The file may have at most {MAX_BYTES // 1_048_576} MB.")
    if raw.count(b"{") > MAX_OBJECTS:
        raise Invalid.field(
            "file", "file_too_much_work", f"This document has more than {MAX_OBJECTS:,} objects. Split it."
        )
    try:
        document = msgspec.json.decode(raw, type=MenuDoc)
    except RecursionError:
        raise Invalid.field("file", "file_unreadable", "This is not a menu as JSON: it is nested too deep.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Invalid.field("file", "file_unreadable", f"This is not a menu as JSON: {error}.") from None
    _check_counts(document)
    if document.format != FORMAT:
        raise Invalid.field("file", "format_unknown", f"This is a document of another kind. Its format is {FORMAT}.")
    if document.currency and document.currency != menu.currency:
        raise Invalid.field(
            "file", "currency_differs", f"Its prices are {document.currency}; the venue's are {menu.currency}."
        )
    return _Reading(menu).read(document)


def _check_counts(document: MenuDoc) -> None:
    """More than any menu may hold is not looked at one by one."""
    items = sum(len(_inner(one, "items")) for one in document.categories)
    options = max((len(_inner(one, "options")) for one in document.option_groups), default=0)
    for count, most, kind in (
        (len(document.categories), MAX_CATEGORIES, "categories"), (items, MAX_ITEMS, "items"),
        (len(document.option_groups), MAX_GROUPS, "option groups"), (options, MAX_OPTIONS, "options in a group"),
    ):  # fmt: skip
        if count > most:
            raise Invalid.field("file", "too_many", f"A menu has at most {most:,} {kind}; this one has {count:,}.")


def _inner(thing: object, name: str) -> list[object]:
    inner = thing.get(name) if isinstance(thing, dict) else None
    return inner if isinstance(inner, list) else []


class _Reading:
    def __init__(self, menu: Menu) -> None:
        self._menu = menu
        self._draft = MenuDraft([], [], [], [])

    def read(self, document: MenuDoc) -> MenuDraft:
        for number, raw in enumerate(document.option_groups):
            self._read_group(raw, DraftPlace(f"option_groups[{number}]"))
        for number, raw in enumerate(document.categories):
            self._read_category(raw, DraftPlace(f"categories[{number}]"))
        return self._draft

    def _read_category(self, raw: object, place: DraftPlace) -> None:
        doc = self._convert(raw, CategoryDoc, place)
        if doc is None:
            return
        texts = self._texts({"name": doc.name, "description": doc.description}, place)
        given = _given({"availability": doc.availability, "is_hidden": doc.hidden})
        fields = cast(CategoryFields, given | texts[0])
        name = texts[0].get("name", "")
        self._draft.categories.append(CategoryDraft(place, name, fields, texts[1]))
        for number, inner in enumerate(doc.items):
            self._read_item(inner, name, DraftPlace(f"{place.text}.items[{number}]"))

    def _read_item(self, raw: object, category: str, place: DraftPlace) -> None:
        doc = self._convert(raw, ItemDoc, place)
        if doc is None:
            return
        own, translations = self._texts({"name": doc.name, "description": doc.description}, place)
        price = None if isinstance(doc.price, UnsetType) else self._price(doc.price, place)
        plain: Json = {
            "kitchen_name": clean_line(doc.kitchen_name) if isinstance(doc.kitchen_name, str) else UNSET,
            "allergens": doc.allergens,
            "tags": doc.tags,
            "station": doc.station,
            "availability": doc.availability,
            "is_hidden": doc.hidden,
            "price": UNSET if price is None else price,
            "vat": UNSET if isinstance(doc.vat, UnsetType) else self._vat(doc.vat, place),
        }
        groups = None if isinstance(doc.option_groups, UnsetType) else doc.option_groups
        fields = cast(ItemFields, _given(plain) | own)
        self._draft.items.append(ItemDraft(place, doc.code, category, fields, groups, translations))

    def _read_group(self, raw: object, place: DraftPlace) -> None:
        doc = self._convert(raw, GroupDoc, place)
        if doc is None:
            return
        own, translations = self._texts({"name": doc.name}, place)
        options = []
        for number, inner in enumerate(doc.options):
            option = self._read_option(inner, DraftPlace(f"{place.text}.options[{number}]"))
            if option is not None:
                options.append(option)
        fields: GroupFields = {"required": doc.required, "least": doc.least, "most": doc.most}
        if "name" in own:
            fields["name"] = own["name"]
        self._draft.groups.append(GroupDraft(place, doc.code, fields, options, translations))

    def _read_option(self, raw: object, place: DraftPlace) -> OptionDraft | None:
        doc = self._convert(raw, OptionDoc, place)
        if doc is None:
            return None
        own, translations = self._texts({"name": doc.name}, place)
        fields: OptionFields = {
            "price_delta": self._price(doc.price, place) or 0,
            "kitchen_name": clean_line(doc.kitchen_name),
            "most": doc.most,
            "is_default": doc.default,
        }
        if "name" in own:
            fields["name"] = own["name"]
        return OptionDraft(place, fields, doc.opens, translations)

    def _convert(self, raw: object, kind: type[Doc], place: DraftPlace) -> Doc | None:
        try:
            return msgspec.convert(raw, kind)
        except msgspec.ValidationError as error:
            self._error(place.error("", "shape_wrong", f"{error}."))
            return None

    def _texts(self, given: dict[str, Text | UnsetType], place: DraftPlace) -> tuple[dict[str, str], Translations]:
        """The fields in the menu's own language, and their translations."""
        own: dict[str, str] = {}
        translations: Translations = {}
        first = self._menu.languages[0]
        for field, text in given.items():
            if isinstance(text, UnsetType):
                continue
            for language, words in (text if isinstance(text, dict) else {first: text}).items():
                clean = clean_line(words) if field == "name" else clean_text(words)
                if language == first:
                    own[field] = clean
                elif language in self._menu.languages:
                    translations.setdefault(language, {})[field] = clean
                else:
                    self._error(place.error(field, "language_unknown", f"The venue's menu is not kept in {language}."))
        if "name" not in own:
            self._error(place.error("name", "name_missing", f"The name in {first} is missing."))
        return own, translations

    def _price(self, value: Number, place: DraftPlace) -> int | None:
        try:
            return from_wire(value, self._menu.currency)
        except ValueError as error:
            self._error(place.error("price", "price_invalid", f"{value} is not a price: {error}."))
            return None

    def _vat(self, value: Number | None, place: DraftPlace) -> int | None:
        try:
            return None if value is None else from_wire(value, "EUR")
        except (ValueError, ArithmeticError):
            self._error(
                place.error("vat", "number_invalid", f"{value} is not a rate. Write the percentage, such as 10.")
            )
            return None

    def _error(self, error: RowError) -> None:
        self._draft.errors.append(error)


def _given(fields: Json) -> Json:
    return {name: value for name, value in fields.items() if value is not UNSET}
