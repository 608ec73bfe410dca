"""What is likely meant is taken rather than asked about, where the guest sees it before it is cooked."""

from __future__ import annotations

import msgspec

from tablegram.restaurant.reading import Reading, read
from tablegram.restaurant.reading.dialogue.questions import Question
from tablegram.restaurant.reading.dialogue.settled import Pick, Settled, Settlement
from tablegram.restaurant.reading.words.lexicon import DENIES_AFTER, REAL_FOOD
from tablegram.restaurant.reading.words.tokens import words_of
from tablegram.restaurant.reading.words.vocabulary import Vocabulary


def likely(text: str, heard: Reading, vocabulary: Vocabulary) -> Reading:
    """`1 kıymalı` where one dish alone is called so, `2 pirzola orta` where one way of cooking is. Rice is a dish of its own, and no rice pudding."""
    asked = heard.questions
    if not may_be_likely(heard):
        return heard
    if any(REAL_FOOD & set(words_of(one.fragment)) and not _denies(one) for one in asked):
        return heard
    settled = Settled(Settlement(one, (Pick(one.candidates[0]),)) for one in asked)
    taken = read(text, vocabulary, settled)
    return msgspec.structs.replace(taken, is_corrected=True) if taken.is_order else heard


def may_be_likely(heard: Reading) -> bool:
    """Whether all that is asked about has one answer that it may be."""
    asked = heard.questions
    return bool(asked) and all(one.kind in ("which_item", "which_option") and len(one.candidates) == 1 for one in asked)


def _denies(question: Question) -> bool:
    """`no garlic` is how a dish is to be, and no dish of its own."""
    return question.kind == "which_option" and not DENIES_AFTER.isdisjoint(words_of(question.fragment))
