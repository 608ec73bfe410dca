"""What a guest changes in an order that was read back: another dish, one more, one less, another place, another way.

The change is shown again before anything is ordered, so that the likely meaning is taken; what is not understood at all
changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from tablegram.restaurant.lines import DishLine, join_same
from tablegram.restaurant.reading import Reading, read
from tablegram.restaurant.reading.dialogue import phrases
from tablegram.restaurant.reading.dialogue.accounting import Doubt, accounts_for, doubt
from tablegram.restaurant.reading.dialogue.changing.clauses import in_turn
from tablegram.restaurant.reading.dialogue.changing.exchanging import Exchanging
from tablegram.restaurant.reading.dialogue.changing.merging import comes_to
from tablegram.restaurant.reading.dialogue.changing.preparing import Preparing
from tablegram.restaurant.reading.dialogue.held import (
    HeldChange,
    is_bare,
    is_of_them,
    match,
    match_rest,
    number_in,
    specifies,
)
from tablegram.restaurant.reading.dialogue.signs import without_lead
from tablegram.restaurant.reading.dishes.chunks import MOST
from tablegram.restaurant.reading.sentences import additions, places
from tablegram.restaurant.reading.sentences.additions import is_addition
from tablegram.restaurant.reading.sentences.people import leave_out_people, signed
from tablegram.restaurant.reading.sentences.plainer import aside
from tablegram.restaurant.reading.sentences.seats import seated
from tablegram.restaurant.reading.words.lexicon import EXCUSES, FILLERS, PLACE_ENDINGS, TABLE_WORDS
from tablegram.restaurant.reading.words.manners import is_polite
from tablegram.restaurant.reading.words.tokens import take_apart
from tablegram.restaurant.reading.words.vocabulary import Vocabulary
from tablegram.values.folding import fold, fold_in_place

# More words than a change has; a longer text is read as an order.
MAX_CHANGE = 200


def change(
    text: str, lines: Sequence[DishLine], vocabulary: Vocabulary, heard: Reading | None = None
) -> HeldChange | None:
    """What becomes of these lines by what the guest writes; nothing where it is about something else."""
    said = seated(without_lead(text))
    if len(said) > MAX_CHANGE or not lines:
        return None
    if (name := signed(said, vocabulary)) is not None:
        made = change(name[0], lines, vocabulary)
        notes = "" if made is None else "; ".join(one for one in (made.notes, name[1]) if one)
        return None if made is None else msgspec.structs.replace(made, notes=notes)
    made = _change(said, tuple(lines), vocabulary, heard if said == text.strip() else None)
    found = None if made is None or made.is_accounted else _doubt(said, lines, made, vocabulary)
    if made is not None and not made.questions and not made.missed and found in (None, Doubt()):
        return made
    several = in_turn(said, lines, vocabulary, lambda clause, now: _change(clause, now, vocabulary))
    is_better = several is not None and not several.missed
    is_misread = made is None or bool(made.questions) or (found is not None and bool(found.things))
    return several if is_better or (several is not None and is_misread) else made


def _doubt(said: str, lines: Sequence[DishLine], made: HeldChange, vocabulary: Vocabulary) -> Doubt:
    shown = " ".join((made.notes, made.table, made.address, *made.missed))
    asked = {one for question in made.questions for one in (question.item_id, *question.candidates)}
    return doubt(said, lines, made.lines, vocabulary, shown, asked)


def _change(
    said: str, lines: tuple[DishLine, ...], vocabulary: Vocabulary, heard: Reading | None = None
) -> HeldChange | None:
    """What one change makes of them."""
    reader = _Changes(lines, vocabulary)
    if (plain := phrases.plainer(said)) != said:
        said, heard = plain, None
    made = reader.one(said, read(said, vocabulary) if heard is None else heard)
    if made is not None and not made.questions:
        return made
    plain = reader.pointed(said)
    return made if plain == said else reader.one(plain, read(plain, vocabulary)) or made


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


def left_out(text: str, lines: Sequence[DishLine], vocabulary: Vocabulary) -> tuple[DishLine, ...] | None:
    """The lines without what a text takes back; nothing where it takes nothing of them back."""
    made = _Changes(tuple(lines), vocabulary).leave_out(without_lead(text)) if len(text) <= MAX_CHANGE else None
    return None if made is None else made.lines


def amend(text: str, lines: Sequence[DishLine], vocabulary: Vocabulary) -> tuple[DishLine, ...] | None:
    """What an order would be that is ordered already. What comes new is an order of its own, and not meant here."""
    said = without_lead(text)
    if len(said) > MAX_CHANGE or not lines:
        return None
    made = _amend(said, tuple(lines), vocabulary, is_led=said != text.strip())
    if made is None or made.questions or made.missed or not accounts_for(text, lines, made.lines, vocabulary):
        several = in_turn(said, lines, vocabulary, lambda clause, now: _amend(clause, now, vocabulary))
        if several is not None and not several.missed and not several.questions:
            return several.lines
    return None if made is None or made.questions or made.missed else made.lines


def _amend(
    said: str, lines: tuple[DishLine, ...], vocabulary: Vocabulary, *, is_led: bool = False
) -> HeldChange | None:
    reader = _Changes(lines, vocabulary)
    said = phrases.plainer(said)
    made = reader.amended(said, is_led=is_led)
    plain = said if made is not None else reader.pointed(said)
    return made if plain == said else reader.amended(plain, is_led=is_led)


class _Changes(Exchanging, Preparing):
    def one(self, said: str, heard: Reading) -> HeldChange | None:
        """The first rule that makes something of it."""
        heard = self.settle_held(said, heard)
        return (
            self.anew(said)
            or self.move(said)
            or self.place_and_change(said, heard)
            or self.of_them(said)
            or self.change_and_add(said)
            or self.rethink(said)
            or self.exchange_some(said)
            or self.exchange(said)
            or self.leave_out(said)
            or self.change_twice(said)
            or self.more(said)
            or self.count(said)
            or self.of_each(said)
            or self.alone(said)
            or self.place(heard)
            or self.prepare(said, heard)
            or self.add(said, heard)
        )

    def amended(self, said: str, *, is_led: bool) -> HeldChange | None:
        made = (
            self.of_them(said)
            or self.rethink(said)
            or self.exchange_some(said)
            or self.exchange(said)
            or self.leave_out(said)
            or self.change_twice(said)
            or self.count(said)
            or self.alone(said)
        )
        if made is None and (phrases.PREPARES.search(fold(said)) or is_led):
            made = self.prepare_ordered(said)
        return made

    # What is exchanged, taken away, or counted anew.

    def of_each(self, said: str) -> HeldChange | None:
        """`bir kişi daha geldi, 6 şar olsun`: of everything that there are as many of."""
        found, counts = match(phrases.OF_EACH, said), {line.quantity for line in self._lines}
        if found is None or len(counts) != 1 or len(self._lines) < 2 or read(said, self._vocabulary).names_dish:
            return None
        told = fold(found["count"] or found["en"])
        count = phrases.EACH.get(told) or number_in(told)
        if count is None or not 1 <= count <= MOST:
            return None
        return HeldChange(tuple(msgspec.structs.replace(line, quantity=count) for line in self._lines))

    def alone(self, said: str) -> HeldChange | None:
        """`sadece adana kalsın`."""
        found = match(phrases.ALONE, said)
        meant = set() if found is None else self._named(found["new"])
        kept = tuple(line for line in self._lines if line.item_id in meant)
        is_clear = found is not None and len(kept) >= len(meant) > 0 and number_in(said) is None
        return HeldChange(kept) if found is not None and is_clear and self._is_plain(found["new"]) else None

    def move(self, said: str) -> HeldChange | None:
        """To another table than the one that was said; `2 değil 3` without a table is about how many."""
        folded = fold(said)
        found = phrases.OTHER_TABLE.fullmatch(folded)
        if found is None or not ("masa" in folded or "table" in folded):
            return None
        return HeldChange(self._lines, table=found["new"] or found["en"])

    def change_and_add(self, said: str) -> HeldChange | None:
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

    def change_twice(self, said: str) -> HeldChange | None:
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
            HeldChange((), questions=fresh.questions, text=found["then"])
            if fresh.names_dish and not fresh.lines
            else None
        )

    def leave_out(self, said: str) -> HeldChange | None:
        for pattern in phrases.LESS:
            found = match(pattern, said)
            gone = set() if found is None else self._named(found["old"])
            # `adanalar çok acı olmasın` and `no onions on the adana` take no dish back.
            is_held = bool(gone) and gone <= {line.item_id for line in self._lines}
            is_of_it = found is not None and phrases.ON_A_DISH.search(fold(found["old"])) is not None
            if found is not None and is_held and not is_of_it and self._is_plain(found["old"]):
                return HeldChange(self._less(gone, number_in(found["old"])))
        return None

    def more(self, said: str) -> HeldChange | None:
        """`bir tane daha`, of the only dish."""
        found, held = match(phrases.MORE, said), {line.item_id for line in self._lines}
        number = None if found is None or not is_bare(found["new"]) else number_in(found["new"])
        if number is None or len(held) != 1:
            return None
        return self._with_count(next(iter(held)), number + sum(line.quantity for line in self._lines))

    def count(self, said: str) -> HeldChange | None:
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

    def place_and_change(self, said: str, heard: Reading) -> HeldChange | None:
        """`fileto olsun, masa 3`: where it goes, and what is changed besides. What nobody understands is shown."""
        beside = aside(said)
        if beside is not None and beside.comes and _is_idle(places.without(beside.rest), self._vocabulary):
            # `yarım saate gelip alırım`.
            return HeldChange(self._lines, order_type="takeaway", notes="; ".join(beside.notes))
        rest = places.without(said)
        if (
            not (heard.table or heard.order_type)
            or heard.address
            or _is_idle(rest, self._vocabulary)
            or rest == " ".join(said.split())
        ):
            return None
        made = change(rest, self._lines, self._vocabulary)
        if made is None and (heard.lines or heard.names_dish):
            return None
        made = HeldChange(self._lines, missed=(rest,)) if made is None else made
        return msgspec.structs.replace(made, table=heard.table, order_type=heard.order_type)

    def place(self, heard: Reading) -> HeldChange | None:
        is_place = bool(heard.table or heard.order_type or heard.address)
        if not is_place or heard.lines or heard.names_dish:
            return None
        return self._made(self._lines, heard)

    # How a dish is made, and what comes new.

    def add(self, said: str, heard: Reading) -> HeldChange | None:
        if not heard.lines and not (heard.names_dish and heard.questions):
            return None
        if any(question.kind in ("asks", "tells", "changed_mind", "not_an_order") for question in heard.questions):
            return None
        if heard.questions and (whole := self._all_of(said, heard)) is not None:
            return whole
        if heard.questions:
            return HeldChange(self._lines, questions=heard.questions, text=said)
        held = {line.item_id for line in self._lines}
        is_both = number_in(said) is None and any(map(self._is_held, heard.lines))
        if is_addition(said) and is_both and any(line.item_id not in held for line in heard.lines):
            # `fasulye pilavsız gelsin, yanına da cacık ekleyelim`.
            return self._recount(heard, said, is_counted=False)
        if is_addition(said) and len(heard.lines) == 1 and self._comes_to_it(said, heard.lines[0]):
            # `adanaya bulgur ekle`.
            return self._recount(heard, said, is_counted=False)
        if is_addition(said):
            is_bare_dish = number_in(said) is None and len(heard.lines) > 1
            came = [one for one in heard.lines if not (is_bare_dish and self._takes_it(said, one))]
            return self._made(join_same([*self._lines, *came]), heard)
        is_held = any(line.item_id == held.item_id for line in heard.lines for held in self._lines)
        if heard.missed and is_held and (plain := match_rest(phrases.VERB, said)):
            return change(plain, self._lines, self._vocabulary)
        if heard.missed and is_held and number_in(said) is None:
            # Of what is ordered something is said that nobody understands.
            return HeldChange(self._lines, missed=(said,))
        numbers = [token for token in take_apart(places.without(said)) if token.kind == "number"]
        if numbers and len(numbers) < len(heard.lines) and any(map(self._is_part, heard.lines)):
            # `iki kola, adana acısız`: of two nobody knows whether all are meant.
            return None
        return self._recount(heard, said, is_counted=bool(numbers))

    def _comes_to_it(self, said: str, line: DishLine) -> bool:
        return self._is_held(line) and comes_to(said, line.item_id, self._vocabulary)

    def _takes_it(self, said: str, line: DishLine) -> bool:
        """`adanaya ayran ekle` wants no second adana."""
        is_held = any(line.item_id == held.item_id for held in self._lines)
        is_told = specifies(line, self._vocabulary)
        return is_held and not is_told and comes_to(said, line.item_id, self._vocabulary)

    def _is_part(self, line: DishLine) -> bool:
        return self._is_held(line) and line.quantity < sum(
            one.quantity for one in self._lines if one.item_id == line.item_id
        )


def _is_placed(heard: Reading) -> bool:
    return bool(heard.table or heard.order_type or heard.address)


def _is_idle(fragment: str, vocabulary: Vocabulary) -> bool:
    """Words around a place that say nothing else."""
    shown, folded = fold_in_place(fragment)
    for found in reversed(list(phrases.THATS_ALL.finditer(folded))):
        shown = f"{shown[: found.start()]} {shown[found.end() :]}"
    around = FILLERS | PLACE_ENDINGS | TABLE_WORDS | EXCUSES
    # `paket, adım Okan`.
    tokens = leave_out_people(take_apart(shown), vocabulary)
    return all(token.kind == "break" or is_polite(token.key) or token.key in around for token in tokens)
