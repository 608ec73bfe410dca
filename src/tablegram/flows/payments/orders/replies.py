"""What guests answer to a payment link in the chat: a new one, paying in person after all, or paying an order online."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from tablegram.errors import Conflict
from tablegram.flows.gateway.answering import ORDERS, Answered, Heard, Written
from tablegram.flows.payments.orders.gate import BY, OrderGate
from tablegram.flows.payments.orders.wording import MARK
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.flows.restaurant.orders.spoken import Spoken
from tablegram.flows.restaurant.paying.guest import pay_in_person
from tablegram.messaging.incoming import InboundMessage
from tablegram.restaurant import venues
from tablegram.restaurant.guests import SPOKEN_OF_MS, is_late
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.model import Order, from_row
from tablegram.restaurant.store import orders as store
from tablegram.restaurant.texts import drafts
from tablegram.restaurant.texts.words import speak
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.clock import Clock

Sign = Literal["link", "person", "online"]


class PaymentReplies:
    """Asked before orders are read: a plain `1` under a link that ran out orders nothing."""

    precedence = ORDERS - 5
    max_failures = 3

    def __init__(self, clock: Clock, ordering: Ordering, gate: OrderGate) -> None:
        self._clock = clock
        self._ordering = ordering
        self._gate = gate
        self._spoken_for = Spoken(ordering)

    async def prepare(self, written: Sequence[Written]) -> None:
        for account_id in {one.account_id for one in written if _read(one.message) is not None}:
            await self._ordering.refresh(account_id)

    async def answer(self, tx: Tx, heard: Heard) -> Answered | None:
        written, now = heard.written, self._clock.now_ms()
        item = written.message
        said = _read(item)
        if said is None or written.change or item.group_id or is_late(item.at_ms, now):
            return None
        venue = await venues.of_line(tx, written.account_id, written.instance_id)
        if venue is None:
            return None
        key, sign = said
        order = await self._meant(tx, venue, heard, key, sign, now)
        if order is None:
            return None
        order = await orders.lock(tx, order.account_id, order.order_id, None)
        self._spoken_for.add(venue)
        try:
            if sign == "person":
                return Answered(await pay_in_person(tx, self._ordering, venue, order, now), is_settled=True)
            await self._gate.send_link(tx, venue, order, BY, now)
            return Answered(is_settled=True)
        except Conflict:
            kind = "online_paid_already" if order.payment_state in ("paid", "refunded") else "online_not_offered"
            text = speak(order.language)[kind].format(order=order.order_id)
            await self._ordering.telling.say(tx, venue, item.address, text, now)
            return Answered()

    def committed(self) -> None:
        self._spoken_for.committed()

    async def _meant(self, tx: Tx, venue: Venue, heard: Heard, key: str, sign: Sign, now: int) -> Order | None:
        """The order that is spoken of; nothing where the words mean something else."""
        account_id, phone = venue.account_id, heard.written.message.address
        if key:
            order = await orders.by_key(tx, account_id, key)
            is_own = order is not None and order.customer_phone == phone and order.venue_id == venue.id
            return order if is_own else None
        draft = await drafts.latest(tx, account_id, venue.id, phone, now)
        if draft is not None and draft.is_open(now):
            # It is about what was read back last.
            return None
        which = {
            "b_account": account_id, "b_contact": heard.contact.contact_id, "b_phone": phone, "b_venue": venue.id,
        }  # fmt: skip
        row = await tx.first(store.NEWEST, {**which, "since": now - SPOKEN_OF_MS})
        order = None if row is None else from_row(row)
        if order is None or order.closed_at is not None:
            return None
        is_asked = order.state == "awaiting_payment" and order.payment_state == "failed"
        return order if sign == "online" or is_asked else None


def _read(item: InboundMessage) -> tuple[str, Sign] | None:
    """The order's key, where a button names it, and what is wanted; nothing for almost every message."""
    if item.type == "button":
        button_id = item.body.get("id") if isinstance(item.body, dict) else None
        mark, _, rest = button_id.partition(":") if isinstance(button_id, str) else ("", "", "")
        key, _, sign = rest.partition(":")
        return (key, "person" if sign == "person" else "link") if mark == MARK and key else None
    if item.type != "text":
        return None
    text = item.text.strip()
    plain: dict[str, Sign] = {"1": "link", "2": "person"}
    if text.rstrip(".") in plain:
        return "", plain[text.rstrip(".")]
    # What reads texts is loaded when there is one.
    from tablegram.restaurant.reading.dialogue.paying import wants_online

    return ("", "online") if wants_online(text) else None
