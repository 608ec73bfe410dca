"""What counts in a text: dishes, quantities, options, notes, and whatever could not be understood."""

from __future__ import annotations

import msgspec


class Atom(msgspec.Struct, frozen=True):
    """`dish`, `option`, `either` (a dish or an option), `number`, `doubt`, `note`, `all`, `more`, `break`, `and`,
    `measure` (for two people), `unknown`, `mind` (changes or makes a condition), `asks`,
    `tells` (of an earlier order, or of what they must not eat), `emoji`."""

    kind: str
    text: str
    # Of dishes and options: what it may be. Options that were only said in part stand in `part`.
    ids: tuple[str, ...] = ()
    part: tuple[str, ...] = ()
    # Options that are called nearly so, where the dish has none of `ids`.
    kin: tuple[str, ...] = ()
    value: float = 0
    bound: str = ""
    # Of an unknown word: how it is looked up. Of an option: what it is where the dish has no such option. A `denied`
    # one is a note then; a `spare` one says nothing more, as the glass in a glass of tea.
    key: str = ""
    # It stood in brackets, and so belongs to what stood before them.
    is_inside: bool = False
    # Of a dish: it may point at one that was named before. Of a number: the word that counts, as `dilim`.
    form: str = ""
    is_sure: bool = True
    # Of a dish: a short word that is only nearly one, and may be another word altogether.
    is_near: bool = False


class Taken(msgspec.Struct):
    """The atoms, and what was said about the order as a whole."""

    atoms: list[Atom]
    notes: list[str]
    table: str = ""
    order_type: str = ""
