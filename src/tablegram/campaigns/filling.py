"""Texts with variables: `{{name|friend}}` is the name, or "friend" where nobody knows it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from tablegram.campaigns.model import Language, Plan
from tablegram.errors import Invalid
from tablegram.values.words import Words

# The name is the contact's own; what the others say is looked up where a text asks for it.
VARIABLES = ("name", "first_name", "points", "last_item")
MAX_LINKS = 9
_PLACE = re.compile(r"\{\{\s*([a-z_]+)\s*(?:\|([^{}]*))?\}\}")
_LINK = re.compile(r"https?://[^\s<>\"{}|\\^`]+", re.IGNORECASE)
_TAIL = ".,;:!?)]'"

WORDS = Words(__file__)
STOP = "tg:stop"


def values_of(name: str) -> dict[str, str]:
    shown = " ".join(name.split())
    return {"name": shown, "first_name": shown.partition(" ")[0]}


def asked_for(plan: Plan) -> set[str]:
    """The variables that the texts, or what a template is filled in with, name."""
    return {found[1] for text in _spoken(plan) for found in _PLACE.finditer(text)}


def check(text: str, field: str) -> None:
    """Only variables that there are, and no brace that is left over."""
    for found in _PLACE.finditer(text):
        if found[1] not in VARIABLES:
            known = ", ".join(f"{{{{{name}}}}}" for name in VARIABLES)
            raise Invalid.field(field, "campaign_variable_unknown", f"There is no {{{{{found[1]}}}}}. Use {known}.")
    rest = _PLACE.sub("", text)
    if "{{" in rest or "}}" in rest:
        raise Invalid.field(field, "campaign_variable_broken", "Write a variable as {{name}} or {{name|friend}}.")


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text for somebody. Where there is neither a value nor a fallback, the space before it goes as well."""

    def value(found: re.Match[str]) -> str:
        return values.get(found[1], "") or (found[2] or "").strip()

    return re.sub(r"[ \t]+(?=[,.!?]|$)", "", _PLACE.sub(value, text), flags=re.MULTILINE).strip()


def links_of(plan: Plan) -> list[str]:
    """The addresses in what is sent, each once, in their order."""
    found: dict[str, None] = {}
    for text in _spoken(plan):
        for link in _LINK.finditer(_PLACE.sub(" ", text)):
            found.setdefault(_whole(link[0]))
    return list(found)


def shorten(text: str, short: Callable[[str], str | None]) -> str:
    """The text with each address replaced by a short one, where there is one."""

    def replace(found: re.Match[str]) -> str:
        whole = _whole(found[0])
        return (short(whole) or whole) + found[0][len(whole) :]

    return _LINK.sub(replace, text)


def with_way_out(text: str, language: Language) -> str:
    return f"{text}\n\n{WORDS.of(language)['way_out']}"


def _spoken(plan: Plan) -> list[str]:
    """What people wrote of the message, in all its versions."""
    return [text for one in plan.versions for text in one.template_variables] if plan.versions else list(plan.texts)


def _whole(link: str) -> str:
    """Without what ends the sentence that it stands in."""
    return link.rstrip(_TAIL)
