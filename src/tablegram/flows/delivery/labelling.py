"""After the first delivery to an address its owner is asked once what to call it: home, or work. One tap or word is enough."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tablegram.delivery.addresses import keeping, labels
from tablegram.delivery.addresses.labels import ANSWERS_MS, SAID, Label
from tablegram.flows.gateway.answering import ORDERS, Answered, Heard, Written
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.flows.restaurant.orders.spoken import Spoken
from tablegram.messaging.model import Button
from tablegram.restaurant import venues
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.texts import drafts
from tablegram.restaurant.texts.words import WORDS, speak
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.clock import Clock

# What begins the id of our buttons.
MARK = "label"
_THERE = ("delivered", "completed")


class AddressLabels:
    """`follow` works inside the order's transaction, `answer` in that of a message."""

    # Before what reads orders: a word that answers a question is no dish.
    precedence = ORDERS - 3
    max_failures = 3

    def __init__(self, clock: Clock, ordering: Ordering) -> None:
        self._clock = clock
        self._ordering = ordering
        self._spoken_for = Spoken(ordering)

    async def follow(self, tx: Tx, venue: Venue, before: Order | None, order: Order, now: int) -> None:
        """Something came to a door for the first time: its owner is asked."""
        if before is None or before.state in _THERE or order.state not in _THERE:
            return
        if order.order_type != "delivery" or order.contact_id is None:
            return
        point = None if order.destination is None else order.destination.point
        one = await keeping.ask_once(tx, order.account_id, order.contact_id, order.address, point, now)
        if one is None:
            return
        words, language = speak(order.language), WORDS.spoken(order.language)
        buttons = [Button(f"{MARK}:{one.id}:{label}:{language}", labels.name(label, language)) for label in SAID]
        await self._ordering.telling.tell(tx, venue, order, words["ask_label"], now, buttons=buttons)

    async def prepare(self, written: Sequence[Written]) -> None:
        """Nothing is read before the transaction."""

    async def answer(self, tx: Tx, heard: Heard) -> Answered | None:
        written, item = heard.written, heard.written.message
        if written.change or item.group_id or item.type not in ("text", "button"):
            return None
        tapped = _tapped(item.body) if item.type == "button" else None
        label = tapped[1] if tapped is not None else labels.read_label(item.text) if item.type == "text" else None
        if label is None:
            return None
        account_id, contact_id, now = written.account_id, heard.contact.contact_id, self._clock.now_ms()
        venue = await venues.of_line(tx, account_id, written.instance_id)
        if venue is None:
            return None
        if tapped is None:
            # "Home" is where an order goes that is being written, before it is what an address is called.
            draft = await drafts.latest(tx, account_id, venue.id, item.address, now)
            if draft is not None and draft.is_open(now):
                return None
        language = tapped[2] if tapped is not None else labels.language_of(item.text)
        address_id = tapped[0] if tapped is not None else None
        named = await keeping.name(
            tx, account_id, contact_id, address_id, labels.name(label, language), now, since=now - ANSWERS_MS
        )
        if named is None:
            # Somebody else's button, or a question that nobody asked.
            return None if tapped is None else Answered()
        text = speak(language)["label_saved"].format(label=named.label)
        await self._ordering.telling.say(tx, venue, item.address, text, now)
        self._spoken_for.add(venue)
        return Answered(is_settled=True)

    def committed(self) -> None:
        """What was said is committed: the lines may send it."""
        self._spoken_for.committed()


def _tapped(body: Any) -> tuple[str, Label, str] | None:
    """The address that a button is about, what it says, and in which language."""
    given = body.get("id") if isinstance(body, dict) else None
    parts = given.split(":") if isinstance(given, str) else []
    if len(parts) != 4 or parts[0] != MARK or parts[3] not in WORDS.languages:
        return None
    label = next((one for one in SAID if one == parts[2]), None)
    return None if label is None else (parts[1], label, parts[3])
