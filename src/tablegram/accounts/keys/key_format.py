"""How an API key is written: `tg_live_` or `tg_test_`, 40 random characters, 6 of checksum.

The checksum tells a mistyped or cut key from an unknown one without asking the store, and lets
scanners recognise a leaked key with certainty. It is no protection; the 40 characters are.
"""

from __future__ import annotations

import re
import zlib
from typing import Literal

from tablegram.values.ids import base62, random_base62

Mode = Literal["live", "test"]

RANDOM_LENGTH = 40
CHECKSUM_LENGTH = 6

_SHAPE = re.compile(r"tg_(?:live|test)_[0-9A-Za-z]{46}", re.ASCII)


def mint(mode: Mode) -> str:
    """A new key. It is shown once and never stored."""
    body = f"tg_{mode}_{random_base62(RANDOM_LENGTH)}"
    return body + _checksum(body)


def looks_valid(token: str) -> bool:
    """Whether the text has the form of a key and its checksum fits."""
    if _SHAPE.fullmatch(token) is None:
        return False
    return _checksum(token[:-CHECKSUM_LENGTH]) == token[-CHECKSUM_LENGTH:]


def _checksum(body: str) -> str:
    return base62(zlib.crc32(body.encode("ascii")), CHECKSUM_LENGTH)
