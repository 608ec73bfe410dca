"""Numbers that do not count dishes: half a portion, a grill for two people, two scoops."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tablegram.restaurant.reading.atoms import Atom
from tablegram.restaurant.reading.drafts import Draft, fits
from tablegram.restaurant.reading.vocabulary import Vocabulary


def settle_portions(atoms: Sequence[Atom], vocabulary: Vocabulary) -> list[Atom]:
    """The same atoms, with what nobody can cook as a number in doubt, so that it is asked and never rounded."""
    has_dish = any(atom.kind == "dish" for atom in atoms)
    has_number = any(atom.kind == "number" for atom in atoms)
    found: list[Atom] = []
    for place, atom in enumerate(atoms):
        if atom.kind == "measure":
            # `for two people` by itself says who comes; beside a number it is for the kitchen to read.
            if has_dish:
                found.append(msgspec.structs.replace(atom, kind="note" if has_number else "doubt"))
        elif atom.kind == "option" and atom.value % 1:
            found.extend(_settle_half(atoms, place, vocabulary))
        else:
            found.append(atom)
    return found


def _settle_half(atoms: Sequence[Atom], place: int, vocabulary: Vocabulary) -> list[Atom]:
    """`yarım mercimek` and `adana bir buçuk`: of the dish behind it or before it, whichever can be had so."""
    half = atoms[place]
    before = next((atom for atom in reversed(atoms[:place]) if atom.kind == "dish"), None)
    after = next((atom for atom in atoms[place + 1 :] if atom.kind in ("dish", "number")), None)
    is_before = before is not None and _takes(before, half, vocabulary)
    if after is not None and after.kind == "dish":
        if _takes(after, half, vocabulary):
            # A half that leads its dish counts it too, where no number does; who could mean the one before is asked.
            last = next((atom for atom in reversed(atoms[:place]) if atom.kind in ("dish", "number")), None)
            leads = not is_before and (last is None or last.kind == "dish")
            return [Atom("number", "", value=1), half] if leads else [half]
        # Half of the dish before stands in front of it, one and a half also behind.
        return [half] if is_before and half.value > 1 else [Atom("number", half.text, value=half.value)]
    is_lost = before is not None and not is_before
    return [msgspec.structs.replace(half, kind="doubt")] if is_lost else [half]


def _takes(dish: Atom, half: Atom, vocabulary: Vocabulary) -> bool:
    return any(fits(vocabulary, Draft(item_id, ""), half) for item_id in dish.ids)
