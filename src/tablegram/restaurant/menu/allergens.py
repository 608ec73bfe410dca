"""The fourteen allergens that the law of the European Union names, under the codes that the API and files use."""

from __future__ import annotations

from tablegram.values.folding import fold

# Code, then its name in each language of the product.
ALLERGENS: dict[str, dict[str, str]] = {
    "gluten": {"en": "Gluten", "tr": "Gluten"},
    "crustaceans": {"en": "Crustaceans", "tr": "Kabuklu deniz ürünleri"},
    "eggs": {"en": "Eggs", "tr": "Yumurta"},
    "fish": {"en": "Fish", "tr": "Balık"},
    "peanuts": {"en": "Peanuts", "tr": "Yer fıstığı"},
    "soybeans": {"en": "Soybeans", "tr": "Soya"},
    "milk": {"en": "Milk", "tr": "Süt"},
    "nuts": {"en": "Nuts", "tr": "Sert kabuklu yemişler"},
    "celery": {"en": "Celery", "tr": "Kereviz"},
    "mustard": {"en": "Mustard", "tr": "Hardal"},
    "sesame": {"en": "Sesame", "tr": "Susam"},
    "sulphites": {"en": "Sulphites", "tr": "Sülfit"},
    "lupin": {"en": "Lupin", "tr": "Acı bakla"},
    "molluscs": {"en": "Molluscs", "tr": "Yumuşakçalar"},
}
# What people also write in their tables.
_ALSO = {
    "wheat": "gluten", "bugday": "gluten", "egg": "eggs", "soy": "soybeans", "soya": "soybeans", "dairy": "milk",
    "lactose": "milk", "laktoz": "milk", "nut": "nuts", "kuruyemis": "nuts", "findik": "nuts", "peanut": "peanuts",
    "sulfites": "sulphites", "sulfit": "sulphites", "shellfish": "crustaceans", "kabuklu": "crustaceans",
}  # fmt: skip
_CODES = {fold(name): code for code, names in ALLERGENS.items() for name in (code, *names.values())} | _ALSO


def allergen(text: str) -> str | None:
    """The code that somebody means, in either language; nothing when it is none of the fourteen."""
    return _CODES.get(fold(text.strip()))
