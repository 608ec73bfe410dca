"""Menus from files and into files, as work for a child process: what goes in, what comes out, and what it may use."""

from __future__ import annotations

from typing import Literal

import msgspec

from tablegram.errors import FieldError
from tablegram.restaurant.menu.importing.merging import ImportOutcome, Mode
from tablegram.restaurant.menu.model import Menu
from tablegram.workshop.ports import Job, Limits

Format = Literal["json", "csv", "xlsx"]
Table = Literal["items", "options"]

_MB = 1_048_576
_TOO_MUCH = FieldError(
    "file", "file_too_much_work",
    "This file takes too much work to read. Save it as CSV, or with fewer rows, sheets and styles.",
)  # fmt: skip
_UNREADABLE = FieldError("file", "file_unreadable", "This file cannot be read. Save it again as .xlsx, or as CSV.")


class MenuFile(msgspec.Struct, frozen=True):
    """A file, and the menu that it is for."""

    raw: bytes
    menu: Menu
    mode: Mode


class MenuCopy(msgspec.Struct, frozen=True):
    """A menu, and how it is to be written."""

    menu: Menu
    format: Format
    table: Table


# The largest workbook that is read takes a few seconds.
READ = Job(
    work="tablegram.restaurant.menu.importing.files:read",
    made=ImportOutcome,
    limits=Limits(cpu_s=20, wall_s=60.0, memory_bytes=512 * _MB, answer_bytes=32 * _MB),
    too_much=_TOO_MUCH,
    unreadable=_UNREADABLE,
)
WRITE = Job(
    work="tablegram.restaurant.menu.importing.files:write",
    made=bytes,
    # The library writes each sheet to a file of its own before it packs it.
    limits=Limits(cpu_s=20, wall_s=60.0, memory_bytes=512 * _MB, answer_bytes=32 * _MB, file_bytes=64 * _MB),
    too_much=FieldError("file", "file_too_much_work", "This menu takes too much work to write as a file. Use JSON."),
    unreadable=FieldError("file", "file_unwritable", "This menu cannot be written as such a file. Use JSON."),
)
