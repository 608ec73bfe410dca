"""What people call the two addresses that most of them have, and how they say so."""

from __future__ import annotations

import re
from typing import Literal

from tablegram.values.clock import DAY_MS
from tablegram.values.folding import fold
from tablegram.values.words import Words

Label = Literal["home", "work"]
# As they are folded: without accents and in small letters.
SAID: dict[Label, frozenset[str]] = {
    "home": frozenset({"home", "ev", "evim", "eve", "evime"}),
    "work": frozenset({"work", "is", "isim", "isyeri", "is yeri", "ofis", "office", "ise"}),
}
# So long "home" is the answer to the question, and not the beginning of something else.
ANSWERS_MS = DAY_MS
_ENGLISH = frozenset({"home", "work", "office"})
_WORDS = Words(__file__)
# "Ev: Moda Caddesi 12", "work - Bahariye 3": a label, a sign, and the address itself.
_LABELLED = re.compile(r"\s*([^\W\d]+(?: [^\W\d]+)?)\s*[:=–-]\s*(\S.*)", re.DOTALL)


def name(label: Label, language: str) -> str:
    return _WORDS.of(language)[label]


def read_label(text: str) -> Label | None:
    """The label that a text is, and nothing else."""
    said = fold(text).strip(" .!?*")
    return next((label for label, words in SAID.items() if said in words), None)


def language_of(text: str) -> str:
    return "en" if fold(text).strip(" .!?*") in _ENGLISH else "tr"


def split_label(address: str) -> tuple[str, str]:
    """What an address was called as it was written, in its owner's language, and the address without that."""
    found = _LABELLED.fullmatch(address)
    label = None if found is None else read_label(found[1])
    if found is None or label is None:
        return "", address
    return name(label, language_of(found[1])), found[2].strip()
