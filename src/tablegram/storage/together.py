"""Many rows in one run of a statement, for a database in a file.

Each run of a statement lets other threads have the interpreter, and may wait to get it back. Twenty rows in two runs
therefore cost a busy process much less than in twenty.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any

# Rows are taken in powers of two, so that few different statements are ever prepared.
MOST_ROWS = 64

_TEXT = re.compile(r"'[^']*'")
_PLACE = re.compile(r"\?")
_INSERT = re.compile(r"(INSERT INTO \w+ \([^()]*\) VALUES )\((?:\?(?:, )?)+\)([^?]*)")
_WHERE = re.compile(r"\s+WHERE ")


class Together:
    """A statement in two parts, between which the rows' places go."""

    def __init__(self, before: str, after: str, width: int) -> None:
        self.before = before
        self.after = after
        self._row = f"({', '.join('?' * width)})"
        self._sized: dict[int, str] = {}

    def runs(self, rows: Sequence[tuple[Any, ...]]) -> Iterator[tuple[str, list[Any]]]:
        """Statements with their values, which together stand for all rows."""
        at = 0
        while at < len(rows):
            size = min(1 << ((len(rows) - at).bit_length() - 1), MOST_ROWS)
            yield self.sized(size), list(itertools.chain.from_iterable(rows[at : at + size]))
            at += size

    def sized(self, size: int) -> str:
        sql = self._sized.get(size)
        if sql is None:
            sql = self._sized[size] = f"{self.before}{', '.join([self._row] * size)}{self.after}"
        return sql


def join_rows(sql: str, width: int) -> Together | None:
    """The statement for many rows, each of so many values; nothing where it cannot be told.

    Inserts take their rows as they are. Other statements look for what they need by the values of each row, and so
    must find each row of a table at most once.
    """
    # A question mark inside of a text is no place.
    if not width or not sql.count("?") == _TEXT.sub("", sql).count("?") == width:
        return None
    insert = _INSERT.fullmatch(sql)
    if insert is not None:
        return Together(insert[1], insert[2], width)
    if len(_WHERE.findall(sql)) != 1 or sql.startswith("DELETE"):
        return None
    numbers = itertools.count(1)
    before, after = _WHERE.split(_PLACE.sub(lambda _: f"v.column{next(numbers)}", sql))
    joint = " FROM" if sql.startswith("UPDATE") else ","
    return Together(f"{before}{joint} (VALUES ", f") AS v WHERE {after}", width)
