"""Which part of an answer goes with which question. What may go with two of them goes with none, and is asked again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from tablegram.restaurant.reading.dialogue.questions import Question, number_all
from tablegram.restaurant.reading.dialogue.settled import Pick, Settlement
from tablegram.restaurant.reading.dishes.atoms import Atom
from tablegram.restaurant.reading.words.tokens import words_of
from tablegram.restaurant.reading.words.vocabulary import Vocabulary

# More than this of one dish nobody means.
MOST = 99
_ASKS_DISH = ("which_item", "unknown")
_NAMES_DISH = (*_ASKS_DISH, "which_line")
_THINGS = ("dish", "option", "either", "alone")


class NumberedEntry(msgspec.Struct):
    """A name or an option, with its number."""

    number: Atom | None = None
    dish: Atom | None = None
    options: list[Atom] = []
    others: list[Atom] = []

    @property
    def is_empty(self) -> bool:
        return self.number is None and self.dish is None and not self.options and not self.others


def entries(atoms: Sequence[Atom]) -> list[NumberedEntry]:
    """What stands between two commas, name by name. Numbers stand before the names, or all of them behind."""
    order = [atom for atom in atoms if atom.kind in ("number", *_THINGS)]
    numbers = [atom for atom in order if atom.kind == "number"]
    is_behind = (
        bool(numbers)
        and len(order) == 2 * len(numbers)
        and all((atom.kind == "number") == (place % 2 == 1) for place, atom in enumerate(order))
    )
    found = [NumberedEntry()]
    for atom in atoms:
        last = found[-1]
        if atom.kind == "number" and (is_behind or atom.bound == "post") and last.number is None and not last.is_empty:
            last.number = atom
            found.append(NumberedEntry())
        elif atom.kind == "number":
            found.append(NumberedEntry(number=atom))
        elif atom.kind in ("dish", "either", "alone"):
            if last.dish is not None:
                # Two names with nothing between them may be one dish that we do not have.
                is_run = last.number is None and not is_behind
                found.append(last := NumberedEntry(others=[Atom("unknown", atom.text)] if is_run else []))
            last.dish = atom
        elif atom.kind in ("option", "note"):
            last.options = [*last.options, atom]
        else:
            last.others = [*last.others, atom]
    return [entry for entry in found if not entry.is_empty]


class Matching:
    """Takes the entries of an answer one by one, and keeps what each question got."""

    def __init__(self, asked: Sequence[Question], before: Sequence[Question], vocabulary: Vocabulary) -> None:
        self.questions = [*asked, *(question for question in before if question not in asked)]
        self._asked = asked
        self._vocabulary = vocabulary
        self._numbered = number_all(asked)
        self._picks: dict[Question, list[Pick]] = {}
        # Something of the answer is about a question; something of it was not understood.
        self.touches = False
        self.is_unclear = False
        # A number stands by itself.
        self.takes_numbers = False
        self._is_all = False

    def take(self, entry: NumberedEntry) -> None:
        entry = self._promote(entry)
        for atom in entry.others:
            if atom.kind == "all":
                self._is_all = True
            else:
                self._doubt(touches=atom.kind == "near")
        dish = entry.dish
        if dish is None and not entry.options:
            # A number before something that was not understood is a number of that.
            if all(atom.kind == "all" for atom in entry.others):
                self._take_number(entry.number)
        elif dish is None:
            for atom in entry.options:
                self._take_option(atom, _count(entry.number))
        elif dish.kind == "alone":
            self._take_alone()
        else:
            self._take_dish(entry, dish)

    def _promote(self, entry: NumberedEntry) -> NumberedEntry:
        """A word may name one of the dishes, and an option of another: cheese pide, and a pide with cheese."""
        options = [atom for atom in entry.options if atom.kind == "option" and self._holders(atom)]
        if not options:
            return entry
        ids = {one for atom in options for one in self._holders(atom)}
        rest = [atom for atom in entry.options if atom not in options]
        follows = entry.number is None and any(one.kind in _ASKS_DISH for one in self._picks)
        if entry.dish is not None or follows or len(ids) > 1:
            self._doubt(touches=True)
            return NumberedEntry()
        return NumberedEntry(entry.number, Atom("dish", options[0].text, ids=tuple(ids)), rest, entry.others)

    def _holders(self, atom: Atom) -> list[str]:
        """The dishes to choose from that have every word of it in their names."""
        candidates = [one for question in self.questions if question.kind in _ASKS_DISH for one in question.candidates]
        for word in words_of(atom.text):
            candidates = self._vocabulary.holders(word, candidates)
        return candidates

    def settle(self) -> list[Settlement]:
        """What each question got. Twice the same name is one; two names of which only one is counted are unclear."""
        if self._is_all:
            self._take_all()
        found = []
        for question, picks in self._picks.items():
            only = list(dict.fromkeys(picks))
            counted = [pick for pick in only if pick.quantity is not None]
            if (counted and len(counted) < len(only)) or len({pick.id for pick in only}) < len(only):
                self.is_unclear = True
            found.append(Settlement(question, tuple(only)))
        return found

    def _give(self, question: Question, pick: Pick) -> None:
        self.touches = True
        self._picks.setdefault(question, []).append(pick)

    def _doubt(self, *, touches: bool) -> None:
        self.is_unclear = True
        self.touches = self.touches or touches

    # Numbers.

    def _take_number(self, number: Atom | None) -> None:
        if number is None:
            return
        self.takes_numbers = True
        counted = [question for question in self._asked if question.kind == "how_many"]
        value = int(number.value) if number.value % 1 == 0 else 0
        if number.bound == "place" and value < 0:
            value = len(self._numbered)
        # `iki` by itself may be how many of them.
        is_place = number.bound == "place" or (number.bound == "" and number.text.isdigit() and not counted)
        if is_place and value in self._numbered:
            question, picked = self._numbered[value]
            if number.bound == "place" and len([one for one in self._asked if one.listed]) > 1:
                # The second of which list?
                self._doubt(touches=True)
            elif self._names_another(number, question, picked):
                self._doubt(touches=True)
            else:
                self._give(question, Pick(picked))
        elif number.bound == "part" and self._covers_all(value):
            self._is_all = True
        elif number.bound in ("", "count", "pre") and len(counted) == 1 and counted[0].item_id and not self._numbered:
            self._count(counted[0], value)
        else:
            self._doubt(touches=abs(number.value) <= MOST)

    def _covers_all(self, value: int) -> bool:
        """`ikisi de`, where two dishes are asked about."""
        lines = [question for question in self._asked if question.kind == "which_line"]
        return len(lines) == 1 and len(lines[0].candidates) == value

    def _names_another(self, number: Atom, question: Question, picked: str) -> bool:
        """`2` is the second of a list, unless something else on it is called so: Menu 2."""
        items, options = self._vocabulary.menu.items_by_id, self._vocabulary.menu.options_by_id
        names = {one: items[one].name if one in items else options[one][1].name for one in question.candidates
                 if one in items or one in options}  # fmt: skip
        called = [one for one, name in names.items() if str(int(number.value)) in words_of(name)]
        return number.bound == "" and bool(called) and called != [picked]

    def _count(self, question: Question, value: int) -> None:
        if 1 <= value <= MOST:
            self._give(question, Pick("", value))
        else:
            self._doubt(touches=True)

    # Dishes.

    def _take_dish(self, entry: NumberedEntry, dish: Atom) -> None:
        named = [
            (question, one)
            for question in self.questions
            if question.kind in _NAMES_DISH
            for one in dish.ids
            if one in question.candidates
        ]
        about = [question for question in self.questions if _is_about(question, dish)]
        if len(named) == 1 and not about:
            self._name_dish(entry, *named[0])
        elif about and not named:
            self._say_about(entry, about)
        elif dish.kind == "either" and not named:
            as_option = msgspec.structs.replace(dish, kind="option", ids=dish.part, part=())
            self._take_option(as_option, _count(entry.number))
        else:
            self._doubt(touches=bool(named or about))

    def _name_dish(self, entry: NumberedEntry, question: Question, picked: str) -> None:
        number, count = entry.number, _count(entry.number)
        if number is not None and (number.bound == "place" or (count is None and number.bound != "article")):
            self._doubt(touches=True)
            return
        if question.kind == "which_line":
            if entry.options or count is not None:
                self._doubt(touches=True)
            self._give(question, Pick(picked))
            return
        offered = self._vocabulary.option_ids(picked)
        said = []
        for atom in entry.options:
            if atom.kind == "note" or offered & {*atom.ids, *atom.part}:
                said.append(atom)
            else:
                self._take_option(atom, None)
        self._give(question, Pick(picked, count, tuple(said)))

    def _say_about(self, entry: NumberedEntry, about: Iterable[Question]) -> None:
        """The dish itself is known; its number or its options were asked for."""
        counts = [question for question in about if question.kind == "how_many"]
        count = _count(entry.number)
        if entry.number is not None and entry.number.bound == "part":
            self._doubt(touches=True)
            return
        if counts and entry.number is not None:
            if len(counts) > 1 or count is None:
                self._doubt(touches=True)
            elif counts[0].item_id:
                self._count(counts[0], count)
            elif entry.dish is not None:
                self._give(counts[0], Pick(entry.dish.ids[0], count))
            count = None
        elif not entry.options:
            # They only say the dish once more.
            self._doubt(touches=True)
        choices = [question for question in about if question.kind == "which_option"]
        for atom in entry.options:
            self._take_option(atom, count, choices)

    # Options.

    def _take_option(self, atom: Atom, count: int | None, among: Sequence[Question] | None = None) -> None:
        questions = [one for one in (self.questions if among is None else among) if one.kind == "which_option"]
        fitting = [(question, _hits(question, atom)) for question in questions if _hits(question, atom)]
        if len(fitting) == 1 and len(fitting[0][1]) == 1:
            self._give(fitting[0][0], Pick(fitting[0][1][0], count))
        elif fitting and self._is_all and all(len(hits) == 1 for _, hits in fitting):
            for question, hits in fitting:
                self._give(question, Pick(hits[0]))
        elif not fitting and count is None and self._goes_on(atom):
            return
        else:
            self._doubt(touches=bool(fitting) or self._is_offered(atom))

    def _is_offered(self, atom: Atom) -> bool:
        """Whether it may go with something that was asked about, or says what is not wanted of it."""
        known = {option.id for item_id in self._vocabulary.items for _, option in self._vocabulary.options_of(item_id)}
        if atom.kind == "note":
            candidates = [one for question in self.questions for one in question.candidates]
            return any(self._vocabulary.holders(word, candidates) for word in words_of(atom.text))
        return bool(known & {*atom.ids, *atom.part})

    def _goes_on(self, atom: Atom) -> bool:
        """`kıymalı, soğansız olsun`: more about the only dish that was named."""
        named = [(question, picks) for question, picks in self._picks.items() if question.kind in _ASKS_DISH]
        if len(named) != 1 or len(named[0][1]) != 1:
            return False
        question, (pick,) = named[0]
        offered = self._vocabulary.option_ids(pick.id)
        if atom.kind != "note" and not offered & {*atom.ids, *atom.part}:
            return False
        self._picks[question] = [msgspec.structs.replace(pick, said=(*pick.said, atom))]
        return True

    # Of all, and apart.

    def _take_alone(self) -> None:
        """The fries are a dish of their own."""
        about = [question for question in self._asked if question.is_beside_or_alone]
        if len(about) == 1:
            self._give(about[0], Pick(about[0].candidates[1]))
        else:
            self._doubt(touches=False)

    def _take_all(self) -> None:
        """`ikisi de`, `hepsi kıymalı`: every dish that it may be for, or all of them the same."""
        lines = [
            question for question in self._asked if question.kind == "which_line" and not question.is_beside_or_alone
        ]
        if not self._picks and len(lines) == 1:
            for one in lines[0].candidates:
                self._give(lines[0], Pick(one))
        elif any(len(picks) > 1 for picks in self._picks.values()) or not self._picks:
            self._doubt(touches=False)


def _count(number: Atom | None) -> int | None:
    """How many, where a number says so by itself."""
    if number is None or number.bound in ("article", "place") or number.value % 1 or not 1 <= number.value <= MOST:
        return None
    return int(number.value)


def _is_about(question: Question, dish: Atom) -> bool:
    if question.kind == "how_many":
        return any(one == question.item_id or one in question.candidates for one in dish.ids)
    return question.kind == "which_option" and question.item_id in dish.ids


def _hits(question: Question, atom: Atom) -> list[str]:
    """The options of a question that an atom names, in whole if it can be so."""
    whole = [one for one in atom.ids if one in question.candidates]
    return whole or [one for one in atom.part if one in question.candidates]
