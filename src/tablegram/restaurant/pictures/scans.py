"""How much work a JPEG asks for, told from its marks alone.

A picture may come in scans, each of which goes over all of its pixels again. Programs make ten of them; a file of some
kilobytes can have thousands.
"""

from __future__ import annotations

import re

START = b"\xff\xd8"
_SCAN = 0xDA
# Marks that stand alone; all others are followed by their length.
_ALONE = frozenset({0x01, *range(0xD0, 0xDA)})
# Inside a scan a mark's first byte is followed by zero, or stands before a restart.
_NEXT = re.compile(rb"\xff+[^\x00\xff\xd0-\xd7]", re.DOTALL)


def count_scans(raw: bytes, most: int) -> int:
    """The scans of a JPEG, counted up to `most`."""
    place, scans = len(START), 0
    while scans < most:
        found = _NEXT.search(raw, place)
        if found is None:
            return scans
        mark, place = raw[found.end() - 1], found.end()
        if mark == _SCAN:
            scans += 1
        if mark not in _ALONE:
            place += max(2, int.from_bytes(raw[place : place + 2], "big"))
    return scans
