"""Coupons and points are redeemed: by staff, in the chat, once; they are held, final, or given back with their order."""

from __future__ import annotations

import asyncio
from typing import Any, Unpack

import msgspec
import pytest
from sqlalchemy import select

from tablegram.engine.idempotency import Call
from tablegram.errors import Conflict, Invalid, Problem
from tablegram.flows.contacts.services import ContactServices
from tablegram.flows.loyalty.fields import CouponFields, RedeemFields
from tablegram.flows.loyalty.services import LoyaltyServices
from tablegram.flows.restaurant.fields import LineFields
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.loyalty.asking import RewardsSaid, read
from tablegram.storage.database import Query
from tablegram.storage.tables import loyalty_redemptions
from tests.crm.pool import PHONE
from tests.loyalty.test_points import brought, desk, give, guest, moved, switch_on
from tests.restaurant.flows.house import House, house

OTHER = "905551110002"


def services(one: House) -> LoyaltyServices:
    return one.product.of(LoyaltyServices)


async def coupon(one: House, **fields: Unpack[CouponFields]) -> dict[str, Any]:
    given: CouponFields = {"name": "10% off", "gives": "percent", "percent": 10, "code": "TEN10", **fields}
    answer = await services(one).coupons.make(one.caller("owner"), given, Call("make"))
    made: dict[str, Any] = msgspec.to_builtins(answer.value)
    return made


async def ordered(one: House, phone: str = PHONE, *lines: LineFields, **fields: Any) -> str:
    cart = await one.cart(*lines, table=None, order_type="takeaway", **fields)
    await one.write(cart["text"], phone)
    return str((await one.placed())[-1]["order_id"])


async def redeem(one: House, order_id: str, key: str | None = None, **fields: Any) -> dict[str, Any]:
    call = Call("redeem", idempotency_key=key)
    given: RedeemFields = {"order_id": order_id, **fields}  # type: ignore[typeddict-item]
    answer = await services(one).redeeming.redeem(one.staff, given, call)
    told: dict[str, Any] = msgspec.to_builtins(answer.value)
    return told


async def states(one: House) -> list[tuple[str, str]]:
    rows = await one.db.all(
        Query(
            select(loyalty_redemptions).where(loyalty_redemptions.c.account_id == 1).order_by(loyalty_redemptions.c.id)
        )
    )
    return [(row["kind"], row["state"]) for row in rows]


async def order_of(one: House, number: str) -> dict[str, Any]:
    (row,) = [row for row in await one.placed() if row["order_id"] == number]
    return {**row, "discounts": msgspec.json.decode(row["discounts"])}


async def test_staff_redeem_a_coupon_once_and_it_comes_back_with_a_cancelled_order(database_url: str) -> None:
    async with house(database_url) as one:
        made = await coupon(one)
        number = await ordered(one)
        before = (await order_of(one, number))["total"]
        used = await redeem(one, number, "k", code="ten 10")
        assert used == await redeem(one, number, "k", code="ten 10")
        after = await order_of(one, number)
        assert after["total"] == before - after["discounts"][0]["amount"]
        assert round(used["amount"] * 100) == after["discounts"][0]["amount"] == round(before * 0.1)
        for again in ({"code": "TEN10"}, {"code": "TEN10", "phone": PHONE}):
            with pytest.raises(Conflict) as refused:
                await redeem(one, number, **again)
            assert refused.value.code in ("coupon_used", "already_redeemed")
        takings = await one.product.of(RestaurantServices).takings.figures(
            one.caller("owner"), one.venue.id, None, None
        )
        assert takings.discounts == used["amount"]
        await one.act(number, "cancel")
        assert await states(one) == [("coupon", "given_back")]
        assert (await services(one).coupons.get(one.caller("owner"), made["id"])).used == 0
        second = await ordered(one)
        await redeem(one, second, code="TEN10")
        for step in ("finish", "pick_up", "pay", "complete"):
            await one.act(second, step)
        assert await states(one) == [("coupon", "given_back"), ("coupon", "final")]
        [first, last] = await one.told("loyalty.coupon_redeemed")
        assert (first["order_id"], last["order_id"]) == (number, second)


async def test_one_coupon_is_not_spent_twice_by_eight_at_once(database_url: str) -> None:
    async with house(database_url) as one:
        await coupon(one, in_all=1, per_person=None)
        numbers = [await ordered(one, f"9055511100{place:02d}") for place in range(8)]

        async def try_it(number: str) -> str:
            try:
                await redeem(one, number, code="TEN10")
            except Problem as refused:
                return refused.code
            return "done"

        came = await asyncio.gather(*(try_it(number) for number in numbers))
        assert sorted(came) == ["coupon_used_up"] * 7 + ["done"]
        assert await states(one) == [("coupon", "held")]


async def test_each_limit_of_a_coupon_is_kept(database_url: str) -> None:
    async with house(database_url) as one:
        number = await ordered(one)
        now = one.clock.now_ms()
        refusals: list[tuple[str, dict[str, Any]]] = [
            ("coupon_minimum", {"minimum": 9_000, "currency": "TRY"}),
            ("coupon_order_type", {"order_types": ["delivery"]}),
            ("coupon_early", {"starts_at": now + 1}),
            ("coupon_over", {"ends_at": now}),
            ("coupon_item", {"gives": "item", "item_id": one.item("Ayran").id}),
            ("coupon_currency", {"gives": "amount", "amount": 5, "currency": "EUR"}),
        ]
        for place, (code, fields) in enumerate(refusals):
            await coupon(one, code=f"LIMIT{place}", **fields)
            with pytest.raises(Conflict) as refused:
                await redeem(one, number, code=f"LIMIT{place}")
            assert refused.value.code == code
        free = one.item("Lahmacun")
        await coupon(one, code="FREE", gives="item", item_id=free.id)
        assert (await redeem(one, number, code="free"))["amount"] == free.price / 100
        with pytest.raises(Conflict) as taken:
            await coupon(one, code="Free")
        assert taken.value.code == "coupon_code_taken"
        for wrong in (
            {"percent": 0},
            {"gives": "item"},
            {"code": "A"},
            {"gives": "amount", "amount": 5},
            {"item_id": "x"},
        ):
            with pytest.raises(Invalid):
                await coupon(one, **{"code": "WRONG", **wrong})  # type: ignore[arg-type]


async def test_guests_use_coupons_and_points_in_the_chat(database_url: str) -> None:
    async with house(database_url) as one:
        await switch_on(one)
        await brought(one)
        await coupon(one)
        held = (await moved(one))[-1][3]
        # Nothing is ordered yet: it is for the order that comes.
        await one.write("Kupon TEN-10")
        assert "bir sonraki siparişinizden" in (await one.said())[-1]
        number = await ordered(one)
        first = await order_of(one, number)
        assert [extra["name"] for extra in first["discounts"]] == ["10% off"]
        assert "10% off: -" in (await one.said())[-1]
        # The order runs and is not paid: points are taken off it at once.
        await one.write("use points")
        second = await order_of(one, number)
        assert first["total"] - second["total"] == held * 50
        assert (await moved(one))[-1] == ("redeem", -held, 0, 0)
        await one.write("coupon TEN10")
        assert (await one.said())[-1] in (
            "You have used this coupon already.",
            "Something is taken off this order already.",
        )
        await one.write("kupon YOK99")
        assert "YOK99" in (await one.said())[-1]
        await one.act(number, "cancel")
        assert (await moved(one))[-1] == ("give_back", held, 0, held)
        assert {state for _, state in await states(one)} == {"given_back"}


async def test_staff_take_points_off_and_put_them_back(database_url: str) -> None:
    async with house(database_url) as one:
        await switch_on(one)
        await brought(one)
        await give(one, 400)
        held = (await moved(one))[-1][3]
        cart = await one.cart(table="5")
        await one.write(cart["text"])
        number = str((await one.placed())[-1]["order_id"])
        used = await redeem(one, number, points=100, phone=PHONE)
        assert (used["amount"], used["points"]) == (50, 100)
        bill = await one.product.of(RestaurantServices).bills.get(one.staff, (await order_of(one, number))["tab_id"])
        assert bill.discounts_total == 50
        await services(one).redeeming.take_back(one.staff, used["id"])
        member = await desk(one).member(one.caller("owner"), await guest(one))
        assert (member.balance, member.redeemed) == (held, 0)
        with pytest.raises(Conflict) as missing:
            await redeem(one, number, points=held + 1)
        assert missing.value.code == "points_missing"


async def test_who_is_erased_leaves_no_coupon_of_their_own(database_url: str) -> None:
    async with house(database_url) as one:
        number = await ordered(one)
        contact = await guest(one)
        mine = await coupon(one, contact_id=contact)
        with pytest.raises(Conflict) as strangers:
            await redeem(one, await ordered(one, OTHER), code="TEN10", phone=OTHER)
        assert strangers.value.code == "coupon_invalid"
        await redeem(one, number, code="TEN10")
        await one.product.of(ContactServices).erasure.erase(one.caller("owner"), contact)
        left = await services(one).coupons.get(one.caller("owner"), mine["id"])
        assert (left.is_active, str(left.contact_id).startswith("gone:")) == (False, True)
        rows = await one.db.all(Query(select(loyalty_redemptions).where(loyalty_redemptions.c.account_id == 1)))
        assert [row["contact_id"] for row in rows] == [left.contact_id]


def test_a_code_stands_behind_its_word() -> None:
    assert read("KUPON abc-12") == RewardsSaid("coupon", "tr", "ABC12")
    assert read("kupon kodu YAZ25") == RewardsSaid("coupon", "tr", "YAZ25")
    assert read("Coupon: SUMMER") == RewardsSaid("coupon", "en", "SUMMER")
    assert read("PUAN KULLAN") == RewardsSaid("use_points", "tr")
    for text in ("coupon", "2 kupon", "kuponum var mı yok mu acaba", "I have a coupon SUMMER"):
        assert read(text) is None, text
