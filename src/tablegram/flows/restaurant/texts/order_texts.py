"""Orders that come as messages: the ready text of a cart, what a guest just writes, or the place they share.

Heard in the transaction that keeps the message, so that a message is an order once or not at all.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from typing import Any

import msgspec

from tablegram.crm.contacts import Recognised
from tablegram.crm.store import contacts as contact_store
from tablegram.errors import Problem
from tablegram.events.planning import Statement
from tablegram.flows.gateway.answering import ORDERS, Answered, Heard, Written
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.flows.restaurant.orders.spoken import Spoken
from tablegram.flows.restaurant.texts import changed_texts
from tablegram.flows.restaurant.texts.after.handing_over import hand_over
from tablegram.flows.restaurant.texts.besides import Besides
from tablegram.flows.restaurant.texts.call_texts import note_of
from tablegram.flows.restaurant.texts.cart_texts import CartTexts
from tablegram.flows.restaurant.texts.catalogue_orders import CatalogueOrders
from tablegram.flows.restaurant.texts.drafts.read_back import read_button
from tablegram.flows.restaurant.texts.free_texts import FreeTexts
from tablegram.flows.restaurant.texts.outcomes import settled, unsettled
from tablegram.flows.restaurant.texts.said import Said, may_complain, told_lately
from tablegram.flows.restaurant.texts.second_reading import SecondReading
from tablegram.messaging.incoming import InboundMessage
from tablegram.restaurant import dialogues, venues
from tablegram.restaurant.carts.codes import find_codes
from tablegram.restaurant.dialogues import Dialogue
from tablegram.restaurant.guests import MAX_ANSWERS, is_late
from tablegram.restaurant.lines import tidy
from tablegram.restaurant.menu.model import Menu
from tablegram.restaurant.readers.reading_ahead import Readings
from tablegram.restaurant.reading import Reading
from tablegram.restaurant.reading.dialogue.signs import Sign
from tablegram.restaurant.store import venues as venue_store
from tablegram.restaurant.texts import drafts
from tablegram.restaurant.texts.tongues import guess, tell
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import FRESH_S, Clock

log = logging.getLogger("tablegram.orders")

# One text sends one cart, or a few; not a list of guesses.
MAX_CODES = 3
_MAX_NAME = 80
# What goes wrong in our own reckoning. A failing store is not among them: then the whole batch is done again.
_OURS = (Problem, ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)


class OrderTexts:
    """Answers who orders. `prepare` before a unit of work, `answer` in it, `committed` after its commit."""

    precedence = ORDERS
    # What fails again and again as an order is kept as a plain message, and people answer it.
    max_failures = 3

    def __init__(self, db: Database, clock: Clock, ordering: Ordering, second: SecondReading | None = None) -> None:
        self._db = db
        self._clock = clock
        self._ordering = ordering
        self._telling = ordering.telling
        self._cart_texts = CartTexts(ordering)
        self._menus = ordering.menus
        self.readings = Readings()
        self._free_texts = FreeTexts(ordering, self._cart_texts, self.readings, second)
        self._besides = Besides(ordering, self.readings)
        self._second = second
        self._catalogue_orders = CatalogueOrders(ordering, self._free_texts)
        # By account, the lines that guests of a venue write to. Accounts without one cost nothing per message.
        self._lines: dict[int, frozenset[int]] = {}
        self._loaded_at: dict[int, float] = {}
        self._spoken_for = Spoken(ordering)

    async def prepare(self, written: Sequence[Written]) -> None:
        for account_id in {one.account_id for one in written}:
            await self._refresh(account_id)
        await self._read_ahead(written)

    def look_again(self, account_id: int) -> None:
        """A venue was changed here: what its new line hears next is for it."""
        self._loaded_at.pop(account_id, None)

    async def _refresh(self, account_id: int) -> None:
        if time.monotonic() - self._loaded_at.get(account_id, -FRESH_S) >= FRESH_S:
            rows = await self._db.all(venue_store.ALL, {"b_account": account_id})
            self._lines[account_id] = frozenset(row["instance_id"] for row in rows if row["instance_id"] is not None)
            self._loaded_at[account_id] = time.monotonic()

    async def _read_ahead(self, written: Sequence[Written]) -> None:
        """Read what guests wrote: the transaction that answers it only looks it up."""
        now = self._clock.now_ms()
        texts = [one for one in written if self._is_read(one, now)]
        if not texts:
            return
        for venue, menu, item, dialogue in await self._db.snapshot(lambda tx: self._look_ahead(tx, texts, now)):
            try:
                vocabulary = self._menus.vocabulary(venue, menu)
                await self.readings.read_ahead(vocabulary, _text(item), dialogue, item.at_ms)
            except _OURS as error:
                # It comes up again where it is answered, and is told to the guest there.
                log.warning("a text could not be read ahead: %s", error)

    def _is_read(self, written: Written, now: int) -> bool:
        """Whether a text will be read against the menu, unless it is an echo of something that was heard before."""
        item, lines = written.message, self._lines.get(written.account_id, ())
        if not _is_text(item) or not item.address or item.group_id or written.instance_id not in lines:
            return False
        found = find_codes(_text(item))
        return not is_late(item.at_ms, now) and not found.codes and not found.misspelt

    async def _look_ahead(
        self, tx: Tx, texts: Sequence[Written], now: int
    ) -> list[tuple[Venue, Menu, InboundMessage, Dialogue | None]]:
        found: list[tuple[Venue, Menu, InboundMessage, Dialogue | None]] = []
        for one in texts:
            account_id, item = one.account_id, one.message
            venue = await venues.of_line(tx, account_id, one.instance_id)
            if venue is not None and venue.details.reads_texts:
                dialogue = await dialogues.look(tx, account_id, venue.id, item.address, now)
                found.append((venue, await self._menus.load(tx, venue), item, dialogue))
        return found

    async def answer(self, tx: Tx, heard: Heard) -> Answered | None:
        """The events that follow from a message about an order; nothing where it is not one, and people answer.

        What goes wrong here is told to the guest and never fails the messages of others.
        """
        account_id, instance_id, item = heard.written.account_id, heard.written.instance_id, heard.written.message
        is_heard = _is_text(item) or item.type in ("location", "order", "button") or heard.written.change
        if instance_id not in self._lines.get(account_id, ()) or not is_heard:
            return None
        said = await self.said_of(tx, heard)
        if said is None:
            return None
        told = await told_lately(tx, account_id, said.phone, said.now) if said.phone else 0
        said = msgspec.structs.replace(said, told=told)
        answered = await self._hear_out(tx, said, heard.written)
        if answered is None:
            return None
        self.spoke(said.venue)
        is_over = told >= MAX_ANSWERS and await told_lately(tx, account_id, said.phone, said.now) == told
        more = await self.hand_over(tx, said) if is_over else None
        return answered if more is None else Answered([*answered.statements, *more], is_settled=False)

    async def hand_over(self, tx: Tx, said: Said) -> list[Statement] | None:
        """The guest had so many answers that this text gets none: they hear once that people take over, who are called."""
        told = await told_lately(tx, said.venue.account_id, said.phone, said.now) if said.phone else 0
        if told < MAX_ANSWERS or not await hand_over(tx, self._telling, said, told):
            return None
        return await self._free_texts.ring_for(tx, said, note_of(said.text))

    async def said_of(self, tx: Tx, heard: Heard) -> Said | None:
        """A message to a venue's line, with everything that hearing it needs; nothing for any other line."""
        account_id, instance_id = heard.written.account_id, heard.written.instance_id
        if instance_id not in self._lines.get(account_id, ()):
            return None
        venue = await venues.of_line(tx, account_id, instance_id)
        if venue is None:
            return None
        return await self._said(tx, venue, heard.written.message, heard.contact, heard.message_key)

    async def reading_of(self, tx: Tx, said: Said) -> Reading:
        """What a text says, as it was read before."""
        menu = await self._menus.load(tx, said.venue)
        return self.readings.read(self._menus.vocabulary(said.venue, menu), said.text)

    def spoke(self, venue: Venue) -> None:
        """Something was said on the venue's line; it goes out after the commit."""
        self._spoken_for.add(venue)

    async def _hear_out(self, tx: Tx, said: Said, written: Written) -> Answered | None:
        before = tx.writes
        try:
            if written.change:
                order = await changed_texts.order_of(tx, said)
                if order is not None:
                    return unsettled(await changed_texts.tell(tx, self._ordering, said, order, written.change))
                if written.change == "deleted":
                    return None
            return await self._hear(tx, said, written.message)
        except _OURS as error:
            if tx.writes != before:
                # Half an order must not be kept: the unit fails, and is worked on again by itself.
                raise
            log.warning("message %s could not be read as an order: %s", said.message_key, error, exc_info=error)
            await self._word(tx, said, "trouble")
            return Answered()

    def committed(self) -> None:
        """What was said is committed: the lines may send it."""
        self._spoken_for.committed()
        if self._second is not None:
            self._second.committed()

    async def _hear(self, tx: Tx, said: Said, item: InboundMessage) -> Answered | None:
        late = is_late(item.at_ms, said.now)
        if item.type == "button":
            return await self._tap(tx, said, item.body)
        if item.type == "location":
            taken = None if late else await self._free_texts.deliveries.take_place(tx, said, item.body)
            return None if taken is None else unsettled(taken)
        if item.type == "order":
            return None if late else await self._catalogue_orders.hear(tx, said, item.body)
        found = find_codes(said.text)
        if late:
            if found.codes:
                await self._word(tx, said, "late")
            return Answered() if found.codes else None
        if found.codes:
            statements: list[Statement] = []
            for code in found.codes[:MAX_CODES]:
                statements += await self._cart_texts.send(tx, said, code)
            return unsettled(statements)
        if found.misspelt:
            if await may_complain(tx, said):
                await self._word(tx, said, "misspelt", code=found.misspelt[0])
            return Answered()
        if not said.venue.details.reads_texts or not said.phone:
            return None
        beside = await self._besides.find(tx, said)
        if beside is None:
            return await self._free_texts.hear(tx, said)
        told = await self._besides.answer(tx, said, beside)
        alone = msgspec.structs.replace(said, text=beside.order)
        answered = await self._free_texts.hear(tx, alone, is_asked=beside.kind == "question") or Answered()
        is_settled = told.is_settled and answered.is_settled
        return Answered([*told.statements, *answered.statements], is_settled=is_settled)

    async def hear_second(self, tx: Tx, said: Said, read: Reading | None) -> Answered | None:
        """A text that has waited for the language model, and what that read of it."""
        return await self._free_texts.hear_second(tx, said, read)

    async def _tap(self, tx: Tx, said: Said, body: Any) -> Answered | None:
        """A button under an order that was read back; any other is somebody else's."""
        button_id = body.get("id") if isinstance(body, dict) else None
        tapped = read_button(button_id) if isinstance(button_id, str) else None
        if tapped is None:
            return None
        draft_id, revision, sign = tapped
        draft = await drafts.lock(tx, said.venue.account_id, draft_id)
        if draft is None or draft.phone != said.phone or draft.venue_id != said.venue.id:
            await self._word(tx, said, "draft_over")
            return Answered()
        meant: Sign = "yes" if sign in ("yes", "online") else "change"
        online = sign == "online"
        return settled(await self._free_texts.drafts.sign(tx, said, draft, meant, revision, online=online))

    async def _said(self, tx: Tx, venue: Venue, item: InboundMessage, contact: Recognised, message_key: str) -> Said:
        row = await tx.first(contact_store.GET, {"b_account": venue.account_id, "b_id": contact.contact_id})
        known = "" if row is None else row["language"]
        text = _text(item)
        return Said(
            venue=venue,
            text=text,
            phone=item.address,
            name=tidy(item.sender_name)[:_MAX_NAME],
            contact_id=contact.contact_id,
            language=known or tell(text) or await self._spoken(tx, venue, item.address) or guess(text, venue.languages),
            message_key=message_key,
            now=self._clock.now_ms(),
            written_at=item.at_ms,
            previous_at=contact.previous_at_ms,
        )

    async def _spoken(self, tx: Tx, venue: Venue, phone: str) -> str:
        """The language of what was last read back to a guest whose words tell none."""
        now = self._clock.now_ms()
        draft = await drafts.latest(tx, venue.account_id, venue.id, phone, now) if phone else None
        return "" if draft is None else draft.language

    async def _word(self, tx: Tx, said: Said, kind: str, **facts: str) -> None:
        await self._telling.word(tx, said.venue, said.phone, said.language, said.now, kind, **facts)


def _is_text(item: InboundMessage) -> bool:
    """A text, or what is written under a picture or a file."""
    return item.type == "text" or (item.type in ("image", "video", "document") and bool(item.text.strip()))


def _text(item: InboundMessage) -> str:
    return item.text.replace("\x00", "")
