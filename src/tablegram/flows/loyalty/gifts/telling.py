"""Who hears of gift cards: programs of every movement, the receiver of a card that is theirs."""

from __future__ import annotations

from typing import TypedDict

from tablegram.crm.consent.asking import may_write
from tablegram.crm.contacts import known_phones
from tablegram.crm.merging import find_living
from tablegram.crm.rows import ContactRow
from tablegram.events.planning import Planner, Statement
from tablegram.flows.loyalty.gifts.words import WORDS, speak
from tablegram.flows.restaurant.orders.telling import Telling
from tablegram.flows.restaurant.texts.said import is_told_enough
from tablegram.loyalty.gifts import codes
from tablegram.loyalty.gifts.model import Gift, Kind, Move
from tablegram.loyalty.unsent import About, Reason, note
from tablegram.messaging.store import instances as line_store
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.clock import SECOND_MS
from tablegram.values.figures.writing import day
from tablegram.values.money import to_wire, written
from tablegram.values.opening_hours import local_day

CHANGED = "loyalty.gift_changed"


class GiftEvent(TypedDict):
    event: str
    gift_id: str
    code_hint: str
    kind: Kind
    amount: float
    balance: float
    currency: str
    venue_id: str
    contact_id: str | None
    payment_id: str | None
    reason: str
    by: str
    timestamp: int


class GiftTelling:
    """Plans and queues inside the transaction of the movement. `sent` is called after the commit."""

    def __init__(self, planner: Planner, telling: Telling) -> None:
        self._planner = planner
        self._telling = telling

    async def refresh(self, account_id: int) -> None:
        await self._planner.refresh(account_id)

    async def moved(self, tx: Tx, gift: Gift, one: Move) -> list[Statement]:
        body = gift_event(gift, one)
        statements = self._planner.plan(one.account_id, CHANGED, body, f"gift:{gift.id}")
        for query, params in statements:
            await tx.run(query, params)
        return statements

    def sent(self, account_id: int, statements: list[Statement], venue: Venue | None = None) -> None:
        if statements:
            self._planner.planned(account_id, statements)
        if venue is not None:
            self._telling.sent(venue)

    async def hand_over(self, tx: Tx, venue: Venue, gift: Gift, now: int) -> bool:
        """Write to the receiver what they got, with the code. False where no message can be sent there now.

        Somebody asked for it, so it needs no consent to offers; who wants no message at all gets none.
        """
        return await self._write(tx, venue, gift, card_text(gift, venue), "gift", now)

    async def warn(self, tx: Tx, venue: Venue, gift: Gift, now: int) -> bool:
        text = speak(gift.language)["expiring"].format(
            venue=venue.name, hint=codes.hint(gift.code), balance=money(gift), day=day_of(gift, venue, gift.language)
        )
        return await self._write(tx, venue, gift, text, "gift_expires", now)

    async def _write(self, tx: Tx, venue: Venue, gift: Gift, text: str, about: About, now: int) -> bool:
        """Why nothing is sent to somebody is a row."""
        contact = None if gift.contact_id is None else await find_living(tx, gift.account_id, gift.contact_id)
        if contact is None:
            return False
        reason = await self._say(tx, venue, contact, text, now)
        if reason is not None:
            ends = gift.expires_at or 0
            await note(tx, gift.account_id, contact["id"], about, now, reason=reason, gift_id=gift.id, expires_at=ends)
        return reason is None

    async def _say(self, tx: Tx, venue: Venue, contact: ContactRow, text: str, now: int) -> Reason | None:
        account_id, contact_id = venue.account_id, str(contact["id"])
        refusal = await may_write(tx, account_id, contact_id, "orders")
        if refusal is not None:
            return refusal
        line = None
        if venue.instance_id is not None:
            line = await tx.first(line_store.GET, {"b_account": account_id, "b_id": venue.instance_id})
        if line is None or line["deleted_at"] is not None:
            return "no_line"
        if line["kind"] == "cloud" and (contact["window_until"] or 0) <= now:
            # The network lets no plain text through to who has not written for a day.
            return "window_closed"
        phone = (await known_phones(tx, [(account_id, contact_id)])).get((account_id, contact_id), "")
        if not phone:
            return "no_phone"
        if await is_told_enough(tx, account_id, phone, now):
            return "told_enough"
        return None if await self._telling.say(tx, venue, phone, text, now, by="gift") else "no_balance"


def money(gift: Gift) -> str:
    return written(gift.balance, gift.currency, gift.language or "en")


def day_of(gift: Gift, venue: Venue, language: str) -> str:
    """The last day on which it holds."""
    if gift.expires_at is None:
        return ""
    return day(WORDS.spoken(language), local_day(gift.expires_at - 1, venue.time_zone), with_year=True)


def card_text(gift: Gift, venue: Venue) -> str:
    """What the receiver reads: from whom, how much, the code, and how to use it."""
    words = speak(gift.language)
    lines = [words["from" if gift.from_name else "yours"].format(name=gift.from_name, venue=venue.name)]
    if gift.greeting:
        lines += ["", f"“{gift.greeting}”"]
    lines += ["", f"*{money(gift)}*", words["code"].format(code=codes.shown(gift.code)), "", words["use"]]
    if gift.expires_at is not None:
        lines.append(words["until"].format(day=day_of(gift, venue, gift.language)))
    return "\n".join([*lines, words["ask"]])


def gift_event(gift: Gift, one: Move) -> GiftEvent:
    """Without the code: whoever reads it could spend it."""
    return {
        "event": CHANGED,
        "gift_id": gift.id,
        "code_hint": codes.hint(gift.code),
        "kind": one.kind,
        "amount": to_wire(one.amount, one.currency),
        "balance": to_wire(one.balance, one.currency),
        "currency": one.currency,
        "venue_id": one.venue_id,
        "contact_id": gift.contact_id,
        "payment_id": one.payment_id,
        "reason": one.reason,
        "by": one.by,
        "timestamp": one.created_at // SECOND_MS,
    }
