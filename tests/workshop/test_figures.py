"""The page about files tells the limits that hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tablegram.crm.importing.checking import CHECK, MAX_ROWS
from tablegram.restaurant.codes.printing import PRINT
from tablegram.restaurant.menu.importing import archives, documents, sheets
from tablegram.restaurant.menu.importing.jobs import READ, WRITE
from tablegram.restaurant.pictures import drawing
from tablegram.restaurant.pictures.model import DRAW, SHRINK
from tablegram.workshop import turns
from tablegram.workshop.ports import Job
from tablegram.workshop.turns import MB

PAGE = (Path(__file__).parent.parent.parent / "docs" / "explanation" / "files.md").read_text()


def test_the_page_about_files_tells_the_limits_that_hold() -> None:
    jobs: dict[str, Job[Any]] = {
        "a photo": DRAW,
        "a photo's smallest size, drawn later": SHRINK,
        "a menu, in or out": READ,
        "a table of contacts": CHECK,
        "codes to print": PRINT,
    }
    rows = [
        f"| {name} | {job.limits.cpu_s} s | {job.limits.wall_s:g} s | {job.limits.memory_bytes // MB} MB | {job.limits.answer_bytes // MB} MB |"
        for name, job in jobs.items()
    ]
    told = [
        *rows,
        f"{drawing.MAX_PIXELS['JPEG'] // 1_000_000} megapixels as JPEG, {drawing.MAX_PIXELS_UNPACKED // 1_000_000} in any",
        f"{drawing.MAX_SCANS} scans, and {drawing.MAX_SCANNED_PIXELS // 1_000_000} megapixels",
        f"{archives.MAX_UNPACKED // MB} MB unpacked, {archives.MAX_PARTS} parts",
        f"{archives.MOST['cells']:,} cells, {archives.MOST['texts']:,} texts, {archives.MOST['styles and other parts']:,} marks",
        f"{documents.MAX_OBJECTS:,} objects",
        f"{sheets.MAX_ROWS:,} rows",
        f"{MAX_ROWS:,} rows",
        f"{turns.MOST_OF_ONE} files and {turns.MOST_BYTES_OF_ONE // MB} MB under way",
        f"{turns.MOST_OF_ALL} and {turns.MOST_BYTES_OF_ALL // MB} MB",
    ]
    plain = " ".join(PAGE.split())
    assert [one for one in told if one not in plain] == []
    assert (READ.limits.cpu_s, READ.limits.wall_s) == (WRITE.limits.cpu_s, WRITE.limits.wall_s)
