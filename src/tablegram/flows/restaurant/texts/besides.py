"""An order and something else in one text: both get their answer. What is ordered goes on as if it stood alone."""

from __future__ import annotations

from tablegram.flows.gateway.answering import Answered
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.flows.restaurant.texts import whereabouts
from tablegram.flows.restaurant.texts.call_texts import note_of, ring, ring_about
from tablegram.flows.restaurant.texts.outcomes import settled, unsettled
from tablegram.flows.restaurant.texts.said import Said, may_complain
from tablegram.restaurant.calls import Kind
from tablegram.restaurant.readers.reading_ahead import Readings
from tablegram.restaurant.reading import Reading, Vocabulary
from tablegram.restaurant.reading.sentences import wishes
from tablegram.restaurant.reading.sentences.besides import Beside
from tablegram.restaurant.texts import facts
from tablegram.restaurant.texts.words import speak
from tablegram.storage.database import Tx


class Besides:
    """Tells an order from what is said besides it, and answers the latter."""

    def __init__(self, ordering: Ordering, readings: Readings) -> None:
        self._ordering = ordering
        self._telling = ordering.telling
        self._readings = readings

    async def find(self, tx: Tx, said: Said) -> Beside | None:
        """What a text orders and says besides; nothing where it is not both."""
        return self._readings.beside(await self._vocabulary(tx, said), said.text)

    async def answer(self, tx: Tx, said: Said, beside: Beside) -> Answered:
        """The bill, the waiter, a fact; what nobody but people can say is rung for, and stays for them to see."""
        vocabulary = await self._vocabulary(tx, said)
        heard = self._readings.read(vocabulary, beside.order)
        named = bool(heard.table)
        table = await (whereabouts.named_table(tx, said, heard.table) if named else whereabouts.sitting(tx, said))
        if table is not None and beside.kind in ("bill", "waiter"):
            kind: Kind = "bill" if beside.kind == "bill" else "waiter"
            return settled(await ring(tx, self._ordering, said, table, kind))
        if (table is not None or heard.order_type) and self._shows_sum(beside, vocabulary):
            return settled([])
        if not await may_complain(tx, said):
            return Answered()
        fact = await self._fact(tx, said, beside, heard, vocabulary) if beside.kind == "question" else None
        words = speak(said.language)
        told = words["read_too"] if fact is None else fact.text
        if beside.kind == "somebody" and table is not None:
            told = words["last_called"].format(table=table.label)
        await self._telling.say(tx, said.venue, said.phone, told, said.now)
        if table is None or (fact is not None and fact.is_whole):
            return Answered(is_settled=fact is not None and fact.is_whole)
        return unsettled(await ring_about(tx, self._ordering, said, table, note_of(beside.said)))

    def _shows_sum(self, beside: Beside, vocabulary: Vocabulary) -> bool:
        """Whether what the order costs is all that is asked: where it goes is known, and it is read back with its sum."""
        is_sum = wishes.asks_for_sum(beside.said) or wishes.topic_of(beside.said) == "price"
        return beside.kind == "question" and is_sum and not self._readings.read(vocabulary, beside.asked).names_dish

    async def _fact(
        self, tx: Tx, said: Said, beside: Beside, heard: Reading, vocabulary: Vocabulary
    ) -> facts.FactsTold | None:
        venue, asked = said.venue, self._readings.read(vocabulary, beside.asked)
        of = asked if asked.names_dish else heard
        url, online = self._telling.menu_url(venue), await self._ordering.takes_online(tx, venue)
        return facts.answer(beside.said, of, venue, vocabulary, said.language, said.now, url, online)

    async def _vocabulary(self, tx: Tx, said: Said) -> Vocabulary:
        return self._ordering.menus.vocabulary(said.venue, await self._ordering.menus.load(tx, said.venue))
