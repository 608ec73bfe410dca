"""What the texts of a campaign may be filled in with, the links in them, and the way out below them."""

from __future__ import annotations

import re
from collections.abc import Callable

from tablegram.campaigns.model import Language, Plan
from tablegram.errors import Invalid
from tablegram.values.texts.variables import named, without, wrong
from tablegram.values.words import Words

# The name is the contact's own; what the others say is looked up where a text asks for it.
VARIABLES = ("name", "first_name", "points", "last_item")
MAX_LINKS = 9
_LINK = re.compile(r"https?://[^\s<>\"{}|\\^`]+", re.IGNORECASE)
_TAIL = ".,;:!?)]'"

WORDS = Words(__file__)
STOP = "tg:stop"


def asked_for(plan: Plan) -> set[str]:
    """The variables that the texts, or what a template is filled in with, name."""
    return {name for text in _spoken(plan) for name in named(text)}


def check(text: str, field: str) -> None:
    """Only variables that there are, and no brace that is left over."""
    found = wrong(text, VARIABLES)
    if found is not None:
        raise Invalid.field(field, f"campaign_{found[0]}", found[1])


def links_of(plan: Plan) -> list[str]:
    """The addresses in what is sent, each once, in their order."""
    found: dict[str, None] = {}
    for text in _spoken(plan):
        for link in _LINK.finditer(without(text)):
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
