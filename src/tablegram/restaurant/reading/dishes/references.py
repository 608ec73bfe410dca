"""Dishes that point at what was ordered before: `2 adana 2 ayran, ayranlar büyük`, `adanalardan biri acısız`, `ayranım`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from tablegram.restaurant.reading.dishes.atoms import Atom
from tablegram.restaurant.reading.dishes.chunks import MODIFIERS, segments
from tablegram.restaurant.reading.dishes.drafts import DishDraft, Piece

_COUNTS = frozenset({"number", "doubt", "measure"})


def point_back(
    atoms: Sequence[Atom], drafts: Sequence[DishDraft]
) -> Literal["said", "how_many", "which", "theirs", ""]:
    """Say it of the draft that a dish points at.

    Otherwise `how_many` where several were named and nobody knows how many, `which` where it is not clear what is said
    of which, `theirs` where the guest speaks of a dish that they have; nothing where the dish is ordered as any other.
    """
    dishes = [atom for atom in atoms if atom.kind == "dish"]
    if len(dishes) != 1 or len(dishes[0].ids) != 1 or not dishes[0].is_sure:
        return ""
    dish = dishes[0]
    if not dish.form:
        return "which" if _may_be_meant(atoms, dish, drafts) else ""
    rest = list(atoms[atoms.index(dish) + 1 :])
    meant = [draft for draft in drafts if draft.item_id == dish.ids[0]]
    before = atoms[: atoms.index(dish)]
    if any(atom.kind in _COUNTS for atom in before):
        return "said" if _is_one_of(before, dish, rest, meant) else ""
    if meant:
        return _say(meant, [*atoms[: atoms.index(dish)], *rest], dish)
    if dish.form == "owned":
        return "theirs"
    return "how_many" if dish.form == "plural" and not any(atom.kind in _COUNTS for atom in rest) else ""


def _say(meant: Sequence[DishDraft], rest: list[Atom], dish: Atom) -> Literal["said", "which", ""]:
    head, *parts = segments(rest)
    is_plain = all(atom.kind in MODIFIERS for atom in head.atoms)
    of_them = bool(parts) and all(
        one.number is not None and one.number.bound == "part" and one.said and len(one.said) == len(one.atoms)
        for one in parts
    )
    if dish.form == "of" and not of_them and (parts or not head.atoms):
        # `lahmacundan 2 tane` orders two; `urfanın soğanı olmasın` orders none.
        return ""
    draft = meant[0]
    if len(meant) > 1 or draft.pieces or not is_plain or not (of_them or head.atoms) or (parts and not of_them):
        return "which"
    draft.said = [*draft.said, *head.atoms]
    draft.pieces = [Piece(int(one.number.value), one.said, is_part=True) for one in parts if one.number is not None]
    return "said"


def _is_one_of(before: Sequence[Atom], dish: Atom, rest: list[Atom], meant: Sequence[DishDraft]) -> bool:
    """`3 cola, one of the colas sugar-free`: nobody orders one of several by their plural."""
    is_one = len(before) == 1 and before[0].kind == "number" and before[0].value == 1 and dish.form == "plural"
    if not is_one or not rest or any(atom.kind not in MODIFIERS for atom in rest):
        return False
    if len(meant) != 1 or meant[0].pieces or (meant[0].quantity or 1) < 2:
        return False
    meant[0].pieces = [Piece(1, rest, is_part=True)]
    return True


def _may_be_meant(atoms: Sequence[Atom], dish: Atom, drafts: Sequence[DishDraft]) -> bool:
    """`1 ayran 2 lahmacun, ayran büyük olsun`: the one before, or another one? Two that nobody counted are two."""
    meant = [draft for draft in drafts if draft.item_id == dish.ids[0] and draft.quantity is not None]
    others = [atom for atom in atoms if atom is not dish]
    return bool(meant) and bool(others) and all(atom.kind in MODIFIERS for atom in others)
