"""What guests want of an order that is placed: cancelled, changed, the same again, or to know how it stands.

Before the kitchen starts it is done and told; afterwards staff are asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tablegram.events.planning import Statement
from tablegram.flows.gateway.answering import Answered
from tablegram.flows.restaurant.orders.ordering import Ordering, charges_for
from tablegram.flows.restaurant.texts import whereabouts
from tablegram.flows.restaurant.texts.after.cancelling import Cancelling
from tablegram.flows.restaurant.texts.drafts.drafting import Drafts
from tablegram.flows.restaurant.texts.said import Said, may_complain, may_serve
from tablegram.flows.restaurant.texts.whereabouts import Where
from tablegram.restaurant.guests import SITS_MS
from tablegram.restaurant.lines import DishLine, tidy
from tablegram.restaurant.orders import revising
from tablegram.restaurant.orders.event import UPDATED
from tablegram.restaurant.orders.model import Order, from_row
from tablegram.restaurant.orders.states import CLOSED
from tablegram.restaurant.reading import Reading, Vocabulary
from tablegram.restaurant.reading.dialogue.accounting import TAKES_BACK, accounts_for, alters, may_change, names_any
from tablegram.restaurant.reading.dialogue.changing.changes import amend
from tablegram.restaurant.reading.dialogue.held import is_of_them, specifies
from tablegram.restaurant.reading.dialogue.joining import can_be_asked, is_counted
from tablegram.restaurant.reading.dialogue.phrases import PREPARES
from tablegram.restaurant.reading.sentences import places, wishes
from tablegram.restaurant.reading.sentences.additions import is_addition
from tablegram.restaurant.store import orders as order_store
from tablegram.restaurant.texts import requests
from tablegram.storage.database import Tx
from tablegram.values.clock import MINUTE_MS
from tablegram.values.folding import fold, words

# The kitchen has not begun.
_AGAIN = re.compile(r"\bbir?\s+tur(?:\s+daha)?\b|\bone\s+more\s+round\b")
_EXCHANGES = re.compile(r"\b(?:yerine|yapma\w*|cevir\w*|degis(?:tir)?\w*|swap|switch|replace|instead)\b")
# So much of a word is the same in each of its forms.
_STEM = 5
# So long after an order the same dish may be meant once more.
_JUST_MS = MINUTE_MS
EARLY = ("awaiting_confirmation", "awaiting_payment", "sent_to_kitchen")


class OrderWishes:
    def __init__(self, ordering: Ordering, drafts: Drafts) -> None:
        self._ordering = ordering
        self._telling = ordering.telling
        self._drafts = drafts
        self._cancelling = Cancelling(ordering)

    async def hear(self, tx: Tx, said: Said, heard: Reading, vocabulary: Vocabulary) -> Answered | None:
        """What follows; nothing where the text is not about an order of the guest's."""
        order = await self._newest(tx, said)
        if order is None:
            return await self._without_order(tx, said, heard)
        # `aynısından bir porsiyon daha adana` is no second order of everything.
        is_counted_anew = heard.names_dish and is_counted(_AGAIN.sub(" ", fold(places.without(said.text))))
        if wishes.wants_again(said.text) and not is_counted_anew:
            return Answered(await self._again(tx, said, heard, order, vocabulary), is_settled=True)
        if order.state in CLOSED:
            return await self._without_order(tx, said, heard)
        held = tuple(line.line for line in order.lines)
        # `adanaları iptal edelim` takes back those alone.
        lines = amend(said.text, held, vocabulary)
        if lines is not None and lines != held and not accounts_for(said.text, held, lines, vocabulary):
            # It is done at once, so that a part of it is not enough: people read what was written.
            return None
        # Who cancels a dish that we do not find has not cancelled everything.
        is_whole = not heard.names_dish or (wishes.cancels_all(said.text) and not self._names(heard, held))
        is_told_which = wishes.cancels_every(said.text) or wishes.cancels_by_number(said.text)
        is_cancelled = wishes.cancels(said.text) or is_told_which
        is_all = lines in (None, held) and is_whole and is_cancelled
        if lines == () or is_all:
            statements, is_done = await self._cancelling.cancel(tx, said, order)
            return Answered(statements, is_settled=is_done or order.state in EARLY)
        if lines is not None and lines != held:
            return Answered(await self._change(tx, said, order, lines), is_settled=order.state in EARLY)
        is_asked = wishes.asks_for_news(said.text) or wishes.asks_for_sum(said.text)
        if is_asked and await may_complain(tx, said):
            await self._telling.again(tx, said.venue, order, said.now)
            return Answered()
        return None

    async def tell_open(self, tx: Tx, said: Said, language: str) -> None:
        """What still comes to a guest who has just let go what was only read back."""
        if await may_serve(tx, said):
            await self._cancelling.tell_open(tx, said, language)

    def _names(self, heard: Reading, lines: Sequence[DishLine]) -> bool:
        """Whether a text names one of these dishes, clearly or not."""
        asked = {one for question in heard.questions for one in (question.item_id, *question.candidates)}
        return not ({line.item_id for line in heard.lines} | asked).isdisjoint(line.item_id for line in lines)

    async def may_mean(self, tx: Tx, said: Said, lines: Sequence[DishLine], vocabulary: Vocabulary) -> bool:
        """Whether a text may mean dishes that are ordered already, to be made another way: `one lahmacun without onion`.

        The guest then sees what it is taken for before it is cooked.
        """
        order = None if is_addition(said.text) else await self._newest(tx, said)
        if order is None or order.state in CLOSED:
            return False
        # `ayran 3` to who has just ordered two: three more, or three in all?
        is_early = order.state in EARLY and said.now - order.created_at < _JUST_MS
        told = {line.item_id for line in lines if is_early or specifies(line, vocabulary)}
        return not told.isdisjoint(line.line.item_id for line in order.lines)

    async def may_tell(self, tx: Tx, said: Said, heard: Reading) -> bool:
        """Whether a text tells something of a dish that is ordered already: `the ayran is warm`, and orders none."""
        is_said = heard.missed or PREPARES.search(fold(said.text)) or is_of_them(said.text)
        if not is_said or is_addition(said.text) or (is_counted(said.text) and not is_of_them(said.text)):
            return False
        order = await self._newest(tx, said)
        held = set() if order is None else {line.line.item_id for line in order.lines}
        named = {line.item_id for line in heard.lines} | {question.item_id for question in heard.questions}
        return not named.isdisjoint(held)

    async def may_change(self, tx: Tx, said: Said, heard: Reading, vocabulary: Vocabulary) -> bool:
        """Whether a text that is not read whole may want a dish otherwise that is ordered already."""
        is_other = bool(re.search(r"\bdegil\b", fold(said.text))) and not is_addition(said.text)
        if (is_other or _EXCHANGES.search(fold(said.text))) and heard.names_dish:
            # `gazozu limonata yapma şansımız var mı` asks for more than what a lemonade costs.
            order = await self._newest(tx, said)
            return order is not None and names_any(said.text, [one.line for one in order.lines], vocabulary)
        is_whole = heard.is_order and not heard.missed and not alters(said.text)
        is_asked = not heard.is_order and can_be_asked(heard.questions)
        if is_addition(said.text) and not TAKES_BACK.search(fold(said.text)):
            return False
        if is_whole or is_asked or heard.parts or not may_change(said.text, heard):
            return False
        order = await self._newest(tx, said)
        held = () if order is None or order.state in CLOSED else tuple(line.line for line in order.lines)
        return bool(held) and (wishes.cancels(said.text) or names_any(said.text, held, vocabulary))

    async def _newest(self, tx: Tx, said: Said) -> Order | None:
        row = await tx.first(order_store.NEWEST, {**said.whose, "since": said.now - SITS_MS})
        return None if row is None else from_row(row)

    async def _without_order(self, tx: Tx, said: Said, heard: Reading) -> Answered | None:
        """Nobody who cancels is left wondering whether something is cooked; who takes a part of an order back orders."""
        if heard.names_dish and is_counted(places.without(said.text)):
            return None
        if not (wishes.cancels(said.text) or wishes.wants_again(said.text)) or not await may_complain(tx, said):
            return None
        await self._telling.word(tx, said.venue, said.phone, said.language, said.now, "no_order")
        return Answered()

    async def _again(self, tx: Tx, said: Said, heard: Reading, order: Order, vocabulary: Vocabulary) -> list[Statement]:
        """The same lines as a draft, at the prices of now; what is said besides of dishes is shown as not understood."""
        where = await whereabouts.find_named(tx, said, heard.table, heard.order_type)
        if where is None and order.order_type != "dine_in":
            where = Where(order.order_type)
        elif where is None and (table := await whereabouts.sitting(tx, said)) is not None:
            where = Where("dine_in", table)
        lines = tuple(line.line for line in order.lines)
        # `the same drinks again`.
        shelves = _shelves(said.text, vocabulary)
        named = {line.item_id for line in heard.lines} or {line.item_id for line in lines if line.item_id in shelves}
        # `çaylar bitti, herkese bir tur daha çay`: nobody says how many, and as many are meant.
        named = named or {line.item_id for line in lines if names_any(said.text, [line], vocabulary)}
        meant = tuple(line for line in lines if line.item_id in named)
        # `bir tur daha çay`: of those alone.
        is_meant = bool(named) and len(meant) >= len(named) and not is_counted(_AGAIN.sub(" ", fold(said.text)))
        again = Reading(
            lines=meant if is_meant else lines, notes=order.notes, address=order.address,
            missed=(tidy(said.text),) if heard.names_dish and not is_meant else (), is_corrected=True,
        )  # fmt: skip
        draft = await self._drafts.start(tx, said, again, where)
        return await self._drafts.show(tx, said, draft)

    async def _change(self, tx: Tx, said: Said, order: Order, lines: tuple[DishLine, ...]) -> list[Statement]:
        venue, now = said.venue, said.now
        if order.state not in EARLY or order.payment_state != "unpaid":
            return await self._ask_staff(tx, said, order, lines)
        reckoned = await self._ordering.reckon(tx, venue, lines, order.order_type, order.language, now)
        if reckoned.troubles:
            # What is wished for cannot be had; the order stays as it is, and people see to it.
            return await self._ask_staff(tx, said, order, lines)
        charges = charges_for(venue, order.order_type, reckoned.lines, order.language, order.destination)
        change = await revising.revise(
            tx, order.account_id, order.order_id, reckoned.lines, charges, order.discounts, "guest", now
        )
        return await self._ordering.follow(tx, venue, change, "revise", now)

    async def _ask_staff(self, tx: Tx, said: Said, order: Order, lines: tuple[DishLine, ...]) -> list[Statement]:
        """The board shows it with two buttons; whoever asks again has asked once."""
        await requests.ask(tx, order, "change", tidy(said.text), lines, said.now)
        await self._telling.word(
            tx, said.venue, said.phone, order.language, said.now, "change_asked", order=order.order_id
        )
        return self._ordering.plan(order, UPDATED)


def _shelves(text: str, vocabulary: Vocabulary) -> set[str]:
    """The dishes under a heading of the menu that a text names."""
    said = {word[:_STEM] for word in words(text)}
    meant = set()
    for one in vocabulary.menu.categories:
        names = [one.name, *(told.get("name", "") for told in one.translations.values())]
        if any(not said.isdisjoint(word[:_STEM] for word in words(name) if len(word) > 3) for name in names):
            meant.add(one.id)
    return {item.id for item in vocabulary.menu.items if item.category_id in meant}
