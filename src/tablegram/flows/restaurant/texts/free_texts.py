"""What a guest just writes: an order, the answer to where he sits, an address, or something for people to answer.

A wrong order is worse than a question: what is unclear is asked, and what names no dish is left to people.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from tablegram.errors import NotFound
from tablegram.events.planning import Statement
from tablegram.flows.restaurant.orders.ordering import Ordering, Wish
from tablegram.flows.restaurant.texts.call_texts import ring, ring_about
from tablegram.flows.restaurant.texts.cart_texts import CartTexts
from tablegram.flows.restaurant.texts.reading_ahead import Readings
from tablegram.flows.restaurant.texts.said import Said, may_complain
from tablegram.restaurant import dialogues, hours, reading, tables
from tablegram.restaurant.calls import Kind as CallKind
from tablegram.restaurant.carts import contents, tabs
from tablegram.restaurant.carts import keeping as carts
from tablegram.restaurant.carts.keeping import Cart
from tablegram.restaurant.dialogues import Dialogue, was_seen
from tablegram.restaurant.guests import ADDS_MS, ASKED_MS, DELIVERS_MS, MAX_ADDRESS, SITS_MS, is_address
from tablegram.restaurant.lines import Line, Reckoning, join_same, tidy
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.model import Order, from_row
from tablegram.restaurant.orders.states import OrderType
from tablegram.restaurant.reading import Question, Reading, Vocabulary
from tablegram.restaurant.reading.dialogue.answers import is_drop
from tablegram.restaurant.reading.dialogue.joining import Asked, can_be_asked, is_about, is_echo
from tablegram.restaurant.reading.sentences.additions import is_addition
from tablegram.restaurant.reading.sentences.requests import call_in
from tablegram.restaurant.store import orders as order_store
from tablegram.restaurant.tables import MAX_LABEL, Table
from tablegram.storage.database import Tx
from tablegram.values.coordinates import route_link

# The guest asks or tells something: people answer, and there is no order to complete.
_TALK = ("asks", "tells")


class Where(msgspec.Struct, frozen=True):
    order_type: OrderType
    table: Table | None = None


class Step(msgspec.Struct, frozen=True):
    """What came of an answer: its events, or nothing where people see to it."""

    statements: list[Statement] | None


class FreeTexts:
    def __init__(self, ordering: Ordering, cart_texts: CartTexts, readings: Readings) -> None:
        self._ordering = ordering
        self._telling = ordering.telling
        self._cart_texts = cart_texts
        self._readings = readings

    async def hear(self, tx: Tx, said: Said) -> list[Statement] | None:
        """The events that follow; nothing where it is for people to answer."""
        venue = said.venue
        menu = await self._ordering.menus.load(tx, venue)
        vocabulary = self._ordering.menus.vocabulary(venue, menu)
        heard = self._readings.read(vocabulary, said.text)
        dialogue = await dialogues.find(tx, venue.account_id, venue.id, said.phone, said.now)
        if dialogue is not None and await dialogues.is_overtaken(tx, dialogue, said.contact_id):
            dialogue = None
        if (kind := call_in(said.text)) is not None:
            return await self._call(tx, said, heard, kind)
        step = None if dialogue is None else await self._go_on(tx, said, heard, dialogue, vocabulary)
        if step is not None:
            return step.statements
        if not heard.lines:
            answered = await self._take_answer(tx, said, heard)
            if answered is not None:
                return answered
        if heard.is_order:
            if dialogue is not None:
                await dialogues.forget(tx, venue.account_id, venue.id, said.phone)
            return await self._order(tx, said, heard)
        if _is_unclear(heard) and await may_complain(tx, said):
            replaces = dialogue is not None and dialogue.state == "open" and can_be_asked(dialogue.asked)
            await self._ask(tx, said, Asked(said.text, heard.questions), replaces=replaces)
            return []
        return await self._take_address(tx, said, heard)

    async def _call(self, tx: Tx, said: Said, heard: Reading, kind: CallKind) -> list[Statement] | None:
        """For the bill or the waiter, from a table that is known; otherwise people see to it."""
        table = await self._table(tx, said, heard.table) if heard.table else await self._sitting(tx, said)
        return None if table is None else await ring(tx, self._ordering, said, table, kind)

    async def order(self, tx: Tx, said: Said, lines: tuple[Line, ...], notes: str) -> list[Statement]:
        """Order lines that nobody had to read out of words; where they go is found out as for a text."""
        return await self._order(tx, said, Reading(lines=lines, notes=notes))

    async def ring_for(self, tx: Tx, said: Said, note: str) -> list[Statement]:
        """Somebody has to see to it: where the guest sits, if that is known. The conversation is unread in any case."""
        table = await self._sitting(tx, said)
        return [] if table is None else await ring_about(tx, self._ordering, said, table, note)

    # Answers to what was asked about an earlier text.

    async def _go_on(
        self, tx: Tx, said: Said, heard: Reading, dialogue: Dialogue, vocabulary: Vocabulary
    ) -> Step | None:
        """Complete the earlier text, or ask what is open still; nothing where this one stands by itself."""
        if dialogue.state == "answered":
            return await self._hear_again(tx, said, heard, dialogue, vocabulary)
        if not can_be_asked(dialogue.asked):
            return await self._end(tx, said, heard, dialogue)
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
            await self._ask(tx, said, asked, message_key=dialogue.message_key)
        else:
            word = "dropped" if joined.kind == "dropped" else "write_again"
            await self._telling.word(tx, said.venue, said.phone, said.language, said.now, word)
        return Step([])

    async def _end(self, tx: Tx, said: Said, heard: Reading, dialogue: Dialogue) -> Step | None:
        """No answer completes that text. Who tries is told once what does; everything else stands by itself."""
        if (
            not dialogue.asked
            or heard.is_order
            or not was_seen(dialogue, said.written_at)
            or not is_about(dialogue.open, said.text)
        ):
            return None
        if _is_unclear(heard) or heard.tells or any(question.kind == "asks" for question in heard.questions):
            return None
        await dialogues.forget(tx, dialogue.account_id, dialogue.venue_id, dialogue.phone)
        if not await may_complain(tx, said):
            return Step(None)
        await self._telling.word(tx, said.venue, said.phone, dialogue.language, said.now, "write_again")
        return Step([])

    async def _hear_again(
        self, tx: Tx, said: Said, heard: Reading, dialogue: Dialogue, vocabulary: Vocabulary
    ) -> Step | None:
        """An answer that comes again is no second order. Something else so soon is for people to see to."""
        echo = is_echo(dialogue.open, said.text, vocabulary)
        if echo is None or (not echo and not heard.lines and not _is_unclear(heard)):
            return None
        if not echo:
            return Step(None)
        venue, is_placed = said.venue, bool(dialogue.progress.table or dialogue.progress.order_type)
        cart = (
            None if is_placed else await carts.asked(tx, venue.account_id, said.phone, dialogue.asked_at - 1, said.now)
        )
        if cart is not None and await may_complain(tx, said):
            # He may mean the number of his table, which is what he was asked next.
            await self._telling.ask_where(tx, venue, said.phone, dialogue.language, said.now)
        return Step([])

    async def _ask(self, tx: Tx, said: Said, asked: Asked, *, message_key: str = "", replaces: bool = False) -> None:
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

    # Orders.

    async def _order(self, tx: Tx, said: Said, heard: Reading) -> list[Statement]:
        venue, now = said.venue, said.now
        standing = hours.look(venue.hours, now)
        if not standing.takes_orders:
            await self._telling.closed(tx, venue, said.phone, said.language, now, standing, keeps_cart=False)
            return []
        heard = await self._add_waiting(tx, said, heard)
        # The lines of an earlier text that nobody answered for are not added to by accident.
        await carts.forget_asked(tx, venue.account_id, said.phone, now)
        where = await self._where(tx, said, heard)
        if where is None:
            await self._keep(tx, said, heard, Where(venue.order_types[0]))
            shown = await self._ordering.reckon(tx, venue, heard.lines, venue.order_types[0], said.language, now)
            await self._telling.ask_where(
                tx, venue, said.phone, said.language, now, unknown_table=heard.table, lines=shown.lines
            )
            return []
        reckoned = await self._ordering.reckon(tx, venue, heard.lines, where.order_type, said.language, now)
        if reckoned.troubles:
            kept = await self._keep(tx, said, heard, where)
            await self._cart_texts.offer_rest(tx, said, kept, reckoned)
            return []
        return await self._place(tx, said, heard, where, reckoned)

    async def _add_waiting(self, tx: Tx, said: Said, heard: Reading) -> Reading:
        """`bir de ayran`, while we wait for where the dishes before it go: all of it is one order."""
        if not is_addition(said.text):
            return heard
        cart = await carts.asked(tx, said.venue.account_id, said.phone, said.now - ADDS_MS, said.now)
        if cart is None or cart.table_id is not None or cart.venue_id != said.venue.id:
            return heard
        notes = "; ".join(note for note in (cart.notes, heard.notes) if note)
        return msgspec.structs.replace(heard, lines=join_same([*cart.lines, *heard.lines]), notes=notes)

    async def _place(self, tx: Tx, said: Said, heard: Reading, where: Where, reckoned: Reckoning) -> list[Statement]:
        venue, table = said.venue, where.table
        tab_id = None if table is None else await tabs.join(tx, venue.account_id, venue.id, table.id, said.now)
        wish = Wish(
            order_type=where.order_type,
            lines=reckoned.lines,
            language=said.language,
            table=table,
            tab_id=tab_id,
            contact_id=said.contact_id,
            phone=said.phone,
            name=said.name,
            notes=_notes(heard),
            address=tidy(heard.address)[:MAX_ADDRESS],
            message_key=said.message_key,
        )
        _, statements = await self._ordering.place(tx, venue, wish, said.now)
        return statements

    async def _keep(self, tx: Tx, said: Said, heard: Reading, where: Where) -> Cart:
        """The lines as a cart of this guest's, until he says a word more."""
        table = where.table
        venue = said.venue
        tab_id = None if table is None else await tabs.join(tx, venue.account_id, venue.id, table.id, said.now)
        cart, _ = await carts.open_cart(
            tx, venue.account_id, venue.id, where.order_type, said.language, said.now,
            table_id=None if table is None else table.id, tab_id=tab_id, lines=heard.lines, notes=_notes(heard),
            phone=said.phone, name=said.name,
        )  # fmt: skip
        return cart

    async def _where(self, tx: Tx, said: Said, heard: Reading) -> Where | None:
        """Where the order goes, if that is beyond doubt: said, known from just before, or the only way there is."""
        offered = said.venue.order_types
        if heard.order_type in offered and heard.order_type != "dine_in":
            return Where(heard.order_type)
        if heard.order_type and heard.order_type != "dine_in":
            return None
        if heard.table:
            table = await self._table(tx, said, heard.table)
            return None if table is None else Where("dine_in", table)
        sitting = await self._sitting(tx, said)
        if sitting is not None:
            return Where("dine_in", sitting)
        only = offered[0] if len(offered) == 1 and offered[0] != "dine_in" else None
        return None if only is None or heard.order_type else Where(only)

    async def _table(self, tx: Tx, said: Said, label: str) -> Table | None:
        """A table that is named and not proved; a venue may not believe it."""
        venue = said.venue
        if "dine_in" not in venue.order_types or venue.refuses_unsigned:
            return None
        return await tables.find_by_label(tx, venue.account_id, venue.id, label)

    async def _sitting(self, tx: Tx, said: Said) -> Table | None:
        """The table that the guest has ordered at and not left."""
        venue = said.venue
        which = {"b_account": venue.account_id, "b_contact": said.contact_id, "b_venue": venue.id}
        row = await tx.first(order_store.AT_TABLE, {**which, "since": said.now - SITS_MS})
        if row is None or "dine_in" not in venue.order_types:
            return None
        try:
            return await tables.find(tx, venue.account_id, venue.id, row["table_id"])
        except NotFound:
            return None

    # Where it goes, when that was asked.

    async def _take_answer(self, tx: Tx, said: Said, heard: Reading) -> list[Statement] | None:
        """The guest says where the order goes that he was asked about."""
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
        table = await self._table(tx, said, heard.table or tidy(said.text)) if heard.table or is_short else None
        if table is not None:
            tab_id = await tabs.join(tx, venue.account_id, venue.id, table.id, now)
            await carts.seat(tx, cart, now, order_type="dine_in", table_id=table.id, tab_id=tab_id)
            return await self._cart_texts.send(tx, said, cart.code)
        if heard.table or heard.order_type:
            await self._telling.ask_where(tx, venue, said.phone, said.language, now, unknown_table=heard.table)
            return []
        return None

    # Where a delivery goes.

    async def take_place(self, tx: Tx, said: Said, body: Any) -> list[Statement] | None:
        """A shared place is where the guest's delivery goes."""
        place = body if isinstance(body, dict) else {}
        link = route_link(place.get("latitude"), place.get("longitude"))
        order = await self._delivery(tx, said) if link else None
        if order is None or link is None:
            return None
        changes = {"route_url": link}
        written = tidy(", ".join(str(place.get(name) or "") for name in ("name", "address")).strip(", "))
        if written and not order.address:
            changes["address"] = written[:MAX_ADDRESS]
        return await self._deliver_to(tx, said, order, changes, "location_noted")

    async def _take_address(self, tx: Tx, said: Said, heard: Reading) -> list[Statement] | None:
        """The words after "where shall we bring it?", if they look like an address and like nothing else."""
        address = tidy(said.text)
        is_talk = heard.tells or any(question.kind == "asks" for question in heard.questions)
        if not is_address(address) or heard.lines or is_talk:
            return None
        order = await self._delivery(tx, said)
        if order is None or order.address or order.route_url:
            return None
        return await self._deliver_to(tx, said, order, {"address": address}, "address_noted")

    async def _delivery(self, tx: Tx, said: Said) -> Order | None:
        venue = said.venue
        which = {"b_account": venue.account_id, "b_contact": said.contact_id, "b_venue": venue.id}
        row = await tx.first(order_store.TO_DELIVER, {**which, "since": said.now - DELIVERS_MS})
        return None if row is None else from_row(row)

    async def _deliver_to(
        self, tx: Tx, said: Said, order: Order, changes: dict[str, str], word: str
    ) -> list[Statement]:
        change = await orders.amend(tx, order.account_id, order.order_id, changes, "guest", said.now)
        if not change.changed:
            return []
        await self._telling.word(
            tx, said.venue, said.phone, order.language, said.now, word, order=order.order_id,
            address=change.order.address,
        )  # fmt: skip
        return await self._ordering.follow(tx, said.venue, change, "amend", said.now, tells=False)


def _is_unclear(heard: Reading) -> bool:
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


def _notes(heard: Reading) -> str:
    return tidy(heard.notes)[: contents.MAX_NOTES]
