"""What an order holds, and how its lines become others: counted anew, less, merged. `changes` says by which words."""

from __future__ import annotations

import re

import msgspec

from tablegram.restaurant.lines import DishLine, join_same
from tablegram.restaurant.menu.model import Item, named
from tablegram.restaurant.reading import Reading, read
from tablegram.restaurant.reading.dialogue import phrases
from tablegram.restaurant.reading.dialogue.changing.merging import is_overfull, merged, usual_of, usual_said
from tablegram.restaurant.reading.dialogue.likely import likely
from tablegram.restaurant.reading.dialogue.questions import Question
from tablegram.restaurant.reading.dialogue.settled import Pick, Settled, Settlement
from tablegram.restaurant.reading.dishes.chunks import MOST
from tablegram.restaurant.reading.words.tokens import take_apart, words_of
from tablegram.restaurant.reading.words.vocabulary import Vocabulary
from tablegram.values.folding import fold, fold_in_place

# So much of a word is the same in each of its forms.
_STEM = 4

# In a dish, on it: something of it is meant. `menüde` is no dish.
_IN = re.compile(r"^\w{3,}[dt][ae]\s+\w{3,}")


class HeldChange(msgspec.Struct, frozen=True):
    """The lines as they are from now on, and where they go, as far as that was said."""

    lines: tuple[DishLine, ...]
    table: str = ""
    order_type: str = ""
    address: str = ""
    notes: str = ""
    missed: tuple[str, ...] = ()
    # What is open about a dish that came new, and the words that it was named by.
    questions: tuple[Question, ...] = ()
    text: str = ""
    # Each clause was compared with what it does; the whole need not be once more.
    is_accounted: bool = False


class Held:
    """The lines of a draft or an order, and the menu that they are of."""

    def __init__(self, lines: tuple[DishLine, ...], vocabulary: Vocabulary) -> None:
        self._lines, self._vocabulary = lines, vocabulary

    def _fresh(self, new: str) -> Reading:
        """What comes new; of several that may be meant, the one of the kind that is ordered: `karışık`, of pide."""
        heard = likely(new, read(new, self._vocabulary), self._vocabulary)
        asked = [one for one in heard.questions if one.kind in ("which_item", "unknown")]
        if len(asked) != 1 or len(heard.questions) != 1:
            return heard
        kin = {one for line in self._lines for one in self._like(line.item_id)} - {line.item_id for line in self._lines}
        meant = kin & set(asked[0].candidates)
        if len(meant) != 1:
            return heard
        taken = read(new, self._vocabulary, Settled([Settlement(asked[0], (Pick(meant.pop()),))]))
        return taken if taken.is_order else heard

    def _like(self, item_id: str) -> set[str]:
        """What stands under the same heading of the menu."""
        items = self._vocabulary.menu.items_by_id
        return {one.id for one in items.values() if one.category_id == items[item_id].category_id}

    def _meant(self, new: str) -> HeldChange | None:
        """`urfa demek istemiştim`, of the only dish of its kind."""
        fresh = read(new, self._vocabulary)
        if not fresh.is_order or len(fresh.lines) != 1:
            return None
        gone = {line.item_id for line in self._lines} & self._like(fresh.lines[0].item_id)
        if len(gone) != 1 or fresh.lines[0].item_id in gone:
            return None
        held = sum(line.quantity for line in self._lines if line.item_id in gone)
        came = msgspec.structs.replace(fresh.lines[0], quantity=number_in(new) or held)
        return self._made(join_same([*self._less(gone, None), came]), fresh)

    def _counted_anew(self, number: int, count: int | None) -> HeldChange | None:
        """`3 değil 4`, of the only dish that there are three of."""
        meant = [line for line in self._lines if line.quantity == number]
        return None if count is None or len(meant) != 1 else self._with_count(meant[0].item_id, count)

    def settle_held(self, said: str, heard: Reading) -> Reading:
        """`make the chops well done`: of several dishes that may be meant, the one that is ordered."""
        heard = likely(said, heard, self._vocabulary)
        held = {line.item_id for line in self._lines}
        kinds = ("which_item", "unknown", "which_line")
        asked = [one for one in heard.questions if one.kind in kinds and one.candidates]
        meant = [held & set(one.candidates) for one in asked]
        if not asked or len(asked) != len(heard.questions) or any(len(one) != 1 for one in meant):
            return heard
        picks = zip(asked, meant, strict=True)
        settled = Settled(Settlement(one, (Pick(next(iter(ids))),)) for one, ids in picks)
        taken = read(said, self._vocabulary, settled)
        return taken if taken.is_order else heard

    def pointed(self, said: str) -> str:
        """`salata da cevizli olsun`: of a kind of which one dish is ordered, that one, by its name."""
        asked = [one for one in read(said, self._vocabulary).questions if one.kind in ("which_item", "unknown")]
        held = {line.item_id: self._vocabulary.items.get(line.item_id) for line in self._lines}
        for question in asked:
            words = [word[:_STEM] for word in words_of(question.fragment) if len(word) >= _STEM]
            meant = held.keys() & set(question.candidates) or {
                one
                for one, item in held.items()
                if item is not None and words and all(_is_called(item, word) for word in words)
            }
            is_once = len(re.findall(rf"(?<!\w){re.escape(question.fragment)}(?!\w)", said)) == 1
            if len(meant) == 1 and is_once:
                said = said.replace(question.fragment, named(self._vocabulary.items[meant.pop()], ""), 1)
        return said

    def _is_held(self, line: DishLine) -> bool:
        return specifies(line, self._vocabulary) and any(line.item_id == held.item_id for held in self._lines)

    def _recount(self, heard: Reading, said: str, *, is_counted: bool = True) -> HeldChange:
        """Dishes that are ordered already are meant anew, with what was said of them before; others come to them."""
        lines = list(self._lines)
        for fresh in heard.lines:
            held = [line for line in lines if line.item_id == fresh.item_id]
            if held and not is_counted:
                # `adana acısız olsun`: all of them.
                fresh = msgspec.structs.replace(fresh, quantity=held[0].quantity)
            same = [line for line in held if line.key == fresh.key]
            if same:
                lines = [fresh if line is same[0] else line for line in lines]
            elif held and (specifies(fresh, self._vocabulary) or (not is_counted and self._is_usual(fresh, said))):
                made = merged(held[0], fresh, self._vocabulary, said, fresh.quantity)
                if is_overfull(made, self._vocabulary):
                    return HeldChange(self._lines, missed=(said,))
                lines = share_lines(lines, held, made)
            elif held:
                kept = msgspec.structs.replace(held[0], quantity=fresh.quantity)
                lines = [kept if line is held[0] else line for line in lines if line not in held[1:]]
            else:
                lines.append(fresh)
        return self._made(join_same(lines), heard)

    def _is_usual(self, line: DishLine, said: str) -> bool:
        """`adana tek porsiyon olsun`; who counts may mean others than those that are held."""
        return bool(usual_said(line, self._vocabulary, said))

    def _with_count(self, item_id: str, count: int) -> HeldChange | None:
        if not 0 <= count <= MOST:
            return None
        held = [line for line in self._lines if line.item_id == item_id]
        kept = [msgspec.structs.replace(held[0], quantity=count)] if count else []
        lines = [one for line in self._lines for one in (kept if line is held[0] else [line]) if one not in held[1:]]
        return HeldChange(tuple(lines))

    def _less(self, gone: set[str], number: int | None) -> tuple[DishLine, ...]:
        left, lines = number, list[DishLine]()
        for line in self._lines:
            if line.item_id not in gone or left == 0:
                lines.append(line)
                continue
            taken = line.quantity if left is None else min(left, line.quantity)
            left = None if left is None else left - taken
            if taken < line.quantity:
                lines.append(msgspec.structs.replace(line, quantity=line.quantity - taken))
        return tuple(lines)

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

    def _is_plain(self, fragment: str) -> bool:
        """A dish, perhaps with its number, and nothing that is said of it."""
        said = phrases.POINTS.sub(" ", fold(fragment))
        heard = read(said, self._vocabulary)
        if any(one.kind == "how_many" for one in heard.questions) and number_in(said) is None:
            # `adanalar çok acı`: with a number it is seen what is said of them.
            heard = read(f"2 {said}", self._vocabulary)
        is_known = all(one.kind == "how_many" or one.candidates for one in heard.questions)
        is_number = not heard.lines and not heard.names_dish and is_bare(fragment)
        # `mantıda sarımsak istemiyoruz` takes no mantı back.
        is_known = is_known and _IN.search(said) is None
        said_more = heard.missed or heard.notes or any(specifies(line, self._vocabulary) for line in heard.lines)
        return is_number or (is_known and not said_more)

    def _made(self, lines: tuple[DishLine, ...], heard: Reading) -> HeldChange:
        return HeldChange(lines, heard.table, heard.order_type, heard.address, heard.notes, heard.missed)


def _is_called(item: Item, stem: str) -> bool:
    names = [item.name, *(one.get("name", "") for one in item.translations.values())]
    return any(word.startswith(stem) for name in names for word in words_of(name))


def specifies(line: DishLine, vocabulary: Vocabulary) -> bool:
    """Whether it says more of a dish than how many: `1 lahmacun acısız olsun`."""
    # Of a dish that has to be said how, anything says more.
    return bool(line.note) or set(line.choices) != usual_of(line.item_id, vocabulary)


def share_lines(lines: list[DishLine], held: list[DishLine], fresh: DishLine) -> list[DishLine]:
    """`1 lahmacun acısız olsun` of three: one of them; of one or none left, all of them."""
    plain = held[0]
    if fresh.quantity >= plain.quantity:
        return [fresh if line is plain else line for line in lines]
    rest = msgspec.structs.replace(plain, quantity=plain.quantity - fresh.quantity)
    return [one for line in lines for one in ((rest, fresh) if line is plain else (line,))]


def match(pattern: re.Pattern[str], said: str) -> dict[str, str] | None:
    """The named parts of a text, as they were written."""
    shown, folded = fold_in_place(said)
    found = pattern.fullmatch(folded)
    return None if found is None else {name: shown[slice(*found.span(name))] for name in pattern.groupindex}


def match_rest(pattern: re.Pattern[str], said: str) -> str:
    """What is left of a text without the words that end it; nothing where it does not end so."""
    shown, folded = fold_in_place(said)
    found = pattern.search(folded)
    return "" if found is None else shown[: found.start()].strip()


def number_in(fragment: str) -> int | None:
    """How many, if that was said in one whole number."""
    found = [
        token
        for token in take_apart(phrases.AT_TABLE.sub(" ", fold(fragment)))
        if token.kind == "number" and token.bound != "article"
    ]
    return int(found[0].value) if len(found) == 1 and found[0].value % 1 == 0 else None


def is_of_them(fragment: str) -> bool:
    """`çayların biri`: so many of them, and not so many."""
    return any(token.kind == "number" and token.bound == "part" for token in take_apart(fragment))


def is_bare(fragment: str) -> bool:
    """A number and nothing that could be a dish."""
    return all(token.kind == "number" or phrases.POINTS.fullmatch(token.key) for token in take_apart(fragment))
