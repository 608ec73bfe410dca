"""Numbers that do not count dishes: half a portion, a grill for two people, two scoops."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tablegram.restaurant.reading.dishes.atoms import Atom
from tablegram.restaurant.reading.dishes.drafts import DishDraft, fits
from tablegram.restaurant.reading.words.vocabulary import Vocabulary

_PORTIONED = ("measure", "option")


class _Beside(msgspec.Struct, frozen=True):
    """What stands around an atom, as far as the next one that matters to a half."""

    dish_before: Atom | None
    before: Atom | None
    after: Atom | None


def settle_portions(atoms: Sequence[Atom], vocabulary: Vocabulary) -> list[Atom]:
    """The same atoms, with what nobody can cook as a number in doubt, so that it is asked and never rounded."""
    if all(atom.kind not in _PORTIONED or (atom.kind == "option" and not atom.value % 1) for atom in atoms):
        # As in most texts.
        return list(atoms)
    has_dish = any(atom.kind == "dish" for atom in atoms)
    has_number = any(atom.kind == "number" for atom in atoms)
    found: list[Atom] = []
    for atom, beside in zip(atoms, _look_around(atoms), strict=True):
        if atom.kind == "measure":
            # `for two people` by itself says who comes; beside a number it is for the kitchen to read.
            if has_dish:
                found.append(msgspec.structs.replace(atom, kind="note" if has_number else "doubt"))
        elif atom.kind == "option" and atom.value % 1:
            found.extend(_settle_half(atom, beside, vocabulary))
        else:
            found.append(atom)
    return found


def _look_around(atoms: Sequence[Atom]) -> list[_Beside]:
    """For each atom the last dish before it, and the nearest dish or number on both sides; in one walk each way."""
    after: list[Atom | None] = []
    nearest: Atom | None = None
    for atom in reversed(atoms):
        after.append(nearest)
        nearest = atom if atom.kind in ("dish", "number") else nearest
    found: list[_Beside] = []
    dish: Atom | None = None
    nearest = None
    for atom, behind in zip(atoms, reversed(after), strict=True):
        found.append(_Beside(dish, nearest, behind))
        dish = atom if atom.kind == "dish" else dish
        nearest = atom if atom.kind in ("dish", "number") else nearest
    return found


def _settle_half(half: Atom, beside: _Beside, vocabulary: Vocabulary) -> list[Atom]:
    """`yarım mercimek` and `adana bir buçuk`: of the dish behind it or before it, whichever can be had so."""
    before, after = beside.dish_before, beside.after
    is_before = before is not None and _takes(before, half, vocabulary)
    if after is not None and after.kind == "dish":
        if _takes(after, half, vocabulary):
            # A half that leads its dish counts it too, where no number does; who could mean the one before is asked.
            leads = not is_before and (beside.before is None or beside.before.kind == "dish")
            return [Atom("number", "", value=1), half] if leads else [half]
        # Half of the dish before stands in front of it, one and a half also behind.
        return [half] if is_before and half.value > 1 else [Atom("number", half.text, value=half.value)]
    is_lost = before is not None and not is_before
    return [msgspec.structs.replace(half, kind="doubt")] if is_lost else [half]


def _takes(dish: Atom, half: Atom, vocabulary: Vocabulary) -> bool:
    return any(fits(vocabulary, DishDraft(item_id, ""), half) for item_id in dish.ids)
