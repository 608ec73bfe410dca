"""What a workbook holds, counted before any program reads it.

It is an archive of XML: fifty kilobytes can unpack to twelve million cells, or to styles that take minutes. What is
counted is what reading costs: bytes, cells, texts, and marks of everything else.
"""

from __future__ import annotations

import io
import re
import zipfile
from itertools import islice

from tablegram.errors import Invalid
from tablegram.values.files.spreadsheets import MAX_BYTES

MAX_UNPACKED = 50 * 1_048_576
MAX_PARTS = 500
MOST = {
    # A menu of 2,000 items with 30 columns has 60,000 of each, and ten times as many marks. All of them are five seconds.
    "cells": 150_000,
    "texts": 150_000,
    "marks": 2_000_000,
    # Whatever else a table program keeps beside the cells.
    "styles and other parts": 40_000,
}
_PARTS = "[Content_Types].xml"
_CELL = re.compile(rb"<(?:[^\s<>/:]+:)?c[\s/>]")
_TEXT = re.compile(rb"<(?:[^\s<>/:]+:)?si[\s/>]")
# A mark of a cell's or a text's own: rows, values, runs of letters, and their ends.
_OF_CELLS = re.compile(
    rb"</?(?:[^\s<>/:]+:)?(?:c|v|f|row|is|si|t|r|rPr|rPh|sz|color|rFont|family|scheme|charset|b|i|u|vertAlign|phoneticPr)[\s/>]"
)
_STYLES = b"styleSheet"
# No table program declares anything; who does wants the reader to repeat it a million times.
_DECLARED = (b"<!DOCTYPE", b"<!ENTITY")


def check_archive(raw: bytes) -> None:
    """Raises `Invalid` on `file` for what is no workbook, and for one that is more work than any menu."""
    if len(raw) > MAX_BYTES:
        raise Invalid.field("file", "file_too_large", f"The file may have at most {MAX_BYTES // 1_048_576} MB.")
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            _check_parts(archive)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError):
        raise unreadable() from None


def _check_parts(archive: zipfile.ZipFile) -> None:
    parts = archive.infolist()
    if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_UNPACKED:
        raise Invalid.field(
            "file", "file_too_large", "This workbook unpacks to too much. Save the menu's sheets by themselves."
        )
    if _PARTS not in archive.namelist():
        raise unreadable()
    counts = dict.fromkeys(MOST, 0)
    for part in parts:
        # By what it is and not by its name: any part may be told to be a sheet.
        text = archive.read(part)
        if not text.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
            if text.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00<")):
                # Two bytes a letter would hide what is counted.
                raise unreadable()
            continue
        if b"\x00" in text or any(one in text for one in _DECLARED):
            raise unreadable()
        _add(counts, text)


def _add(counts: dict[str, int], text: bytes) -> None:
    """Count a part, and stop where there is too much of anything."""
    marks = text.count(b"<")
    for what, pattern in (("cells", _CELL), ("texts", _TEXT)):
        counts[what] += _count(pattern, text, MOST[what] - counts[what] + 1)
        _need(counts, what)
    counts["marks"] += marks
    _need(counts, "marks")
    counts["styles and other parts"] += marks if _STYLES in text else marks - _count(_OF_CELLS, text, marks)
    _need(counts, "styles and other parts")


def _count(what: re.Pattern[bytes], text: bytes, most: int) -> int:
    return sum(1 for _ in islice(what.finditer(text), most))


def _need(counts: dict[str, int], what: str) -> None:
    if counts[what] > MOST[what]:
        raise Invalid.field(
            "file", "file_too_much_work",
            f"This workbook has more than {MOST[what]:,} {what}. Save the menu's sheets by themselves, or as CSV.",
        )  # fmt: skip


def unreadable() -> Invalid:
    return Invalid.field("file", "file_unreadable", "This workbook cannot be read. Save it again as .xlsx, or as CSV.")
