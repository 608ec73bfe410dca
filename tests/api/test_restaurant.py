"""Venues, tables and menus over HTTP: what programs do with them from the first venue to the printed codes."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from PIL import Image

from tablegram.accounts.accounts import Accounts
from tablegram.errors import NotFound
from tests.api.asking import Reply
from tests.api.product_in_process import Running, product

# Statements that no flow runs: lists, sums and photos that this edge alone asks for.
pytestmark = pytest.mark.later

VENUE = {
    "name": "Safran Lokantası",
    "currency": "TRY",
    "time_zone": "Europe/Istanbul",
    "locale": "tr-TR",
    "languages": ["tr", "en"],
    "order_types": ["dine_in", "takeaway"],
}


@asynccontextmanager
async def opened(database_url: str, folder: Path) -> AsyncIterator[tuple[Running, str]]:
    """The product with one venue; its address."""
    async with product(database_url, folder) as running:
        made = await running.ask("POST", "/restaurant/venues", VENUE)
        assert made.status == 201, made.body
        yield running, f"/restaurant/venues/{made.json()['id']}"


def photo(width: int = 1200, height: int = 900, kind: str = "JPEG") -> bytes:
    out = io.BytesIO()
    picture = Image.new("RGB", (width, height), "#b3541e")
    exif = picture.getexif()
    exif[0x010F] = "A camera that nobody needs to know"
    picture.save(out, kind, exif=exif)
    return out.getvalue()


async def ok(reply: Any, status: int = 200) -> Any:
    answer: Reply = await reply
    assert answer.status == status, answer.body
    return answer.json() if answer.body else None


async def refused(reply: Any) -> tuple[int, str]:
    answer: Reply = await reply
    return answer.status, answer.json()["code"]


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


async def test_a_menu_is_kept_one_thing_at_a_time(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as (running, place):
        ask, menu = running.ask, f"{place}/menu"
        image = await ok(ask("POST", f"{place}/images", photo(), content_type="image/jpeg"), 201)
        soups = await ok(ask("POST", f"{menu}/categories", {"name": "Çorbalar", "image_id": image["image_id"]}), 201)
        sizes = {
            "name": "Boy",
            "required": True,
            "options": [{"name": "Tek"}, {"name": "Bir buçuk", "price": 20.5, "translations": {"en": {"name": "Big"}}}],
        }
        group = await ok(ask("POST", f"{menu}/option-groups", sizes), 201)
        dish = {
            "category_id": soups["id"], "name": "Mercimek <b>çorbası</b>", "price": 85.5, "allergens": ["celery"],
            "tags": ["vegan"], "station": "bar", "option_group_ids": [group["id"]], "image_id": image["image_id"],
            "translations": {"en": {"name": "Lentil soup", "description": "Red lentils"}},
            "availability": {"order_types": ["dine_in"], "hours": [{"day": "monday", "opens": "11:00", "closes": "15:00"}]},
        }  # fmt: skip
        item = await ok(ask("POST", f"{menu}/items", dish, headers={"Idempotency-Key": "soup"}), 201)
        assert item == await ok(ask("POST", f"{menu}/items", dish, headers={"Idempotency-Key": "soup"}), 201)
        assert (item["price"], item["code"], item["sold_out"]) == (85.5, "mercimek-b-corbasi-b", False)
        assert item == await ok(ask("GET", f"{menu}/items/{item['id']}"))
        changed = await ok(
            ask("PATCH", f"{menu}/items/{item['id']}", {"price": 90, "availability": None, "code": "S1"})
        )
        assert (changed["price"], changed["availability"]["hours"], changed["tags"]) == (90.0, [], ["vegan"])
        kept = [{"name": "bir BUÇUK", "price": 25}, {"name": "Duble", "price": 40}]
        bigger = await ok(ask("PATCH", f"{menu}/option-groups/{group['id']}", {"options": kept}))
        assert bigger["options"][0]["id"] == group["options"][1]["id"]
        assert bigger["options"][0]["translations"] == {"en": {"name": "Big"}}
        whole = await ok(ask("GET", menu))
        assert [len(whole[name]) for name in ("categories", "items", "option_groups")] == [1, 1, 1]
        assert await refused(ask("DELETE", f"{place}/images/{image['image_id']}")) == (409, "image_used")
        assert await refused(ask("DELETE", f"{menu}/categories/{soups['id']}")) == (409, "category_in_use")
        await ok(ask("DELETE", f"{menu}/option-groups/{group['id']}"), 204)
        assert (await ok(ask("GET", f"{menu}/items/{item['id']}")))["option_group_ids"] == []
        await ok(ask("DELETE", f"{menu}/items/{item['id']}"), 204)
        await ok(ask("DELETE", f"{menu}/categories/{soups['id']}"), 204)
        await ok(ask("DELETE", f"{place}/images/{image['image_id']}"), 204)
        assert (await ok(ask("GET", f"{place}/images")))["data"] == []


async def test_what_is_wrong_with_an_item_is_told_by_its_own_fields(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as (running, place):
        menu = f"{place}/menu"
        category = await ok(running.ask("POST", f"{menu}/categories", {"name": "A"}), 201)
        right = {"category_id": category["id"], "name": "x", "price": 1, "code": "one"}
        await ok(running.ask("POST", f"{menu}/items", right), 201)

        async def fault(**wrong: Any) -> tuple[str, str]:
            reply = await running.ask("POST", f"{menu}/items", {**right, "code": "two", **wrong})
            assert reply.status == 422, reply.body
            (error,) = reply.json()["errors"]
            return error["field"], error["code"]

        assert await fault(code="one") == ("code", "code_taken")
        assert await fault(price=1.234) == ("price", "price_invalid")
        assert await fault(price=-1) == ("price", "out_of_range")
        assert await fault(category_id="none") == ("category_id", "category_unknown")
        assert await fault(option_group_ids=["none"]) == ("option_group_ids", "group_unknown")
        assert await fault(station="oven") == ("station", "station_unknown")
        assert await fault(allergens=["dust"]) == ("allergens", "allergen_unknown")
        assert await fault(image_id="none") == ("image_id", "image_unknown")
        assert await fault(translations={"de": {"name": "y"}}) == ("translations", "language_unknown")
        assert await fault(translations={"en": {"nom": "y"}}) == ("translations.en.nom", "unknown_field")
        group = {"name": "Size", "options": [{"name": "a", "price": 0.001}]}
        reply = await running.ask("POST", f"{menu}/option-groups", group)
        assert [one["field"] for one in reply.json()["errors"]] == ["options[0].price"]


async def test_order_prices_and_what_is_sold_out_change_in_bulk(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as (running, place):
        ask, menu = running.ask, f"{place}/menu"
        table = "category;name;price\nA;one;10\nA;two;20\nB;three;30,50\n"
        assert (await ok(ask("POST", f"{menu}/import", table.encode(), content_type="text/csv")))["applied"]
        whole = await ok(ask("GET", menu))
        ids = {one["name"]: one["id"] for one in whole["items"] + whole["categories"]}
        await ok(ask("POST", f"{menu}/order", {"ids": [ids["B"], ids["A"]]}))
        whole = await ok(ask("POST", f"{menu}/order", {"category_id": ids["A"], "ids": [ids["two"], ids["one"]]}))
        assert [one["name"] for one in whole["items"]] == ["three", "two", "one"]
        assert await refused(ask("POST", f"{menu}/order", {"ids": [ids["B"]]})) == (422, "order_incomplete")
        rise = {"percent": 10, "step": 0.5, "rounding": "up"}
        told = await ok(ask("POST", f"{menu}/prices", {**rise, "dry_run": True}))
        assert told["applied"] is False
        done = await ok(ask("POST", f"{menu}/prices", rise, headers={"Idempotency-Key": "rise"}))
        assert done["prices"] == told["prices"]
        assert {one["name"]: one["after"] for one in done["prices"]} == {"one": 11.0, "two": 22.0, "three": 34.0}
        await ok(ask("POST", f"{menu}/prices", rise, headers={"Idempotency-Key": "rise"}))
        assert await refused(ask("POST", f"{menu}/prices", {})) == (422, "change_missing")
        whole = await ok(ask("POST", f"{menu}/sold-out", {"ids": [ids["one"]], "until": "told"}))
        shown = {one["name"]: (one["price"], one["sold_out"], one["sold_out_until"]) for one in whole["items"]}
        assert shown == {"one": (11.0, True, None), "two": (22.0, False, None), "three": (34.0, False, None)}
        until = {"ids": [ids["two"]], "until": "time", "at": "2100-01-31T18:30:00+03:00"}
        whole = await ok(ask("POST", f"{menu}/sold-out", until))
        assert [one["sold_out_until"] for one in whole["items"]] == [None, "2100-01-31T15:30:00.000Z", None]
        whole = await ok(ask("POST", f"{menu}/sold-out", {"ids": [ids["one"], ids["two"]], "until": "now"}))
        assert not any(one["sold_out"] for one in whole["items"])
        assert await refused(ask("POST", f"{menu}/sold-out", {"ids": [ids["one"]], "until": "time"})) == (
            422,
            "time_needed",
        )
        assert await refused(ask("POST", f"{menu}/sold-out", {"ids": ["none"]})) == (404, "item_unknown")


async def test_a_menu_leaves_in_every_format_and_comes_back_the_same(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as (running, place):
        ask, menu = running.ask, f"{place}/menu"
        document = Path("src/tablegram/restaurant/demo/menu.json").read_bytes()
        told = await ok(ask("POST", f"{menu}/import", document))
        assert told["applied"], told["errors"][:3]
        assert told["summary"]["added"] >= 80
        first = await ok(ask("GET", menu))
        for format, table in (("json", "items"), ("csv", "items"), ("csv", "options"), ("xlsx", "items")):
            file = await ask("GET", f"{menu}/export?format={format}&table={table}")
            assert file.status == 200
            assert f'.{format}"' in file.headers["content-disposition"]
            told = await ok(ask("POST", f"{menu}/import?dry_run=true", file.body))
            assert told["errors"] == []
            assert told["applied"] is False
            assert {name: told["summary"][name] for name in ("added", "changed", "removed")} == {
                "added": 0, "changed": 0, "removed": 0,
            }  # fmt: skip
        book = await ask("GET", f"{menu}/export?format=xlsx")
        other = await ok(ask("POST", "/restaurant/venues", {**VENUE, "name": "Branch"}), 201)
        there = f"/restaurant/venues/{other['id']}/menu"
        assert (await ok(ask("POST", f"{there}/import?mode=replace", book.body)))["applied"]
        copied = await ok(ask("GET", there))

        def told_of(menu: dict[str, Any]) -> list[Any]:
            names = ("name", "code", "price", "allergens", "tags", "station", "translations", "kitchen_name")
            return [[one[name] for name in names] for one in menu["items"]]

        assert told_of(copied) == told_of(first)
        assert [[o["price"] for o in one["options"]] for one in copied["option_groups"]] == [
            [o["price"] for o in one["options"]] for one in first["option_groups"]
        ]


async def test_a_file_with_faults_changes_nothing_and_names_every_row(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as (running, place):
        ask, menu = running.ask, f"{place}/menu"
        book = openpyxl.Workbook()
        book.active.title = "Yemekler"
        for row in (
            ["Kategori", "Ürün", "Fiyat"],
            ["A", "good", 12.5],
            ["A", "", 3],
            ["A", "dear", "çok"],
            ["A", "odd", 1.125],
        ):
            book.active.append(row)
        out = io.BytesIO()
        book.save(out)
        told = await ok(ask("POST", f"{menu}/import", out.getvalue()))
        assert told["applied"] is False
        assert [(one["place"], one["row"], one["column"], one["code"]) for one in told["errors"]] == [
            ("Yemekler row 3", 3, "name", "blank"),
            ("Yemekler row 4", 4, "price", "price_invalid"),
            ("Yemekler row 5", 5, "price", "price_invalid"),
        ]
        assert (await ok(ask("GET", menu)))["items"] == []
        for raw, code in (
            (b"PK\x03\x04 nothing", "file_unreadable"),
            (b"phone\n1", "name_column_missing"),
            (b"{}{", "file_unreadable"),
            (b"   ", "file_empty"),
        ):
            assert await refused(ask("POST", f"{menu}/import", raw)) == (422, code)


async def test_photos_are_made_small_and_told_nothing_about(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as (running, place):
        ask = running.ask
        for kind in ("JPEG", "PNG", "WEBP"):
            made = await ok(ask("POST", f"{place}/images", photo(1600, 1200, kind), content_type="image/any"), 201)
            assert (made["width"], made["height"]) == (960, 720)
            again = await ok(ask("POST", f"{place}/images", photo(1600, 1200, kind)), 201)
            assert again["image_id"] == made["image_id"]
        key = {"Idempotency-Key": "photo"}
        first, again, other = [
            await ask("POST", f"{place}/images", photo(*size), headers=key) for size in ((9, 9), (9, 9), (8, 8))
        ]
        assert (first.body, again.headers["idempotent-replayed"]) == (again.body, "true")
        assert (other.status, other.json()["code"]) == (422, "idempotency_key_reused")
        await ok(ask("DELETE", f"{place}/images/{first.json()['image_id']}"), 204)
        listed = await ok(ask("GET", f"{place}/images?limit=2"))
        rest = await ok(ask("GET", f"{place}/images?cursor={listed['next_cursor']}"))
        assert len(listed["data"] + rest["data"]) == 3
        for raw, code in (
            (b"GIF89a not a picture", "image_unreadable"),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image_unreadable"),
            (photo()[:2000], "image_unreadable"),
            (photo(5001, 5000, "PNG"), "image_too_large"),
        ):
            assert await refused(ask("POST", f"{place}/images", raw)) == (422, code)
        assert await refused(
            ask("POST", f"{place}/images", b"--x", content_type="multipart/form-data; boundary=x")
        ) == (
            415,
            "content_type_unsupported",
        )
