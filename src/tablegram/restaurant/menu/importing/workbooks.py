"""Workbooks (.xlsx): their sheets are read like any other table, and a menu is written as two of them.

What it holds is counted before it is read (`archives`). Of formulas the value counts that the table program saw last.
"""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Iterable, Sequence
from typing import Any

from tablegram.errors import Invalid
from tablegram.restaurant.menu.importing.archives import check_archive, unreadable
from tablegram.restaurant.menu.importing.drafts import MenuDraft
from tablegram.restaurant.menu.importing.sheets import MAX_ROWS, items_table, options_table, read_table
from tablegram.restaurant.menu.model import Menu
from tablegram.values.files.spreadsheets import MAX_COLUMNS, harmless
from tablegram.values.money import exponent

MAX_SHEETS = 20
_START = b"PK\x03\x04"


def is_workbook(raw: bytes) -> bool:
    return raw.startswith(_START)


def read_workbook(raw: bytes, menu: Menu) -> MenuDraft:
    """What all sheets with items or options say together. Sheets of other things are passed over."""
    check_archive(raw)
    drafts: list[MenuDraft] = []
    first_fault: Invalid | None = None
    for title, table in _tables(raw, menu):
        try:
            drafts.append(read_table(table, menu, title))
        except Invalid as fault:
            if fault.code not in ("name_column_missing", "file_empty"):
                raise
            first_fault = first_fault or fault
    if not drafts:
        raise first_fault or Invalid.field("file", "file_empty", "The workbook has no sheet with a table.")
    return MenuDraft(
        [one for draft in drafts for one in draft.categories],
        [one for draft in drafts for one in draft.items],
        [one for draft in drafts for one in draft.groups],
        [one for draft in drafts for one in draft.errors],
    )


def _tables(raw: bytes, menu: Menu) -> Iterable[tuple[str, bytes]]:
    """The title of each sheet, and its cells as CSV, which the reader of tables takes."""
    # Loaded with the first workbook: no server's start waits for it.
    import openpyxl

    decimals = exponent(menu.currency)
    try:
        book = openpyxl.load_workbook(io.BytesIO(raw), read_only=True, data_only=True, keep_links=False)
        try:
            found = []
            for sheet in book.worksheets[:MAX_SHEETS]:
                text = io.StringIO()
                # One row more than allowed, so that too many are noticed; headings are a row as well.
                rows = sheet.iter_rows(max_row=MAX_ROWS + 2, max_col=MAX_COLUMNS, values_only=True)
                csv.writer(text).writerows(_row(row, decimals) for row in rows)
                found.append((str(sheet.title), text.getvalue().encode()))
        finally:
            book.close()
    except (Invalid, MemoryError):
        raise
    except Exception:
        # Whatever is wrong inside the archive, the library has as many names for it as the format has corners.
        raise unreadable() from None
    return found


def _row(cells: Sequence[Any], decimals: int) -> list[str]:
    """The cells as people would have typed them, without the empty ones behind the last: gaps between rows are many."""
    filled = [place for place, cell in enumerate(cells, start=1) if cell is not None]
    return [_written(cell, decimals) for cell in cells[: filled[-1]]] if filled else []


def _written(cell: Any, decimals: int) -> str:
    """A cell's value as people would have typed it."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        text = f"{cell:.10f}".rstrip("0").rstrip(".")
        # Three decimals, where a currency has fewer, would be read as thousands; so they are refused as four.
        return text + "0" if len(text.partition(".")[2]) == 3 and decimals < 3 else text
    if isinstance(cell, datetime.time):
        return cell.strftime("%H:%M")
    return str(cell)


def write_workbook(menu: Menu) -> bytes:
    """The whole menu as a workbook with a sheet of items and one of options."""
    import openpyxl

    book = openpyxl.Workbook(write_only=True)
    for title, table in (("Items", items_table(menu)), ("Options", options_table(menu))):
        sheet = book.create_sheet(title)
        price = table[0].index("price")
        sheet.append(table[0])
        for row in table[1:]:
            sheet.append([float(cell) if place == price else harmless(cell) for place, cell in enumerate(row)])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
