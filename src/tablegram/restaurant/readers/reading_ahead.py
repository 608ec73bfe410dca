"""What guests' texts say, read before the transaction that acts on it, so that nobody's commit waits for a reading.

A reading is kept under everything that it depends on: the menu's words, the text, and what the guest was asked before.
A transaction that finds another menu or another question than was there a moment ago finds no reading for them, and
reads for itself; how much work that can be is bounded (`restaurant/reading/effort`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from tablegram.restaurant.dialogues import Dialogue, was_seen
from tablegram.restaurant.readers.rules import Rules
from tablegram.restaurant.reading import Reading, Vocabulary
from tablegram.restaurant.reading.dialogue import joining
from tablegram.restaurant.reading.dialogue.joining import Asked, Joined, can_be_asked
from tablegram.restaurant.reading.sentences import wishes
from tablegram.restaurant.reading.sentences.besides import Beside, besides

# More texts than one batch of callbacks holds.
MAX_KEPT = 1_000
# A longer text is read in a thread, beside whatever else goes on; for a shorter one that costs more than it saves.
LONG_TEXT = 240

Result = TypeVar("Result", Reading, Joined)


class Readings:
    def __init__(self) -> None:
        self._rules = Rules()
        self._readings: dict[tuple[Vocabulary, str], Reading] = {}
        self._joined: dict[tuple[Vocabulary, str, Asked, bool], Joined] = {}
        # How many a transaction had to make for itself.
        self.made_late = 0

    async def read_ahead(
        self, vocabulary: Vocabulary, text: str, dialogue: Dialogue | None = None, written_at: int = 0
    ) -> None:
        """Call before the transaction, with what is there now."""

        def work() -> None:
            heard = self._read(vocabulary, text)
            self.beside(vocabulary, text)
            if dialogue is not None and dialogue.state == "open" and can_be_asked(dialogue.asked):
                self._join(vocabulary, text, dialogue.open, was_seen(dialogue, written_at), heard)

        if len(text) > LONG_TEXT:
            await asyncio.to_thread(work)
        else:
            work()

    def read(self, vocabulary: Vocabulary, text: str) -> Reading:
        """What a text says by itself."""
        self.made_late += (vocabulary, text) not in self._readings
        return self._read(vocabulary, text)

    def beside(self, vocabulary: Vocabulary, text: str) -> Beside | None:
        """What a text orders and what it says besides; nothing where it is not both."""
        for found in besides(text):
            heard = self._read(vocabulary, found.order)
            other = self._read(vocabulary, found.asked) if found.kind == "question" else Reading()
            # Of a dish that is only named besides something may be asked; nothing of it is ordered.
            is_asked = not other.names_dish or wishes.topic_of(found.said) is not None or found.said.endswith("?")
            if heard.is_order and not heard.missed and not heard.tells and is_asked:
                return found
        return None

    def join(self, vocabulary: Vocabulary, text: str, dialogue: Dialogue, heard: Reading, written_at: int) -> Joined:
        """What it makes of the text that the guest was asked about."""
        is_seen = was_seen(dialogue, written_at)
        self.made_late += (vocabulary, text, dialogue.open, is_seen) not in self._joined
        return self._join(vocabulary, text, dialogue.open, is_seen, heard)

    def _read(self, vocabulary: Vocabulary, text: str) -> Reading:
        return _keep(self._readings, (vocabulary, text), lambda: self._rules.hear(text, vocabulary))

    def _join(self, vocabulary: Vocabulary, text: str, asked: Asked, is_seen: bool, heard: Reading) -> Joined:
        key = vocabulary, text, asked, is_seen
        return _keep(self._joined, key, lambda: joining.join(asked, text, vocabulary, heard, is_seen=is_seen))


Key = TypeVar("Key")


def _keep(kept: dict[Key, Result], key: Key, make: Callable[[], Result]) -> Result:
    known = kept.get(key)
    if known is None:
        known = make()
        while len(kept) >= MAX_KEPT:
            kept.pop(next(iter(kept)), None)
        kept[key] = known
    return known
