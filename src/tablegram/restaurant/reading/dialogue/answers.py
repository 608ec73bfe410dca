"""What a guest answers to our questions: a name, a number of the list, yes or no, how many; one or several at once.

An answer is read by the words of the questions alone, and every word of it must be accounted for. Whatever else it says
makes it something else: unclear where it touches a question, and otherwise no answer at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from tablegram.restaurant.menu.model import Menu
from tablegram.restaurant.reading.dialogue.matching import Matching, entries
from tablegram.restaurant.reading.dialogue.questions import Question
from tablegram.restaurant.reading.dialogue.settled import Pick, Settlement
from tablegram.restaurant.reading.dishes.atoms import Atom
from tablegram.restaurant.reading.dishes.chunks import cut
from tablegram.restaurant.reading.dishes.taking import take_atoms
from tablegram.restaurant.reading.letters.suffixes import without
from tablegram.restaurant.reading.words import lexicon
from tablegram.restaurant.reading.words.tokens import Token, take_apart
from tablegram.restaurant.reading.words.vocabulary import Vocabulary
from tablegram.values.folding import fold

# Nobody answers in more words.
MAX_ANSWER = 200


class GuestAnswer(msgspec.Struct, frozen=True):
    """`unclear` is about a question and settles none; `refused` is a plain no; `unrelated` is something else."""

    kind: Literal["settles", "unclear", "refused", "dropped", "unrelated"]
    settlements: tuple[Settlement, ...] = ()
    table: str = ""
    order_type: str = ""
    notes: str = ""
    # A number of our list, how many, yes or no: it says nothing to somebody who has not read the question.
    is_sign: bool = False


UNRELATED, UNCLEAR = GuestAnswer("unrelated"), GuestAnswer("unclear")


def understand(
    text: str, asked: Sequence[Question], vocabulary: Vocabulary, before: Sequence[Question] = ()
) -> GuestAnswer:
    """What a text answers to the questions that are open, and to those before them that were answered already."""
    if len(text) > MAX_ANSWER:
        return UNRELATED
    said = fold(text)
    if is_drop(text):
        return GuestAnswer("dropped")
    plain = _agree(said, asked)
    if plain is not None:
        return plain
    return _Reader(text, asked, before, vocabulary).read()


def is_drop(text: str) -> bool:
    """Whether the guest does without all of it, and says nothing else."""
    words = " ".join(re.findall(r"\w+", fold(text)))
    rest = re.sub(rf"\b(?:{'|'.join(lexicon.DROPS)})\b", " ", words)
    return rest != words and all(word in lexicon.FILLERS or word in lexicon.BESIDE_DROPS for word in rest.split())


def _agree(said: str, asked: Sequence[Question]) -> GuestAnswer | None:
    """A plain yes or no; nothing where more is said."""
    words = re.findall(r"\w+|[^\w\s.,!]+", said)
    yes, no = bool(lexicon.YES & set(words)), bool(lexicon.NO & set(words))
    perhaps = bool(lexicon.PERHAPS_YES & set(words))
    about = [question for question in asked if question.is_yes_or_no]
    known = lexicon.YES | lexicon.PERHAPS_YES | lexicon.NO | lexicon.FILLERS
    if not (yes or no or perhaps) or "?" in said or not set(words) <= known:
        return None
    if (
        yes
        and not no
        and len(about) == len(asked)
        and all(question.kind in ("which_item", "unknown") for question in about)
    ):
        # Did they mean this, and did they mean that: yes.
        return GuestAnswer("settles", tuple(Settlement(one, (Pick(one.candidates[0]),)) for one in about), is_sign=True)
    if len(about) != 1 or (yes and no):
        return UNCLEAR if yes or no else UNRELATED
    if no:
        return GuestAnswer("refused", is_sign=True)
    question = about[0]
    picked = Pick() if question.kind == "unknown_option" else Pick(question.candidates[0])
    return GuestAnswer("settles", (Settlement(question, (picked,)),), is_sign=True)


def narrow(menu: Menu, questions: Sequence[Question]) -> Menu:
    """The part of a menu that questions are about."""
    ids = {one for question in questions for one in (question.item_id, *question.candidates)}
    return msgspec.structs.replace(menu, items=[item for item in menu.items if item.id in ids])


class _Reader:
    def __init__(
        self, text: str, asked: Sequence[Question], before: Sequence[Question], vocabulary: Vocabulary
    ) -> None:
        self._asked = asked
        self._whole = vocabulary
        self._own = Vocabulary(narrow(vocabulary.menu, [*asked, *before]))
        self._matching = Matching(asked, before, self._own)
        self._tokens = _strip(take_apart(text))

    def read(self) -> GuestAnswer:
        taken = take_atoms(self._tokens, self._own)
        if any(atom.kind in ("asks", "tells") for atom in taken.atoms):
            # They want to know something first; the question stays open.
            return UNRELATED
        atoms = [self._name(atom) for atom in taken.atoms]
        for chunk in cut(atoms):
            for entry in entries(chunk.atoms):
                self._matching.take(entry)
        found = self._matching.settle()
        is_clear = not self._matching.is_unclear and not self._is_foreign() and not self._is_questioned()
        if not is_clear:
            return UNCLEAR if self._matching.touches else UNRELATED
        if not found and not taken.table and not taken.order_type:
            return UNRELATED
        notes, is_sign = "; ".join(taken.notes), self._matching.takes_numbers
        return GuestAnswer("settles", tuple(found), taken.table, taken.order_type, notes, is_sign)

    def _name(self, atom: Atom) -> Atom:
        """A word that says too little on a whole menu says enough where only a few names have it."""
        if atom.kind not in ("unknown", "dish") or (atom.kind == "dish" and len(atom.ids) == 1):
            return atom
        if atom.key in lexicon.ALONE:
            return msgspec.structs.replace(atom, kind="alone")
        if not atom.key:
            return atom
        candidates = [one for question in self._matching.questions for one in question.candidates]
        holders = self._own.holders(atom.key, candidates)
        if not holders:
            # What may have been meant is only ever asked about.
            return msgspec.structs.replace(atom, kind="near") if self._own.near(atom.key) else atom
        kind = "dish" if holders[0] in self._own.items else "option"
        return msgspec.structs.replace(atom, kind=kind, ids=tuple(holders))

    def _is_foreign(self) -> bool:
        """A word of the menu that none of the questions is about, and that is near to one of theirs only by accident."""
        return any(
            (self._whole.is_known(token.key) and not self._own.is_known(token.key)) or self._is_without(token)
            for token in self._tokens
            if token.kind == "word" and token.key not in lexicon.FILLERS and token.key not in lexicon.COUNTERS
        )

    def _is_without(self, token: Token) -> bool:
        """`ayransız` may take the ayran back that was ordered, which is no note on the pide."""
        stem = without(token.key)
        dish = None if stem is None else self._whole.dish_at([Token("word", stem, token.text)], 0)
        return dish is not None and dish.is_whole and not set(dish.ids) <= self._own.items.keys()

    def _is_questioned(self) -> bool:
        """`kıymalı?` is a question, `kıymalı olur mu?` a polite answer."""
        keys = {token.key for token in self._tokens}
        return "?" in keys and not keys & {"olur", "olurmu", "olabilir", "mumkun", "please", "lutfen", "can", "could"}


_PLACE_ENDING = re.compile(r"(?:i|u)?nc(?:i|u)(?:si|su)?(?:ni|nu)?|st|nd|rd|th")
_PLACE_ENDING_BEHIND_DOT = re.compile(r"(?:si|su)(?:ni|nu)?")


def _strip(tokens: Sequence[Token]) -> list[Token]:
    """Without what only stands around an answer; ordinals become numbers of the list."""
    found: list[Token] = []
    for place, token in enumerate(tokens):
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        if token.kind == "word" and token.key in lexicon.ORDINALS:
            value = lexicon.ORDINALS[token.key]
            found.append(Token("number", "", token.text, value, "place"))
        elif _ends_place(found, token):
            if found[-1].kind == "break":
                found.pop()
            found[-1] = msgspec.structs.replace(found[-1], key="", bound="place")
        elif token.kind == "number" and not token.bound and after is not None and after.key in lexicon.COUNTERS:
            # `2 tane` is never the second of a list.
            found.append(msgspec.structs.replace(token, bound="count"))
        elif not _is_around(token, after) and not _is_pronoun(tokens, place, found):
            found.append(token)
    return found


def _ends_place(found: Sequence[Token], token: Token) -> bool:
    """The ending of `2nd`, `2'nci` and `2.si`."""
    if token.kind != "word" or not found or not token.glued:
        return False
    is_dotted = len(found) > 1 and found[-1].text == "." and found[-2].kind == "number"
    is_ending = _PLACE_ENDING.fullmatch(token.key) or (is_dotted and _PLACE_ENDING_BEHIND_DOT.fullmatch(token.key))
    return bool(is_ending) and (is_dotted or found[-1].kind == "number")


def _is_around(token: Token, after: Token | None) -> bool:
    """`no 2` denies nothing."""
    is_number_mark = token.key == "no" and after is not None and after.kind == "number"
    return token.kind == "word" and (is_number_mark or token.key in lexicon.ANSWER_FILLERS)


def _is_pronoun(tokens: Sequence[Token], place: int, found: Sequence[Token]) -> bool:
    """`the lamb one` is no number; `two lamb one chicken` is."""
    if tokens[place].kind != "number" or fold(tokens[place].text) != "one" or not found:
        return False
    before = found[-1]
    is_named = before.bound == "place" or (before.kind == "word" and before.key not in lexicon.FILLERS)
    behind = next((one for one in tokens[place + 1 :] if one.key not in lexicon.FILLERS), None)
    return is_named and (behind is None or behind.kind != "word")
