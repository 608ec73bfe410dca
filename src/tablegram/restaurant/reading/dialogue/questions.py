"""What a guest is asked when their text leaves something open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from tablegram.restaurant.menu.model import Item, Menu, named
from tablegram.restaurant.reading.dishes.pieces import pieces_of
from tablegram.restaurant.reading.words.lexicon import LATER
from tablegram.restaurant.reading.words.tokens import take_apart, words_of
from tablegram.values.words import Words

Kind = Literal[
    "unknown",  # words that are on no menu
    "which_item",  # several dishes may be meant
    "which_option",  # a choice that must be made, or two that exclude each other
    "unknown_option",  # the dish cannot be had that way
    "which_line",  # it is not clear which of the dishes it goes with
    "how_many",
    "changed_mind",  # a dish is denied, exchanged, or depends on something
    "asks",  # the guest wants to know something
    "tells",  # they speak of an earlier order, or of what they must not eat
    "which_place",  # dishes for several places, and nobody can tell which go where
    "not_an_order",
]


class Question(msgspec.Struct, frozen=True):
    """One thing to ask: what about, in the guest's own words, and what the answer may be."""

    kind: Kind
    fragment: str = ""
    item_id: str = ""
    group_id: str = ""
    # Ids of dishes (`which_item`, `unknown`) or of options (`which_option`, `unknown_option`).
    candidates: tuple[str, ...] = ()

    @property
    def can_be_answered(self) -> bool:
        """Whether a short answer settles it. For everything else the whole order has to be written once more."""
        if self.kind in ("which_item", "unknown", "which_option", "which_line"):
            return bool(self.candidates)
        if self.kind == "how_many":
            return bool(self.item_id or self.candidates)
        return self.kind == "unknown_option" and bool(self.item_id)

    @property
    def is_yes_or_no(self) -> bool:
        return self.kind == "unknown_option" or (len(self.candidates) == 1 and self.kind in _LISTED)

    @property
    def is_beside_or_alone(self) -> bool:
        """Whether it is about something that may go with a dish, or be one."""
        return self.kind == "which_line" and len(self.candidates) == 2 and self.item_id == self.candidates[0]

    @property
    def listed(self) -> tuple[str, ...]:
        """What the guest may choose from by its number."""
        return self.candidates if self.kind in _LISTED and len(self.candidates) > 1 else ()


_LISTED = ("which_item", "unknown", "which_option", "which_line")
_WORDS = Words(__file__)
_MOST_FRAGMENT = 80


def ask(question: Question, menu: Menu, language: str, first: int | None = 1) -> str:
    """The question in words, in the guest's language; English where we have not theirs.

    What they may choose from stands below it, a line each, numbered from `first` on; without numbers where there is none.
    """
    spoken = language.partition("-")[0].lower()
    words = _WORDS.of(language)
    item = menu.items_by_id.get(question.item_id)
    group = menu.groups_by_id.get(question.group_id)
    names = [_name(menu, one, spoken) for one in question.candidates]
    kind = _wording(question, item)
    # An extra of another size is named by itself; the guest's words were about the dish.
    is_stray = question.kind == "unknown_option" and bool(names)
    fragment = names[0] if is_stray else " ".join(question.fragment.split())[:_MOST_FRAGMENT]
    asked = words[kind].format(
        names=", ".join(names),
        fragment=fragment,
        item="" if item is None else named(item, spoken),
        group="" if group is None else named(group, spoken),
        plate="" if item is None else named(item, spoken, "description").rstrip("."),
    )
    if kind == "which_line_side":
        names = [words["beside"].format(name=names[0]), words["alone"]]
    shown = names if question.listed else []
    marks = ["–"] * len(shown) if first is None else [f"{first + place}." for place in range(len(shown))]
    return "\n".join([asked, *(f"{mark} {name}" for mark, name in zip(marks, shown, strict=True))])


def _wording(question: Question, item: Item | None) -> str:
    if question.kind == "how_many":
        counts = [token.value for token in take_apart(question.fragment) if token.kind == "number"]
        if item is not None and any(count % 1 for count in counts):
            return "how_many_whole"
        if item is not None and pieces_of(item) > 1 and max(counts, default=0) > 1:
            return "how_many_plates"
        return "how_many" if item is not None else "how_many_each" if question.candidates else "how_many_of"
    is_time = bool(LATER & set(words_of(question.fragment))) or re.search(r"\d:\d", question.fragment) is not None
    if question.kind == "unknown" and not question.candidates and is_time:
        return "unknown_time"
    if question.kind not in _LISTED or not question.candidates:
        return question.kind
    if question.is_beside_or_alone:
        return "which_line_side"
    return f"{question.kind}_{'list' if question.listed else 'one'}"


def number_all(questions: Sequence[Question]) -> dict[int, tuple[Question, str]]:
    """What each number on the lists of several questions stands for; no number stands for two things."""
    choices = [(question, one) for question in questions for one in question.listed]
    return dict(enumerate(choices, start=1))


def ask_all(questions: Sequence[Question], menu: Menu, language: str, *, numbered: bool = True) -> list[str]:
    """Several questions in words, their lists numbered through, unless no number would be understood."""
    asked, first = [], 1
    for question in questions:
        asked.append(ask(question, menu, language, first if numbered else None))
        first += len(question.listed)
    return asked


def _name(menu: Menu, thing_id: str, language: str) -> str:
    item = menu.items_by_id.get(thing_id)
    if item is not None:
        return named(item, language)
    known = menu.options_by_id.get(thing_id)
    return "" if known is None else named(known[1], language)
