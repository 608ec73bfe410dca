"""What a guest changes in an order that was read back: another dish, one more, one less, another place, another way.

The change is shown again before anything is ordered, so that the likely meaning is taken; what is not understood at all
changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from tablegram.restaurant.lines import Line, join_same
from tablegram.restaurant.menu.model import named
from tablegram.restaurant.reading import Reading, read
from tablegram.restaurant.reading.dialogue import phrases
from tablegram.restaurant.reading.dialogue.held import (
    Change,
    Held,
    is_bare,
    is_of_them,
    match,
    match_rest,
    number_in,
    specifies,
)
from tablegram.restaurant.reading.dialogue.likely import likely
from tablegram.restaurant.reading.dialogue.signs import without_lead
from tablegram.restaurant.reading.dishes.chunks import MOST
from tablegram.restaurant.reading.sentences import additions, places
from tablegram.restaurant.reading.sentences.additions import is_addition
from tablegram.restaurant.reading.words.lexicon import EXCUSES, FILLERS, PLACE_ENDINGS, TABLE_WORDS
from tablegram.restaurant.reading.words.manners import is_polite
from tablegram.restaurant.reading.words.tokens import take_apart
from tablegram.restaurant.reading.words.vocabulary import Vocabulary
from tablegram.values.folding import fold, fold_in_place

# More words than a change has; a longer text is read as an order.
MAX_CHANGE = 200
# Of more dishes nobody says how they are to be without naming one.
MOST_PREPARED = 12


def change(text: str, lines: Sequence[Line], vocabulary: Vocabulary, heard: Reading | None = None) -> Change | None:
    """What becomes of these lines by what the guest writes; nothing where it is about something else."""
    said = without_lead(text)
    if len(said) > MAX_CHANGE or not lines:
        return None
    reader = _Changes(tuple(lines), vocabulary)
    heard = read(said, vocabulary) if heard is None or said != text.strip() else heard
    heard = reader.settle_held(said, heard)
    return (
        reader.anew(said)
        or reader.move(said)
        or reader.place_and_change(said, heard)
        or reader.of_them(said)
        or reader.change_and_add(said)
        or reader.rethink(said)
        or reader.exchange_some(said)
        or reader.exchange(said)
        or reader.leave_out(said)
        or reader.change_twice(said)
        or reader.more(said)
        or reader.count(said)
        or reader.of_each(said)
        or reader.alone(said)
        or reader.place(heard)
        or reader.prepare(said, heard)
        or reader.add(said, heard)
    )


def instead(text: str) -> str | None:
    """What is wanted rather than something else, as it was written: the `urfa` of `adana değil urfa`."""
    if len(text) > MAX_CHANGE:
        return None
    found = next((one for pattern in phrases.EXCHANGES if (one := match(pattern, text.strip()))), None)
    if found is None:
        return None
    number, first = number_in(found["old"]), take_apart(found["new"])[:1]
    # `iki adana dürüm değil de porsiyon adana`: as many.
    is_counted = number is None or (bool(first) and first[0].kind == "number")
    return found["new"] if is_counted else f"{number} {found['new']}"


def left_out(text: str, lines: Sequence[Line], vocabulary: Vocabulary) -> tuple[Line, ...] | None:
    """The lines without what a text takes back; nothing where it takes nothing of them back."""
    made = _Changes(tuple(lines), vocabulary).leave_out(without_lead(text)) if len(text) <= MAX_CHANGE else None
    return None if made is None else made.lines


def amend(text: str, lines: Sequence[Line], vocabulary: Vocabulary) -> tuple[Line, ...] | None:
    """What an order would be that is ordered already. What comes new is an order of its own, and not meant here."""
    said = without_lead(text)
    if len(said) > MAX_CHANGE or not lines:
        return None
    reader = _Changes(tuple(lines), vocabulary)
    made = (
        reader.of_them(said)
        or reader.rethink(said)
        or reader.exchange_some(said)
        or reader.exchange(said)
        or reader.leave_out(said)
        or reader.change_twice(said)
        or reader.count(said)
        or reader.alone(said)
    )
    if made is None and (phrases.PREPARES.search(fold(said)) or said != text.strip()):
        made = reader.prepare_ordered(said)
    return None if made is None or made.questions else made.lines


class _Changes(Held):
    # What is exchanged, taken away, or counted anew.

    def anew(self, said: str) -> Change | None:
        """`baştan alalım, 1 iskender 1 kola`."""
        found = match(phrases.ANEW, said)
        fresh = Reading() if found is None else read(found["new"], self._vocabulary)
        return self._made(fresh.lines, fresh) if fresh.is_order else None

    def of_each(self, said: str) -> Change | None:
        """`bir kişi daha geldi, 6 şar olsun`: of everything that there are as many of."""
        found, counts = match(phrases.OF_EACH, said), {line.quantity for line in self._lines}
        if found is None or len(counts) != 1 or len(self._lines) < 2 or read(said, self._vocabulary).names_dish:
            return None
        told = fold(found["count"])
        count = phrases.EACH.get(told) or number_in(told)
        if count is None or not 1 <= count <= MOST:
            return None
        return Change(tuple(msgspec.structs.replace(line, quantity=count) for line in self._lines))

    def alone(self, said: str) -> Change | None:
        """`sadece adana kalsın`."""
        found = match(phrases.ALONE, said)
        meant = set() if found is None else self._named(found["new"])
        kept = tuple(line for line in self._lines if line.item_id in meant)
        is_clear = found is not None and len(kept) >= len(meant) > 0 and number_in(said) is None
        return Change(kept) if found is not None and is_clear and self._is_plain(found["new"]) else None

    def of_them(self, said: str) -> Change | None:
        """`lahmacunun biri acılı gerisi acısız`: how those that are ordered are to be."""
        heard = read(said, self._vocabulary) if is_of_them(said) else Reading()
        held = [line for line in self._lines if line.item_id in self._named(said)] if heard.names_dish else []
        if len(held) != 1 or is_addition(said):
            return None
        whole = f"{held[0].quantity} {named(self._vocabulary.items[held[0].item_id], '')}, {said}"
        made = read(whole, self._vocabulary)
        is_same = {line.item_id for line in made.lines} == {held[0].item_id}
        if not made.is_order or made.missed or not is_same or len(made.lines) < 2:
            return None
        lines = [one for line in self._lines for one in (made.lines if line is held[0] else (line,))]
        return self._made(join_same(lines), made)

    def exchange(self, said: str) -> Change | None:
        more = match(phrases.MAKES, said)
        if more is not None and (made := self._exchanged(more["old"], f"{more['new']} {more['more'].strip(' ,')}")):
            return made
        for pattern in phrases.EXCHANGES:
            found = match(pattern, said)
            made = None if found is None else self._exchanged(found["old"], found["new"])
            if made is not None:
                return made
        return None

    def exchange_some(self, said: str) -> Change | None:
        """`birini ezogelin yapalım`, of the only dish or the only one of its kind. Otherwise nobody knows of which."""
        found = match(phrases.PART_OF, said)
        if found is None:
            return None
        number, new = (
            number_in(found["part"] or found["some"] or found["en"]),
            found["new"] or found["instead"] or found["other"],
        )
        fresh = self._fresh(new)
        held = {line.item_id for line in self._lines}
        if number is None or not fresh.is_order or len(fresh.lines) != 1 or fresh.lines[0].item_id in held:
            return None
        meant = held if len(held) == 1 else held & self._like(fresh.lines[0].item_id)
        if len(meant) != 1 or number > sum(line.quantity for line in self._lines if line.item_id in meant):
            return Change(self._lines, missed=(said,))
        came = msgspec.structs.replace(fresh.lines[0], quantity=number)
        return self._made(join_same([*self._less(meant, number), came]), fresh)

    def move(self, said: str) -> Change | None:
        """To another table than the one that was said; `2 değil 3` without a table is about how many."""
        folded = fold(said)
        found = phrases.OTHER_TABLE.fullmatch(folded)
        if found is None or not ("masa" in folded or "table" in folded):
            return None
        return Change(self._lines, table=found["new"] or found["en"])

    def rethink(self, said: str) -> Change | None:
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

    def change_and_add(self, said: str) -> Change | None:
        """`kılçıksız olsun bir de roka salata`: what is ordered is to be so, and something comes to it."""
        parts = additions.split(said)
        first = None if parts is None or not all(parts) else change(parts[0], self._lines, self._vocabulary)
        more = Reading() if parts is None else read(parts[1], self._vocabulary)
        if first is None or first.questions or first.missed or not more.is_order:
            return None
        made = self._made(join_same([*first.lines, *more.lines]), more)
        return msgspec.structs.replace(
            made, table=made.table or first.table, order_type=made.order_type or first.order_type
        )

    def change_twice(self, said: str) -> Change | None:
        """`çayları iptal et, 2 kahve olsun`."""
        found = match(phrases.TWICE, said) or match(phrases.TWICE_EN, said)
        first = None if found is None else self.leave_out(found["first"])
        if first is None or found is None:
            return None
        if fold(found["first"]).endswith("kalsin"):
            # `ayran kalsın adana iptal`, `künefe kalsın çayı kahve yap` keep the one.
            other = self.leave_out(found["then"]) or self.exchange(found["then"])
            if other is not None:
                return other
        if re.search(r"\bkalsin\b", fold(found["then"])):
            # `adanaları boşver ayranlar kalsın`.
            return first
        fresh = read(found["then"], self._vocabulary)
        if (kept := self.alone(found["then"])) is not None and not set(kept.lines) - set(first.lines):
            # `no lahmacun, just the cola`.
            return kept
        gone = sum(line.quantity for line in self._lines) - sum(line.quantity for line in first.lines)
        if fresh.is_order and len(fresh.lines) == 1 and number_in(found["then"]) is None and 1 <= gone <= MOST:
            # `ayranı iptal edin kola olsun`: as many.
            came = msgspec.structs.replace(fresh.lines[0], quantity=gone)
            return self._made(join_same([*first.lines, came]), fresh)
        if not fresh.names_dish and not fresh.lines and not _is_placed(fresh) and number_in(found["then"]) != 0:
            # `ayranın birini iptal edelim bir tane yeter`: what follows says why.
            return first
        if first.lines:
            return change(found["then"], first.lines, self._vocabulary)
        if fresh.is_order:
            return self._made(fresh.lines, fresh)
        return (
            Change((), questions=fresh.questions, text=found["then"]) if fresh.names_dish and not fresh.lines else None
        )

    def _exchanged(self, old: str, new: str) -> Change | None:
        old, new = _of_all(old), _of_all(new)
        fresh = self._fresh(new)
        number, gone = number_in(old), self._named(old)
        if number is None and re.match(r"an?\s", fold(old)):
            # `swap a cola for an ayran`, of two.
            number = 1
        if number is not None and not gone and fresh.lines:
            # `2 değil 3 lahmacun`.
            return self._recount(fresh)
        if number is not None and not gone and is_bare(old) and is_bare(new):
            return self._counted_anew(number, number_in(new))
        if not gone:
            return None
        held = [line for line in self._lines if line.item_id in gone]
        if not held:
            return None
        if number_in(new) is not None and not fresh.names_dish and len({line.item_id for line in held}) == 1:
            return self._with_count(held[0].item_id, number_in(new) or 1)
        count = number if number is not None else sum(line.quantity for line in held)
        rest = self._less(gone, number)
        if fresh.questions and not fresh.lines:
            return Change(rest, questions=fresh.questions, text=f"{count} {new}") if fresh.names_dish else None
        if not fresh.lines:
            return None
        came = fresh.lines
        if number_in(new) is None and len(came) == 1:
            came = (msgspec.structs.replace(came[0], quantity=count),)
        return self._made(join_same([*rest, *came]), fresh)

    def leave_out(self, said: str) -> Change | None:
        for pattern in phrases.LESS:
            found = match(pattern, said)
            gone = set() if found is None else self._named(found["old"])
            # `adanalar çok acı olmasın` and `no onions on the adana` take no dish back.
            is_held = bool(gone) and gone <= {line.item_id for line in self._lines}
            if found is not None and is_held and self._is_plain(found["old"]):
                return Change(self._less(gone, number_in(found["old"])))
        return None

    def more(self, said: str) -> Change | None:
        """`bir tane daha`, of the only dish."""
        found, held = match(phrases.MORE, said), {line.item_id for line in self._lines}
        number = None if found is None or not is_bare(found["new"]) else number_in(found["new"])
        if number is None or len(held) != 1:
            return None
        return self._with_count(next(iter(held)), number + sum(line.quantity for line in self._lines))

    def count(self, said: str) -> Change | None:
        if is_addition(said):
            return None
        for pattern in phrases.COUNTS:
            found = match(pattern, said)
            if found is None:
                continue
            new, number = found["new"], number_in(found["new"])
            if number is None or is_of_them(new):
                continue
            fresh = read(new, self._vocabulary)
            if not self._is_plain(new):
                continue
            named = {line.item_id for line in fresh.lines} | self._named(new)
            held = {line.item_id for line in self._lines}
            if not named and not fresh.table and len(held) == 1 and is_bare(new):
                return self._with_count(next(iter(held)), number)
            if len(named) == 1 and named <= held and not (fresh.lines and specifies(fresh.lines[0], self._vocabulary)):
                return self._with_count(next(iter(named)), number)
        return None

    def place_and_change(self, said: str, heard: Reading) -> Change | None:
        """`fileto olsun, masa 3`: where it goes, and what is changed besides. What nobody understands is shown."""
        rest = places.without(said)
        if not (heard.table or heard.order_type) or heard.address or _is_idle(rest) or rest == " ".join(said.split()):
            return None
        made = change(rest, self._lines, self._vocabulary)
        if made is None and (heard.lines or heard.names_dish):
            return None
        made = Change(self._lines, missed=(rest,)) if made is None else made
        return msgspec.structs.replace(made, table=heard.table, order_type=heard.order_type)

    def place(self, heard: Reading) -> Change | None:
        is_place = bool(heard.table or heard.order_type or heard.address)
        if not is_place or heard.lines or heard.names_dish:
            return None
        return self._made(self._lines, heard)

    # How a dish is made, and what comes new.

    def prepare(self, said: str, heard: Reading) -> Change | None:
        """`acısız olsun`, `lahmacun acısız`, `birisi soğansız olsun`: how dishes of the order are to be."""
        if (
            len(self._lines) > MOST_PREPARED
            or heard.names_dish
            or is_addition(said)
            or any(question.kind in ("asks", "tells") for question in heard.questions)
        ):
            return None
        takers: list[tuple[Line, Line]] = []
        chosen: list[tuple[Line, Line]] = []
        for line in self._lines:
            dish = named(self._vocabulary.items[line.item_id], "") if line.item_id in self._vocabulary.items else ""
            whole = f"{line.quantity} {dish}, {said}"
            made = likely(whole, read(whole, self._vocabulary), self._vocabulary) if dish else Reading()
            fits = made.is_order and not made.missed and all(one.item_id == line.item_id for one in made.lines)
            if fits and len(made.lines) == 1 and not made.lines[0].note:
                # The menu knows it of this dish; of the others it would be a note.
                chosen.append((line, made.lines[0]))
            if fits and (len(made.lines) > 1 or specifies(made.lines[0], self._vocabulary)):
                takers.append((line, made.lines[0]) if len(made.lines) == 1 else (line, line))
                parts = made.lines
        takers = chosen if len(chosen) == 1 and len(takers) != 1 else takers
        if len(takers) != 1:
            return None
        line, other = takers[0]
        if other is line:
            lines = [part for one in self._lines for part in (parts if one is line else (one,))]
        else:
            lines = [self._merged(one, other) if one is line else one for one in self._lines]
        return Change(join_same(lines))

    def prepare_ordered(self, said: str) -> Change | None:
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
            return self._recount(heard)
        if heard.questions and not is_addition(said) and number_in(said) is None:
            # `lahmacunlar acısız olsun`.
            return self._all_of(said, heard)
        held = {line.item_id for line in self._lines}
        is_said_of = heard.is_order and not heard.missed and {line.item_id for line in heard.lines} <= held
        if not is_said_of or is_addition(said) or number_in(said) is not None:
            return None
        return (
            self._recount(heard, is_counted=False)
            if all(specifies(line, self._vocabulary) for line in heard.lines)
            else None
        )

    def add(self, said: str, heard: Reading) -> Change | None:
        if not heard.lines and not (heard.names_dish and heard.questions):
            return None
        if any(question.kind in ("asks", "tells", "changed_mind", "not_an_order") for question in heard.questions):
            return None
        if heard.questions and (whole := self._all_of(said, heard)) is not None:
            return whole
        if heard.questions:
            return Change(self._lines, questions=heard.questions, text=said)
        held = {line.item_id for line in self._lines}
        is_both = number_in(said) is None and any(map(self._is_held, heard.lines))
        if is_addition(said) and is_both and any(line.item_id not in held for line in heard.lines):
            # `fasulye pilavsız gelsin, yanına da cacık ekleyelim`.
            return self._recount(heard, is_counted=False)
        if is_addition(said):
            return self._made(join_same([*self._lines, *heard.lines]), heard)
        is_held = any(line.item_id == held.item_id for line in heard.lines for held in self._lines)
        if heard.missed and is_held and (plain := match_rest(phrases.VERB, said)):
            return change(plain, self._lines, self._vocabulary)
        if heard.missed and is_held and number_in(said) is None:
            # Of what is ordered something is said that nobody understands.
            return Change(self._lines, missed=(said,))
        return self._recount(heard, is_counted=number_in(said) is not None or len(heard.lines) > 1)

    def _all_of(self, said: str, heard: Reading) -> Change | None:
        """`ayranlar büyük olsun`: nobody has to be asked how many of those that are ordered already."""
        (asked, *others) = heard.questions
        held = [line for line in self._lines if line.item_id == asked.item_id]
        if others or asked.kind != "how_many" or len(held) != 1 or heard.lines:
            return None
        fresh = read(f"{held[0].quantity} {said}", self._vocabulary)
        is_same = fresh.is_order and {line.item_id for line in fresh.lines} == {asked.item_id}
        return self._recount(fresh) if is_same else None


def _of_all(fragment: str) -> str:
    """Without the words that it is meant of all of them: as many come as go."""
    shown, folded = fold_in_place(fragment)
    found = phrases.BOTH.search(folded)
    return fragment if found is None else f"{shown[: found.start()]} {shown[found.end() :]}".strip()


def _is_placed(heard: Reading) -> bool:
    return bool(heard.table or heard.order_type or heard.address)


def _is_idle(fragment: str) -> bool:
    """Words around a place that say nothing else."""
    fragment = phrases.THATS_ALL.sub(" ", fold(fragment))
    around = FILLERS | PLACE_ENDINGS | TABLE_WORDS | EXCUSES
    return all(token.kind == "break" or is_polite(token.key) or token.key in around for token in take_apart(fragment))
