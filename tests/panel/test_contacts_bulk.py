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


async def test_rows_that_were_left_out_can_be_had_with_their_reasons(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        rows = 'phone,name,notes\n905551112233,Ayşe,ok\n0532 999 88 77,=HYPERLINK("x"),window\n0532 111 22 33,Can,\n'
        run = (await one.running.ask("POST", "/contacts/import", {"csv": rows})).json()
        owner, turk = await one.person("owner"), await one.person("owner", language="tr")
        page = f"/panel/contacts/import/{run['id']}"
        assert f"{page}/wrong" in (await owner.get(page)).text
        wrong = (await owner.read(f"{page}/wrong")).decode("utf-8-sig").splitlines()
        assert wrong[0] == "Line,Reason,phone,name,notes"
        assert wrong[1].startswith("3,The country code is missing")
        assert wrong[1].endswith(",window")
        # Nothing in it is a formula for a table program.
        assert ",=HYPERLINK" not in wrong[1]
        assert len(wrong) == 3
        assert "Ülke kodu eksik" in (await turk.read(f"{page}/wrong")).decode()
        assert (await (await one.person("owner", account=2)).get(f"{page}/wrong")).status == 404

        # Who is erased is gone from the wrong rows too, and with the table all of them go.
        made = (await one.running.ask("POST", "/contacts", {"phone": "905321112233"})).json()
        assert (await one.running.ask("DELETE", f"/contacts/{made['id']}")).status == 200
        assert "Can" not in (await owner.read(f"{page}/wrong")).decode()
        assert (await owner.post(f"{page}/refuse")).status == 303
        assert "window" not in (await owner.read(f"{page}/wrong")).decode()

        # A venue tells where numbers without a country code are from; a language is chosen by its name.
        venue = {"name": "Safran", "currency": "TRY", "time_zone": "Europe/Istanbul"}
        assert (await one.running.ask("POST", "/restaurant/venues", venue)).status == 201
        again = (await one.running.ask("POST", "/contacts/import", {"csv": rows})).json()
        assert (again["total"], again["wrong"]) == (3, 0)
        assert "+905329998877" in (await owner.get(f"/panel/contacts/import/{again['id']}")).words
        form = await owner.get("/panel/contacts/new")
        assert '<option value="de">Deutsch</option>' in form.text
