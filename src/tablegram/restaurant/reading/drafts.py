"""Lines in the making: a dish with what was said about it, and how its options come out in the end."""

from __future__ import annotations

import msgspec

from tablegram.restaurant.lines import Choice, Line
from tablegram.restaurant.menu.model import Group
from tablegram.restaurant.menu.pricing import asked_groups
from tablegram.restaurant.reading.atoms import Atom
from tablegram.restaurant.reading.questions import Question
from tablegram.restaurant.reading.vocabulary import Vocabulary


class Piece(msgspec.Struct):
    """So many of a dish in one way: `two of them spicy`."""

    quantity: int
    said: list[Atom]


class Draft(msgspec.Struct):
    """One mention of a dish."""

    item_id: str
    text: str
    quantity: int | None = None
    said: list[Atom] = []
    pieces: list[Piece] = []
    # The guest said `more`, or that it is another one.
    is_more: bool = False


def fits(vocabulary: Vocabulary, draft: Draft, atom: Atom) -> bool:
    """Whether an option may go with this dish at all. Notes go with everything."""
    if atom.kind == "note":
        return True
    offered = {option.id for _, option in vocabulary.options_of(draft.item_id)}
    return bool(offered & {*_options_in(atom), *atom.part})


def is_open_for(vocabulary: Vocabulary, draft: Draft, atom: Atom) -> bool:
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


def _options_in(atom: Atom) -> tuple[str, ...]:
    """The options an atom names in whole; of `either`, those it may be beside a dish."""
    return atom.part if atom.kind == "either" else atom.ids if atom.kind == "option" else ()


def finish(vocabulary: Vocabulary, draft: Draft) -> tuple[list[Line], list[Question]]:
    """The lines of a draft, and what has to be asked about it."""
    lines: list[Line] = []
    questions: list[Question] = []
    for quantity, words in _shares(draft, questions):
        said = _adapt(vocabulary, draft, words)
        choices, problems = _choose(vocabulary, draft, said)
        questions.extend(problem for problem in problems if problem not in questions)
        note = ", ".join(dict.fromkeys(atom.text for atom in said if atom.kind == "note"))
        if not problems:
            lines.append(Line(draft.item_id, quantity, choices, note))
    return lines, questions


def _adapt(vocabulary: Vocabulary, draft: Draft, said: list[Atom]) -> list[Atom]:
    """An option that the dish does not have is still a note, or nothing, where that is all it need be."""
    adapted: list[Atom] = []
    for atom in said:
        if atom.kind == "note" or atom.key not in ("denied", "spare") or fits(vocabulary, draft, atom):
            adapted.append(atom)
        elif atom.key == "denied":
            adapted.append(msgspec.structs.replace(atom, kind="note"))
    return adapted


def _shares(draft: Draft, questions: list[Question]) -> list[tuple[int, list[Atom]]]:
    """How many in which way: of four, two spicy, and the other two as they come."""
    if not draft.pieces:
        return [(1 if draft.quantity is None else draft.quantity, draft.said)]
    shared = sum(piece.quantity for piece in draft.pieces)
    total = shared if draft.quantity is None else draft.quantity
    if shared > total:
        questions.append(Question("how_many", draft.text, draft.item_id))
        return []
    shares = [(piece.quantity, [*draft.said, *piece.said]) for piece in draft.pieces]
    return shares if shared == total else [*shares, (total - shared, draft.said)]


def _choose(vocabulary: Vocabulary, draft: Draft, said: list[Atom]) -> tuple[tuple[Choice, ...], list[Question]]:
    offered = {option.id: group for group, option in vocabulary.options_of(draft.item_id)}
    chosen: dict[str, None] = {}
    several: list[tuple[Atom, list[str]]] = []
    questions: list[Question] = []
    for atom in said:
        if atom.kind == "note":
            continue
        whole = [one for one in _options_in(atom) if one in offered]
        part = [one for one in atom.part if one in offered and one not in whole]
        if len(whole) == 1:
            chosen[whole[0]] = None
        elif whole:
            several.append((atom, whole))
        elif part:
            questions.append(Question("which_option", atom.text, draft.item_id, offered[part[0]].id, tuple(part)))
        else:
            questions.append(Question("unknown_option", atom.text, draft.item_id))
    _add_defaults(vocabulary, draft, chosen, [one for _, candidates in several for one in candidates])
    for atom, candidates in several:
        # The same extra for each size: the size that was chosen tells which one it is.
        reached = [one for one in candidates if one in _reached(vocabulary, draft, chosen)]
        if len(reached) == 1:
            chosen[reached[0]] = None
        else:
            group = offered[candidates[0]]
            questions.append(Question("which_option", atom.text, draft.item_id, group.id, tuple(candidates)))
    if questions:
        return (), questions
    rest = _ask_for_rest(vocabulary, draft, chosen)
    return tuple(Choice(one) for one in chosen), rest


def _add_defaults(vocabulary: Vocabulary, draft: Draft, chosen: dict[str, None], besides: list[str]) -> None:
    """Put in what the venue has chosen beforehand, where the guest must choose and said nothing."""
    for group in asked_groups(vocabulary.menu, vocabulary.items[draft.item_id], set(chosen)):
        ids = [option.id for option in group.options]
        if group.fewest and not any(one in chosen or one in besides for one in ids):
            defaults = [option.id for option in group.options if option.is_default]
            if len(defaults) >= group.fewest:
                chosen.update(dict.fromkeys(defaults))


def _reached(vocabulary: Vocabulary, draft: Draft, chosen: dict[str, None]) -> set[str]:
    groups = asked_groups(vocabulary.menu, vocabulary.items[draft.item_id], set(chosen))
    return {option.id for group in groups for option in group.options}


def _ask_for_rest(vocabulary: Vocabulary, draft: Draft, chosen: dict[str, None]) -> list[Question]:
    """What must be chosen and was not, what excludes each other, and what goes with another size only."""
    _add_defaults(vocabulary, draft, chosen, [])
    questions: list[Question] = []
    for group in asked_groups(vocabulary.menu, vocabulary.items[draft.item_id], set(chosen)):
        taken = [option.id for option in group.options if option.id in chosen]
        if len(taken) < group.fewest or (taken and len(taken) < group.least):
            questions.append(_which(draft, group, [option.id for option in group.options]))
        elif group.most is not None and len(taken) > group.most:
            questions.append(_which(draft, group, taken))
    reached = _reached(vocabulary, draft, chosen)
    stray = [one for one in chosen if one not in reached]
    return questions + [Question("unknown_option", draft.text, draft.item_id, candidates=(one,)) for one in stray]


def _which(draft: Draft, group: Group, candidates: list[str]) -> Question:
    return Question("which_option", draft.text, draft.item_id, group.id, tuple(candidates))
