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
from tablegram.restaurant.lines import DishLine
from tablegram.restaurant.menu.keeping import load
from tablegram.restaurant.orders import keeping
from tablegram.restaurant.texts import requests
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tests.api.asking import Reply
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


async def test_a_bill_is_paid_in_parts_and_its_tab_ends(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        served, cooking = await one.take(), await one.take()
        for action in ("finish", "serve"):
            await one.act(served, action)
        closing = f"{one.path}/tables/{one.table_id}/close-tab"
        assert (await one.ask("POST", closing)).json()["code"] == "bill_open"
        (tab,) = (await one.ask("GET", f"/restaurant/tabs?table_id={one.table_id}&status=open")).json()["data"]
        path = f"/restaurant/tabs/{tab['id']}"
        assert tab["open"] == tab["total"] == served["total_amount"] + cooking["total_amount"]
        assert (await one.ask("GET", path, account=2)).json()["code"] == "tab_unknown"
        dish = {"order_id": served["order_id"], "line": 0, "quantity": 1}
        taken = (await one.ask("POST", f"{path}/payments", {"method": "card", "lines": [dish]})).json()
        assert taken["payment"]["amount"] > 0
        for wrong, code in (
            ({"amount": 1e9}, "more_than_open"), ({"amount": 0.001}, "amount_unreadable"), ({"parts": 2, "amount": 1}, "split_unclear"),
            ({"given": 0.01}, "given_too_little"), ({"order_ids": ["ORD-1"]}, "order_unknown"), ({"expected_open": 1}, "bill_changed"),
            ({"lines": [{**dish, "quantity": 2}]}, "line_paid"), ({"lines": [{**dish, "line": 9}]}, "line_unknown"),
        ):  # fmt: skip
            told = (await one.ask("POST", f"{path}/payments", {"method": "cash", **wrong})).json()
            assert code in (told["code"], *(error["code"] for error in told.get("errors", ()))), told
        less = (await one.ask("POST", f"{path}/discounts", {"percent": 10, "reason": "late"})).json()
        assert less["bill"]["discounts_total"] > 0
        gone = f"{path}/discounts/{less['discount']['id']}"
        assert (await one.ask("DELETE", gone)).status == 204
        assert (await one.ask("DELETE", gone)).json()["code"] == "discount_unknown"
        open_ = taken["bill"]["open"]
        key = {"Idempotency-Key": "one-tap"}
        body = {"method": "cash", "tip": 5, "given": open_ + 25}
        both = [await one.ask("POST", f"{path}/payments", body, headers=key) for _ in range(2)]
        assert [answer.status for answer in both] == [201, 201]
        paid = both[1].json()
        assert (paid["payment"]["change"], paid["bill"]["open"], paid["bill"]["tips"]) == (20, 0, 5)
        assert len(paid["bill"]["payments"]) == 2
        for action in ("finish", "serve"):
            await one.act(cooking, action)
        assert (await one.ask("GET", path)).json()["state"] == "closed"
        back = f"{path}/payments/{paid['payment']['id']}/refund"
        assert (await one.ask("POST", back, {"reason": "wrong table"})).json()["bill"]["open"] == open_
        assert (await one.ask("POST", back, {"reason": "wrong table"})).json()["code"] == "payment_given_back"
        lost = (await one.ask("POST", f"{path}/close", {"reason": "Walked out"})).json()
        assert sorted(lost["written_off"]) == sorted([served["order_id"], cooking["order_id"]])


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
        takings = (await one.ask("GET", f"{one.path}/takings")).json()
        assert (takings["paid"], takings["open"], takings["since"]) == (0, sold["total_amount"], takings["until"])
        assert (takings["day_ends_at"], takings["by_hour"][0]["key"], len(takings["by_day"])) == ("06:00", "06", 1)
        assert takings["before"]["until"] < takings["since"]
        table = await one.ask("GET", f"{one.path}/takings/export?by=method")
        assert table.body.decode("utf-8-sig").splitlines() == ["method,amount,currency"]
        for query in ("since=2026-02-30", "since=2027-01-02&until=2027-01-01", "since=2020-01-01"):
            for kind in ("sales", "takings"):
                assert (await one.ask("GET", f"{one.path}/{kind}?{query}")).status == 422, query
        for kind in ("sales", "takings"):
            assert (await one.ask("GET", f"{one.path}/{kind}", account=2)).json()["code"] == "venue_unknown"
        for wrong in ({"day_ends_at": "25:00"}, {"calls_couriers": "perhaps"}):
            assert (await one.ask("PATCH", one.path, wrong)).status == 422
        assert (await one.ask("PATCH", one.path, {"calls_couriers": "never"})).json()["calls_couriers"] == "never"
        # Money goes to a provider that the account has, or to its usual one.
        unknown = (await one.ask("PATCH", one.path, {"payment_provider_id": "nobodys"})).json()
        assert [(error["field"], error["code"]) for error in unknown["errors"]] == [
            ("payment_provider_id", "payment_provider_unknown")
        ]
        assert (await one.ask("PATCH", one.path, {"payment_provider_id": ""})).status == 200
        assert (await one.ask("PATCH", one.path, {"day_ends_at": "04:30"})).json()["day_ends_at"] == "04:30"


async def test_orders_are_listed_in_any_order_page_by_page(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        placed = [
            (await one.take(lines=[{"item_id": one.dish, "quantity": quantity}]))["order_id"]
            for quantity in (2, 3, 1, 3)
        ]
        for sort, expected in (
            (None, [3, 2, 1, 0]),
            ("-placed", [3, 2, 1, 0]),
            ("placed", [0, 1, 2, 3]),
            ("-total", [3, 1, 0, 2]),
            ("total", [2, 0, 3, 1]),
        ):
            found: list[str] = []
            query = "limit=3" if sort is None else f"limit=3&sort={sort}"
            while query:
                page = (await one.ask("GET", f"/orders?{query}")).json()
                found += [order["order_id"] for order in page["data"]]
                query = page["next_cursor"] and f"limit=3&sort={sort or '-placed'}&cursor={page['next_cursor']}"
            assert found == [placed[at] for at in expected], sort
        wrong = await one.ask("GET", "/orders?sort=price")
        assert (wrong.status, wrong.json()["errors"][0]["field"]) == (422, "sort")


async def test_a_guests_wish_is_answered_once_and_at_its_own_venue(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        db, now = one.running.api.db, one.running.api.clock.now_ms()
        path = f"{one.path}/order-requests"

        async def wish(order: dict[str, Any], kind: Any, lines: tuple[DishLine, ...] = ()) -> str:
            async def ask(tx: Tx) -> str:
                placed = await keeping.find(tx, 1, order["order_id"])
                return (await requests.ask(tx, placed, kind, "as a guest writes", lines, now)).id

            return await db.write(ask)

        cooked, other = await one.take(), await one.take()
        for order in (cooked, other):
            await one.act(order, "start")
        changing = await wish(cooked, "change", (DishLine(one.dish, 5),))
        cancelling = await wish(other, "cancel")
        waiting = (await one.ask("GET", path)).json()["data"]
        assert [(row["id"], row["order_id"], row["kind"]) for row in waiting] == [
            (changing, cooked["order_id"], "change"), (cancelling, other["order_id"], "cancel"),
        ]  # fmt: skip
        first = (await one.ask("GET", f"{path}?limit=1")).json()
        rest = (await one.ask("GET", f"{path}?limit=1&cursor={first['next_cursor']}")).json()
        assert ([first["data"][0]["id"], rest["data"][0]["id"]], rest["next_cursor"]) == ([changing, cancelling], None)
        for account, place, status in ((2, one.path, 404), (1, "/restaurant/venues/nowhere", 404)):
            assert (await one.ask("GET", f"{place}/order-requests", account=account)).status == status
            refused = await one.ask("POST", f"{place}/order-requests/{changing}/accept", account=account)
            assert (refused.status, refused.json()["code"]) == (404, "venue_unknown")
        elsewhere = {"name": "Other", "currency": "TRY", "time_zone": "Europe/Istanbul"}
        second = (await one.ask("POST", "/restaurant/venues", elsewhere)).json()["id"]
        not_there = await one.ask("POST", f"/restaurant/venues/{second}/order-requests/{changing}/accept")
        assert (not_there.status, not_there.json()["code"]) == (404, "order_request_unknown")
        said = await one.ask("POST", f"{path}/{changing}/accept", headers={"Idempotency-Key": "k"})
        assert (said.status, said.json()["answer"], said.json()["order_id"]) == (200, "accepted", cooked["order_id"])
        assert (await one.ask("GET", f"/orders/{cooked['order_id']}")).json()["items"][0]["quantity"] == 5
        again = await one.ask("POST", f"{path}/{changing}/accept", headers={"Idempotency-Key": "k"})
        assert (again.body, again.headers["idempotent-replayed"]) == (said.body, "true")
        assert (await one.ask("POST", f"{path}/{changing}/refuse")).status == 404
        assert (await one.ask("POST", f"{path}/{cancelling}/perhaps")).status in (404, 422)
        assert (await one.ask("POST", f"{path}/{cancelling}/refuse")).json()["answer"] == "refused"
        assert (await one.ask("GET", f"/orders/{other['order_id']}")).json()["status"] == "preparing"
        assert (await one.ask("GET", path)).json() == {"data": [], "next_cursor": None}
