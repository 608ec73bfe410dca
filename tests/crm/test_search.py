"""A contact is found by what anybody would type, and only by who may."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablegram.accounts.money.rate_card import RateCard
from tablegram.crm import search
from tablegram.crm.said import indexing
from tablegram.crm.terms import parse_query, profile_terms, said_terms
from tablegram.flows.gateway.queueing import Queueing, Way
from tablegram.messaging.model import Text
from tablegram.storage.database import Params, Tx
from tests.crm.pool import OTHER, PHONE, pool

STRANGER = "4915112345678"


@pytest.mark.parametrize(
    "query",
    [
        "Işıl", "ISIL", "ışıl", "isi", "Çağlar", "cag isi", "caglar ışıl", PHONE, "+90 555 111 22 33", "0555 111 2233",
        "0555", "555111", "2233", "11122 33", "sürekli", "suREKLI müş", "fıstık", "fistik alerji",
    ],
)  # fmt: skip
async def test_a_contact_is_found_by(database_url: str, query: str) -> None:
    async with pool(database_url) as one:
        await one.write(name="Işıl Çağlar")
        await one.write(phone=STRANGER, name="Mehmet")
        contact = await one.contact()
        changes = {"tags": ["Sürekli müşteri"], "notes": "Fıstık alerjisi var"}
        assert (await one.call("PATCH", f"/contacts/{contact['id']}", changes)).status == 200
        assert await one.found(q=query) == ["Işıl Çağlar"]


@pytest.mark.parametrize(
    "query", ["ışılx", "ıl", "Işıl Mehmet", "905559", "!!!", "555 999", "%", "_", "caglar' or 1=1"]
)
async def test_a_contact_is_not_found_by(database_url: str, query: str) -> None:
    async with pool(database_url) as one:
        await one.write(name="Işıl Çağlar")
        await one.write(phone=STRANGER, name="Mehmet")
        assert await one.found(q=query) == []


async def test_what_was_said_is_found_once_it_is_indexed_in_both_directions(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write("Künefe var mı?")
        await one.write("Hayır", phone=OTHER, name="Mehmet")
        body = {"phone": PHONE, "message": "Evet, buyurun"}
        assert (await one.call("POST", "/messages/send", body)).status == 200
        assert await one.found(q="künefe") == []
        assert await one.index() == 3
        assert await one.found(q="KUNEFE") == ["Ayşe"]
        assert await one.found(q="buyur künefe ays") == ["Ayşe"]
        assert await one.found(q="künefe", account=2) == []


async def test_a_date_or_a_number_in_parts_is_found_as_it_was_written(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write("10.12.2026 için masa, 0532 000 11 22", name="Ayşe")
        await one.index()
        for query in ("10.12.2026", "0532 000 11 22", "05320001122", "2026"):
            assert await one.found(q=query) == ["Ayşe"], query


async def test_the_indexer_goes_on_where_it_stood(database_url: str) -> None:
    async with pool(database_url) as one:
        for number in range(7):
            await one.write(f"kelime{number}", phone=f"90555111220{number}", name=f"K{number}")
        assert await one.index() == 7
        assert await one.index() == 0
        await one.write("sonuncu", phone=OTHER, name="Son")
        assert await one.index() == 1
        assert await one.found(q="sonun") == ["Son"]
        assert await one.found(q="kelime3") == ["K3"]


async def test_what_a_campaign_told_everybody_finds_nobody_and_does_not_hold_up_what_comes_after_it(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "BATCH", 1)
    async with pool(database_url) as one:
        await one.write("künefe")
        offer = Queueing(RateCard.load(), one.product.settings, lambda account_id, line_id: None)
        way = Way(1, one.lines[1], "cloud")
        for by in ("campaign", "campaign", "loyalty", "campaign"):
            words = Text(f"kampanya {by}")
            await one.db.write(
                partial(lambda by, words, tx: offer.put(tx, way, PHONE, words, one.clock.now_ms(), by=by), by, words)
            )
        assert await one.index() == 5
        assert [await one.found(q=query) for query in ("campaign", "loyalty", "künefe")] == [[], ["Ayşe"], ["Ayşe"]]
        # Nothing is read twice.
        assert await one.index() == 0


async def test_what_was_written_to_a_number_before_it_had_a_contact_is_found(database_url: str) -> None:
    async with pool(database_url) as one:
        for phone, text in ((PHONE, "baklava hazır"), (OTHER, "börek hazır"), (STRANGER, "lokum hazır")):
            assert (await one.call("POST", "/messages/send", {"phone": phone, "message": text})).status == 200
        assert await one.index() == 3
        assert await one.found(q="hazır") == []
        # One writes, one is added by hand, one turns out to have been known by another name.
        await one.write("merhaba", name="Ayşe")
        assert (await one.call("POST", "/contacts", {"phone": OTHER, "name": "Mehmet"})).status == 201
        await one.write("selam", phone="", user_id="TR.7", name="Can")
        await one.index()
        await one.write("benim", phone=STRANGER, user_id="TR.7", name="Can")
        await one.index()
        assert await one.found(q="baklava") == ["Ayşe"]
        assert await one.found(q="börek") == ["Mehmet"]
        assert await one.found(q="lokum") == ["Can"]
        assert sorted(await one.found(q="hazir")) == ["Ayşe", "Can", "Mehmet"]
        assert await one.found(q="hazır", account=2) == []


async def test_a_newcomer_who_is_merged_at_once_brings_what_was_written_to_him(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.call("POST", "/messages/send", {"phone": PHONE, "message": "baklava hazır"})
        await one.write("selam", phone=OTHER, name="Can")
        await one.index()
        await one.write("merhaba", name="Ayşe")
        gone, kept = await one.contact(PHONE), await one.contact(OTHER)
        await one.call("POST", f"/contacts/{gone['id']}/merge", {"into": kept["id"]})
        await one.index()
        assert len(await one.found(q="baklava")) == 1
        assert (await one.call("GET", "/contacts", q="baklava")).json()["data"][0]["id"] == kept["id"]


async def test_a_name_that_changes_is_found_by_the_new_one_only(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write("eski sözüm", name="Zeynep")
        await one.index()
        await one.write(name="Defne")
        assert await one.found(q="zeynep") == []
        assert await one.found(q="defne") == ["Defne"]
        assert await one.found(q="sozum") == ["Defne"]


async def test_a_name_given_by_hand_stays(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write(name="xX_ayse_Xx")
        path = f"/contacts/{(await one.contact())['id']}"
        await one.call("PATCH", path, {"name": "Ayşe Yılmaz"})
        await one.write(name="other")
        assert (await one.found(q="yilmaz"), await one.found(q="other")) == (["Ayşe Yılmaz"], [])
        await one.call("PATCH", path, {"name": ""})
        await one.write(name="other")
        assert await one.found(q="other") == ["other"]


async def test_filters_and_pages(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same pages on every way through the store: by a rare word, and by time for common ones."""
    async with pool(database_url) as one:
        for number in range(9):
            await one.write(phone=f"90555111220{number}", name=f"Ali {number}")
            one.clock.advance(60)
        await one.call("PATCH", f"/contacts/{(await one.contact('905551112203'))['id']}", {"tags": ["VIP"]})
        newest_first = [f"Ali {number}" for number in range(8, -1, -1)]
        for few, rare, reach in ((250, 2_000, 2_000), (1, 2_000, 2_000), (250, 0, 3), (250, 0, 2_000)):
            monkeypatch.setattr(search, "FEW", (few,))
            monkeypatch.setattr(search, "RARE", rare)
            monkeypatch.setattr(search, "REACH", reach)
            assert await one.found(q="ali 7") == ["Ali 7"]
            asked: list[dict[str, Any]] = [{}, {"q": "ali"}, {"q": "a 9055"}]
            for query in asked:
                assert await one.found(**query) == newest_first
                names, cursor = [], None
                while True:
                    more: dict[str, Any] = {} if cursor is None else {"cursor": cursor}
                    page = (await one.call("GET", "/contacts", limit=2, **query, **more)).json()
                    names += [contact["name"] for contact in page["data"]]
                    cursor = page["next_cursor"]
                    if cursor is None:
                        break
                assert names == newest_first
            assert await one.found(tag="vıp") == ["Ali 3"]
            assert await one.found(tag="vi") == []
            assert await one.found(tag="vip", q="ali") == ["Ali 3"]
            since = (await one.contact("905551112206"))["last_seen_at"]
            assert await one.found(active_since=since) == newest_first[:3]
            assert await one.found(active_since=since, q="ali") == newest_first[:3]


async def test_a_name_that_few_have_spares_counting_who_shares_the_other(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "FEW", (2, 3))
    async with pool(database_url) as one:
        for number, name in enumerate(["Ali Kaya", "Ali Demir", "Ali Okur", "Ali Okur"]):
            await one.write(phone=f"90555111220{number}", name=name)
        counted: list[tuple[int, int]] = []
        count = search._count

        async def noted(tx: Tx, word: int, alternatives: int, params: Params, few: int) -> int:
            counted.append((word, few))
            return await count(tx, word, alternatives, params, few)

        monkeypatch.setattr(search, "_count", noted)
        assert await one.found(q="ali demir") == ["Ali Demir"]
        assert counted == [(0, 2), (1, 2)]
        counted.clear()
        assert sorted(await one.found(q="ali")) == ["Ali Demir", "Ali Kaya", "Ali Okur", "Ali Okur"]
        assert counted == [(0, 2), (0, 3), (0, search.RARE)]


async def test_only_who_wrote_was_active(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with pool(database_url) as one:
        await one.write(phone="905551112201", name="Ali wrote")
        before = "2020-01-01T00:00:00Z"
        one.clock.advance(60)
        for number in (2, 3):
            await one.call("POST", "/contacts", {"phone": f"90555111220{number}", "name": f"Ali {number}"})
        for rare, reach in ((2_000, 2_000), (0, 1), (0, 2_000)):
            monkeypatch.setattr(search, "RARE", rare)
            monkeypatch.setattr(search, "REACH", reach)
            assert await one.found(q="ali") == ["Ali 3", "Ali 2", "Ali wrote"]
            asked: list[dict[str, Any]] = [{}, {"q": "ali"}]
            for query in asked:
                assert await one.found(active_since=before, **query) == ["Ali wrote"]


async def test_the_first_message_tells_when_an_added_contact_was_active(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.call("POST", "/contacts", {"phone": OTHER, "name": "Added"})
        await one.write(phone=OTHER, ago_s=3_600)
        wrote = await one.contact(OTHER)
        assert wrote["last_seen_at"] == wrote["first_seen_at"]
        assert wrote["last_instance_id"] == one.lines[1]
        one.clock.advance(60)
        await one.call("POST", "/contacts", {"phone": PHONE, "name": "Only added"})
        into = (await one.contact(PHONE))["id"]
        merged = (await one.call("POST", f"/contacts/{wrote['id']}/merge", {"into": into})).json()
        assert (merged["id"], merged["last_seen_at"]) == (into, wrote["last_seen_at"])
        assert merged["last_instance_id"] == one.lines[1]


async def test_a_narrowed_export_holds_whom_the_list_finds_oldest_first(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablegram.flows.contacts.contacts.EXPORT_CHUNK", 2)
    async with pool(database_url) as one:
        for number in range(5):
            await one.write(phone=f"90555111220{number}", name=f"Ali {number}")
            one.clock.advance(60)
        await one.call("POST", "/contacts", {"phone": OTHER, "name": "Veli", "tags": ["x"]})
        since = (await one.contact("905551112203"))["last_seen_at"]
        for rare in (2_000, 0):
            monkeypatch.setattr(search, "RARE", rare)
            for query in (
                {"q": "ali"},
                {"q": "a 9055"},
                {"tag": "x"},
                {"active_since": since},
                {"q": "..."},
                {"q": "no"},
            ):
                told = (await one.call("GET", "/contacts/export", **query)).json()["data"]
                assert [contact["name"] for contact in told] == sorted(await one.found(**query)), query
        table = (await one.call("GET", "/contacts/export", format="csv", q="veli")).body.decode()
        assert table.count("\n") == 2
        wrong = await one.call("GET", "/contacts/export", active_since="yesterday")
        assert (wrong.status, wrong.json()["errors"][0]["code"]) == (422, "time_invalid")


@given(st.text(max_size=60), st.text(max_size=60))
def test_every_word_of_a_contact_begins_a_term_of_it(name: str, notes: str) -> None:
    terms = profile_terms(name, notes, [name], [("phone", PHONE)])
    for query in (name, notes, PHONE, PHONE[-5:]):
        for word in parse_query(query):
            assert any(one.low <= term < one.high for one in word for term in terms)


@given(st.text(max_size=200))
def test_what_was_said_has_few_and_short_terms(text: str) -> None:
    terms = said_terms(text)
    assert len(terms) == len(set(terms)) <= 100
    assert all("\x00" not in term for term in terms)


async def test_a_customer_is_found_by_what_they_call_themselves_on_the_network(database_url: str) -> None:
    async with pool(database_url) as one:
        message = {"from": PHONE, "id": "wamid.u", "type": "text", "text": {"body": "selam"}, "timestamp": "1794709500"}
        for username in ("ayse.first", "ayse.second"):
            card = {"profile": {"name": "Ayşe", "username": username}, "wa_id": PHONE}
            await one.receive({**message, "id": f"wamid.{username}"}, people=[card])
        assert await one.found(q="second") == ["Ayşe"]
        # Somebody else may have the former one by now.
        assert await one.found(q="first") == []
        assert (await one.contact())["username"] == "ayse.second"
