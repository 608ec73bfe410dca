"""What somebody wants besides what they order in the same text: the bill, the waiter, something from people, or to know something.

`2 çay alalım bir de hesap` is two teas and the bill. Only how the text is cut is found here; whether the rest is an order, whoever
knows the menu finds out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal, NamedTuple

from tablegram.restaurant.reading.sentences import places, wishes
from tablegram.restaurant.reading.sentences.requests import call_in
from tablegram.restaurant.reading.words.tokens import take_apart
from tablegram.values.folding import fold_in_place

Kind = Literal["bill", "waiter", "somebody", "question"]
# In a longer text, or one of more clauses, more is said than that.
MAX_BESIDE = 300
_MOST_CUTS = 12

# Where one thing ends and another begins. A mark within a number or behind a short word (`Cad.`) ends nothing.
_CUT = re.compile(
    r"(?<=[^\W\d]{3})\s*[.!?;]+\s+|\s*[,;\n]+\s*|(?<=\d)\s*[.!?]+\s+|\s+(?=(?:b[iu]r?\s*de|bide|ve|ayrica|sonra|and|also|plus|then)\s)"
)
_JOINS = re.compile(r"^(?:(?:b[iu]r?\s*de|bide|ve|ayrica|sonra(?:\s+da)?|and|also|plus|then)\s+)+")
_ASKS = re.compile(
    r"(?:\w+\s+){2}\w+\s*\?|\b(?:m[iu]|m[iu]y[iu][zm]|m[iu]s[iu]n(?:[iu]z)?|m[iu]yd[iu]|var\s*m[iu]|ne(?:dir|ler|rede|rde)?|nasil|kac\w*|hangi\w*|what|whats|what's|how|which|where|when|do\s+you|is\s+(?:it|there|the)|are\s+(?:there|you|the)|does)\b"
)
# Who wants something brought, or done with the order, has asked nothing.
_WANTS = re.compile(
    r"\b(?:al[aı]b\w+|getir\w*|ver(?:ir|ebil|in)\w*|yap(?:ar|abil|in)\w*|gonder\w*|koy(?:ar|un|abil)\w*|ekle\w*|hazirla\w*|ol(?:ur|abilir|sun)|(?:can|could|may)\s+(?:i|we|you)|would\s+like|bring|send|add|make)\b"
)
_KINDLY = re.compile(
    r"(?:(?:and|plus|also)\s+)?an?\s+(?:(?!is\b|are\b|do\b|does\b|it\b|have\b|question)\w+\s+){0,20}\w+\s*\?|[^,.;?]*\b(?:please|pls|lutfen)\s*\?"
)
# `dimi`, behind what somebody takes for true.
_TAG = re.compile(r"\b(?:degil\s*mi|di\s*mi|dimi|demi)\b")
# Somebody has to come; a napkin goes with the order, and so does how a dish is to be.
_SOMEBODY = re.compile(
    r"\b(?:garson\w*|biri(?:si|ni)?\s+(?:gel|gonder|bak|ilgilen)\w*|baka?r\s*mi\w*|bakabilir\s*mi\w*|(?:mama\s+)?sandalye\w*|waiter|waitress|someone|somebody|anyone|(?:high\s*)?chairs?)\b"
)
# It depends on something, or is about what was ordered before.
_OPEN = re.compile(r"\b(?:yoksa|varsa|eger|if|unless|iptal|cancel|olmazsa|yerine|degil|instead|not)\b")


class Beside(NamedTuple):
    """What may be ordered, and what is said besides."""

    order: str
    said: str
    kind: Kind

    @property
    def asked(self) -> str:
        """The words that may name a dish: `fıstık var mı içinde` names no baklava."""
        return wishes.without_contents(self.said) if wishes.topic_of(self.said) == "allergens" else self.said


def besides(text: str) -> Iterator[Beside]:
    """The ways to cut a text in two: the shortest end first, then the shortest beginning, then a piece of the middle."""
    if len(text) > MAX_BESIDE:
        return
    shown, folded = fold_in_place(text.strip())
    cuts = list(_CUT.finditer(folded))
    if not 1 <= len(cuts) <= _MOST_CUTS:
        return
    for cut in reversed(cuts):
        yield from _cut(shown[: cut.start()], shown[cut.end() :])
    for cut in cuts:
        # The mark belongs to what it ends.
        yield from _cut(shown[cut.end() :], shown[: cut.end()])
    for first, second in pairwise(cuts):
        # `2 çay alalım bir de hesap, masa 5`.
        yield from _cut(f"{shown[: first.start()]}, {shown[second.end() :]}", shown[first.end() : second.end()])


def _cut(order: str, said: str) -> Iterator[Beside]:
    """Only a part that counts nothing is said besides, and only what counts something is ordered."""
    shown, folded = fold_in_place(said)
    joins = _JOINS.match(folded)
    said, folded = (shown, folded) if joins is None else (shown[joins.end() :], folded[joins.end() :])
    if _counts(said) or not _counts(order):
        return
    kind = _kind(said, folded)
    if kind is not None:
        # What is taken for true is asked all the same.
        asked = f"{said.strip(' ,;.')}?" if _TAG.search(folded) else said.strip()
        yield Beside(_joined(order), asked, kind)


def _joined(order: str) -> str:
    shown, folded = fold_in_place(order)
    joins = _JOINS.match(folded)
    return (shown if joins is None else shown[joins.end() :]).strip(" ,;\n")


def _kind(said: str, folded: str) -> Kind | None:
    if places.names_one(folded) or _OPEN.search(_TAG.sub(" ", folded)):
        return None
    if _TAG.search(folded):
        return "question"
    if (called := call_in(said)) is not None:
        return called
    if wishes.complains(said) or wishes.is_allergic(said) or wishes.cancels(said) or wishes.books(said):
        return None
    if _KINDLY.fullmatch(folded.strip()):
        # `…, and a large ayran please?` is ordered.
        return None
    if _ASKS.search(folded) and (wishes.topic_of(said) is not None or not _WANTS.search(folded)):
        return "question"
    return "somebody" if _SOMEBODY.search(folded) else None


def _counts(said: str) -> bool:
    return any(token.kind == "number" and token.bound != "article" for token in take_apart(places.without(said)))
