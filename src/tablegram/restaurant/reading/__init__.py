"""Reading an order that somebody just wrote: `iki lahmacun, bir ayran`, `2x adana acısız`, `can we get three cokes`.

Every word is accounted for, with typing errors and endings; what could be read two ways is asked. A wrong order is
worse than a question, so nothing here guesses.

    addresses → tokens → people → denials → atoms → chunks → assembly → drafts → lines and questions

An answer to a question is read by `answers`, and `joining` reads the earlier text again with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from tablegram.restaurant.lines import DishLine, join_same
from tablegram.restaurant.reading.dialogue.paying import without_online
from tablegram.restaurant.reading.dialogue.questions import Question, ask, ask_all
from tablegram.restaurant.reading.dialogue.settled import NOTHING, Settled, Settlement
from tablegram.restaurant.reading.dishes.assembly import Assembly
from tablegram.restaurant.reading.dishes.atoms import Atom
from tablegram.restaurant.reading.dishes.chunks import cut
from tablegram.restaurant.reading.dishes.drafts import DishDraft, finish
from tablegram.restaurant.reading.dishes.taking import atoms_of, take_atoms
from tablegram.restaurant.reading.effort import MAX_STEPS, MAX_STRANGE, MAX_WORDS, Effort, TooMuch
from tablegram.restaurant.reading.sentences.addresses import take_out
from tablegram.restaurant.reading.sentences.people import leave_out_people
from tablegram.restaurant.reading.words.lexicon import ASKS_KINDLY, FILLERS, FOR_WHOM, LATER, PIECES
from tablegram.restaurant.reading.words.tokens import Token, count_words, take_apart, words_of
from tablegram.restaurant.reading.words.vocabulary import Vocabulary

__all__ = ["MAX_TEXT", "Question", "Reading", "Settled", "Settlement", "Vocabulary", "ask", "ask_all", "read"]

# Nobody orders in more words; a longer text is something else.
MAX_TEXT = 2_000
# In more words somebody says something else, in which a word looks like a dish.
MOST_NEAR = 6
# `almıyorum`, `yemeyeceğim`: the verb itself denies.
_NOT_WANTED = re.compile("m[iu]yor|m[ae]yec[ae]|m[ae]y[iu]n|m[ae]yalim|m[ae]yelim|m[ae]s[iu]n|m[ae]d[iu][mk]$")


class Reading(msgspec.Struct, frozen=True):
    """What a text orders. While there are questions it is no order; the lines are what was understood so far."""

    lines: tuple[DishLine, ...] = ()
    questions: tuple[Question, ...] = ()
    notes: str = ""
    # As it was said, and never trusted: a table is told by its code.
    table: str = ""
    order_type: str = ""
    # Where it is to be brought, as it was written.
    address: str = ""
    # Something of the menu was named, understood or not.
    names_dish: bool = False
    # It speaks of an earlier order, or of what somebody must not eat.
    tells: bool = False
    # Words that mean nothing to us, beside dishes that do. They are shown when the order is read back.
    missed: tuple[str, ...] = ()
    # Of a text that names several places: the order of each.
    parts: tuple[Reading, ...] = ()
    # The guest has taken something back in the same text, said a dish twice, wants a part of one, or wrote a word that is
    # only nearly one.
    is_corrected: bool = False
    # A language model read it.
    is_guess: bool = False

    @property
    def is_order(self) -> bool:
        return bool(self.lines) and not self.questions

    @property
    def is_sure(self) -> bool:
        """Whether nothing at all is in doubt: words that are not the menu's, and where it is brought, are shown first."""
        # How it is paid is understood, and done.
        is_plain = not without_online(self.notes) and not self.address and not any(line.note for line in self.lines)
        return self.is_order and is_plain and not self.missed and not self.is_corrected and not self.is_guess


def read(
    text: str, vocabulary: Vocabulary, settled: Settled = NOTHING, effort: Effort | None = None, *, heeds: bool = True
) -> Reading:
    """The order in a guest's text, or what they have to be asked. `settled` is what they have answered already.

    Who does not heed what is told beside it takes it for words that mean nothing.

    A text that takes more effort than an order does is none, and people answer it like any other.
    """
    if settled is not NOTHING or effort is not None:
        return _read_within(text, vocabulary, settled, effort or Effort(MAX_STEPS), heeds=heeds)
    # Whoever looks for corrections comes back to the same words.
    return vocabulary.recent.once(
        (text, heeds), lambda: _read_within(text, vocabulary, settled, Effort(MAX_STEPS), heeds=heeds)
    )


def _read_within(text: str, vocabulary: Vocabulary, settled: Settled, effort: Effort, *, heeds: bool) -> Reading:
    try:
        return _read(text, vocabulary.within(effort), settled, heeds=heeds)
    except TooMuch:
        return Reading(questions=(Question("not_an_order", text[:60]),))


def _read(text: str, vocabulary: Vocabulary, settled: Settled, *, heeds: bool) -> Reading:
    # There are no more words than signs.
    if len(text) > MAX_TEXT or (len(text) > MAX_WORDS and count_words(text) > MAX_WORDS):
        raise TooMuch
    ordered, address = take_out(text, vocabulary)
    written = take_apart(ordered)
    if len(written) > MAX_WORDS or _count_strange(written, vocabulary) > MAX_STRANGE:
        # The marks between the words count as well, once it is known which are marks.
        raise TooMuch
    tokens = leave_out_people(written, vocabulary)
    taken = atoms_of(ordered, vocabulary) if len(tokens) == len(written) else take_atoms(tokens, vocabulary)
    if not heeds:
        taken.atoms = [
            Atom("unknown", atom.text, key=atom.text) if atom.kind in ("tells", "asks") else atom
            for atom in taken.atoms
        ]
    if heeds and _is_questioned(tokens, taken.atoms):
        taken.atoms.append(Atom("asks", "?"))
    assembly = Assembly(vocabulary, settled)
    for chunk in cut(taken.atoms):
        assembly.add(chunk)
    assembly.end()
    # `bana çay, eşime çay` are two.
    is_for_each = len({token.key for token in written} & FOR_WHOM) > 1
    lines, questions = _finished(assembly, vocabulary, settled, is_for_each=is_for_each)
    kinds, questions = _weighed(text, taken.atoms, assembly, lines, questions)
    missed: tuple[str, ...] = ()
    if lines or any(question.can_be_answered for question in questions):
        missed = tuple(dict.fromkeys(one.fragment for one in questions if _is_noise(one)))
        questions = [one for one in questions if not _is_noise(one)]
    # Who says where it is to be brought wants it brought.
    order_type = taken.order_type or ("delivery" if address and lines and not taken.table else "")
    return Reading(
        join_same(lines), tuple(questions), "; ".join(taken.notes), taken.table, order_type,
        names_dish=bool(kinds & {"dish", "either"}), tells="tells" in kinds, address=address, missed=missed,
        is_corrected=_has_pieces(tokens) or any(atom.is_near for atom in taken.atoms),
    )  # fmt: skip


def _finished(
    assembly: Assembly, vocabulary: Vocabulary, settled: Settled, *, is_for_each: bool
) -> tuple[list[DishLine], list[Question]]:
    """Every mention as lines, and what is to be asked about them."""
    lines: list[DishLine] = []
    questions = list(assembly.questions)
    for draft in assembly.drafts:
        draft.is_more = draft.is_more or is_for_each
        made, asked = finish(vocabulary, draft, settled)
        questions.extend(question for question in asked if question not in questions)
        if any(question.kind == "changed_mind" for question in questions):
            lines.extend(made)
            continue
        for line in made:
            same = [other for other in lines if other.key == line.key]
            told = settled.count(draft.text) if same and not draft.is_more else None
            if told is None:
                questions.extend(_ask_again(draft, line, lines))
            else:
                # The answer says how many in all.
                lines = [other for other in lines if other.key != line.key]
            lines.append(line if told is None else msgspec.structs.replace(line, quantity=told))
    return lines, questions


def _weighed(
    text: str, atoms: Sequence[Atom], assembly: Assembly, lines: Sequence[DishLine], questions: list[Question]
) -> tuple[set[str], list[Question]]:
    """Of which kinds the words are, and what is asked where the text as a whole may be no order."""
    # `turn the music down a little` counts nothing.
    kinds: set[str] = {atom.kind for atom in atoms if atom.bound != "article"}
    if (
        not assembly.drafts
        and not kinds & {"dish", "either"}
        and not (questions and kinds & {"number", "asks", "mind"})
    ):
        questions = [_nothing_found(questions, text)]
    strange = [atom for atom in atoms if atom.kind == "unknown"]
    is_named = any(
        atom.kind == "either" or atom.is_sure or len(atom.ids) > 1 for atom in atoms if atom.kind in ("dish", "either")
    )
    if not lines and not is_named and "number" not in kinds and count_words(text) > MOST_NEAR and len(strange) > 1:
        # Of so many words one is like a dish by chance.
        questions = [one for one in questions if one.kind in ("asks", "tells")] or [_nothing_found([], text)]
        kinds -= {"dish"}
    if "asks" in {question.kind for question in questions} and "number" not in kinds:
        # Who wants to know something and says of nothing how many is not asked back which dish they mean.
        questions = [question for question in questions if question.kind == "asks"][:1]
    if any(question.kind == "tells" for question in questions):
        # Whatever else is open in it: it is no order.
        questions = [question for question in questions if question.kind in ("tells", "asks")][:1]
    return kinds, questions


def _count_strange(tokens: Sequence[Token], vocabulary: Vocabulary) -> int:
    """Words that are not the menu's as they are spelt, each once: they are what is compared letter by letter."""
    words = {token.key for token in tokens if token.kind == "word"}
    return sum(not vocabulary.is_known(word) for word in words - FILLERS)


def _is_questioned(tokens: Sequence[Token], atoms: Sequence[Atom]) -> bool:
    """`adana?` asks something; `adana lütfen?` and `2 adana?` order."""
    keys = {token.key for token in tokens}
    return "?" in keys and not keys & ASKS_KINDLY and not any(atom.kind in ("number", "asks") for atom in atoms)


def _has_pieces(tokens: Sequence[Token]) -> bool:
    """Halves and slices: of what the menu sells whole, the guest looks at it before it is cooked."""
    return any(token.value % 1 or token.key in PIECES or token.kind == "doubt" for token in tokens)


def _is_noise(question: Question) -> bool:
    """Words that no dish is near to. When something is wanted later, or not at all, that is no noise."""
    if question.kind != "unknown" or question.candidates:
        return False
    words = words_of(question.fragment)
    return not LATER & set(words) and not any(_NOT_WANTED.search(word) for word in words)


def _ask_again(draft: DishDraft, line: DishLine, lines: list[DishLine]) -> list[Question]:
    """The same thing twice is a correction or a second helping; only `more` says which."""
    if draft.is_more or all(line.key != other.key for other in lines):
        return []
    return [Question("how_many", draft.text, draft.item_id)]


def _nothing_found(questions: list[Question], text: str) -> Question:
    """One question is enough for a text that names no dish; a word of a few that is near to one is worth asking about."""
    is_short = count_words(text) <= MOST_NEAR
    near = next((question for question in questions if is_short and question.candidates), None)
    return near or Question("not_an_order", " ".join(text.split())[:60])
