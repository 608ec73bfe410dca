"""The words of the paper, in the languages of kitchens and guests."""

from __future__ import annotations

from tablegram.values.words import Words

WORDS = Words(__file__)


def word(key: str, language: str, **values: object) -> str:
    text = WORDS.of(language)[key]
    return text.format(**values) if values else text


def station_name(station: str, language: str) -> str:
    """Two stations have names of ours; the others are called what somebody called them."""
    return WORDS.of(language).get(f"station.{station}", station)


def allergen(code: str, language: str) -> str:
    """Its name; what is none of the fourteen is what somebody wrote."""
    return WORDS.of(language).get(f"allergen.{code}", code)
