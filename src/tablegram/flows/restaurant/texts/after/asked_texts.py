"""Answers to what was asked about an earlier text: they complete it, leave something open still, or stand by themselves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import msgspec

from tablegram.flows.gateway.answering import Answered
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.flows.restaurant.texts.drafts.drafting import Drafts
from tablegram.flows.restaurant.texts.outcomes import Step, settled_step
from tablegram.flows.restaurant.texts.said import Said, may_complain
from tablegram.restaurant import dialogues, reading
from tablegram.restaurant.dialogues import Dialogue, was_seen
from tablegram.restaurant.lines import DishLine
from tablegram.restaurant.readers.reading_ahead import Readings
from tablegram.restaurant.reading import Question, Reading, Vocabulary
from tablegram.restaurant.reading.dialogue.changing.changes import left_out
from tablegram.restaurant.reading.dialogue.joining import Asked, can_be_asked, is_about, is_echo, read_on
from tablegram.restaurant.reading.dialogue.signs import sign_in
from tablegram.restaurant.texts.drafts import OrderDraft
from tablegram.storage.database import Tx

# The guest asks or tells something: people answer, and there is no order to complete.
_TALK = ("asks", "tells")
# Orders what is complete now.
Order = Callable[[Tx, Said, Reading], Awaitable[Answered]]


class AskedTexts:
    def __init__(self, ordering: Ordering, readings: Readings, drafts: Drafts, order: Order) -> None:
        self._ordering = ordering
        self._telling = ordering.telling
        self._readings = readings
        self._drafts = drafts
        self._order = order

    async def go_on(
        self, tx: Tx, said: Said, heard: Reading, dialogue: Dialogue, vocabulary: Vocabulary
    ) -> Step | None:
        """Complete the earlier text, or ask what is open still; nothing where this one stands by itself."""
        if dialogue.state == "answered":
            return None
        if not can_be_asked(dialogue.asked):
            return await self._end(tx, said, heard, dialogue)
        taken_back = await self._take_back(tx, said, dialogue, vocabulary)
        if taken_back is not None:
            return taken_back
        joined = self._readings.join(vocabulary, said.text, dialogue, heard, said.written_at)
        said = msgspec.structs.replace(said, language=dialogue.language)
        if joined.kind in ("new", "unrelated"):
            return None
        if joined.kind == "goes_on" and joined.reading.is_order:
            await dialogues.close(tx, dialogue, joined.reading, joined.progress, said.now)
            # By the key of the earlier text, which makes one order however often it is completed.
            said = msgspec.structs.replace(said, message_key=dialogue.message_key)
            return Step(await self._order(tx, said, joined.reading))
        if joined.kind != "goes_on":
            await dialogues.forget(tx, dialogue.account_id, dialogue.venue_id, dialogue.phone)
        if not await may_complain(tx, said):
            return Step(None)
        if joined.kind == "goes_on":
            asked = Asked(dialogue.text, joined.reading.questions, joined.progress)
            await self.ask(tx, said, asked, message_key=dialogue.message_key)
        else:
            word = "dropped" if joined.kind == "dropped" else "write_again"
            await self._telling.word(tx, said.venue, said.phone, said.language, said.now, word)
        return Step(Answered())

    def placed(self, heard: Reading, dialogue: Dialogue, vocabulary: Vocabulary) -> Reading:
        """`two baklava and a künefe` to who was asked which desserts for table 11: it goes there, and is shown first."""
        if dialogue.state != "open" or not can_be_asked(dialogue.asked) or heard.parts:
            return heard
        earlier = self._readings.read(vocabulary, dialogue.text)
        if heard.table or heard.order_type or heard.address or not (earlier.table or earlier.order_type):
            return heard
        return msgspec.structs.replace(
            heard, table=earlier.table, order_type=earlier.order_type, address=earlier.address, is_corrected=True
        )

    async def _take_back(self, tx: Tx, said: Said, dialogue: Dialogue, vocabulary: Vocabulary) -> Step | None:
        """`ayran istemiyorum` to how many ayran: it is left out, and nobody is asked again."""
        asked = [DishLine(one.item_id) for one in dialogue.asked if one.kind == "how_many" and one.item_id]
        if not asked or left_out(said.text, asked, vocabulary) != ():
            return None
        await dialogues.forget(tx, dialogue.account_id, dialogue.venue_id, dialogue.phone)
        said = msgspec.structs.replace(said, language=dialogue.language, message_key=dialogue.message_key)
        clear = read_on(dialogue.text, dialogue.progress, vocabulary)
        if clear.lines:
            rest = msgspec.structs.replace(clear, questions=(), is_corrected=True)
            return Step(await self._order(tx, said, rest))
        await self._telling.word(tx, said.venue, said.phone, said.language, said.now, "dropped")
        return Step(Answered())

    async def _end(self, tx: Tx, said: Said, heard: Reading, dialogue: Dialogue) -> Step | None:
        """No answer completes that text. Who tries is told once what does; everything else stands by itself."""
        if (
            not dialogue.asked
            or heard.is_order
            or not was_seen(dialogue, said.written_at)
            or not is_about(dialogue.open, said.text)
        ):
            return None
        if is_unclear(heard) or heard.tells or any(question.kind == "asks" for question in heard.questions):
            return None
        await dialogues.forget(tx, dialogue.account_id, dialogue.venue_id, dialogue.phone)
        if not await may_complain(tx, said):
            return Step(None)
        await self._telling.word(tx, said.venue, said.phone, dialogue.language, said.now, "write_again")
        return Step(Answered())

    async def hear_echo(
        self, tx: Tx, said: Said, dialogue: Dialogue, draft: OrderDraft | None, vocabulary: Vocabulary
    ) -> Step | None:
        """An answer that comes again is no second order. Where it goes may have been asked since: that is asked again."""
        is_sign = sign_in(said.text) is not None and not said.text.strip().isdecimal()
        if is_sign or not is_echo(dialogue.open, said.text, vocabulary):
            return None
        if draft is not None and draft.is_open(said.now) and not draft.is_placed:
            return settled_step(await self._drafts.show(tx, said, draft))
        return Step(Answered())

    async def ask(self, tx: Tx, said: Said, asked: Asked, *, message_key: str = "", replaces: bool = False) -> None:
        """Ask what is open, and remember it where an answer completes the order."""
        venue = said.venue
        menu = await self._ordering.menus.load(tx, venue)
        questions = asked.questions[: dialogues.MOST_QUESTIONS]
        answer = _how_to_answer(questions) if can_be_asked(asked.questions) else ""
        # Also where no answer helps, so that whoever answers is told what does.
        await dialogues.keep(tx, Dialogue(
            account_id=venue.account_id, venue_id=venue.id, phone=said.phone, contact_id=said.contact_id,
            text=asked.text, message_key=message_key or said.message_key, language=said.language,
            asked=questions if answer else _dead_ends(asked.questions), asked_at=said.now, progress=asked.progress,
        ))  # fmt: skip
        words = reading.ask_all(questions, menu, said.language, numbered=bool(answer))
        await self._telling.ask(
            tx, venue, said.phone, said.language, said.now, words, answer=answer, leads="instead" if replaces else "",
            is_talk=all(question.kind in _TALK for question in questions),
        )  # fmt: skip


def is_unclear(heard: Reading) -> bool:
    """Whether it is an order that leaves something open, rather than talk."""
    if heard.lines:
        return bool(heard.questions)
    kinds = {question.kind for question in heard.questions}
    if kinds & {"asks", "tells", "not_an_order"}:
        return False
    return heard.names_dish or any(question.item_id or question.candidates for question in heard.questions)


def _dead_ends(questions: Sequence[Question]) -> tuple[Question, ...]:
    """What has to be written again; whom people answer, or see to, has nothing to write."""
    dead = [one for one in questions if not one.can_be_answered and one.kind not in _TALK]
    return tuple(dead[: dialogues.MOST_QUESTIONS])


def _how_to_answer(questions: Sequence[Question]) -> str:
    if any(question.listed for question in questions):
        return "listed"
    return "yes_or_no" if all(question.is_yes_or_no for question in questions) else "any"
