"""From atoms to lines: which number and which option belong to which dish. What can be read two ways is asked."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tablegram.restaurant.menu.model import Item
from tablegram.restaurant.reading.dialogue.questions import Kind, Question
from tablegram.restaurant.reading.dialogue.settled import NOTHING, Pick, Settled, share
from tablegram.restaurant.reading.dishes.atoms import Atom
from tablegram.restaurant.reading.dishes.chunks import (
    MODIFIERS,
    MOST,
    Chunk,
    Segment,
    bind,
    is_count,
    is_numbered_behind,
    segments,
    set_apart,
    words_of,
)
from tablegram.restaurant.reading.dishes.drafts import (
    DishDraft,
    Piece,
    fits,
    is_open_for,
    offers,
    owner_of,
)
from tablegram.restaurant.reading.dishes.pieces import counts_pieces
from tablegram.restaurant.reading.dishes.portions import settle_portions
from tablegram.restaurant.reading.dishes.references import point_back
from tablegram.restaurant.reading.dishes.sharing import share_out
from tablegram.restaurant.reading.dishes.sides import settle_sides
from tablegram.restaurant.reading.words.vocabulary import Vocabulary

# As many as one looks through on a phone. What is not listed cannot be answered.
MOST_CHOICES = 20

_ASKED: dict[str, Kind] = {
    "unknown": "unknown",
    "mind": "changed_mind",
    "asks": "asks",
    "tells": "tells",
    "emoji": "unknown",
}


class Assembly:
    """Works through the chunks in order, and keeps the drafts and the questions."""

    def __init__(self, vocabulary: Vocabulary, settled: Settled = NOTHING) -> None:
        self._vocabulary, self._settled = vocabulary, settled
        self.drafts: list[DishDraft] = []
        self.questions: list[Question] = []
        # What was said before the dish that it belongs to.
        self._pieces: list[Piece] = []
        self._said: list[Atom] = []
        # What the guest told us the dishes for; some of them may still follow.
        self._later: list[tuple[Atom, list[str]]] = []
        # Something of this chunk was not understood, so that its numbers need no question of their own.
        self._is_asked = False

    def add(self, chunk: Chunk) -> None:
        self._is_asked = False
        atoms = [self._settle_dish(atom) for atom in self._put_aside(chunk.atoms)]
        kinds = {atom.kind for atom in atoms}
        if "either" in kinds:
            # Which burger it is tells whether the fries may go with it.
            atoms = [self._settle_dish(atom) for atom in self._settle_either(atoms)]
        if "all" in kinds:
            self._say_of_all(atoms)
            return
        if self._points_back(atoms):
            return
        atoms = settle_portions(bind(atoms), self._vocabulary)
        kinds = {atom.kind for atom in atoms}
        if "doubt" in kinds:
            self._ask_how_many(atoms)
            return
        is_more = "more" in kinds
        atoms = [atom for atom in atoms if atom.kind != "more"] if is_more else atoms
        before = len(self.drafts)
        if "dish" not in kinds:
            self._add_without_dish(atoms, chunk)
        elif is_numbered_behind(atoms):
            self._add_numbered_behind(atoms)
        else:
            self._add_segments(segments(atoms), chunk)
        for draft in self.drafts[before:]:
            draft.is_more = is_more

    def _points_back(self, atoms: list[Atom]) -> bool:
        pointed = point_back(atoms, self.drafts)
        if pointed == "how_many":
            self._ask_how_many(atoms)
        elif pointed in ("which", "theirs"):
            self._ask("changed_mind" if pointed == "which" else "tells", words_of(atoms))
        return bool(pointed)

    def end(self) -> None:
        """Nothing follows any more: what waited for a dish has none."""
        for piece in self._pieces:
            self._ask("which_line", words_of(piece.said) or str(piece.quantity))
        said, self._pieces, self._said = self._said, [], []
        if said and not self._add_named(None, said):
            self._ask("which_line", words_of(said))
        for atom, ids in self._later:
            takers = [draft for draft in self.drafts if draft.item_id in ids]
            if sorted(draft.item_id for draft in takers) != sorted(ids):
                self._ask("which_line", atom.text)
                continue
            for draft in takers:
                draft.said = [*draft.said, atom]

    def _ask(self, kind: Kind, fragment: str, item_id: str = "", candidates: tuple[str, ...] = ()) -> None:
        question = Question(kind, fragment, item_id, candidates=candidates)
        if self._is_asked and kind == "how_many":
            return
        if question not in self.questions:
            self.questions.append(question)

    def _put_aside(self, atoms: Sequence[Atom]) -> list[Atom]:
        """Ask about every run of words that was not understood; the rest goes on."""
        if all(atom.kind not in _ASKED for atom in atoms):
            return list(atoms)
        kept: list[Atom] = []
        for one in set_apart(atoms, _ASKED):
            kept.extend(self._ask_about(one) if isinstance(one, list) else [one])
        return kept

    def _ask_about(self, run: list[Atom]) -> list[Atom]:
        """The dish that it is, if the guest was asked before."""
        kinds = [atom.kind for atom in run]
        kind = _ASKED[next((one for one in ("mind", "asks", "tells") if one in kinds), "unknown")]
        near = [item_id for atom in run if atom.key for item_id in self._vocabulary.near(atom.key)]
        candidates = tuple(dict.fromkeys(near))[:4] if kind == "unknown" else ()
        question = Question(kind, words_of(run))
        if self._settled.picks(question):
            return [Atom("dish", question.fragment, ids=candidates, is_sure=False)]
        self._ask(kind, question.fragment, candidates=candidates)
        self._is_asked = True
        return []

    def _settle_dish(self, atom: Atom) -> Atom:
        """A dish that the guest has named meanwhile; how many of several ones is seen to when its number is known."""
        if atom.kind != "dish" or (len(atom.ids) == 1 and atom.is_sure):
            return atom
        picks = self._settled.dish(atom.text)
        if len(picks) != 1 or picks[0].quantity is not None or picks[0].id not in self._vocabulary.items:
            return atom
        return msgspec.structs.replace(atom, ids=(picks[0].id,), is_sure=True)

    def _ask_for_whom(self, atom: Atom, ids: Sequence[str]) -> None:
        """Which of these dishes an option is for."""
        picks = self._settled.picks(Question("which_line", atom.text))
        if picks:
            self._later.append((atom, [pick.id for pick in picks]))
        else:
            self._ask("which_line", atom.text, candidates=tuple(dict.fromkeys(ids)))

    def _number(self, fragment: str) -> Atom | None:
        """How many there are to be, as the guest answered."""
        count = self._settled.count(fragment)
        return None if count is None else Atom("number", str(count), value=count, bound="told")

    def _settle_either(self, atoms: list[Atom]) -> list[Atom]:
        last = self.drafts[-1] if self.drafts else None
        settled, questions = settle_sides(atoms, last, self._vocabulary, self._settled)
        self.questions.extend(question for question in questions if question not in self.questions)
        return settled

    def _say_of_all(self, atoms: list[Atom]) -> None:
        """`hepsi acısız`: every dish that can be had so."""
        said = [atom for atom in atoms if atom.kind in MODIFIERS]
        text = words_of(atoms)
        if any(atom.kind in ("dish", "number", "doubt") for atom in atoms) or not said or not self.drafts:
            self._ask("changed_mind", text)
            return
        for atom in said:
            takers = [draft for draft in self.drafts if fits(self._vocabulary, draft, atom)]
            if not takers:
                self._refuse(atom, self.drafts[-1])
            for draft in takers:
                draft.said = [*draft.said, atom]

    def _refuse(self, atom: Atom, draft: DishDraft) -> None:
        if not self._settled.lets_go(Question("unknown_option", atom.text, draft.item_id)):
            self._ask("unknown_option", atom.text, draft.item_id)

    def _ask_how_many(self, atoms: list[Atom]) -> None:
        dishes = [atom for atom in atoms if atom.kind == "dish"]
        text, number = words_of(atoms), self._number(words_of(atoms))
        if number is not None and len(dishes) == 1:
            self._add_line(number, dishes[0], atoms)
            return
        ids = [dish.ids[0] for dish in dishes if len(dish.ids) == 1 and dish.is_sure]
        told = {pick.id: pick.quantity for pick in self._settled.picks(Question("how_many", text))}
        is_plain = len(set(ids)) == len(dishes) > 1 and not any(atom.kind in MODIFIERS for atom in atoms)
        if is_plain and told.keys() == set(ids):
            for dish in dishes:
                self._add_line(Atom("number", dish.text, value=told[dish.ids[0]] or 0, bound="told"), dish, [])
            return
        only = dishes[0].ids[0] if len(dishes) == 1 and len(dishes[0].ids) == 1 else ""
        # No dish is left out because of other words that nobody understands.
        self._is_asked = self._is_asked and len(dishes) < 2
        self._ask("how_many", text, only, tuple(ids) if is_plain else ())

    def _add_without_dish(self, atoms: list[Atom], chunk: Chunk) -> None:
        head, *pieces = segments(atoms)
        owner = owner_of(self._vocabulary, head.said)
        if owner and not (self.drafts and fits(self._vocabulary, self.drafts[-1], head.said[0])):
            self.drafts.append(DishDraft(owner, words_of(head.said), None, head.said))
        elif head.said:
            self._say_of_last(head.said, chunk)
        for piece in pieces:
            if piece.said and all(atom.key == "spare" for atom in piece.said):
                # `4 glasses and a jug of ayran`: empty ones, or of the same?
                self._ask("how_many", words_of(piece.all))
            else:
                self._add_piece(piece, None)

    def _say_of_last(self, said: list[Atom], chunk: Chunk) -> None:
        """Options after a comma belong to the dish before it, unless another one before might be meant as well."""
        if not self.drafts:
            self._said.extend(said)
            return
        last = self.drafts[-1]
        for one in said:
            is_option = any(fits(self._vocabulary, draft, one) for draft in self.drafts)
            atom = one if is_option or one.key != "denied" else msgspec.structs.replace(one, kind="note")
            others = [draft for draft in self.drafts[:-1] if is_open_for(self._vocabulary, draft, atom)]
            # `acısız ve soğansız` goes on with what was said of the last dish.
            goes_on = chunk.led_by == "and" and bool(last.said)
            if not fits(self._vocabulary, last, atom):
                if len(others) == 1:
                    self._ask_for_whom(atom, [others[0].item_id])
                else:
                    self._refuse(atom, last)
            elif others and not goes_on:
                self._ask_for_whom(atom, [draft.item_id for draft in (*others, last)])
            elif last.pieces:
                last.pieces[-1].said.append(atom)
            else:
                last.said = [*last.said, atom]

    def _add_piece(self, segment: Segment, following: str | None) -> None:
        """A number with options and no dish: so many of the dish before it, or of the one that follows."""
        number = segment.number
        is_rest = number is not None and number.value < 0
        if number is None or not segment.said or number.value % 1 or not (is_rest or 1 <= number.value <= MOST):
            self._ask("how_many", words_of(segment.all))
            return
        if number.bound != "part" and self._add_named(number, segment.said, following):
            return
        piece = Piece(int(number.value), segment.said, is_part=number.bound == "part")
        # What is not wanted is a note at least, on whatever dish.
        options = [atom for atom in segment.said if atom.kind == "option" and atom.key != "denied"]
        before = self.drafts[-1] if self.drafts and not self._pieces else None
        fits_before = before is not None and all(fits(self._vocabulary, before, atom) for atom in options)
        after = None if following is None else DishDraft(following, "")
        fits_after = after is not None and all(fits(self._vocabulary, after, atom) for atom in options)
        owner = None if fits_after else owner_of(self._vocabulary, segment.said)
        if owner and (before is None or not fits_before or (before.said and not before.pieces)):
            self.drafts.append(DishDraft(owner, words_of(segment.said), piece.quantity, segment.said))
        elif fits_before and fits_after:
            self._ask("which_line", words_of(segment.atoms))
        elif fits_before and before is not None:
            before.pieces = [*before.pieces, piece]
        else:
            self._pieces.append(piece)

    def _add_named(self, number: Atom | None, said: list[Atom], following: str | None = None) -> bool:
        """`2 kıymalı pide 1 kaşarlı`: what may go with a dish is also what another is called by, and is asked about."""
        named = self._vocabulary.named_by(words_of(said))
        last = self.drafts[-1].item_id if self.drafts and not self._pieces else None
        if not named or any(one and offers(self._vocabulary, one, said) for one in (last, following)):
            return False
        dish = Atom("dish", words_of(said), ids=named, is_sure=False)
        self._add_line(number, self._settle_dish(dish), [])
        return True

    def _add_numbered_behind(self, atoms: list[Atom]) -> None:
        run: list[Atom] = []
        for atom in atoms:
            if atom.kind == "number":
                self._add_line(atom, next(one for one in run if one.kind == "dish"), run)
                run = []
            else:
                run.append(atom)

    def _add_segments(self, parts: list[Segment], chunk: Chunk) -> None:
        head, *rest = parts
        counted = [segment for segment in rest if segment.dishes]
        if head.dishes and counted and any(one.number and one.number.value != 1 for one in rest):
            # `adana 2 ayran`: two of which? One of each is one of each.
            self._ask_how_many([atom for one in parts for atom in one.all])
            return
        self._ask_about_trailing(parts, chunk)
        if head.dishes:
            self._add_uncounted(head.atoms, chunk)
        elif head.said:
            self._said.extend(head.said)
        for place, segment in enumerate(rest):
            if segment.dishes:
                self._add_counted(segment)
            else:
                following = next((one.dishes[0].ids[0] for one in rest[place + 1 :] if one.dishes), None)
                self._add_piece(segment, following)

    def _ask_about_trailing(self, parts: list[Segment], chunk: Chunk) -> None:
        """`2 adana 2 urfa acısız`: the last ones, or all of them? Only a dish that nothing was said of is in doubt."""
        last = parts[-1]
        if len(last.dishes) != 1:
            return
        dish = last.dishes[0]
        trailing = [atom for atom in last.atoms[last.atoms.index(dish) + 1 :] if atom.kind == "option"]
        plain = dict.fromkeys(one.dishes[0].ids[0] for one in parts[:-1] if len(one.dishes) == 1 and not one.said)
        before = self.drafts[-1] if self.drafts and chunk.joins else None
        if before is not None and not before.said and not before.pieces:
            plain = {before.item_id: None, **plain}
        for atom in trailing:
            others = [key for key in plain if key not in dish.ids and fits(self._vocabulary, DishDraft(key, ""), atom)]
            if others:
                self._ask_for_whom(atom, [*others, *dish.ids] if len(dish.ids) == 1 else [])
                last.atoms.remove(atom)

    def _add_counted(self, segment: Segment) -> None:
        first, *others = segment.dishes
        number = segment.number
        if others and (number is None or number.value != 1):
            # `2 adana ayran`: how many of the second?
            places = [segment.atoms.index(dish) for dish in segment.dishes]
            self._add_line(number, first, segment.atoms[: places[1]])
            for dish, place, end in zip(others, places[1:], [*places[2:], None], strict=True):
                told = self._number(dish.text)
                if told is None:
                    self._ask("how_many", dish.text, dish.ids[0] if len(dish.ids) == 1 else "")
                else:
                    self._add_line(told, dish, segment.atoms[place:end])
            return
        if others:
            self._add_uncounted(segment.atoms, Chunk("start"))
            return
        self._add_line(number, first, segment.atoms)

    def _add_uncounted(self, atoms: list[Atom], chunk: Chunk) -> None:
        dishes = [atom for atom in atoms if atom.kind == "dish"]
        # `2 adana ve ayran`: one, or two as well? Said elsewhere in the text, the same word is one.
        is_open = chunk.goes_on and bool(self.drafts) and (self.drafts[-1].quantity or 1) > 1
        told = self._number(dishes[0].text) if is_open else None
        if is_open and told is None:
            self._ask("how_many", dishes[0].text, dishes[0].ids[0] if len(dishes[0].ids) == 1 else "")
        for dish, said in share_out(atoms, self._vocabulary, self._ask_for_whom):
            self._add_line(told if dish is dishes[0] else None, dish, said)

    def _add_line(self, number: Atom | None, dish: Atom, atoms: list[Atom]) -> None:
        said = [*self._said, *(atom for atom in atoms if atom.kind in MODIFIERS)]
        pieces, self._pieces, self._said = self._pieces, [], []
        picks = self._settled.dish(dish.text)
        if len(dish.ids) != 1 or not dish.is_sure:
            if pieces or not self._add_picks(number, dish, picks, said):
                self._ask("which_item", dish.text, candidates=self._listed(dish.ids))
            return
        said += [one for pick in picks if pick.id == dish.ids[0] for one in pick.said]
        if number is not None and number.bound != "told" and _is_doubtful(number, self._vocabulary.items[dish.ids[0]]):
            text = f"{number.text} {dish.text}"
            number = self._number(text)
            if number is None:
                self._ask("how_many", text, dish.ids[0])
                return
        value = None if number is None else number.value
        quantity = None if value is None else int(value)
        if pieces:
            # `1 acılı 1 acısız adana`: the last number is one more piece of the same dish.
            self.drafts.append(DishDraft(dish.ids[0], dish.text, None, [], [*pieces, Piece(quantity or 1, said)]))
            return
        self.drafts.append(DishDraft(dish.ids[0], dish.text, quantity, said))

    def _listed(self, ids: Sequence[str]) -> tuple[str, ...]:
        """As the menu has them."""
        return tuple(one for one in self._vocabulary.items if one in ids)[:MOST_CHOICES]

    def _add_picks(self, number: Atom | None, dish: Atom, picks: Sequence[Pick], said: list[Atom]) -> bool:
        """Several of one word, each another dish: `two of the pides` were one of this and one of that."""
        if number is not None and (number.bound == "part" or not is_count(number)):
            return False
        counts = share(picks, None if number is None else int(number.value))
        if counts is None or any(pick.id not in self._vocabulary.items for pick in picks):
            return False
        for pick, count in zip(picks, counts, strict=True):
            self.drafts.append(DishDraft(pick.id, dish.text, count, [*said, *pick.said]))
        return True


def _is_doubtful(number: Atom, item: Item) -> bool:
    return number.bound == "part" or not is_count(number) or counts_pieces(number, item)
