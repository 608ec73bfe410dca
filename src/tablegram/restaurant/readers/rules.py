"""The rules as a reader: what they read without a question is read, and everything else is not."""

from __future__ import annotations

from tablegram.restaurant import reading
from tablegram.restaurant.ports import Read, Wanted


class Rules:
    most_tokens = 0
    is_resting = False

    async def read(self, wanted: Wanted) -> Read:
        heard = reading.read(wanted.text, wanted.vocabulary)
        return Read(heard if heard.is_order else None)
