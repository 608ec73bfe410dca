"""What the rules do not read is given to a language model, where the account wants that; the guest is answered after it.

The transaction that keeps the message only notes that its text waits: a row. Then, outside of any transaction, the model
is asked, and what it came to is answered in a transaction of its own, once: whoever takes the row away answers. Nobody
else's message waits meanwhile. Where the model is off, full, down, wrong or dear, the rules answer as if there were none.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from tablegram.crm.conversations import note_answered
from tablegram.engine.drains import Drain, Work
from tablegram.events.planning import Statement
from tablegram.flows.gateway.answering import Answered
from tablegram.flows.restaurant.orders.ordering import Ordering, run_all
from tablegram.flows.restaurant.texts.said import Said
from tablegram.restaurant import venues
from tablegram.restaurant.guests import is_late
from tablegram.restaurant.menu.model import Menu
from tablegram.restaurant.ports import Read, Reader, Wanted
from tablegram.restaurant.readers import spending, waiting
from tablegram.restaurant.readers.spending import Caps
from tablegram.restaurant.readers.waiting import ASKS_WITHIN_MS, OWNED_MS, WaitingText
from tablegram.restaurant.reading import MAX_TEXT, Reading
from tablegram.restaurant.reading.words.lexicon import FILLERS
from tablegram.restaurant.reading.words.tokens import words_of
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock

log = logging.getLogger("tablegram.reader")

# So many are asked at once, by one process and for one account; whoever comes on top is answered by the rules.
MAX_UNDER_WAY = 16
MAX_OF_ACCOUNT = 4
LOOK_EVERY_S = 5.0

_LINK = re.compile(r"\S*(?:://|www\.)\S*")

Spawn = Callable[[str, Coroutine[Any, Any, Any]], "asyncio.Task[Any]"]
# Answers a guest: with what was read for them, or without, as the rules do.
Hear = Callable[[Tx, Said, Reading | None], Awaitable[Answered | None]]


class SecondReading(Work):
    def __init__(
        self, db: Database, clock: Clock, ordering: Ordering, reader: Reader, caps: Caps, spawn: Spawn
    ) -> None:
        super().__init__()
        self._db = db
        self._clock = clock
        self._ordering = ordering
        self._reader = reader
        self._caps = caps
        self._spawn = spawn
        self._hear: Hear | None = None
        self.drain = Drain("reader", self)
        # What the transaction under way noted; begun after its commit.
        self._noted: dict[tuple[int, str], None] = {}
        self.under_way: set[asyncio.Task[Any]] = set()
        self.over_cap = 0

    def answer_with(self, hear: Hear) -> None:
        self._hear = hear

    async def takes(self, tx: Tx, said: Said) -> bool:
        """Whether a text that the rules do not read waits for the model; then nothing is said about it yet."""
        account_id, now = said.venue.account_id, said.now
        if said.waits_since or len(said.text) > MAX_TEXT or len(self.under_way) + len(self._noted) >= MAX_UNDER_WAY:
            return False
        standing = await spending.look(tx, account_id, now)
        if not standing.is_on or self._reader.is_resting:
            return False
        if not standing.has_room(self._reader.most_tokens, self._caps):
            self.over_cap += 1
            await spending.note(tx, account_id, "over_cap", now)
            return False
        if said.venue.instance_id is None or await waiting.count(tx, account_id) >= MAX_OF_ACCOUNT:
            return False
        text = WaitingText(
            account_id, said.message_key, said.venue.id, said.venue.instance_id, said.phone, said.name,
            said.contact_id, said.language, said.text, said.written_at, now, now + OWNED_MS, said.previous_at,
        )  # fmt: skip
        if not await waiting.keep(tx, text):
            return False
        self._noted[account_id, said.message_key] = None
        return True

    def committed(self) -> None:
        """What was noted is in the store, or was rolled back and is not found there."""
        noted, self._noted = self._noted, {}
        for account_id, message_key in noted:
            self._begin(account_id, message_key)

    def _begin(self, account_id: int, message_key: str) -> None:
        task = self._spawn("read a text", self._answer(account_id, message_key))
        self.under_way.add(task)
        task.add_done_callback(self.under_way.discard)

    async def step(self) -> float:
        """Take up what a dead process left behind."""
        for account_id, message_key in await waiting.take_left(self._db, self._clock.now_ms()):
            self._begin(account_id, message_key)
        return LOOK_EVERY_S

    async def figures(self) -> dict[str, float]:
        own = {"reader_over_cap_total": self.over_cap, "reader_under_way": len(self.under_way)}
        return {**own, **await self.drain.figures()}

    async def _answer(self, account_id: int, message_key: str) -> None:
        found = await self._db.snapshot(lambda tx: self._look(tx, account_id, message_key))
        if found is None:
            return
        text, venue, menu = found
        read, now = None, self._clock.now_ms()
        if venue is not None and menu is not None and now - text.asked_at < ASKS_WITHIN_MS:
            vocabulary = self._ordering.menus.vocabulary(venue, menu)
            wanted = Wanted(text.text, vocabulary, text.language, now, tuple(venue.order_types))
            read = await self._ask(account_id, wanted)
        await self._ordering.refresh(account_id)
        try:
            await self._conclude(account_id, message_key, venue, read)
        except Exception:
            log.exception("what was read of message %s could not be answered", message_key)
            # Once more as if there were no model; what fails then is for people, who see the message in their inbox.
            try:
                await self._conclude(account_id, message_key, venue, None)
            except Exception:
                await self._db.write(lambda tx: waiting.end(tx, account_id, message_key))
                raise

    async def _look(
        self, tx: Tx, account_id: int, message_key: str
    ) -> tuple[WaitingText, Venue | None, Menu | None] | None:
        text = await waiting.find(tx, account_id, message_key)
        if text is None:
            return None
        venue = await venues.of_line(tx, account_id, text.instance_id)
        if venue is None or venue.id != text.venue_id:
            return text, None, None
        return text, venue, await self._ordering.menus.load(tx, venue)

    async def _ask(self, account_id: int, wanted: Wanted) -> Read:
        reserved, now = self._reader.most_tokens, self._clock.now_ms()

        async def take(tx: Tx) -> bool:
            is_taken = await spending.take(tx, account_id, reserved, self._caps, now)
            if not is_taken:
                await spending.note(tx, account_id, "over_cap", now)
            return is_taken

        if not await self._db.write(take):
            self.over_cap += 1
            return Read(trouble="over_cap")
        read = await self._reader.read(wanted)

        async def settle(tx: Tx) -> None:
            await spending.put_right(tx, account_id, reserved, read.tokens, now)
            await spending.note(tx, account_id, read.trouble or "", self._clock.now_ms())

        await self._db.write(settle)
        return read

    async def _conclude(self, account_id: int, message_key: str, venue: Venue | None, read: Read | None) -> None:
        now = self._clock.now_ms()
        reading = None if read is None else read.reading

        async def work(tx: Tx) -> list[Statement] | None:
            # As it is now: contacts are joined, and people erased.
            text = await waiting.find(tx, account_id, message_key)
            if text is None or not await waiting.end(tx, account_id, message_key):
                return None
            if venue is None or self._hear is None or is_late(text.written_at, now):
                return None
            said = Said(
                venue=venue, text=text.text, phone=text.phone, name=text.name, contact_id=text.contact_id,
                language=text.language, message_key=message_key, now=now, written_at=text.written_at,
                waits_since=text.asked_at, previous_at=text.previous_at,
            )  # fmt: skip
            answered = await self._hear(tx, said, reading)
            if answered is None:
                return None
            if answered.is_settled:
                await note_answered(
                    tx, account_id, text.contact_id, previous_at_ms=text.previous_at, at_ms=text.written_at, now_ms=now
                )
            await run_all(tx, [*answered.statements])
            return [*answered.statements]

        statements = await self._db.write(work)
        if venue is not None and statements is not None:
            self._ordering.told(venue, statements)


def is_worth_asking(heard: Reading, text: str) -> bool:
    """Whether a text may be an order that the rules did not understand, rather than talk, or something to ask back about."""
    kinds = {question.kind for question in heard.questions}
    if heard.is_order or heard.tells or kinds & {"asks", "tells"} or (kinds == {"not_an_order"} and "?" in text):
        return False
    is_open = any(not question.can_be_answered for question in heard.questions) or (heard.missed and not heard.lines)
    said = {word for word in words_of(_LINK.sub(" ", text)) if word not in FILLERS and not word.isdecimal()}
    return bool(is_open) and len(said) > 1
