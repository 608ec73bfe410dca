"""Cells of a menu's table: what headings mean, and how prices, counts, lists and nods are written."""

from __future__ import annotations

import re

import msgspec

from tablegram.restaurant.menu.importing.drafts import AvailabilityParts, DraftPlace, RowError
from tablegram.restaurant.menu.importing.spans import read_spans
from tablegram.restaurant.menu.model import (
    ORDER_TYPES,
    Menu,
    OrderType,
    Translations,
    clean_line,
    clean_text,
)
from tablegram.values.files.spreadsheets import as_typed
from tablegram.values.folding import fold, words
from tablegram.values.money import MAX_AMOUNT, from_writing

# The field that each heading means, in both languages of the product; headings are compared as folded words.
HEADINGS: dict[str, tuple[str, ...]] = {
    "category": ("category", "section", "kategori", "bölüm"),
    "code": ("code", "sku", "plu", "item code", "kod", "ürün kodu", "stok kodu"),
    "name": ("name", "item", "item name", "product", "dish", "ürün", "ürün adı", "ad", "adı", "isim", "yemek"),
    "kitchen_name": ("kitchen name", "short name", "mutfak adı", "kısa ad"),
    "description": ("description", "details", "ingredients", "açıklama", "içindekiler"),
    "price": ("price", "unit price", "amount", "fiyat", "fiyatı", "tutar", "birim fiyat"),
    "station": ("station", "printer", "istasyon", "yazıcı"),
    "vat": ("vat", "vat rate", "tax", "tax rate", "kdv", "kdv oranı"),
    "allergens": ("allergens", "allergen", "alerjenler", "alerjen"),
    "tags": ("tags", "tag", "labels", "etiketler", "etiket"),
    "option_groups": ("option groups", "options", "modifiers", "seçenek grupları", "seçenekler"),
    "order_types": ("order types", "order type", "sipariş türleri", "sipariş türü"),
    "available": ("available", "availability", "hours", "saatler", "servis saatleri"),
    "hidden": ("hidden", "gizli"),
    "group": ("group", "group code", "grup", "grup kodu"),
    "group_name": ("group name", "grup adı"),
    "required": ("required", "mandatory", "zorunlu"),
    "least": ("least", "min", "minimum", "en az"),
    "group_most": ("group most", "most", "max", "maximum", "en çok", "en fazla"),
    "option": ("option", "option name", "modifier", "seçenek", "seçenek adı"),
    "option_most": ("option most", "max quantity", "seçenek en çok", "azami adet"),
    "default": ("default", "varsayılan"),
    "opens": ("opens", "opens groups", "açar"),
}
_TRANSLATED = ("name", "description", "group_name", "option")
_YES = {"yes", "y", "true", "1", "x", "evet", "e", "var"}
_NO = {"", "no", "n", "false", "0", "hayir", "h", "yok"}
_ORDER_TYPES: dict[str, OrderType] = {
    **{fold(one.replace("_", " ")): one for one in ORDER_TYPES},
    "masa": "dine_in", "masada": "dine_in", "gel al": "takeaway", "paket": "takeaway", "take away": "takeaway",
    "kurye": "delivery", "eve teslim": "delivery",
}  # fmt: skip


def headings_of(languages: list[str]) -> dict[str, str]:
    """What every heading means in a menu of these languages: `name_en` and `ürün (en)` are the name in English."""
    plain = {" ".join(words(text)): field for field, texts in HEADINGS.items() for text in texts}
    translated = {
        f"{text} {language}": f"{field}_{language}"
        for text, field in plain.items()
        if field in _TRANSLATED
        for language in languages[1:]
    }
    own = {f"{text} {languages[0]}": field for text, field in plain.items() if field in _TRANSLATED}
    return {**translated, **own, **plain}


def split(cell: str) -> list[str]:
    """The parts of a cell, once each, in their order."""
    return list(dict.fromkeys(part for part in (clean_line(one) for one in re.split(r"[,;\n|]", cell)) if part))


class Row(msgspec.Struct):
    """One row of a table. What is wrong with a cell is noted, and reading goes on."""

    place: DraftPlace
    cells: dict[str, str]
    menu: Menu
    errors: list[RowError]

    def has(self, field: str) -> bool:
        return field in self.cells

    def text(self, field: str) -> str:
        clean = clean_text if field.startswith("description") else clean_line
        return clean(as_typed(self.cells.get(field, "")))

    def texts(self, *fields: str) -> dict[str, str]:
        """The cells of those columns that the table has."""
        return {field: self.text(field) for field in fields if self.has(field)}

    def needs(self, field: str) -> bool:
        if not self.text(field):
            self.wrong(field, "blank", "This cell is empty.")
            return False
        return True

    def price(self, field: str, least: int | None = 0) -> int | None:
        """Nothing for an empty cell, and for a wrong one, which is noted."""
        cell = self.text(field)
        if not cell:
            return None
        try:
            amount = from_writing(cell, self.menu.currency)
        except ValueError:
            self.wrong(field, "price_invalid", f"{cell[:40]} is not a price. Write it as 12.50 or 12,50.")
            return None
        if least is not None and not least <= amount <= MAX_AMOUNT:
            self.wrong(field, "price_invalid", "The price is zero or more.")
            return None
        return amount

    def rate(self, field: str) -> int | None:
        """Hundredths of a percent: 10, %10 or 8,5; nothing for an empty cell, and for a wrong one, which is noted."""
        cell = self.text(field).strip("% ")
        if not cell:
            return None
        try:
            return from_writing(cell, "EUR")
        except ValueError:
            self.wrong(field, "number_invalid", f"{cell[:40]} is not a rate. Write the percentage, such as 10.")
            return None

    def count(self, field: str, default: int | None) -> int | None:
        cell = self.text(field)
        if not cell:
            return default
        if re.fullmatch("[0-9]{1,4}", cell) is None:
            self.wrong(field, "number_invalid", f"{cell[:40]} is not a whole number.")
            return default
        return int(cell)

    def yes(self, field: str) -> bool:
        cell = fold(self.text(field))
        if cell not in _YES and cell not in _NO:
            self.wrong(field, "answer_invalid", "Write yes or no.")
        return cell in _YES

    def availability_parts(self) -> AvailabilityParts:
        """What the row says of hours and order types, each only where the table has its column."""
        parts: AvailabilityParts = {}
        if self.has("available"):
            try:
                parts["hours"] = read_spans(self.text("available"))
            except ValueError:
                detail = "Write days and times as: mon-fri 11:00-15:00; sat 10:00-14:00."
                self.wrong("available", "time_invalid", detail)
        if self.has("order_types"):
            found = [_ORDER_TYPES.get(" ".join(words(part))) for part in split(self.text("order_types"))]
            if None in found:
                self.wrong("order_types", "order_type_unknown", f"Order types are {', '.join(ORDER_TYPES)}.")
            parts["order_types"] = [one for one in found if one is not None]
        return parts

    def translations(self, *fields: str, as_field: str = "") -> Translations:
        found: Translations = {}
        for language in self.menu.languages[1:]:
            texts = {
                as_field or field: self.text(f"{field}_{language}")
                for field in fields
                if self.has(f"{field}_{language}")
            }
            if texts:
                found[language] = texts
        return found

    def wrong(self, field: str, code: str, detail: str) -> None:
        self.errors.append(self.place.error(field, code, detail))
