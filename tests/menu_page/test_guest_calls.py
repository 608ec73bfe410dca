"""What a phone may ask the server for, and what it is told when it asks for something else."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tablegram.menu_page.drawing import within_reach_first
from tablegram.menu_page.live import beside_the_menu
from tablegram.restaurant import venues
from tablegram.restaurant.menu import changes
from tablegram.restaurant.menu.public import PublicCategory, PublicItem
from tablegram.web.limits import Pace
from tests.menu_page.house import KEY, House, open_house
from tests.restaurant.kept import edit_menu

FREE = {"anonymous_rate_limit": 100_000.0, "anonymous_rate_burst": 100_000}


async def test_carts_are_priced_by_the_server_and_belong_to_one_phone(database_url: str, tmp_path: Path) -> None:
    async with open_house(database_url, tmp_path, **FREE) as house:
        line = {"item_id": house.item("Humus"), "quantity": 2, "price": 1, "unit_price": 1, "amount": 1}
        at_table = {"table": "12", "t": house.codes["12"]}
        opened = await house.ask("POST", "/carts", {**at_table, "lines": [line], "key": KEY, "total": 1})
        cart = opened.json()
        assert (opened.status, cart["total"], cart["lines"][0]["unit_price"]) == (201, 26_000, 13_000)
        # The answer was lost and the phone asks again: it is the same cart.
        again = (await house.ask("POST", "/carts", {**at_table, "lines": [line], "key": KEY})).json()
        assert (again["code"], again["holder"]) == (cart["code"], cart["holder"])
        for holder, status in ((cart["holder"], 200), ("somebody-else", 404), (cart["holder"] + "x", 404)):
            for method, body in (("GET", None), ("PATCH", {"notes": "x"})):
                answer = await house.ask(method, f"/carts/{cart['code']}", body, headers={"cart-holder": holder})
                assert answer.status == status, answer.body
        answer = await house.ask("GET", f"/carts/{cart['code']}")
        assert (answer.status, answer.json()["errors"][0]["field"]) == (422, "Cart-Holder")
        stale = await house.with_cart("PATCH", cart, body={"notes": "y", "revision": cart["revision"]})
        assert (stale.status, stale.json()["code"]) == (409, "cart_changed")
        assert (await house.with_cart("GET", {**cart, "code": "AAAA-AAAA"})).status in (404, 422)
        # What others at the table have is shown without saying who they are.
        await house.open_cart("Haydari", **at_table)
        told = await house.with_cart("GET", cart, "/table")
        others = [line for one in told.json()["others"] for line in one["lines"]]
        assert [(line["name"], line["item_id"]) for line in others] == [("Haydari", house.item("Haydari"))]
        gathered = await house.with_cart("POST", cart, "/gather", {})
        assert (gathered.status, gathered.json()["total"]) == (200, 26_000 + 12_500)


async def test_an_order_from_the_page_is_one_order_however_often_it_is_sent(database_url: str, tmp_path: Path) -> None:
    async with open_house(database_url, tmp_path, **FREE) as house:
        cart = await house.open_cart("Humus", table="12", t=house.codes["12"])
        answers = await asyncio.gather(
            *[house.with_cart("POST", cart, "/order", {"name": "Ayşe", "phone": "0555 111 22 33"}) for _ in range(5)]
        )
        assert {answer.status for answer in answers} == {201}
        [order_id] = {answer.json()["order_id"] for answer in answers}
        kept = await house.running.ask("GET", f"/orders/{order_id}")
        assert kept.json()["customer"]["phone"] == "+905551112233"
        view = (await house.with_cart("GET", cart)).json()
        assert (view["state"], view["order"]["order_id"]) == ("ordered", order_id)
        changed = await house.with_cart("PATCH", cart, body={"notes": "late"})
        assert (changed.status, changed.json()["code"]) == (409, "cart_ordered")
        token = view["order"]["status_url"].rpartition("/")[2]
        status = await house.ask("GET", f"/orders/{token}")
        assert (status.status, status.json()["order_id"]) == (200, order_id)
        page = await house.ask("GET", f"/orders/{token}", headers={"accept": "text/html"})
        assert order_id.encode() in page.body
        last = "A" if token[-1] != "A" else "B"
        for forged in (token[:-1] + last, "x", token[1:], token + token, "%00", "..", "😀"):
            answer = await house.ask("GET", f"/orders/{forged}")
            assert answer.status == 404, (forged, answer.body)
            assert (await house.ask("POST", f"/orders/{forged}/cancel", {})).status == 404
            assert (await house.ask("GET", f"/orders/{forged}/live")).status == 404
        cancelled = await house.ask("POST", f"/orders/{token}/cancel", {})
        assert (cancelled.status, cancelled.json()["status"]) == (200, "cancelled")
        assert (await house.ask("POST", f"/orders/{token}/cancel", {})).status == 409


HOSTILE: list[tuple[Any, int, str]] = [
    ({"lines": [{"item_id": "x"}] * 1_000}, 422, "too_many_lines"),
    ({"lines": "everything"}, 422, "wrong_type"),
    ({"lines": [{"item_id": "x", "quantity": "two"}]}, 422, "wrong_type"),
    ({"lines": [{"item_id": "x", "quantity": 1e99}]}, 422, "wrong_type"),
    ({"lines": [{"item_id": "x", "quantity": 10**30}]}, 422, ""),
    ({"lines": [{"item_id": "x", "quantity": 0}]}, 422, "quantity_invalid"),
    ({"lines": [{"item_id": "x", "quantity": -5}]}, 422, "quantity_invalid"),
    ({"lines": [{"item_id": "x", "choices": [{"option_id": "y"}] * 31}]}, 422, "too_many_options"),
    ({"lines": [{"item_id": "x", "note": "n" * 201}]}, 422, "too_long"),
    ({"notes": "n" * 501}, 422, "too_long"),
    ({"order_type": "by_drone"}, 422, "wrong_type"),
    ({"key": "short"}, 422, "key_invalid"),
    ({"table": "99"}, 404, "table_unknown"),
    ({"table": "12", "t": "AAAAAAAAAAAA"}, 403, "table_code_invalid"),
    ({"table": "12", "t": "şifre\u202e"}, 403, "table_code_invalid"),
    ({"venue": "nowhere"}, 404, "venue_unknown"),
    ({"venue": "no\0where"}, 422, "request_malformed"),
    ({"table": "1\0"}, 422, "request_malformed"),
    ({"lines": [{"item_id": "x\0"}]}, 422, "request_malformed"),
    (b"{", 422, "request_malformed"),
    (b'{"notes": "\\ud800"}', 422, ""),
    (b"[" * 100_000, 422, ""),
    (b"\xff\xfe", 422, "request_malformed"),
    (b'{"notes": "' + b"n" * 300_000 + b'"}', 413, "body_too_large"),
    (b"[]", 422, "wrong_type"),
    (b"null", 422, "wrong_type"),
]


async def test_hostile_bodies_are_refused_in_words(database_url: str, tmp_path: Path) -> None:
    async with open_house(database_url, tmp_path, **FREE) as house:
        for body, status, code in HOSTILE:
            answer = await house.ask("POST", "/carts", body)
            shown = str(body)[:80]
            assert answer.status == status, (shown, answer.status, answer.body[:200])
            problem = answer.json()
            assert not code or problem["code"] == code, (shown, problem)
            assert problem["detail"]
            assert answer.headers["content-type"] == "application/problem+json"
        for content_type in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data", ""):
            answer = await house.ask("POST", "/carts", b"{}", content_type=content_type)
            assert answer.status == 415, content_type
        # What the menu does not have is named by its line, and is not kept.
        known = {"item_id": house.item("Humus"), "note": "🌶️ حار \u202e <b>"}
        refused = await house.ask("POST", "/carts", {"table": "12", "lines": [known, {"item_id": "nothing"}]})
        assert [one["field"] for one in refused.json()["errors"]] == ["lines[1].item_id"]
        view = (await house.ask("POST", "/carts", {"table": "12", "lines": [known], "notes": "😀"})).json()
        assert (view["total"], view["lines"][0]["note"], view["notes"]) == (13_000, "🌶️ حار <b>", "😀")


async def test_addresses_methods_and_files_that_do_not_exist(database_url: str, tmp_path: Path) -> None:
    async with open_house(database_url, tmp_path, **FREE) as house:
        for path in ("/nothing", "/static/abc/../app.py", "/static/abc/app.py", "/images/x-320.webp", "/images/x-1.webp",
                     "/images/../../etc-320.webp", "/carts/a/b/c"):  # fmt: skip
            assert (await house.ask("GET", path)).status == 404, path
        answer = await house.ask("DELETE", "/carts")
        assert (answer.status, answer.headers["allow"]) == (405, "POST")
        picture = next(one.image_id for one in house.menu.items if one.image_id)
        for width, status in ((320, 200), (960, 200), (640, 404)):
            answer = await house.ask("GET", f"/images/{picture}-{width}.webp")
            assert answer.status == status
        nowhere = await house.ask("POST", "/calls", {"kind": "waiter"})
        assert (nowhere.status, nowhere.json()["code"]) == (422, "table_needed")
        assert (await house.ask("POST", "/calls", {"kind": "dance", "table": "12"})).status == 422
        bill = {"kind": "bill", "table": "12", "t": house.codes["12"]}
        made = [(await house.ask("POST", "/calls", bill)).json() for _ in range(2)]
        assert [one["is_new"] for one in made] == [True, False]


async def test_the_page_takes_any_address_and_keeps_its_guard_up(database_url: str, tmp_path: Path) -> None:
    html = {"accept": "text/html"}
    async with open_house(database_url, tmp_path, **FREE) as house:
        script = "%3Cscript%3Ealert(1)%3C/script%3E"
        for query, status in (
            ("", 200), ("?table=12", 200), ("?table=012", 200), ("?lang=zz", 200), (f"?lang={script}", 200),
            (f"?table={script}", 404), (f"?venue={script}", 404), ("?table=12&table=99", 200), ("?table=%ff%fe", 404),
            ("?" + "x=1&" * 2_000, 200), (f"?table=12&t={script}", 403), ("?venue=", 200), ("?venue=%00", 404), ("?table=12&t=%00", 404),
        ):  # fmt: skip
            answer = await house.ask("GET", query, headers=html)
            assert answer.status == status, (query[:60], answer.status)
            assert b"<script>alert" not in answer.body
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "set-cookie" not in answer.headers
        data = await house.ask("GET", "/data?lang=en")
        assert data.json()["menu"]["language"] == "en"
        assert data.json()["standing"]["takes_orders"] is True
        tagged = await house.ask("GET", "/data?lang=en", headers={"if-none-match": data.headers["etag"]})
        assert (tagged.status, tagged.body) == (304, b"")


def test_what_cannot_be_had_at_all_right_now_comes_last() -> None:
    def category(name: str, *items: str) -> PublicCategory:
        return PublicCategory(name, name, [PublicItem(one, one, 100) for one in items])

    menu = [
        category("breakfast", "egg", "jam"),
        category("soup", "lentil"),
        category("wine", "red"),
        category("tea", "t"),
    ]
    closed = {one: {"code": "not_available_now"} for one in ("egg", "jam", "red", "t-large")}
    assert [one.id for one in within_reach_first(menu, closed)] == ["soup", "tea", "breakfast", "wine"]
    assert [one.id for one in within_reach_first(menu, {"egg": {}})] == ["breakfast", "soup", "wine", "tea"]


async def test_a_menu_in_another_language_has_english_words_around_it(database_url: str, tmp_path: Path) -> None:
    async with open_house(database_url, tmp_path, **FREE) as house:
        db, now = house.running.api.db, house.running.api.clock.now_ms()
        spoken = msgspec.structs.replace(house.venue, languages=["tr", "en", "ar"])
        await db.write(lambda tx: venues.update(tx, spoken, now))
        page = (await house.ask("GET", "?table=12&lang=ar", headers={"accept": "text/html"})).body.decode()
        assert '<html lang="en">' in page
        assert 'id="list" lang="ar"' in page
        assert "العربية" in page
        assert "Call the waiter" in page


async def test_too_many_requests_from_one_address_are_paced(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablegram.menu_page.app.CHANGES", Pace(0.01, 5))
    async with open_house(database_url, tmp_path, anonymous_rate_limit=0.01, anonymous_rate_burst=1) as house:
        bill = {"kind": "bill", "table": "12", "t": house.codes["12"]}
        answers = [await house.ask("POST", "/calls", bill) for _ in range(8)]
        assert [answer.status for answer in answers[:5]] == [201] * 5
        assert answers[-1].status == 429
        assert int(answers[-1].headers["retry-after"]) >= 1
        elsewhere = await house.ask("POST", "/calls", bill, client="192.0.2.9")
        assert elsewhere.status == 201
        # Reading goes on.
        assert (await house.ask("GET", "/data")).status == 200


async def test_open_pages_hear_of_changes_and_are_let_go(database_url: str, tmp_path: Path) -> None:
    async with open_house(database_url, tmp_path, **FREE) as house:
        menu_page: Any = house.running.api._menu_page
        frames: asyncio.Queue[bytes] = asyncio.Queue()
        gone = asyncio.Event()

        async def receive() -> Any:
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.body":
                await frames.put(message["body"])

        scope = {
            "type": "http", "method": "GET", "path": "/api/v1/menu/live", "query_string": b"", "headers": [],
            "client": ("192.0.2.1", 1),
        }  # fmt: skip
        listening = asyncio.ensure_future(menu_page(scope, receive, send))
        first = await _menu_frame(frames)
        assert first["version"] == house.venue.menu_version
        await _change_price(house)
        house.running.api.menu_watch.told(house.venue.id)
        assert (await _menu_frame(frames))["version"] > first["version"]
        assert menu_page.streams.listening == 1
        gone.set()
        await asyncio.wait_for(listening, 30)
        assert menu_page.streams.listening == 0
        gone.clear()
        listening = asyncio.ensure_future(menu_page(scope, receive, send))
        await _menu_frame(frames)
        menu_page.end_streams()
        await asyncio.wait_for(listening, 30)


async def _menu_frame(frames: asyncio.Queue[bytes]) -> Any:
    return await _frame(frames, "menu")


async def _frame(frames: asyncio.Queue[bytes], event: str) -> Any:
    """The next notice of a kind; several may come in one piece."""
    while True:
        for notice in (await asyncio.wait_for(frames.get(), 30)).split(b"\n\n"):
            if notice.startswith(f"event: {event}\n".encode()):
                return msgspec.json.decode(notice.partition(b"data: ")[2].strip())


async def test_a_menu_page_hears_of_its_own_orders_and_of_no_others(database_url: str, tmp_path: Path) -> None:
    async with open_house(database_url, tmp_path, **FREE) as house:
        cart = await house.open_cart("Humus", table="12", t=house.codes["12"])
        placed = (await house.with_cart("POST", cart, "/order", {})).json()
        token = placed["status_url"].rpartition("/")[2]
        elsewhere = await house.running.ask(
            "POST", "/restaurant/venues", {"name": "Other", "currency": "TRY", "time_zone": "Europe/Istanbul"}
        )
        watch: Any = house.running.api._menu_page._routes._deps.order_watch
        forged = token[:-1] + ("A" if token[-1] != "A" else "B")
        for venue_id, tokens, told in (
            (house.venue.id, f"{forged},x,{token}", [token]),
            (house.venue.id, f"a,b,c,{token}", []),
            (elsewhere.json()["id"], token, []),
        ):
            topics = beside_the_menu(watch, venue_id, tokens.split(","))
            found = [await topic.news() for topic in topics]
            assert [one.partition(b'"token":"')[2][: len(token)].decode() for one in found if one] == told
        # A page that follows one hears of it as it moves on, by the stream that tells of the menu.
        frames: asyncio.Queue[bytes] = asyncio.Queue()
        gone = asyncio.Event()

        async def receive() -> Any:
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.body":
                await frames.put(message["body"])

        scope = {
            "type": "http", "method": "GET", "path": "/api/v1/menu/live", "headers": [], "client": ("192.0.2.1", 1),
            "query_string": f"venue={house.venue.id}&orders={forged},{token}".encode(),
        }  # fmt: skip
        listening = asyncio.ensure_future(house.running.api._menu_page(scope, receive, send))
        first = await _frame(frames, "order")
        assert first["token"] == token
        await house.running.ask("POST", f"/orders/{placed['order_id']}/cancel", {})
        second = await _frame(frames, "order")
        assert (second["token"], second["status"]) == (token, "cancelled")
        gone.set()
        await asyncio.wait_for(listening, 30)
        assert house.venue.id not in watch._bells


async def _change_price(house: House) -> None:
    made = house.running.api
    item = msgspec.structs.replace(house.menu.items_by_id[house.item("Humus")], price=1)
    await made.db.write(
        lambda tx: edit_menu(tx, 1, house.venue.id, lambda menu: changes.put_item(menu, item), made.clock.now_ms())
    )


async def test_a_table_hears_of_its_calls_and_nobody_else_does(database_url: str, tmp_path: Path) -> None:
    async with open_house(database_url, tmp_path, **FREE) as house:
        proved = f"?table=12&t={house.codes['12']}"
        assert (await house.ask("GET", f"/calls{proved}")).json() == {}
        await house.ask("POST", "/calls", {"kind": "bill", "table": "12", "t": house.codes["12"]})
        assert (await house.ask("GET", f"/calls{proved}")).json() == {"bill": "waiting"}
        # Who has not scanned the code rings nobody, also where a table may be named to order.
        stranger = await house.ask("POST", "/calls", {"kind": "waiter", "table": "12"})
        assert (stranger.status, stranger.json()["code"]) == (403, "call_code_needed")
        assert "not scanned" in stranger.json()["detail"]
        for elsewhere in ("", "?table=12", f"?table=11&t={house.codes['11']}"):
            assert (await house.ask("GET", f"/calls{elsewhere}")).json() == {}, elsewhere
        assert (await house.ask("GET", f"/calls?table=11&t={house.codes['12']}")).status == 403
        path = f"/restaurant/venues/{house.venue.id}/calls"
        [waiting] = (await house.running.ask("GET", path)).json()["data"]
        await house.running.ask("POST", f"{path}/{waiting['id']}/answer", {})
        assert (await house.ask("GET", f"/calls{proved}")).json() == {"bill": "answered"}


async def test_a_bill_is_paid_only_where_the_table_was_proved_and_the_house_offers_it(
    database_url: str, tmp_path: Path
) -> None:
    async with open_house(database_url, tmp_path, **FREE) as house:
        at_table = {"table": "12", "t": house.codes["12"]}
        cart = await house.open_cart("Humus", **at_table)
        assert (await house.with_cart("POST", cart, "/order", {"name": "Ayşe"})).status == 201
        shown = (await house.ask("GET", f"/bill?table=12&t={house.codes['12']}")).json()
        assert shown["payable"] == 0
        for body, status, code in (
            ({**at_table, "key": KEY}, 409, "online_not_offered"),
            ({**at_table, "key": "short"}, 422, "key_invalid"),
            ({"table": "12", "key": KEY}, 403, "call_code_needed"),
            ({"table": "12", "t": "forged", "key": KEY}, 403, "table_code_invalid"),
        ):
            answer = await house.ask("POST", "/bill/pay", body)
            assert (answer.status, answer.json()["code"]) == (status, code), (body, answer.body)
        for body in (at_table, {**at_table, "key": KEY, "parts": "x"}):
            assert (await house.ask("POST", "/bill/pay", body)).status == 422
