"""Tables in the panel: added by number, shown with their codes, printed, and made worthless when a code leaks."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tablegram.panel.frame.once import new_mark
from tablegram.panel.pages.restaurant.venue.tables import unreachable
from tests.panel.set_up import set_up
from tests.panel.visiting import House, house


async def tables_of(one: House, venue: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await one.running.ask("GET", f"/restaurant/venues/{venue}/tables")).json()["data"]
    return found


async def test_twelve_tables_take_one_form_and_each_shows_a_code_that_can_be_saved(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        venue = await set_up(owner)
        assert "No tables yet" in (await owner.get("/panel/tables")).words
        path = f"/panel/tables/{venue}"
        wrong = await owner.post(f"{path}/many", {"first": "12", "last": "1"})
        assert wrong.status == 422
        assert 'id="last-error"' in wrong.text
        assert (await owner.post(f"{path}/many", {"first": "1", "last": "12"})).status == 303
        listed = await owner.get("/panel/tables")
        assert listed.text.count('class="table-card"') == 12
        # What is there already stays.
        await owner.post(f"{path}/many", {"first": "1", "last": "13"})
        tables = await tables_of(one, venue)
        assert [table["label"] for table in tables] == [str(number) for number in range(1, 14)]
        twelfth = tables[11]
        page = await owner.get(f"{path}/{twelfth['id']}?part=sheet")
        assert twelfth["link"].replace("&", "&amp;") in page.text
        picture = await owner.get(f"{path}/{twelfth['id']}/code.svg")
        assert picture.headers["content-type"].startswith("image/svg+xml")
        assert "<svg" in picture.text
        assert "sandbox" in picture.headers["content-security-policy"]
        saved = await owner.get(f"{path}/{twelfth['id']}/code.svg?save=1")
        assert "attachment" in saved.headers["content-disposition"]
        assert (await owner.get(f"{path}/{twelfth['id']}/code.exe")).status == 404
        # A kitchen may look and print, and change nothing.
        kitchen = await one.person("kitchen")
        assert "Add table" not in (await kitchen.get("/panel/tables")).words
        assert (await kitchen.post(f"{path}/rotate")).status == 403


async def test_a_table_is_named_moved_and_refused_a_name_that_is_taken(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person(language="tr")
        venue = await set_up(owner)
        path = f"/panel/tables/{venue}"
        added = await owner.post(f"{path}/waiters", {"name": "Ayşe", "phone": "0555 111 22 33"})
        assert added.status == 303, added.words
        staff = (await owner.get("/panel/tables/staff")).text
        assert 'value="+905551112233"' in staff
        (waiter,) = set(re.findall(rf"{path}/waiters/(\w+)", staff))
        await owner.post(f"{path}/sections", {"name": "Teras", "waiter_id": waiter})
        (section,) = set(re.findall(rf"{path}/sections/(\w+)", (await owner.get("/panel/tables/staff")).text))
        assert (await owner.post(path, {"label": "Bahçe 3", "section_id": section, "seats": "4"})).status == 303
        taken = await owner.post(path, {"label": "bahce 3", "seats": "6"})
        assert taken.status == 422
        assert "Bu adda bir masa zaten var" in taken.words
        assert 'value="6"' in taken.text
        refused = await owner.post(path, {"label": "9", "seats": "dört"})
        assert "Tam sayı yazın" in refused.words
        (table,) = await tables_of(one, venue)
        assert (table["waiter_name"], table["section_name"], table["seats"]) == ("Ayşe", "Teras", 4)
        listed = (await owner.get("/panel/tables")).words
        assert "Teras" in listed
        assert "Ayşe" in listed
        changed = {"label": "<i>Bahçe</i>", "section_id": "", "waiter_id": "", "seats": ""}
        assert (await owner.post(f"{path}/{table['id']}", changed)).status == 303
        assert "<i>Bahçe</i>" not in (await owner.get("/panel/tables")).text
        (table,) = await tables_of(one, venue)
        assert (table["waiter_name"], table["seats"]) == ("", None)
        # Who goes leaves sections and tables behind.
        assert (await owner.post(f"{path}/waiters", {"name": "X", "phone": "123"})).status == 422
        await owner.post(f"{path}/waiters/{waiter}", {"name": "Ayşe Er", "phone": ""})
        assert "Ayşe Er" in (await owner.get("/panel/tables/staff")).words
        await owner.post(f"{path}/waiters/{waiter}", {"act": "remove"})
        await owner.post(f"{path}/sections/{section}", {"act": "remove"})
        assert (await owner.post(f"{path}/{table['id']}/remove")).status == 303
        assert await tables_of(one, venue) == []


async def test_a_waiter_is_somebody_who_signs_in_and_what_they_take_is_theirs(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        venue = await set_up(owner)
        path, ask = f"/panel/tables/{venue}", one.running.ask
        staff = await one.person("staff")
        (member,) = [each["id"] for each in (await ask("GET", "/team")).json()["data"] if each["role"] == "staff"]
        assert (await owner.post(f"{path}/waiters", {"name": "Ayşe", "member_id": member})).status == 303
        twice = await owner.post(f"{path}/waiters", {"name": "Mert", "member_id": member})
        assert twice.status == 422
        assert "This person is another waiter here already." in twice.words
        assert (await owner.post(f"{path}/waiters", {"name": "Mert", "member_id": "nobody"})).status == 422
        assert "Signs in as Staff" in (await owner.get("/panel/tables/staff")).words
        await owner.post(f"{path}/waiters", {"name": "Mert"})
        waiters = {
            each["name"]: each for each in (await ask("GET", f"/restaurant/venues/{venue}/waiters")).json()["data"]
        }
        assert {name: each["member_id"] for name, each in waiters.items()} == {"Ayşe": member, "Mert": None}
        # The table is Mert's; what Ayşe takes there is hers, and its history says who took it.
        await owner.post(path, {"label": "1", "waiter_id": waiters["Mert"]["id"]})
        (table,) = await tables_of(one, venue)
        made = (await ask("POST", f"/restaurant/venues/{venue}/menu/categories", {"name": "Çay"})).json()
        dish = {"category_id": made["id"], "name": "Çay", "price": 25}
        item = (await ask("POST", f"/restaurant/venues/{venue}/menu/items", dish)).json()
        wish = {"venue_id": venue, "table_id": table["id"], "lines": [{"item_id": item["id"], "quantity": 1}]}
        taken = {}
        for person in (staff, owner):
            answer = await person.post("/panel/take", {"wish": json.dumps(wish), "once": new_mark()})
            assert answer.status == 200, answer.text
            order = (await ask("GET", f"/orders/{json.loads(answer.text)['order_id']}")).json()
            taken[order["history"][0]["by"]] = order["waiter_assigned"]
        assert taken == {"Staff": "Ayşe", "Owner": "Mert"}


async def test_a_code_that_leaked_is_made_anew_alone_or_with_all_others(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        venue = await set_up(owner)
        path = f"/panel/tables/{venue}"
        await owner.post(f"{path}/many", {"first": "1", "last": "3"})
        before = {table["label"]: table["link"] for table in await tables_of(one, venue)}
        first = (await tables_of(one, venue))[0]
        shown = await owner.get(f"{path}/{first['id']}")
        assert "New code for table 1" in shown.words
        assert (await owner.post(f"{path}/{first['id']}/rotate")).location == f"{path}/{first['id']}"
        after = {table["label"]: table["link"] for table in await tables_of(one, venue)}
        assert [label for label in before if before[label] != after[label]] == ["1"]
        assert "New codes for every table of Çınaraltı?" in (await owner.get("/panel/tables")).words
        await owner.post(f"{path}/rotate")
        again = {table["label"]: table["link"] for table in await tables_of(one, venue)}
        assert all(after[label] != again[label] for label in after)


async def test_codes_are_printed_in_a_chosen_size_for_all_a_section_or_one_table(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        venue = await set_up(owner)
        path = f"/panel/tables/{venue}"
        assert (await owner.get(f"{path}/sheet.pdf")).status == 404
        await owner.post(f"{path}/many", {"first": "1", "last": "2"})
        first = (await tables_of(one, venue))[0]["id"]
        for query in ("size=small", "size=large", f"size=page&table={first}"):
            sheet = await owner.read(f"{path}/sheet.pdf?{query}")
            assert sheet.startswith(b"%PDF"), query
        assert (await owner.get(f"{path}/sheet.pdf?size=huge")).status == 404
        # Codes that lead to this machine are of no use to a guest, and the page says so before they are printed.
        for page in ("/panel/tables", f"{path}/{first}"):
            assert "Guests' phones cannot open these codes yet" in (await owner.get(page)).words, page
    menu = "/api/v1/menu?table=1"
    for lost in ("http://127.0.0.1:8000", "http://localhost:8000", "http://0.0.0.0:80", "http://[::1]:8000"):
        assert unreachable(lost + menu) == lost
    for found in ("https://cinaralti.example", "http://192.168.1.20:8000", "http://[2001:db8::1]"):
        assert unreachable(found + menu) == ""
