"""Atoms in the pieces that belong together: between two commas, and from one number to the next."""

from __future__ import annotations

from collections.abc import Container, Sequence

import msgspec

from tablegram.restaurant.reading.atoms import Atom

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
    for atom in atoms:
        if atom.kind in ("break", "and"):
            if atom.kind == "and" and chunks[-1].atoms and all(one.kind == "all" for one in chunks[-1].atoms):
                # `both with cheese` is one thing.
                continue
            if chunks[-1].atoms:
                chunks.append(Chunk(atom.kind, atom.key))
            elif atom.kind == "and":
                # `…, and a coke`: whatever joins last says more.
                chunks[-1].joint = chunks[-1].joint or atom.key
        else:
            if _begins_anew(atom, chunks[-1].atoms):
                chunks.append(Chunk("break"))
            chunks[-1].atoms.append(atom)
    return [chunk for chunk in chunks if chunk.atoms]


def _begins_anew(atom: Atom, before: Sequence[Atom]) -> bool:
    """`4 lahmacun hepsi acısız`, `2 adana 2 ayran ayranlar büyük`: it is said of what stands before it."""
    places = [place for place, one in enumerate(before) if one.kind in ("dish", "either")]
    if not places or atom.kind == "all":
        return bool(places)
    between = before[places[-1] + 1 :]
    if atom.kind not in ("dish", "either") or any(one.kind == "number" for one in between):
        return False
    is_same = not between and any(before[place].ids == atom.ids for place in places)
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
