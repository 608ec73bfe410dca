"""What customers said about being written to is a ledger: nothing is written over, and the last word holds."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablegram.crm.consent import ledger
from tablegram.crm.consent.asking import may_write, refusals
from tablegram.crm.consent.ledger import Purpose, Word, standing
from tablegram.crm.importing import bringing_in
from tablegram.crm.importing.checking import Entry, Plan
from tablegram.crm.merging import merge
from tablegram.crm.store import contacts as contact_store
from tablegram.storage.database import Tx
from tests.crm.pool import OTHER, PHONE, Pool, pool

pytestmark = pytest.mark.later


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


async def test_who_said_no_hears_nothing_and_who_never_said_yes_no_advertising(database_url: str) -> None:
    # What was said of orders and of marketing, in its order; and why nothing may be written for each.
    cases: list[tuple[list[tuple[str, str]], str | None, str | None]] = [
        ([], None, "no_consent"),
        ([("marketing", "granted")], None, None),
        ([("marketing", "granted"), ("marketing", "denied")], None, "opted_out"),
        ([("marketing", "denied"), ("marketing", "unknown")], None, "no_consent"),
        ([("marketing", "granted"), ("orders", "denied")], "opted_out", "opted_out"),
        ([("orders", "denied"), ("orders", "granted"), ("marketing", "granted")], None, None),
    ]
    async with pool(database_url) as one:
        made = []
        for number, (said, _, _) in enumerate(cases):
            contact_id = await _added(one, f"9055511100{number:02}")
            words = [
                Word(account_id=1, contact_id=contact_id, purpose=purpose, state=state, source="till", at=5)  # type: ignore[arg-type]
                for purpose, state in said
            ]
            await one.db.write(lambda tx, words=words: ledger.note(tx, words))  # type: ignore[misc]
            made.append(contact_id)

        async def look(tx: Tx) -> list[Any]:
            found: list[Any] = []
            for purpose in ("orders", "marketing"):
                many = await refusals(tx, 1, made, purpose)
                assert [many.get(contact_id) for contact_id in made] == [
                    await may_write(tx, 1, contact_id, purpose) for contact_id in made
                ]
                found.append([many.get(contact_id) for contact_id in made])
            return found

        assert await one.db.snapshot(look) == [[case[1] for case in cases], [case[2] for case in cases]]
        # A shop's word holds where the customer has said nothing, and nobody is known by no id.
        shop = [
            await one.db.snapshot(lambda tx, c=c: may_write(tx, 1, c, "marketing", agreed_elsewhere=True))  # type: ignore[misc]
            for c in [*made, ""]
        ]
        assert shop == [None, None, "opted_out", None, "opted_out", None, None]


_people = st.integers(0, 3)
_step = st.one_of(
    st.tuples(st.just("say"), _people, st.sampled_from(["granted", "denied", "unknown"]), st.integers(1, 3)),
    st.tuples(st.just("repeat"), _people, st.sampled_from(["granted", "denied"]), st.integers(1, 3)),
    st.tuples(st.just("import"), _people, st.sampled_from(["granted", "denied"]), st.integers(1, 3)),
    st.tuples(st.just("orders"), _people, st.sampled_from(["granted", "denied"]), st.integers(1, 3)),
    st.tuples(st.just("merge"), _people, _people, st.just(0)),
)


async def test_whatever_is_said_in_whatever_order_the_last_word_holds(database_url: str) -> None:
    """Words of equal times, words that come late, imports and merges: what a contact shows is what its ledger says."""
    numbers = iter(range(100_000))

    async def play(one: Pool, steps: list[Any]) -> None:
        phones = [f"90555{next(numbers):07}" for _ in range(4)]
        people = [await _added(one, phone) for phone in phones]
        # What each said, in the order in which it was noted.
        model: dict[str, list[tuple[int, int, str]]] = {one_id: [] for one_id in people}
        noted = 0
        for kind, who, what, at in steps:
            contact_id, noted = people[who], noted + 1
            if kind == "merge":
                gone, kept = people[who], people[what]
                if gone != kept:
                    await one.db.write(lambda tx, g=gone, k=kept: merge(tx, 1, g, k))  # type: ignore[misc]
                    model[kept] += model.pop(gone)
                    people = [kept if each == gone else each for each in people]
            elif kind == "import":
                plan = Plan([Entry(phones[who], consent=what)], source="old.csv")
                before = max(model[contact_id], default=(0, 0, "unknown"))[2]
                await one.db.write(lambda tx, p=plan, a=at: bringing_in.bring_in(tx, 1, p.entries, p, a))  # type: ignore[misc]
                if what != before:
                    model[contact_id].append((at, noted, what))
            else:
                purpose: Purpose = "orders" if kind == "orders" else "marketing"
                word = Word(
                    account_id=1, contact_id=contact_id, purpose=purpose, state=what, source="s", proof=f"{noted}", at=at
                )  # fmt: skip
                for _ in range(2 if kind == "repeat" else 1):
                    await one.db.write(lambda tx, w=word: ledger.hear(tx, w))  # type: ignore[misc]
                if kind != "orders":
                    model[contact_id].append((at, noted, what))
        for contact_id, said in model.items():
            row = await one.db.first(contact_store.GET, {"b_account": 1, "b_id": contact_id})
            assert row is not None
            holds = max(said, default=(None, 0, "unknown"))
            words = await _words(one, contact_id)
            assert len([word for word in words if word.purpose == "marketing"]) == len(said)
            assert (row["consent"], row["consent_at"]) == (holds[2], holds[0])
            assert standing(words, "marketing") == holds[2]

    async with pool(database_url) as one:
        loop = asyncio.get_running_loop()

        @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
        @given(st.lists(_step, max_size=9))
        def run(steps: list[Any]) -> None:
            asyncio.run_coroutine_threadsafe(play(one, steps), loop).result(60)

        await asyncio.to_thread(run)
