"""A guest is given a coupon of their own, once for each occasion, whoever gives it how often."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from tablegram.errors import Conflict, Invalid
from tablegram.flows.contacts.services import ContactServices
from tablegram.loyalty import giving
from tablegram.loyalty.coupons import Coupon
from tablegram.loyalty.giving import Offer
from tablegram.storage.database import Query
from tablegram.storage.tables import loyalty_coupons
from tablegram.values.clock import DAY_MS
from tests.crm.pool import PHONE
from tests.loyalty.test_coupons import OTHER, order_of, ordered, redeem
from tests.loyalty.test_points import guest
from tests.restaurant.flows.house import House, house

WELCOME = Offer(kind="welcome", name="Welcome", gives="percent", percent=1_000, days=10)


async def give(one: House, contact: str, occasion: str = "auto:1:first", offer: Offer = WELCOME) -> Coupon:
    now = one.clock.now_ms()
    return await one.db.write(lambda tx: giving.give(tx, 1, contact, offer, occasion, now, by="automation"))


async def test_a_guest_is_given_a_coupon_once_for_each_occasion(database_url: str) -> None:
    async with house(database_url) as one:
        number = await ordered(one)
        contact = await guest(one)
        made = await asyncio.gather(*(give(one, contact) for _ in range(8)))
        assert len({coupon.id for coupon in made}) == 1
        assert made[0].ends_at == one.clock.now_ms() + 10 * DAY_MS
        birthday = await give(one, contact, "auto:2:2026", msgspec.structs.replace(WELCOME, kind="birthday"))
        assert birthday.code != made[0].code
        # It is theirs alone, and holds once.
        with pytest.raises(Conflict) as strangers:
            await redeem(one, await ordered(one, OTHER), code=made[0].code, phone=OTHER)
        assert strangers.value.code == "coupon_invalid"
        used = await redeem(one, number, code=made[0].shown_code, phone=PHONE)
        assert (await order_of(one, number))["discounts"][0]["name"] == used["name"] == "Welcome"
        assert (await give(one, contact)).used == 1
        one.clock.advance(11 * 86_400)
        with pytest.raises(Conflict) as late:
            await redeem(one, await ordered(one), code=birthday.code)
        assert late.value.code == "coupon_over"
        # Nothing of whoever is erased stays in it.
        await one.product.of(ContactServices).erasure.erase(one.caller("owner"), contact)
        rows = await one.db.all(Query(select(loyalty_coupons).where(loyalty_coupons.c.account_id == 1)))
        assert [(row["cause"], row["is_active"], contact in str(row)) for row in rows] == [(None, 0, False)] * 2


def test_an_offer_that_makes_no_sense_is_refused() -> None:
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("days", {"days": 0}),
        ("days", {"days": 367}),
        ("currency", {"gives": "amount", "amount": 500}),
        ("currency", {"minimum": 500, "currency": "ZZZ"}),
        ("percent", {"percent": 10_001}),
        ("item_id", {"gives": "item"}),
        ("name", {"name": ""}),
    ]
    for field, changes in wrong:
        with pytest.raises(Invalid) as refused:
            giving.check(msgspec.structs.replace(WELCOME, **changes))
        assert [error.field for error in refused.value.errors] == [field]
    giving.check(WELCOME)
