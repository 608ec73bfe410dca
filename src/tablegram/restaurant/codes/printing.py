"""Codes on paper, as work for a child process: a thousand tables with their letters are seconds of a processor."""

from __future__ import annotations

import msgspec

from tablegram.errors import FieldError
from tablegram.restaurant.codes.code_sheets import Size, Style
from tablegram.workshop.ports import Job, Limits


class Sheets(msgspec.Struct, frozen=True):
    """The label and the link of each table, and how they are laid out."""

    tables: list[tuple[str, str]]
    size: Size
    style: Style


PRINT = Job(
    work="tablegram.restaurant.codes.pdf_paper:print_sheets",
    made=bytes,
    limits=Limits(cpu_s=90, wall_s=180.0, memory_bytes=512 * 1_048_576, answer_bytes=64 * 1_048_576),
    too_much=FieldError(
        "table_ids", "sheet_too_much_work", "These are too many codes for one file. Choose fewer tables."
    ),
    unreadable=FieldError("table_ids", "sheet_unwritable", "These codes cannot be printed. Choose fewer tables."),
)
