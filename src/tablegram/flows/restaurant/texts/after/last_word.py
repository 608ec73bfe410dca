"""Nobody who writes to a venue's line gets silence: whom nothing else has answered hears one sentence, and people are called.

It is said a few times an hour at most, so that two machines that answer each other come to an end, and not at all where
somebody of the team is answering.
"""

from __future__ import annotations

from collections.abc import Sequence

from tablegram.events.planning import Statement
from tablegram.flows.gateway.answering import LAST_WORD, Answered, Heard, Written
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.flows.restaurant.texts import whereabouts
from tablegram.flows.restaurant.texts.call_texts import note_of, ring_about
from tablegram.flows.restaurant.texts.order_texts import OrderTexts
from tablegram.flows.restaurant.texts.said import Said, may_complain
from tablegram.messaging.store import messages as message_store
from tablegram.restaurant.guests import BY_HAND_MS, is_late
from tablegram.restaurant.reading import Reading
from tablegram.restaurant.reading.dialogue.leftovers import is_wished
from tablegram.restaurant.reading.sentences import wishes
from tablegram.restaurant.tables import Table
from tablegram.restaurant.texts import facts, last_words
from tablegram.storage.database import Tx
from tablegram.values.ids import first_id

# These are not said to anybody.
_SILENT = ("reaction", "call", "unsupported", "button", "list")


class LastWord:
    # Behind everybody else who may have something to say.
    precedence = LAST_WORD
    max_failures = 3

    def __init__(self, ordering: Ordering, order_texts: OrderTexts) -> None:
        self._ordering = ordering
        self._order_texts = order_texts

    async def prepare(self, written: Sequence[Written]) -> None:
        """The texts are read by who was asked before."""

    async def answer(self, tx: Tx, heard: Heard) -> Answered | None:
        item = heard.written.message
        if heard.written.change or item.type in _SILENT or item.group_id or not item.address:
            return None
        said = await self._order_texts.said_of(tx, heard)
        if said is None or not said.venue.details.reads_texts or is_late(item.at_ms, said.now):
            return None
        return await self._speak(tx, said)

    async def hear_second(self, tx: Tx, said: Said, read: Reading | None) -> Answered | None:
        """The same for a text that has waited for the language model, where neither that nor the rules say anything."""
        answered = await self._order_texts.hear_second(tx, said, read)
        return await self._speak(tx, said) if answered is None else answered

    async def _speak(self, tx: Tx, said: Said) -> Answered | None:
        if await _is_answered_by_hand(tx, said):
            return None
        reading = await self._order_texts.reading_of(tx, said) if said.text.strip() else Reading()
        if not await may_complain(tx, said):
            over = await self._order_texts.hand_over(tx, said)
            if over is not None:
                self._order_texts.spoke(said.venue)
            return None if over is None else Answered(over)
        if not await last_words.may_say(tx, said.venue.account_id, said.venue.id, said.phone, said.now):
            return None
        statements = await self._say(tx, said, reading)
        self._order_texts.spoke(said.venue)
        return Answered(statements)

    async def _say(self, tx: Tx, said: Said, heard: Reading) -> list[Statement]:
        venue, telling = said.venue, self._ordering.telling
        vocabulary = self._ordering.menus.vocabulary(venue, await self._ordering.menus.load(tx, venue))
        url = telling.menu_url(venue)
        is_talk = wishes.books(said.text) or wishes.calls_somebody(said.text)
        fact = None
        if not wishes.books(said.text):
            fact = facts.answer(said.text, heard, venue, vocabulary, said.language, said.now, url)
        named = bool(heard.table)
        table = await (whereabouts.named_table(tx, said, heard.table) if named else whereabouts.sitting(tx, said))
        kind = _kind(said.text, heard, table)
        if fact is None and kind == "last_word" and not is_talk:
            fact = facts.unknown_dish(said.text, vocabulary, said.language, url)
        if fact is not None:
            await telling.say(tx, venue, said.phone, fact.text, said.now)
            return [] if fact.is_whole or table is None else await self._ring(tx, said, table)
        label = "" if table is None else table.label
        await telling.word(tx, venue, said.phone, said.language, said.now, kind, table=label)
        if table is None or kind in ("last_thanks", "last_praise"):
            return []
        return await self._ring(tx, said, table)

    async def _ring(self, tx: Tx, said: Said, table: Table) -> list[Statement]:
        return await ring_about(tx, self._ordering, said, table, note_of(said.text))

    def committed(self) -> None:
        """What was said is sent by who was asked before."""
        self._order_texts.committed()


def _kind(text: str, heard: Reading, table: Table | None) -> str:
    if wishes.thanks(text):
        return "last_thanks"
    if wishes.praises(text) and not is_wished(wishes.without_courtesy(text)):
        return "last_praise"
    if wishes.is_allergic(text):
        return "last_allergy"
    if wishes.moved(text) and not wishes.complains(text):
        return "last_moved"
    is_asked = wishes.topic_of(text) in ("has", "menu", "ways", "paying")
    is_told = heard.tells and not wishes.wonders(text) and "?" not in text
    if (wishes.complains(text) and not is_asked) or is_told:
        return "last_complaint"
    if table is not None and wishes.calls_somebody(text):
        return "last_called"
    return "last_word"


async def _is_answered_by_hand(tx: Tx, said: Said) -> bool:
    which = {"b_account": said.venue.account_id, "b_phone": said.phone, "after": first_id(said.now - BY_HAND_MS)}
    return await tx.first(message_store.ANSWERED_BY_HAND, which) is not None
