"""Whoever is rung for work that another process holds passes it on, so that nobody waits for the next look.

A word names a drain and a lease. Whoever holds the lease looks at once; where nobody is at the key, its drain looks for
keys with work.
"""

from __future__ import annotations

from collections.abc import Callable

from tablegram.engine.bus.port import Bus

TOPIC = "wake"

# Told the lease that somebody wants to be looked at.
Called = Callable[[str], None]


class Wakeups:
    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._drains: dict[str, Called] = {}
        bus.listen(TOPIC, self._heard)

    def answer(self, drain: str, called: Called) -> None:
        """Have `called` told of what other processes pass on to a drain."""
        self._drains[drain] = called

    def pass_on(self, drain: str, lease: str) -> None:
        """Tell the process that holds the lease, whichever it is."""
        self._bus.tell(TOPIC, f"{drain}\t{lease}")

    def _heard(self, word: str) -> None:
        drain, _, lease = word.partition("\t")
        called = self._drains.get(drain)
        if called is not None:
            called(lease)
