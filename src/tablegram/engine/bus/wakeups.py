"""Whoever is rung for work that another process holds passes it on, so that nobody waits for the next look.

A word names a drain and a lease. Whoever holds the lease looks at once; where nobody is at the key, its drain looks for
keys with work. And whoever gave leases back, its own or those of a dead process, says so: all who wait for one ask again.
"""

from __future__ import annotations

from collections.abc import Callable

from tablegram.engine.bus.port import Bus
from tablegram.engine.timers import Bell

TOPIC = "wake"
# Told the process that somebody has handed leases to.
GIVEN = "given"
# In place of a lease: some are free, and nobody says which.
FREED = ""

# Told the lease that somebody wants to be looked at.
Called = Callable[[str], None]


class Wakeups:
    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._drains: dict[str, Called] = {}
        # Rings when leases were handed to this process.
        self.given = Bell()
        bus.listen(TOPIC, self._heard)

    @property
    def is_alone(self) -> bool:
        return self._bus.is_alone

    def answer(self, drain: str, called: Called) -> None:
        """Have `called` told of what other processes pass on to a drain."""
        self._drains[drain] = called

    def pass_on(self, drain: str, lease: str) -> None:
        """Tell the process that holds the lease, whichever it is."""
        self._bus.tell(TOPIC, f"{drain}\t{lease}")

    def say_given(self, heir: str) -> None:
        """Leases are in the name of another process now."""
        self._bus.tell(GIVEN, heir)

    def hear_given(self, me: str) -> None:
        self._bus.listen(GIVEN, lambda heir: self.given.ring() if heir == me else None)

    def say_freed(self) -> None:
        """Leases of a dead process are free: tell everybody, ourselves included."""
        self._bus.tell(TOPIC, FREED)
        self._heard(FREED)

    async def say_last(self) -> None:
        """Our own leases are free, and we are about to end."""
        await self._bus.tell_last(TOPIC, FREED)

    def _heard(self, word: str) -> None:
        if word == FREED:
            for called in self._drains.values():
                called(FREED)
            return
        drain, _, lease = word.partition("\t")
        known = self._drains.get(drain)
        if known is not None:
            known(lease)
