"""Words of the page in the guest's language, and which language that is."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from tablegram.restaurant.menu.allergens import ALLERGENS

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
    possible = offered(menu_languages)
    if wish is not None and wish.partition("-")[0].lower() in possible:
        return wish.partition("-")[0].lower()
    liked: list[tuple[float, str]] = []
    for part in accepted[:500].split(","):
        tag, _, weight = part.strip().partition(";q=")
        try:
            liked.append((float(weight or 1), tag.strip().lower()[:2]))
        except ValueError:
            continue
    ranked = [tag for _, tag in sorted(liked, key=lambda one: -one[0])]
    return next((tag for tag in ranked if tag in possible), menu_languages[0] if menu_languages else "en")
