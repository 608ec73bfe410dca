"""One dish in the place of another, of an order that was read back."""

from __future__ import annotations

import re

import msgspec

from tablegram.restaurant.lines import join_same
from tablegram.restaurant.reading import Reading, read
from tablegram.restaurant.reading.dialogue import phrases
from tablegram.restaurant.reading.dialogue.held import Held, HeldChange, is_bare, match, number_in
from tablegram.values.folding import fold, fold_in_place

# Of several: `pidelerden`, `ayranların`.
_FROM = re.compile(r"(?:l[ae]rd[ae]n|l[ae]rin|\w{5}[iu]n)$")


class Exchanging(Held):
    def anew(self, said: str) -> HeldChange | None:
        """`baştan alalım, 1 iskender 1 kola`."""
        found = match(phrases.ANEW, said)
        fresh = Reading() if found is None else read(found["new"], self._vocabulary)
        return self._made(fresh.lines, fresh) if fresh.is_order else None

    def rethink(self, said: str) -> HeldChange | None:
        """`yok vazgeçtim urfa olsun`: another dish in the place of the only one. Of several, nobody knows which."""
        found = match(phrases.MEANT, said)
        if found is not None and (made := self._meant(found["new"])) is not None:
            return made
        found = match(phrases.RETHINKS, said)
        fresh = Reading() if found is None else read(found["new"], self._vocabulary)
        if (
            found is None
            or not fresh.is_order
            or fresh.missed
            or len({line.item_id for line in fresh.lines}) != 1
            or len(self._lines) != 1
        ):
            return None
        if re.search("make|vazgec", fold(said)) and fresh.lines[0].item_id == self._lines[0].item_id:
            return None
        if len(fresh.lines) > 1:
            return self._made(fresh.lines, fresh)
        count = number_in(found["new"]) or self._lines[0].quantity
        return self._made((msgspec.structs.replace(fresh.lines[0], quantity=count),), fresh)

    def exchange(self, said: str) -> HeldChange | None:
        more = match(phrases.MAKES, said)
        # `çayları üç yapın adana acısız olsun` says another thing of another dish.
        is_other = more is not None and (is_bare(more["new"]) or bool(self._named(more["more"])))
        if (
            more is not None
            and not is_other
            and (made := self._exchanged(more["old"], f"{more['new']} {more['more'].strip(' ,')}"))
        ):
            return made
        for pattern in phrases.EXCHANGES:
            found = match(pattern, said)
            made = None if found is None else self._exchanged(found["old"], found["new"])
            if made is not None:
                return made
        return None

    def exchange_some(self, said: str) -> HeldChange | None:
        """`birini ezogelin yapalım`, of the only dish or the only one of its kind. Otherwise nobody knows of which."""
        found, held = match(phrases.PART_OF, said), {line.item_id for line in self._lines}
        first, _, rest = said.partition(" ")
        if found is None and _FROM.search(fold(first)):
            # `pidelerden biri kuşbaşılı olsun`.
            found, held = match(phrases.PART_OF, rest), held & self._named(first)
        if found is None or not held:
            return None
        number, new = (
            number_in(found["part"] or found["some"] or found["en"]),
            found["new"] or found["instead"] or found["other"],
        )
        fresh = self._fresh(new)
        if number is None or not fresh.is_order or len(fresh.lines) != 1 or fresh.lines[0].item_id in held:
            return None
        meant = held if len(held) == 1 else held & self._like(fresh.lines[0].item_id)
        if len(meant) != 1 or number > sum(line.quantity for line in self._lines if line.item_id in meant):
            return HeldChange(self._lines, missed=(said,))
        came = msgspec.structs.replace(fresh.lines[0], quantity=number)
        return self._made(join_same([*self._less(meant, number), came]), fresh)

    def _exchanged(self, old: str, new: str) -> HeldChange | None:
        old, new = _of_all(old), _of_all(new)
        fresh = self._fresh(new)
        number, gone = number_in(old), self._named(old)
        if number is None and re.match(r"an?\s", fold(old)):
            # `swap a cola for an ayran`, of two.
            number = 1
        if number is not None and not gone and fresh.lines:
            # `2 değil 3 lahmacun`.
            return self._recount(fresh, new)
        if number is not None and not gone and is_bare(old) and is_bare(new):
            return self._counted_anew(number, number_in(new))
        if not gone or (len(gone) > 1 and "," in old):
            # `çay ikiye insin, katmer yerine baklava` says another thing of the other dish.
            return None
        held = [line for line in self._lines if line.item_id in gone]
        if not held:
            return None
        if number_in(new) is not None and not fresh.names_dish and len({line.item_id for line in held}) == 1:
            return self._with_count(held[0].item_id, number_in(new) or 1)
        count = number if number is not None else sum(line.quantity for line in held)
        rest = self._less(gone, number)
        if fresh.questions and not fresh.lines:
            return HeldChange(rest, questions=fresh.questions, text=f"{count} {new}") if fresh.names_dish else None
        if not fresh.lines:
            return None
        came = fresh.lines
        if number_in(new) is None and len(came) == 1:
            came = (msgspec.structs.replace(came[0], quantity=count),)
        return self._made(join_same([*rest, *came]), fresh)


def _of_all(fragment: str) -> str:
    """Without the words that it is meant of all of them: as many come as go."""
    shown, folded = fold_in_place(fragment)
    found = phrases.BOTH.search(folded)
    return fragment if found is None else f"{shown[: found.start()]} {shown[found.end() :]}".strip()
