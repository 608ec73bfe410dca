"""Names for requests: different in every process, in order within one, and cheap, because every call needs one."""

from __future__ import annotations

import itertools
import secrets
import time


class RequestIds:
    def __init__(self) -> None:
        self._process = f"{time.time_ns() // 1_000_000:x}{secrets.token_hex(5)}"
        self._numbers = itertools.count(1)

    def next(self) -> bytes:
        return f"{self._process}-{next(self._numbers):06x}".encode("ascii")
