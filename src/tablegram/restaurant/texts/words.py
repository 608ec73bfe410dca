"""What guests and waiters are told: about orders, what is missing in them, what comes after, paying and delivery."""

from __future__ import annotations

from datetime import date

from tablegram.values.figures.writing import day
from tablegram.values.words import Words

WORDS = Words(__file__)
speak = WORDS.of


def on_day(then: date, time: str, language: str) -> str:
    """A time of a day that is not today."""
    return speak(language)["moment"].format(time=time, day=day(WORDS.spoken(language), then))
