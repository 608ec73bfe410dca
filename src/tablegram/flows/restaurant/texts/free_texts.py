"""What a guest just writes: an order, the answer to where they sit, an address, or something for people to answer.

A wrong order is worse than a question: what is unclear is asked, and what names no dish is left to people.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tablegram.events.planning import Statement
from tablegram.flows.gateway.answering import Answered
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.flows.restaurant.texts import whereabouts
from tablegram.flows.restaurant.texts.after.asked_texts import AskedTexts, is_unclear
from tablegram.flows.restaurant.texts.after.order_wishes import OrderWishes
from tablegram.flows.restaurant.texts.call_texts import note_of, ring, ring_about
from tablegram.flows.restaurant.texts.cart_texts import CartTexts
from tablegram.flows.restaurant.texts.deliveries import Deliveries
from tablegram.flows.restaurant.texts.drafts.drafting import Drafts
from tablegram.flows.restaurant.texts.outcomes import Step, settled, settled_step, unsettled
from tablegram.flows.restaurant.texts.said import Said, may_complain, may_serve
from tablegram.flows.restaurant.texts.second_reading import SecondReading, is_worth_asking
from tablegram.restaurant import dialogues, hours
from tablegram.restaurant.calls import Kind as CallKind
from tablegram.restaurant.carts import keeping as carts
from tablegram.restaurant.carts import tabs
from tablegram.restaurant.dialogues import Dialogue
from tablegram.restaurant.guests import ASKED_MS
from tablegram.restaurant.lines import DishLine, tidy
from tablegram.restaurant.readers.reading_ahead import Readings
from tablegram.restaurant.reading import Reading, Vocabulary
from tablegram.restaurant.reading.dialogue import leftovers
from tablegram.restaurant.reading.dialogue.accounting import checked, may_change, names_any, nothing_changed
from tablegram.restaurant.reading.dialogue.answers import is_drop
from tablegram.restaurant.reading.dialogue.changing.changes import change
from tablegram.restaurant.reading.dialogue.held import HeldChange
from tablegram.restaurant.reading.dialogue.joining import Asked, can_be_asked, is_counted, is_echo
from tablegram.restaurant.reading.dialogue.paying import wants_online, way_in
from tablegram.restaurant.reading.dialogue.signs import Sign, sign_in
from tablegram.restaurant.reading.sentences import places, wishes
from tablegram.restaurant.reading.sentences.requests import call_in
from tablegram.restaurant.tables import MAX_LABEL
from tablegram.restaurant.texts import drafts as draft_rows
from tablegram.restaurant.texts import facts
from tablegram.restaurant.texts.drafts import OrderDraft
from tablegram.restaurant.texts.words import speak
from tablegram.storage.database import Tx
from tablegram.values.folding import fold


class FreeTexts:
    def __init__(
        self, ordering: Ordering, cart_texts: CartTexts, readings: Readings, second: SecondReading | None = None
    ) -> None:
        self._ordering = ordering
        self._telling = ordering.telling
        self._cart_texts = cart_texts
        self._readings = readings
        self._second = second
        self.drafts = Drafts(ordering)
        self.deliveries = Deliveries(ordering, self.drafts)
        self._wishes = OrderWishes(ordering, self.drafts)
        self._asked = AskedTexts(ordering, readings, self.drafts, self._order)

    async def hear(self, tx: Tx, said: Said, *, is_asked: bool = False) -> Answered | None:
        """What follows; nothing where it is for people to answer. Who has asked something besides sees the order first."""
        venue = said.venue
        menu = await self._ordering.menus.load(tx, venue)
        vocabulary = self._ordering.menus.vocabulary(venue, menu)
        heard = self._readings.read(vocabulary, said.text)
        heard = msgspec.structs.replace(heard, is_corrected=True) if is_asked else heard
        draft = await draft_rows.latest(tx, venue.account_id, venue.id, said.phone, said.now)
        dialogue = await dialogues.find(tx, venue.account_id, venue.id, said.phone, said.now)
        if dialogue is not None and await dialogues.is_overtaken(tx, dialogue, said.contact_id):
            dialogue = None
        # `I'll pay cash` of what is not ordered yet asks for no bill.
        is_way = draft is not None and draft.is_open(said.now) and way_in(said.text) is not None
        if not is_way and wishes.topic_of(said.text) != "paying" and (kind := call_in(said.text)) is not None:
            return await self._call(tx, said, heard, kind)
        is_open = dialogue is not None and dialogue.state == "open" and can_be_asked(dialogue.asked)
        step, heard = await self._hear_open(tx, said, heard, draft, dialogue, vocabulary, is_open=is_open)
        if step is not None:
            return step.answered
        wished = await self._wishes.hear(tx, said, heard, vocabulary)
        if wished is not None:
            return wished
        if not heard.lines:
            answered = await self._take_answer(tx, said, heard)
            if answered is not None:
                return unsettled(answered)
        if await self._is_for_people(tx, said, heard, vocabulary):
            return None
        if heard.is_order or heard.parts:
            if heard.is_sure and await self._wishes.may_mean(tx, said, heard.lines, vocabulary):
                heard = msgspec.structs.replace(heard, is_corrected=True)
            if dialogue is not None:
                heard = self._asked.placed(heard, dialogue, vocabulary)
                await dialogues.forget(tx, venue.account_id, venue.id, said.phone)
            return await self._order(tx, said, heard)
        return await self._hear_besides(tx, said, heard, vocabulary, replaces=is_open)

    async def _hear_open(
        self, tx: Tx, said: Said, heard: Reading, draft: OrderDraft | None, dialogue: Dialogue | None,
        vocabulary: Vocabulary, *, is_open: bool,
    ) -> tuple[Step | None, Reading]:  # fmt: skip
        """What follows from what was read back or asked before, and what was heard, which may be another order for it."""
        if dialogue is not None and dialogue.state == "answered":
            step = await self._asked.hear_echo(tx, said, dialogue, draft, vocabulary)
            if step is not None:
                return step, heard
            if is_echo(dialogue.open, said.text, vocabulary) is not None:
                # Another answer so soon may be a second order, and may be the first one said more clearly.
                heard = msgspec.structs.replace(heard, is_corrected=True)
        if draft is not None and not (is_open and dialogue is not None and dialogue.asked_at >= draft.updated_at):
            step = await self._hear_about(tx, said, heard, draft, vocabulary)
            if step is not None:
                return step, heard
        step = None if dialogue is None else await self._asked.go_on(tx, said, heard, dialogue, vocabulary)
        return step, heard

    async def _is_for_people(self, tx: Tx, said: Said, heard: Reading, vocabulary: Vocabulary) -> bool:
        """Whether no order is meant, whatever dishes are named."""
        is_no_order = wishes.books(said.text) or wishes.sells(said.text)
        if wishes.weighs(said.text) or (is_no_order and not heard.lines) or wishes.is_for_people(said.text):
            return True
        if wishes.calls_somebody(said.text) and not (heard.names_dish and is_counted(said.text)):
            # `can someone come, we spilled water` wants no water.
            return True
        if heard.names_dish and await self._wishes.may_tell(tx, said, heard):
            return True
        # Nobody orders so; people read what was written.
        is_talk = heard.is_order and leftovers.is_talk(said.text, heard, vocabulary)
        return is_talk or await self._wishes.may_change(tx, said, heard, vocabulary)

    async def _hear_besides(
        self, tx: Tx, said: Said, heard: Reading, vocabulary: Vocabulary, *, replaces: bool
    ) -> Answered | None:
        """No order: a question that has an answer, something unclear, or an address."""
        venue = said.venue
        is_asked_for = not heard.lines and wishes.topic_of(said.text) == "menu" and not is_counted(said.text)
        # Who counts dishes for a table wants them, whatever else is asked.
        is_order = bool(heard.table) and is_counted(places.without(said.text)) and "?" not in said.text
        is_about = wishes.topic_of(said.text) is not None and not heard.is_order and not is_counted(said.text)
        is_question = is_asked_for or is_about or (not is_order and any(one.kind == "asks" for one in heard.questions))
        if is_question and await may_complain(tx, said):
            url = self._telling.menu_url(venue)
            online = await self._ordering.takes_online(tx, venue)
            fact = facts.answer(said.text, heard, venue, vocabulary, said.language, said.now, url, online)
            if fact is not None:
                await self._telling.say(tx, venue, said.phone, fact.text, said.now)
                return Answered([] if fact.is_whole else await self.ring_for(tx, said, note_of(said.text)))
        is_clear = is_counted(places.without(said.text)) and can_be_asked(heard.questions)
        if not heard.lines and wishes.complains(said.text) and not is_clear:
            # `my soup is cold` wants no soup.
            return None
        if await self._waits(tx, said, heard):
            return Answered()
        if (
            is_unclear(heard)
            and not leftovers.is_talk(said.text, heard, vocabulary)
            and not _is_talk(said.text, heard)
            and await may_complain(tx, said)
        ):
            await self._asked.ask(tx, said, Asked(said.text, heard.questions), replaces=replaces)
            return Answered()
        taken = await self.deliveries.take_address(tx, said, heard)
        return None if taken is None else unsettled(taken)

    async def _waits(self, tx: Tx, said: Said, heard: Reading) -> bool:
        """Whether the language model is asked first; the guest hears from us afterwards."""
        if self._second is None or said.waits_since or not is_worth_asking(heard, said.text):
            return False
        return await may_complain(tx, said) and await self._second.takes(tx, said)

    async def hear_second(self, tx: Tx, said: Said, read: Reading | None) -> Answered | None:
        """What the language model read, read back; what the rules say where it read nothing, which may be nothing too.

        Whoever was answered about a later text meanwhile hears no more of this one.
        """
        venue = said.venue
        draft = await draft_rows.latest(tx, venue.account_id, venue.id, said.phone, said.now)
        dialogue = await dialogues.find(tx, venue.account_id, venue.id, said.phone, said.now)
        answered_at = max(0 if draft is None else draft.updated_at, 0 if dialogue is None else dialogue.asked_at)
        if answered_at > said.waits_since:
            return Answered()
        if read is not None:
            await dialogues.forget(tx, venue.account_id, venue.id, said.phone)
            return await self._order(tx, said, read)
        return await self.hear(tx, said)

    async def _call(self, tx: Tx, said: Said, heard: Reading, kind: CallKind) -> Answered | None:
        """For the bill or the waiter, from a table that is known; otherwise that is asked, and people see it too."""
        named = bool(heard.table)
        table = await (whereabouts.named_table(tx, said, heard.table) if named else whereabouts.sitting(tx, said))
        if table is not None:
            return unsettled(await ring(tx, self._ordering, said, table, kind))
        if await may_serve(tx, said):
            words = speak(said.language)
            await self._telling.word(
                tx, said.venue, said.phone, said.language, said.now, "which_table", what=words[f"ask_{kind}"]
            )
        return Answered()

    async def order(self, tx: Tx, said: Said, lines: tuple[DishLine, ...], notes: str) -> Answered:
        """Order lines that nobody had to read out of words; where they go is found out as for a text."""
        return await self._order(tx, said, Reading(lines=lines, notes=notes))

    async def ring_for(self, tx: Tx, said: Said, note: str) -> list[Statement]:
        """Somebody has to see to it: where the guest sits, if that is known. The conversation is unread in any case."""
        table = await whereabouts.sitting(tx, said)
        return [] if table is None else await ring_about(tx, self._ordering, said, table, note)

    # What was read back.

    async def _hear_about(
        self, tx: Tx, said: Said, heard: Reading, draft: OrderDraft, vocabulary: Vocabulary
    ) -> Step | None:
        """A yes, a no or a change of what was read back; nothing where this text stands by itself."""
        sign, is_open = sign_in(said.text), draft.is_open(said.now)
        if is_open and wants_online(said.text):
            return settled_step(await self.drafts.sign(tx, said, draft, "yes", online=True))
        if is_open and (way := way_in(said.text)) is not None:
            return settled_step(await self.drafts.take_way(tx, said, draft, way))
        if sign == "yes" and draft.state == "dropped":
            return None
        if sign is not None and not (sign != "yes" and not is_open) and not (is_open and self._is_label(said, draft)):
            return settled_step(await self._sign(tx, said, draft, sign))
        if not is_open:
            return None
        is_all = wishes.cancels_all(said.text) and not names_any(said.text, draft.lines, vocabulary)
        if wishes.cancels(said.text) and ((is_all and not heard.is_order) or not heard.names_dish):
            return settled_step(await self._sign(tx, said, draft, "no"))
        if wishes.asks_for_sum(said.text):
            return settled_step(await self.drafts.show(tx, said, draft))
        taken = await self.drafts.take_where(tx, said, draft, heard)
        if taken is not None:
            return settled_step(taken)
        if heard.parts or await self._is_for_elsewhere(tx, said, heard, draft):
            statements = await self._start_all(tx, said, heard.parts or (heard,), behind=draft)
            return settled_step([*statements, *await self.drafts.show(tx, said, draft, "read_back_first")])
        if _is_about_missed(said.text, heard, draft):
            return settled_step(await self.drafts.edit(tx, said, draft, HeldChange(draft.lines)))
        made = change(said.text, draft.lines, vocabulary, heard)
        is_dead = made is not None and bool(made.questions) and not can_be_asked(made.questions)
        if (made is None or is_dead) and may_change(said.text, heard):
            made = nothing_changed(said.text, draft.lines)
        if made is None:
            # Whatever it says: what was read before is shown once more before it is an order, with words that may change it.
            is_open_still = leftovers.may_be_wish(said.text, heard)
            await self.drafts.doubt(tx, said, draft, tidy(said.text) if is_open_still else "")
            return None
        made = checked(said.text, draft.lines, made, vocabulary, draft.missed)
        statements = await self.drafts.edit(tx, said, draft, made)
        if made.questions:
            await self._asked.ask(tx, said, Asked(made.text, made.questions))
        return settled_step(statements)

    async def _sign(self, tx: Tx, said: Said, draft: OrderDraft, sign: Sign) -> list[Statement]:
        statements = await self.drafts.sign(tx, said, draft, sign)
        if sign == "no" and wishes.calls_off(said.text):
            # What was ordered before is not taken back with it, and nobody shall think so.
            await self._wishes.tell_open(tx, said, draft.language)
        return statements

    def _is_label(self, said: Said, draft: OrderDraft) -> bool:
        """`1` is the table, or the first of the saved addresses, where that is what was asked."""
        return (not draft.order_type or draft.needs_address) and said.text.strip().isdecimal()

    async def _is_for_elsewhere(self, tx: Tx, said: Said, heard: Reading, draft: OrderDraft) -> bool:
        """Whether a text orders for another place than the one that the open draft goes to."""
        if not heard.is_order or not draft.order_type or not (heard.table or heard.order_type):
            return False
        where = await whereabouts.find_named(tx, said, heard.table, heard.order_type)
        is_same = where is not None and where.order_type == draft.order_type
        return where is not None and not (is_same and (where.table is None or where.table.id == draft.table_id))

    async def _start_all(
        self, tx: Tx, said: Said, parts: Sequence[Reading], behind: OrderDraft | None = None
    ) -> list[Statement]:
        """Several orders of one message: the first is read back, the others wait their turn."""
        first: OrderDraft | None = None
        for number, part in enumerate(parts, start=1):
            where = await whereabouts.find(tx, said, part)
            waits = behind is not None or first is not None
            made = await self.drafts.start(tx, said, part, where, waits=waits, number=number)
            first = first or made
        return [] if first is None or behind is not None else await self.drafts.show(tx, said, first)

    # Orders.

    async def _order(self, tx: Tx, said: Said, heard: Reading) -> Answered:
        """Read it back; straight to the kitchen only where the venue wants that and nothing is in doubt."""
        venue, now = said.venue, said.now
        standing = hours.look(venue.hours, now)
        if not standing.takes_orders:
            await self._telling.closed(tx, venue, said.phone, said.language, now, standing, keeps_cart=False)
            return Answered()
        # What a cart was asked about is no longer waited for.
        await carts.forget_asked(tx, venue.account_id, said.phone, now)
        if heard.parts:
            return settled(await self._start_all(tx, said, heard.parts))
        before = await draft_rows.latest(tx, venue.account_id, venue.id, said.phone, now)
        if before is not None and before.is_open(now):
            return settled(await self.drafts.add(tx, said, before, heard))
        where = await whereabouts.find(tx, said, heard)
        draft = await self.drafts.start(tx, said, heard, where)
        unknown = heard.table if where is None else ""
        return settled(await self.drafts.show_or_order(tx, said, draft, unknown_table=unknown))

    # Where it goes, when that was asked.

    async def _take_answer(self, tx: Tx, said: Said, heard: Reading) -> list[Statement] | None:
        """The guest says where the order goes that they were asked about."""
        venue, now = said.venue, said.now
        # A table may have a name of any kind; a longer text is no name.
        is_short = len(said.text) <= MAX_LABEL
        if not (heard.table or heard.order_type or is_short or is_drop(said.text)):
            return None
        cart = await carts.asked(tx, venue.account_id, said.phone, now - ASKED_MS, now)
        if cart is None or cart.table_id is not None or cart.venue_id != venue.id:
            return None
        if is_drop(said.text):
            await carts.forget_asked(tx, venue.account_id, said.phone, now)
            await self._telling.word(tx, venue, said.phone, said.language, now, "dropped")
            return []
        if heard.order_type in venue.order_types and heard.order_type != "dine_in":
            await carts.seat(tx, cart, now, order_type=heard.order_type, table_id=None, tab_id=None)
            return await self._cart_texts.send(tx, said, cart.code)
        table = (
            await whereabouts.named_table(tx, said, heard.table or tidy(said.text)) if heard.table or is_short else None
        )
        if table is not None:
            tab_id = await tabs.join(tx, venue.account_id, venue.id, table.id, now)
            await carts.seat(tx, cart, now, order_type="dine_in", table_id=table.id, tab_id=tab_id)
            return await self._cart_texts.send(tx, said, cart.code)
        if heard.table or heard.order_type:
            await self._telling.ask_where(tx, venue, said.phone, said.language, now, unknown_table=heard.table)
            return []
        return None


def _is_talk(text: str, heard: Reading) -> bool:
    """`çayları unutmayın`: nobody says how many, and no answer would complete it. Who says nothing new is left to people."""
    is_strange = any(one.kind == "unknown" and not one.can_be_answered for one in heard.questions)
    return is_strange and not heard.lines and not is_counted(places.without(text))


def _is_about_missed(text: str, heard: Reading, draft: OrderDraft) -> bool:
    """`rakısız olsun`, of what we did not understand: it is let go."""
    said = fold(text)
    words = [word for one in draft.missed for word in fold(one).split() if len(word) > 2]
    return not heard.lines and "?" not in said and any(word in said for word in words)
