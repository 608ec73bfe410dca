"""Importing contacts: every row is checked, nothing comes in half, and a crash costs nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import select

from tablegram.crm.importing.checking import Entry, RowProblem, check, read_phone, unpack
from tablegram.crm.importing.spreadsheets import read_sheet
from tablegram.crm.store.retention import IMPORT_DAYS
from tablegram.errors import Invalid
from tablegram.flows.contacts.importing import Importer
from tablegram.storage.database import Query
from tablegram.storage.tables import imports
from tablegram.values.clock import DAY_MS
from tablegram.wiring.areas.engine import Engine
from tests.api.asking import ask
from tests.crm.pool import PHONE, Pool, pool
from tests.drained import drained

pytestmark = pytest.mark.once


def checked(text: str | bytes) -> Any:
    return check(read_sheet(text.encode() if isinstance(text, str) else text))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "windows-1254", "utf-16"])
@pytest.mark.parametrize("mark", [";", ",", "\t"])
def test_tables_are_read_as_programs_save_them(encoding: str, mark: str) -> None:
    rows = [
        ["Telefon", "Ad Soyad", "Etiketler", "İzin", "Kanıt"],
        ["+90 555 111 22 33", "Işıl Çağlar", "düzenli|vip", "Evet", "Form 7"],
    ]
    text = "\r\n".join(mark.join(row) for row in rows) + "\r\n"
    found = checked(text.encode(encoding))
    assert found.entries == [
        Entry("905551112233", "Işıl Çağlar", "", ["düzenli", "vip"], "", "granted", consent_proof="Form 7")
    ]
    assert not found.wrong


def test_headings_are_known_in_both_languages_and_others_are_told() -> None:
    found = checked(
        "Cep Telefonu,Ad,Soyad,Dil,Notlar,Doğum günü,Burç\n905551112233,Ali,Kaya,Türkçe,pencere,1.2.1990,Kova\n"
    )
    assert found.entries == [Entry("905551112233", "Ali Kaya", "tr", [], "pencere", "", birthday="02-01")]
    assert found.ignored == ["Burç"]


def test_every_wrong_row_is_named_with_its_line_and_its_reason() -> None:
    found = checked(
        "phone,name,language,consent,consent_at,proof\n"
        "905551112233,Good,,\n"
        ",Nobody,,\n"
        "0555 111 22 33,Local,,\n"
        "9.05551E+11,Spoilt,,\n"
        "905551112233,Twice,,\n"
        "905551112244,Tongue,klingonish language,\n"
        "905551112255,Maybe,,perhaps\n"
        "\n"
        "12,Short,,\n"
        "905551112266,Agreed,,yes\n"
        "905551112277,When,,no,soon\n"
        "905551112288,Refused,,no\n"
        "905551112299,Shown,,evet,01.03.2026 21:30,form 7\n"
    )
    assert [(one.row, one.field, one.code) for one in found.errors] == [
        (3, "phone", "phone_missing"),
        (4, "phone", "phone_without_country"),
        (5, "phone", "phone_scientific"),
        (6, "phone", "repeated"),
        (7, "language", "language_unknown"),
        (8, "consent", "consent_unknown"),
        (10, "phone", "phone_invalid"),
        # Who agreed is told apart from who is said to have agreed.
        (11, "consent", "proof_missing"),
        (12, "consent_at", "time_invalid"),
    ]
    assert found.wrong == 9
    assert [entry.name for entry in found.entries] == ["Good", "Refused", "Shown"]
    shown = found.entries[-1]
    assert (shown.consent, shown.consent_at, shown.consent_proof) == ("granted", 1_772_389_800_000, "form 7")


def test_what_is_wrong_is_told_without_names_and_numbers() -> None:
    long = "Ayşe Yılmaz " * 20
    found = checked(
        "phone,name,language,consent,notes\n"
        "0555 111 22 33,Local,,,\n"
        "Ayşe Yılmaz,Nobody,,,\n"
        "12,Short,,,\n"
        "+90 (555),Short,,,\n"
        f"905551112244,{long},a very long word about a tongue,a very long word of consent,\n"
    )
    assert [(one.field, one.value) for one in found.errors] == [
        ("phone", "…2233"), ("phone", ""), ("phone", "12"), ("phone", "+90 (555)"), ("name", ""),
        ("language", "a very long word abo…"), ("consent", "a very long word of …"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("+90 (555) 111-22-33", "905551112233"),
        ("00905551112233", "905551112233"),
        ("'+905551112233", "905551112233"),
        ("905551112233 905551112244", "905551112233"),
        ("05551112233", RowProblem("phone_without_country")),
        ("abc", RowProblem("phone_invalid")),
    ],
)
def test_numbers_are_read_as_people_write_them(typed: str, read: str | RowProblem) -> None:
    assert read_phone(typed) == read


def test_a_number_without_its_country_is_read_where_the_house_is_and_never_guessed() -> None:
    for typed, country, read in (
        ("0532 111 22 33", "TR", "905321112233"),
        ("(0532) 111-2233", "TR", "905321112233"),
        ("905321112233", "TR", "905321112233"),
        ("+44 7700 900123", "TR", "447700900123"),
        ("0044 7700 900123", "TR", "447700900123"),
        ("07400 123456", "GB", "447400123456"),
        # As one says it at home without the zero, unless it is somebody's number abroad as well.
        ("212 555 12 34", "TR", "902125551234"),
        ("532 111 22 33", "TR", RowProblem("phone_ambiguous")),
        ("0532 111 22 33", "", RowProblem("phone_without_country")),
        ("+0532 111 22 33", "TR", RowProblem("phone_invalid")),
        ("0123", "TR", RowProblem("phone_invalid")),
        ("", "TR", RowProblem("phone_missing")),
    ):
        assert read_phone(typed, country) == read, (typed, country)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "file_empty"),
        (b"name\nAli\n", "phone_column_missing"),
        (b"PK\x03\x04 a spreadsheet", "file_not_csv"),
        (b"x" * (10 * 1_048_576 + 1), "file_too_large"),
    ],
)
def test_what_is_no_table_is_refused_in_words(raw: bytes, code: str) -> None:
    with pytest.raises(Invalid) as refused:
        read_sheet(raw)
    assert refused.value.code == code


async def imported(place: Pool, csv: str, existing: str = "update") -> dict[str, Any]:
    made = await place.call("POST", "/contacts/import", {"csv": csv, "filename": "guests.csv"})
    assert made.status == 201, made.body
    path = f"/contacts/imports/{made.json()['id']}"
    started = await place.call("POST", f"{path}/start", {"existing": existing})
    assert started.status == 202, started.body
    await drained(place.product.importer.drain)
    return dict((await place.call("GET", path)).json())


async def test_nothing_is_imported_before_it_is_agreed_to(database_url: str) -> None:
    async with pool(database_url) as place:
        csv = "phone;name\n905551112233;Ayşe\nnonsense;Bad\n"
        made = (await place.call("POST", "/contacts/import", {"csv": csv})).json()
        assert (made["state"], made["total"], made["wrong"]) == ("checked", 1, 1)
        assert made["errors"] == [{"row": 3, "field": "phone", "code": "phone_invalid", "value": ""}]
        await drained(place.product.importer.drain)
        assert await place.found() == []
        assert (await place.call("PATCH", f"/contacts/imports/{made['id']}", {"state": "refused"})).json()[
            "state"
        ] == "refused"
        late = await place.call("POST", f"/contacts/imports/{made['id']}/start", {})
        assert (late.status, late.json()["code"]) == (409, "state_conflict")


@pytest.mark.later
async def test_good_rows_come_in_and_are_found(database_url: str) -> None:
    async with pool(database_url) as place:
        csv = (
            "phone,name,tags,notes,consent,consent date,izin kaynağı,izin metni,kanıt\n"
            "905551112233,Işıl Çağlar,vip,window,yes,2026-03-01T18:30:00Z,HS_WEB,tr-1,form 7\n447700900123,Bob,,,no\n"
        )
        done = await imported(place, csv)
        assert (done["state"], done["done"], done["total"]) == ("done", 2, 2)
        assert await place.found(q="isil window") == ["Işıl Çağlar"]
        assert await place.found(tag="vip") == ["Işıl Çağlar"]
        contact = await place.contact()
        assert contact["consent"]["state"] == "granted"
        assert (contact["consent"]["source"], contact["consent"]["at"]) == ("HS_WEB", "2026-03-01T18:30:00.000Z")
        (word,) = (await place.call("GET", f"/contacts/{contact['id']}/consents")).json()["data"]
        assert (word["proof"], word["text_version"], word["by"]) == ("form 7", "tr-1", "import guests.csv")
        # An older word that comes late is kept, and does not hold.
        late = "phone,consent,consent_at\n905551112233,no,01.01.2026\n"
        await imported(place, late)
        assert (await place.contact())["consent"]["state"] == "granted"
        assert len((await place.call("GET", f"/contacts/{contact['id']}/consents")).json()["data"]) == 2
        assert (await place.call("GET", "/conversations")).json()["data"] == []


@pytest.mark.later
async def test_who_is_known_already_is_changed_or_kept_as_it_was_chosen(database_url: str) -> None:
    async with pool(database_url) as place:
        await place.write("Hi", name="Ayşe of the network")
        before = await place.contact()
        await place.call("PATCH", f"/contacts/{before['id']}", {"tags": ["old"], "notes": "likes tea"})
        csv = f"phone,name,tags,notes\n{PHONE},Ayşe Yılmaz,new,by the window\n"
        kept = await imported(place, csv, "keep")
        assert (kept["kept"], (await place.contact())["name"]) == (1, "Ayşe of the network")
        await imported(place, csv)
        after = await place.contact()
        assert after["id"] == before["id"]
        assert (after["name"], after["tags"], after["notes"]) == (
            "Ayşe Yılmaz",
            ["old", "new"],
            "likes tea\nby the window",
        )
        assert after["window_open"] is True
        assert await place.found(q="window") == ["Ayşe Yılmaz"]


@pytest.mark.later
async def test_whoever_is_erased_is_in_no_table_any_more(database_url: str) -> None:
    async with pool(database_url) as place:
        await place.write("Hi", name="Ayşe Yılmaz")
        contact = (await place.contact())["id"]
        csv = f"phone,name\n{PHONE},Ayşe Yılmaz\n0{PHONE[2:]},Ayşe Yılmaz\n447700900123,Bob\n"
        waiting = (await place.call("POST", "/contacts/import", {"csv": csv})).json()["id"]
        await imported(place, csv)
        running = (await place.call("POST", "/contacts/import", {"csv": csv})).json()["id"]
        await place.call("POST", f"/contacts/imports/{running}/start", {})
        refused = await place.call("DELETE", f"/contacts/{contact}")
        assert (refused.status, refused.json()["code"]) == (409, "state_conflict")
        await drained(place.product.importer.drain)
        assert (await place.call("DELETE", f"/contacts/{contact}")).status == 200
        rows = await place.db.all(Query(select(imports).where(imports.c.account_id == 1)))
        kept = {row["id"]: row["rows"] for row in rows}
        assert [name for name, held in kept.items() if held is not None] == [waiting]
        assert [entry.name for entry in unpack(bytes(kept[waiting])).entries] == ["Bob"]
        shown = str([{**row, "rows": None} for row in rows])
        assert not [trace for trace in (PHONE, PHONE[2:], "Ayşe") if trace in shown]
        view = (await place.call("GET", f"/contacts/imports/{waiting}")).json()
        assert (view["total"], view["wrong"]) == (1, 1)


@pytest.mark.later
async def test_an_import_is_forgotten_a_month_after_its_end(database_url: str) -> None:
    async with pool(database_url) as place:
        done = await imported(place, table(3))
        await imported(place, table(2))
        waiting = (await place.call("POST", "/contacts/import", {"csv": table(4)})).json()["id"]
        place.clock.at_ms += IMPORT_DAYS * DAY_MS
        assert (await place.product.retention.purge())["imports"] == 0
        place.clock.at_ms += 1
        assert (await place.product.retention.purge())["imports"] == 2
        assert (await place.call("GET", f"/contacts/imports/{done['id']}")).status == 404
        assert (await place.call("GET", f"/contacts/imports/{waiting}")).json()["state"] == "checked"


def table(count: int) -> str:
    rows = "".join(f"9055{number:08d},Guest {number},batch\n" for number in range(count))
    return "phone,name,tags\n" + rows


@pytest.mark.both
async def test_an_import_that_is_cut_off_goes_on_where_it_was(database_url: str) -> None:
    async with pool(database_url) as place:
        made = (await place.call("POST", "/contacts/import", {"csv": table(450)})).json()
        path = f"/contacts/imports/{made['id']}"
        await place.call("POST", f"{path}/start", {})
        pieces = 0

        def cut_off(account_id: int, import_id: str) -> None:
            nonlocal pieces
            pieces += 1
            if pieces == 2:
                raise ConnectionError("the process is gone")

        place.product.importer.listen(cut_off)
        with pytest.raises(ConnectionError):
            await drained(place.product.importer.drain)
        half = (await place.call("GET", path)).json()
        assert (half["state"], half["done"]) == ("running", 200)
        leases = place.product.of(Engine).leases
        following = [Importer(place.db, place.clock, leases) for _ in range(2)]
        # Two that are at it at once do not bring anything in twice.
        await asyncio.gather(*[drained(one.drain) for one in following])
        done = (await place.call("GET", path)).json()
        assert (done["state"], done["done"]) == ("done", 450)
        found, cursor = 0, ""
        while True:
            query: dict[str, Any] = {"tag": "batch", "limit": 200} | ({"cursor": cursor} if cursor else {})
            page = (await place.call("GET", "/contacts", **query)).json()
            found, cursor = found + len(page["data"]), page["next_cursor"]
            if not cursor:
                break
        assert found == 450


@pytest.mark.later
async def test_accounts_take_turns_and_one_has_ten_tables_open_at_most(database_url: str) -> None:
    async with pool(database_url) as place:

        async def looked_at(rows: int, account: int = 1) -> str:
            made = await place.call("POST", "/contacts/import", {"csv": table(rows)}, account=account)
            assert made.status == 201, made.body
            return str(made.json()["id"])

        async def under_a_key() -> tuple[int, str]:
            headers = {"Idempotency-Key": "tenth"}
            made = await ask(place, "POST", "/contacts/import", {"csv": table(450)}, key=place.keys[1], headers=headers)
            return made.status, made.json()["id"]

        first, second, *_ = [await looked_at(450) for _ in range(9)]
        tenth = await under_a_key()
        assert tenth[0] == 201
        full = await place.call("POST", "/contacts/import", {"csv": table(1)})
        assert (full.status, full.json()["code"]) == (409, "imports_full")
        # What was done is answered as it was, also when there is no room for more.
        assert await under_a_key() == tenth
        for one in (first, second):
            assert (await place.call("POST", f"/contacts/imports/{one}/start", {})).status == 202
        # Another account agrees last.
        other = await looked_at(150, account=2)
        assert (await place.call("POST", f"/contacts/imports/{other}/start", {}, account=2)).status == 202
        told: list[str] = []
        place.product.importer.listen(lambda _, import_id: told.append(import_id))
        await drained(place.product.importer.drain)
        # Pieces of a hundred: two of the other account between those of the first.
        assert told == [first, other, first, other, *[first] * 3, *[second] * 5]
        await looked_at(1)


@pytest.mark.later
@pytest.mark.slow
async def test_ten_thousand_contacts_come_in_while_the_store_keeps_answering(database_url: str) -> None:
    async with pool(database_url) as place:
        made = (await place.call("POST", "/contacts/import", {"csv": table(10_000)})).json()
        await place.call("POST", f"/contacts/imports/{made['id']}/start", {})
        running = asyncio.create_task(drained(place.product.importer.drain))
        between = 0
        while not running.done():
            await place.write(f"Hi {between}", f"4477009{between % 1000:05d}", name="Writer")
            between += 1
            await asyncio.sleep(0.01)
        await running
        assert (await place.call("GET", f"/contacts/imports/{made['id']}")).json()["done"] == 10_000
        # Whoever comes in meanwhile waits for a piece or two, and never for the whole: else there were one or two.
        assert between > 20
