"""Several changes in one sentence: each clause is applied in turn to what the ones before it have left.

Only how a sentence is cut, and that each clause does what it says, is found here; what one clause changes, `changes` knows. What
no clause makes a change of is named to the guest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from tablegram.restaurant.lines import DishLine, tidy
from tablegram.restaurant.menu.model import named
from tablegram.restaurant.reading import read
from tablegram.restaurant.reading.dialogue.accounting import Doubt, doubt
from tablegram.restaurant.reading.dialogue.held import HeldChange
from tablegram.restaurant.reading.sentences import places
from tablegram.restaurant.reading.words.lexicon import EXCUSES, FILLERS
from tablegram.restaurant.reading.words.manners import is_polite
from tablegram.restaurant.reading.words.tokens import take_apart
from tablegram.restaurant.reading.words.vocabulary import Vocabulary
from tablegram.values.folding import fold_in_place

# Nobody changes more at once.
MOST_CLAUSES = 6
# Turkish says what is done at the end of a clause, and needs no comma behind it.
_DONE = (
    r"(?:yap(?:in|alim|iver)?|ol(?:sun|sunlar|masin|masinlar)|et|edin|edelim|cikar(?:in|alim|t|tin)?|ekle(?:yin|yelim|r misin\w*)?|koy(?:un|alim)?|sil(?:in|elim)?|dusur(?:un|elim)?"
    r"|indir(?:in|elim)?|kalsin|gelsin|degistir(?:in|elim)?|istemiyoru[mz]|istemem|vazgecti[mk]|artir(?:in)?|arttir(?:in)?|azalt(?:in)?|bosver(?:in)?|iptal(?!\s+e[dt]))"
)
_CUT = re.compile(
    r"\s*[,;\n]+\s*|(?<=[^\W\d]{2})\s*[.!]+\s+|(?<=\d)[.!]+\s+"
    r"|\s+(?=(?:and|then|so|but|also|plus|ve|ama|sonra|(?:onun\s+|onlarin\s+|bunun\s+)?yerine\s+(?:de\s+)?(?:\d|bir|iki|uc|dort)|b[iu]r?\s*de|ayrica)\s)"
    rf"|(?<=\s){_DONE}\b(?P<end>\s+(?:lutfen\s+)?)(?=\w)"
)
_JOINS = re.compile(
    r"^(?:(?:(?:can|could|would|will)\s+(?:i|we|you)(?=\s+(?:please\s+)?(?:change|swap|make|put|add|take|leave|drop|cancel|remove|skip|keep)\b)|and|then|so|but|also|plus|ve|ama|sonra|ayrica|(?:onun\s+|onlarin\s+|bunun\s+)?yerine(?:\s+de)?|please|lutfen|pardon|sorry|instead)[\s,]+)+"
)
# `ayranlar aynı kalsın`, `keep the tea`.
_KEEPS = re.compile(
    r"\b(?:ayni(?:siyla|\s+sekilde)?|aynen|oldugu\s+gibi)\s+(?:kals?in\w*|dursun\w*|kalabilir)|\b(?:stays?|remains?|leave|keep)\b.*\b(?:same|as\s+(?:it|they)\s+(?:is|are|was|were)|as\s+is)\b|^keep\s+the\b|\bgerisi\s+(?:ayni|tamam|dogru)\b|\bthe\s+rest\s+(?:is|stays|can\s+stay)\b"
)
_IT = re.compile(r"^(?:it|them|those|onu|onlari|onlar|bunlari)\s+(?:to\s+be\s+)?")
_SOME_OF = re.compile(
    r"^(?P<number>one|two|three|four|\d{1,2})\s+of\s+(?:them|those|these)\s+(?:(?:should|must|can|could)\s+be\s+|to\s+be\s+|is\s+|are\s+|comes?\s+)?"
)

Step = Callable[[str, tuple[DishLine, ...]], HeldChange | None]


class _Piece(NamedTuple):
    start: int
    end: int


class _Taken(NamedTuple):
    made: HeldChange
    # Words of the clause that say nothing that is known.
    strange: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        return not self.strange and not self.made.questions


def in_turn(said: str, lines: Sequence[DishLine], vocabulary: Vocabulary, step: Step) -> HeldChange | None:
    """What all clauses make of these lines together; nothing where none of them changes anything, or there is but one."""
    shown, folded = fold_in_place(said)
    pieces = list(_pieces(folded))
    if not 2 <= len(pieces) <= MOST_CLAUSES:
        return None
    turn = _Turn(tuple(lines), vocabulary, step)
    place = 0
    while place < len(pieces):
        ends = [end for end in range(place, len(pieces)) if end - place < len(pieces) - 1]
        clauses = [shown[pieces[place].start : pieces[end].end] for end in ends]
        place += turn.take(clauses)
    return turn.settle()


def _pieces(folded: str) -> Iterator[_Piece]:
    start = 0
    for cut in _CUT.finditer(folded):
        end, begins = (cut.start("end"), cut.end("end")) if cut["end"] is not None else cut.span()
        if folded[start:end].strip():
            yield _Piece(start, end)
        start = begins
    if folded[start:].strip():
        yield _Piece(start, len(folded))


class _Turn:
    def __init__(self, lines: tuple[DishLine, ...], vocabulary: Vocabulary, step: Step) -> None:
        self._before = self._now = lines
        self._vocabulary, self._step = vocabulary, step
        self._made = HeldChange(lines)
        self._missed: list[str] = []
        # The dish that was spoken of last: `iyi pişmiş olsun` behind it is about that one.
        self._last = ""
        self._changes = 0
        # Nobody knows what was meant before: what names no dish may be about that.
        self._is_lost = False

    def take(self, clauses: Sequence[str]) -> int:
        """The shortest clause that changes something by itself; how many pieces it has."""
        tried = [self._try(clause) for clause in clauses]
        whole = next((count for count, taken in enumerate(tried) if taken is not None and taken.is_whole), None)
        count = whole if whole is not None else 0
        taken = tried[count] if tried else None
        if taken is not None:
            self._keep(taken)
            return count + 1
        if clauses and not _is_idle(clauses[0]) and not self._keeps(clauses[0]):
            self._missed.append(tidy(_without_joins(clauses[0])))
            if read(clauses[0], self._vocabulary).names_dish:
                self._last, self._is_lost = "", True
        return 1

    def settle(self) -> HeldChange | None:
        if not self._changes or (not self._now and self._missed):
            return None
        made = self._made
        return msgspec.structs.replace(made, lines=self._now, missed=tuple(self._missed), is_accounted=True)

    def _try(self, clause: str) -> _Taken | None:
        said = _without_joins(clause)
        names_dish = read(said, self._vocabulary).names_dish
        if self._is_lost and not names_dish:
            return None
        is_of_last = not names_dish or _SOME_OF.match(fold_in_place(said)[1]) is not None
        about = self._about_last(said) if is_of_last and self._last in self._vocabulary.items else ""
        if about and _counts(said):
            # `sütlaç üç olmasın, iki olsun`: a number alone counts what was spoken of.
            return self._changed(about)
        taken = self._changed(said)
        return taken if taken is not None or not about else self._changed(about)

    def _about_last(self, said: str) -> str:
        shown, folded = fold_in_place(said)
        pointing, some = _IT.match(folded), _SOME_OF.match(folded)
        if some is not None:
            # `one of them with ice cream`.
            return f"{some['number']} {named(self._vocabulary.items[self._last], '')} {shown[some.end() :]}"
        rest = shown[pointing.end() :] if pointing is not None else shown
        return f"{named(self._vocabulary.items[self._last], '')} {rest}"

    def _keeps(self, clause: str) -> bool:
        """Whether it says of dishes that are ordered that they stay as they are."""
        named_dishes = {line.item_id for line in read(clause, self._vocabulary).lines}
        return bool(_KEEPS.search(fold_in_place(clause)[1])) and named_dishes <= {line.item_id for line in self._now}

    def _changed(self, said: str) -> _Taken | None:
        now = self._now
        if now:
            made = self._step(said, now)
        else:
            fresh = read(said, self._vocabulary)
            is_asked = fresh.names_dish and bool(fresh.questions) and not fresh.lines
            made = HeldChange(fresh.lines, fresh.table, fresh.order_type, notes=fresh.notes) if fresh.is_order else None
            made = HeldChange((), questions=fresh.questions, text=said) if is_asked else made
        if made is None or made.missed or (made.questions and (self._made.questions or not _can_be_asked(made))):
            return None
        is_placed = bool(made.table or made.order_type or made.address or made.notes)
        if made.lines == now and not is_placed and not made.questions:
            return None
        shown = " ".join((made.notes, made.table, made.address))
        asked = {one for question in made.questions for one in (question.item_id, *question.candidates)}
        found = doubt(said, now, made.lines, self._vocabulary, shown, asked) if now else Doubt()
        return None if found.things else _Taken(made, found.words)

    def _keep(self, taken: _Taken) -> None:
        made, before = taken.made, self._made
        touched = [line.item_id for line in self._now if line not in made.lines]
        touched += [line.item_id for line in made.lines if line not in self._now]
        self._last, self._is_lost = touched[-1] if touched else self._last, bool(made.questions)
        self._changes += made.lines != self._now or bool(made.questions)
        self._now = made.lines
        self._missed += taken.strange
        self._made = HeldChange(
            made.lines, made.table or before.table, made.order_type or before.order_type, made.address or before.address,
            "; ".join(one for one in (before.notes, made.notes) if one), questions=made.questions or before.questions,
            text=made.text or before.text,
        )  # fmt: skip


def _counts(clause: str) -> bool:
    return any(token.kind == "number" and token.bound != "article" for token in take_apart(places.without(clause)))


def _without_joins(clause: str) -> str:
    shown, folded = fold_in_place(clause)
    joins = _JOINS.match(folded)
    return shown[joins.end() :] if joins is not None else shown


def _can_be_asked(made: HeldChange) -> bool:
    return all(question.can_be_answered for question in made.questions)


def _is_idle(clause: str) -> bool:
    return all(
        token.kind != "word" or token.key in FILLERS or token.key in EXCUSES or is_polite(token.key)
        for token in take_apart(clause)
    ) and not any(token.kind == "number" for token in take_apart(clause))
