"""Contacts by plain forms: in the order of a column, counted, and many at once."""

from __future__ import annotations

import re
from pathlib import Path

from tests.engine.waiting import until
from tests.panel.visiting import house

NAME = re.compile(r'class="row-link"[^>]*>([^<]+)<')


async def test_the_list_is_sorted_counted_and_worked_on_as_a_whole(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        for number, name in enumerate(("Zeki", "Çağla", "Ali")):
            made = {"phone": f"90555111220{number}", "name": name, "tags": ["yaz"] if name != "Ali" else []}
            assert (await one.running.ask("POST", "/contacts", made)).status == 201
        owner, developer = await one.person("owner"), await one.person("developer")
        listed = await owner.get("/panel/contacts?sort=name")
        assert NAME.findall(listed.text) == ["Ali", "Çağla", "Zeki"]
        assert 'aria-sort="ascending"' in listed.text
        assert "sort=-name" in listed.text
        narrowed = await owner.get("/panel/contacts?tag=yaz&sort=-name")
        assert NAME.findall(narrowed.text) == ["Zeki", "Çağla"]
        assert "2 contacts · 0 orders" in narrowed.words
        assert "All 2 that match" in narrowed.words
        # Who may not change contacts is offered nothing of it, and refused.
        assert 'id="bulk"' not in (await developer.get("/panel/contacts")).text
        assert (await developer.post("/panel/contacts/bulk", {"act": "tag", "tag": "x", "scope": "all"})).status == 403

        ids = re.findall(r'name="id" value="(\w+)"', narrowed.text)
        exported = await owner.post("/panel/contacts/bulk", {"act": "export", "id": ids[:1]})
        assert "Zeki" in (await owner.read(exported.location)).decode()
        assert "Ali" not in (await owner.read(exported.location)).decode()
        for wrong in ({"act": "tag", "tag": "x"}, {"act": "tag", "id": ids}, {"act": "nothing", "id": ids}):
            assert (await owner.post("/panel/contacts/bulk", wrong)).status == 422, wrong

        async def done_with(fields: dict[str, object]) -> str:
            started = await owner.post("/panel/contacts/bulk", fields)
            assert started.status == 303, started.words
            last = ""

            async def is_over() -> bool:
                nonlocal last
                last = (await owner.get(started.location)).words
                return "done" in last

            await until(is_over, "the job")
            return last

        assert "vip: 2 of 2 contacts" in await done_with({"act": "tag", "tag": "vip", "id": ids})
        assert len(NAME.findall((await owner.get("/panel/contacts?tag=vip")).text)) == 2

        # Nobody goes by one tap: the count is asked for, and a wrong one changes nothing.
        everybody = {"act": "delete", "scope": "all", "tag_filter": "vip"}
        asked = await owner.post("/panel/contacts/bulk", everybody)
        assert asked.status == 200
        assert "Delete 2 contacts?" in asked.words
        assert (await owner.post("/panel/contacts/bulk", {**everybody, "confirm": "3"})).status == 422
        assert len(NAME.findall((await owner.get("/panel/contacts")).text)) == 3
        assert "2 of 2 contacts are gone" in await done_with({**everybody, "confirm": "2"})
        assert NAME.findall((await owner.get("/panel/contacts")).text) == ["Ali"]
