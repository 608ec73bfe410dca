"""Tables that people save from their programs: which letters, which separator, which column is which.

And the way back: cells that no table program takes for a formula.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping

import msgspec

from tablegram.errors import Invalid
from tablegram.values.folding import words

MAX_BYTES = 10 * 1_048_576
MAX_COLUMNS = 200
# As much of the first row as 200 headings need, many times over.
MAX_HEADINGS = 65_536
_DELIMITERS = (",", ";", "\t", "|")
# A table program takes a cell that begins like this for a formula, and runs it.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
# A table program parts a file where its own country does, whatever we quoted: at a semicolon in Turkey, at a line's end
# after that. What follows is a cell to it.
_CELL_WITHIN = re.compile(r"([;|\t\r\n][\s\"]*)(?=[=+\-@＝＋－＠])")
_QUOTED_WITHIN = re.compile(r"([;|\t\r\n][\s\"]*)'(?=[=+\-@＝＋－＠])")


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


def open_sheet(raw: bytes, fields: Mapping[str, str]) -> Sheet:
    """The table in a file. Raises `Invalid` on `file` when it holds none.

    `fields` is what each heading means, under its folded words; of two columns that mean the same the first counts.
    """
    if len(raw) > MAX_BYTES:
        raise Invalid.field("file", "file_too_large", f"The file may have at most {MAX_BYTES // 1_048_576} MB.")
    text = _decode(raw)
    if not text.strip():
        raise Invalid.field("file", "file_empty", "The file is empty. Save the table as CSV and choose it again.")
    delimiter = _delimiter(text, fields)
    try:
        headings = [cell.strip() for cell in next(csv.reader(io.StringIO(text), delimiter=delimiter), [])]
    except csv.Error as error:
        raise Invalid.field("file", "file_unreadable", f"The table cannot be read: {error}.") from None
    if len(headings) > MAX_COLUMNS or sum(map(len, headings)) > MAX_HEADINGS:
        raise Invalid.field("file", "file_unreadable", f"The table may have at most {MAX_COLUMNS} columns.")
    columns: dict[int, str] = {}
    for number, heading in enumerate(headings):
        field = fields.get(" ".join(words(heading)))
        if field is not None and field not in columns.values():
            columns[number] = field
    return Sheet(text, delimiter, headings, columns)


def harmless(cell: str) -> str:
    """The cell, with a quote in front where it would be taken for a formula."""
    return "'" + cell if cell.lstrip(" ").startswith(_FORMULA) else cell


def harmless_in_csv(cell: str) -> str:
    """The same for a file without cells of its own: also where another separator than ours would begin one."""
    return _CELL_WITHIN.sub(r"\1'", harmless(cell))


def as_typed(cell: str) -> str:
    """A cell of a file as it was meant, without the quotes that `harmless_in_csv` put into it."""
    bare = _QUOTED_WITHIN.sub(r"\1", cell.strip())
    return bare[1:] if bare.startswith("'") and bare[1:].lstrip(" ").startswith(_FORMULA) else bare


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


def _delimiter(text: str, fields: Mapping[str, str]) -> str:
    """The one that parts the first row into the most cells that we know, then into the most cells."""
    first = text.lstrip("\n").partition("\n")[0][:MAX_HEADINGS]

    def worth(delimiter: str) -> tuple[int, int]:
        cells = first.split(delimiter)
        return sum(" ".join(words(cell)) in fields for cell in cells), len(cells)

    return max(_DELIMITERS, key=worth)
