"""Texts with variables: `{{name|friend}}` is the name, or "friend" where nobody knows it."""

from __future__ import annotations

import re
from collections.abc import Mapping

VARIABLES = ("name", "first_name", "venue", "order", "coupon")
_PLACE = re.compile(r"\{\{\s*([a-z_]+)\s*(?:\|([^{}]*))?\}\}")


def values_of(name: str, *, venue: str = "", order: str = "", coupon: str = "") -> dict[str, str]:
    shown = " ".join(name.split())
    return {"name": shown, "first_name": shown.partition(" ")[0], "venue": venue, "order": order, "coupon": coupon}


def wrong(text: str) -> tuple[str, str] | None:
    """What is wrong with the variables of a text: a code, and what to do."""
    for found in _PLACE.finditer(text):
        if found[1] not in VARIABLES:
            known = ", ".join(f"{{{{{name}}}}}" for name in VARIABLES)
            return "variable_unknown", f"There is no {{{{{found[1]}}}}}. Use {known}."
    rest = _PLACE.sub("", text)
    if "{{" in rest or "}}" in rest:
        return "variable_broken", "Write a variable as {{name}} or {{name|friend}}."
    return None


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text for somebody. Where there is neither a value nor a fallback, the space before it goes as well."""

    def value(found: re.Match[str]) -> str:
        return values.get(found[1], "") or (found[2] or "").strip()

    return re.sub(r"[ \t]+(?=[,.!?]|$)", "", _PLACE.sub(value, text), flags=re.MULTILINE).strip()
