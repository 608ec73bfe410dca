"""Files that menus come in and go out as: which kind one is, and what bringing it in would do."""

from __future__ import annotations

from collections.abc import Callable

from tablegram.restaurant.menu.importing.documents import read_document
from tablegram.restaurant.menu.importing.jobs import MenuCopy, MenuFile
from tablegram.restaurant.menu.importing.merging import ImportOutcome, Mode, merge
from tablegram.restaurant.menu.importing.sheets import read_table, write_items, write_options
from tablegram.restaurant.menu.importing.workbooks import is_workbook, read_workbook, write_workbook
from tablegram.restaurant.menu.importing.written import write_document
from tablegram.restaurant.menu.model import Menu

_WRITERS: dict[tuple[str, str], Callable[[Menu], bytes]] = {
    ("json", "items"): write_document,
    ("csv", "items"): write_items,
    ("csv", "options"): write_options,
    ("xlsx", "items"): write_workbook,
}


def read(file: MenuFile) -> ImportOutcome:
    """The work of `jobs.READ`."""
    return read_file(file.raw, file.menu, file.mode)


def write(copy: MenuCopy) -> bytes:
    """The work of `jobs.WRITE`. A CSV file holds one table, the others both."""
    return _WRITERS[copy.format, copy.table if copy.format == "csv" else "items"](copy.menu)


def read_file(raw: bytes, menu: Menu, mode: Mode = "merge") -> ImportOutcome:
    """What a file would make of a menu: JSON by its first bracket, a workbook by its first bytes, else a table.

    Raises `Invalid` on `file` for what is none of them. Nothing is written: `keeping.save` takes the outcome's menu.
    """
    if is_workbook(raw):
        return merge(menu, read_workbook(raw, menu), mode)
    start = raw.removeprefix(b"\xef\xbb\xbf").lstrip()
    draft = read_document(start, menu) if start.startswith(b"{") else read_table(raw, menu)
    return merge(menu, draft, mode)
