"""Printers and the printing log in the panel: set up step by step, tried out, printed again, and only for whom they are."""

from __future__ import annotations

import re
from pathlib import Path

from tests.panel.visiting import House, Person, house

KEY = re.compile(r"/print/cloudprnt/([0-9A-Za-z]{32})")


async def add(person: Person, **fields: object) -> str:
    """A new printer; the address of its page."""
    given = {
        "name": "Mutfak",
        "kind": "cloudprnt",
        "stations": "kitchen",
        "page": "cp857:61",
        "columns": "32",
        **fields,
    }
    made = await person.post("/panel/printers", given)
    assert made.status == 303, made.words
    return made.location


async def test_a_printer_is_set_up_tried_out_and_removed(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await _with_venue(one)
        refused = await owner.post("/panel/printers", {"name": "", "kind": "direct"})
        assert refused.status == 422
        assert "host-error" in refused.text
        path = await add(owner, extras="receipt", copies="2")
        page = await owner.get(path)
        assert "Server URL" in page.words
        assert "not connected yet" in page.words
        (key,) = set(KEY.findall(page.text))
        assert 'class="qr"' in page.text
        await owner.post(f"{path}/test")
        log = await owner.get("/panel/printing")
        assert "Test page" in log.words
        assert "waits for its printer" in log.words
        ticket = re.search(r"/panel/printing/(\w+)/reprint", log.text)
        assert ticket is not None
        await owner.post(f"/panel/printing/{ticket[1]}/reprint", {"next": "/panel/printing"})
        assert "reprint 1" in (await owner.get("/panel/printing")).words
        venue = (await one.running.ask("GET", "/restaurant/venues")).json()["data"][0]
        place = f"/restaurant/venues/{venue['id']}"
        group = (await one.running.ask("POST", f"{place}/menu/categories", {"name": "All"})).json()["id"]
        dish = {"category_id": group, "name": "Lahmacun", "price": 90, "station": "kitchen"}
        dish_id = (await one.running.ask("POST", f"{place}/menu/items", dish)).json()["id"]
        table = (await one.running.ask("POST", f"{place}/tables", {"label": "1"})).json()["id"]
        order = {"venue_id": venue["id"], "table_id": table, "lines": [{"item_id": dish_id}]}
        await one.running.ask("POST", "/orders", order)
        board = await owner.get("/panel/board")
        assert "waits for paper" in board.words
        await owner.post(f"{path}/key")
        assert key not in (await owner.get(path)).text
        edit = await owner.get(f"{path}/edit")
        assert re.search(r'value="cp857:61" selected', edit.text)
        changed = await owner.post(
            path, {"name": "Izgara", "stations": "bar", "columns": "48", "fallback_after_s": "x"}
        )
        assert changed.status == 422
        assert (await owner.post(path, {"name": "Izgara", "stations": "bar", "columns": "nonsense"})).status == 303
        assert "Izgara" in (await owner.get("/panel/printers")).words
        assert (await owner.post(f"{path}/delete", {"confirm": "wrong"})).status == 422
        assert (await owner.post(f"{path}/delete", {"confirm": "Izgara"})).status == 303
        assert "No printer yet" in (await owner.get("/panel/printers")).words


async def test_who_only_serves_sees_printers_without_their_keys(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await _with_venue(one)
        path = await add(owner)
        waiter = await one.person("staff", language="tr")
        page = await waiter.get(path)
        assert "henüz bağlanmadı" in page.words
        assert KEY.search(page.text) is None
        assert (await waiter.get("/panel/printing")).status == 200
        for closed in ("/panel/printers/new", f"{path}/edit"):
            assert (await waiter.get(closed)).status == 403
        for action in ("", "/test", "/key", "/delete"):
            assert (await waiter.post(f"{path}{action}", {})).status == 403


async def _with_venue(one: House) -> Person:
    owner = await one.person()
    fields = {"name": "Safran", "language": "tr", "currency": "TRY", "time_zone": "Europe/Istanbul"}
    made = await owner.post("/panel/venue", {**fields, "opens": "00:00", "closes": "00:00"})
    assert made.status == 303, made.words
    return owner
