"""People write about gift cards: what is left on theirs, or on one whose code they send."""

from __future__ import annotations

from collections.abc import Sequence

from tablegram.flows.gateway.answering import ORDERS, Answered, Heard, Written
from tablegram.flows.loyalty.gifts.telling import card_text, day_of
from tablegram.flows.loyalty.gifts.words import speak
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.flows.restaurant.orders.spoken import Spoken
from tablegram.loyalty.gifts import asking, codes, keeping
from tablegram.loyalty.gifts.asking import Asked
from tablegram.loyalty.gifts.model import Gift
from tablegram.restaurant import venues
from tablegram.restaurant.guests import is_late
from tablegram.restaurant.texts.tongues import guess
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.clock import Clock
from tablegram.values.money import written


class GiftReplies:
    """Asked before orders are read: a gift card is no dish. Who has a code may hear what is left on it."""

    precedence = ORDERS - 6
    max_failures = 3

    def __init__(self, clock: Clock, ordering: Ordering) -> None:
        self._clock = clock
        self._ordering = ordering
        self._spoken_for = Spoken(ordering)

    async def prepare(self, written: Sequence[Written]) -> None:
        for account_id in {one.account_id for one in written if _read(one) is not None}:
            await self._ordering.refresh(account_id)

    async def answer(self, tx: Tx, heard: Heard) -> Answered | None:
        now, asked = self._clock.now_ms(), _read(heard.written)
        item, account_id = heard.written.message, heard.written.account_id
        if asked is None or is_late(item.at_ms, now):
            return None
        venue = await venues.of_line(tx, account_id, heard.written.instance_id)
        if venue is None:
            return None
        language = asked.language or guess(item.text, venue.languages)
        text = await self._said(tx, venue, asked, heard.contact.contact_id, language, now)
        if not text:
            return None
        await self._ordering.telling.say(tx, venue, item.address, text, now, by="gift")
        self._spoken_for.add(venue)
        return Answered(is_settled=True)

    async def _said(self, tx: Tx, venue: Venue, asked: Asked, contact_id: str, language: str, now: int) -> str:
        """Nothing where it is no business of ours: a house without gift cards, or signs that are no code."""
        if asked.code:
            gift = await keeping.by_code(tx, venue.account_id, asked.code)
            if gift is None:
                return speak(language)["unknown"] if asked.is_sure else ""
            return _left(gift, venue, language, now)
        found = await keeping.of_contact(tx, venue.account_id, contact_id)
        unsent = [one for one in found if one.sent_at is None and one.standing(now) == "active"]
        if unsent:
            # It could not be sent before they wrote: here it is.
            for one in unsent:
                await keeping.change(tx, one, now, sent_at=now)
            return "\n\n".join(card_text(one, venue) for one in unsent[-asking.MAX_SHOWN :])
        recent = [one for one in found if one.balance or one.updated_at > now - asking.RECENT_MS]
        if recent:
            lines = [_left(one, venue, language, now) for one in recent[-asking.MAX_SHOWN :]]
            return "\n".join([*lines, speak(language)["how"]] if any(one.balance for one in recent) else lines)
        return speak(language)["none"] if await keeping.has_any(tx, venue.account_id) else ""

    def committed(self) -> None:
        """What was said is committed: the lines may send it."""
        self._spoken_for.committed()


def _left(gift: Gift, venue: Venue, language: str, now: int) -> str:
    standing = gift.standing(now)
    kind = ("left" if gift.expires_at is None else "left_until") if standing == "active" else standing
    return speak(language)[kind].format(
        hint=codes.hint(gift.code), balance=written(gift.balance, gift.currency, language),
        day=day_of(gift, venue, language),
    )  # fmt: skip


def _read(written: Written) -> Asked | None:
    item = written.message
    return None if written.change or item.group_id or item.type != "text" else asking.read(item.text)
