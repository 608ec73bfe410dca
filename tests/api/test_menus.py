"""Menus over HTTP: kept one thing at a time or as a file, with photos."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tests.api.restaurants import VENUE, ok, opened, photo, refused

# Statements that no flow runs: lists, sums and photos that this edge alone asks for.
pytestmark = pytest.mark.later


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
