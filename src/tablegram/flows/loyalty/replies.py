"""Guests write about their points and coupons: how many there are, and that they want to use them.

What they want to use is taken off the order that runs and is not paid; without one, off the next order they send.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from tablegram.errors import Conflict, Invalid
from tablegram.events.planning import Statement
from tablegram.flows.gateway.answering import ORDERS, Answered, Heard, Written
from tablegram.flows.loyalty.desks.redeem_desk import wanted
from tablegram.flows.loyalty.fields import RewardFields
from tablegram.flows.loyalty.guest_rewards import must_hold
from tablegram.flows.loyalty.rewards import OrderRewards
from tablegram.flows.loyalty.words import WORDS, speak
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.flows.restaurant.orders.spoken import Spoken
from tablegram.loyalty import asking, coupons, ledger, programme, proofs, redeeming, stamps
from tablegram.loyalty.asking import RewardsSaid
from tablegram.loyalty.model import Programme
from tablegram.restaurant import venues
from tablegram.restaurant.bills import keeping as bills
from tablegram.restaurant.guests import SPOKEN_OF_MS, is_late
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.model import Order, from_row
from tablegram.restaurant.store import orders as order_store
from tablegram.restaurant.texts import drafts
from tablegram.restaurant.texts.tongues import guess
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.clock import Clock
from tablegram.values.figures.writing import day
from tablegram.values.money import written
from tablegram.values.opening_hours import local_day

_NOT_YET = ("awaiting_confirmation", "awaiting_payment")


class LoyaltyReplies:
    """Asked before orders are read: "points" is no dish."""

    precedence = ORDERS - 4
    max_failures = 3

    def __init__(self, clock: Clock, ordering: Ordering, rewards: OrderRewards) -> None:
        self._clock = clock
        self._ordering = ordering
        self._rewards = rewards
        self._spoken_for = Spoken(ordering)

    async def prepare(self, written: Sequence[Written]) -> None:
        for account_id in {one.account_id for one in written if _read(one) is not None}:
            await self._ordering.refresh(account_id)

    async def answer(self, tx: Tx, heard: Heard) -> Answered | None:
        now, code = self._clock.now_ms(), _proof(heard.written)
        if code is not None:
            return await self._prove(tx, heard, code, now)
        said = _read(heard.written)
        if said is None or is_late(heard.written.message.at_ms, now):
            return None
        account_id = heard.written.account_id
        rules = await programme.find(tx, account_id)
        venue = await venues.of_line(tx, account_id, heard.written.instance_id)
        if venue is None or (said.wish == "use_points" and not rules.is_on):
            return None
        if said.wish == "balance" and not rules.is_on and not await _has_cards(tx, account_id):
            return None
        statements: list[Statement] = []
        if said.wish == "balance":
            text = await balance_text(tx, venue, rules, heard.contact.contact_id, said.language, now)
        else:
            is_known = said.wish == "use_points" or await coupons.by_code(tx, account_id, said.code) is not None
            if not is_known and not any(sign.isdigit() for sign in said.code):
                # A plain word behind "coupon" is a question for people.
                return None
            text, statements = await self._use(tx, venue, heard, said, now)
        await self._ordering.telling.say(tx, venue, heard.written.message.address, text, now, by="loyalty")
        self._spoken_for.add(venue)
        return Answered(statements, is_settled=True)

    async def _prove(self, tx: Tx, heard: Heard, code: str, now: int) -> Answered | None:
        """The message that a page waits for."""
        account_id, item = heard.written.account_id, heard.written.message
        venue = await venues.of_line(tx, account_id, heard.written.instance_id)
        if venue is None:
            return None
        one = await proofs.prove(tx, account_id, code, heard.contact.contact_id, now)
        language = guess(item.text, venue.languages) if one is None else one.language
        text = speak(language)["proof_over" if one is None else "proven"]
        await self._ordering.telling.say(tx, venue, item.address, text, now, by="loyalty")
        self._spoken_for.add(venue)
        return Answered(is_settled=True)

    async def _use(
        self, tx: Tx, venue: Venue, heard: Heard, said: RewardsSaid, now: int
    ) -> tuple[str, list[Statement]]:
        words, contact_id = speak(said.language), heard.contact.contact_id
        fields: RewardFields = {"code": said.code} if said.wish == "coupon" else {"points": 0}
        try:
            made = await wanted(tx, venue, contact_id, fields, "guest", now, said.language)
            order = await self._running(tx, venue, heard, now)
            if order is not None:
                change = await self._rewards.apply(tx, venue, order, made, "guest", now)
                statements = await self._ordering.follow(tx, venue, change, "discount", now, tells=False)
                money = [
                    written(amount, order.currency, said.language)
                    for amount in (order.total - change.order.total, change.order.total)
                ]
                named = {"name": made.name, "order": order.order_id}
                return words["applied"].format(amount=money[0], total=money[1], **named), statements
            await must_hold(tx, made, now)
        except (Conflict, Invalid) as refused:
            code = refused.errors[0].code if isinstance(refused, Invalid) and refused.errors else refused.code
            return words.get(code, words["not_now"]).format(code=said.code), []
        await redeeming.choose(tx, made)
        return words["chosen" if made.coupon_id else "chosen_points"].format(name=made.name), []

    async def _running(self, tx: Tx, venue: Venue, heard: Heard, now: int) -> Order | None:
        """The guest's order that is not paid yet and not asked for by a link, locked; nothing while one is being written."""
        phone = heard.written.message.address
        draft = await drafts.latest(tx, venue.account_id, venue.id, phone, now)
        if draft is not None and draft.is_open(now):
            return None
        which = {
            "b_account": venue.account_id, "b_contact": heard.contact.contact_id, "b_phone": phone, "b_venue": venue.id,
        }  # fmt: skip
        row = await tx.first(order_store.NEWEST, {**which, "since": now - SPOKEN_OF_MS})
        order = None if row is None else from_row(row)
        if order is None or order.state in _NOT_YET or order.closed_at is not None or order.contact_id is None:
            return None
        if order.tab_id is not None:
            await bills.lock(tx, venue.account_id, order.tab_id)
        order = await orders.lock(tx, venue.account_id, order.order_id, None)
        return order if order.payment_state in ("unpaid", "failed", "partly_paid") else None

    def committed(self) -> None:
        """What was said is committed: the lines may send it."""
        self._spoken_for.committed()


async def balance_text(tx: Tx, venue: Venue, rules: Programme, contact_id: str, language: str, now: int) -> str:
    """Points, stamps and coupons of their own."""
    lines = [await _points_text(tx, venue, rules, contact_id, language)] if rules.is_on else []
    words = speak(language)
    for card, mine in await stamps.collected(tx, venue.account_id, contact_id):
        lines.append(words["stamps"].format(card=card.name, stamps=mine.balance, needed=card.needed))
    for one in await coupons.of_contact(tx, venue.account_id, contact_id):
        with suppress(Conflict):
            await coupons.refuse(tx, one, contact_id, now)
            lines.append(words["own_coupon"].format(name=one.name, code=one.shown_code))
    return "\n".join(lines)


async def _points_text(tx: Tx, venue: Venue, rules: Programme, contact_id: str, language: str) -> str:
    words = speak(language)
    member = await ledger.member(tx, venue.account_id, contact_id)
    if not member.balance:
        return words["balance_none"]
    worth = rules.worth(member.balance, venue.currency)
    kind = "balance_worth" if worth else "balance"
    lines = [words[kind].format(points=member.balance, worth=written(worth, venue.currency, language))]
    soon = await ledger.next_to_go(tx, venue.account_id, contact_id)
    if soon is not None:
        lines.append(words["goes_by"].format(points=soon[1], day=day_of(soon[0], venue, WORDS.spoken(language))))
    if worth:
        lines.append(words["how_to_use"])
    return "\n".join(lines)


async def _has_cards(tx: Tx, account_id: int) -> bool:
    return any(card.is_active for card in await stamps.cards(tx, account_id))


def day_of(at_ms: int, venue: Venue, language: str) -> str:
    return day(language, local_day(at_ms, venue.time_zone), with_year=True)


def _proof(written: Written) -> str | None:
    item = written.message
    return None if written.change or item.group_id or item.type != "text" else proofs.code_in(item.text)


def _read(written: Written) -> RewardsSaid | None:
    item = written.message
    if written.change or item.group_id or item.type != "text":
        return None
    return asking.read(item.text)
