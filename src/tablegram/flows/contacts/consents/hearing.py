"""STOP and START: noted in the transaction of the message that says it, with that message as the proof, and confirmed once."""

from __future__ import annotations

from collections.abc import Sequence

from tablegram.crm.consent import ledger, stopping
from tablegram.crm.consent.ledger import Word
from tablegram.crm.consent.stopping import ConsentSaid
from tablegram.crm.store import contacts as contact_store
from tablegram.flows.contacts.consents.words import confirmation, spoken
from tablegram.flows.gateway.announcing import Announcer
from tablegram.flows.gateway.answering import CONSENT, Answered, Heard, Written
from tablegram.flows.gateway.queueing import Queueing, Waiting, Way
from tablegram.messaging.incoming import InboundMessage
from tablegram.messaging.model import Text
from tablegram.messaging.store import instances as line_store
from tablegram.messaging.store import messages as message_store
from tablegram.restaurant import customers, venues
from tablegram.restaurant.texts import asked as questions
from tablegram.restaurant.texts import drafts
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.clock import DAY_MS, Clock
from tablegram.values.ids import gateway_id

# The network tells whole seconds: a word counts from the end of its second.
_SECOND_END_MS = 999


class StopWords:
    # Before what reads orders; a word that orders understand too is left to them while there is one.
    precedence = CONSENT
    max_failures = 6

    def __init__(self, clock: Clock, queue: Queueing, announcer: Announcer) -> None:
        self._clock = clock
        self._queue = queue
        self._announcer = announcer
        self._waiting = Waiting(queue)

    async def prepare(self, written: Sequence[Written]) -> None:
        """Nothing is read before the transaction."""

    async def answer(self, tx: Tx, heard: Heard) -> Answered | None:
        written, item = heard.written, heard.written.message
        said = None if written.change == "deleted" else _read(item)
        if said is None:
            return None
        venue = await venues.of_line(tx, written.account_id, written.instance_id) if item.type == "text" else None
        asked = venue is not None and await is_asked(tx, heard, venue, self._clock.now_ms())
        if said.is_order_talk and venue is not None and (asked or not await self._answers_advertising(tx, heard)):
            return None
        words = await ledger.of_contact(tx, written.account_id, heard.contact.contact_id)
        holds = _last(words)
        if said.wish == "start" and (holds is None or holds.state == "unknown"):
            # Nobody agrees to advertising by a word that also begins a conversation. Who stopped it may return.
            return None
        word = self._word(heard, said)
        turn = await ledger.hear(tx, word)
        if turn is None:
            return None
        is_known = holds is not None and holds.state == word.state and holds.source in _OWN
        if not (is_known and holds is not None and word.at - holds.at < stopping.CONFIRMED_MS):
            await self._confirm(tx, heard, said)
        statements = (
            self._announcer.consented(written.account_id, word.contact_id, item.sender_phone, turn.after)
            if turn.is_new
            else []
        )
        if asked and stopping.answers_questions(item.text):
            # It also answers what they were asked about an order, which hears it next.
            for query, params in statements:
                await tx.run(query, params)
            return None
        return Answered(statements, is_settled=True)

    async def _answers_advertising(self, tx: Tx, heard: Heard) -> bool:
        """Whether a word that may be about an order is about advertising: that came last, and there is no order."""
        account_id, now = heard.written.account_id, self._clock.now_ms()
        which = {"b_account": account_id, "b_phone": heard.written.message.address}
        last = await tx.first(message_store.LAST_SENT, which)
        if last is None or last["category"] != "marketing":
            return False
        found = await customers.orders_of(tx, account_id, [heard.contact.contact_id])
        return all(order.closed_at is not None and now - order.created_at >= DAY_MS for order in found)

    def _word(self, heard: Heard, said: ConsentSaid) -> Word:
        item, now = heard.written.message, self._clock.now_ms()
        return Word(
            account_id=heard.written.account_id, contact_id=heard.contact.contact_id,
            state="denied" if said.wish == "stop" else "granted", source=_source(item),
            proof=gateway_id(heard.message_key), at=min(now, item.at_ms + _SECOND_END_MS),
        )  # fmt: skip

    async def _confirm(self, tx: Tx, heard: Heard, said: ConsentSaid) -> None:
        written, item, now = heard.written, heard.written.message, self._clock.now_ms()
        line = await tx.first(line_store.GET, {"b_account": written.account_id, "b_id": written.instance_id})
        if line is None or not item.address or item.is_late(now):
            return
        row = await tx.first(contact_store.GET, {"b_account": written.account_id, "b_id": heard.contact.contact_id})
        language = spoken(said.language, "" if row is None else row["language"], item.sender_phone)
        way = Way(written.account_id, written.instance_id, line["kind"])
        text = Text(confirmation(said.wish, language))
        if await self._queue.put(tx, way, item.address, text, now, by="consent"):
            self._waiting.add(written.account_id, written.instance_id)

    def committed(self) -> None:
        """The confirmations are committed: their lines may send them."""
        self._waiting.committed()


# Sources of what customers said to us themselves.
MESSAGE, BUTTON = "message", "button"
_OWN = (MESSAGE, BUTTON)


def _source(item: InboundMessage) -> str:
    return BUTTON if item.type == "button" else MESSAGE


def _read(item: InboundMessage) -> ConsentSaid | None:
    if item.type == "button":
        return stopping.read_button(item.body.get("id") if isinstance(item.body, dict) else None)
    return stopping.read_text(item.text) if item.type == "text" else None


def _last(words: Sequence[Word]) -> Word | None:
    return max(
        (word for word in words if word.purpose == "marketing"), key=lambda word: (word.at, word.id), default=None
    )


async def is_asked(tx: Tx, heard: Heard, venue: Venue, now: int) -> bool:
    """Whether a venue waits for their answer: something was read back to them, or asked about it."""
    account_id, phone = heard.written.account_id, heard.written.message.address
    draft = await drafts.latest(tx, account_id, venue.id, phone, now) if phone else None
    if draft is not None and draft.is_open(now):
        return True
    return bool(phone) and await questions.waits_for_an_answer(tx, account_id, venue.id, phone, now)
