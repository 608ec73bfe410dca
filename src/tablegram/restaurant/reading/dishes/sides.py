"""What may be a dish or go with one: the fries beside a burger, and the fries alone."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tablegram.restaurant.reading.dialogue.questions import Question
from tablegram.restaurant.reading.dialogue.settled import Settled
from tablegram.restaurant.reading.dishes.atoms import Atom
from tablegram.restaurant.reading.dishes.drafts import DishDraft, is_open_for, is_required
from tablegram.restaurant.reading.words.vocabulary import Vocabulary


def settle_sides(
    atoms: Sequence[Atom], last: DishDraft | None, vocabulary: Vocabulary, answers: Settled
) -> tuple[list[Atom], list[Question]]:
    """The same atoms with each as a dish or as an option of the dish before it, and what has to be asked for that."""
    settled: list[Atom] = []
    questions: list[Question] = []
    for atom in atoms:
        if atom.kind != "either":
            settled.append(atom)
            continue
        before = next((one for one in reversed(settled) if one.kind == "dish" and len(one.ids) == 1), None)
        draft = DishDraft(before.ids[0], before.text) if before else last
        in_part = atom.key == "part" and not atom.is_sure
        as_option = msgspec.structs.replace(
            atom, kind="option", ids=() if in_part else atom.part, part=atom.part if in_part else ()
        )
        has_number = bool(settled) and settled[-1].kind == "number"
        if draft is None or has_number or not is_open_for(vocabulary, draft, as_option):
            settled.append(msgspec.structs.replace(atom, kind="dish", part=()))
        elif atom.is_inside or not atom.is_sure or is_required(vocabulary, draft, as_option):
            settled.append(as_option)
        elif (told := answers.picks(Question("which_line", atom.text))) and len(told) == 1:
            is_beside = told[0].id == draft.item_id
            settled.append(as_option if is_beside else msgspec.structs.replace(atom, kind="dish", part=()))
        else:
            alone = (draft.item_id, *atom.ids) if len(atom.ids) == 1 else ()
            questions.append(Question("which_line", atom.text, draft.item_id, candidates=alone))
    return settled, questions
