"""What the guest's page withstands: floods, many spellings of one address, and ears on the way."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

from tablegram.errors import TooMany
from tablegram.flows.restaurant.answers.guests import GuestVenueStanding, VenueGlance
from tablegram.flows.restaurant.guests.watching import MenuWatch
from tablegram.menu_page.live import Streams
from tablegram.menu_page.problems import as_problem
from tablegram.web.limits import Pace
from tests.menu_page.house import open_house

FREE = {"anonymous_rate_limit": 100_000.0, "anonymous_rate_burst": 100_000}


async def test_however_a_table_is_spelt_its_page_is_drawn_once(database_url: str, tmp_path: Path) -> None:
    async with open_house(database_url, tmp_path, **FREE) as house:
        menu_page: Any = house.running.api._menu_page
        for query in ("table=12", "table=012", "table=%2012", "table=0000012&x=1"):
            answer = await house.ask("GET", f"?{query}&lang=en", headers={"accept": "text/html"})
            assert answer.status == 200
        for query in ("t=a", "t=b"):
            await house.ask("GET", f"?{query}&lang=en", headers={"accept": "text/html"})
        # One with the table, one without.
        assert len(menu_page._routes._drawing._kept) == 2
        signed = await house.ask("GET", f"?table=012&t={house.codes['12']}&lang=en", headers={"accept": "text/html"})
        assert house.codes["12"].encode() in signed.body


async def test_nobody_on_the_way_keeps_what_a_guest_ordered(database_url: str, tmp_path: Path) -> None:
    async with open_house(database_url, tmp_path, **FREE) as house:
        cart = await house.open_cart("Humus", table="12", t=house.codes["12"])
        order = (await house.with_cart("POST", cart, "/order", {})).json()
        path = "/orders/" + order["status_url"].rpartition("/")[2]
        for accept in ("application/json", "text/html"):
            answer = await house.ask("GET", path, headers={"accept": accept})
            assert answer.status == 200
            assert set(answer.headers["cache-control"].split(", ")) & {"private", "no-store"}


async def test_every_answer_carries_what_the_whole_api_promises(database_url: str, tmp_path: Path) -> None:
    async with open_house(database_url, tmp_path) as house:
        for path in ("?table=12", "?table=99", "/data", "/static/0/nothing.js", "/carts/AAAA-AAAA"):
            own = await house.ask("GET", path, headers={"accept": "text/html", "x-request-id": "mine-1"})
            other = await house.ask("GET", path, headers={"x-request-id": "not a name"})
            assert own.headers["x-request-id"] == "mine-1"
            assert len(other.headers["x-request-id"]) > len("not a name")
            for answer in (own, other):
                assert answer.headers["x-api-version"] == "1.4"
                assert answer.headers["ratelimit-policy"].startswith('"read";q=')
                assert answer.headers["ratelimit"].startswith('"read";r=')
            if other.status != 200:
                assert other.json()["request_id"] == other.headers["x-request-id"]


async def test_orders_are_paced_more_than_other_changes(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablegram.menu_page.app.CHANGES", Pace(0.1, 20))
    async with open_house(database_url, tmp_path, anonymous_rate_limit=0.1, anonymous_rate_burst=1) as house:
        cart = await house.open_cart("Humus", table="12", t=house.codes["12"])
        answers = [await house.with_cart("POST", cart, "/order", {}) for _ in range(10)]
        assert [answer.status for answer in answers] == [201] * 8 + [429] * 2
        assert answers[-1].headers["ratelimit-policy"] == '"order";q=8;w=1600'
        assert answers[-1].headers["ratelimit"].startswith('"order";r=0;t=')
        assert (
            await house.ask("POST", "/calls", {"kind": "bill", "table": "12", "t": house.codes["12"]})
        ).status == 201


async def test_a_household_of_many_addresses_listens_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablegram.menu_page.live.MAX_PER_ADDRESS", 1)

    async def look(venue_id: str) -> VenueGlance:
        closed = GuestVenueStanding(
            open=False, until_ms=None, opens_ms=None, takes_orders=False, orders_until_ms=None, reason="closed",
            order_types=[], offers={}, payment_methods={}, rewards=False, gifts=False, closed={},
        )  # fmt: skip
        return VenueGlance(1, closed)

    streams = Streams(MenuWatch(look))
    first: Any = streams.open("v", "2001:db8:1:2::1")
    await anext(first)
    with pytest.raises(TooMany):
        streams.open("v", "2001:db8:1:2::2")
    other: Any = streams.open("v", "2001:db8:1:3::1")
    await other.aclose()
    await first.aclose()
    assert streams.listening == 0


def test_the_log_names_no_guests_order_or_cart(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        as_problem(RuntimeError("x"), "/api/v1/menu/orders/0KEY0TO0HIS0ORDER", "R1")
    assert "/api/v1/menu/orders" in caplog.text
    assert "0KEY0TO0HIS0ORDER" not in caplog.text


async def test_the_page_of_points_answers_whatever_it_is_sent(database_url: str, tmp_path: Path) -> None:
    async with open_house(database_url, tmp_path, **FREE) as house:
        place = {"venue": house.venue.id, "language": "en"}
        assert (await house.ask("POST", "/rewards", place)).json()["code"] == "loyalty_off"
        rates = [{"currency": "TRY", "per": 10, "worth": 0.5}]
        on = await house.running.ask("PATCH", "/loyalty/programme", {"is_on": True, "rates": rates})
        assert on.status == 200, on.body
        began = await house.ask("POST", "/rewards", place)
        assert (began.status, began.headers["cache-control"]) == (201, "no-store")
        made = began.json()
        own = {"cart-holder": made["secret"]}
        path = f"/rewards/{made['code']}?venue={house.venue.id}"
        assert (await house.ask("GET", path, headers=own)).json() == {"known": False}
        wrong: list[tuple[str, str, Any, dict[str, str], int]] = [
            ("GET", path, None, {}, 422),
            ("GET", path, None, {"cart-holder": "x"}, 404),
            ("GET", "/rewards/%00%ff", None, own, 404),
            ("GET", "/rewards", None, own, 405),
            ("POST", path, {"points": -1}, own, 422),
            ("POST", path, {"code": "x" * 65}, own, 422),
            ("POST", path, {"code": 5}, own, 422),
            ("POST", path, [], own, 422),
            ("POST", path, {}, own, 409),
            ("POST", "/rewards", {"venue": "nowhere"}, {}, 404),
            ("POST", "/rewards", {"table": "12", "t": "forged"}, {}, 403),
        ]
        for method, address, body, headers, status in wrong:
            answer = await house.ask(method, address, body, headers=headers)
            assert answer.status == status, (method, address, body, answer.body)
            assert answer.json()["detail"]
