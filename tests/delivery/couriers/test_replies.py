"""Couriers who write: their words move what they bring, twice or late changes nothing, and they never become orders."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from tablegram.flows.contacts.services import ContactServices
from tablegram.storage.database import Query
from tablegram.storage.tables import contacts as contact_table
from tablegram.storage.tables import idempotency, messages
from tests.delivery.couriers.depot import MERT, SEDA, Depot
from tests.restaurant.flows.house import House, house

pytestmark = pytest.mark.later

GUEST = "905559998877"


async def _last(one: House, phone: str = MERT) -> str:
    return (await one.said(phone))[-1]


def _short(order_id: str) -> str:
    return str(int(order_id.rpartition("-")[2]))


async def test_a_courier_brings_an_order_by_message(database_url: str) -> None:
    async with house(database_url) as one:
        depot = Depot(one)
        mert = await depot.hire("Mert Aydın", MERT, language="tr")
        number = await depot.order(notes="Zil bozuk")
        given = await depot.assign(number, mert.id)
        text = await _last(one)
        for part in (f"Paket {_short(number)}", "Moda Cad. 12", "+905559998877", "Zil bozuk", "Tahsil et", "nakit",
                     "https://www.google.com/maps/dir/?api=1&destination=Moda"):  # fmt: skip
            assert part in text, (part, text)
        await one.write("ALDIM", MERT)
        assert await depot.states(number) == ("out_for_delivery", "picked_up")
        # The guest hears that it is on its way, with the page that follows it.
        sent = (await one.said(GUEST))[-1]
        assert number in sent
        assert "/menu/orders/" in sent
        # Which shows the courier's first name, and no more of them.
        token = sent.rpartition("/menu/orders/")[2].split()[0]
        assert (await one.guests.order_status(token))["courier"] == "Mert"
        # The same again, and what came before it, changes nothing.
        await one.write("1", MERT)
        assert "zaten" in await _last(one)
        await one.write("teslim", MERT)
        assert await depot.states(number) == ("delivered", "delivered")
        assert (await one.guests.order_status(token))["courier"] == ""
        assert "nakit" in await _last(one)
        for text in ("2", f"2 {_short(number)}", "aldım"):
            await one.write(text, MERT)
        assert await depot.states(number) == ("delivered", "delivered")
        shown = await depot.services.deliveries.get(depot.owner, given.delivery_id)
        assert [(step.action, step.via) for step in shown.steps] == [
            ("assign", "panel"), ("pick_up", "message"), ("deliver", "message"),
        ]  # fmt: skip
        assert (shown.collected_amount, shown.collected_by) == (given.collect_amount, "cash")
        # Nothing of it was an order, a question or an automatic reply.
        assert len(await one.placed()) == 1


async def test_with_several_orders_a_courier_says_which(database_url: str) -> None:
    async with house(database_url) as one:
        depot = Depot(one)
        mert, seda = await depot.hire("Mert Aydın", MERT, language="en"), await depot.hire("Seda", SEDA, language="en")
        numbers = [await depot.order() for _ in range(3)]
        waiting = await depot.order(ready=False)
        for number in (*numbers, waiting):
            await depot.assign(number, mert.id)
        assert "4 stops" in await _last(one)
        await one.write("1", MERT)
        assert (await _last(one)).startswith("Which one?")
        # All of them or none: one is not ready.
        await one.write("1 all", MERT)
        assert "not ready" in await _last(one)
        assert {(await depot.states(number))[1] for number in numbers} == {"assigned"}
        await one.write(f"1 {_short(numbers[0])} {_short(numbers[1])}", MERT)
        assert [(await depot.states(number))[1] for number in numbers] == ["picked_up", "picked_up", "assigned"]
        await one.write("2", MERT)
        assert (await _last(one)).startswith("Which one?")
        await one.write(f"delivered {_short(numbers[1])} unpaid", MERT)
        assert await depot.states(numbers[1]) == ("delivered", "delivered")
        assert "still open" in await _last(one)
        await one.write("3", MERT)
        assert await depot.states(numbers[0]) == ("ready", "brought_back")
        await one.write("undo", MERT)
        assert await depot.states(numbers[0]) == ("out_for_delivery", "picked_up")
        await one.write("undo", MERT)
        assert await depot.states(numbers[0]) == ("out_for_delivery", "picked_up")
        # Somebody else's order, or a number that there is not.
        other = await depot.order()
        await depot.assign(other, seda.id)
        for number in (_short(other), "999"):
            await one.write(f"1 {number}", MERT)
            assert "You have no order" in await _last(one)
        assert await depot.states(other) == ("ready", "assigned")
        # What was written before it was given cannot be about it.
        await one.write("2", SEDA, ago_s=600)
        assert await depot.states(other) == ("ready", "assigned")
        # Reordered by the network: the end comes first, and the beginning changes nothing any more.
        await one.write("2", SEDA)
        await one.write("1", SEDA)
        assert await depot.states(other) == ("delivered", "delivered")
        assert "nothing for you to pick up" in await _last(one, SEDA)


async def test_words_of_couriers_are_no_orders_while_they_work(database_url: str) -> None:
    async with house(database_url) as one:
        depot = Depot(one)
        mert = await depot.hire("Mert Aydın", MERT, language="tr")
        # Before the shift they are a guest like any other.
        await one.write("2 lahmacun, gel al", MERT)
        assert len(await one.placed()) == 1
        await depot.services.couriers.begin_shift(depot.owner, mert.id)
        for text in ("2 lahmacun", "iptal", "menü", "garson", "merhaba"):
            await one.write(text, MERT)
        assert len(await one.placed()) == 1
        assert "Anlayamadım" in await _last(one)
        # The ready text of a cart is their own lunch.
        cart = await one.cart(one.line("Ayran"), table=None, order_type="takeaway")
        await one.write(cart["text"], MERT)
        assert len(await one.placed()) == 2
        # An order that is called off while they have it.
        number = await depot.order()
        await depot.assign(number, mert.id)
        await one.act(number, "cancel")
        assert await depot.states(number) == ("cancelled", "dropped")
        assert "iptal" in await _last(one)


async def test_who_is_erased_is_in_nothing_that_couriers_were_told(database_url: str) -> None:
    async with house(database_url) as one:
        depot = Depot(one)
        mert, seda = await depot.hire("Mert Aydın", MERT), await depot.hire("Seda", SEDA)
        number = await depot.order(address="Gizli Sokak 5", customer_phone=GUEST)
        other = await depot.order(customer_phone="905559998800", customer_name="Can")
        for courier in (mert, seda):
            given = await depot.assign(number, courier.id, key=f"give-{courier.id}")
        await depot.act(given.delivery_id, "pick_up")
        await depot.act(given.delivery_id, "bring_back", reason="Gizli Sokak 5: nobody there")
        await depot.assign(other, mert.id)
        await one.write("Merhaba", GUEST)
        erasure = one.product.of(ContactServices).erasure
        (contact,) = await one.db.all(Query(select(contact_table.c.id).where(contact_table.c.account_id == 1)))
        receipt = await erasure.erase(depot.owner, contact["id"])
        assert receipt.counts.courier_messages == 2
        # What had not gone yet never goes, and says since when and why.
        which = (messages.c.account_id == 1, messages.c.phone.in_([MERT, SEDA]), messages.c.text == "")
        for row in await one.db.all(Query(select(messages).where(*which))):
            assert (row["state"], row["error_code"], row["due_at"]) == ("cancelled", "cancelled", None)
            assert (row["failed_at"], row["error_detail"]) == (one.clock.now_ms(), "The contact was erased.")
        told = [*await one.said(MERT), *await one.said(SEDA)]
        assert not any("Gizli" in text or GUEST in text for text in told)
        kept = await one.db.all(Query(select(idempotency).where(idempotency.c.account_id == 1)))
        assert not any("Gizli" in str(row["body"]) for row in kept)
        shown = await depot.services.deliveries.get(depot.owner, given.delivery_id)
        assert not any(step.reason for step in shown.steps)
        # Who else waits for something is still known to who brings it.
        assert any("905559998800" in text for text in told)


async def test_a_courier_takes_what_waits_and_of_two_at_once_one_gets_it(database_url: str) -> None:
    async with house(database_url) as one:
        depot = Depot(one)
        mert, seda = await depot.hire("Mert Aydın", MERT, language="tr"), await depot.hire("Seda", SEDA, language="en")
        for courier in (mert, seda):
            await depot.services.couriers.begin_shift(depot.owner, courier.id)
        await one.write("4", MERT)
        assert "Kurye bekleyen paket yok" in await _last(one)
        numbers = [await depot.order(), await depot.order(ready=False)]
        await one.write("liste", MERT)
        assert f"Kurye bekleyen: {_short(numbers[0])}, {_short(numbers[1])}" in await _last(one)
        await one.write("al", MERT)
        assert (await _last(one)).startswith("Hangisi?")
        said = f"4 {_short(numbers[0])}"
        await one.write_at_once([(said, MERT, "wamid.take-1"), (said, SEDA, "wamid.take-2")])
        found = (await depot.services.deliveries.page(depot.owner, order_id=numbers[0])).data
        (holder,) = found
        winner, loser = (MERT, SEDA) if holder.courier.id == mert.id else (SEDA, MERT)
        assert "Moda Cad. 12" in await _last(one, winner)
        told = await _last(one, loser)
        assert "Moda" not in told
        assert "başkasında" in told or "somebody has it" in told
        # The same again is no second one, and it is taken from nobody.
        for phone in (winner, loser):
            await one.write(f"take {_short(numbers[0])}", phone)
        assert len((await depot.services.deliveries.page(depot.owner, order_id=numbers[0])).data) == 1
        # The only one that is left needs no number; it is still in the kitchen.
        await one.write("ben alırım", loser)
        assert (await depot.states(numbers[1])) == ("sent_to_kitchen", "assigned")
        # Somebody's words about why it comes back stay with the step.
        await one.write("1", winner)
        await one.write("3 kimse yok, zil çalışmıyor", winner)
        shown = await depot.services.deliveries.get(depot.owner, holder.delivery_id)
        assert shown.steps[-1].reason == "3 kimse yok, zil çalışmıyor"


async def test_couriers_at_work_hear_once_of_what_nobody_brings(database_url: str) -> None:
    async with house(database_url) as one:
        depot = Depot(one)
        mert, seda = await depot.hire("Mert Aydın", MERT, language="tr"), await depot.hire("Seda", SEDA, language="en")
        await depot.services.couriers.begin_shift(depot.owner, mert.id)
        # As long as the kitchen has it, it waits for nobody; nor does what somebody brings already.
        first, second = await depot.order(ready=False), await depot.order(ready=False)
        await depot.assign(second, mert.id)
        heard = len(await one.said(MERT))
        await one.act(second, "finish")
        assert len(await one.said(MERT)) == heard
        await one.act(first, "finish")
        assert f"*Paket {_short(first)}* hazır, kurye bekliyor. Üstlenmek için 4 {_short(first)} yaz." in await _last(
            one
        )
        assert len(await one.said(MERT)) == heard + 1
        # Nobody is told at home; who begins to work hears what waits, also when it was begun twice.
        assert await one.said(SEDA) == []
        for _ in range(2):
            await depot.services.couriers.begin_shift(depot.owner, seda.id)
        (told,) = await one.said(SEDA)
        assert (
            told == f"*Delivery {_short(first)}* is ready and nobody brings it yet. Reply 4 {_short(first)} to take it."
        )
        # Taken by one, given up again: who knew of it hears nothing a second time. Its guest is in none of it.
        await one.write(f"4 {_short(first)}", SEDA)
        (held,) = (await depot.services.deliveries.page(depot.owner, order_id=first)).data
        await depot.act(held.delivery_id, "drop")
        assert len(await one.said(MERT)) == heard + 1
        assert (await _last(one, SEDA)).startswith(f"Delivery {_short(first)} is no longer yours")
        # One that was somebody's from the start waits for the others once it is dropped.
        (given,) = (await depot.services.deliveries.page(depot.owner, order_id=second)).data
        await depot.act(given.delivery_id, "drop")
        assert f"*Delivery {_short(second)}* is ready" in await _last(one, SEDA)
        assert "artık sende değil" in await _last(one)
        # What comes back from the guest's door waits for a decision.
        third = await depot.order(ready=False)
        away = await depot.assign(third, mert.id)
        await one.act(third, "finish")
        for action in ("pick_up", "bring_back"):
            await depot.act(away.delivery_id, action)
        assert not any(f"*Delivery {_short(third)}*" in text for text in await one.said(SEDA))
        # From the kitchen's first moment on, or never.
        await one.change_venue(details={"calls_couriers": "accepted"})
        early = await depot.order(ready=False)
        assert f"*Delivery {_short(early)}* is being prepared" in await _last(one, SEDA)
        assert f"*Paket {_short(early)}* hazırlanıyor" in await _last(one)
        before = [await one.said(MERT), await one.said(SEDA)]
        await one.act(early, "finish")
        await one.change_venue(details={"calls_couriers": "never"})
        await depot.order()
        assert [await one.said(MERT), await one.said(SEDA)] == before
