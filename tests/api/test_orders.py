"""Orders, calls and sales through the API: taken, changed, moved on, counted; each only as its state allows."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tablegram.restaurant import calls, tables
from tablegram.restaurant.menu.keeping import load
from tablegram.restaurant.venues import Venue
from tests.api.app import Reply
from tests.api.product_in_process import Running, product
from tests.restaurant.dishes import plain
from tests.restaurant.furnished import furnish


@dataclass
class Diner:
    running: Running
    venue: Venue
    table_id: str
    dish: str

    async def ask(self, method: str, path: str, body: Any = None, **more: Any) -> Reply:
        return await self.running.ask(method, path, body, **more)

    async def take(self, **changes: Any) -> dict[str, Any]:
        body = {
            "venue_id": self.venue.id, "table_id": self.table_id, "lines": [{"item_id": self.dish, "quantity": 2}],
            **changes,
        }  # fmt: skip
        answer = await self.ask("POST", "/orders", {name: value for name, value in body.items() if value is not None})
        assert answer.status == 201, answer.body
        return dict(answer.json())

    async def act(self, order: dict[str, Any], action: str, **fields: Any) -> Reply:
        return await self.ask("POST", f"/orders/{order['order_id']}/{action}", fields)

    @property
    def path(self) -> str:
        return f"/restaurant/venues/{self.venue.id}"


@asynccontextmanager
async def diner(database_url: str, folder: Path) -> AsyncIterator[Diner]:
    async with product(database_url, folder) as running:
        api = running.api
        venue = await api.db.write(lambda tx: furnish(tx, 1, api.box, api.clock.now_ms()))
        table = (await api.db.snapshot(lambda tx: tables.every(tx, 1, venue.id)))[0]
        menu = await api.db.snapshot(lambda tx: load(tx, venue))
        yield Diner(running, venue, table.id, plain(menu).id)


async def test_an_order_is_taken_moved_on_and_found_again(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        order = await one.take(notes="birlikte", customer_name="Şükrü")
        assert order["status"] == "sent_to_kitchen"
        assert order["waiter_assigned"] == "Elif"
        assert order["total_amount"] == round(order["items"][0]["unit_price"] * 2, 2)
        for action, status in (
            ("start", "preparing"),
            ("finish", "ready"),
            ("recall", "preparing"),
            ("finish", "ready"),
        ):
            assert (await one.act(order, action)).json()["status"] == status
        served = (await one.act(order, "serve")).json()
        assert "complete" not in served["actions"]
        done = (await one.act(order, "complete", paid=True)).json()
        assert (done["status"], done["payment_status"], done["actions"]) == ("completed", "paid", ["refund"])
        assert [step["event"] for step in done["history"]] == [
            "place", "start", "finish", "recall", "finish", "serve", "pay", "complete",
        ]  # fmt: skip
        for query in (
            f"q={quote('şükr')}",
            f"q={order['order_id'][-8:]}",
            "status=completed",
            f"venue_id={one.venue.id}",
        ):
            found = (await one.ask("GET", f"/orders?{query}")).json()["data"]
            assert [row["order_id"] for row in found] == [order["order_id"]], query
        for query in ("open=true", "order_type=delivery", "q=nobody", "placed_until=2020-01-01T00:00:00Z"):
            assert (await one.ask("GET", f"/orders?{query}")).json()["data"] == [], query


async def test_what_a_state_does_not_allow_is_a_conflict_and_changes_nothing(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        order = await one.take()
        for action in ("accept", "serve", "deliver", "complete"):
            answer = await one.act(order, action)
            assert (answer.status, answer.json()["code"]) == (409, "state_conflict"), action
        assert (await one.act(order, "delay")).json()["code"] == "delay_invalid"
        assert (await one.act(order, "fly")).status in (404, 422)
        assert (await one.ask("POST", "/orders/ORD-1/start", {})).json()["code"] == "order_unknown"
        now = (await one.ask("GET", f"/orders/{order['order_id']}")).json()
        assert (now["status"], len(now["history"])) == ("sent_to_kitchen", 1)


async def test_a_change_needs_the_revision_that_was_seen(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        order = await one.take()
        path = f"/orders/{order['order_id']}"
        lines = [{"item_id": one.dish, "quantity": 3, "note": "az pişmiş"}]
        changed = (await one.ask("PATCH", path, {"lines": lines, "revision": order["revision"]})).json()
        assert (changed["revision"], changed["items"][0]["quantity"]) == (2, 3)
        late = await one.ask("PATCH", path, {"notes": "x", "revision": order["revision"]})
        assert (late.status, late.json()["code"]) == (409, "order_changed")
        late = await one.act(order, "start", revision=order["revision"])
        assert (late.status, late.json()["code"]) == (409, "order_changed")
        assert (await one.act(order, "start", revision=2)).status == 200


async def test_the_same_call_twice_makes_one_order(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        body = {"venue_id": one.venue.id, "table_id": one.table_id, "lines": [{"item_id": one.dish}]}
        keyed = {"headers": {"Idempotency-Key": "once"}}
        first, again = [await one.ask("POST", "/orders", body, **keyed) for _ in range(2)]
        assert first.json()["order_id"] == again.json()["order_id"]
        assert again.headers["idempotent-replayed"] == "true"
        assert len((await one.ask("GET", "/orders")).json()["data"]) == 1


async def test_wrong_orders_are_refused_with_words(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        good = {"venue_id": one.venue.id, "table_id": one.table_id, "lines": [{"item_id": one.dish}]}
        for changes, code in (
            ({"lines": []}, "too_few"),
            ({"lines": [{"item_id": one.dish}] * 51}, "too_many"),
            ({"lines": [{"item_id": "nothing"}]}, "item_unknown"),
            ({"lines": [{"item_id": one.dish, "quantity": 0}]}, "out_of_range"),
            ({"table_id": "nothing"}, "table_unknown"),
            ({"payment_method": "card_on_delivery"}, "payment_method_invalid"),
        ):
            answer = await one.ask("POST", "/orders", {**good, **changes})
            assert (answer.status, answer.json()["code"]) == (422, code), changes
        nowhere = await one.ask("POST", "/orders", {**good, "venue_id": "nothing"})
        assert (nowhere.status, nowhere.json()["code"]) == (404, "venue_unknown")


async def test_a_call_waits_until_somebody_answers_it(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        api = one.running.api
        table = await api.db.snapshot(lambda tx: tables.find(tx, 1, one.venue.id, one.table_id))
        await api.db.write(lambda tx: calls.call(tx, table, "bill", "kart", api.clock.now_ms()))
        waiting = (await one.ask("GET", f"{one.path}/calls")).json()["data"]
        assert [(row["kind"], row["table_number"], row["note"]) for row in waiting] == [("bill", "1", "kart")]
        answer = f"{one.path}/calls/{waiting[0]['id']}/answer"
        assert (await one.ask("POST", answer, account=2)).json()["code"] == "venue_unknown"
        assert (await one.ask("POST", answer)).status == 200
        assert (await one.ask("POST", answer)).json()["code"] == "call_unknown"
        assert (await one.ask("GET", f"{one.path}/calls")).json()["data"] == []


async def test_closing_a_tab_completes_what_was_served(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        served, cooking = await one.take(), await one.take()
        for action in ("finish", "serve"):
            await one.act(served, action)
        told = (await one.ask("POST", f"{one.path}/tables/{one.table_id}/close-tab")).json()
        assert told["completed"] == [served["order_id"]]
        assert told["still_running"] == [cooking["order_id"]]


async def test_sales_count_what_was_sold(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        sold = await one.take()
        gone = await one.take()
        assert (await one.act(gone, "cancel", reason="yanlış")).json()["status"] == "cancelled"
        report = (await one.ask("GET", f"{one.path}/sales?by=item")).json()
        assert report["total"] == {"orders": 1, "revenue": sold["total_amount"], "average": sold["total_amount"]}
        assert [(row["key"], row["quantity"]) for row in report["data"]] == [(one.dish, 2)]
        summary = (await one.ask("GET", f"{one.path}/sales/summary")).json()
        assert (summary["total"]["orders"], summary["cancelled"]["orders"]) == (1, 1)
        table = await one.ask("GET", f"{one.path}/sales/export?by=waiter")
        assert table.headers["content-type"].startswith("text/csv")
        rows = list(csv.DictReader(io.StringIO(table.body.decode("utf-8-sig"))))
        assert [(row["waiter"], row["orders"]) for row in rows] == [("Elif", "1")]
        for query in ("since=2026-02-30", "since=2027-01-02&until=2027-01-01", "since=2020-01-01"):
            assert (await one.ask("GET", f"{one.path}/sales?{query}")).status == 422, query
        assert (await one.ask("GET", f"{one.path}/sales", account=2)).json()["code"] == "venue_unknown"
