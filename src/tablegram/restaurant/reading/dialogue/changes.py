"""What a guest changes in an order that was read back: another dish, one more, one less, another place, another way.

The change is shown again before anything is ordered, so that the likely meaning is taken; what is not understood at all
changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from tablegram.restaurant.lines import Choice, Line, join_same
from tablegram.restaurant.menu.model import named
from tablegram.restaurant.reading import Reading, read
from tablegram.restaurant.reading.dialogue import phrases
from tablegram.restaurant.reading.dialogue.likely import likely
from tablegram.restaurant.reading.dialogue.questions import Question
from tablegram.restaurant.reading.dialogue.signs import without_lead
from tablegram.restaurant.reading.dishes.chunks import MOST
from tablegram.restaurant.reading.sentences import additions, places
from tablegram.restaurant.reading.sentences.additions import is_addition
from tablegram.restaurant.reading.words.lexicon import FILLERS, PLACE_ENDINGS, TABLE_WORDS
from tablegram.restaurant.reading.words.manners import is_polite
from tablegram.restaurant.reading.words.tokens import take_apart
from tablegram.restaurant.reading.words.vocabulary import Vocabulary
from tablegram.values.folding import fold, fold_in_place

# More words than a change has; a longer text is read as an order.
MAX_CHANGE = 200
# Of more dishes nobody says how they are to be without naming one.
MOST_PREPARED = 12


class Change(msgspec.Struct, frozen=True):
    """The lines as they are from now on, and where they go, as far as that was said."""

    lines: tuple[Line, ...]
    table: str = ""
    order_type: str = ""
    address: str = ""
    notes: str = ""
    missed: tuple[str, ...] = ()
    # What is open about a dish that came new, and the words that it was named by.
    questions: tuple[Question, ...] = ()
    text: str = ""


def change(text: str, lines: Sequence[Line], vocabulary: Vocabulary, heard: Reading | None = None) -> Change | None:
    """What becomes of these lines by what the guest writes; nothing where it is about something else."""
    said = without_lead(text)
    if len(said) > MAX_CHANGE or not lines:
        return None
    reader = _Changes(tuple(lines), vocabulary)
    heard = read(said, vocabulary) if heard is None or said != text.strip() else heard
    return (
        reader.move(said)
        or reader.place_and_change(said, heard)
        or reader.change_and_add(said)
        or reader.rethink(said)
        or reader.exchange_some(said)
        or reader.exchange(said)
        or reader.leave_out(said)
        or reader.change_twice(said)
        or reader.more(said)
        or reader.count(said)
        or reader.place(heard)
        or reader.prepare(said, heard)
        or reader.add(said, heard)
    )


def instead(text: str) -> str | None:
    """What is wanted rather than something else, as it was written: the `urfa` of `adana değil urfa`."""
    if len(text) > MAX_CHANGE:
        return None
    found = (_match(pattern, text.strip()) for pattern in phrases.EXCHANGES)
    return next((one["new"] for one in found if one is not None), None)


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
    made = reader.exchange(said) or reader.leave_out(said) or reader.count(said)
    if made is None and phrases.PREPARES.search(fold(said)):
        made = reader.prepare_ordered(said)
    return None if made is None or made.questions else made.lines


def specifies(line: Line, vocabulary: Vocabulary) -> bool:
    """Whether it says more of a dish than how many: `1 lahmacun acısız olsun`."""
    plain = read(named(vocabulary.items[line.item_id], ""), vocabulary).lines
    return bool(line.note) or (bool(plain) and set(line.choices) != set(plain[0].choices))


class _Changes:
    def __init__(self, lines: tuple[Line, ...], vocabulary: Vocabulary) -> None:
        self._lines, self._vocabulary = lines, vocabulary

    # What is exchanged, taken away, or counted anew.

    def exchange(self, said: str) -> Change | None:
        for pattern in phrases.EXCHANGES:
            found = _match(pattern, said)
            made = None if found is None else self._exchanged(found["old"], found["new"])
            if made is not None:
                return made
        return None

    def exchange_some(self, said: str) -> Change | None:
        """`birini ezogelin yapalım`, of the only dish or the only one of its kind. Otherwise nobody knows of which."""
        found = _match(phrases.PART_OF, said)
        if found is None:
            return None
        number, new = number_in(found["part"] or found["en"]), found["new"] or found["other"]
        fresh = likely(new, read(new, self._vocabulary), self._vocabulary)
        held = {line.item_id for line in self._lines}
        if number is None or not fresh.is_order or len(fresh.lines) != 1 or fresh.lines[0].item_id in held:
            return None
        meant = held if len(held) == 1 else held & self._like(fresh.lines[0].item_id)
        if len(meant) != 1 or number > sum(line.quantity for line in self._lines if line.item_id in meant):
            return Change(self._lines, missed=(said,))
        came = msgspec.structs.replace(fresh.lines[0], quantity=number)
        return self._made(join_same([*self._less(meant, number), came]), fresh)

    def _like(self, item_id: str) -> set[str]:
        """What stands under the same heading of the menu."""
        items = self._vocabulary.menu.items_by_id
        return {one.id for one in items.values() if one.category_id == items[item_id].category_id}

    def move(self, said: str) -> Change | None:
        """To another table than the one that was said; `2 değil 3` without a table is about how many."""
        folded = fold(said)
        found = phrases.OTHER_TABLE.fullmatch(folded)
        if found is None or not ("masa" in folded or "table" in folded):
            return None
        return Change(self._lines, table=found["new"] or found["en"])

    def rethink(self, said: str) -> Change | None:
        """`yok vazgeçtim urfa olsun`: another dish in the place of the only one. Of several, nobody knows which."""
        found = _match(phrases.RETHINKS, said)
        fresh = Reading() if found is None else read(found["new"], self._vocabulary)
        if found is None or not fresh.is_order or len(fresh.lines) != 1 or len(self._lines) != 1:
            return None
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
        found = _match(phrases.TWICE, said) or _match(phrases.TWICE_EN, said)
        first = None if found is None else self.leave_out(found["first"])
        if first is None or found is None:
            return None
        if first.lines:
            return change(found["then"], first.lines, self._vocabulary)
        fresh = read(found["then"], self._vocabulary)
        if fresh.is_order:
            return self._made(fresh.lines, fresh)
        return (
            Change((), questions=fresh.questions, text=found["then"]) if fresh.names_dish and not fresh.lines else None
        )

    def _exchanged(self, old: str, new: str) -> Change | None:
        fresh = likely(new, read(new, self._vocabulary), self._vocabulary)
        number, gone = number_in(old), self._named(old)
        if number is not None and not gone and fresh.lines:
            # `2 değil 3 lahmacun`.
            return self._recount(fresh)
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
            found = _match(pattern, said)
            gone = set() if found is None else self._named(found["old"])
            if found is not None and gone and gone <= {line.item_id for line in self._lines}:
                return Change(self._less(gone, number_in(found["old"])))
        return None

    def more(self, said: str) -> Change | None:
        """`bir tane daha`, of the only dish."""
        found, held = _match(phrases.MORE, said), {line.item_id for line in self._lines}
        number = None if found is None or not _is_bare(found["new"]) else number_in(found["new"])
        if number is None or len(held) != 1:
            return None
        return self._with_count(next(iter(held)), number + sum(line.quantity for line in self._lines))

    def count(self, said: str) -> Change | None:
        if is_addition(said):
            return None
        for pattern in phrases.COUNTS:
            found = _match(pattern, said)
            if found is None:
                continue
            new, number = found["new"], number_in(found["new"])
            if number is None or _is_of_them(new):
                continue
            fresh = read(new, self._vocabulary)
            named = {line.item_id for line in fresh.lines} | self._named(new)
            held = {line.item_id for line in self._lines}
            if not named and not fresh.table and len(held) == 1 and _is_bare(new):
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
        for line in self._lines:
            dish = named(self._vocabulary.items[line.item_id], "") if line.item_id in self._vocabulary.items else ""
            whole = f"{line.quantity} {dish}, {said}"
            made = likely(whole, read(whole, self._vocabulary), self._vocabulary) if dish else Reading()
            fits = made.is_order and not made.missed and all(one.item_id == line.item_id for one in made.lines)
            if fits and (len(made.lines) > 1 or specifies(made.lines[0], self._vocabulary)):
                takers.append((line, made.lines[0]) if len(made.lines) == 1 else (line, line))
                parts = made.lines
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
        if phrases.OF_THEM.search(fold(plain)) and heard.is_order and all(map(self._is_held, heard.lines)):
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

    def _is_held(self, line: Line) -> bool:
        return specifies(line, self._vocabulary) and any(line.item_id == held.item_id for held in self._lines)

    def add(self, said: str, heard: Reading) -> Change | None:
        if not heard.lines and not (heard.names_dish and heard.questions):
            return None
        if any(question.kind in ("asks", "tells", "changed_mind", "not_an_order") for question in heard.questions):
            return None
        if heard.questions and (whole := self._all_of(said, heard)) is not None:
            return whole
        if heard.questions:
            return Change(self._lines, questions=heard.questions, text=said)
        if is_addition(said):
            return self._made(join_same([*self._lines, *heard.lines]), heard)
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

    def _recount(self, heard: Reading, *, is_counted: bool = True) -> Change:
        """Dishes that are ordered already are meant anew; others come to them."""
        lines = list(self._lines)
        for fresh in heard.lines:
            held = [line for line in lines if line.item_id == fresh.item_id]
            if held and not is_counted:
                # `adana acısız olsun`: all of them.
                fresh = msgspec.structs.replace(fresh, quantity=held[0].quantity)
            same = [line for line in held if line.key == fresh.key]
            if same:
                lines = [fresh if line is same[0] else line for line in lines]
            elif held and specifies(fresh, self._vocabulary):
                lines = _share(lines, held, fresh)
            elif held:
                kept = msgspec.structs.replace(held[0], quantity=fresh.quantity)
                lines = [kept if line is held[0] else line for line in lines if line not in held[1:]]
            else:
                lines.append(fresh)
        return self._made(join_same(lines), heard)

    def _with_count(self, item_id: str, count: int) -> Change | None:
        if not 0 <= count <= MOST:
            return None
        held = [line for line in self._lines if line.item_id == item_id]
        kept = [msgspec.structs.replace(held[0], quantity=count)] if count else []
        lines = [one for line in self._lines for one in (kept if line is held[0] else [line]) if one not in held[1:]]
        return Change(tuple(lines))

    def _less(self, gone: set[str], number: int | None) -> tuple[Line, ...]:
        left, lines = number, list[Line]()
        for line in self._lines:
            if line.item_id not in gone or left == 0:
                lines.append(line)
                continue
            taken = line.quantity if left is None else min(left, line.quantity)
            left = None if left is None else left - taken
            if taken < line.quantity:
                lines.append(msgspec.structs.replace(line, quantity=line.quantity - taken))
        return tuple(lines)

    def _merged(self, line: Line, other: Line) -> Line:
        """The line with what was said of it now; what was chosen in other respects stays."""
        groups = {option.id: group.id for group, option in self._vocabulary.options_of(line.item_id)}
        plain = read(named(self._vocabulary.items[line.item_id], ""), self._vocabulary).lines
        usual = set(plain[0].choices) if plain else set()
        said = [choice for choice in other.choices if choice not in usual]
        groups_said = {groups.get(choice.option_id) for choice in said}
        kept: list[Choice] = [one for one in line.choices if groups.get(one.option_id) not in groups_said]
        note = ", ".join(dict.fromkeys(one for one in (line.note, other.note) if one))
        return Line(line.item_id, line.quantity, (*kept, *said), note)

    def _named(self, fragment: str) -> set[str]:
        """The dishes of the order that words point at; of several of a kind, those that are ordered."""
        reading = read(phrases.POINTS.sub(" ", fold(fragment)), self._vocabulary)
        found = {line.item_id for line in reading.lines}
        held = {line.item_id for line in self._lines}
        for question in reading.questions:
            if question.item_id:
                found.add(question.item_id)
            elif question.kind in ("which_item", "unknown"):
                found |= held & set(question.candidates)
        return found

    def _made(self, lines: tuple[Line, ...], heard: Reading) -> Change:
        return Change(lines, heard.table, heard.order_type, heard.address, heard.notes, heard.missed)


def _share(lines: list[Line], held: list[Line], fresh: Line) -> list[Line]:
    """`1 lahmacun acısız olsun` of three: one of them; of one or none left, all of them."""
    plain = held[0]
    if fresh.quantity >= plain.quantity:
        return [fresh if line is plain else line for line in lines]
    rest = msgspec.structs.replace(plain, quantity=plain.quantity - fresh.quantity)
    return [one for line in lines for one in ((rest, fresh) if line is plain else (line,))]


def _match(pattern: re.Pattern[str], said: str) -> dict[str, str] | None:
    """The named parts of a text, as they were written."""
    shown, folded = fold_in_place(said)
    match = pattern.fullmatch(folded)
    return None if match is None else {name: shown[slice(*match.span(name))] for name in pattern.groupindex}


def number_in(fragment: str) -> int | None:
    """How many, if that was said in one whole number."""
    found = [
        token
        for token in take_apart(phrases.AT_TABLE.sub(" ", fold(fragment)))
        if token.kind == "number" and token.bound != "article"
    ]
    return int(found[0].value) if len(found) == 1 and found[0].value % 1 == 0 else None


def _is_idle(fragment: str) -> bool:
    """Words around a place that say nothing else."""
    around = FILLERS | PLACE_ENDINGS | TABLE_WORDS
    return all(token.kind == "break" or is_polite(token.key) or token.key in around for token in take_apart(fragment))


def _is_of_them(fragment: str) -> bool:
    """`çayların biri`: so many of them, and not so many."""
    return any(token.kind == "number" and token.bound == "part" for token in take_apart(fragment))


def _is_bare(fragment: str) -> bool:
    """A number and nothing that could be a dish."""
    return all(token.kind == "number" or phrases.POINTS.fullmatch(token.key) for token in take_apart(fragment))
