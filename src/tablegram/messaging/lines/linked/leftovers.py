"""Folders of lines that were deleted. An engine's keys are in them."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from pathlib import Path


def folders(among: Path) -> dict[int, Path]:
    """The folders of lines that lie here, by the line's id."""
    if not among.is_dir():
        return {}
    return {int(one.name): one for one in among.iterdir() if one.name.isascii() and one.name.isdecimal()}


def remove(found: dict[int, Path], deleted: Collection[int]) -> list[int]:
    """Whose folders were removed. What belongs to no line at all stays: the database may be another one today."""
    gone = sorted(found.keys() & set(deleted))
    for line_id in gone:
        shutil.rmtree(found[line_id], ignore_errors=True)
    return gone
