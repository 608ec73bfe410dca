"""Words of the page in the guest's language, and which language that is."""

from __future__ import annotations

from functools import cache

from tablegram.restaurant.menu.words import WORDS as DISHES
from tablegram.values.http import languages
from tablegram.values.words import LANGUAGES, Words

__all__ = ["LANGUAGES", "choose_language", "offered", "words"]

_OWN = Words(__file__)


@cache
def _whole(spoken: str) -> dict[str, str]:
    return _OWN.of(spoken) | {key: text for key, text in DISHES.of(spoken).items() if key.startswith("allergen.")}


def words(language: str) -> dict[str, str]:
    """Every word of the page; English where we do not speak the language."""
    return _whole(_OWN.spoken(language))


def offered(menu_languages: list[str]) -> list[str]:
    """What a guest may choose: the menu's languages, and those that the page itself speaks."""
    return list(dict.fromkeys([*menu_languages, *LANGUAGES]))


def choose_language(wish: str | None, accepted: str, menu_languages: list[str]) -> str:
    """What the address says, else what the browser likes best, else the menu's own."""
    return languages.choose_language(wish, accepted, offered(menu_languages), (*menu_languages, "en")[0])
