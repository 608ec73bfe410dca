"""Limits that hold for all processes together: what a caller took at one counts at the others a moment later.

Each counts in memory, as if it were alone, and tells the others on the bus what it granted. So a request waits for nobody. A
word that is lost lets somebody have a little more, never less.
"""

from __future__ import annotations

import itertools
import time

from tablegram.engine.bus.port import Alone, Bus
from tablegram.web.limits import Limiter


def share_limits(bus: Bus, name: str, limiter: Limiter) -> None:
    """`name` is the same in all processes, and of plain letters."""
    if type(bus) is Alone:
        return
    topic = f"limit{name}"
    # The bus tells the same word once.
    numbers = itertools.count()

    def hear(word: str) -> None:
        key, taken_ms, _ = word.split(" ")
        limiter.heard(key, int(taken_ms) / 1_000, time.monotonic())

    def tell(key: str, seconds: float) -> None:
        bus.tell(topic, f"{key} {round(seconds * 1_000)} {next(numbers)}")

    bus.listen(topic, hear)
    limiter.share(tell)
