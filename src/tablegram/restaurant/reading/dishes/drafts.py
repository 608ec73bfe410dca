"""Lines in the making: a dish with what was said about it, and how its options come out in the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from tablegram.restaurant.lines import Choice, DishLine
from tablegram.restaurant.menu.model import Group
from tablegram.restaurant.reading.dialogue.questions import Question
from tablegram.restaurant.reading.dialogue.settled import NOTHING, Settled, share
from tablegram.restaurant.reading.dishes.atoms import Atom
from tablegram.restaurant.reading.words.tokens import words_of
from tablegram.restaurant.reading.words.vocabulary import Vocabulary


class Piece(msgspec.Struct):
    """So many of a dish in one way: `two of them spicy`."""

    quantity: int
    said: list[Atom]
    # `two of them`, rather than a plain number.
    is_part: bool = False


class DishDraft(msgspec.Struct):
    """One mention of a dish."""

    item_id: str
    text: str
    quantity: int | None = None
    said: list[Atom] = []
    pieces: list[Piece] = []
    # The guest said `more`, or that it is another one.
    is_more: bool = False


def fits(vocabulary: Vocabulary, draft: DishDraft, atom: Atom) -> bool:
    """Whether an option may go with this dish at all. Notes go with everything."""
    return _may_have(vocabulary, draft.item_id, atom)


def _may_have(vocabulary: Vocabulary, item_id: str, atom: Atom) -> bool:
    if atom.kind == "note":
        return True
    offered = vocabulary.option_ids(item_id)
    return not offered.isdisjoint(_options_in(atom)) or not offered.isdisjoint(atom.part)


def offers(vocabulary: Vocabulary, item_id: str, said: Sequence[Atom]) -> bool:
    """Whether a dish has every one of these options, called just so."""
    offered = vocabulary.option_ids(item_id)
    return all(atom.kind == "note" or offered & set(atom.ids) for atom in said)


def owner_of(vocabulary: Vocabulary, said: list[Atom]) -> str | None:
    """The only dish that options can be for, where they name it too: `limonlu soda` is a mineral water, called soda."""
    options = [atom for atom in said if atom.kind == "option"]
    if not options:
        return None
    able = [vocabulary.takers_of((*_options_in(atom), *atom.part)) for atom in options]
    takers = list(able[0].intersection(*able[1:]))
    if len(takers) != 1:
        return None
    is_named = any(vocabulary.holders(word, takers) for atom in options for word in words_of(atom.text))
    return takers[0] if is_named else None


def takers_of(vocabulary: Vocabulary, dishes: Sequence[Atom], atom: Atom) -> list[str]:
    """The dishes that an option may be for; none where one of them is not even known."""
    if any(len(dish.ids) != 1 for dish in dishes):
        return []
    return [dish.ids[0] for dish in dishes if _may_have(vocabulary, dish.ids[0], atom)]


def is_open_for(vocabulary: Vocabulary, draft: DishDraft, atom: Atom) -> bool:
    """Whether it fits, and its group has still room for it."""
    if not fits(vocabulary, draft, atom):
        return False
    if atom.kind == "note":
        return True
    groups = {option.id: group for group, option in vocabulary.options_of(draft.item_id)}
    said = [*draft.said, *(one for piece in draft.pieces for one in piece.said)]
    filled = {groups[one].id for other in said for one in _options_in(other) if one in groups}
    wanted = [groups[one] for one in (*_options_in(atom), *atom.part) if one in groups]
    return any(group.most != 1 or group.id not in filled for group in wanted)


def is_required(vocabulary: Vocabulary, draft: DishDraft, atom: Atom) -> bool:
    """Whether it is something that must be chosen for this dish."""
    named = _options_in(atom)
    return any(group.required for group, option in vocabulary.options_of(draft.item_id) if option.id in named)


def _options_in(atom: Atom) -> tuple[str, ...]:
    """The options an atom names in whole; of `either`, those it may be beside a dish."""
    return atom.part if atom.kind == "either" else (*atom.ids, *atom.kin) if atom.kind == "option" else ()


def finish(
    vocabulary: Vocabulary, draft: DishDraft, settled: Settled = NOTHING
) -> tuple[list[DishLine], list[Question]]:
    """The lines of a draft, and what has to be asked about it."""
    lines: list[DishLine] = []
    questions: list[Question] = []
    shares = _shares(draft, questions, settled)
    for way in [part for one in shares for part in _split(vocabulary, draft, *one, settled)]:
        choices, problems = way.choices, way.problems
        questions.extend(problem for problem in problems if problem not in questions)
        note = ", ".join(dict.fromkeys(atom.text for atom in way.said if atom.kind == "note"))
        if not problems:
            lines.append(DishLine(draft.item_id, way.quantity, choices, note))
    return lines, questions


class _Way(NamedTuple):
    """So many of a dish, what was said of them, and what is chosen by that or has to be asked."""

    quantity: int
    said: list[Atom]
    choices: tuple[Choice, ...]
    problems: list[Question]


def _way(vocabulary: Vocabulary, draft: DishDraft, quantity: int, words: list[Atom], settled: Settled) -> _Way:
    said = _adapt(vocabulary, draft, words)
    return _Way(quantity, said, *_choose(vocabulary, draft, said, settled))


def _split(vocabulary: Vocabulary, draft: DishDraft, quantity: int, words: list[Atom], settled: Settled) -> list[_Way]:
    """The guest may have answered that some of them are to be so, and some otherwise."""
    whole = _way(vocabulary, draft, quantity, words, settled)
    total = None if draft.quantity is None and not draft.pieces else quantity
    for problem in whole.problems:
        picks = settled.picks(problem) if problem.kind == "which_option" else ()
        counts = share(picks, total)
        if counts is not None and all(pick.id in problem.candidates for pick in picks):
            options = [Atom("option", problem.fragment, ids=(pick.id,)) for pick in picks]
            each = zip(counts, options, strict=True)
            return [_way(vocabulary, draft, count, [*words, option], settled) for count, option in each]
    return [whole]


def _adapt(vocabulary: Vocabulary, draft: DishDraft, said: list[Atom]) -> list[Atom]:
    """An option that the dish does not have is still a note, or nothing, where that is all it need be."""
    adapted: list[Atom] = []
    for atom in said:
        if atom.kind == "note" or atom.key not in ("denied", "spare") or fits(vocabulary, draft, atom):
            adapted.append(atom)
        elif atom.key == "denied":
            adapted.append(msgspec.structs.replace(atom, kind="note"))
    return adapted


def _shares(draft: DishDraft, questions: list[Question], settled: Settled) -> list[tuple[int, list[Atom]]]:
    """How many in which way: of four, two spicy, and the other two as they come."""
    if not draft.pieces:
        return [(1 if draft.quantity is None else draft.quantity, draft.said)]
    pieces = _with_rest(draft)
    if not pieces:
        questions.append(Question("how_many", draft.text, draft.item_id))
        return []
    shared = sum(piece.quantity for piece in pieces)
    total = shared if draft.quantity is None else draft.quantity
    # `1 iskender 1 yoğurtsuz` are two, or one and how it is to be.
    is_said_twice = draft.quantity == shared and len(pieces) == 1 and not pieces[0].is_part
    told = settled.count(draft.text) if shared > total or is_said_twice else None
    total = total if told is None else told
    if shared > total or (is_said_twice and told is None):
        questions.append(Question("how_many", draft.text, draft.item_id))
        return []
    shares = [(piece.quantity, [*draft.said, *piece.said]) for piece in pieces]
    return shares if shared == total else [*shares, (total - shared, draft.said)]


def _with_rest(draft: DishDraft) -> list[Piece]:
    """`4 lahmacun, biri acılı gerisi acısız`: as many as are left; nothing where nobody knows how many that is."""
    rest = (draft.quantity or 0) - sum(piece.quantity for piece in draft.pieces if piece.quantity > 0)
    pieces = [Piece(rest, one.said, one.is_part) if one.quantity < 0 else one for one in draft.pieces]
    return pieces if all(piece.quantity > 0 for piece in pieces) else []


def _choose(
    vocabulary: Vocabulary, draft: DishDraft, said: list[Atom], settled: Settled
) -> tuple[tuple[Choice, ...], list[Question]]:
    if not said and not vocabulary.items[draft.item_id].group_ids:
        # Most dishes come in one way.
        return (), []
    if not said:
        # What the venue has chosen beforehand; where that is all, no answer and no word of the guest changes it.
        usual, open_questions = vocabulary.usual.once(
            draft.item_id, lambda: _chosen(vocabulary, DishDraft(draft.item_id, ""), [], NOTHING)
        )
        if not open_questions:
            return usual, []
    return _chosen(vocabulary, draft, said, settled)


def _chosen(
    vocabulary: Vocabulary, draft: DishDraft, said: list[Atom], settled: Settled
) -> tuple[tuple[Choice, ...], list[Question]]:
    offered = vocabulary.option_ids(draft.item_id)
    chosen: dict[str, None] = {}
    several: list[_Several] = []
    questions: list[Question] = []
    for atom in said:
        if atom.kind == "note":
            continue
        named = atom.part if atom.kind == "either" else atom.ids
        whole = [one for one in named if one in offered] or [one for one in atom.kin if one in offered]
        part = [one for one in atom.part if one in offered and one not in whole]
        if len(whole) == 1:
            chosen[whole[0]] = None
        elif whole or part:
            several.append(_Several(atom.text, whole or part, is_part=not whole))
        elif not settled.lets_go(question := Question("unknown_option", atom.text, draft.item_id)):
            questions.append(question)
    _add_defaults(vocabulary, draft, chosen, [one for other in several for one in other.candidates])
    waiting = [one for one in several if not one.take(vocabulary, draft, chosen, settled, questions)]
    if questions:
        return (), questions
    rest = _ask_for_rest(vocabulary, draft, chosen, settled)
    if waiting and not rest:
        # The size is known by now, and with it what can be had.
        for one in waiting:
            one.take(vocabulary, draft, chosen, settled, questions, is_last=True)
        rest = questions or _ask_for_rest(vocabulary, draft, chosen, settled)
    return tuple(Choice(one) for one in chosen), rest


class _Several(msgspec.Struct):
    """Words that several options of a dish may be meant by."""

    text: str
    candidates: list[str]
    is_part: bool

    def take(
        self, vocabulary: Vocabulary, draft: DishDraft, chosen: dict[str, None], settled: Settled,
        questions: list[Question], *, is_last: bool = False,
    ) -> bool:  # fmt: skip
        """Choose it or ask for it; not yet where the size that opens it is still to be chosen.

        The same extra for each size: the size that was chosen tells which one it is. Nobody can choose between two of
        the same name.
        """
        known = {option.id: (group, option.name) for group, option in vocabulary.options_of(draft.item_id)}
        reached = _reached(vocabulary, draft, chosen)
        candidates = [one for one in self.candidates if one in reached] or (self.candidates if is_last else [])
        distinct = list({known[one][1]: one for one in reversed(candidates)}.values())[::-1]
        if not distinct:
            return False
        if len(distinct) == 1 and not self.is_part:
            chosen[distinct[0]] = None
            return True
        group = known[distinct[0]][0]
        _answer(
            Question("which_option", self.text, draft.item_id, group.id, tuple(distinct)), settled, chosen, questions
        )
        return True


def _add_defaults(vocabulary: Vocabulary, draft: DishDraft, chosen: dict[str, None], besides: list[str]) -> None:
    """Put in what the venue has chosen beforehand, where the guest must choose and said nothing."""
    for group in vocabulary.asked_groups(draft.item_id, frozenset(chosen)):
        if group.fewest and not any(one.id in chosen or one.id in besides for one in group.options):
            defaults = [option.id for option in group.options if option.is_default]
            if len(defaults) >= group.fewest:
                chosen.update(dict.fromkeys(defaults))


def _reached(vocabulary: Vocabulary, draft: DishDraft, chosen: dict[str, None]) -> frozenset[str]:
    return vocabulary.asked_options(draft.item_id, frozenset(chosen))


def _answer(question: Question, settled: Settled, chosen: dict[str, None], questions: list[Question]) -> None:
    """Take what the guest has answered, or ask them."""
    options = settled.options(question)
    chosen.update(dict.fromkeys(options))
    if not options:
        questions.append(question)


def _ask_for_rest(
    vocabulary: Vocabulary, draft: DishDraft, chosen: dict[str, None], settled: Settled
) -> list[Question]:
    """What must be chosen and was not, what excludes each other, and what goes with another size only."""
    questions = _ask_groups(vocabulary, draft, chosen, settled)
    reached = _reached(vocabulary, draft, chosen)
    for one in [one for one in chosen if one not in reached]:
        question = Question("unknown_option", draft.text, draft.item_id, candidates=(one,))
        if settled.lets_go(question):
            chosen.pop(one)
        else:
            questions.append(question)
    return questions


def _ask_groups(vocabulary: Vocabulary, draft: DishDraft, chosen: dict[str, None], settled: Settled) -> list[Question]:
    while True:
        _add_defaults(vocabulary, draft, chosen, [])
        questions: list[Question] = []
        before = dict(chosen)
        for group in vocabulary.asked_groups(draft.item_id, frozenset(chosen)):
            taken = [option.id for option in group.options if option.id in chosen]
            if len(taken) < group.fewest or (taken and len(taken) < group.least):
                question = _which(draft, group, [option.id for option in group.options])
                told = settled.options(question)
                if group.most is None or len(taken) + len(told) <= group.most:
                    chosen.update(dict.fromkeys(told))
                questions.append(question)
            elif group.most is not None and len(taken) > group.most:
                question = _which(draft, group, taken)
                if kept := settled.options(question):
                    for one in taken:
                        if one not in kept:
                            chosen.pop(one)
                questions.append(question)
        # What was answered may open further groups.
        if chosen.keys() == before.keys():
            return questions


def _which(draft: DishDraft, group: Group, candidates: list[str]) -> Question:
    return Question("which_option", draft.text, draft.item_id, group.id, tuple(candidates))
