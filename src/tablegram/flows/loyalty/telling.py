"""Programs hear of every movement of points, of stamps that are given, of full cards, and of every coupon that is used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from tablegram.events.planning import Planner, Statement
from tablegram.loyalty.coupons import Coupon
from tablegram.loyalty.model import Kind, Movement
from tablegram.loyalty.redeeming import Redemption
from tablegram.loyalty.stamps import Card, Earned
from tablegram.storage.database import Tx
from tablegram.values.clock import SECOND_MS, iso
from tablegram.values.money import to_wire

CHANGED = "loyalty.points_changed"
REDEEMED = "loyalty.coupon_redeemed"
STAMPED = "loyalty.stamps_given"
FULL = "loyalty.card_full"


class PointsEvent(TypedDict):
    event: str
    contact_id: str
    kind: Kind
    points: int
    short: int
    balance: int
    order_id: str
    reason: str
    timestamp: int


class CouponEvent(TypedDict):
    event: str
    redemption_id: str
    coupon_id: str
    code: str
    name: str
    contact_id: str
    order_id: str
    venue_id: str | None
    amount: float
    currency: str
    timestamp: int


class StampsEvent(TypedDict):
    event: str
    card_id: str
    name: str
    contact_id: str
    order_id: str
    stamps: int
    balance: int
    needed: int
    timestamp: int


class FullEvent(TypedDict):
    event: str
    card_id: str
    name: str
    contact_id: str
    order_id: str
    coupon_id: str
    code: str
    reward: str
    ends_at: str | None
    timestamp: int


class PointsTelling:
    """Plans inside the transaction of the movement. `sent` is called after the commit by whoever has no order to tell of."""

    def __init__(self, planner: Planner) -> None:
        self._planner = planner

    async def refresh(self, account_id: int) -> None:
        await self._planner.refresh(account_id)

    async def moved(self, tx: Tx, one: Movement) -> list[Statement]:
        return await self._plan(tx, one.account_id, CHANGED, points_event(one), one.contact_id)

    async def redeemed(self, tx: Tx, one: Redemption, coupon: Coupon, now: int) -> list[Statement]:
        return await self._plan(tx, one.account_id, REDEEMED, coupon_event(one, coupon, now), one.contact_id)

    async def stamped(self, tx: Tx, card: Card, contact_id: str, order_id: str, earned: Earned, now: int) -> None:
        """The stamps first, then each time that the card was full."""
        told = stamps_event(card, contact_id, order_id, earned, now)
        await self._plan(tx, card.account_id, STAMPED, told, contact_id)
        for coupon in earned.coupons:
            await self._plan(tx, card.account_id, FULL, full_event(card, contact_id, order_id, coupon, now), contact_id)

    async def _plan(
        self, tx: Tx, account_id: int, kind: str, body: Mapping[str, object], sender: str
    ) -> list[Statement]:
        statements = self._planner.plan(account_id, kind, body, sender)
        for query, params in statements:
            await tx.run(query, params)
        return statements

    def sent(self, account_id: int, statements: list[Statement]) -> None:
        if statements:
            self._planner.planned(account_id, statements)


def points_event(one: Movement) -> PointsEvent:
    return {
        "event": CHANGED,
        "contact_id": one.contact_id,
        "kind": one.kind,
        "points": one.points,
        "short": one.short,
        "balance": one.balance,
        "order_id": one.order_id,
        "reason": one.reason,
        "timestamp": one.created_at // SECOND_MS,
    }


def coupon_event(one: Redemption, coupon: Coupon, now: int) -> CouponEvent:
    return {
        "event": REDEEMED,
        "redemption_id": one.id,
        "coupon_id": coupon.id,
        "code": coupon.shown_code,
        "name": coupon.name,
        "contact_id": one.contact_id,
        "order_id": one.order_id,
        "venue_id": one.venue_id,
        "amount": to_wire(one.amount, one.currency),
        "currency": one.currency,
        "timestamp": now // SECOND_MS,
    }


def stamps_event(card: Card, contact_id: str, order_id: str, earned: Earned, now: int) -> StampsEvent:
    return {
        "event": STAMPED,
        "card_id": card.id,
        "name": card.name,
        "contact_id": contact_id,
        "order_id": order_id,
        "stamps": earned.stamps,
        "balance": earned.balance,
        "needed": card.needed,
        "timestamp": now // SECOND_MS,
    }


def full_event(card: Card, contact_id: str, order_id: str, coupon: Coupon, now: int) -> FullEvent:
    return {
        "event": FULL,
        "card_id": card.id,
        "name": card.name,
        "contact_id": contact_id,
        "order_id": order_id,
        "coupon_id": coupon.id,
        "code": coupon.shown_code,
        "reward": coupon.name,
        "ends_at": iso(coupon.ends_at),
        "timestamp": now // SECOND_MS,
    }
