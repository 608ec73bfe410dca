"""Whether the files of a SQLite database are as they were written, as far as that can be seen.

SQLite reads its log up to the first damaged place and forgets what is behind it without a word. So the log is looked at
before anything opens the database. What cannot be seen: a log that is missing altogether, and damage within a page of the
database itself that still looks like a page, because only pages of the log have a checksum.
"""

from __future__ import annotations

import struct
import sys
from array import array
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

_LITTLE, _BIG = 0x377F0682, 0x377F0683
_HEAD, _FRAME = struct.Struct(">8I"), struct.Struct(">6I")
_MOST_FOUND = 5


@dataclass(frozen=True, slots=True)
class Log:
    """What a log holds. `damaged_at` is the byte where reading ends too early; `lost` are transactions behind it."""

    transactions: int
    damaged_at: int | None = None
    lost: int = 0


def read_log(path: Path) -> Log:
    """Go through the log beside a database as SQLite would, and look behind the place where it would stop."""
    try:
        raw = path.with_name(path.name + "-wal").read_bytes()
    except FileNotFoundError:
        return Log(0)
    if len(raw) < _HEAD.size:
        return Log(0)
    magic, _, page_size, _, salt, pepper, *told = _HEAD.unpack_from(raw)
    if magic not in (_LITTLE, _BIG) or page_size not in [2**n for n in range(9, 17)]:
        return Log(0, damaged_at=0)
    sums = _sum(raw[:24], magic, (0, 0))
    if list(sums) != told:
        return Log(0, damaged_at=0)
    transactions, at = 0, _HEAD.size
    step = _FRAME.size + page_size
    while at + step <= len(raw):
        _, committed, *salts, first, second = _FRAME.unpack_from(raw, at)
        if salts != [salt, pepper]:
            # Of an earlier round of the same file: the log ends here, as it should.
            return Log(transactions)
        sums = _sum(raw[at : at + 8] + raw[at + _FRAME.size : at + step], magic, sums)
        if sums != (first, second):
            return Log(transactions, at, _commits(raw, at, step, (salt, pepper)))
        transactions += committed > 0
        at += step
    return Log(transactions)


def _commits(raw: bytes, at: int, step: int, salts: tuple[int, int]) -> int:
    """Transactions of this round that end at or behind a place."""
    frames = (_FRAME.unpack_from(raw, place) for place in range(at, len(raw) - step + 1, step))
    return sum(1 for frame in frames if frame[1] > 0 and frame[2:4] == salts)


def _sum(data: bytes, magic: int, sums: tuple[int, int]) -> tuple[int, int]:
    words = array("I", data)
    if (sys.byteorder == "little") != (magic == _LITTLE):
        words.byteswap()
    first, second = sums
    pairs = iter(words)
    for one, other in zip(pairs, pairs, strict=True):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return first, second


def check_pages(path: Path) -> list[str]:
    """What SQLite itself finds wrong with the pages of the database; nothing when they are sound."""
    import sqlite3

    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)) as connection:
            found = [str(row[0]) for row in connection.execute(f"pragma quick_check({_MOST_FOUND})")]
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return [] if found == ["ok"] else found
