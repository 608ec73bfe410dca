"""How dishes are to be that an order holds already: `acısız olsun`, `one of the lahmacun without onion`."""

from __future__ import annotations

from tablegram.restaurant.lines import DishLine, join_same
from tablegram.restaurant.menu.model import named
from tablegram.restaurant.reading import Reading, read
from tablegram.restaurant.reading.dialogue import phrases
from tablegram.restaurant.reading.dialogue.changing.merging import is_overfull, merged, usual_said
from tablegram.restaurant.reading.dialogue.held import Held, HeldChange, is_of_them, number_in, specifies
from tablegram.restaurant.reading.dialogue.likely import likely
from tablegram.restaurant.reading.sentences.additions import is_addition
from tablegram.values.folding import fold

# Of more dishes nobody says how they are to be without naming one.
MOST_PREPARED = 12


class Preparing(Held):
    def of_them(self, said: str) -> HeldChange | None:
        """`lahmacunun biri acılı gerisi acısız`: how those that are ordered are to be."""
        heard = read(said, self._vocabulary) if is_of_them(said) else Reading()
        held = [line for line in self._lines if line.item_id in self._named(said)] if heard.names_dish else []
        if len(held) != 1 or is_addition(said):
            return None
        whole = f"{held[0].quantity} {named(self._vocabulary.items[held[0].item_id], '')}, {said}"
        made = read(whole, self._vocabulary)
        is_same = {line.item_id for line in made.lines} == {held[0].item_id}
        is_whole = sum(line.quantity for line in made.lines) == held[0].quantity
        if not made.is_order or made.missed or not is_same or not is_whole or len(made.lines) < 2:
            return None
        parts = [merged(held[0], part, self._vocabulary, said, part.quantity) for part in made.lines]
        if any(is_overfull(part, self._vocabulary) for part in parts):
            return HeldChange(self._lines, missed=(said,))
        lines = [one for line in self._lines for one in (parts if line is held[0] else (line,))]
        return self._made(join_same(lines), made)

    def prepare(self, said: str, heard: Reading) -> HeldChange | None:
        """`acısız olsun`, `lahmacun acısız`, `birisi soğansız olsun`: how dishes of the order are to be."""
        if (
            len(self._lines) > MOST_PREPARED
            or heard.names_dish
            or is_addition(said)
            or any(question.kind in ("asks", "tells") for question in heard.questions)
        ):
            return None
        takers: list[tuple[DishLine, DishLine]] = []
        chosen: list[tuple[DishLine, DishLine]] = []
        for line in self._lines:
            dish = named(self._vocabulary.items[line.item_id], "") if line.item_id in self._vocabulary.items else ""
            whole = f"{line.quantity} {dish}, {said}"
            made = likely(whole, read(whole, self._vocabulary), self._vocabulary) if dish else Reading()
            fits = made.is_order and not made.missed and all(one.item_id == line.item_id for one in made.lines)
            if fits and len(made.lines) == 1 and not made.lines[0].note:
                # The menu knows it of this dish; of the others it would be a note.
                chosen.append((line, made.lines[0]))
            if fits and (len(made.lines) > 1 or self._is_told(made.lines[0], said)):
                takers.append((line, made.lines[0]) if len(made.lines) == 1 else (line, line))
                parts = made.lines
        takers = chosen if len(chosen) == 1 and len(takers) != 1 else takers
        if len(takers) != 1:
            return None
        line, other = takers[0]
        told = [merged(line, part, self._vocabulary, said, part.quantity) for part in parts] if other is line else []
        told = told or [merged(line, other, self._vocabulary, said)]
        if any(is_overfull(part, self._vocabulary) for part in told):
            return HeldChange(self._lines, missed=(said,))
        return HeldChange(join_same([part for one in self._lines for part in (told if one is line else (one,))]))

    def _is_told(self, line: DishLine, said: str) -> bool:
        return specifies(line, self._vocabulary) or bool(usual_said(line, self._vocabulary, said))

    def prepare_ordered(self, said: str) -> HeldChange | None:
        """`ikisi acısız olsun`, `make the cola zero`: how dishes are to be that nobody counts anew."""
        plain = phrases.MAKE.sub("", said)
        heard = read(phrases.OF_THEM.sub(" ", plain), self._vocabulary)
        if not heard.names_dish:
            return self.prepare(said, heard)
        if (
            (phrases.OF_THEM.search(fold(plain)) or is_of_them(plain))
            and heard.is_order
            and all(map(self._is_held, heard.lines))
        ):
            # `make one of the lahmacun without onions`.
            return self._recount(heard, said)
        if heard.questions and not is_addition(said) and number_in(said) is None:
            # `lahmacunlar acısız olsun`.
            return self._all_of(said, heard)
        held = {line.item_id for line in self._lines}
        is_said_of = heard.is_order and not heard.missed and {line.item_id for line in heard.lines} <= held
        if not is_said_of or is_addition(said) or number_in(said) is not None:
            return None
        return (
            self._recount(heard, said, is_counted=False)
            if all(specifies(line, self._vocabulary) for line in heard.lines)
            else None
        )

    def _all_of(self, said: str, heard: Reading) -> HeldChange | None:
        """`ayranlar büyük olsun`: nobody has to be asked how many of those that are ordered already."""
        (asked, *others) = heard.questions
        held = [line for line in self._lines if line.item_id == asked.item_id]
        if others or asked.kind != "how_many" or len(held) != 1 or heard.lines:
            return None
        fresh = read(f"{held[0].quantity} {said}", self._vocabulary)
        is_same = fresh.is_order and {line.item_id for line in fresh.lines} == {asked.item_id}
        return self._recount(fresh, said) if is_same else None
