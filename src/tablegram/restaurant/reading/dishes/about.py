"""What a text says of the order as a whole: its note, its table, and the kind of order."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tablegram.restaurant.reading.dishes.atoms import Atom, Taken
from tablegram.restaurant.reading.letters.spelling import distance
from tablegram.restaurant.reading.words import lexicon
from tablegram.restaurant.reading.words.phrases import Phrases
from tablegram.restaurant.reading.words.tokens import Token
from tablegram.restaurant.reading.words.vocabulary import Vocabulary

_BEGIN_WAYS = frozenset(phrase[0] for phrase, _ in lexicon.ORDER_TYPES)
_TABLE_BEFORE = lexicon.TABLE_WORDS - lexicon.TABLE_BEHIND
BEGIN_ABOUT = lexicon.NOTE_MARKS | _TABLE_BEFORE | _BEGIN_WAYS
_TABLE_COUNTED = lexicon.TABLE_NUMBERS - {"numarali"}


class About:
    """The tokens of a text, what was taken of them so far, and what they say of the order as a whole."""

    def __init__(self, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
        self._tokens, self._vocabulary = tokens, vocabulary
        self._taken = Taken([], [])
        self._depth = 0
        self._said = [token.key if token.kind == "word" else token.text.lower() for token in tokens]

    def _add(self, atom: Atom, end: int) -> int:
        self._taken.atoms.append(msgspec.structs.replace(atom, is_inside=self._depth > 0) if self._depth else atom)
        return end

    def _text(self, start: int, end: int) -> str:
        return " ".join(token.text for token in self._tokens[start:end])

    def _key(self, place: int) -> str:
        return self._tokens[place].key if 0 <= place < len(self._tokens) else ""

    def _is(self, place: int, kind: str) -> bool:
        return 0 <= place < len(self._tokens) and self._tokens[place].kind == kind

    def _says(self, place: int, phrase: tuple[str, ...]) -> bool:
        return self._said[place] == phrase[0] and tuple(self._said[place : place + len(phrase)]) == phrase

    def _longest(self, phrases: Phrases, place: int) -> int:
        """The words of the longest of these phrases that is said here."""
        likely = phrases.get(self._said[place], ())
        return max((len(phrase) for phrase in likely if self._says(place, phrase)), default=0)

    def _begins(self, place: int) -> bool:
        before = self._tokens[place - 1] if place else None
        return before is None or before.kind != "word" or before.key in lexicon.FILLERS

    def _ends(self, place: int) -> bool:
        rest = next((token for token in self._tokens[place:] if token.key not in lexicon.FILLERS), None)
        return rest is None or rest.kind not in ("word", "number")

    def _read_about_order(self, place: int) -> int:
        """The note for the whole order, the table, the kind of order."""
        token = self._tokens[place]
        if token.kind == "word" and token.key not in BEGIN_ABOUT and not self._is(place + 1, "number"):
            # As most words.
            return 0
        if token.key in lexicon.NOTE_MARKS and self._is(place + 1, "colon"):
            end = place + 2
            while end < len(self._tokens) and "\n" not in self._tokens[end].text and self._tokens[end].key != "":
                end += 1
            self._taken.notes.append(self._text(place + 2, end).replace(" ,", ",").strip())
            return end
        if token.key in _TABLE_BEFORE or self._is_nearly_table(place):
            at = place + 1
            while self._key(at) in lexicon.TABLE_MARKS:
                at += 1
            if seat := self._seat_in_letters(at):
                self._taken.table = seat
                return at + 1
            if self._is(at, "number"):
                self._taken.table = self._tokens[at].key
                # `masa 4 ten` comes from there, and has no ten of anything.
                is_ending = token.key != "table" and self._text(at + 1, at + 2).lower() in lexicon.PLACE_ENDINGS
                return at + 2 if is_ending else at + 1
        if token.kind == "number" and token.bound != "article":
            after = place + 1
            while self._key(after) in (".", "numarali", "nolu", "no", "numara"):
                after += 1
            if self._key(after) in lexicon.TABLE_WORDS:
                return self._read_table(place, after)
            if self._key(place + 1) in _TABLE_COUNTED:
                self._taken.table = token.key
                return place + 2
        for phrase, order_type in lexicon.ORDER_TYPES if self._said[place] in _BEGIN_WAYS else ():
            if self._says(place, phrase) and self._vocabulary.dish_at(self._tokens, place) is None:
                if not (phrase == ("paket",) and self._taken.order_type == "delivery"):
                    self._taken.order_type = order_type
                return place + len(phrase)
        return 0

    def _is_nearly_table(self, place: int) -> bool:
        """`msa 10`, `tabel 4`: misspelt, before a number, and nothing of the menu."""
        key = self._key(place)
        if not self._is(place, "word") or not self._is(place + 1, "number") or not 3 <= len(key) <= 5:
            return False
        is_near = any(key[0] == word[0] and distance(key, word, 2) <= len(word) - 3 for word in ("masa", "table"))
        is_other = key in lexicon.NO_FOOD or key in lexicon.COUNTERS
        return is_near and not is_other and not self._vocabulary.is_known(key)

    def _seat_in_letters(self, place: int) -> str:
        """`masa beşteyiz`: the number of a word with an ending."""
        key = self._key(place) if self._is(place, "word") else ""
        stems = [key.removesuffix(ending) for ending in lexicon.SEAT_ENDINGS if key.endswith(ending)]
        known = {**lexicon.NUMBERS, **lexicon.TENS}
        return next((str(known[stem]) for stem in stems if stem in known), "")

    def _read_table(self, place: int, word: int) -> int:
        """`5. masa` is a table, and so is the first of `5 masa 2 adana`; in `ayran 3 masa 5` it is the last."""
        marked = word + 1
        while self._key(marked) in lexicon.TABLE_MARKS:
            marked += 1
        if marked > word + 1 and self._is(marked, "number"):
            # `ayran:3 masa:4`, `ayran 3 masa no 4`: its number stands behind it.
            return 0
        if word == place + 1 and self._is(word + 1, "number"):
            if self._ends(word + 2):
                return 0
            if not self._begins(place):
                return self._add(Atom("doubt", self._text(place, word + 2)), word + 2)
        self._taken.table = self._tokens[place].key
        return word + 1
