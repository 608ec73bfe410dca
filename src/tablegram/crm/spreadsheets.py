"""Tables that people save from their programs: which letters, which separator, which column is which."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import msgspec

from tablegram.errors import Invalid
from tablegram.values.folding import words

MAX_BYTES = 10 * 1_048_576
MAX_COLUMNS = 200
MAX_CELL = 20_000
_DELIMITERS = (",", ";", "\t", "|")
# The field that each heading means, in both languages of the product; headings are compared as folded words.
HEADINGS: dict[str, tuple[str, ...]] = {
    "phone": (
        "phone", "phone number", "phones", "mobile", "mobile phone", "mobile number", "cell", "gsm", "tel", "number",
        "whatsapp", "telefon", "telefon no", "telefon numarası", "telefon numarasi", "cep", "cep telefonu", "cep no",
        "cep tel", "numara", "gsm no", "tel no",
    ),
    "name": (
        "name", "full name", "contact", "contact name", "customer", "customer name", "display name", "ad", "adı",
        "isim", "ad soyad", "adı soyadı", "ad soyadı", "isim soyisim", "müşteri", "müşteri adı", "kişi",
    ),
    "first_name": ("first name", "given name", "firstname", "ilk ad"),
    "last_name": ("last name", "surname", "family name", "lastname", "soyad", "soyadı", "soyisim"),
    "language": ("language", "lang", "locale", "dil", "dili"),
    "tags": ("tags", "tag", "labels", "label", "groups", "group", "etiket", "etiketler", "etiketi", "grup", "gruplar"),
    "notes": ("notes", "note", "comment", "comments", "not", "notlar", "notu", "açıklama", "yorum"),
    "consent": (
        "consent", "opt in", "optin", "opted in", "permission", "marketing", "izin", "iletişim izni", "onay", "rıza",
        "pazarlama izni", "ileti izni",
    ),
}  # fmt: skip
_FIELDS = {" ".join(words(heading)): field for field, headings in HEADINGS.items() for heading in headings}


class Sheet(msgspec.Struct):
    """A table that can be read row by row. `columns` tells which field each known column holds."""

    text: str
    delimiter: str
    headings: list[str]
    columns: dict[int, str]

    @property
    def ignored(self) -> list[str]:
        """Headings that mean nothing to us."""
        return [name for number, name in enumerate(self.headings) if number not in self.columns and name]

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Each row with the number of its line, as a table program counts them, without those that are empty."""
        reader = csv.reader(io.StringIO(self.text), delimiter=self.delimiter)
        try:
            for number, cells in enumerate(reader, start=1):
                if number > 1 and any(cell.strip() for cell in cells):
                    yield number, cells
        except csv.Error as error:
            raise Invalid.field("file", "file_unreadable", f"The table cannot be read: {error}.") from None


def read_sheet(raw: bytes) -> Sheet:
    """The table in a file. Raises `Invalid` on `file` when it holds none, or none with a phone number."""
    if len(raw) > MAX_BYTES:
        raise Invalid.field("file", "file_too_large", f"The file may have at most {MAX_BYTES // 1_048_576} MB.")
    text = _decode(raw)
    if not text.strip():
        raise Invalid.field("file", "file_empty", "The file is empty. Save the table as CSV and choose it again.")
    delimiter = _delimiter(text)
    try:
        headings = [cell.strip() for cell in next(csv.reader(io.StringIO(text), delimiter=delimiter), [])]
    except csv.Error as error:
        raise Invalid.field("file", "file_unreadable", f"The table cannot be read: {error}.") from None
    if len(headings) > MAX_COLUMNS:
        raise Invalid.field("file", "file_unreadable", f"The table may have at most {MAX_COLUMNS} columns.")
    columns: dict[int, str] = {}
    for number, heading in enumerate(headings):
        field = _FIELDS.get(" ".join(words(heading)))
        if field is not None and field not in columns.values():
            columns[number] = field
    if "phone" not in columns.values():
        raise Invalid.field(
            "file", "phone_column_missing", "No column is called phone (or telefon). Name it so in the first row."
        )
    if "last_name" in columns.values() and "first_name" not in columns.values():
        # Two columns "Ad" and "Soyad": the first is not the whole name.
        columns = {number: "first_name" if field == "name" else field for number, field in columns.items()}
    return Sheet(text, delimiter, headings, columns)


def _decode(raw: bytes) -> str:
    """UTF-8 with or without its mark, UTF-16 with one; else what table programs in Turkey write."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _without_nul(raw.decode("utf-16", "replace"))
    if raw[:4] in (b"PK\x03\x04", b"\xd0\xcf\x11\xe0") or b"\x00" in raw[:4_096]:
        raise Invalid.field(
            "file", "file_not_csv", "This is not a CSV file. In your table program choose: save as, CSV (UTF-8)."
        )
    try:
        return _without_nul(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return _without_nul(raw.decode("windows-1254", "replace"))


def _without_nul(text: str) -> str:
    return text.replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n")


def _delimiter(text: str) -> str:
    """The one that parts the first row into the most cells that we know, then into the most cells."""
    first = text.lstrip("\n").partition("\n")[0]

    def worth(delimiter: str) -> tuple[int, int]:
        cells = first.split(delimiter)
        return sum(" ".join(words(cell)) in _FIELDS for cell in cells), len(cells)

    return max(_DELIMITERS, key=worth)
