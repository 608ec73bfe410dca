"""Atoms in the pieces that belong together: between two commas, and from one number to the next."""

from __future__ import annotations

from collections.abc import Container, Sequence

import msgspec

from tablegram.restaurant.reading.dishes.atoms import Atom

MODIFIERS = frozenset({"option", "note"})
# More of one dish than this is asked about before a kitchen cooks it.
MOST = 20


class Chunk(msgspec.Struct):
    """What stands between two commas, lines or `and`s."""

    led_by: str
    joint: str = ""
    atoms: list[Atom] = []

    @property
    def goes_on(self) -> bool:
        """`2 adana ve ayran`; but `2 adana, bir de ayran` begins anew."""
        return self.led_by == "and" and self.joint != "de"

    @property
    def joins(self) -> bool:
        """`adana ve urfa`: what is said last may be said of both."""
        return self.led_by == "and" and self.joint in ("ve", "and", "&", "n")


class Segment(msgspec.Struct):
    """From one number to the next."""

    number: Atom | None
    atoms: list[Atom] = []

    @property
    def dishes(self) -> list[Atom]:
        return [atom for atom in self.atoms if atom.kind == "dish"]

    @property
    def said(self) -> list[Atom]:
        return [atom for atom in self.atoms if atom.kind in MODIFIERS]

    @property
    def all(self) -> list[Atom]:
        return [*([self.number] if self.number else []), *self.atoms]


def cut(atoms: Sequence[Atom]) -> list[Chunk]:
    chunks = [Chunk("start")]
    named = _Named()
    for atom in atoms:
        if atom.kind in ("break", "and"):
            if atom.kind == "and" and named.is_of_all:
                # `both with cheese` is one thing.
                continue
            if chunks[-1].atoms:
                chunks.append(Chunk(atom.kind, atom.key))
                named = _Named()
            elif atom.kind == "and":
                # `…, and a coke`: whatever joins last says more.
                chunks[-1].joint = chunks[-1].joint or atom.key
        else:
            if named.is_left_by(atom):
                chunks.append(Chunk("break"))
                named = _Named()
            chunks[-1].atoms.append(atom)
            named.add(atom)
    return [chunk for chunk in chunks if chunk.atoms]


class _Named:
    """What the atoms of a chunk have named so far, noted as they come: nothing is looked through again."""

    def __init__(self) -> None:
        self._dishes: set[tuple[str, ...]] = set()
        self._has_atoms = self._has_other = False
        # Since the last dish.
        self._is_followed = self._is_counted = False

    @property
    def is_of_all(self) -> bool:
        return self._has_atoms and not self._has_other

    def add(self, atom: Atom) -> None:
        is_dish = atom.kind in ("dish", "either")
        self._has_atoms = True
        self._has_other = self._has_other or atom.kind != "all"
        self._is_followed = not is_dish
        self._is_counted = not is_dish and (self._is_counted or atom.kind == "number")
        if is_dish:
            self._dishes.add(atom.ids)

    def is_left_by(self, atom: Atom) -> bool:
        """`4 lahmacun hepsi acısız`, `2 adana 2 ayran ayranlar büyük`: it is said of what stands before it."""
        if not self._dishes or atom.kind == "all":
            return bool(self._dishes)
        if atom.kind not in ("dish", "either") or self._is_counted:
            return False
        is_same = not self._is_followed and atom.ids in self._dishes
        return is_same or bool(atom.form)


def set_apart(atoms: Sequence[Atom], kinds: Container[str]) -> list[Atom | list[Atom]]:
    """Every run of atoms of these kinds as one; emoji say nothing beside a dish, unless they are repeated."""
    found: list[Atom | list[Atom]] = []
    has_dish = any(atom.kind in ("dish", "either") for atom in atoms)
    for atom in atoms:
        is_run = bool(found) and isinstance(found[-1], list)
        if atom.kind in kinds and not (atom.kind == "emoji" and has_dish and not repeats(atom.text)):
            if is_run and isinstance(run := found[-1], list):
                run.append(atom)
            else:
                found.append([atom])
        elif atom.kind != "emoji":
            found.append(atom)
    return found


def segments(atoms: Sequence[Atom]) -> list[Segment]:
    """The first is what stands before any number."""
    found = [Segment(None)]
    for atom in atoms:
        if atom.kind == "number":
            found.append(Segment(atom))
        else:
            found[-1].atoms.append(atom)
    return found


def words_of(atoms: Sequence[Atom]) -> str:
    """As the guest wrote them."""
    return " ".join(atom.text for atom in atoms)


def bind(atoms: list[Atom]) -> list[Atom]:
    """`x2` counts what stands before it: the number changes places with it, and becomes a plain one."""
    if all(atom.bound != "post" for atom in atoms):
        # As in most texts.
        return list(atoms)
    bound: list[Atom] = []
    for atom in atoms:
        if atom.kind == "number" and atom.bound == "post":
            place = next((at for at in range(len(bound) - 1, -1, -1) if bound[at].kind in ("dish", "number")), None)
            plain = msgspec.structs.replace(atom, bound="")
            if place is not None and bound[place].kind == "dish":
                # The options before the dish stay with it.
                while place > 0 and bound[place - 1].kind in MODIFIERS:
                    place -= 1
                bound.insert(place, plain)
            else:
                bound.append(plain)
        else:
            bound.append(atom)
    return bound


def is_numbered_behind(atoms: list[Atom]) -> bool:
    """`adana 2 ayran 3`: every dish has its number behind it, and none before."""
    order = [atom for atom in atoms if atom.kind in ("dish", "number")]
    pairs = len(order) // 2
    return (
        len(order) >= 2
        and [atom.kind for atom in order] == ["dish", "number"] * pairs
        and atoms[-1].kind == "number"
        and all(atom.bound == "" for atom in order)
    )


def repeats(signs: str) -> bool:
    """Whether somebody draws the same thing again and again."""
    drawn = [sign for sign in signs if ord(sign) > 0x1F000]
    return len(drawn) != len(set(drawn))


def is_count(number: Atom) -> bool:
    """Whether it says how many of a dish, as people order it."""
    return number.value % 1 == 0 and 1 <= number.value <= MOST
