"""A guest pays with a gift card on their phone: orders and bills, all or a part; what is called off is on the card again."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tablegram.engine.idempotency import Call
from tablegram.errors import Problem
from tablegram.flows.loyalty.gifts.answers import WholeGift
from tablegram.flows.restaurant.fields import GiftPaymentFields, GuestGiftFields
from tablegram.flows.restaurant.paying.by_gift import GuestGifts
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.tokens import order_token
from tests.crm.pool import PHONE
from tests.loyalty.gifts.test_gifts import codes_of, desk, left, made
from tests.payments.gate.till import paid_house
from tests.restaurant.flows.house import House, house
from tests.restaurant.flows.sent import sent

KEY = "a-tap-of-one-phone-{}"
GUEST = {"phone": PHONE, "name": "Ayşe"}


def paying(one: House) -> GuestGifts:
    return one.product.of(RestaurantServices).guest_gifts


async def token_of(one: House) -> str:
    number = (await one.placed())[-1]["order_id"]
    order = await one.db.snapshot(lambda tx: orders.find(tx, 1, number))
    return order_token(one.product.box, one.venue, order)


async def pay(one: House, gift: WholeGift, tap: int = 1, amount: int | None = None) -> tuple[int, int]:
    fields: GuestGiftFields = {"key": KEY.format(tap), "code": gift.code, "amount": amount}
    paid = await paying(one).pay_order(await token_of(one), fields, "")
    return paid.amount, paid.open


async def ordered(one: House, **fields: Any) -> dict[str, Any]:
    cart = await one.cart(one.line("Lahmacun", 2), table=None, order_type="takeaway")
    given = {"payment_method": "cash", **GUEST, **fields}
    placed: dict[str, Any] = await one.guests.order_from_page(one.venue, cart["code"], cart["holder"], given)
    return placed


async def shown(one: House) -> dict[str, Any]:
    status: dict[str, Any] = await one.guests.order_status(await token_of(one))
    return status


async def test_a_card_pays_a_part_of_an_order_online_and_a_link_the_rest(database_url: str) -> None:
    async with paid_house(database_url) as one:
        gift = await made(one.house, amount=50)
        whole = (await one.order(table=None, **GUEST))["total"]
        first = await one.link()
        assert await pay(one.house, gift) == (5_000, whole - 5_000)
        await one.settle()
        rest = await one.link()
        assert (first.id in one.till.cancelled, rest.amount) == (True, whole - 5_000)
        assert await one.standing() == ("awaiting_payment", "partly_paid")
        assert (await one.tickets(), await one.created()) == ([], 0)
        view = (await shown(one.house))["paying"]
        assert (view["left"], view["url"], view["state"]) == (rest.amount, rest.url, "open")
        await one.pay(rest)
        assert await one.standing() == ("sent_to_kitchen", "paid")
        assert (await one.tickets(), await one.created()) == (["order"], 1)
        # Both go back the way they came.
        number = (await one.house.placed())[-1]["order_id"]
        await one.house.act(number, "refund", role="owner")
        await one.settle()
        assert (await one.standing())[1] == "refunded"
        assert [wish.amount for wish in one.till.refunds.values()] == [whole - 5_000]
        assert (await left(one.house, gift))[2] == [("issue", 50), ("redeem", -50), ("give_back", 50)]


async def test_a_code_typed_at_the_checkout_pays_with_the_order_or_nothing_is_ordered(database_url: str) -> None:
    async with paid_house(database_url) as one:
        gift = await made(one.house, amount=1_000)
        for wrong, code in (("AAAA-BBBB-CCCC", "gift_code_unknown"), ("x", "gift_code_unknown")):
            with pytest.raises(Problem) as problem:
                await ordered(one.house, gift_code=wrong, payment_method="online_card")
            assert code in codes_of(problem.value)
        assert await one.house.placed() == []
        view = await ordered(one.house, gift_code=gift.code.lower(), payment_method="online_card")
        await one.settle()
        # No link is left that somebody could pay, and the kitchen has begun.
        assert (view["payment_status"], view["status"], view["paying"]) == ("paid", "sent_to_kitchen", None)
        assert all(not link.is_alive for link in await one.links())
        assert (await left(one.house, gift))[0] == 1_000 - view["total"] / 100
        assert gift.code not in str(await one.house.told(""))


async def test_what_is_called_off_is_on_the_card_again_whoever_does_it(database_url: str) -> None:
    async with house(database_url) as one:
        gift = await made(one, amount=30)
        for action, by_guest in (("cancel", False), ("", True)):
            whole = (await ordered(one))["total"]
            number = (await one.placed())[-1]["order_id"]
            assert await pay(one, gift, tap=len(number), amount=1_000) == (1_000, whole - 1_000)
            assert ((await shown(one))["paying"]["left"], (await left(one, gift))[0]) == (whole - 1_000, 20)
            if by_guest:
                view = await one.guests.cancel_by_guest(await token_of(one))
                assert view["payment_status"] == "refunded"
            else:
                await one.act(number, action, reason="no dough")
            assert (await left(one, gift))[0] == 30
        assert [event["payment_status"] for event in await one.told("restaurant.order_updated")][-1] == "refunded"
        with pytest.raises(Problem) as problem:
            await pay(one, gift, tap=9)
        assert problem.value.code == "nothing_to_pay"


async def test_one_tap_and_one_value_are_spent_once_whoever_taps_at_once(database_url: str) -> None:
    async with house(database_url) as one:
        gift = await made(one, amount=20)
        whole = (await ordered(one))["total"]
        taps = [pay(one, gift, tap) for tap in (1, 1, 2, 3, 4)]
        came = await asyncio.gather(*taps, return_exceptions=True)
        assert [one for one in came if not isinstance(one, Problem)] in [[(2_000, whole - 2_000)] * n for n in (1, 2)]
        assert (await left(one, gift))[2] == [("issue", 20), ("redeem", -20)]
        # The rest is taken at the counter, and no more than that.
        number = (await one.placed())[-1]["order_id"]
        for step in ("accept", "finish", "pick_up"):
            await one.act(number, step)
        await one.act(number, "complete", paid=True)
        takings = await one.product.of(RestaurantServices).takings.figures(
            one.caller("owner"), one.venue.id, None, None
        )
        assert {row.key: row.amount for row in takings.by_method} == {
            "gift": 20, "cash": (whole - 2_000) / 100,
        }  # fmt: skip


async def test_guests_pay_their_tables_bill_by_card_beside_a_link(database_url: str) -> None:
    async with paid_house(database_url) as one:
        gift = await made(one.house, amount=40)
        await sent(one.house)
        seat = await one.house.seat("5")
        bill = await one.house.guests.bill(seat)
        services = one.house.product.of(RestaurantServices)
        link = await services.guest_bill.pay(seat, {"key": KEY.format(0), "amount": bill.open - 3_000}, "")
        await one.settle()
        assert (await one.house.guests.bill(seat)).by_gift == 3_000
        balance = await paying(one.house).look(one.house.venue, gift.code.lower(), "")
        assert (balance.balance, balance.hint) == (4_000, f"•••• {gift.code[-4:]}")
        fields: GuestGiftFields = {"key": KEY.format(1), "code": gift.code}
        whose = (one.house.venue, seat.table, True)
        # What somebody is paying by link is not for the card; a tap that comes twice pays once.
        first = await paying(one.house).pay_bill(*whose, fields, "")
        assert (first.amount, first.gift_left, first.open) == (3_000, 1_000, link.amount)
        assert await paying(one.house).pay_bill(*whose, fields, "") == first
        with pytest.raises(Problem) as problem:
            await paying(one.house).pay_bill(*whose, {**fields, "key": KEY.format(2)}, "")
        assert problem.value.code == "being_paid"
        # Who gives their own link up pays with the card instead.
        again: GuestGiftFields = {**fields, "key": KEY.format(3), "instead": link.id}
        assert (await paying(one.house).pay_bill(*whose, again, "")).gift_left == 0
        with pytest.raises(Problem) as problem:
            await paying(one.house).pay_bill(one.house.venue, seat.table, False, {**fields, "key": KEY.format(4)}, "")
        assert problem.value.code == "call_code_needed"
        with pytest.raises(Problem) as problem:
            await pay(one.house, gift, tap=5)
        assert problem.value.code == "order_on_bill"
        await one.settle()


async def test_staff_take_a_card_and_see_which_order_it_paid(database_url: str) -> None:
    async with house(database_url) as one:
        counter = one.product.of(RestaurantServices).counter_gifts
        await ordered(one)
        number = (await one.placed())[-1]["order_id"]
        # Where there never was a card, nobody is asked for one.
        assert await counter.open_of(one.staff, number) is None
        gift = await made(one, amount=20)
        whole = await counter.open_of(one.staff, number) or 0
        refusals: list[tuple[GiftPaymentFields, str]] = [
            ({}, "gift_code_missing"), ({"gift_code": "x"}, "gift_code_unknown"),
            ({"gift_code": gift.code, "amount": whole + 1}, "more_than_open"),
            ({"gift_code": gift.code, "amount": 20.5}, "gift_short"),
            ({"gift_code": gift.code, "amount": 0.001}, "amount_unreadable"),
        ]  # fmt: skip
        for given, code in refusals:
            with pytest.raises(Problem) as problem:
                await counter.pay(one.staff, number, given, Call("counter"))
            assert code in (problem.value.code, *codes_of(problem.value))
        with pytest.raises(Problem) as problem:
            await counter.pay(one.caller("kitchen"), number, {"gift_code": gift.code}, Call("counter"))
        assert problem.value.status == 403
        once = Call("counter", idempotency_key="one tap", fingerprint="the same")
        taps = [
            counter.pay(one.staff, number, {"gift_code": gift.code}, call) for call in (once, once, Call("counter"))
        ]
        came = [
            one for one in await asyncio.gather(*taps, return_exceptions=True) if not isinstance(one, BaseException)
        ]
        assert {(told.value.amount, told.value.gift_left, told.value.open) for told in came} == {(20, 0, whole - 20)}
        found = await desk(one).get(one.caller("owner"), gift.id)
        assert [(move.kind, move.order_id, move.tab_id) for move in found.movements] == [
            ("issue", None, None), ("redeem", number, None),
        ]  # fmt: skip
        history = (await one.orders.get(one.staff, number)).history
        assert [(step.event, step.by) for step in history] == [("place", "guest"), ("pay_gift", "Elif")]
        assert await counter.open_of(one.staff, number) == whole - 20
        # It was for this order: called off, the value is on the card again.
        await one.act(number, "cancel", reason="no dough")
        assert ((await left(one, gift))[0], await counter.open_of(one.staff, number)) == (20, None)
