"""Redeeming: by staff and programs on an order that runs, and by guests for the order they are about to send."""

from __future__ import annotations

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.crm.contacts import of_phone
from tablegram.crm.merging import find_living
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, Invalid, NotFound, no_such
from tablegram.events.planning import Statement
from tablegram.flows.loyalty.answers.rewards import RedemptionView
from tablegram.flows.loyalty.desks.desk import LoyaltyDesk
from tablegram.flows.loyalty.fields import RedeemFields, RewardFields
from tablegram.flows.loyalty.rewards import OrderRewards
from tablegram.flows.loyalty.views import redemption_view
from tablegram.flows.loyalty.words import speak
from tablegram.flows.restaurant.bills.bills import may, who_is
from tablegram.flows.restaurant.orders.ordering import Ordering, run_all
from tablegram.loyalty import coupons, programme, redeeming
from tablegram.loyalty.redeeming import Redemption
from tablegram.restaurant import venues
from tablegram.restaurant.bills import keeping as bills
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.ids import new_id


class RedeemDesk(LoyaltyDesk):
    def __init__(
        self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit, ordering: Ordering,
        rewards: OrderRewards,
    ) -> None:  # fmt: skip
        super().__init__(db, idempotency, clock, audit)
        self._ordering = ordering
        self._rewards = rewards

    async def redeem(self, caller: Caller, fields: RedeemFields, call: Call) -> Result[RedemptionView]:
        """Use a `code`, or `points` (0: as many as the order needs), of a contact on an order that runs."""
        may(caller)
        acting, who = self._audit.acting(caller), who_is(caller)
        after: list[tuple[Venue, list[Statement]]] = []
        await self._ordering.refresh(caller.account_id)

        async def work(tx: Tx) -> Result[RedemptionView]:
            after.clear()
            now = self._clock.now_ms()
            try:
                venue, order = await self._lock(tx, caller, str(fields["order_id"]))
            except NotFound:
                raise Invalid.field("order_id", "order_unknown", no_such("order")) from None
            contact_id = await _whose(tx, caller, fields, order)
            made = await wanted(tx, venue, contact_id, fields, who, now, order.language)
            change = await self._rewards.apply(tx, venue, order, made, who, now)
            statements = await self._ordering.follow(tx, venue, change, "discount", now, tells=False)
            await run_all(tx, statements)
            after.append((venue, statements))
            await acting.note(tx, "loyalty.redeemed", "order", order.order_id, {"name": made.name})
            return Result(redemption_view(await redeeming.find(tx, caller.account_id, made.id)), 201)

        answer = await self._idempotency.once_for(RedemptionView, caller.account_id, call, work)
        if not answer.replayed:
            for venue, statements in after:
                self._ordering.told(venue, statements)
        return answer

    async def take_back(self, caller: Caller, redemption_id: str) -> None:
        """It is not used on its order after all; whoever had it has it again."""
        may(caller)
        acting, who = self._audit.acting(caller), who_is(caller)
        await self._ordering.refresh(caller.account_id)

        async def work(tx: Tx) -> tuple[Venue, list[Statement]]:
            now = self._clock.now_ms()
            one = await redeeming.find(tx, caller.account_id, redemption_id)
            if one.state != "held":
                raise Conflict("It is not on an open order, so it cannot be taken back.", code="state_conflict")
            venue, order = await self._lock(tx, caller, one.order_id)
            change = await self._rewards.take_back(tx, order, one.id, who, now)
            statements = await self._ordering.follow(tx, venue, change, "discount", now, tells=False)
            await run_all(tx, statements)
            await acting.note(tx, "loyalty.redemption_removed", "order", order.order_id, {"name": one.name})
            return venue, statements

        self._ordering.told(*await self._db.write(work))

    async def of_order(self, caller: Caller, order_id: str) -> list[RedemptionView]:
        """What was redeemed on an order and not given back."""
        caller.require("loyalty:read")

        async def look(tx: Tx) -> list[RedemptionView]:
            order = await orders.find(tx, caller.account_id, order_id)
            found = await redeeming.of_order(tx, caller.account_id, order.id)
            return [redemption_view(one) for one in found if one.state in ("held", "final")]

        return await self._db.snapshot(look)

    async def _lock(self, tx: Tx, caller: Caller, order_id: str) -> tuple[Venue, Order]:
        """A bill is locked before its orders."""
        order = await orders.find(tx, caller.account_id, order_id)
        venue = await venues.find_ever(tx, caller.account_id, order.venue_id)
        if order.tab_id is not None:
            await bills.lock(tx, caller.account_id, order.tab_id)
        return venue, await orders.lock(tx, caller.account_id, order_id, None)


async def wanted(
    tx: Tx, venue: Venue, contact_id: str, fields: RewardFields, by: str, now: int, language: str
) -> Redemption:
    """What somebody wants to use, not taken yet. Raises `Invalid` for a code that nobody made."""
    made = Redemption(
        account_id=venue.account_id, id=new_id(now), kind="points", contact_id=contact_id, venue_id=venue.id, by=by,
        created_at=now, updated_at=now,
    )  # fmt: skip
    code, points = fields.get("code"), fields.get("points")
    if (code is None) == (points is None):
        raise Invalid.field("code", "redemption_unclear", "Say a code, or how many points.")
    if code is None:
        if not (await programme.find(tx, venue.account_id)).is_on:
            raise Conflict("The programme is off.", code="points_not_offered")
        return msgspec.structs.replace(made, points=int(points or 0), name=speak(language)["points_name"])
    coupon = await coupons.by_code(tx, venue.account_id, str(code))
    if coupon is None:
        raise Invalid.field("code", "coupon_unknown", "There is no such code.")
    return msgspec.structs.replace(made, kind="coupon", coupon_id=coupon.id, name=coupon.name)


async def _whose(tx: Tx, caller: Caller, fields: RedeemFields, order: Order) -> str:
    """The contact that is named, by id or number; else the order's own."""
    if fields.get("contact_id"):
        row = await find_living(tx, caller.account_id, str(fields["contact_id"]))
        name = "contact_id"
    elif fields.get("phone"):
        row = await of_phone(tx, caller.account_id, str(fields["phone"]))
        name = "phone"
    else:
        row = None if order.contact_id is None else await find_living(tx, caller.account_id, order.contact_id)
        name = "phone"
    if row is None:
        raise Invalid.field(name, "contact_unknown", "No contact of the account has this number. Add them first.")
    return str(row["id"])
