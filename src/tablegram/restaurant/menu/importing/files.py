"""Files that menus come in: which kind one is, and what bringing it in would do."""

from __future__ import annotations

from tablegram.restaurant.menu.importing.documents import read_document
from tablegram.restaurant.menu.importing.merging import Mode, Outcome, merge
from tablegram.restaurant.menu.importing.sheets import read_table
from tablegram.restaurant.menu.importing.workbooks import is_workbook, read_workbook
from tablegram.restaurant.menu.model import Menu


def read_file(raw: bytes, menu: Menu, mode: Mode = "merge") -> Outcome:
    """What a file would make of a menu: JSON by its first bracket, a workbook by its first bytes, else a table.

    Raises `Invalid` on `file` for what is none of them. Nothing is written: `keeping.save` takes the outcome's menu.
    """
    if is_workbook(raw):
        return merge(menu, read_workbook(raw, menu), mode)
    start = raw.removeprefix(b"\xef\xbb\xbf").lstrip()
    draft = read_document(start, menu) if start.startswith(b"{") else read_table(raw, menu)
    return merge(menu, draft, mode)
