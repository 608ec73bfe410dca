"""A menu as tables: one of items, one of options, as people keep them in a table program.

Which of the two a file is, its headings tell. A column that is not there leaves what is kept; a cell that is empty
empties it, but for codes, prices and names.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from typing import cast

from tablegram.errors import Invalid
from tablegram.restaurant.menu.allergens import allergen
from tablegram.restaurant.menu.importing.cells import Row, headings_of, split
from tablegram.restaurant.menu.importing.drafts import (
    DraftPlace,
    GroupDraft,
    GroupFields,
    ItemDraft,
    ItemFields,
    MenuDraft,
    OptionDraft,
    OptionFields,
)
from tablegram.restaurant.menu.importing.spans import write_spans
from tablegram.restaurant.menu.model import Menu, Named
from tablegram.values.files.spreadsheets import harmless_in_csv, open_sheet
from tablegram.values.money import to_wire

MAX_ROWS = 5_000


def read_table(raw: bytes, menu: Menu, name: str = "") -> MenuDraft:
    """What a table of items or of options says, every faulty cell told with its row, and the table's name if it has one."""
    sheet = open_sheet(raw, headings_of(menu.languages))
    found = set(sheet.columns.values())
    if "name" not in found and "option" not in found:
        raise Invalid.field(
            "file", "name_column_missing", "No column is called name (or ürün). Name it so in the first row."
        )
    draft = MenuDraft([], [], [], [])
    rows: list[Row] = []
    for number, cells in sheet.rows():
        if len(rows) == MAX_ROWS:
            raise Invalid.field("file", "too_many_rows", f"A table may have at most {MAX_ROWS:,} rows.")
        values = {field: cells[column] for column, field in sheet.columns.items() if column < len(cells)}
        rows.append(Row(DraftPlace(f"{name} row {number}".strip(), number), values, menu, draft.errors))
    if "option" in found:
        draft.groups = _read_groups(rows)
    else:
        draft.items = [_read_item(row) for row in rows]
    return draft


def _read_item(row: Row) -> ItemDraft:
    fields = cast(ItemFields, row.texts("name", "kitchen_name", "description", "station"))
    if row.needs("name"):
        fields["name"] = row.text("name")
    price = row.price("price")
    if price is not None:
        fields["price"] = price
    if row.has("vat"):
        fields["vat"] = row.rate("vat")
    if row.has("allergens"):
        fields["allergens"] = _allergens(row)
    if row.has("tags"):
        fields["tags"] = split(row.text("tags"))
    if row.has("hidden"):
        fields["is_hidden"] = row.yes("hidden")
    if row.has("available") or row.has("order_types"):
        fields["availability"] = row.availability_parts()
    if not fields.get("station", "x"):
        del fields["station"]
    groups = split(row.text("option_groups")) if row.has("option_groups") else None
    translations = row.translations("name", "description")
    return ItemDraft(row.place, row.text("code"), row.text("category"), fields, groups, translations)


def _allergens(row: Row) -> list[str]:
    found = []
    for name in split(row.text("allergens")):
        code = allergen(name)
        if code is None:
            row.wrong("allergens", "allergen_unknown", f"{name} is none of the 14 allergens.")
        elif code not in found:
            found.append(code)
    return found


def _read_groups(rows: list[Row]) -> list[GroupDraft]:
    """Rows of one group stand anywhere; what they say of the group itself is read from its first one."""
    groups: dict[str, GroupDraft] = {}
    for row in rows:
        key = row.text("group") or row.text("group_name")
        if not key:
            row.wrong("group", "group_missing", "Name the option group that the option belongs to.")
            continue
        if key not in groups:
            groups[key] = _read_group(row, key)
        row.needs("option")
        opens = split(row.text("opens")) if row.has("opens") else None
        translations = row.translations("option", as_field="name")
        groups[key].options.append(OptionDraft(row.place, _option_fields(row), opens, translations))
    return list(groups.values())


def _read_group(row: Row, key: str) -> GroupDraft:
    code = row.text("group") if re.fullmatch(r"[A-Za-z0-9._-]+", row.text("group")) else ""
    fields: GroupFields = {}
    if row.text("group_name") or not code:
        fields["name"] = row.text("group_name") or key
    if row.has("required"):
        fields["required"] = row.yes("required")
    if row.has("least"):
        fields["least"] = row.count("least", 0)
    if row.has("group_most"):
        fields["most"] = row.count("group_most", None)
    return GroupDraft(row.place, code, fields, [], row.translations("group_name", as_field="name"))


def _option_fields(row: Row) -> OptionFields:
    fields: OptionFields = {"name": row.text("option")}
    if row.has("kitchen_name"):
        fields["kitchen_name"] = row.text("kitchen_name")
    if row.has("price"):
        fields["price_delta"] = row.price("price", least=None) or 0
    if row.has("option_most"):
        fields["most"] = row.count("option_most", 1)
    if row.has("default"):
        fields["is_default"] = row.yes("default")
    return fields


def write_items(menu: Menu) -> bytes:
    """The items as a table that `read_table` takes again."""
    return _written(items_table(menu))


def write_options(menu: Menu) -> bytes:
    """The option groups as a table that `read_table` takes again, a row for each option."""
    return _written(options_table(menu))


def items_table(menu: Menu) -> list[list[str]]:
    """Headings, then a row for each item."""
    others = menu.languages[1:]
    head = ["category", "code", "name", "kitchen_name", "description", "price", "station", "allergens", "tags",
            "option_groups", "order_types", "available", "hidden", "vat"]  # fmt: skip
    head += [f"{field}_{language}" for language in others for field in ("name", "description")]
    codes = {group.id: group.code for group in menu.groups}
    rows = []
    for category in menu.categories:
        for item in menu.items_of(category.id):
            rows.append([
                category.name, item.code, item.name, item.kitchen_name, item.description,
                _price(item.price, menu), item.station, ", ".join(item.allergens), ", ".join(item.tags),
                ", ".join(codes[one] for one in item.group_ids), ", ".join(item.availability.order_types),
                write_spans(item.availability.hours), "yes" if item.is_hidden else "",
                "" if item.vat is None else f"{item.vat / 100:g}",
                *_translated(item, others, "name", "description"),
            ])  # fmt: skip
    return [head, *rows]


def options_table(menu: Menu) -> list[list[str]]:
    """Headings, then a row for each option."""
    others = menu.languages[1:]
    head = ["group", "group_name", "required", "least", "group_most", "option", "kitchen_name", "price",
            "option_most", "default", "opens"]  # fmt: skip
    head += [f"{field}_{language}" for language in others for field in ("group_name", "option")]
    codes = {group.id: group.code for group in menu.groups}
    rows = []
    for group in menu.groups:
        for option in group.options:
            rows.append([
                group.code, group.name, "yes" if group.required else "", str(group.least),
                "" if group.most is None else str(group.most), option.name, option.kitchen_name,
                _price(option.price_delta, menu), str(option.most), "yes" if option.is_default else "",
                ", ".join(codes[one] for one in option.opens),
                *(text for language in others for text in (
                    group.translations.get(language, {}).get("name", ""),
                    option.translations.get(language, {}).get("name", ""),
                )),
            ])  # fmt: skip
    return [head, *rows]


def _translated(thing: Named, languages: list[str], *fields: str) -> Iterable[str]:
    return (thing.translations.get(language, {}).get(field, "") for language in languages for field in fields)


def _price(amount: int, menu: Menu) -> str:
    return f"{to_wire(amount, menu.currency):.12g}"


def _written(rows: list[list[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows([harmless_in_csv(cell) for cell in row] for row in rows)
    # The mark at the beginning tells table programs that this is UTF-8.
    return "\ufeff".encode() + text.getvalue().encode()
