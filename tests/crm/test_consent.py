"""What customers said about being written to is a ledger: nothing is written over, and the last word holds."""

from __future__ import annotations

from typing import Any

import pytest

from tablegram.crm.consent import ledger
from tablegram.crm.consent.ledger import Word, standing
from tablegram.crm.importing import bringing_in
from tablegram.crm.importing.checking import Entry, Plan
from tests.crm.pool import OTHER, PHONE, Pool, pool


async def _added(one: Pool, phone: str = PHONE, **fields: Any) -> str:
    reply = await one.call("POST", "/contacts", {"phone": phone, "name": "Ayşe", **fields})
    assert reply.status == 201, reply.body
    return str(reply.json()["id"])


async def _says(one: Pool, contact_id: str, state: str, source: str = "") -> dict[str, Any]:
    one.clock.advance(60)
    given = {"state": state, **({"source": source} if source else {})}
    reply = await one.call("PATCH", f"/contacts/{contact_id}", {"consent": given})
    assert reply.status == 200, reply.body
    shown: dict[str, Any] = reply.json()
    return shown


async def _words(one: Pool, contact_id: str) -> list[Word]:
    return await one.db.snapshot(lambda tx: ledger.of_contact(tx, 1, contact_id))


async def test_every_word_is_kept_and_the_last_one_holds(database_url: str) -> None:
    async with pool(database_url) as one:
        contact_id = await _added(one, consent={"state": "granted", "source": "Card at the till"})
        await _says(one, contact_id, "denied", "phone call")
        shown = await _says(one, contact_id, "granted")
        words = await _words(one, contact_id)
        assert [(word.state, word.source, word.by) for word in words] == [
            ("granted", "Card at the till", "all"), ("denied", "phone call", "all"), ("granted", "api", "all"),
        ]  # fmt: skip
        assert {word.purpose for word in words} == {"marketing"}
        assert standing(words, "marketing") == shown["consent"]["state"] == "granted"
        assert standing(words, "marketing", words[1].at) == "denied"
        assert standing(words, "marketing", words[0].at - 1) == standing(words, "orders") == "unknown"


async def test_who_says_nothing_about_it_has_no_row(database_url: str) -> None:
    async with pool(database_url) as one:
        contact_id = await _added(one)
        await one.call("PATCH", f"/contacts/{contact_id}", {"notes": "likes tea"})
        assert await _words(one, contact_id) == []


async def test_an_import_says_where_its_word_comes_from(database_url: str) -> None:
    async with pool(database_url) as one:
        known = await _added(one, consent={"state": "granted"})
        entries = [Entry(PHONE, "Ayşe", "", [], "", "denied"), Entry(OTHER, "Veli", "", [], "", "granted")]
        plan = Plan(entries, source="guests.csv")
        for later in (1, 2):
            at = one.clock.now_ms() + later
            await one.db.write(lambda tx, at=at: bringing_in.bring_in(tx, 1, entries, plan, at))  # type: ignore[misc]
        words = await _words(one, known)
        # A file that says the same again says nothing new.
        assert [(word.state, word.source, word.proof) for word in words] == [
            ("granted", "api", ""), ("denied", "guests.csv", "guests.csv"),
        ]  # fmt: skip
        found = (await one.call("GET", "/contacts", q="Veli")).json()["data"]
        assert [word.state for word in await _words(one, found[0]["id"])] == ["granted"]


async def test_one_person_said_what_both_contacts_said(database_url: str) -> None:
    async with pool(database_url) as one:
        kept, gone = await _added(one), await _added(one, OTHER)
        await _says(one, kept, "granted")
        await _says(one, gone, "denied")
        reply = await one.call("POST", f"/contacts/{gone}/merge", {"into": kept})
        assert reply.status == 200
        words = await _words(one, kept)
        assert [word.state for word in words] == ["granted", "denied"]
        assert standing(words, "marketing") == reply.json()["consent"]["state"] == "denied"
        assert await _words(one, gone) == []


async def test_an_export_holds_it_and_an_erasure_ends_it(database_url: str) -> None:
    async with pool(database_url) as one:
        contact_id = await _added(one, consent={"state": "granted", "source": "Card of Ayşe"})
        other = await _added(one, OTHER, consent={"state": "denied"})
        (told,) = [
            contact for contact in (await one.call("GET", "/contacts/export")).json()["data"]
            if contact["id"] == contact_id
        ]  # fmt: skip
        (word,) = told["consents"]
        assert {name: word[name] for name in ("purpose", "state", "source", "text_version", "proof")} == {
            "purpose": "marketing", "state": "granted", "source": "Card of Ayşe", "text_version": "", "proof": "",
        }  # fmt: skip
        assert (await one.call("DELETE", f"/contacts/{contact_id}")).status == 200
        assert await _words(one, contact_id) == []
        assert len(await _words(one, other)) == 1


@pytest.mark.parametrize("account", [2])
async def test_nobody_reads_the_ledger_of_another_account(database_url: str, account: int) -> None:
    async with pool(database_url) as one:
        contact_id = await _added(one, consent={"state": "granted"})
        assert await one.db.snapshot(lambda tx: ledger.of_contact(tx, account, contact_id)) == []
