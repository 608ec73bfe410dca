"""An earlier text and what the guest answered about it, as one order; or what is open still.

A wrong order is worse than a question: only what is beyond doubt an answer is joined, and an order that the earlier text
has no part in is a new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from tablegram.restaurant.lines import join_same
from tablegram.restaurant.reading import Reading, read
from tablegram.restaurant.reading.dialogue.answers import MAX_ANSWER, GuestAnswer, understand
from tablegram.restaurant.reading.dialogue.questions import Question
from tablegram.restaurant.reading.dialogue.settled import Settled, Settlement
from tablegram.restaurant.reading.letters.suffixes import is_form_of, without
from tablegram.restaurant.reading.sentences import additions
from tablegram.restaurant.reading.words import lexicon
from tablegram.restaurant.reading.words.tokens import take_apart, words_of
from tablegram.restaurant.reading.words.vocabulary import Vocabulary

# A yes or no with more words than this is about something else.
_MOST_SIGNS = 3


class Progress(msgspec.Struct, frozen=True):
    """What was understood so far, besides the earlier text."""

    settlements: tuple[Settlement, ...] = ()
    table: str = ""
    order_type: str = ""
    notes: str = ""
    # Dishes that were added to the earlier text, as they were written.
    more: tuple[str, ...] = ()


class Asked(msgspec.Struct, frozen=True):
    """A text that left something open, and the questions about it as they were listed."""

    text: str
    questions: tuple[Question, ...]
    progress: Progress = Progress()

    @property
    def before(self) -> tuple[Question, ...]:
        """Questions that were answered already; the guest may think better of them."""
        return tuple(one.question for one in self.progress.settlements)


class Joined(msgspec.Struct, frozen=True):
    """`goes_on`: see the reading, which is an order or has questions. `dropped` and `refused`: the guest does without,
    or says no to what we thought. `new`: the text is an order of its own. `unrelated`: it is about something else."""

    kind: Literal["goes_on", "dropped", "refused", "new", "unrelated"]
    reading: Reading = Reading()
    progress: Progress = Progress()


def join(
    asked: Asked, text: str, vocabulary: Vocabulary, heard: Reading | None = None, *, is_seen: bool = True
) -> Joined:
    """What becomes of an earlier text by what the guest writes next. `heard` is that text, read by itself.

    Where they cannot have seen the questions when they wrote it, only words that say something by themselves are an answer.
    """
    added = _join_addition(asked, text, vocabulary, is_seen=is_seen)
    if added is not None:
        return added
    heard = read(text, vocabulary) if heard is None else heard
    split = _join_split(asked, text, heard, vocabulary)
    if split is not None:
        return split
    answer = understand(text, asked.questions, vocabulary, asked.before)
    if answer.is_sign and not is_seen:
        return Joined("unrelated")
    if answer.kind in ("dropped", "refused"):
        return Joined(answer.kind, progress=asked.progress)
    if heard.is_order and _is_recount(asked, heard, vocabulary):
        # `ayran 2 olsun`: of what was clear. Neither all of the order nor an answer.
        return Joined("refused", progress=asked.progress)
    if heard.is_order and _is_whole(asked, text, heard, answer, vocabulary):
        return Joined("new")
    if answer.kind == "unclear" and is_counted(text) and _is_placed(heard):
        # They write all of it again, and it is no clearer.
        return Joined("unrelated")
    if answer.kind == "unrelated" and not _names_only_dishes(text, heard):
        return Joined("unrelated")
    progress = _add(asked.progress, answer)
    reading = read_on(asked.text, progress, vocabulary)
    if reading.is_order and answer.kind != "settles":
        # Nothing is open any more, since the menu has changed; that they want what is left of it, they have not said.
        return Joined("refused", progress=asked.progress)
    return Joined("goes_on", reading, progress)


def _join_addition(asked: Asked, text: str, vocabulary: Vocabulary, *, is_seen: bool) -> Joined | None:
    """`kıymalı, bir de kola`: the answer, and another dish. Nothing where that dish may be the answer, or said again."""
    parts = additions.split(text) if len(text) <= MAX_ANSWER else None
    more = read(parts[1], vocabulary) if parts else Reading()
    if parts is None or not more.is_order:
        return None
    earlier = read_on(asked.text, asked.progress, vocabulary)
    known = {one for question in (*asked.questions, *asked.before) for one in (question.item_id, *question.candidates)}
    if {line.item_id for line in more.lines} & (known | {line.item_id for line in earlier.lines}):
        return None
    answer = understand(parts[0], asked.questions, vocabulary, asked.before) if parts[0] else GuestAnswer("settles")
    if answer.kind != "settles" or (answer.is_sign and not is_seen):
        return None
    place = GuestAnswer("settles", table=more.table, order_type=more.order_type, notes=more.notes)
    progress = _add(_add(asked.progress, answer), place)
    progress = msgspec.structs.replace(progress, more=(*progress.more, parts[1]))
    reading = read_on(asked.text, progress, vocabulary)
    return None if reading.is_order and not answer.settlements else Joined("goes_on", reading, progress)


def _join_split(asked: Asked, text: str, heard: Reading, vocabulary: Vocabulary) -> Joined | None:
    """`türk kahvesi olsun, biri sade biri orta` to which of two coffees: as many as were ordered, and the rest stays."""
    question = asked.questions[0] if len(asked.questions) == 1 else None
    if question is None or question.kind != "which_item" or not heard.is_order or heard.missed or _is_placed(heard):
        return None
    numbers = [token for token in take_apart(text) if token.kind == "number" and token.bound != "article"]
    is_part = bool(numbers) and all(token.bound == "part" for token in numbers)
    if not is_part or not {line.item_id for line in heard.lines} <= set(question.candidates):
        return None
    tokens, words = take_apart(asked.text), words_of(question.fragment)
    places = [at for at in range(1, len(tokens)) if [one.key for one in tokens[at : at + len(words)]] == words]
    counts = [tokens[at - 1].value for at in places if tokens[at - 1].kind == "number"]
    if counts != [sum(line.quantity for line in heard.lines)]:
        return None
    clear = read_on(asked.text, asked.progress, vocabulary)
    lines = join_same([*clear.lines, *heard.lines])
    whole = msgspec.structs.replace(clear, lines=lines, questions=(), is_corrected=True)
    return Joined("goes_on", whole, asked.progress)


def read_on(text: str, progress: Progress, vocabulary: Vocabulary) -> Reading:
    """An earlier text, read with everything that was answered since."""
    reading = read(text, vocabulary, Settled(progress.settlements))
    added = [read(more, vocabulary) for more in progress.more]
    return msgspec.structs.replace(
        reading,
        lines=join_same([line for one in (reading, *added) for line in one.lines]),
        questions=tuple(question for one in (reading, *added) for question in one.questions),
        notes="; ".join(note for note in (reading.notes, progress.notes) if note),
        table=progress.table or reading.table,
        order_type=progress.order_type or ("" if progress.table else reading.order_type),
    )


def is_echo(asked: Asked, text: str, vocabulary: Vocabulary) -> bool | None:
    """Whether a text answers once more what is answered: the same (True) or otherwise (False). Nothing if it does not."""
    answer = understand(text, asked.questions, vocabulary, asked.before)
    if answer.kind != "settles" or not answer.settlements or _wants_more(text):
        return None
    return all(one in asked.progress.settlements for one in answer.settlements)


def is_about(asked: Asked, text: str) -> bool:
    """Whether a text looks like an answer to questions that no answer settles: yes, no, or their own words again."""
    words = [token.key for token in take_apart(text) if token.kind == "word"]
    if len(text) > MAX_ANSWER or ("?" in text and "olur" not in words):
        # They want to know something, which people answer.
        return False
    asked_about = {word for question in asked.questions for word in words_of(question.fragment)}
    signs = lexicon.YES | lexicon.NO | lexicon.PERHAPS_YES | lexicon.DENIES_BEFORE | lexicon.CHANGES_MIND
    plain = [without(word) or word for word in words]
    names_it = any(is_form_of(word, other) for word in plain for other in asked_about if len(other) > 2)
    says = [word for word in words if word not in lexicon.FILLERS]
    return names_it or (bool(set(words) & signs) and len(says) <= _MOST_SIGNS)


def _names_only_dishes(text: str, heard: Reading) -> bool:
    """Dishes of the menu with neither number nor place: they may be meant for what was asked about, and may not."""
    is_asked = all(question.kind in ("which_item", "unknown") and question.candidates for question in heard.questions)
    return is_asked and not is_counted(text) and not _is_placed(heard)


def is_counted(text: str) -> bool:
    """Whether a text says how many of something; `a soup` does not."""
    return any(token.kind == "number" and token.bound != "article" for token in take_apart(text))


def _is_placed(heard: Reading) -> bool:
    return bool(heard.table or heard.order_type)


def _is_whole(asked: Asked, text: str, heard: Reading, answer: GuestAnswer, vocabulary: Vocabulary) -> bool:
    """Whether an order stands by itself, rather than for the words that were asked about."""
    has_count, is_placed = is_counted(text), _is_placed(heard)
    if answer.kind == "settles":
        # They were asked which, and write all of it again, with the place that they had said.
        earlier = read_on(asked.text, asked.progress, vocabulary)
        return has_count and is_placed and _is_placed(earlier)
    return (has_count or is_placed) and not (answer.kind == "unclear" and _wants_more(text))


def _is_recount(asked: Asked, heard: Reading, vocabulary: Vocabulary) -> bool:
    """Whether a text names only dishes that nothing is open about."""
    clear = {line.item_id for line in read_on(asked.text, asked.progress, vocabulary).lines}
    open_ids = {one for question in asked.questions for one in (question.item_id, *question.candidates)}
    named = {line.item_id for line in heard.lines}
    return named <= clear - open_ids and len(clear) > 0 and not _is_placed(heard)


def _wants_more(text: str) -> bool:
    return any(token.key in lexicon.MORE for token in take_apart(text))


def _add(progress: Progress, answer: GuestAnswer) -> Progress:
    """The later word counts."""
    settlements = {one.key: one for one in (*progress.settlements, *answer.settlements)}
    return Progress(
        settlements=tuple(settlements.values()),
        table=answer.table or ("" if answer.order_type else progress.table),
        order_type=answer.order_type or ("" if answer.table else progress.order_type),
        notes="; ".join(note for note in (progress.notes, answer.notes) if note),
        more=progress.more,
    )


def can_be_asked(questions: Sequence[Question]) -> bool:
    """Whether answers to these questions complete the order. Otherwise it has to be written once more as a whole."""
    return bool(questions) and all(question.can_be_answered for question in questions)
