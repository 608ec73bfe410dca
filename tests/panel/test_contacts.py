"""The list of contacts: who was active, narrowed by a tag, and taken along as it is shown."""

from __future__ import annotations

import asyncio
import csv
import html
import io
import re
from pathlib import Path
from typing import Any

import pytest

from tablegram.panel.pages.contacts import contacts
from tests.panel.visiting import House, Page, house


async def add(here: House, number: int, **fields: object) -> None:
    body = {"phone": f"90555111{number:04}", "name": f"Guest {number}", **fields}
    assert (await here.running.ask("POST", "/contacts", body)).status == 201


def tags_offered(page: Page) -> list[str]:
    found = re.search(r'<select name="tag".*?</select>', page.text, re.DOTALL)
    return [] if found is None else [html.unescape(tag) for tag in re.findall(r'<option value="([^"]+)"', found[0])]


async def test_who_was_added_and_never_wrote_is_not_shown_as_active(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        await add(here, 1)
        page = await owner.get("/panel/contacts")
        assert "Guest 1" in page.words
        assert "has not written yet" in page.words
        assert "just now" not in page.words
        assert "Nobody found" in (await owner.get("/panel/contacts?active=7")).words
        contact = re.search(r"/panel/contacts/(01[^\"]+)", page.text)
        assert contact is not None
        for part in ("", "?part=sheet"):
            assert "has not written yet" in (await owner.get(f"/panel/contacts/{contact[1]}{part}")).words


async def test_an_open_page_hears_of_a_contact_that_a_program_renames_and_erases(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as here:
        await add(here, 1)
        (contact,) = (await here.running.ask("GET", "/contacts")).json()["data"]

        async def allowed() -> bool:
            return True

        stream: Any = await here.running.api.live.open(1, allowed)
        async with asyncio.timeout(30):
            assert b"ready" in await anext(stream)
            assert (await here.running.ask("PATCH", f"/contacts/{contact['id']}", {"name": "Ayşe"})).status == 200
            change = f'event: change\ndata: {{"topic":"contacts","ids":["{contact["id"]}"]}}\n\n'.encode()
            assert await anext(stream) == change
            assert (await here.running.ask("DELETE", f"/contacts/{contact['id']}")).status == 200
            assert await anext(stream) == change
        await stream.aclose()


async def test_the_tags_of_most_contacts_are_offered_first_as_they_are_spelt(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        assert tags_offered(await owner.get("/panel/contacts")) == []
        await add(here, 1, tags=["Çok Sık", "alerji"])
        await add(here, 2, tags=["VIP", "Çok Sık"])
        await add(here, 3, tags=["çok sık", "VIP & dost"])
        await here.running.ask("POST", "/contacts", {"phone": "905551119999", "tags": ["foreign"]}, account=2)
        first, *others = tags_offered(await owner.get("/panel/contacts"))
        assert first in ("Çok Sık", "çok sık")
        assert others == ["alerji", "VIP", "VIP & dost"]
        monkeypatch.setattr(contacts, "TAGS_SHOWN", 2)
        narrowed = await owner.get("/panel/contacts?tag=VIP+%26+dost")
        assert tags_offered(narrowed) == ["VIP & dost", first, "alerji"]
        assert '<option value="VIP &amp; dost" selected>' in narrowed.text
        assert "Guest 3" in narrowed.words
        assert "Guest 1" not in narrowed.words


async def test_a_narrowed_list_offers_what_was_found_as_a_file_and_everybody(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(database_url, tmp_path) as here:
        owner, turk = await here.person(), await here.person(language="tr")
        for number in range(4):
            await add(here, number, tags=["a & b"] if number else [])
        assert "that were found" not in (await owner.get("/panel/contacts")).words
        monkeypatch.setattr(contacts, "PER_PAGE", 2)
        page = await owner.get("/panel/contacts?tag=a+%26+b")
        assert "The 3 that were found" in page.words
        assert "Bulunan 3 kişi" in (await turk.get("/panel/contacts?tag=a+%26+b")).words
        files = [html.unescape(one) for one in re.findall(r'href="(/panel/contacts/export[^"]+)"', page.text)]
        rows = {}
        for address in files:
            if "csv" in address:
                text = (await owner.read(address)).decode("utf-8-sig")
                rows[address] = sorted(row["name"] for row in csv.DictReader(io.StringIO(text)))
        assert list(rows.values()) == [[f"Guest {n}" for n in (1, 2, 3)], [f"Guest {n}" for n in range(4)]]
        noted = (await owner.get("/panel/audit?action=contact")).words
        assert "contacts: 3" in noted
        assert "contacts: 4" in noted
        monkeypatch.setattr(contacts, "COUNTED", 1)
        assert "more than 1" in (await owner.get("/panel/contacts?q=guest")).words


async def test_a_mended_file_of_the_same_name_and_length_is_another_import(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner, fields = await here.person(), {"once": "m" * 20}
        wrong, mended = b"phone;name\n905551112230;Adx\n", b"phone;name\n905551112230;Ada\n"
        first, again, other = [
            (await owner.upload("/panel/contacts/import", fields, "file", "guests.csv", content)).location
            for content in (wrong, wrong, mended)
        ]
        assert first == again != other
        assert "Ada" in (await owner.get(other)).words
