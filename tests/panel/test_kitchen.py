"""The displays of stations: what each shows to whom, what taps do, and what a change costs on the wire."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.panel.test_board import as_json, column, diner
from tests.panel.visiting import Page


def tickets(page: Page) -> list[str]:
    return re.findall(r'<article class="kt" data-key="([^"]+)"', page.text)


def marks(page: Page) -> str:
    return ".".join(re.findall(r'data-mark="(\w+)"', page.text))


async def test_a_station_moves_its_own_share_and_nothing_else(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        cook = await one.one.person("kitchen")
        first = await cook.get("/panel/kitchen")
        assert (first.status, first.location) == (303, f"/panel/kitchen/kitchen?venue={one.venue.id}")
        assert (await cook.get("/panel/kitchen/nowhere")).status == 404
        order = await one.take(notes="doğum günü")
        number, names = order["order_id"], {item["station"]: item["kitchen_name"] for item in order["items"]}
        kitchen, bar = await cook.get("/panel/kitchen/kitchen"), await cook.get("/panel/kitchen/bar")
        assert tickets(kitchen) == tickets(bar) == [number]
        assert names["kitchen"] not in bar.text
        assert names["bar"] in (await cook.get("/panel/kitchen/kitchen?others=1")).text
        assert f'<b>2 ×</b> <span dir="auto">{names["kitchen"]}' in kitchen.text
        # The bar is done, and the kitchen's food is as raw as before.
        tap = f"/panel/kitchen/taps/{number}"
        done = await as_json(cook, tap, {"tap": "finish", "station": "bar", "once": "A" * 20})
        told = json.loads(done.text)
        assert (done.status, told["status"]) == (200, "preparing")
        assert tickets(await cook.get("/panel/kitchen/bar")) == []
        assert tickets(await cook.get("/panel/kitchen/kitchen")) == [number]
        # Sent again after a lost answer, it is the same tap; taken back, the drink is to be made again.
        assert (
            json.loads((await as_json(cook, tap, {"tap": "finish", "station": "bar", "once": "A" * 20})).text) == told
        )
        assert (await as_json(cook, f"{tap}/undo", {"tap_id": told["tap_id"]})).status == 200
        assert (await one.now(order))["status"] == "sent_to_kitchen"
        assert tickets(await cook.get("/panel/kitchen/bar")) == [number]
        # On the bar's own board the same button moves the bar's share.
        board = await cook.get("/panel/board?station=bar")
        assert f'action="{tap}"' in column(board, "kitchen")
        for fields, status in (
            ({"tap": "burn"}, 422),
            ({"tap": "finish", "station": "none"}, 422),
            ({"tap": "finish:nothing"}, 422),
            ({"tap": "start", "station": "kitchen"}, 200),
            ({"tap": "finish"}, 200),
        ):
            assert (await as_json(cook, tap, fields)).status == status, fields
        assert (await one.now(order))["status"] == "ready"
        assert number in (await cook.get("/panel/kitchen/bar")).text.partition('data-list="bumped"')[2]
        # Without a script the same form leads back, with a word where it did not work.
        assert (await cook.post(tap, {"tap": "recall", "next": "/panel/kitchen/bar"})).location == "/panel/kitchen/bar"


async def test_a_change_fetches_one_ticket_and_not_the_board(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        waiter = await one.one.person("staff")
        orders = [await one.take() for _ in range(20)]
        for path, part in (("/panel/board", "board"), ("/panel/kitchen/bar", "tickets")):
            whole = await waiter.get(f"{path}?part={part}")
            again = await waiter.get(f"{path}?part={part}&known={marks(whole)}")
            assert len(again.text) < len(whole.text) / 8
            assert marks(again) == marks(whole)
        whole = await waiter.get("/panel/board?part=board")
        await as_json(waiter, f"/panel/kitchen/taps/{orders[3]['order_id']}", {"tap": "start"})
        changed = await waiter.get(f"/panel/board?part=board&known={marks(whole)}")
        assert re.findall(r'<article class="ticket" data-key="([^"]+)"', changed.text) == [orders[3]["order_id"]]
        assert "known=" not in changed.text


async def test_a_kitchen_sees_no_phone_no_address_and_no_money(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        cook, waiter = await one.one.person("kitchen"), await one.one.person("staff")
        guest = {"customer_phone": "905551112233", "customer_name": "Ayşe", "address": "Moda Caddesi 12"}
        order = await one.take(order_type="delivery", table_id=None, **guest)
        number = order["order_id"]
        amount = f"{order['total_amount']:,.2f}"
        pages = [
            "/panel/board",
            "/panel/orders",
            f"/panel/orders/{number}",
            "/panel/kitchen/kitchen",
            f"/panel/take?order={number}",
        ]
        for path in pages:
            seen = (await cook.get(path)).text
            assert "Ayşe" in seen, path
            for secret in ("555 111", "5551112233", "Moda Caddesi", amount, "/menu/orders/"):
                assert secret not in seen, (path, secret)
        full = (await waiter.get(f"/panel/orders/{number}")).text
        assert "Moda Caddesi" in full
        assert amount in full
