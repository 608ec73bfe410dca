"""Going anywhere: what a visitor finds, and what they do not, because it is another account's or not for their role."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tablegram.panel.frame.finding import Finder, Found
from tablegram.panel.navigation import GROUPS, Group, Place, joined
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Part
from tablegram.wiring.parts import PARTS
from tests.panel.diner import diner
from tests.panel.test_contacts import add
from tests.panel.visiting import Page, Person, house


async def find(person: Person, search: str) -> Page:
    page = await person.get(f"/panel/find?part=choices&q={quote(search)}")
    assert page.status == 200
    return page


def kinds(page: Page) -> list[str]:
    return re.findall(r'class="found-head" id="found-(\w+)"', page.text)


def addresses(page: Page) -> list[str]:
    return re.findall(r'role="option"[^>]*href="([^"]+)"', page.text)


async def test_places_are_found_in_the_visitors_language_and_only_those_he_may_enter(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as here:
        owner, kitchen = await here.person(language="tr"), await here.person("kitchen")
        assert addresses(await find(owner, "siparis")) == ["/panel/board", "/panel/orders"]
        assert addresses(await find(owner, "EKIP")) == ["/panel/team"]
        # All of them, as long as nothing was typed.
        every = addresses(await find(owner, ""))
        assert {"/panel/", "/panel/inbox", "/panel/keys", "/panel/security"} <= set(every)
        assert "/panel/operator" not in every
        assert addresses(await find(kitchen, "team")) == []
        assert set(addresses(await find(kitchen, ""))) == {
            "/panel/", "/panel/board", "/panel/kitchen", "/panel/orders", "/panel/menu", "/panel/tables", "/panel/venue",
            "/panel/printers", "/panel/couriers", "/panel/security",
        }  # fmt: skip


async def test_people_orders_and_dishes_are_found_by_those_who_may_see_them(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as at:
        order = await at.take(customer_name="Lamia", customer_phone="905551110001")
        await add(at.one, 1, name="Lamia Şen")
        await add(at.one, 2, name="Ada Kaya", tags=["lamba"])
        found = {
            role: await find(await at.one.person(role), "la") for role in ("owner", "staff", "kitchen", "developer")
        }
        assert kinds(found["owner"]) == kinds(found["staff"]) == ["people", "dishes", "orders"]
        assert kinds(found["kitchen"]) == ["dishes", "orders"]
        assert kinds(found["developer"]) == ["people"]
        # What is called so comes before what mentions it: the order is a number, and its guest's name a detail.
        # Whose name it is comes before whom a tag brought.
        assert re.findall(r"Lamia Şen|Ada Kaya", found["developer"].words) == ["Lamia Şen", "Ada Kaya"]
        assert "+905551110002 · lamba" in found["developer"].words
        owner = await at.one.person("owner", language="tr")
        assert f"/panel/orders/{order['order_id']}" in addresses(
            await find(owner, order["order_id"].rpartition("-")[2])
        )
        dish = next(one for one in addresses(found["kitchen"]) if one.startswith("/panel/menu/"))
        for path in addresses(found["owner"]):
            assert (await owner.get(path)).status == 200, path
        assert (await (await at.one.person("kitchen", language="tr")).get(dish)).status == 200


async def test_printers_are_found_by_name_station_and_kind(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as at:
        owner = await at.one.person(language="tr")
        made = await owner.post("/panel/printers", {"name": "Ocakbaşı", "kind": "epson", "stations": "kitchen"})
        path = made.location.partition("?")[0]
        for search in ("ocakbasi", "epson", "kitchen"):
            assert path in addresses(await find(owner, search)), search
        assert "Epson Server Direct Print · ulaşılamıyor" in (await find(owner, "ocak")).words
        assert kinds(await find(await at.one.person("developer"), "ocakbasi")) == []
        assert kinds(await find(await at.one.person("owner", account=2), "ocakbasi")) == []


async def test_nothing_of_another_account_is_found(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as at:
        await at.take(customer_name="Lamia", customer_phone="905551110001")
        await add(at.one, 1, name="Lamia Şen")
        stranger = await at.one.person("owner", account=2)
        for search in ("la", "lamia", "0001", "lahmacun", "905551110001"):
            assert kinds(await find(stranger, search)) in ([], ["places"]), search


async def test_a_table_finds_its_own_orders_and_no_other_tables(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as at:
        order = await at.take()
        owner = await at.one.person()
        here = [f"/panel/orders/{order['order_id']}"]
        for words in ("table 1", "Masa 1", "MASA 1"):
            assert addresses(await find(owner, words)) == here, words
        assert addresses(await find(owner, "table 11")) == []


async def test_a_dish_is_found_in_every_language_until_the_menu_changes(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as at:
        owner = await at.one.person()
        turkish, english = await find(owner, "mercimek"), await find(owner, "lentil")
        assert kinds(turkish) == ["dishes"]
        assert set(addresses(turkish)) & set(addresses(english))
        item = addresses(turkish)[0].rpartition("/")[2]
        assert "sold out" not in turkish.words
        await owner.post(f"/panel/menu/{at.venue.id}/sell-out", {"ids": item, "until": "told"})
        assert "sold out" in (await find(owner, "mercimek")).words


async def test_what_finds_nothing_says_so_and_no_letter_is_taken_for_a_tag(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        for search in ("<b>zz</b>", "zz%", "'; --", "x" * 5_000, "\u202e", "zz\n"):
            page = await find(owner, search)
            assert addresses(page) == [], search
            assert "<b>zz" not in page.text
            assert "Nothing found" in page.words
        # One letter is too little to look among people for, and enough for places.
        await add(here, 1, name="Zeynep")
        assert kinds(await find(owner, "z")) == []
        assert kinds(await find(owner, "t")) == ["places"]


async def test_without_scripts_the_same_is_a_page(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        await add(here, 1, name="Deniz")
        page = await (await here.person()).get("/panel/find?q=deniz")
        assert page.status == 200
        assert re.search(r'<a class="found" href="/panel/contacts/\w+"', page.text)
        assert (await Person(here.running, "").get("/panel/find?q=deniz")).status == 303


async def test_a_part_brings_its_own_places_and_finds(database_url: str, tmp_path: Path) -> None:
    printers = Place("tables", "/panel/printers", ("restaurant:read",))
    groups = joined(GROUPS, [Group("restaurant", (printers,)), Group("gateway2", (Place("lines", "/panel/two"),))])
    assert [group.name for group in groups] == ["daily", "restaurant", "gateway", "gateway2", "account"]
    assert groups[1].places[-1] is printers
    assert joined(GROUPS, []) == GROUPS

    async def find_printers(deps: Any, visitor: Any, search: str, most: int) -> list[Found]:
        return [Found(f"{search} in the kitchen", "/panel/printers/1", visitor.caller.account_name)]

    def build() -> Contribution:
        return Contribution()

    printing = Part(
        name="printing",
        build=build,
        places=[Group("restaurant", (printers,))],
        finders=lambda: [Finder("dishes", "tables", "restaurant:read", find_printers)],
    )
    async with house(database_url, tmp_path, parts=[*PARTS, printing]) as here:
        kitchen, developer = await here.person("kitchen"), await here.person("developer")
        assert addresses(await find(kitchen, "printer")) == ["/panel/printers", "/panel/printers/1"]
        assert addresses(await find(developer, "printer")) == []
        assert 'href="/panel/printers"' in (await kitchen.get("/panel/orders")).text
