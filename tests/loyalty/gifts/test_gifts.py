"""Gift cards: sold or given away, spent on bills in parts, given back, told of, expired, cancelled."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tablegram.engine.idempotency import Call
from tablegram.errors import Problem, ScopeMissing
from tablegram.flows.contacts.fields import ContactDraft
from tablegram.flows.contacts.services import ContactServices
from tablegram.flows.loyalty.desks.gift_desk import GiftDesk
from tablegram.flows.loyalty.fields import GiftFields
from tablegram.flows.loyalty.gifts.answers import WholeGift
from tablegram.flows.loyalty.services import LoyaltyServices, LoyaltyWorks
from tablegram.flows.restaurant.fields import PaymentFields
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.loyalty.gifts import asking, codes, keeping
from tablegram.values.clock import DAY_MS
from tests.crm.pool import PHONE
from tests.restaurant.flows.house import House, house
from tests.restaurant.flows.sent import sent
from tests.restaurant.flows.test_two_processes import with_second_till

FRIEND = "905559998877"


def desk(one: House) -> GiftDesk:
    return one.product.of(LoyaltyServices).gifts


async def made(one: House, role: str = "owner", **fields: Any) -> WholeGift:
    given: GiftFields = {"amount": 100, "paid_by": "cash", **fields}  # type: ignore[typeddict-item]
    return (await desk(one).issue(one.caller(role), given, Call("gift"))).value


async def pay(one: House, tab: str, code: str, **fields: Any) -> Any:
    wanted: PaymentFields = {"method": "gift", "gift_code": code, **fields}  # type: ignore[typeddict-item]
    return (await one.product.bills.take(one.staff, tab, wanted, Call("take"))).value


async def left(one: House, gift: WholeGift) -> tuple[float, str, list[tuple[str, float]]]:
    found = await desk(one).get(one.caller("owner"), gift.id)
    assert found.balance == sum(move.amount for move in found.movements)
    return found.balance, found.state, [(move.kind, move.amount) for move in found.movements]


def codes_of(problem: Problem) -> list[str]:
    return [problem.code, *(error.code for error in problem.errors)]


async def test_a_card_pays_bills_in_parts_and_has_its_value_again_when_they_go_back(database_url: str) -> None:
    async with house(database_url) as one:
        gift = await made(one, amount=1_000)
        await sent(one)
        row = await one.order()
        tab, total = row["tab_id"], row["total"] / 100
        # However it is typed; without an amount, all that is open.
        first = await pay(one, tab, gift.code.lower().replace("-", " "), amount=30)
        assert (first.payment.method, first.payment.amount, first.gift_left) == ("gift", 30, 970)
        second = await pay(one, tab, gift.code)
        assert (second.payment.amount, second.bill.open, second.gift_left) == (total - 30, 0, 1_000 - total)
        # The drawer holds what the card was sold for, and nothing for what it paid.
        till = await one.product.of(RestaurantServices).till.get(one.staff, one.venue.id)
        assert (till.taken, till.expected) == (1_000, 1_000)
        takings = one.product.of(RestaurantServices).takings
        shown = await takings.figures(one.caller("owner"), one.venue.id, None, None)
        assert shown.paid == total
        assert [(row.key, row.amount) for row in shown.by_method] == [("gift", total)]
        assert (shown.gifts_sold, [(row.key, row.amount) for row in shown.gifts_by_method]) == (
            1_000,
            [("cash", 1_000)],
        )
        await one.product.bills.give_back(one.caller("owner"), tab, first.payment.id, "wrong table", Call("back"))
        assert (await left(one, gift))[0] == 1_000 - total + 30
        for step in ("finish", "serve"):
            await one.act(row["order_id"], step)
        # The rest goes back from the order's own page, and not again from the bill.
        await one.act(row["order_id"], "refund", role="owner")
        with pytest.raises(Problem):
            await one.product.bills.give_back(one.caller("owner"), tab, second.payment.id, "again", Call("back"))
        balance, state, moves = await left(one, gift)
        assert (balance, state) == (1_000, "active")
        assert [kind for kind, _ in moves] == ["issue", "redeem", "redeem", "give_back", "give_back"]
        told = await one.told("loyalty.gift")
        assert [(event["kind"], event["amount"]) for event in told] == moves
        assert gift.code not in str(told)
        till = await one.product.of(RestaurantServices).till.get(one.staff, one.venue.id)
        assert till.expected == 1_000


async def test_a_card_pays_what_it_has_and_what_it_cannot_pay_is_said(database_url: str) -> None:
    async with house(database_url) as one:
        gift = await made(one, amount=20)
        await sent(one)
        tab = (await one.order())["tab_id"]
        for wrong, code in (
            ({"gift_code": ""}, "gift_code_missing"),
            ({"gift_code": "AAAA-BBBB-CCCC"}, "gift_code_unknown"),
            ({"tip": 5}, "tip_by_gift"),
            ({"amount": 20.01}, "gift_short"),
            ({"method": "cash"}, "gift_code_unneeded"),
        ):
            with pytest.raises(Problem) as problem:
                await pay(one, tab, gift.code, **wrong)
            assert code in codes_of(problem.value), wrong
        assert (await left(one, gift))[0] == 20
        taken = await pay(one, tab, gift.code)
        assert (taken.payment.amount, taken.gift_left) == (20, 0)
        with pytest.raises(Problem) as problem:
            await pay(one, tab, gift.code)
        assert problem.value.code == "gift_spent"
        # Cancelled after it paid: what comes back is the guest's, and so the card holds again.
        await made(one)
        await one.product.bills.give_back(one.caller("owner"), tab, taken.payment.id, "wrong card", Call("back"))
        cancel = desk(one).cancel
        done = await cancel(one.caller("owner"), gift.id, "Lost", Call("cancel"), gives_money_back=True)
        assert (done.value.state, done.value.balance, done.value.movements[-1].money) == ("cancelled", 0, -20)
        with pytest.raises(Problem) as problem:
            await pay(one, tab, gift.code)
        assert problem.value.code == "gift_cancelled"
        till = await one.product.of(RestaurantServices).till.get(one.staff, one.venue.id)
        assert (till.taken, till.given_back) == (120, 20)


async def test_one_card_is_not_spent_twice_at_two_tills(database_url: str) -> None:
    async with with_second_till(database_url) as (one, second):
        gift = await made(one, amount=30)
        for table in ("5", "6"):
            await one.write((await one.cart(table=table))["text"])
        tabs = [row["tab_id"] for row in await one.placed()]
        fields = {"method": "gift", "gift_code": gift.code, "amount": 20}

        async def take(till: Any, tab: str) -> str:
            try:
                await till.take(one.staff, tab, fields, Call("take"))
            except Problem as refused:
                return refused.code
            return "done"

        tills = (one.product.bills, second)
        came = await asyncio.gather(*(take(till, tab) for till in tills for tab in tabs))
        assert sorted(came) == ["done", *["gift_short"] * 3]
        assert await left(one, gift) == (10, "active", [("issue", 30), ("redeem", -20)])


async def test_who_gets_a_card_reads_of_it_and_asks_what_is_left(database_url: str) -> None:
    async with house(database_url) as one:
        # They have not written for a day: the network would let nothing through, and it waits for them.
        gift = await made(one, phone=FRIEND, from_name="Elif", greeting="Mutlu yıllar!", language="tr")
        assert (gift.sent_at, gift.phone, await one.said(FRIEND)) == (None, FRIEND, [])
        with pytest.raises(Problem) as problem:
            await desk(one).send(one.caller("owner"), gift.id, {}, Call("send"))
        assert problem.value.code == "gift_unsent"
        await one.write("Hediye kartım?", FRIEND)
        (card,) = await one.said(FRIEND)
        assert card.startswith(f"Elif size {one.venue.name} hediye kartı gönderdi.")
        assert "“Mutlu yıllar!”" in card
        assert gift.code in card
        await one.write("hediye bakiyem", FRIEND)
        hint = codes.hint(codes.fold(gift.code))
        assert f"Hediye kartı {hint}: *₺100,00*" in (await one.said(FRIEND))[-1]
        assert gift.code not in (await one.said(FRIEND))[-1]
        sent_again = await desk(one).send(one.caller("owner"), gift.id, {}, Call("send"))
        assert sent_again.value.sent_at is not None
        assert gift.code in (await one.said(FRIEND))[-1]
        # Anybody with the code hears what is left; a code that nobody made is told so.
        await one.write(f"gift card {gift.code}")
        assert (await one.said(PHONE))[-1].startswith(f"Gift card {hint}: *")
        await one.write("gift card 7777-8888-9999")
        assert "no gift card with this code" in (await one.said(PHONE))[-1]


async def test_a_card_expires_once_its_owner_was_told_and_what_comes_back_later_holds_a_while(
    database_url: str,
) -> None:
    async with house(database_url) as one:
        await sent(one)
        row = await one.order()
        now, clock = one.clock.now_ms(), one.product.of(LoyaltyWorks).gift_clock
        ends = now + keeping.WARN_MS + DAY_MS
        gift = await made(one, amount=50, phone=PHONE, expires_at=ends, sends=False)
        paid = await pay(one, row["tab_id"], gift.code, amount=20)
        await clock.see_to()
        one.clock.advance(DAY_MS / 1_000 + 1)
        await one.write("Merhaba")
        said = len(await one.said(PHONE))
        # Whoever has not written for a day is not told of theirs, and a row says so.
        silent = await made(one, amount=10, phone=FRIEND, expires_at=ends)
        for _ in range(2):
            await clock.see_to()
        unsent = await one.product.of(ContactServices).unsent.of_contact(one.caller("owner"), str(silent.contact_id))
        hint = codes.hint(codes.fold(silent.code))
        assert [(row.source, row.kind, row.name, row.source_id, row.reason) for row in unsent.data] == [
            ("loyalty", kind, hint, silent.id, "window_closed") for kind in ("gift_expires", "gift")
        ]
        (warning,) = (await one.said(PHONE))[said:]
        assert codes.hint(codes.fold(gift.code)) in warning
        one.clock.advance(keeping.WARN_MS / 1_000)
        checked = await desk(one).check(one.staff, gift.code, Call("check"))
        assert (checked.value.holds, checked.value.reason) == (False, "gift_expired")
        for _ in range(2):
            await clock.see_to()
        assert await left(one, gift) == (0, "expired", [("issue", 50), ("redeem", -20), ("expire", -30)])
        await one.product.bills.give_back(one.caller("owner"), row["tab_id"], paid.payment.id, "cold", Call("back"))
        assert (await left(one, gift))[:2] == (20, "active")
        await clock.see_to()
        assert (await left(one, gift))[:2] == (20, "active")


async def test_what_is_sold_stays_owed_and_nobody_sees_codes_who_need_not(database_url: str) -> None:
    async with house(database_url) as one:
        with pytest.raises(ScopeMissing):
            await made(one, "staff", paid_by="given", reason="Sorry")
        with pytest.raises(Problem) as problem:
            await made(one, paid_by="given")
        assert codes_of(problem.value)[-1] == "reason_missing"
        for wrong in ({"amount": 0}, {"expires_at": one.clock.now_ms()}, {"venue_id": "none"}, {"contact_id": "none"}):
            with pytest.raises(Problem):
                await made(one, **wrong)
        given = await made(one, paid_by="given", reason="Sorry", phone=PHONE)
        sold = await made(one, "staff", amount=70, paid_by="card")
        assert codes.looks_like_one(sold.code)
        (owed,) = (await desk(one).figures(one.staff)).outstanding
        assert (owed.amount, owed.cards) == (170, 2)
        seen = {gift.id: gift.code for gift in (await desk(one).page(one.caller("owner"))).data}
        assert seen == {given.id: given.code, sold.id: sold.code}
        with pytest.raises(Problem) as problem:
            await desk(one).cancel(one.caller("owner"), given.id, "x", Call("c"), gives_money_back=True)
        assert codes_of(problem.value)[-1] == "gift_not_sold"
        # Who turns out to be somebody else takes it along; who is erased leaves a card that leads to nobody, and its money.
        people = one.product.of(ContactServices)
        other = await people.pool.add(one.caller("owner"), ContactDraft(phone=FRIEND), Call("create"))
        friend = other.value.id
        await people.pool.merge(one.caller("owner"), str(given.contact_id), friend, Call("merge"))
        assert (await desk(one).get(one.caller("owner"), given.id)).contact_id == friend
        await people.erasure.erase(one.caller("owner"), friend)
        kept = await desk(one).get(one.caller("owner"), given.id)
        assert (kept.contact_id, kept.balance, kept.code) == (None, 100, given.code)
        (owed,) = (await desk(one).figures(one.staff)).outstanding
        assert owed.amount == 170


@pytest.mark.once
def test_only_what_speaks_of_a_card_is_read_as_that() -> None:
    code = codes.shown("7kmpq2rx9tda")
    assert code == "7KMP-Q2RX-9TDA"
    assert asking.read("Hediye kartım?") == asking.Asked("tr")
    assert asking.read("What is left on my gift card?") == asking.Asked("en")
    for text in (f"hediye kartı {code}", f"Hediye çeki kodu: {code.lower()}", "hediye 7kmp q2rx 9tda"):
        assert asking.read(text) == asking.Asked("tr", "7kmpq2rx9tda"), text
    assert asking.read(code) == asking.Asked("", "7kmp q2rx 9tda", is_sure=False)
    for text in ("hediye paketi olur mu", "gift wrap please", "2 lahmacun 1 ayran", "gift", "çikolata 1", ""):
        assert asking.read(text) is None, text
