"""The displays of stations: what each shows to whom, what taps do, and what a change costs on the wire."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tablegram.restaurant.kitchen.store import PINS
from tests.panel.diner import EVIL, as_json, column, diner
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
        log = (await cook.get(f"/panel/orders/{number}")).words
        assert "Bar: done" in log
        assert "taken back by" in log
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
        # Nor is anybody found there by a number that somebody tries.
        assert number not in (await cook.get("/panel/orders?q=5551112233")).text
        assert number in (await waiter.get("/panel/orders?q=5551112233")).text
        full = (await waiter.get(f"/panel/orders/{number}")).text
        assert "Moda Caddesi" in full
        assert amount in full


async def test_a_card_says_how_far_its_paper_is(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        waiter = await one.one.person("staff")
        printer = {"venue_id": one.venue.id, "name": "Grill", "kind": "cloudprnt", "stations": ["kitchen"]}
        made = await one.one.running.ask("POST", "/restaurant/printers", printer)
        assert made.status == 201, made.body
        await one.take()
        for path, seen in (("/panel/board", True), ("/panel/board?station=bar", False)):
            assert ("Kitchen: waits for paper" in (await waiter.get(path)).words) is seen, path


async def test_people_share_a_tablet_by_a_pin_and_what_they_do_carries_their_name(
    database_url: str, tmp_path: Path
) -> None:
    async with diner(database_url, tmp_path) as one:
        manager, tablet = await one.one.person("manager"), await one.one.person("staff")
        path = f"/restaurant/venues/{one.venue.id}/waiters"
        known = {row["name"]: row["id"] for row in (await one.one.running.ask("GET", path)).json()["data"]}
        (elif_name, elif_id), (mert_name, mert_id) = sorted(known.items())[:2]
        staff = f"/panel/tables/{one.venue.id}/waiters"
        assert "Who is here?" not in (await tablet.get("/panel/board")).words
        for name, waiter_id, pin, told in (
            (elif_name, elif_id, "12345", "A PIN has four digits."),
            (elif_name, elif_id, "1111", "Everybody tries this one first."),
            (elif_name, elif_id, "4711", ""),
            (mert_name, mert_id, "4711", "Somebody else of this venue has this PIN."),
            (mert_name, mert_id, "0815", ""),
        ):
            answer = await manager.post(f"{staff}/{waiter_id}", {"name": name, "pin": pin})
            assert (told in answer.words) if told else answer.status == 303, (pin, answer.status)
        # Digits stand nowhere: not in the store, not in the log of who did what.
        kept = await one.one.running.api.db.snapshot(lambda tx: tx.all(PINS, {"b_account": 1, "b_venue": one.venue.id}))
        assert len(kept) == 2
        assert not [row for row in kept if "4711" in row["pin_hash"]]
        assert "Who is here?" in (await tablet.get("/panel/board")).words
        wrong = await tablet.post("/panel/turn", {"venue": one.venue.id, "pin": "9999"})
        assert wrong.location == "/panel/board"
        assert (
            elif_name
            not in (await tablet.get("/panel/board")).text.partition('id="turn"')[0].partition("board-head")[2]
        )
        # Whoever types theirs is who takes and taps, until the next one does.
        order = await one.take()
        for name, pin in ((elif_name, "4711"), (mert_name, "0815")):
            await tablet.post("/panel/turn", {"venue": one.venue.id, "pin": pin})
            assert (
                name
                in (await tablet.get("/panel/kitchen/bar")).text.partition("kitchen-tools")[2].partition("</div>")[0]
            )
            wish = {"venue_id": one.venue.id, "lines": [{"item_id": one.food, "quantity": 1}], "table_id": one.table_id}
            taken = json.loads((await as_json(tablet, "/panel/take", {"wish": json.dumps(wish)})).text)
            whole = (await one.one.running.ask("GET", f"/orders/{taken['order_id']}")).json()
            assert (whole["waiter_assigned"], whole["history"][0]["by"]) == (name, name)
        await as_json(tablet, f"/panel/kitchen/taps/{order['order_id']}", {"tap": "start"})
        await tablet.post("/panel/turn/end", {})
        await as_json(tablet, f"/panel/kitchen/taps/{order['order_id']}", {"tap": "finish"})
        log = (await one.one.running.ask("GET", f"/orders/{order['order_id']}/progress")).json()["taps"]
        assert log[1]["by"] == mert_name
        assert log[0]["by"] not in (elif_name, mert_name)
        # Guessing is slow: after a few wrong ones even the right one has to wait.
        for _ in range(5):
            await tablet.post("/panel/turn", {"venue": one.venue.id, "pin": "9998"})
        late = await tablet.post("/panel/turn", {"venue": one.venue.id, "pin": "4711"})
        assert late.status == 303
        assert "Who is here?" in (await tablet.get("/panel/board")).words
        # A PIN that was taken away opens nothing, and a kitchen gives none.
        await manager.post(f"{staff}/{elif_id}", {"name": elif_name, "act": "no_pin"})
        await manager.post("/panel/turn", {"venue": one.venue.id, "pin": "4711"})
        assert "Who is here?" in (await manager.get("/panel/board")).words
        cook = await one.one.person("kitchen")
        assert (await cook.post(f"{staff}/{mert_id}", {"name": mert_name, "pin": "2580"})).status == 403


async def test_the_tablet_knows_who_sits_where_what_sells_and_who_called_before(
    database_url: str, tmp_path: Path
) -> None:
    async with diner(database_url, tmp_path) as one:
        waiter, cook = await one.one.person("staff"), await one.one.person("kitchen")
        guest = {"customer_phone": "905551112233", "customer_name": "Ayşe", "address": "Moda Caddesi 12"}
        await one.take(order_type="delivery", table_id=None, **guest)
        seated = await one.take()

        async def facts(person: Any) -> dict[str, Any]:
            text = (await person.get("/panel/take")).text.partition('id="take-facts">')[2].partition("</script>")[0]
            return dict(json.loads(text))

        told = await facts(waiter)
        assert told["quick"][0] == one.food
        here = next(row for row in told["tables"] if row["id"] == one.table_id)
        assert (here["amount"], here["since"] > 0) == (round(seated["total_amount"] * 100), True)
        assert [row for row in told["tables"] if "since" in row] == [here]
        assert next(row for row in (await facts(cook))["tables"] if "since" in row)["amount"] == 0
        found = await waiter.get(f"/panel/take/guest?venue={one.venue.id}&phone=0555+111+22+33")
        assert json.loads(found.text) == {"name": "Ayşe", "address": "Moda Caddesi 12"}
        for phone in ("", "12", "0555 999 88 77", EVIL):
            query = urlencode({"venue": one.venue.id, "phone": phone})
            assert json.loads((await waiter.get(f"/panel/take/guest?{query}")).text) == {}
        assert (await cook.get(f"/panel/take/guest?venue={one.venue.id}&phone=05551112233")).status == 403
