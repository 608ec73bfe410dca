"""Which printer a key belongs to: asked with every poll, and so remembered for a few seconds."""

from __future__ import annotations

import re
import time

from tablegram.printing.printers.model import Printer, read_printer
from tablegram.printing.store import printers as store
from tablegram.storage.database import Database
from tablegram.values.ids import random_base62
from tablegram.values.secrets import SecretBox

# A change that another process made is known after so long.
FRESH_S = 5.0
# Keys that are remembered; more printers than one installation has.
MAX_KNOWN = 20_000
KEY_LENGTH = 32

_KEY = re.compile(rf"[0-9A-Za-z]{{{KEY_LENGTH}}}", re.ASCII)


def new_key() -> str:
    """What a printer proves itself with: it is typed into the printer as a part of its address."""
    return random_base62(KEY_LENGTH)


class Directory:
    def __init__(self, db: Database, box: SecretBox) -> None:
        self._db = db
        self._box = box
        self._known: dict[str, tuple[float, Printer]] = {}

    async def find(self, key: str) -> Printer | None:
        """The printer that has this key; nothing for everybody else."""
        known = self._known.get(key)
        now = time.monotonic()
        if known is not None and known[0] > now:
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
                self._known[key] = now + FRESH_S, printer
                return printer
        return None

    def forget(self, printer_id: str) -> None:
        """Something about it has changed."""
        self._known = {key: one for key, one in self._known.items() if one[1].id != printer_id}
