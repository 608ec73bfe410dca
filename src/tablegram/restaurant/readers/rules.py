"""The rules as a reader: what they read without a question is read, and everything else is not."""

from __future__ import annotations

from tablegram.restaurant.ports import Read, Wanted
from tablegram.restaurant.reading import Reading, Vocabulary
from tablegram.restaurant.reading.whole import read_whole


class Rules:
    most_tokens = 0
    is_resting = False

    async def read(self, wanted: Wanted) -> Read:
        heard = self.hear(wanted.text, wanted.vocabulary)
        return Read(heard if heard.is_order else None)

    def hear(self, text: str, vocabulary: Vocabulary) -> Reading:
        """Everything that they make of a text, with what has to be asked about it; at once, and within a bounded effort."""
        return read_whole(text, vocabulary)
