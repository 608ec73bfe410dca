"""From atoms to lines: which number and which option belong to which dish. What can be read two ways is asked."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tablegram.restaurant.reading.atoms import Atom
from tablegram.restaurant.reading.drafts import Draft, Piece, fits, is_open_for
from tablegram.restaurant.reading.questions import Kind, Question
from tablegram.restaurant.reading.vocabulary import Vocabulary

# More of one dish than this is asked about before a kitchen cooks it.
MOST = 20

_ASKED: dict[str, Kind] = {"unknown": "unknown", "mind": "changed_mind", "asks": "asks", "emoji": "unknown"}
_MODIFIERS = frozenset({"option", "note"})


class Chunk(msgspec.Struct):
    """What stands between two commas, lines or `and`s."""

    led_by: str
    joint: str = ""
    atoms: list[Atom] = []


class Segment(msgspec.Struct):
    """From one number to the next."""

    number: Atom | None
    atoms: list[Atom] = []

    @property
    def dishes(self) -> list[Atom]:
        return [atom for atom in self.atoms if atom.kind == "dish"]

    @property
    def said(self) -> list[Atom]:
        return [atom for atom in self.atoms if atom.kind in _MODIFIERS]


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
            chunks[-1].atoms.append(atom)
    return [chunk for chunk in chunks if chunk.atoms]


class Assembly:
    """Works through the chunks in order, and keeps the drafts and the questions."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self.drafts: list[Draft] = []
        self.questions: list[Question] = []
        # What was said before the dish that it belongs to.
        self._pieces: list[Piece] = []
        self._said: list[Atom] = []
        # Something of this chunk was not understood, so that its numbers need no question of their own.
        self._is_asked = False

    def add(self, chunk: Chunk) -> None:
        self._is_asked = False
        atoms = self._settle_either(self._put_aside(chunk.atoms))
        if any(atom.kind == "all" for atom in atoms):
            self._say_of_all(atoms)
            return
        atoms = self._bind(atoms)
        if any(atom.kind == "doubt" for atom in atoms):
            self._ask_how_many(atoms)
            return
        dishes = [atom for atom in atoms if atom.kind == "dish"]
        is_more = any(atom.kind == "more" for atom in atoms)
        atoms = [atom for atom in atoms if atom.kind != "more"]
        before = len(self.drafts)
        if not dishes:
            self._add_without_dish(atoms, chunk)
        elif self._is_numbered_behind(atoms):
            self._add_numbered_behind(atoms)
        else:
            self._add_segments(_segments(atoms), chunk)
        for draft in self.drafts[before:]:
            draft.is_more = is_more

    def end(self) -> None:
        """Nothing follows any more: what waited for a dish has none."""
        for piece in self._pieces:
            self._ask("which_line", " ".join(atom.text for atom in piece.said) or str(piece.quantity))
        if self._said:
            self._ask("which_line", " ".join(atom.text for atom in self._said))

    def _ask(self, kind: Kind, fragment: str, item_id: str = "", candidates: tuple[str, ...] = ()) -> None:
        question = Question(kind, fragment, item_id, candidates=candidates)
        if self._is_asked and kind == "how_many":
            return
        if question not in self.questions:
            self.questions.append(question)

    def _put_aside(self, atoms: Sequence[Atom]) -> list[Atom]:
        """Ask about every run of words that was not understood; the rest goes on."""
        kept: list[Atom] = []
        run: list[Atom] = []
        has_dish = any(atom.kind in ("dish", "either") for atom in atoms)
        for atom in [*atoms, Atom("end", "")]:
            if atom.kind in _ASKED and not (atom.kind == "emoji" and has_dish and not _repeats(atom.text)):
                run.append(atom)
                continue
            if run and atom.kind != "emoji":
                self._ask_about(run)
                run = []
            if atom.kind not in ("end", "emoji"):
                kept.append(atom)
        return kept

    def _ask_about(self, run: list[Atom]) -> None:
        kinds = [atom.kind for atom in run]
        kind: Kind = _ASKED["mind" if "mind" in kinds else "asks" if "asks" in kinds else "unknown"]
        near = [item_id for atom in run if atom.key for item_id in self._vocabulary.near(atom.key)]
        candidates = tuple(dict.fromkeys(near))[:4] if kind == "unknown" else ()
        self._ask(kind, " ".join(atom.text for atom in run), candidates=candidates)
        self._is_asked = True

    def _settle_either(self, atoms: list[Atom]) -> list[Atom]:
        """Fries may be a dish, or a side of the burger before them."""
        settled: list[Atom] = []
        for atom in atoms:
            if atom.kind != "either":
                settled.append(atom)
                continue
            before = next((one for one in reversed(settled) if one.kind == "dish" and len(one.ids) == 1), None)
            draft = Draft(before.ids[0], before.text) if before else self.drafts[-1] if self.drafts else None
            in_part = atom.key == "part" and not atom.is_sure
            as_option = msgspec.structs.replace(
                atom, kind="option", ids=() if in_part else atom.part, part=atom.part if in_part else ()
            )
            has_number = bool(settled) and settled[-1].kind == "number"
            if draft is None or has_number or not is_open_for(self._vocabulary, draft, as_option):
                settled.append(msgspec.structs.replace(atom, kind="dish", part=()))
            elif atom.is_inside or not atom.is_sure or self._is_required(draft, as_option):
                settled.append(as_option)
            else:
                self._ask("which_line", atom.text, draft.item_id)
        return settled

    def _is_required(self, draft: Draft, atom: Atom) -> bool:
        return any(
            group.required for group, option in self._vocabulary.options_of(draft.item_id) if option.id in atom.ids
        )

    def _bind(self, atoms: list[Atom]) -> list[Atom]:
        """`x2` counts what stands before it: the number changes places with it, and becomes a plain one."""
        bound: list[Atom] = []
        for atom in atoms:
            if atom.kind == "number" and atom.bound == "post":
                place = next((at for at in range(len(bound) - 1, -1, -1) if bound[at].kind in ("dish", "number")), None)
                plain = msgspec.structs.replace(atom, bound="")
                if place is not None and bound[place].kind == "dish":
                    # The options before the dish stay with it.
                    while place > 0 and bound[place - 1].kind in _MODIFIERS:
                        place -= 1
                    bound.insert(place, plain)
                else:
                    bound.append(plain)
            else:
                bound.append(atom)
        return bound

    def _say_of_all(self, atoms: list[Atom]) -> None:
        """`hepsi acısız`: every dish that can be had so."""
        said = [atom for atom in atoms if atom.kind in _MODIFIERS]
        text = " ".join(atom.text for atom in atoms)
        if any(atom.kind in ("dish", "number", "doubt") for atom in atoms) or not said or not self.drafts:
            self._ask("changed_mind", text)
            return
        for atom in said:
            takers = [draft for draft in self.drafts if fits(self._vocabulary, draft, atom)]
            if not takers:
                self._ask("unknown_option", atom.text, self.drafts[-1].item_id)
            for draft in takers:
                draft.said = [*draft.said, atom]

    def _ask_how_many(self, atoms: list[Atom]) -> None:
        dishes = [atom for atom in atoms if atom.kind == "dish"]
        only = dishes[0].ids[0] if len(dishes) == 1 and len(dishes[0].ids) == 1 else ""
        self._ask("how_many", " ".join(atom.text for atom in atoms), only)

    def _add_without_dish(self, atoms: list[Atom], chunk: Chunk) -> None:
        head, *pieces = _segments(atoms)
        if head.said:
            self._say_of_last(head.said, chunk)
        for piece in pieces:
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
                only = others[0] if len(others) == 1 else None
                self._ask("unknown_option" if only is None else "which_line", atom.text, last.item_id)
            elif others and not goes_on:
                self._ask("which_line", atom.text)
            elif last.pieces:
                last.pieces[-1].said.append(atom)
            else:
                last.said = [*last.said, atom]

    def _add_piece(self, segment: Segment, following: str | None) -> None:
        """A number with options and no dish: so many of the dish before it, or of the one that follows."""
        number = segment.number
        if number is None or not segment.said or number.value % 1 or not 1 <= number.value <= MOST:
            self._ask("how_many", " ".join(atom.text for atom in ([number] if number else []) + segment.atoms))
            return
        piece = Piece(int(number.value), segment.said)
        options = [atom for atom in segment.said if atom.kind == "option"]
        before = self.drafts[-1] if self.drafts and not self._pieces else None
        fits_before = before is not None and all(fits(self._vocabulary, before, atom) for atom in options)
        after = None if following is None else Draft(following, "")
        fits_after = after is not None and all(fits(self._vocabulary, after, atom) for atom in options)
        if fits_before and fits_after:
            self._ask("which_line", " ".join(atom.text for atom in segment.atoms))
        elif fits_before and before is not None:
            before.pieces = [*before.pieces, piece]
        else:
            self._pieces.append(piece)

    def _is_numbered_behind(self, atoms: list[Atom]) -> bool:
        """`adana 2 ayran 3`: every dish has its number behind it, and none before."""
        order = [atom for atom in atoms if atom.kind in ("dish", "number")]
        pairs = len(order) // 2
        return (
            len(order) >= 2
            and [atom.kind for atom in order] == ["dish", "number"] * pairs
            and atoms[-1].kind == "number"
            and all(atom.bound == "" for atom in order)
        )

    def _add_numbered_behind(self, atoms: list[Atom]) -> None:
        run: list[Atom] = []
        for atom in atoms:
            if atom.kind == "number":
                self._add_line(atom, next(one for one in run if one.kind == "dish"), run)
                run = []
            else:
                run.append(atom)

    def _add_segments(self, segments: list[Segment], chunk: Chunk) -> None:
        head, *rest = segments
        counted = [segment for segment in rest if segment.dishes]
        if head.dishes and counted:
            # `adana 2 ayran`: two of which?
            self._ask("how_many", " ".join(atom.text for one in segments for atom in _all(one)))
            return
        if head.dishes:
            self._add_uncounted(head.atoms, chunk)
        elif head.said:
            self._said.extend(head.said)
        self._ask_about_trailing(rest)
        for place, segment in enumerate(rest):
            if segment.dishes:
                self._add_counted(segment)
            else:
                following = next((one.dishes[0].ids[0] for one in rest[place + 1 :] if one.dishes), None)
                self._add_piece(segment, following)

    def _ask_about_trailing(self, segments: list[Segment]) -> None:
        """`2 adana 2 urfa acısız`: the last ones, or all of them? Only a dish that nothing was said of is in doubt."""
        last = segments[-1] if segments else None
        if last is None or len(last.dishes) != 1:
            return
        trailing = [atom for atom in last.atoms[last.atoms.index(last.dishes[0]) + 1 :] if atom.kind in _MODIFIERS]
        plain = {one.dishes[0].ids[0] for one in segments[:-1] if len(one.dishes) == 1 and not one.said}
        for atom in trailing:
            others = [key for key in plain - set(last.dishes[0].ids) if fits(self._vocabulary, Draft(key, ""), atom)]
            if others and atom.kind == "option":
                self._ask("which_line", atom.text)

    def _add_counted(self, segment: Segment) -> None:
        first, *others = segment.dishes
        number = segment.number
        if others and (number is None or number.value != 1):
            # `2 adana ayran`: how many of the second?
            for dish in others:
                self._ask("how_many", dish.text, dish.ids[0] if len(dish.ids) == 1 else "")
            own = segment.atoms[: segment.atoms.index(others[0])]
            self._add_line(number, first, own)
            return
        if others:
            self._add_uncounted(segment.atoms, Chunk("start"))
            return
        self._add_line(number, first, segment.atoms)

    def _add_uncounted(self, atoms: list[Atom], chunk: Chunk) -> None:
        dishes = [atom for atom in atoms if atom.kind == "dish"]
        last = self.drafts[-1] if self.drafts else None
        if chunk.led_by == "and" and chunk.joint != "de" and last is not None and (last.quantity or 1) > 1:
            # `2 adana ve ayran`: one, or two as well?
            self._ask("how_many", dishes[0].text, dishes[0].ids[0] if len(dishes[0].ids) == 1 else "")
        groups = self._share_out(atoms)
        for dish, said in groups:
            self._add_line(None, dish, said)

    def _share_out(self, atoms: list[Atom]) -> list[tuple[Atom, list[Atom]]]:
        """Options between dishes without a comma: those of the dish before, or of the one behind, never by guess."""
        places = [place for place, atom in enumerate(atoms) if atom.kind == "dish"]
        shares: list[tuple[Atom, list[Atom]]] = [(atoms[place], []) for place in places]
        leads = any(atom.kind in _MODIFIERS for atom in atoms[: places[0]])
        trails = any(atom.kind in _MODIFIERS for atom in atoms[places[-1] + 1 :])
        for place, atom in enumerate(atoms):
            if atom.kind not in _MODIFIERS:
                continue
            before = sum(1 for one in places if one < place) - 1
            choices = [one for one in (before, before + 1) if 0 <= one < len(shares)]
            able = [
                one
                for one in choices
                if all(fits(self._vocabulary, Draft(key, ""), atom) for key in shares[one][0].ids)
            ]
            if len(choices) == 2 and len(able) == 2 and leads != trails:
                able = [before + 1] if leads else [before]
            earlier = [share for share in shares[:-1] if not share[1] and len(share[0].ids) == 1]
            trails_for_all = place > places[-1] and any(
                fits(self._vocabulary, Draft(share[0].ids[0], ""), atom) for share in earlier
            )
            if (len(choices) == 2 and len(able) == 2) or (trails_for_all and atom.kind == "option"):
                self._ask("which_line", atom.text)
            else:
                shares[(able or choices)[0]][1].append(atom)
        return shares

    def _add_line(self, number: Atom | None, dish: Atom, atoms: list[Atom]) -> None:
        said = [*self._said, *(atom for atom in atoms if atom.kind in _MODIFIERS)]
        pieces, self._pieces, self._said = self._pieces, [], []
        if len(dish.ids) != 1 or not dish.is_sure:
            self._ask("which_item", dish.text, candidates=dish.ids[:8])
            return
        value = None if number is None else number.value
        if number is not None and number.bound == "part":
            self._ask("how_many", f"{number.text} {dish.text}", dish.ids[0])
            return
        if value is not None and (value % 1 or not 1 <= value <= MOST):
            self._ask("how_many", f"{number.text if number else ''} {dish.text}", dish.ids[0])
            return
        quantity = None if value is None else int(value)
        if pieces:
            # `1 acılı 1 acısız adana`: the last number is one more piece of the same dish.
            self.drafts.append(Draft(dish.ids[0], dish.text, None, [], [*pieces, Piece(quantity or 1, said)]))
            return
        self.drafts.append(Draft(dish.ids[0], dish.text, quantity, said))


def _segments(atoms: Sequence[Atom]) -> list[Segment]:
    """The first is what stands before any number."""
    segments = [Segment(None)]
    for atom in atoms:
        if atom.kind == "number":
            segments.append(Segment(atom))
        else:
            segments[-1].atoms.append(atom)
    return segments


def _all(segment: Segment) -> list[Atom]:
    return [*([segment.number] if segment.number else []), *segment.atoms]


def _repeats(signs: str) -> bool:
    drawn = [sign for sign in signs if ord(sign) > 0x1F000]
    return len(drawn) != len(set(drawn))
