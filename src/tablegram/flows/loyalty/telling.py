"""Programs hear of every movement of points and of every coupon that is used."""

from __future__ import annotations

from typing import Any

from tablegram.events.planning import Planner, Statement
from tablegram.loyalty.coupons import Coupon
from tablegram.loyalty.model import Movement
from tablegram.loyalty.redeeming import Redemption
from tablegram.storage.database import Tx
from tablegram.values.clock import SECOND_MS
from tablegram.values.money import to_wire

CHANGED = "loyalty.points_changed"
REDEEMED = "loyalty.coupon_redeemed"


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

    async def _plan(self, tx: Tx, account_id: int, kind: str, body: dict[str, Any], sender: str) -> list[Statement]:
        statements = self._planner.plan(account_id, kind, body, sender)
        for query, params in statements:
            await tx.run(query, params)
        return statements

    def sent(self, account_id: int, statements: list[Statement]) -> None:
        if statements:
            self._planner.planned(account_id, statements)


def points_event(one: Movement) -> dict[str, Any]:
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


def coupon_event(one: Redemption, coupon: Coupon, now: int) -> dict[str, Any]:
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
