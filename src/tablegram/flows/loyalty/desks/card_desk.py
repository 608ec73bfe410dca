"""Stamp cards as people and programs manage them."""

from __future__ import annotations

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Result
from tablegram.flows.loyalty.answers.rewards import StampCard, StampCardList
from tablegram.flows.loyalty.desks.coupon_desk import MANAGE, READ, check_names, read_coupon
from tablegram.flows.loyalty.desks.desk import LoyaltyDesk
from tablegram.flows.loyalty.fields import CardFields, KeptCoupon, RewardOfCard
from tablegram.flows.loyalty.views import card_view
from tablegram.flows.wire import picked
from tablegram.loyalty import stamps
from tablegram.loyalty.giving import Offer
from tablegram.loyalty.stamps import Card
from tablegram.storage.database import Tx
from tablegram.values.ids import new_id

_CHANGES = ("name", "expires_months", "is_active")


class CardDesk(LoyaltyDesk):
    async def every(self, caller: Caller) -> StampCardList:
        """The newest first."""
        caller.require(READ)
        found = await self._db.snapshot(lambda tx: stamps.cards(tx, caller.account_id))
        return StampCardList(data=[card_view(one) for one in found])

    async def make(self, caller: Caller, fields: CardFields, call: Call) -> Result[StampCard]:
        """`reward` is the coupon that a full card becomes."""
        caller.require(MANAGE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Result[StampCard]:
            now = self._clock.now_ms()
            counted: KeptCoupon = {"item_id": fields.get("item_id"), "category_id": fields.get("category_id")}
            await check_names(tx, caller, counted)
            made = Card(
                account_id=caller.account_id, id=new_id(now), name=_line(fields["name"]), needed=fields["needed"],
                offer=await self._offer(tx, caller, fields["reward"]), expires_months=fields.get("expires_months", 0),
                item_id=counted["item_id"], category_id=counted["category_id"], created_at=now, updated_at=now,
            )  # fmt: skip
            await stamps.add_card(tx, made)
            await acting.note(tx, "loyalty.card_made", "stamp_card", made.id, {"name": made.name})
            return Result(card_view(made), 201)

        return await self._idempotency.once_for(StampCard, caller.account_id, call, work)

    async def change(self, caller: Caller, card_id: str, fields: CardFields) -> StampCard:
        """What it is called, how long stamps hold, and whether it is in use; what it counts and gives stays."""
        caller.require(MANAGE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Card:
            old = await stamps.find_card(tx, caller.account_id, card_id, lock=True)
            changes = picked(fields, *_CHANGES)
            if "name" in fields:
                changes["name"] = _line(fields["name"])
            kept = msgspec.structs.replace(old, **changes, updated_at=self._clock.now_ms())
            await stamps.change_card(tx, kept)
            await acting.note(tx, "loyalty.card_changed", "stamp_card", kept.id, {"name": kept.name})
            return kept

        return card_view(await self._db.write(work))

    async def _offer(self, tx: Tx, caller: Caller, reward: RewardOfCard) -> Offer:
        found = await read_coupon(tx, caller, reward)
        least = Offer(kind="stamps", name=found["name"], gives=found["gives"], days=reward.get("days", 60))
        return msgspec.structs.replace(least, **picked(found, *Offer.__struct_fields__))


def _line(text: str) -> str:
    return " ".join(text.split())
