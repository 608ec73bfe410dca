"""Staff take, change and move orders; the guest hears of it in their language; the clock ends what nobody answers."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from tablegram.engine.idempotency import Call
from tablegram.engine.leases import Leases
from tablegram.engine.owners import Owner
from tablegram.errors import Conflict, Invalid, LeaseLost, NotFound, ScopeMissing
from tablegram.flows.restaurant.fields import TakeFields
from tablegram.restaurant import calls
from tests.accounts.opened import begin_ids_anew
from tests.crm.pool import PHONE
from tests.restaurant.flows.house import house
from tests.restaurant.flows.sent import sent


def wire(told: Any) -> Any:
    """What is answered, as whoever asks over HTTP reads it."""
    return msgspec.json.decode(msgspec.json.encode(told))


async def test_an_order_waits_for_a_nod_and_is_announced_when_it_comes(database_url: str) -> None:
    async with house(database_url, accepts=False) as one:
        number = await sent(one)
        assert [body["event"] for body in await one.told()] == ["restaurant.order_updated"]
        one.clock.advance(600)
        shown = await one.act(number, "accept")
        # The promise counts from the nod.
        assert shown["promised_at"] == "2027-01-15T08:30:00.000Z"
        assert shown["status"] == "sent_to_kitchen"
        assert "start" in shown["actions"]
        assert [(body["event"], body["status"]) for body in await one.told()] == [
            ("restaurant.order_updated", "awaiting_confirmation"),
            ("restaurant.order_created", "sent_to_kitchen"),
        ]
        received, accepted = await one.said()
        assert "birazdan onaylayacağız" in received
        assert "onaylandı" in accepted


async def test_a_rejection_needs_a_reason_and_tells_it(database_url: str) -> None:
    async with house(database_url, accepts=False) as one:
        number = await sent(one, "en")
        with pytest.raises(Invalid) as refused:
            await one.act(number, "reject")
        assert refused.value.code == "reason_missing"
        shown = await one.act(number, "reject", reason="The oven is cold")
        assert shown["status"] == "rejected"
        assert shown["actions"] == []
        assert "The oven is cold" in (await one.said())[-1]
        assert (await one.told())[-1]["reason"] == "The oven is cold"
        # Whoever asks later reads it too.
        [listed] = wire(await one.orders.page(one.staff))["data"]
        kept = wire(await one.orders.get(one.staff, number))
        assert {shown["reason"], listed["reason"], kept["reason"]} == {"The oven is cold"}
        with pytest.raises(Conflict):
            await one.act(number, "accept")


@pytest.mark.parametrize(
    ("order_type", "steps", "words"),
    [
        ("dine_in", ["start", "finish", "recall", "finish", "serve"], []),
        ("takeaway", ["start", "finish", "pick_up"], ["hazır"]),
        ("delivery", ["finish", "dispatch", "bring_back", "dispatch", "deliver"], ["yola çıktı", "teslim edemedik", "yola çıktı"]),
    ],
)  # fmt: skip
async def test_every_kind_of_order_goes_its_way_to_the_end(
    database_url: str, order_type: str, steps: list[str], words: list[str]
) -> None:
    async with house(database_url) as one:
        number = await sent(one, order_type=order_type)
        for step in steps:
            await one.act(number, step, "kitchen")
        with pytest.raises(Conflict) as unpaid:
            await one.act(number, "complete")
        assert unpaid.value.code == "not_paid"
        shown = await one.act(number, "complete", paid=True)
        assert (shown["status"], shown["payment_status"]) == ("completed", "paid")
        told = (await one.said())[1:]
        assert len(told) == len(words)
        assert all(word in text for word, text in zip(words, told, strict=True))
        assert await one.history() == ["place", *steps, "pay", "complete"]
        assert [body["event"] for body in await one.told()].count("restaurant.order_created") == 1


async def test_delay_and_cancel_tell_the_guest(database_url: str) -> None:
    async with house(database_url) as one:
        number = await sent(one)
        shown = await one.act(number, "delay", minutes=25)
        assert "11:45" in (await one.said())[-1]
        assert shown["promised_at"].startswith("2027-01-15T08:45")
        with pytest.raises(Invalid):
            await one.act(number, "delay", minutes=0)
        await one.act(number, "cancel", reason="Gaz kesildi")
        assert "Gaz kesildi" in (await one.said())[-1]


async def test_two_tablets_that_tap_at_once_move_an_order_once(database_url: str) -> None:
    async with house(database_url) as one:
        number = await sent(one)
        done = await asyncio.gather(*(one.act(number, "start") for _ in range(5)), return_exceptions=True)
        assert sum(isinstance(answer, dict) for answer in done) == 1
        assert (await one.history()).count("start") == 1


async def test_an_action_under_one_key_happens_once(database_url: str) -> None:
    async with house(database_url) as one:
        number = await sent(one)
        call = Call("/orders/delay", idempotency_key="k1", fingerprint="f")
        first = await one.orders.act(one.staff, number, "delay", {"minutes": 5}, call)
        again = await one.orders.act(one.staff, number, "delay", {"minutes": 5}, call)
        assert again.replayed
        assert first.encoded().body == again.encoded().body
        assert again.value == first.value
        assert (await one.history()).count("delay") == 1
        assert len(await one.said()) == 2


async def test_a_waiter_takes_an_order_for_a_table(database_url: str) -> None:
    async with house(database_url, accepts=False) as one:
        table = await one.table("9")
        fields: TakeFields = {
            "venue_id": one.venue.id, "order_type": "dine_in", "table_id": table.id, "notes": "Doğum günü",
            "lines": [one.line("Lahmacun", 2)], "customer_name": "Masa 9",
        }  # fmt: skip
        answer = await one.orders.take(one.staff, fields, Call("/orders"))
        shown = wire(answer.value)
        assert answer.status == 201
        assert shown["status"] == "sent_to_kitchen"
        assert (shown["table_number"], shown["waiter_assigned"], shown["history"][0]["by"]) == ("9", "Mert", "Elif")
        assert [body["event"] for body in await one.told()] == ["restaurant.order_created"]
        with pytest.raises(Invalid) as nowhere:
            await one.orders.take(one.staff, {**fields, "table_id": "nowhere"}, Call("/orders"))
        assert nowhere.value.code == "table_unknown"
        await one.sell_out("Lahmacun")
        with pytest.raises(Invalid) as gone:
            await one.orders.take(one.staff, fields, Call("/orders"))
        assert gone.value.errors[0].field == "lines[0]"


async def test_a_delivery_that_no_courier_could_bring_is_refused_with_every_field_that_is_missing(
    database_url: str,
) -> None:
    async with house(database_url) as one:
        whole: TakeFields = {"address": "Moda Caddesi 5", "customer_phone": "905551112233", "customer_name": "Ada"}
        fields: TakeFields = {"venue_id": one.venue.id, "order_type": "delivery", "lines": [one.line("Lahmacun", 1)]}
        for missing in ([*whole], ["address"], ["customer_phone"], ["customer_name"]):
            given = {name: value for name, value in whole.items() if name not in missing}
            with pytest.raises(Invalid) as refused:
                await one.orders.take(one.staff, {**fields, **given, "notes": "  "}, Call("/orders"))  # type: ignore[typeddict-item]
            assert [error.field for error in refused.value.errors] == missing
        for empty in ("", " \u202e\t "):
            with pytest.raises(Invalid):
                await one.orders.take(one.staff, {**fields, **whole, "address": empty}, Call("/orders"))
        assert await one.placed() == []
        taken = await one.orders.take(one.staff, {**fields, **whole}, Call("/orders"))
        number = taken.value.order_id
        for name in ("address", "customer_name"):
            with pytest.raises(Invalid) as emptied:
                await one.orders.change(one.staff, number, {name: " "})  # type: ignore[misc]
            assert [error.field for error in emptied.value.errors] == [name]
        # Who comes for it, or sits there, needs to say none of this.
        await one.orders.take(one.staff, {**fields, "order_type": "takeaway"}, Call("/orders"))


async def test_a_changed_order_keeps_its_prices_and_counts_its_revisions(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart(one.line("Lahmacun", 2), language="tr")
        await one.write(cart["text"])
        number = (await one.order())["order_id"]
        price, other = one.item("Lahmacun").price, one.item("Künefe").price
        await one.change_item("Lahmacun", price=99_900)
        lines = [one.line("Lahmacun", 1), one.line("Künefe", 2)]
        shown = wire(await one.orders.change(one.staff, number, {"lines": lines, "revision": 1}))
        assert shown["total_amount"] == (price + 2 * other) / 100
        assert shown["revision"] == 2
        assert "güncellendi" in (await one.said())[-1]
        with pytest.raises(Conflict) as stale:
            await one.orders.change(one.staff, number, {"lines": lines[:1], "revision": 1})
        assert stale.value.code == "order_changed"
        with pytest.raises(Invalid):
            await one.orders.change(one.staff, number, {"lines": []})


async def test_an_order_moves_to_another_table_with_its_waiter(database_url: str) -> None:
    async with house(database_url) as one:
        number = await sent(one)
        table = await one.table("12")
        shown = wire(
            await one.orders.change(one.staff, number, {"table_id": table.id, "customer_name": "Ali\u202e Veli"})
        )
        assert (shown["table_number"], shown["waiter_assigned"], shown["customer"]["name"]) == (
            "12", "Deniz", "Ali Veli",
        )  # fmt: skip
        assert len(await one.said()) == 1
        assert (await one.told())[-1]["table_number"] == "12"


async def test_a_tab_is_closed_when_nothing_is_open_or_somebody_says_why(database_url: str) -> None:
    async with house(database_url) as one:
        first, second = await sent(one), await sent(one)
        await one.act(first, "finish")
        await one.act(first, "serve")
        table, bills = await one.table("5"), one.product.bills
        await one.db.write(lambda tx: calls.call(tx, table, "bill", "", one.clock.now_ms()))
        with pytest.raises(Conflict) as refused:
            await bills.close_table(one.staff, one.venue.id, table.id)
        assert refused.value.code == "bill_open"
        with pytest.raises(ScopeMissing):
            await bills.close_table(one.staff, one.venue.id, table.id, "Walked out")
        told = await bills.close_table(one.caller("manager"), one.venue.id, table.id, "Walked out")
        assert (await one.orders.board(one.staff, one.venue.id)).calls == []
        assert wire(told.value) == {
            "closed": True, "completed": [], "still_running": [], "written_off": [first], "cancelled": [second],
        }  # fmt: skip
        third = await sent(one)
        rows = {row["order_id"]: row for row in await one.placed()}
        assert rows[first]["tab_id"] == rows[second]["tab_id"] != rows[third]["tab_id"]
        assert (rows[first]["state"], rows[first]["payment_state"]) == ("completed", "unpaid")
        (gone,) = await one.told("restaurant.tab_closed")
        assert (gone["reason"], gone["unpaid_amount"] > 0, gone["by"]) == ("Walked out", True, "Elif")
        again = await bills.close_table(one.staff, one.venue.id, (await one.table("6")).id)
        assert not again.value.closed


async def test_what_nobody_answers_expires_by_the_venues_clock(database_url: str) -> None:
    async with house(database_url, accepts=False) as one:
        number = await sent(one, "en")
        one.clock.advance(29 * 60)
        assert await one.product.order_clock.end_due() == 0
        await one.change_venue(details={"answer_within_min": 10})
        assert await one.product.order_clock.end_due() == 1
        assert await one.product.order_clock.end_due() == 0
        shown = wire(await one.orders.get(one.staff, number))
        assert shown["status"] == "expired"
        assert shown["history"][-1]["by"] == "clock"
        assert "could not confirm" in (await one.said())[-1]
        assert (await one.told())[-1]["status"] == "expired"


async def test_lists_are_searched_filtered_and_paged(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    begin_ids_anew(monkeypatch)
    async with house(database_url) as one:
        numbers = [await sent(one) for _ in range(5)]
        await one.act(numbers[0], "cancel")
        page = wire(await one.orders.page(one.staff, limit=2))
        assert [order["order_id"] for order in page["data"]] == numbers[:2:-1]
        rest = wire(await one.orders.page(one.staff, limit=50, cursor=page["next_cursor"]))
        assert [order["order_id"] for order in rest["data"]] == numbers[2::-1]
        assert rest["next_cursor"] is None
        assert len(wire(await one.orders.page(one.staff, open_only=True))["data"]) == 4
        assert [o["order_id"] for o in wire(await one.orders.page(one.staff, state="cancelled"))["data"]] == numbers[:1]
        assert len(wire(await one.orders.page(one.staff, q=PHONE[-6:]))["data"]) == 5
        assert len(wire(await one.orders.page(one.staff, q="-0003"))["data"]) == 1
        assert wire(await one.orders.page(one.staff, q="100%"))["data"] == []
        assert wire(await one.orders.page(one.staff, order_type="delivery"))["data"] == []
        later = one.clock.now_ms() + 1
        assert wire(await one.orders.page(one.staff, since_ms=later))["data"] == []
        assert len(wire(await one.orders.page(one.staff, until_ms=later))["data"]) == 5


async def test_the_board_shows_what_runs(database_url: str) -> None:
    async with house(database_url) as one:
        first, second = await sent(one), await sent(one)
        await one.act(first, "cancel")
        one.clock.advance(1_500)
        board = wire(await one.orders.board(one.caller("kitchen"), one.venue.id))
        (order,) = board["orders"]
        assert (order["order_id"], order["age_s"], order["late_s"]) == (second, 1_500, 300)
        assert order["stations"] == ["kitchen"]


async def test_nobody_handles_orders_without_the_scope_or_of_another_account(database_url: str) -> None:
    async with house(database_url) as one:
        number = await sent(one)
        for work in (
            one.orders.page(one.caller("developer")),
            one.orders.get(one.caller("developer"), number),
            one.orders.board(one.caller("developer"), one.venue.id),
            one.orders.act(one.caller("developer"), number, "start", {}, Call("/x")),
            one.orders.change(one.caller("developer"), number, {"notes": "x"}),
            one.orders.take(one.caller("developer"), {"venue_id": one.venue.id}, Call("/x")),
            one.product.bills.close_table(one.caller("developer"), one.venue.id, "t"),
        ):
            with pytest.raises(ScopeMissing):
                await work
        stranger = one.caller("owner", account_id=2)
        for work in (
            one.orders.get(stranger, number),
            one.orders.board(stranger, one.venue.id),
            one.orders.act(stranger, number, "cancel", {}, Call("/x")),
            one.orders.change(stranger, number, {"notes": "x"}),
        ):
            with pytest.raises(NotFound):
                await work
        assert wire(await one.orders.page(stranger))["data"] == []
        with pytest.raises(NotFound):
            await one.act(number, "explode")


async def test_signs_that_no_store_takes_find_nothing(database_url: str) -> None:
    async with house(database_url) as one:
        asked: list[dict[str, Any]] = [{"q": "ORD\x00"}, {"venue_id": "\x00"}, {"contact_id": "a\x00"}]
        for wanted in asked:
            assert wire(await one.orders.page(one.caller("staff"), **wanted))["data"] == []


async def test_who_lost_the_clock_ends_no_order(database_url: str) -> None:
    async with house(database_url, accepts=False) as one:
        number = await sent(one)
        one.clock.advance(31 * 60)
        clock = one.product.order_clock
        assert await clock.drain.hold()
        # Another process takes this one for dead, which does not hear of it.
        other = Leases(one.db, Owner(one.db))
        await other.free(one.product.owner.id)
        assert await other.hold("orders clock")
        with pytest.raises(LeaseLost):
            await clock.end_due()
        assert wire(await one.orders.get(one.staff, number))["status"] == "awaiting_confirmation"
