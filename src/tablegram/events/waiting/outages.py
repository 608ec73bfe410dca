"""An endpoint that takes nothing: who brought it down, and who asks next whether it is back. Pure.

    COMPANION   another event goes right behind the probe, free
    RESTING     nobody goes free until a minute has passed
    PROBE       the probe goes free, and the companion behind it

The probe's own due time is beside all of this: when it has come the probe goes, and spends an attempt.
"""

from __future__ import annotations

import enum

from tablegram.events.waiting.items import Item

SCOUT_EVERY_MS = 60_000


class Turn(enum.Enum):
    COMPANION = enum.auto()
    RESTING = enum.auto()
    PROBE = enum.auto()


class Outage:
    def __init__(self, suspect: Item, now_ms: int) -> None:
        # The event whose failure began it, and whether another one has failed since.
        self._suspect = suspect
        self.is_confirmed = False
        self._companion_is_next = True
        self._scouted_at = now_ms
        # Events that stepped aside only to let a later one of their sender scout, in the order in which they stood.
        self.made_way: list[Item] = []

    def failed(self, item: Item) -> None:
        """Nothing was taken since this went off: another event than the suspect proves that it is the endpoint."""
        self.is_confirmed = self.is_confirmed or item is not self._suspect

    def turn(self, now_ms: int) -> Turn:
        if self._companion_is_next:
            return Turn.COMPANION
        # A clock that was set back must not make the rest longer.
        return Turn.RESTING if 0 <= now_ms - self._scouted_at < SCOUT_EVERY_MS else Turn.PROBE

    def turn_ends_at(self) -> int:
        """From when on somebody goes free, if anybody is there."""
        return 0 if self._companion_is_next else self._scouted_at + SCOUT_EVERY_MS

    def probe_goes(self, now_ms: int) -> None:
        self._scouted_at, self._companion_is_next = now_ms, True

    def companion_goes(self) -> None:
        self._companion_is_next = False

    def nobody_goes(self, now_ms: int) -> None:
        """Nobody was there to ask. Whoever comes later goes behind the probe again, not instead of it."""
        if self._companion_is_next:
            self._companion_is_next, self._scouted_at = False, now_ms - SCOUT_EVERY_MS

    def forget(self, item: Item) -> None:
        """It is not there any more."""
        self.made_way = [other for other in self.made_way if other is not item]
