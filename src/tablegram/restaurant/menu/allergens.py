"""The fourteen allergens that the law of the European Union names, under the codes that the API and files use."""

from __future__ import annotations

from functools import cache

from tablegram.restaurant.menu.words import WORDS
from tablegram.values.folding import fold

# The codes; their names are among the menu's words.
ALLERGENS = (
    "gluten", "crustaceans", "eggs", "fish", "peanuts", "soybeans", "milk", "nuts", "celery", "mustard", "sesame", "sulphites",
    "lupin", "molluscs",
)  # fmt: skip
# What people also write in their tables.
_ALSO = {
    "wheat": "gluten", "bugday": "gluten", "egg": "eggs", "soy": "soybeans", "soya": "soybeans", "dairy": "milk",
    "lactose": "milk", "laktoz": "milk", "nut": "nuts", "kuruyemis": "nuts", "findik": "nuts", "peanut": "peanuts",
    "sulfites": "sulphites", "sulfit": "sulphites", "shellfish": "crustaceans", "kabuklu": "crustaceans",
}  # fmt: skip


def allergen_name(code: str, language: str) -> str:
    return WORDS.of(language)[f"allergen.{code}"]


@cache
def _codes() -> dict[str, str]:
    names = {fold(allergen_name(code, language)): code for code in ALLERGENS for language in WORDS.languages}
    return names | {fold(code): code for code in ALLERGENS} | _ALSO


def allergen(text: str) -> str | None:
    """The code that somebody means, in either language; nothing when it is none of the fourteen."""
    return _codes().get(fold(text.strip()))
