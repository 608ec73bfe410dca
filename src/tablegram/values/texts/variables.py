"""Texts with variables: `{{name|friend}}` is the name, or "friend" where nobody knows it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

_PLACE = re.compile(r"\{\{\s*([a-z_]+)\s*(?:\|([^{}]*))?\}\}")


def named(text: str) -> set[str]:
    """The variables that a text asks for."""
    return {found[1] for found in _PLACE.finditer(text)}


def without(text: str) -> str:
    """The text with a gap for each variable."""
    return _PLACE.sub(" ", text)


def wrong(text: str, known: Collection[str]) -> tuple[str, str] | None:
    """What is wrong with the variables of a text: a code, and what to do."""
    for found in _PLACE.finditer(text):
        if found[1] not in known:
            listed = ", ".join(f"{{{{{name}}}}}" for name in known)
            return "variable_unknown", f"There is no {{{{{found[1]}}}}}. Use {listed}."
    rest = _PLACE.sub("", text)
    if "{{" in rest or "}}" in rest:
        return "variable_broken", "Write a variable as {{name}} or {{name|friend}}."
    return None


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text for somebody. Where there is neither a value nor a fallback, the space before it goes as well."""

    def value(found: re.Match[str]) -> str:
        return values.get(found[1], "") or (found[2] or "").strip()

    return re.sub(r"[ \t]+(?=[,.!?]|$)", "", _PLACE.sub(value, text), flags=re.MULTILINE).strip()


def names(name: str) -> dict[str, str]:
    """What every text may call somebody."""
    shown = " ".join(name.split())
    return {"name": shown, "first_name": shown.partition(" ")[0]}
