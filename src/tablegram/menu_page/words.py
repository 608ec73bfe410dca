"""Words of the page in the guest's language, and which language that is."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from tablegram.restaurant.menu.allergens import ALLERGENS
from tablegram.values.http import languages

_HERE = Path(__file__).parent / "words"
LANGUAGES = ("en", "tr")
# How people call their own language; others are shown by their two letters.
NAMES = {
    "en": "English", "tr": "Türkçe", "de": "Deutsch", "fr": "Français", "es": "Español", "it": "Italiano",
    "ru": "Русский", "ar": "العربية", "fa": "فارسی", "he": "עברית", "nl": "Nederlands", "pl": "Polski", "el": "Ελληνικά",
    "uk": "Українська", "zh": "中文", "ja": "日本語", "ko": "한국어", "pt": "Português", "sv": "Svenska", "az": "Azərbaycanca",
}  # fmt: skip


@cache
def words(language: str) -> dict[str, str]:
    """Every word of the page; English where we do not speak the language."""
    spoken = language if language in LANGUAGES else "en"
    found: dict[str, str] = msgspec.json.decode((_HERE / f"{spoken}.json").read_bytes(), type=dict[str, str])
    names = {f"allergen.{code}": names[spoken] for code, names in ALLERGENS.items()}
    return found | names


def offered(menu_languages: list[str]) -> list[str]:
    """What a guest may choose: the menu's languages, and those that the page itself speaks."""
    return list(dict.fromkeys([*menu_languages, *LANGUAGES]))


def choose_language(wish: str | None, accepted: str, menu_languages: list[str]) -> str:
    """What the address says, else what the browser likes best, else the menu's own."""
    return languages.choose_language(wish, accepted, offered(menu_languages), (*menu_languages, "en")[0])
