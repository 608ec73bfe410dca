"""A table's bill is paid by link: by guests on their phones and by staff, in parts, and never for more than is open."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, Unpack

import msgspec
import pytest

from tablegram.engine.idempotency import Call
from tablegram.errors import Conflict, Forbidden, Invalid, NotFound, Problem
from tablegram.flows.restaurant.bills.answers import BillView
from tablegram.flows.restaurant.bills.links import BillFace
from tablegram.flows.restaurant.fields import BillLinkFields, GuestBillFields, PaidLineFields, PaymentFields, TakeFields
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.values.money import share
from tests.crm.pool import PHONE
from tests.payments.gate.till import PaidHouse, paid_house

KEY = "a-key-of-one-phone-{}"


class Table:
    """Guests of table 5 who have ordered, and everybody who takes money from them."""

    def __init__(self, one: PaidHouse) -> None:
        self.one, self.house = one, one.house
        self.services = self.house.product.of(RestaurantServices)
        self.owner = self.house.caller("owner")
        self.tab_id = ""

    async def order(self, *dishes: str, serve: bool = True, table: str = "5") -> str:
        fields: TakeFields = {
            "venue_id": self.house.venue.id,
            "table_id": (await self.house.table(table)).id,
            "lines": [self.house.line(one) for one in dishes],
        }
        made = (await self.house.orders.take(self.owner, fields, Call("order"))).value
        self.tab_id = self.tab_id or str((await self.house.placed())[-1]["tab_id"])
        for action in ("finish", "serve") if serve else ():
            await self.house.act(made.order_id, action)
        return str(made.order_id)

    async def bill(self) -> BillView:
        return await self.services.bills.get(self.owner, self.tab_id)

    async def ask(self, **fields: Unpack[BillLinkFields]) -> Any:
        made = (await self.services.bill_links.ask(self.owner, self.tab_id, fields, Call("ask"))).value
        await self.one.settle()
        return made

    async def pay(self, number: int = 1, **fields: Any) -> dict[str, Any]:
        """A guest taps "pay now"."""
        seat = await self.house.seat("5")
        given: GuestBillFields = {"key": KEY.format(number), "language": "tr", **fields}  # type: ignore[typeddict-item]
        made = await self.services.guest_bill.pay(seat, given, "")
        await self.one.settle()
        return msgspec.structs.asdict(made)

    async def take(self, **fields: Any) -> None:
        given: PaymentFields = {"method": "cash", **fields}  # type: ignore[typeddict-item]
        await self.services.bills.take(self.owner, self.tab_id, given, Call("take"))
        await self.one.settle()

    async def told(self) -> list[str]:
        kinds = ("restaurant.bill_paid", "restaurant.tab_closed")
        return [one["event"] for kind in kinds for one in await self.house.told(kind)]


async def test_a_bill_is_paid_by_link_in_shares_and_closes_with_the_last_of_them(database_url: str) -> None:
    async with paid_house(database_url) as one:
        table = Table(one)
        await table.order("Lahmacun", "Künefe")
        await table.order("Künefe")
        whole = (await table.bill()).open
        first = await table.pay(parts=2)
        assert (first["state"], bool(first["url"])) == ("open", True)
        # The same tap again is the same link; what one pays, nobody else can.
        assert (await table.pay(parts=2))["id"] == first["id"]
        seat = await one.house.seat("5")
        shown = await table.services.guests.bill(seat)
        assert shown.payable == shown.open - first["amount"] == shown.total - first["amount"]
        with pytest.raises(Conflict) as refused:
            await table.pay(2, amount=shown.open)
        assert refused.value.code == "more_than_open"
        with pytest.raises(Conflict) as refused:
            await table.ask(amount=whole)
        assert refused.value.code == "more_than_owed"
        (link,) = await one.links()
        one.till.paid[link.id] = link.amount
        await asyncio.gather(
            *(one.signal(link, "same") for _ in range(4)), *(one.signal(link, f"{n}") for n in range(4))
        )
        bill = await table.bill()
        assert ([(p.method, p.amount * 100, p.by) for p in bill.payments], bill.payment_links) == (
            [("online", link.amount, "provider")], [],
        )  # fmt: skip
        assert (bill.state, await table.told()) == ("open", [])
        rest = await table.ask(phone=PHONE, language="tr")
        assert rest.amount == bill.open
        assert rest.url in (await one.house.said())[-1]
        await one.pay(await one.link())
        bill = await table.bill()
        assert (bill.state, bill.open, {order.status for order in bill.orders}) == ("closed", 0, {"completed"})
        assert await table.told() == ["restaurant.bill_paid", "restaurant.tab_closed"]
        assert "ödemenizi aldık" in (await one.house.said())[-1]
        # Who comes back from the payment page is at the table again; who got the link by message is not.
        assert "&t=" in (await table.services.guest_bill.landing(1, first["id"]) or "")
        assert await table.services.guest_bill.landing(1, rest.id) is None
        assert one.till.links[rest.id].success_url == f"http://here.test/pay/{rest.id}"


async def test_who_comes_back_is_told_that_they_paid_only_when_the_money_is_proved(database_url: str) -> None:
    async with paid_house(database_url) as one:
        table = Table(one)
        await table.order("Lahmacun", "Künefe")
        whole, seat = round((await table.bill()).open * 100), await one.house.seat("5")
        guests, bill = table.services.guests, table.services.guest_bill
        assert (await guests.bill(seat)).is_settled is False
        made = await table.pay(parts=2, tip=700)
        wish = one.till.links[made["id"]]
        assert (wish.description.split(" · ")[1], [(item.name, item.amount) for item in wish.items]) == (
            "Masa 5", [("Hesap", whole // 2), ("Bahşiş", 700)],
        )  # fmt: skip
        # Paying again takes the own link back, so what it asks for is not somebody else's.
        for own, payable in (("", whole - whole // 2), ("pay_1", whole - whole // 2), (made["id"], whole)):
            shown = await guests.bill(seat, own)
            assert (shown.payable, shown.being_paid) == (payable, whole - payable), own
        back = await bill.landing(1, made["id"])
        assert back is not None
        assert back.endswith(f"&lang=tr&paid={made['id']}")
        assert "paid=" not in (await bill.landing(1, made["id"], has_left=True) or "paid=")

        async def came(link_id: str) -> tuple[str, int, int]:
            found = await bill.outcome(seat, link_id)
            return found.state, found.amount, found.tip

        assert await came(made["id"]) == ("waiting", 0, 0)
        for elsewhere in (await one.house.seat("7"), type(seat)(seat.venue, seat.table)):
            with pytest.raises(NotFound):
                await bill.outcome(elsewhere, made["id"])
        await one.pay(await one.link())
        assert await came(made["id"]) == ("paid", whole // 2 + 700, 700)
        assert (await guests.bill(seat)).is_settled is False
        # Who left, and whose money came all the same, is told.
        assert "paid=" in (await bill.landing(1, made["id"], has_left=True) or "")
        late = await table.pay(2)
        link = await one.link()
        one.till.is_down = True
        await table.take()
        assert await came(late["id"]) == ("over", 0, 0)
        await one.pay(link)
        assert await came(late["id"]) == ("held", 0, 0)
        one.till.is_down = False
        refund = await one.db.write(lambda tx: one.payments.refund(tx, 1, late["id"], one.clock.now_ms()))
        await one.caretaker.hurry_refund(1, refund.id)
        assert await came(late["id"]) == ("returned", link.amount, 0)
        # All is paid: said to who is still there, and not to who sits down long after.
        assert (await table.bill()).state == "closed"
        assert await guests.bill(seat) == BillFace(currency="TRY", is_settled=True)
        one.clock.advance(3_601)
        assert (await guests.bill(seat)).is_settled is False


async def test_money_that_the_bill_no_longer_needs_waits_for_people(database_url: str) -> None:
    async with paid_house(database_url) as one:
        table = Table(one)
        await table.order("Lahmacun")
        await table.pay()
        link = await one.link()
        # The guest is on the payment page when the waiter takes the cash: the link is taken back.
        one.till.is_down = True
        await table.take()
        assert ((await one.link()).state, (await table.bill()).state) == ("cancelled", "closed")
        await one.pay(link)
        paid = await one.link()
        assert (paid.state, paid.attention, paid.waits_for_decision) == ("paid", "paid_after_end", True)
        bill = await table.bill()
        assert ([p.method for p in bill.payments], [p.needs_decision for p in bill.payment_links]) == (["cash"], [True])
        # A part in cash leaves the links that still fit; one that ran out is taken as long as the bill needs it.
        table.tab_id, one.till.is_down = "", False
        await table.order("Lahmacun", "Künefe")
        left = (await table.bill()).open
        small, large = await table.pay(2, amount=100), await table.pay(3)
        await table.take(amount=left - 1)
        states = {link.id: link.state for link in await one.links()}
        assert (states[small["id"]], states[large["id"]]) == ("open", "cancelled")
        late = next(link for link in await one.links() if link.id == small["id"])
        one.clock.advance(3_600)
        await one.drain()
        await one.pay(late)
        late = next(link for link in await one.links() if link.id == small["id"])
        assert (late.waits_for_decision, (await table.bill()).open) == (False, 0)


async def test_a_guest_chooses_again_staff_take_links_back_and_guests_take_theirs_along(database_url: str) -> None:
    async with paid_house(database_url) as one:
        table = Table(one)
        await table.order("Lahmacun", serve=False)
        first = await table.pay()
        # All of it is being paid; with the old link named, the same guest may choose another sum.
        with pytest.raises(Conflict) as refused:
            await table.pay(2)
        assert refused.value.code == "being_paid"
        second = await table.pay(3, amount=150, instead=first["id"])
        staffs = await table.ask(amount=1.0)
        third = await table.pay(4, amount=100, instead=staffs.id)
        assert [link.state for link in await one.links()] == ["cancelled", "open", "open", "open"]
        await table.pay(5, amount=50, instead=third["id"])
        await table.services.bill_links.take_back(table.owner, table.tab_id, staffs.id)
        await one.settle()
        assert one.till.cancelled == {first["id"], third["id"], staffs.id}
        # At another table the link is still for what they owe.
        moved = await table.services.bills.move(
            table.owner, table.tab_id, (await one.house.table("7")).id, Call("move")
        )
        table.tab_id = moved.value.id
        await one.pay(next(link for link in await one.links() if link.id == second["id"]))
        assert [(p.method, p.amount) for p in (await table.bill()).payments] == [("online", 1.5)]
        # Nobody pays for a table whose code they did not scan.
        for seat in (await one.house.seat(None), type(await one.house.seat())(one.house.venue, None)):
            with pytest.raises(Forbidden):
                await table.services.guest_bill.pay(seat, {"key": KEY.format(9)}, "")


async def test_a_link_pays_exactly_the_dishes_that_it_was_made_for(database_url: str) -> None:
    async with paid_house(database_url) as one:
        table = Table(one)
        first = await table.order("Lahmacun", "Künefe", "Ayran")
        await table.order("Ayran")
        chosen: list[PaidLineFields] = [{"order_id": first, "line": 1, "quantity": 1}]
        made = await table.ask(lines=chosen)
        await one.pay(await one.link())
        bill = await table.bill()
        assert [[item.paid_quantity for item in order.items] for order in bill.orders] == [[0, 1, 0], [0]]
        assert bill.paid == made.amount
        with pytest.raises(Conflict) as refused:
            await table.ask(lines=chosen)
        assert refused.value.code == "line_paid"
        # One that was paid in person while the link was open: the money is the bill's all the same.
        again: list[PaidLineFields] = [{"order_id": first, "line": 2, "quantity": 1}]
        await table.ask(lines=again)
        link = await one.link()
        await table.take(lines=again)
        await one.pay(link)
        bill = await table.bill()
        assert [order.items[-1].paid_quantity for order in bill.orders] == [1, 0]
        assert round(bill.paid + bill.open, 2) == bill.total


async def test_a_tip_comes_by_link_beside_the_bill_and_goes_back_with_it(database_url: str) -> None:
    async with paid_house(database_url) as one:
        table = Table(one)
        await table.order("Lahmacun", "Künefe", serve=False)
        whole = round((await table.bill()).open * 100)
        for wrong in ({"tip": whole + 1}, {"tip": 5, "tip_percent": 5}):
            with pytest.raises(Invalid):
                await table.pay(9, **wrong)
        first = await table.pay(parts=2, tip_percent=10)
        half = whole // 2
        assert (first["amount"], first["tip"]) == (half + share(half, 1_000), share(half, 1_000))
        # What others can pay is the bill's alone; a tip takes nothing from it.
        shown = await table.services.guests.bill(await one.house.seat("5"))
        assert shown.payable == whole - half
        rest = await table.pay(2, tip=700)
        assert rest["amount"] == whole - half + 700
        for link in await one.links():
            await one.pay(link)
        bill = await table.bill()
        assert (bill.open, bill.paid, bill.tips) == (0, bill.total, (first["tip"] + 700) / 100)
        found = await table.services.takings.figures(table.owner, one.house.venue.id, None, None)
        assert (found.tips, found.paid) == (bill.tips, bill.paid)
        # The bill's money goes back before the tip.
        link = next(each for each in await one.links() if each.id == rest["id"])
        sent = 0
        for amount in (whole - half, 300, 400):
            back = await one.db.write(
                partial(
                    lambda amount, tx: one.payments.refund(tx, 1, link.id, one.clock.now_ms(), amount=amount), amount
                )
            )
            await one.caretaker.hurry_refund(1, back.id)
            # The bill says of each payment what has gone back; the other one has all of its money.
            sent += amount
            told = [round(p.went_back * 100) for p in (await table.bill()).payments if p.kind == "payment"]
            assert told == [0, sent]
        refunds = [
            (round(p.amount * 100), round(p.tip * 100)) for p in (await table.bill()).payments if p.kind == "refund"
        ]
        assert refunds == [(whole - half, 0), (0, 300), (0, 400)]
        assert round((await table.bill()).tips * 100) == first["tip"]


async def test_a_bill_goes_before_the_tip_and_its_last_coin_is_paid_by_link(database_url: str) -> None:
    async with paid_house(database_url) as one:
        table = Table(one)
        await table.order("Lahmacun")
        await table.pay(tip=700)
        link = await one.link()
        await one.pay(link, amount=link.owed - 1)
        await one.db.write(lambda tx: one.payments.accept(tx, 1, link.id, "Elif", one.clock.now_ms()))
        bill = await table.bill()
        assert (round(bill.open * 100), bill.tips) == (1, 0)
        await table.pay(2)
        await one.pay(await one.link())
        bill = await table.bill()
        assert (bill.state, bill.open, (await one.link()).waits_for_decision) == ("closed", 0, False)


async def test_money_that_came_by_link_goes_back_by_its_provider(database_url: str) -> None:
    async with paid_house(database_url) as one:
        table = Table(one)
        first = await table.order("Lahmacun", serve=False)
        await table.order("Künefe", serve=False)
        await table.ask()
        link = await one.link()
        await one.pay(link)
        before = await table.bill()
        # Not from the order's own page: nobody would ask the provider.
        with pytest.raises(Conflict) as conflict:
            await table.house.act(first, "refund")
        assert conflict.value.code == "refund_on_bill"
        assert (await one.link()).refunded == 0
        (payment,) = before.payments
        bills = table.services.bills
        # Some of it: the guests owe nothing more, and the last order had it.
        async with asyncio.timeout(30):
            await one.payments.prepare(1)
            refund = await one.db.write(
                lambda tx: one.payments.refund(tx, 1, link.id, one.clock.now_ms(), amount=50, by="Elif", reason="cold")
            )
        await one.caretaker.hurry_refund(1, refund.id)
        bill = await table.bill()
        assert (bill.open, [(p.kind, p.amount, p.of) for p in bill.payments]) == (
            0, [("payment", payment.amount, None), ("refund", 0.5, None)],
        )  # fmt: skip
        assert [order.payment_status for order in bill.orders] == ["paid", "paid"]
        # The rest by staff on the bill: asked for once, and noted when the provider has done it.
        told = await bills.give_back(table.owner, table.tab_id, payment.id, "closed kitchen", Call("back"))
        assert told.value.payment.id == payment.id
        with pytest.raises(Problem) as refused:
            await bills.give_back(table.owner, table.tab_id, payment.id, "again", Call("back"))
        assert refused.value.code == "already_refunded"
        await one.settle()
        bill = await table.bill()
        assert sum(p.amount for p in bill.payments if p.kind == "refund") == payment.amount
        assert (await one.link()).refunded == link.amount
        # All at once opens what is still running again, as with cash.
        table.tab_id = ""
        await table.order("Künefe", serve=False, table="7")
        await table.ask()
        await one.pay(await one.link())
        (payment,) = (await table.bill()).payments
        await bills.give_back(table.owner, table.tab_id, payment.id, "wrong table", Call("back"))
        await one.settle()
        bill = await table.bill()
        assert (bill.open, [p.is_given_back for p in bill.payments]) == (payment.amount, [True, False])
