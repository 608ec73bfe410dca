"""The rolls of the printers that are pictures: the last sheets of each, as the bytes that came."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from tablegram.sandbox.paper.decoder import Dots, Line, Seen, Unknown, decode

# A drawer full; older ones fall behind it.
MOST_SHEETS = 40
MOST_PRINTERS = 50


@dataclass(frozen=True)
class Sheet:
    number: int
    # What came out, from top to bottom.
    seen: list[Seen]
    size: int


@dataclass
class Roll:
    key: str
    name: str
    columns: int
    # The newest first.
    sheets: deque[Sheet] = field(default_factory=lambda: deque(maxlen=MOST_SHEETS))


class Rolls:
    def __init__(self) -> None:
        self._rolls: dict[str, Roll] = {}
        self._numbers = count(1)

    def print(self, key: str, name: str, columns: int, raw: bytes) -> Sheet:
        """One job. Bytes that no printer understands come out as what a printer makes of them: a warning."""
        roll = self._rolls.setdefault(key, Roll(key, name, columns))
        roll.name, roll.columns = name, columns
        try:
            seen = decode(raw)
        except Unknown as problem:
            seen = [Line(f"!! {problem}", bold=True, reverse=True)]
        sheet = Sheet(next(self._numbers), seen, len(raw))
        roll.sheets.appendleft(sheet)
        while len(self._rolls) > MOST_PRINTERS:
            del self._rolls[next(iter(self._rolls))]
        return sheet

    def __iter__(self) -> Iterator[Roll]:
        return iter(sorted(self._rolls.values(), key=lambda roll: roll.name.casefold()))

    def dots(self, number: int, place: int) -> Dots | None:
        """A picture on a sheet."""
        for roll in self._rolls.values():
            for sheet in roll.sheets:
                if sheet.number == number and 0 <= place < len(sheet.seen):
                    found = sheet.seen[place]
                    return found if isinstance(found, Dots) else None
        return None
