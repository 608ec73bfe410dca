"""A draft and the menu that is kept become the new menu; or every fault is told, and there is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from tablegram.restaurant.menu.checks import check_category, check_group, check_item, check_menu
from tablegram.restaurant.menu.importing.drafts import (
    CategoryDraft,
    DraftPlace,
    GroupDraft,
    ItemDraft,
    MenuDraft,
    OptionDraft,
    RowError,
)
from tablegram.restaurant.menu.importing.shelf import Shelf, Thing
from tablegram.restaurant.menu.model import Category, Group, Item, Menu, Option, Translations
from tablegram.values import Json
from tablegram.values.ids import new_id

# `merge` leaves what the file does not name; `replace` takes it away.
Mode = Literal["merge", "replace"]

# More of them tell nobody anything new.
MAX_ERRORS = 200


class ImportOutcome(msgspec.Struct):
    """What an import would do. With errors there is no menu, and nothing may be written."""

    menu: Menu | None
    errors: list[RowError]
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0


def merge(menu: Menu, draft: MenuDraft, mode: Mode = "merge") -> ImportOutcome:
    """The menu as it would be. Things keep their ids where they are recognised: by code, else by name."""
    return _Merge(menu, draft, mode).run()


class _Merge:
    def __init__(self, menu: Menu, draft: MenuDraft, mode: Mode) -> None:
        self._old, self._draft, self._mode = menu, draft, mode
        self._errors = list(draft.errors)
        self._places: dict[str, DraftPlace] = {}
        self._categories = Shelf(menu.categories)
        self._groups = Shelf(menu.groups)
        self._items = Shelf(menu.items)

    def run(self) -> ImportOutcome:
        for category in self._draft.categories:
            self._put_category(category)
        self._put_groups()
        for item in self._draft.items:
            self._put_item(item)
        menu = msgspec.structs.replace(
            self._old, categories=self._categories.all(), items=self._items.all(), groups=self._groups.all()
        )
        if self._mode == "replace":
            menu = self._without_the_rest(menu)
        self._check(menu)
        if self._errors:
            # The first fault of a cell tells what to do; what follows from it would only confuse.
            first = {(one.place, one.field): one for one in reversed(self._errors)}
            kept = [one for one in self._errors if first[one.place, one.field] is one]
            return ImportOutcome(None, sorted(kept, key=_row_of)[:MAX_ERRORS])
        return self._count(menu)

    def _put_category(self, draft: CategoryDraft) -> Category:
        known = self._categories.by_name(draft.name)
        base = known or Category(new_id(), draft.name)
        category = _changed(base, draft.fields, draft.translations)
        self._put(self._categories, category, draft.place)
        return category

    def _put_groups(self) -> None:
        """First all groups, so that options may open those that come later in the file."""
        drafted: list[tuple[GroupDraft, Group]] = []
        for draft in self._draft.groups:
            name = draft.fields.get("name", "")
            known = self._groups.by_code(draft.code) if draft.code else self._groups.by_name(name)
            if known is not None and known.id in self._places:
                self._errors.append(draft.place.error("code", "code_taken", f"{known.code} is in the file twice."))
                continue
            code = draft.code or (known.code if known else self._groups.free_code(name))
            base = known or Group(new_id(), code, name or code, [])
            group = _changed(msgspec.structs.replace(base, code=code), draft.fields, draft.translations)
            self._put(self._groups, group, draft.place)
            drafted.append((draft, group))
        for draft, group in drafted:
            before = Shelf(group.options)
            options = [self._option(one, before) for one in draft.options]
            self._put(self._groups, msgspec.structs.replace(group, options=options), draft.place)

    def _option(self, draft: OptionDraft, before: Shelf[Option]) -> Option:
        name = draft.fields.get("name", "")
        base = before.by_name(name) or Option(new_id(), name)
        fields: Json = {**draft.fields}
        if draft.opens is not None:
            ids = [self._group_id(one, draft.place, "opens") for one in draft.opens]
            fields["opens"] = [one for one in ids if one]
        return _changed(base, fields, draft.translations)

    def _put_item(self, draft: ItemDraft) -> None:
        name = draft.fields.get("name", "")
        known = self._items.by_code(draft.code)
        category = self._categories.by_name(draft.category)
        if not draft.code:
            # The same name in another category, or in one that is yet to come, is another thing.
            place = category.id if category is not None else draft.category
            known = self._items.by_name(name, lambda one: not place or one.category_id == place)
        if known is not None and known.id in self._places:
            self._errors.append(draft.place.error("code", "code_taken", f"{known.code} is in the file twice."))
            return
        if category is None and draft.category:
            category = self._put_category(CategoryDraft(draft.place, draft.category))
        base = known or self._new_item(draft, category)
        if base is None:
            return
        fields: Json = {**draft.fields, "code": draft.code or base.code}
        availability = draft.fields.get("availability")
        if isinstance(availability, dict):
            fields["availability"] = msgspec.structs.replace(base.availability, **availability)
        if category is not None:
            fields["category_id"] = category.id
        if draft.groups is not None:
            ids = [self._group_id(one, draft.place, "option_groups") for one in draft.groups]
            fields["group_ids"] = [one for one in ids if one]
        self._put(self._items, _changed(base, fields, draft.translations), draft.place)

    def _new_item(self, draft: ItemDraft, category: Category | None) -> Item | None:
        """What it begins with; nothing, and why, where the file does not say enough."""
        if category is None:
            self._errors.append(draft.place.error("category", "category_missing", "A new item needs a category."))
            return None
        price, name = draft.fields.get("price"), draft.fields.get("name", "")
        if price is None:
            self._errors.append(draft.place.error("price", "price_missing", "A new item needs a price."))
            return None
        return Item(new_id(), category.id, draft.code or self._items.free_code(name), name, price)

    def _group_id(self, name: str, place: DraftPlace, field: str) -> str | None:
        known = self._groups.by_code(name) or self._groups.by_name(name)
        if known is None:
            self._errors.append(place.error(field, "group_unknown", f"There is no option group {name}."))
            return None
        return known.id

    def _put(self, shelf: Shelf[Thing], thing: Thing, place: DraftPlace) -> None:
        self._places[thing.id] = place
        shelf.put(thing)

    def _without_the_rest(self, menu: Menu) -> Menu:
        """What the file does not name goes, and the rest stands in its order.

        A file without option groups says nothing about them.
        """
        order = {one: number for number, one in enumerate(self._places)}
        categories, items, groups = menu.categories, menu.items, menu.groups
        if self._draft.items:
            items = sorted((one for one in items if one.id in order), key=lambda one: order[one.id])
            full = {one.category_id for one in items}
            categories = [one for one in categories if one.id in order or one.id in full]
        if self._draft.categories:
            categories = sorted(categories, key=lambda one: order.get(one.id, -1))
        if self._draft.groups:
            groups = [one for one in groups if one.id in order]
            left = {one.id for one in groups}
            items = [
                msgspec.structs.replace(one, group_ids=[inner for inner in one.group_ids if inner in left])
                for one in items
            ]
        return msgspec.structs.replace(menu, categories=categories, items=items, groups=groups)

    def _check(self, menu: Menu) -> None:
        for category in menu.categories:
            if category.id in self._places:
                self._errors += self._places[category.id].errors(check_category(category))
        for item in menu.items:
            if item.id in self._places:
                self._errors += self._places[item.id].errors(check_item(item, menu))
        for group in menu.groups:
            if group.id in self._places:
                self._errors += self._places[group.id].errors(check_group(group, menu))
        if not self._errors:
            # What no single row is to blame for: too many in all.
            self._errors += DraftPlace("file").errors(check_menu(menu))

    def _count(self, menu: Menu) -> ImportOutcome:
        outcome = ImportOutcome(menu, [])
        for before, after in ((self._old.items, menu.items), (self._old.groups, menu.groups)):
            was = {one.id: one for one in before}
            will = {one.id: one for one in after}
            outcome.added += len(will.keys() - was.keys())
            outcome.removed += len(was.keys() - will.keys())
            named = [one for one in will.keys() & was.keys() if one in self._places]
            outcome.unchanged += sum(was[one] == will[one] for one in named)
            outcome.changed += sum(was[one] != will[one] for one in named)
        return outcome


def _row_of(error: RowError) -> tuple[str, int]:
    """Row by row, as whoever mends the file goes through it; what has no row stays in its order, before them."""
    return ("", 0) if error.row is None else (error.place.rstrip("0123456789"), error.row)


def _changed(thing: Thing, fields: Mapping[str, object], translations: Translations) -> Thing:
    merged = {language: dict(texts) for language, texts in thing.translations.items()}
    for language, texts in translations.items():
        merged.setdefault(language, {}).update(texts)
    kept = {language: {field: text for field, text in texts.items() if text} for language, texts in merged.items()}
    filled = {language: texts for language, texts in kept.items() if texts}
    return msgspec.structs.replace(thing, **fields, translations=filled)
