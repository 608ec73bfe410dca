"""Venues and tables over HTTP: what programs do with them from the first venue to the printed codes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablegram.accounts.accounts import Accounts
from tablegram.errors import NotFound
from tests.api.restaurants import VENUE, ok, opened, photo, refused

# Statements that no flow runs: lists, sums and photos that this edge alone asks for.
pytestmark = pytest.mark.later


async def test_a_venue_is_made_changed_looked_at_and_closed(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as (running, place):
        ask = running.ask
        venue = await ok(ask("GET", place))
        assert venue["is_default"] is True
        assert len(venue["hours"]) == 7
        assert venue["menu_url"].endswith(f"/api/v1/menu?venue={venue['id']}")
        changes = {
            "service_charge": 12.5,
            "hours": [{"day": "friday", "opens": "18:00", "closes": "02:00"}],
            "exceptions": [{"date": "2027-01-01"}],
            "pauses": [{"starts_at": "2027-01-31T18:30:00+03:00", "reason": "Oven"}],
            "last_order_min": 30,
            "how_to": {"en": "Scan me"},
            "address": "Moda Caddesi 12\nKadıköy",
            "preparation_min": 25,
        }
        changed = await ok(ask("PATCH", place, changes))
        assert changed["menu_version"] > venue["menu_version"]
        assert (changed["service_charge"], changed["preparation_min"]) == (12.5, 25)
        assert changed["exceptions"] == [{"date": "2027-01-01", "spans": []}]
        assert changed["pauses"] == [{"starts_at": "2027-01-31T15:30:00.000Z", "ends_at": None, "reason": "Oven"}]
        assert (changed["name"], changed["languages"]) == (VENUE["name"], ["tr", "en"])
        paid = await ok(ask("PATCH", place, {"pays_online": ["delivery", "takeaway"], "prepaid": ["delivery"]}))
        assert (paid["pays_online"], paid["prepaid"], paid["pay_within_min"]) == (
            ["delivery", "takeaway"],
            ["delivery"],
            30,
        )
        # What must be paid online can be paid so.
        assert await refused(ask("PATCH", place, {"pays_online": ["takeaway"]})) == (422, "not_paid_online")
        for minutes in (4, 1_441):
            assert (await refused(ask("PATCH", place, {"pay_within_min": minutes})))[0] == 422
        standing = await ok(ask("GET", f"{place}/standing"))
        assert standing["is_open"] is (standing["opens_at"] is None)
        second = await ok(ask("POST", "/restaurant/venues", {**VENUE, "name": "Second"}), 201)
        assert await refused(ask("DELETE", place)) == (409, "venue_is_default")
        await ok(ask("PATCH", f"/restaurant/venues/{second['id']}", {"is_default": True}))
        listed = await ok(ask("GET", "/restaurant/venues?limit=1"))
        rest = await ok(ask("GET", f"/restaurant/venues?cursor={listed['next_cursor']}"))
        assert [one["is_default"] for one in listed["data"] + rest["data"]] == [False, True]
        await ok(ask("DELETE", place), 204)
        assert await refused(ask("GET", place)) == (404, "venue_unknown")
        assert await refused(ask("GET", f"/restaurant/venues/{second['id']}", account=2)) == (404, "venue_unknown")


async def test_a_link_without_a_venue_goes_on_leading_where_it_led(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as (running, place):
        guests = running.api.guests

        async def leads_to() -> str:
            return (await guests.seat(None, None, None)).venue.id

        first = place.rpartition("/")[2]
        assert await leads_to() == first
        # Another house comes, and its venue is its default too.
        await ok(running.ask("POST", "/restaurant/venues", {**VENUE, "name": "Another"}, account=2), 201)
        assert await leads_to() == first
        # Within the house the default counts, and never another house's.
        second = await ok(running.ask("POST", "/restaurant/venues", {**VENUE, "name": "Second"}), 201)
        await ok(running.ask("PATCH", f"/restaurant/venues/{second['id']}", {"is_default": True}))
        assert await leads_to() == second["id"]
        await ok(running.ask("DELETE", place), 204)
        assert await leads_to() == second["id"]
        await Accounts(running.api.db, running.api.clock).suspend(1)
        with pytest.raises(NotFound):
            await leads_to()


async def test_what_a_venue_may_not_be_is_told_field_by_field(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as (running, place):

        async def fields(body: dict[str, Any]) -> list[tuple[str, str]]:
            reply = await running.ask("PATCH", place, body)
            assert reply.status == 422, reply.body
            return [(one["field"], one["code"]) for one in reply.json()["errors"]]

        assert await fields({"currency": "QQQ"}) == [("currency", "currency_unknown")]
        assert await fields({"time_zone": "Mars/Olympus"}) == [("time_zone", "time_zone_unknown")]
        assert await fields({"languages": ["tr", "tr"]}) == [("languages", "language_invalid")]
        assert await fields({"order_types": ["dine_in", "dine_in"]}) == [("order_types", "order_type_unknown")]
        assert await fields({"instance_id": 999}) == [("instance_id", "instance_unknown")]
        assert await fields({"logo_id": "none"}) == [("logo_id", "image_unknown")]
        assert await fields({"how_to": {"english": "x", "en": 5}}) == [
            ("how_to.english", "format_invalid"), ("how_to.en", "wrong_type"),
        ]  # fmt: skip
        assert await fields({"pauses": [{"starts_at": "2027-02-01T00:00:00Z", "ends_at": "2027-01-01T00:00:00Z"}]}) == [
            ("pauses[0]", "pause_backwards")
        ]
        assert await fields({"service_charge": 51}) == [("service_charge", "out_of_range")]


async def test_waiters_serve_sections_and_sections_hold_tables(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as (running, place):
        ask = running.ask
        elif_ = await ok(ask("POST", f"{place}/waiters", {"name": "Elif", "phone": "905551112233"}), 201)
        mert = await ok(ask("POST", f"{place}/waiters", {"name": "Mert"}), 201)
        garden = await ok(ask("POST", f"{place}/sections", {"name": "Bahçe", "waiter_id": elif_["id"]}), 201)
        assert await refused(ask("POST", f"{place}/sections", {"name": "x", "waiter_id": "nobody"})) == (
            422,
            "waiter_unknown",
        )
        made = await ok(ask("POST", f"{place}/tables/range", {"first": 1, "last": 3, "section_id": garden["id"]}), 201)
        assert [(one["label"], one["waiter_name"]) for one in made["data"]] == [(str(n), "Elif") for n in (1, 2, 3)]
        # What is there stays, so that twice is as good as once.
        again = await ok(ask("POST", f"{place}/tables/range", {"first": 2, "last": 4}), 201)
        assert [one["label"] for one in again["data"]] == ["4"]
        # Lists go on where the page before ended, like all lists.
        first = await ok(ask("GET", f"{place}/tables?limit=3"))
        rest = await ok(ask("GET", f"{place}/tables?limit=3&cursor={first['next_cursor']}"))
        assert [one["label"] for one in first["data"] + rest["data"]] == ["1", "2", "3", "4"]
        for path in ("tables", "waiters", "sections", "calls"):
            assert (await ok(ask("GET", f"{place}/{path}")))["next_cursor"] is None
            assert await refused(ask("GET", f"{place}/{path}?limit=201")) == (422, "out_of_range")
            assert await refused(ask("GET", f"{place}/{path}?cursor=eDp5")) == (422, "cursor_invalid")
        assert rest["next_cursor"] is None
        table = f"{place}/tables/{made['data'][0]['id']}"
        changed = await ok(ask("PATCH", table, {"waiter_id": mert["id"], "seats": 6, "label": "Çınar altı"}))
        assert (changed["waiter_name"], changed["section_name"], changed["seats"]) == ("Mert", "Bahçe", 6)
        assert await refused(ask("POST", f"{place}/tables", {"label": "cinar ALTI"})) == (409, "label_taken")
        await ok(ask("PATCH", f"{place}/waiters/{elif_['id']}", {"name": "Elif Su", "phone": None}))
        await ok(ask("PATCH", f"{place}/sections/{garden['id']}", {"position": 3}))
        await ok(ask("DELETE", f"{place}/waiters/{mert['id']}"), 204)
        assert (await ok(ask("GET", table)))["waiter_name"] == "Elif Su"
        await ok(ask("DELETE", f"{place}/sections/{garden['id']}"), 204)
        assert (await ok(ask("GET", table)))["waiter_name"] == ""
        assert (await ok(ask("GET", f"{place}/waiters")))["data"] == [
            {"id": elif_["id"], "name": "Elif Su", "phone": "", "member_id": None}
        ]
        assert (await ok(ask("GET", f"{place}/sections")))["data"] == []
        for method, path in (("PATCH", "waiters/x"), ("PATCH", "sections/x"), ("PATCH", "tables/x")):
            status, code = await refused(ask(method, f"{place}/{path}", {}))
            assert (status, code) == (404, f"{path.partition('/')[0].removesuffix('s')}_unknown")
        await ok(ask("DELETE", table), 204)
        assert len((await ok(ask("GET", f"{place}/tables")))["data"]) == 3


async def test_codes_come_as_pictures_and_as_paper_and_can_be_rotated(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as (running, place):
        ask = running.ask
        assert await refused(ask("GET", f"{place}/tables/codes.pdf")) == (409, "tables_missing")
        tables = (await ok(ask("POST", f"{place}/tables/range", {"first": 1, "last": 7}), 201))["data"]
        logo = await ok(ask("POST", f"{place}/images", photo(400, 400, "PNG"), content_type="image/png"), 201)
        await ok(ask("PATCH", place, {"logo_id": logo["image_id"]}))
        one = f"{place}/tables/{tables[0]['id']}"
        for path, kind, start in (
            (f"{one}/code.png", "image/png", b"\x89PNG"),
            (f"{one}/code.svg", "image/svg+xml", b"<?xml"),
            (f"{place}/tables/codes.pdf?size=small", "application/pdf", b"%PDF"),
            (f"{place}/menu/export?format=csv", "text/csv; charset=utf-8", b"\xef\xbb\xbfcategory,"),
            (f"{place}/tables/codes.pdf?size=page&table_id={tables[0]['id']}", "application/pdf", b"%PDF"),
        ):
            reply = await ask("GET", path)
            assert reply.status == 200, reply.body
            assert reply.headers["content-type"] == kind
            assert reply.body.startswith(start)
        assert (await ask("GET", f"{place}/tables/codes.pdf?size=medium")).body.count(b"/Type /Page\n") == 2
        assert await refused(ask("GET", f"{place}/tables/codes.pdf?size=huge")) == (422, "not_allowed")
        assert await refused(ask("GET", f"{place}/tables/codes.pdf?table_id=x")) == (404, "table_unknown")
        rotated = await ok(ask("POST", f"{one}/rotate", headers={"Idempotency-Key": "leaked"}))
        assert rotated["link"] != tables[0]["link"]
        again = await ask("POST", f"{one}/rotate", headers={"Idempotency-Key": "leaked"})
        assert (again.json(), again.headers["idempotent-replayed"]) == (rotated, "true")
        everywhere = (await ok(ask("POST", f"{place}/tables/rotate")))["data"]
        assert [one["generation"] for one in everywhere] == [3, *[2] * 6]
