"""Which printer a key belongs to: asked with every poll, and so remembered.

What was changed, here or by another process, is found by one look every few seconds, so that a thousand printers that poll cost
no look-up each. Without that look a key is believed for a few seconds.
"""

from __future__ import annotations

import asyncio
import re
import time

from tablegram.printing.printers.model import Printer, read_printer
from tablegram.printing.store import printers as store
from tablegram.storage.database import Database
from tablegram.values.clock import SECOND_MS, Clock
from tablegram.values.ids import random_base62
from tablegram.values.secrets import SecretBox

# A change that another process made is known after so long.
FRESH_S = 5.0
LOOK_EVERY_S = 2.0
KEEP_S = 300.0
# Longer than a transaction takes and clocks of two machines differ.
LATELY_MS = 60 * SECOND_MS
# Keys that are remembered; more printers than one installation has.
MAX_KNOWN = 20_000
KEY_LENGTH = 32

_KEY = re.compile(rf"[0-9A-Za-z]{{{KEY_LENGTH}}}", re.ASCII)


def new_key() -> str:
    """What a printer proves itself with: it is typed into the printer as a part of its address."""
    return random_base62(KEY_LENGTH)


class Directory:
    def __init__(self, db: Database, box: SecretBox, clock: Clock) -> None:
        self._db = db
        self._box = box
        self._clock = clock
        # By key: when it was looked up, and whose it is.
        self._known: dict[str, tuple[float, Printer]] = {}
        self._looked_s = -FRESH_S

    async def find(self, key: str) -> Printer | None:
        """The printer that has this key; nothing for everybody else."""
        known = self._known.get(key)
        now = time.monotonic()
        # Looked up just now; or some time ago, and whatever has changed since is known.
        fresh_s = KEEP_S if now - self._looked_s < FRESH_S else FRESH_S
        if known is not None and now - known[0] < fresh_s:
            return known[1]
        self._known.pop(key, None)
        if _KEY.fullmatch(key) is None:
            return None
        for hashed in self._box.hashes(key):
            row = await self._db.first(store.BY_KEY, {"b_hash": hashed})
            if row is not None:
                while len(self._known) >= MAX_KNOWN:
                    del self._known[next(iter(self._known))]
                printer = read_printer(row)
                self._known[key] = now, printer
                return printer
        return None

    def forget(self, printer_id: str) -> None:
        """Something about it has changed."""
        self._known = {key: one for key, one in self._known.items() if one[1].id != printer_id}

    async def look(self) -> None:
        """Forget what was changed lately, whoever did it."""
        began_s = time.monotonic()
        rows = await self._db.all(store.CHANGED, {"since": self._clock.now_ms() - LATELY_MS})
        changed = {row["id"] for row in rows}
        if changed:
            self._known = {key: one for key, one in self._known.items() if one[1].id not in changed}
        self._looked_s = began_s

    async def look_forever(self) -> None:
        while True:
            await self.look()
            await asyncio.sleep(LOOK_EVERY_S)
