"""Nothing is cooked, printed or announced before the money; then all of it at once."""

from __future__ import annotations

import asyncio

import pytest

from tablegram.engine.idempotency import Call
from tablegram.errors import Conflict
from tablegram.flows.restaurant.fields import PaymentFields
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Statement
from tablegram.values.clock import MINUTE_MS
from tests.crm.pool import PHONE
from tests.payments.gate.till import paid_house


async def test_an_order_waits_for_its_money_and_then_everything_happens_at_once(database_url: str) -> None:
    async with paid_house(database_url) as one:
        made = await one.order(phone=PHONE)
        assert await one.standing() == ("awaiting_payment", "link_sent")
        assert (await one.tickets(), await one.created()) == ([], 0)
        link = await one.link()
        wish = one.till.links[link.id]
        assert (link.state, wish.amount, sum(item.amount for item in wish.items)) == (
            "open",
            made["total"],
            made["total"],
        )
        assert wish.success_url == f"http://here.test/api/v1/menu/paid/1/{link.id}"
        one.clock.advance(300)
        await one.pay(link)
        assert await one.standing() == ("sent_to_kitchen", "paid")
        assert (await one.tickets(), await one.created()) == (["order"], 1)
        assert await one.money() == [("payment", "succeeded", "online_card", made["total"])]
        # The promise counts from the money.
        row = (await one.house.placed())[-1]
        assert row["promised_at"] == one.clock.now_ms() + 20 * MINUTE_MS
        # The same signal again, another one of the same payment, and what the provider answers when it is asked.
        await one.pay(link)
        await one.pay(link, signal_id="another")
        one.clock.advance(2400)
        await one.drain()
        assert (await one.tickets(), await one.created(), len(await one.money())) == (["order"], 1, 1)
        assert [step.event for step in (await one.house.orders.get(one.house.staff, row["order_id"])).history] == [
            "place", "send_link", "pay",
        ]  # fmt: skip


async def test_eight_equal_signals_at_once_are_one(database_url: str) -> None:
    async with paid_house(database_url) as one:
        await one.order(phone=PHONE)
        link = await one.link()
        one.till.paid[link.id] = link.amount
        await asyncio.gather(
            *(one.signal(link, "same") for _ in range(4)), *(one.signal(link, f"s{n}") for n in range(4))
        )
        assert (await one.standing(), await one.tickets(), await one.created()) == (
            ("sent_to_kitchen", "paid"), ["order"], 1,
        )  # fmt: skip


async def test_a_guest_in_the_chat_hears_of_the_link_the_money_and_the_end(database_url: str) -> None:
    async with paid_house(database_url, prepaid=["takeaway"]) as one:
        # Who has never finished an order here pays first, and need not say so.
        await one.house.write("2 lahmacun gel al")
        await one.settle()
        assert await one.standing() == ("awaiting_payment", "link_sent")
        (said,) = await one.house.said()
        link = await one.link()
        assert link.url in said
        assert "ödemeden sonra" in said
        await one.pay(link)
        assert "Ödemeniz ulaştı" in (await one.house.said())[-1]
        order_id = (await one.house.placed())[-1]["order_id"]
        for action in ("start", "finish", "pick_up", "complete"):
            await one.house.act(order_id, action)
        # Whom the house knows by now pays as usual.
        await one.house.write("1 lahmacun gel al")
        assert await one.standing() == ("sent_to_kitchen", "unpaid")


async def test_the_provider_is_down_and_the_link_follows_by_itself(database_url: str) -> None:
    async with paid_house(database_url, prepaid=["takeaway"]) as one:
        one.till.is_down = True
        await one.house.write("2 lahmacun gel al")
        await one.settle()
        assert await one.standing() == ("awaiting_payment", "unpaid")
        assert "yanıt vermiyor" in (await one.house.said())[-1]
        for _ in range(3):
            one.clock.advance(30)
            await one.drain()
        assert len(await one.house.said()) == 1
        one.till.is_down = False
        one.clock.advance(120)
        await one.drain()
        assert await one.standing() == ("awaiting_payment", "link_sent")
        assert (await one.link()).url in (await one.house.said())[-1]
        assert (await one.tickets(), await one.created()) == ([], 0)
        await one.pay(await one.link())
        assert (await one.tickets(), await one.created()) == (["order"], 1)


async def test_a_process_that_dies_before_it_calls_the_provider_leaves_the_link_to_the_drain(database_url: str) -> None:
    async with paid_house(database_url) as one:
        cart = await one.house.cart()
        given = {"payment_method": "online_card", "phone": PHONE}
        await one.house.guests.order_from_page(one.house.venue, cart["code"], cart["holder"], given)
        one.forget()
        assert ((await one.link()).state, await one.standing()) == ("making", ("awaiting_payment", "unpaid"))
        one.clock.advance(60)
        await one.drain()
        assert ((await one.link()).state, await one.standing()) == ("open", ("awaiting_payment", "link_sent"))


async def test_an_expired_link_frees_the_order_and_the_guest_chooses(database_url: str) -> None:
    async with paid_house(database_url) as one:
        await one.order(phone=PHONE)
        first = await one.link()
        one.clock.advance(1860)
        await one.drain()
        assert (await one.link()).state == "expired"
        assert await one.standing() == ("awaiting_payment", "failed")
        number = (await one.house.placed())[-1]["order_id"]
        await one.house.act(number, "send_link")
        await one.settle()
        second = await one.link()
        assert second.id != first.id
        assert await one.standing() == ("awaiting_payment", "link_sent")
        # The first is paid after all: the money is there, and the second is taken back.
        await one.pay(first)
        assert await one.standing() == ("sent_to_kitchen", "paid")
        assert [(link.state, link.waits_for_decision) for link in await one.links()] == [
            ("paid", False),
            ("cancelled", False),
        ]
        assert second.id in one.till.cancelled
        assert (await one.tickets(), await one.created()) == (["order"], 1)


async def test_what_nobody_pays_ends_by_itself(database_url: str) -> None:
    async with paid_house(database_url, prepaid=["takeaway"]) as one:
        await one.house.write("2 lahmacun gel al")
        await one.settle()
        for _ in range(2):
            one.clock.advance(1860)
            await one.drain()
            await one.house.product.order_clock.end_due()
        assert (await one.standing())[0] == "expired"
        assert "zamanında ödenmediği" in (await one.house.said())[-1]
        # Money that comes now is kept, cooked for nobody, and shown to people until they give it back.
        link = await one.link()
        await one.pay(link)
        assert await one.standing() == ("expired", "paid")
        assert (await one.tickets(), await one.created()) == ([], 0)
        assert (await one.link()).waits_for_decision
        number = (await one.house.placed())[-1]["order_id"]
        await one.house.act(number, "refund", "owner")
        await one.settle()
        assert await one.standing() == ("expired", "refunded")
        assert not (await one.link()).waits_for_decision
        assert "iade ettik" in (await one.house.said())[-1]


async def test_staff_take_cash_instead_and_who_paid_meanwhile_has_paid(database_url: str) -> None:
    async with paid_house(database_url) as one:
        made = await one.order(phone=PHONE)
        link, number = await one.link(), made["order_id"]
        with pytest.raises(Conflict):
            await one.house.act(number, "pay", "owner")
        await one.house.act(number, "pay_in_person", "owner", payment_method="cash")
        await one.settle()
        assert await one.standing() == ("sent_to_kitchen", "unpaid")
        assert link.id in one.till.cancelled
        # The guest was faster than the provider heard of it: the order is paid, and nobody is asked twice.
        await one.pay(link)
        assert await one.standing() == ("sent_to_kitchen", "paid")
        assert (await one.tickets(), await one.created()) == (["order"], 1)
        assert not (await one.link()).waits_for_decision


async def test_money_for_what_was_paid_in_cash_waits_for_people(database_url: str) -> None:
    async with paid_house(database_url) as one:
        made = await one.order(phone=PHONE)
        link, number = await one.link(), made["order_id"]
        await one.house.act(number, "pay_in_person", "owner", payment_method="cash")
        await one.house.act(number, "pay", "owner")
        await one.pay(link)
        assert await one.standing() == ("sent_to_kitchen", "paid")
        assert (await one.link()).waits_for_decision
        assert [row[1:3] for row in await one.money()] == [("dropped", "online_card"), ("succeeded", "cash")]


async def test_a_paid_order_that_is_cancelled_waits_for_its_refund(database_url: str) -> None:
    async with paid_house(database_url) as one:
        made = await one.order(one.house.line("Lahmacun", 2), one.house.line("Künefe"), phone=PHONE)
        number = made["order_id"]
        await one.pay(await one.link())
        # By line, and then the rest.
        await one.house.act(number, "refund", "owner", lines=[1], reason="Sold out")
        await one.settle()
        assert await one.standing() == ("sent_to_kitchen", "paid")
        (part,) = one.till.refunds.values()
        assert part.amount == made["items"][1]["amount"]
        await one.house.act(number, "cancel", reason="No gas")
        await one.settle()
        assert (await one.link()).waits_for_decision
        await one.house.act(number, "refund", "owner")
        await one.settle()
        assert await one.standing() == ("cancelled", "refunded")
        assert not (await one.link()).waits_for_decision
        assert sum(wish.amount for wish in one.till.refunds.values()) == made["total"]
        with pytest.raises(Conflict):
            await one.house.act(number, "refund", "owner")


async def test_another_amount_is_no_payment_of_the_order(database_url: str) -> None:
    async with paid_house(database_url) as one:
        await one.order(phone=PHONE)
        link = await one.link()
        await one.pay(link, amount=link.amount - 1)
        assert (await one.standing())[0] == "awaiting_payment"
        assert (await one.tickets(), await one.created()) == ([], 0)
        assert (await one.link()).attention == "amount_differs"
        now = one.clock.now_ms()
        with pytest.raises(Conflict) as refused:
            await one.db.write(lambda tx: one.payments.accept(tx, 1, link.id, "Elif", now))
        assert refused.value.code == "amount_differs"


async def test_a_changed_order_gets_a_link_of_its_new_sum_while_none_was_sent(database_url: str) -> None:
    async with paid_house(database_url) as one:
        one.till.is_down = True
        made = await one.order(one.house.line("Lahmacun", 2), phone=PHONE)
        number = made["order_id"]
        await one.house.orders.change(one.house.staff, number, {"lines": [one.house.line("Lahmacun", 1)]})
        one.till.is_down = False
        await one.settle()
        first, second = await one.links()
        assert (first.state, second.state, second.amount) == ("cancelled", "open", first.amount // 2)
        with pytest.raises(Conflict):
            await one.house.orders.change(one.house.staff, number, {"lines": [one.house.line("Lahmacun", 3)]})


async def test_staff_who_take_money_at_the_table_take_the_link_back(database_url: str) -> None:
    async with paid_house(database_url) as one:
        cart = await one.house.cart(one.house.line("Lahmacun", 2))
        await one.house.write(cart["text"])
        order = (await one.house.placed())[-1]
        assert (order["state"], order["tab_id"] is not None) == ("sent_to_kitchen", True)
        await one.house.write("online")
        await one.settle()
        link = await one.link()
        assert (await one.standing(), link.state) == (("sent_to_kitchen", "link_sent"), "open")
        taken: PaymentFields = {"method": "cash", "amount": 1}
        await one.house.product.bills.take(one.house.staff, order["tab_id"], taken, Call("take"))
        await one.settle()
        assert (await one.standing(), link.id in one.till.cancelled) == (("sent_to_kitchen", "partly_paid"), True)
        # Who paid in that very moment has paid too much: people decide about it.
        one.till.cancelled.discard(link.id)
        await one.pay(link)
        assert (await one.standing())[1] == "partly_paid"
        assert (await one.link()).waits_for_decision


async def test_what_an_order_of_a_table_asks_for_nobody_else_pays_and_the_table_is_told_to_be_free(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with paid_house(database_url) as one:
        await one.house.write((await one.house.cart(one.house.line("Lahmacun")))["text"])
        order = (await one.house.placed())[-1]
        await one.house.write("online")
        await one.settle()
        link, said = await one.link(), await one.house.said()
        bill = await one.house.product.of(RestaurantServices).guests.bill(await one.house.seat("5"))
        assert (bill.open, bill.payable) == (link.amount, 0)
        for action in ("finish", "serve"):
            await one.house.act(order["order_id"], action)
        # The same link once more.
        await one.house.act(order["order_id"], "send_link")
        await one.settle()
        assert (len(await one.links()), link.url in (await one.house.said())[-1]) == (1, True)
        assert len(await one.house.said()) > len(said)
        told, tell = list[str](), one.ordering.told

        def heard(venue: Venue, plan: list[Statement]) -> None:
            told.extend(str(params.get("type", "")) for _, params in plan)
            tell(venue, plan)

        monkeypatch.setattr(one.ordering, "told", heard)
        await one.pay(link)
        assert "restaurant.tab_closed" in told
