"""What a guest who means harm gets: other people's phones, tables and carts are not theirs to use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import unquote

import pytest
from sqlalchemy import select

from tablegram.accounts.accounts import Accounts
from tablegram.errors import Forbidden, Invalid, NotFound, TooMany
from tablegram.flows.restaurant.guests.guests import Seat
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.restaurant.carts import tabs
from tablegram.storage.database import Query
from tablegram.storage.tables import tabs as tab_rows
from tests.crm.pool import PHONE
from tests.restaurant.flows.house import House, house

pytestmark = pytest.mark.later

STRANGER = "905550007777"
LURE = "lure.example"


async def _order_for(one: House, phone: str, **fields: Any) -> dict[str, Any]:
    cart = await one.cart(one.line("Lahmacun", note=LURE), table=None, order_type="takeaway")
    form = {"phone": phone, "name": LURE, "notes": LURE, **fields}
    placed: dict[str, Any] = await one.guests.order_from_page(one.venue, cart["code"], cart["holder"], form)
    return placed


async def test_nothing_is_sent_to_a_number_that_was_only_typed_until_it_writes_itself(database_url: str) -> None:
    async with house(database_url) as one:
        await one.change_venue(details={"phone": "0555 111 00 00"})
        cart = await one.cart(one.line("Lahmacun", note=LURE), table=None, order_type="takeaway")
        form = {"phone": STRANGER, "name": LURE, "notes": LURE}
        order = await one.guests.order_from_page(one.venue, cart["code"], cart["holder"], form)
        # The venue accepts by itself, but not what anybody may have typed.
        assert order["status"] == "awaiting_confirmation"
        assert cart["code"] in unquote(order["proof_link"])
        text = f"{order['order_id']} #{cart['code']}"
        await one.write(text, PHONE)
        assert (await one.order())["state"] == "awaiting_confirmation"
        assert await one.said(STRANGER) == []
        await one.write(text, STRANGER)
        proved = await one.order()
        assert (proved["state"], proved["contact_id"] is not None) == ("sent_to_kitchen", True)
        (heard,) = await one.said(STRANGER)
        assert order["order_id"] in heard
        assert await one.history() == ["place", "accept"]
        # From now on the number hears of its order as everybody does.
        await one.act(order["order_id"], "start")
        await one.act(order["order_id"], "finish")
        assert len(await one.said(STRANGER)) == 2


async def test_staff_accept_what_a_stranger_ordered_and_the_number_still_hears_nothing(database_url: str) -> None:
    async with house(database_url, accepts=False) as one:
        for event in ("accept", "reject", "cancel"):
            order = await _order_for(one, STRANGER)
            await one.act(order["order_id"], event, reason="because")
        number = (await _order_for(one, STRANGER))["order_id"]
        one.clock.advance(3_600)
        assert await one.product.order_clock.end_due() == 1
        assert await one.said(STRANGER) == []
        # Whoever writes first is told how it stands, and staff still decide.
        order = await _order_for(one, STRANGER)
        row = (await one.placed())[-1]
        await one.write(f"#{row['cart_code']}", STRANGER)
        assert (await one.placed())[-1]["state"] == "awaiting_confirmation"
        (heard,) = await one.said(STRANGER)
        assert order["order_id"] in heard
        assert number not in heard
        # What nobody answered is gone after a day, with the number that was typed; the rest is in the books.
        before, steps = await one.placed(), len(await one.history())
        for passed, gone in ((86_000, 0), (86_400, 1)):
            one.clock.advance(passed - one.clock.now_ms() // 1_000 + before[3]["closed_at"] // 1_000 + 1)
            assert (await one.product.retention.purge())["strangers_orders"] == gone
        assert [row["order_id"] for row in await one.placed()] == [
            row["order_id"] for row in before if row["order_id"] != number
        ]
        assert len(await one.history()) == steps - 2


async def test_strangers_have_a_budget_of_their_own_for_what_they_cause(database_url: str) -> None:
    limits: dict[str, Any] = {"guest_carts_h": 20, "guest_orders_h": 10, "guest_calls_h": 10, "stranger_share": 0.5}
    async with house(database_url, **limits) as one:
        seat, at_table = await one.guests.seat(one.venue.id, "5", None), await one.seat("5")
        lines = {"lines": [one.line("Lahmacun")]}
        desk = one.product.of(RestaurantServices).table_calls

        async def until_refused(act: Callable[[], Awaitable[Any]]) -> int:
            done = 0
            with pytest.raises(TooMany, match="within an hour") as refused:
                while done < 100:
                    await act()
                    done += 1
            assert refused.value.code == "guests_limit"
            return done

        nowhere = Seat(one.venue)
        # A tenth for a table; half of everything for who proves nothing; another address has a budget of its own.
        assert await until_refused(lambda: one.guests.open_cart(seat, lines, "ip:1")) == 1
        assert await until_refused(lambda: one.guests.open_cart(at_table, lines, "ip:1")) == 2
        assert await until_refused(lambda: one.guests.open_cart(nowhere, lines, "ip:2")) == 10
        assert await until_refused(lambda: one.guests.open_cart(nowhere, lines, "ip:3")) == 10
        # The venue's, of which some were taken above.
        assert await until_refused(lambda: one.guests.open_cart(nowhere, lines)) == 40 - 1 - 20

        async def call(who: Seat) -> None:
            # Somebody comes each time: what waits already rings nobody, and is not counted.
            assert len([await one.guests.call(who, "waiter", "", "ip:1") for _ in range(3)]) == 3
            (waiting,) = await desk.waiting(one.staff, one.venue.id)
            await desk.answer(one.staff, one.venue.id, waiting.id)

        assert await until_refused(lambda: call(at_table)) == 1

        # The same again is not counted again: a cart by its key, an order by its cart.
        other, key = await one.seat("6"), "k" * 32
        kept = [await one.guests.open_cart(other, {**lines, "key": key}, "ip:4") for _ in range(5)]
        mine = (one.venue, kept[0]["code"], kept[0]["holder"])
        assert len({view["order_id"] for view in [await one.guests.order_from_page(*mine, {}) for _ in range(5)]}) == 1
        second = await one.guests.open_cart(other, lines, "ip:4")
        with pytest.raises(TooMany):
            await one.guests.order_from_page(one.venue, second["code"], second["holder"], {}, "ip:4")


async def test_who_has_not_proved_a_table_sees_and_changes_nothing_of_it(database_url: str) -> None:
    async with house(database_url) as one:
        proved = await one.cart(one.line("Künefe"))
        ordered = await one.cart(one.line("Ayran"))
        await one.guests.order_from_page(one.venue, ordered["code"], ordered["holder"], {})
        (tab,) = await one.db.all(Query(select(tab_rows).where(tab_rows.c.account_id == 1)))
        one.clock.advance(60)
        seat = await one.guests.seat(one.venue.id, "5", None)
        said = await one.guests.open_cart(seat, {"lines": [one.line("Lahmacun")]})
        mine = (one.venue, said["code"], said["holder"])
        nothing = {"others": [], "ordered": [], "total": 0, "currency": "TRY"}
        assert await one.guests.table_view(*mine) == nothing
        assert [line["name"] for line in (await one.guests.bring_together(*mine))["lines"]] == ["Lahmacun"]
        placed = await one.guests.order_from_page(*mine, {"phone": STRANGER})
        # Nor do they ring for it, or learn whether it has called.
        await one.guests.call(await one.seat("5"), "bill")
        for kind in ("bill", "waiter"):
            with pytest.raises(Forbidden) as refused:
                await one.guests.call(seat, kind)
            assert refused.value.code == "call_code_needed"
        assert [call.kind for call in (await one.orders.board(one.staff, one.venue.id)).calls] == ["bill"]
        # The table is as it was: its carts, its tab, and what its guests see.
        assert await one.db.all(Query(select(tab_rows).where(tab_rows.c.account_id == 1))) == [tab]
        own = (one.venue, proved["code"], proved["holder"])
        assert len((await one.guests.cart(*own))["lines"]) == 1
        seen = await one.guests.table_view(*own)
        assert [line["name"] for order in seen["ordered"] for line in order["lines"]] == ["Ayran"]
        # With somebody's nod it is the table's.
        await one.act(placed["order_id"], "accept")
        assert len((await one.guests.table_view(*own))["ordered"]) == 2


async def test_the_next_guests_at_a_table_see_nothing_of_the_last(database_url: str) -> None:
    async with house(database_url) as one:
        first, still = await one.cart(one.line("Künefe")), await one.cart(one.line("Ayran"))
        numbers = [
            (await one.guests.order_from_page(one.venue, cart["code"], cart["holder"], {}))["order_id"]
            for cart in (first, await one.cart(one.line("Lahmacun")))
        ]
        mine = (one.venue, still["code"], still["holder"])
        for number, seen in zip(numbers, (2, 2), strict=True):
            assert len((await one.guests.table_view(*mine))["ordered"]) == seen
            for action in ("start", "finish", "serve"):
                await one.act(number, action)
            await one.act(number, "complete", paid=True)
        after = await one.cart(one.line("Lahmacun"))
        for cart in (still, after):
            seen_now = await one.guests.table_view(one.venue, cart["code"], cart["holder"])
            assert (seen_now["others"], seen_now["ordered"], seen_now["total"]) == ([], [], 0)
        # Whoever is still there and goes on choosing sits with those who are there now.
        await one.guests.change_cart(*mine, {"lines": [one.line("Ayran", 2)]})
        (shown,) = (await one.guests.table_view(one.venue, after["code"], after["holder"]))["others"]
        assert (shown["age_min"], [line["quantity"] for line in shown["lines"]]) == (0, [2])
        # And after the time for which somebody sits, nothing is shown to a phone that was left open.
        one.clock.advance(tabs.IDLE_MS // 1_000)
        assert (await one.guests.table_view(*mine))["others"] == []


async def test_an_order_from_the_page_belongs_to_the_tab_that_is_open_now(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart(one.line("Künefe"))
        table = await one.table("5")
        one.clock.advance(tabs.IDLE_MS // 1_000 + 60)
        await one.guests.order_from_page(one.venue, cart["code"], cart["holder"], {})
        now = one.clock.now_ms()
        open_tab = await one.db.write(lambda tx: tabs.join(tx, 1, one.venue.id, table.id, now))
        assert (await one.order())["tab_id"] == open_tab


async def test_more_than_an_order_can_come_to_is_refused_in_words_and_fails_no_message(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart(one.line("Künefe", 3))
        await one.change_item("Künefe", price=10**12 - 1)
        with pytest.raises(Invalid) as refused:
            await one.cart(one.line("Künefe", 2))
        assert refused.value.errors[0].code == "total_too_large"
        await one.write(cart["text"])
        assert len(await one.pool.messages("in")) == 1
        assert len(await one.said()) == 1
        assert await one.placed() == []


async def test_ids_that_no_menu_has_room_for_are_not_kept(database_url: str) -> None:
    async with house(database_url) as one:
        line = one.line("Lahmacun")
        for wrong in ({**line, "item_id": "x" * 65}, {**line, "choices": [{"option_id": "x" * 65}]}):
            with pytest.raises(Invalid) as refused:
                await one.cart(wrong)  # type: ignore[arg-type]
            assert refused.value.errors[0].code == "too_long"


async def test_guests_order_nothing_where_nobody_would_see_it(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart(one.line("Künefe"))
        accounts = Accounts(one.db, one.clock)
        await accounts.suspend(1)
        for venue_id in (one.venue.id, None):
            with pytest.raises(NotFound):
                await one.guests.seat(venue_id, "5", None)
        await one.write(cart["text"])
        assert len(await one.pool.messages("in")) == 1
        assert await one.placed() == []
        await accounts.resume(1)
        await one.write(cart["text"])
        assert len(await one.placed()) == 1
