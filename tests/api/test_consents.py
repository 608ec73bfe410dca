"""The ledger of consent through the API: listed, noted with proof, exported as the registry takes it."""

from __future__ import annotations

import csv
import io
from typing import Any

import msgspec

from tests.cases import cases
from tests.crm.pool import OTHER, PHONE, Pool, pool

FOREIGN = "447700900123"


async def _added(one: Pool, phone: str, account: int = 1) -> str:
    return str((await one.call("POST", "/contacts", {"phone": phone}, account=account)).json()["id"])


def _rows(body: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(body.decode("utf-8-sig"))))


async def test_words_are_noted_with_their_proof_listed_and_exported(database_url: str) -> None:
    async with pool(database_url) as one:
        ayse, veli, john = [await _added(one, phone) for phone in (PHONE, OTHER, FOREIGN)]
        stranger = await _added(one, PHONE, account=2)
        text = {"language": "tr", "words": "Mavi Kapı bana fırsatlarını yazabilir."}
        made = [(await one.call("POST", "/consents/texts", text)).json() for _ in range(2)]
        made.append((await one.call("POST", "/consents/texts", {**text, "words": "Yeni metin"})).json())
        assert [one_text["text_version"] for one_text in made] == ["tr-1", "tr-1", "tr-2"]
        listed = (await one.call("GET", "/consents/texts")).json()["data"]
        assert [(row["text_version"], row["words"]) for row in listed] == [
            ("tr-2", "Yeni metin"),
            ("tr-1", text["words"]),
        ]
        assert (await one.call("GET", "/consents/texts", account=2)).json()["data"] == []

        yes: dict[str, Any] = {
            "contact_id": ayse, "state": "granted", "source": "Card at the till", "proof": "=form 7", "text_version": "tr-1",
            "at": "2026-03-01T21:30:00Z",
        }  # fmt: skip
        first = await one.call("POST", "/consents", yes)
        again = await one.call("POST", "/consents", yes)
        assert (first.status, first.json()["phone"], first.json()["by"]) == (201, PHONE, "all")
        assert again.json() == first.json()
        for contact_id, state in ((veli, "denied"), (john, "denied"), (veli, "granted")):
            body = {"contact_id": contact_id, "state": state, "source": "HS_CAGRI_MERKEZI", "proof": "call 4"}
            assert (await one.call("POST", "/consents", body)).status == 201
            one.clock.advance(60)
        # It was said before, so it changes nothing of what holds.
        late = {**yes, "contact_id": veli, "state": "denied", "at": "2026-01-01T00:00:00+03:00"}
        assert (await one.call("POST", "/consents", late)).status == 201
        assert (await one.contact(OTHER))["consent"]["state"] == "granted"

        ledger = (await one.call("GET", "/consents")).json()["data"]
        assert [(row["contact_id"], row["state"]) for row in ledger] == [
            (veli, "granted"), (john, "denied"), (veli, "denied"), (ayse, "granted"), (veli, "denied"),
        ]  # fmt: skip
        seen: list[str] = []
        cursor: dict[str, Any] = {}
        while True:
            page = (await one.call("GET", "/consents", limit=2, **cursor)).json()
            seen += [row["id"] for row in page["data"]]
            if page["next_cursor"] is None:
                break
            cursor = {"cursor": page["next_cursor"]}
        assert seen == [row["id"] for row in ledger]
        with cases() as found:
            asked: tuple[tuple[dict[str, Any], int], ...] = (
                ({"state": "denied"}, 3), ({"purpose": "orders"}, 0), ({"source": "Card at the till"}, 2),
                ({"contact_id": veli}, 3), ({"since": "2026-03-01T21:30:00Z"}, 4), ({"until": "2026-03-01T21:30:00Z"}, 1),
                ({"contact_id": stranger}, 0),
            )  # fmt: skip
            for query, count in asked:
                with found.case(str(query)):
                    assert len((await one.call("GET", "/consents", **query)).json()["data"]) == count
        assert len((await one.call("GET", f"/contacts/{veli}/consents")).json()["data"]) == 3

        whole = (await one.call("GET", "/consents/export", format="json")).json()["data"]
        assert whole == ledger
        table = _rows((await one.call("GET", "/consents/export", format="csv")).body)
        assert [row["contact_id"] for row in table] == [row["contact_id"] for row in ledger]
        # A table program must not run what somebody wrote as a proof.
        assert {row["proof"] for row in table} == {"call 4", "'=form 7"}
        registry = _rows((await one.call("GET", "/consents/export", format="iys")).body)
        (mine,) = [row for row in registry if row["recipient"] == f"+{PHONE}"]
        assert mine == {
            "recipient": f"+{PHONE}", "recipientType": "BIREYSEL", "type": "MESAJ", "source": "HS_FIZIKSEL_ORTAM",
            "consentDate": "2026-03-02 00:30:00", "status": "ONAY",
        }  # fmt: skip
        assert {row["recipient"]: (row["source"], row["status"]) for row in registry} == {
            f"+{PHONE}": ("HS_FIZIKSEL_ORTAM", "ONAY"), f"+{OTHER}": ("HS_CAGRI_MERKEZI", "ONAY"),
        }  # fmt: skip
        assert _rows((await one.call("GET", "/consents/export", format="iys", account=2)).body) == []


async def test_what_cannot_be_noted_is_refused_with_the_field(database_url: str) -> None:
    async with pool(database_url) as one:
        mine, foreign = await _added(one, PHONE), await _added(one, OTHER, account=2)
        good: dict[str, Any] = {"contact_id": mine, "state": "granted", "source": "till", "proof": "form 1"}
        wrong: list[tuple[dict[str, Any], str, str]] = [
            ({"proof": None}, "proof", "proof_missing"),
            ({"at": "2199-01-01T00:00:00Z"}, "at", "time_invalid"),
            ({"at": "yesterday"}, "at", "time_invalid"),
            ({"contact_id": foreign}, "contact_id", "contact_unknown"),
            ({"contact_id": "nobody"}, "contact_id", "contact_unknown"),
            ({"source": ""}, "source", ""),
            ({"state": "maybe"}, "state", ""),
            ({"purpose": "spam"}, "purpose", ""),
            ({"more": 1}, "more", ""),
        ]
        with cases() as found:
            for changed, field, code in wrong:
                with found.case(str(changed)):
                    reply = await one.call("POST", "/consents", {**good, **changed})
                    (error,) = reply.json()["errors"]
                    assert (reply.status, error["field"]) == (422, field), reply.body
                    assert not code or error["code"] == code
        assert (await one.call("GET", "/consents")).json()["data"] == []
        # Taking it back or refusing needs no proof; neither does what orders bring.
        for body in ({**good, "state": "denied", "proof": None}, {**good, "purpose": "orders", "proof": None}):
            reply = await one.call("POST", "/consents", body)
            assert reply.status == 201, msgspec.json.decode(reply.body)
