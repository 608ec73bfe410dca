"""The board, orders, the waiter's page and sales: who may see them, what they show, and what a tap does."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec

from tablegram.flows.restaurant.answers.venues import VenueView
from tablegram.flows.restaurant.orders.answers import WholeOrder
from tablegram.panel.pages.restaurant.orders.cards import card_of, cards
from tablegram.restaurant import calls, tables
from tablegram.restaurant.menu.keeping import load
from tablegram.restaurant.orders import keeping
from tablegram.restaurant.texts import requests
from tablegram.storage.database import Tx
from tablegram.values.clock import MINUTE_MS, iso
from tests.panel.diner import EVIL, as_json, column, diner


async def test_the_board_shows_orders_by_state_and_a_tap_moves_them(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        waiter = await one.one.person("staff")
        assert "Accepted orders come here" in column(await waiter.get("/panel/board"), "kitchen")
        order = await one.take(notes="doğum günü")
        board = await waiter.get("/panel/board")
        kitchen = column(board, "kitchen")
        assert order["order_id"] in kitchen
        assert "az tuzlu" in kitchen
        assert "doğum günü" in kitchen
        told = await as_json(waiter, f"/panel/orders/{order['order_id']}/start", {"revision": "1"})
        assert told.status == 200
        assert order["order_id"] in column(await waiter.get("/panel/board?part=board"), "preparing")
        # Somebody else taps the same card a moment later.
        late = await as_json(waiter, f"/panel/orders/{order['order_id']}/start", {"revision": "1"})
        assert late.status == 409
        assert json.loads(late.text)["detail"]
        # Without a script the same form leads back to the board.
        back = await waiter.post(f"/panel/orders/{order['order_id']}/finish", {"next": "/panel/board?station=bar"})
        assert (back.status, back.location) == (303, "/panel/board?station=bar")


async def test_a_station_sees_what_is_made_there(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        order = await one.take()
        names = {item["station"]: item["kitchen_name"] for item in order["items"]}
        cook = await one.one.person("kitchen")
        bar = column(await cook.get("/panel/board?station=bar"), "kitchen")
        assert names["bar"] in bar
        assert names["kitchen"] not in bar
        assert "+ 1 line for another station" in bar
        only_food = await one.take(lines=[{"item_id": one.food}])
        assert only_food["order_id"] not in (await cook.get("/panel/board?station=bar")).text
        # A station that there is not shows everything.
        assert only_food["order_id"] in (await cook.get("/panel/board?station=none")).text


async def test_a_call_stands_on_top_until_somebody_goes(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        api = one.one.running.api
        waiter = await one.one.person("staff")
        table = await api.db.snapshot(lambda tx: tables.find(tx, 1, one.venue.id, one.table_id))
        call, _ = await api.db.write(lambda tx: calls.call(tx, table, "bill", EVIL, api.clock.now_ms()))
        board = await waiter.get("/panel/board")
        assert "wants the bill" in board.words
        assert "<img src=x" not in board.text
        path, fields = f"/panel/board/calls/{call.id}", {"venue": one.venue.id}
        assert (await as_json(waiter, path, fields)).status == 200
        again = await as_json(waiter, path, fields)
        assert (again.status, json.loads(again.text)["detail"]) == (404, "Somebody has answered this call already.")
        assert "wants the bill" not in (await waiter.get("/panel/board")).words


async def test_what_a_guest_wants_of_an_order_is_accepted_or_refused_by_one_tap(
    database_url: str, tmp_path: Path
) -> None:
    async with diner(database_url, tmp_path) as one:
        api, taken = one.one.running.api, await one.take()
        waiter = await one.one.person("staff")

        async def ask(tx: Tx) -> requests.OrderRequest:
            order = await keeping.find(tx, 1, taken["order_id"])
            return await requests.ask(tx, order, "cancel", EVIL, (), api.clock.now_ms())

        for answer, status in (("refuse", "sent_to_kitchen"), ("accept", "cancelled")):
            request = await api.db.write(ask)
            board = await waiter.get("/panel/board")
            assert "wants to cancel" in board.words
            assert "<img src=x" not in board.text
            path = f"/panel/board/requests/{request.id}"
            assert (await as_json(waiter, f"{path}/else", {})).status == 404
            assert (await as_json(waiter, f"{path}/{answer}", {})).status == 200
            assert (await one.now(taken))["status"] == status
            again = await as_json(waiter, f"{path}/{answer}", {})
            assert (again.status, json.loads(again.text)["detail"]) == (404, "Somebody has answered this already.")
            assert "wants to cancel" not in (await waiter.get("/panel/board")).words


async def test_what_is_late_turns_amber_and_then_red(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        order = await one.take()
        does = {"t": staticmethod(lambda key, **_: key), "can": staticmethod(lambda scope: True)}
        visitor: Any = type("Visitor", (), {"language": "en", **does})()
        kept = (await one.one.running.ask("GET", f"/restaurant/venues/{one.venue.id}")).json()
        venue = msgspec.convert({**kept, "preparation_min": 20, "answer_within_min": 30}, VenueView)
        start = 1_794_733_200_000
        order |= {"created_at": iso(start), "promised_at": iso(start + 20 * MINUTE_MS)}

        def shown(**changes: Any) -> WholeOrder:
            return msgspec.convert({**order, **changes}, WholeOrder)

        def tone(minutes: float, **changes: Any) -> str:
            card = card_of(visitor, venue, shown(**changes), "", start + round(minutes * MINUTE_MS))
            assert card is not None
            return card.tone

        assert [tone(minutes) for minutes in (0, 19.9, 20, 39.9, 40)] == ["calm", "calm", "amber", "amber", "red"]
        # Nobody has accepted it yet: urgent well before it ends by itself, and the card says how long there is.
        waits = {"status": "awaiting_confirmation", "promised_at": None}
        assert [tone(at, **waits) for at in (0, 9.9, 10, 19.9, 20, 29)] == [
            "calm", "calm", "amber", "amber", "red", "red",
        ]  # fmt: skip
        waiting = card_of(visitor, venue, shown(**waits), "", start + 18 * MINUTE_MS)
        assert waiting is not None
        assert (waiting.expires_at, waiting.minutes_left) == (start + 30 * MINUTE_MS, 12)
        assert card_of(visitor, venue, shown(), "", start).expires_at == 0  # type: ignore[union-attr]
        # Without a promise the venue's usual time counts; food that is on the table is not late.
        assert [tone(20, promised_at=None), tone(99, status="served")] == ["amber", "still"]
        assert card_of(visitor, venue, shown(status="completed"), "", start) is None
        served = cards(visitor, venue, [shown(status="served")], {}, {}, "", start)["out"][0]
        assert (served.next_action, served.takes_money) == ("complete", True)


async def test_a_guest_is_told_why_in_his_own_language(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        order = await one.take(language="tr")
        waiter = await one.one.person("staff")
        page = await waiter.post(f"/panel/orders/{order['order_id']}/cancel", {"why": "sold_out"})
        assert page.status == 303
        told = (await one.now(order))["history"][-1]
        assert (told["event"], told["reason"]) == ("cancel", "Siparişinizdeki bir ürün tükendi.")
        other = await one.take()
        await waiter.post(f"/panel/orders/{other['order_id']}/cancel", {"why": "other", "reason": "elektrik yok"})
        assert (await one.now(other))["history"][-1]["reason"] == "elektrik yok"
        # A refusal comes back on the order's own page, with words.
        page = await waiter.post(f"/panel/orders/{other['order_id']}/start")
        assert page.status == 409


async def test_paying_at_the_table_closes_the_order_with_one_tap(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        order = await one.take()
        waiter = await one.one.person("staff")
        for action in ("finish", "serve"):
            await waiter.post(f"/panel/orders/{order['order_id']}/{action}")
        board = column(await waiter.get("/panel/board"), "out")
        assert board.index("Card, close") < board.index("Cash, close")
        await waiter.post(f"/panel/orders/{order['order_id']}/complete", {"paid": "1", "payment_method": "cash"})
        done = await one.now(order)
        assert (done["status"], done["payment_status"], done["payment_method"]) == ("completed", "paid", "cash")
        assert order["order_id"] not in (await waiter.get("/panel/board")).text


async def test_a_kitchen_neither_sees_a_guests_phone_nor_takes_money(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        order = await one.take(customer_phone="905551112233", customer_name="Ada")
        cook, waiter = await one.one.person("kitchen"), await one.one.person("staff")
        number = order["order_id"]
        for path in (f"/panel/orders/{number}", "/panel/orders", "/panel/board"):
            assert "5551112233" not in (await cook.get(path)).text, path
        assert "+905551112233" in (await waiter.get(f"/panel/orders/{number}")).text
        for action in ("finish", "serve"):
            assert (await cook.post(f"/panel/orders/{number}/{action}")).status == 303
        for action, fields in (("complete", {"paid": "1"}), ("pay", {}), ("pay_in_person", {"payment_method": "cash"}),
                               ("refund", {})):  # fmt: skip
            assert (await as_json(cook, f"/panel/orders/{number}/{action}", fields)).status == 403, action
        assert (await one.now(order))["payment_status"] == "unpaid"
        page = (await cook.get(f"/panel/orders/{number}")).text
        for action in ("complete", "pay"):
            assert f"/panel/orders/{number}/{action}" not in page, action
        assert "Cash, close" not in column(await cook.get("/panel/board"), "out")
        assert (await waiter.post(f"/panel/orders/{number}/pay")).status == 303
        # What is paid anybody may close.
        assert (await cook.post(f"/panel/orders/{number}/complete")).status == 303
        # Who did what is told by name.
        history = (await waiter.get(f"/panel/orders/{number}")).words.partition("History")[2]
        assert "Kitchen" in history
        assert "Staff" in history


async def test_the_list_searches_and_filters_and_says_when_nothing_fits(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        waiter = await one.one.person("staff")
        assert "No orders yet" in (await waiter.get("/panel/orders")).words
        order = await one.take(customer_name=EVIL)
        for query in ("", "?state=open", "?type=dine_in", f"?q={order['order_id'][-13:]}"):
            page = await waiter.get(f"/panel/orders{query}")
            assert order["order_id"] in page.text, query
            assert "<img src=x" not in page.text
        for query in ("?state=cancelled", "?type=delivery", "?q=nobody", "?day=2020-01-01"):
            assert "No order fits" in (await waiter.get(f"/panel/orders{query}")).words, query
        assert (await waiter.get("/panel/orders?day=yesterday")).status == 422
        shown = await waiter.get(f"/panel/orders/{order['order_id']}")
        assert "az tuzlu" in shown.words
        assert "<img src=x" not in shown.text
        # On paper stand the house and the clock, and dishes in the language of who reads.
        paper = re.search(r'<p class="on-paper order-paper">(.*?)</p>', shown.text, re.S)
        assert paper is not None
        assert re.search(rf"{one.venue.name}.* · \d+ \w+ 20\d\d \d\d:\d\d$", re.sub("<[^>]+>", "", paper[1]))
        turk = await one.one.person("staff", language="tr")
        menu = await one.one.running.api.db.snapshot(lambda tx: load(tx, one.venue))
        dish = next(item for item in menu.items if item.id == one.food)
        for path in (f"/panel/orders/{order['order_id']}", "/panel/orders"):
            assert dish.name in (await turk.get(path)).words, path
        for page in (shown, await waiter.get("/panel/orders")):
            assert dish.translations["en"]["name"] in page.words
        assert (await waiter.get("/panel/orders/ORD-20260101-0001")).status == 404


async def test_a_waiter_takes_and_changes_an_order(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        waiter = await one.one.person("staff")
        page = await waiter.get("/panel/take")
        found = re.search(r'<script type="application/json" id="take-facts">(.*?)</script>', page.text, re.S)
        assert found is not None
        facts = json.loads(found[1])
        assert len(facts["tables"]) == 12
        assert sum(len(category["items"]) for category in facts["menu"]["categories"]) == 80
        wish = {"venue_id": one.venue.id, "table_id": one.table_id, "lines": [{"item_id": one.food, "quantity": 2}]}
        fields = {"wish": json.dumps(wish), "once": "a" * 20}
        first = json.loads((await as_json(waiter, "/panel/take", fields)).text)
        again = json.loads((await as_json(waiter, "/panel/take", fields)).text)
        assert first["order_id"] == again["order_id"]
        order = await one.now(first)
        assert (order["status"], order["table_number"]) == ("sent_to_kitchen", "1")
        change = {
            **wish,
            "order_id": order["order_id"],
            "revision": 1,
            "lines": [{"item_id": one.drink, "quantity": 1}],
        }
        assert (await as_json(waiter, "/panel/take", {"wish": json.dumps(change)})).status == 200
        assert [item["item_id"] for item in (await one.now(order))["items"]] == [one.drink]
        late = await as_json(waiter, "/panel/take", {"wish": json.dumps(change)})
        assert (late.status, json.loads(late.text)["code"]) == (409, "order_changed")
        away = json.dumps({**wish, "order_type": "delivery", "table_id": ""})
        refused = json.loads((await as_json(waiter, "/panel/take", {"wish": away})).text)
        assert [error["field"] for error in refused["errors"]] == ["address", "customer_phone", "customer_name"]
        assert refused["errors"][0]["detail"] == "A delivery needs an address: write where it goes."
        for wrong in ("", "{", '{"venue_id":1}', json.dumps({**wish, "lines": []}), json.dumps({**wish, "x": 1})):
            assert (await as_json(waiter, "/panel/take", {"wish": wrong})).status == 422, wrong


async def test_sales_are_for_who_runs_the_place(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        owner, waiter = await one.one.person("owner"), await one.one.person("staff")
        assert "Nothing was sold" in (await owner.get("/panel/sales")).words
        await one.take()
        for path in ("/panel/sales?days=1", "/panel/sales?by=item", "/panel/sales?by=waiter", "/panel/sales/day"):
            page = await owner.get(path)
            assert page.status == 200
            assert "Revenue" in page.words, path
        assert "Elif" in (await owner.get("/panel/sales?by=waiter")).words
        table = await owner.get("/panel/sales/export?by=order_type")
        assert table.text.splitlines()[1].startswith("dine_in,,1,")
        for path in ("/panel/takings", "/panel/takings?days=7"):
            assert "Still open" in (await owner.get(path)).words, path
        assert (await owner.get("/panel/takings/export?by=hour")).text.splitlines()[1].startswith("06,0.0,")
        for query in ("?since=x", "?since=2027-01-02&until=2027-01-01", "?since=1999-01-01"):
            for path in ("/panel/sales", "/panel/takings"):
                assert (await owner.get(f"{path}{query}")).status == 422, query
        for path in ("/panel/sales", "/panel/takings", "/panel/takings/export"):
            assert (await waiter.get(path)).status == 403


async def test_another_account_sees_none_of_it(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        order = await one.take()
        stranger = await one.one.person("owner", account=2)
        assert "There is no venue yet" in (await stranger.get("/panel/board")).words
        for path in (f"/panel/board?venue={one.venue.id}", f"/panel/orders/{order['order_id']}",
                     f"/panel/take?venue={one.venue.id}", f"/panel/sales?venue={one.venue.id}"):  # fmt: skip
            assert (await stranger.get(path)).status == 404, path
        tap = await as_json(stranger, f"/panel/orders/{order['order_id']}/start", {})
        assert tap.status == 404
        wish = json.dumps({"venue_id": one.venue.id, "lines": [{"item_id": one.food, "quantity": 1}]})
        assert (await as_json(stranger, "/panel/take", {"wish": wish})).status == 404
