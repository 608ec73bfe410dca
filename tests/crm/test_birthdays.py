"""Birthdays of contacts: read as people and programs write them, kept without the year, and never lost on the way."""

from __future__ import annotations

from tablegram.crm import birthdays
from tests.cases import cases
from tests.crm.pool import OTHER, PHONE, Pool, pool
from tests.drained import drained

READ = {
    "": "", " 05-17 ": "05-17", "1990-05-17": "05-17", "17.05.1990": "05-17", "17.5.": "05-17", "17/05": "05-17",
    "7/5/2001": "05-07", "29.02.": "02-29", "2023-02-29": "02-29", "31.12.1899": "12-31",
}  # fmt: skip
REFUSED = (
    "05-32", "00-10", "13-01", "02-30", "04-31", "31.11.", "05/17/1990", "17-05-1990", "1.1.90", "tomorrow", "0517", "5-17",
    "٠٥-١٧", "05-17\n05-17", "'05-17", "9999-05-17",
)  # fmt: skip


def test_a_day_of_a_year_is_read_and_nothing_else() -> None:
    with cases() as found:
        for text, day in READ.items():
            with found.case(text):
                assert birthdays.read(text) == day
        for text in REFUSED:
            with found.case(text):
                assert birthdays.read(text) is None


async def _told(one: Pool, contact_id: str) -> str:
    return str((await one.call("GET", f"/contacts/{contact_id}")).json()["birthday"])


async def test_a_birthday_is_written_kept_and_taken_along(database_url: str) -> None:
    async with pool(database_url) as one:
        made = (await one.call("POST", "/contacts", {"phone": PHONE, "birthday": "1990-05-17"})).json()
        assert made["birthday"] == "05-17"
        # What is said of other things leaves it alone: a change, a tag for many, a table without it.
        assert (await one.call("PATCH", f"/contacts/{made['id']}", {"notes": "N"})).json()["birthday"] == "05-17"
        table = {"csv": f"phone;name;birthday\n{PHONE};Ayşe;\n{OTHER};Veli;29.2.\n905551119977;Can;30.2.1990\n"}
        checked = (await one.call("POST", "/contacts/import", table)).json()
        assert [(row["row"], row["field"], row["code"]) for row in checked["errors"]] == [
            (4, "birthday", "birthday_invalid")
        ]
        assert (await one.call("POST", f"/contacts/imports/{checked['id']}/start", {})).status == 202
        await drained(one.product.importer.drain)
        assert (await _told(one, made["id"]), (await one.contact(OTHER))["birthday"]) == ("05-17", "02-29")
        lines = (await one.call("GET", "/contacts/export", format="csv")).body.decode().splitlines()
        column = lines[0].split(",").index("birthday")
        assert sorted(line.split(",")[column] for line in lines[1:]) == ["02-29", "05-17"]
        assert (await one.call("PATCH", f"/contacts/{made['id']}", {"birthday": ""})).json()["birthday"] == ""
        for wrong in ("02-30", "17.05.", None, 517):
            assert (await one.call("PATCH", f"/contacts/{made['id']}", {"birthday": wrong})).status == 422
