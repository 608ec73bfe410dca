"""The pool of customers over the API."""

from __future__ import annotations

import csv
import io
from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from tablegram.flows.contacts.answers import ContactExport, ExportedContact
from tablegram.storage.database import Query
from tablegram.storage.tables import deliveries, events, inbox
from tablegram.values.files.spreadsheets import harmless
from tablegram.wiring.areas.contacts import ContactWorks
from tests.api.erasing import erased, whole_store
from tests.crm.pool import OTHER, PHONE, pool
from tests.drained import drained


async def test_a_contact_shows_what_is_known(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write(name="Ayşe", user_id="TR.1")
        contact = await one.contact()
        assert contact["phones"] == [PHONE]
        assert {"kind": "user_id", "value": "TR.1"} in contact["aliases"]
        assert contact["window_open"] is True
        assert contact["last_instance_id"] == one.lines[1]
        assert contact["consent"] == {"state": "unknown", "at": None, "source": ""}
        one.clock.advance(86_401)
        assert (await one.contact())["window_open"] is False


async def test_changes_change_what_is_given_only(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write()
        path = f"/contacts/{(await one.contact())['id']}"
        changes = {"tags": ["a", "b", "a"], "notes": "Cam kenarı", "language": "tr", "consent": {"state": "denied"}}
        changed = (await one.call("PATCH", path, changes)).json()
        assert (changed["tags"], changed["notes"], changed["language"]) == (["a", "b"], "Cam kenarı", "tr")
        assert (changed["consent"]["state"], changed["consent"]["source"]) == ("denied", "api")
        again = (await one.call("PATCH", path, {"notes": ""})).json()
        assert {**changed, "notes": ""} == again == (await one.call("GET", path)).json()


async def test_a_contact_is_added_by_hand_once(database_url: str) -> None:
    async with pool(database_url) as one:
        made = await one.call("POST", "/contacts", {"phone": PHONE, "name": "Ayşe", "tags": ["x"]})
        assert made.status == 201
        assert made.json()["window_until"] is None
        again = await one.call("POST", "/contacts", {"phone": PHONE})
        assert (again.status, again.json()["code"]) == (409, "contact_exists")
        assert again.json()["contact_id"] == made.json()["id"]
        await one.write(name="network name")
        assert await one.found(q="ayse") == ["Ayşe"]
        assert (await one.contact())["id"] == made.json()["id"]


async def test_the_conversation_has_both_directions_and_all_names_newest_first(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write("bir")
        await one.call("POST", "/messages/send", {"phone": PHONE, "message": "iki"})
        await one.write("üç", user_id="TR.1")
        await one.write("dört", phone="", user_id="TR.1")
        await one.write("başkası", phone=OTHER)
        path = f"/contacts/{(await one.contact())['id']}/messages"
        assert [entry["text"] for entry in (await one.call("GET", path)).json()["data"]] == ["dört", "üç", "iki", "bir"]
        first = (await one.call("GET", path, limit=3)).json()
        rest = (await one.call("GET", path, limit=3, cursor=first["next_cursor"])).json()
        assert [entry["text"] for entry in first["data"] + rest["data"]] == ["dört", "üç", "iki", "bir"]
        assert rest["next_cursor"] is None


async def test_merging_keeps_everything_of_both(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write("eskiden", name="Ayşe")
        one.clock.advance(3_600)
        await one.write("yenice", phone=OTHER, name="Ayşe Y.")
        await one.index()
        gone, kept = await one.contact(PHONE), await one.contact(OTHER)
        await one.call(
            "PATCH",
            f"/contacts/{gone['id']}",
            {"tags": ["a", "b"], "notes": "N1", "language": "tr", "birthday": "05-17"},
        )
        await one.call("PATCH", f"/contacts/{kept['id']}", {"tags": ["b", "c"], "notes": "N2"})
        merged = await one.call("POST", f"/contacts/{gone['id']}/merge", {"into": kept["id"]})
        assert merged.status == 200
        view = merged.json()
        assert (view["id"], view["tags"], view["notes"]) == (kept["id"], ["b", "c", "a"], "N2\nN1")
        assert (view["language"], view["birthday"]) == ("tr", "05-17")
        assert view["phones"] == [PHONE, OTHER]
        assert (view["first_seen_at"], view["last_seen_at"]) == (gone["first_seen_at"], kept["last_seen_at"])
        assert (await one.call("GET", f"/contacts/{gone['id']}")).json() == view
        assert await one.found(q="eskiden yenice a") == [view["name"]]
        assert len((await one.call("GET", f"/contacts/{gone['id']}/messages")).json()["data"]) == 2
        assert (await one.call("POST", f"/contacts/{gone['id']}/merge", {"into": kept["id"]})).json() == view
        assert (await one.call("POST", f"/contacts/{kept['id']}/merge", {"into": gone["id"]})).json() == view


async def test_what_cannot_be_merged_is_refused(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write()
        await one.write(account=2)
        mine, foreign = await one.contact(), await one.contact(account=2)
        for into, code in (
            (mine["id"], "not_allowed"),
            ("nobody", "contact_unknown"),
            (foreign["id"], "contact_unknown"),
        ):
            reply = await one.call("POST", f"/contacts/{mine['id']}/merge", {"into": into})
            assert (reply.status, reply.json()["code"]) == (422, code)


async def test_nobody_reaches_the_contacts_of_another_account(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write("gizli")
        await one.index()
        path = f"/contacts/{(await one.contact())['id']}"
        calls: list[tuple[str, str, Any]] = [
            ("GET", path, None), ("GET", path + "/messages", None), ("PATCH", path, {"notes": "x"}),
            ("POST", path + "/merge", {"into": "y"}), ("DELETE", path, None),
        ]  # fmt: skip
        for method, address, body in calls:
            reply = await one.call(method, address, body, account=2)
            assert (reply.status, reply.json()["code"]) == (404, "contact_unknown"), (method, address)
        assert await one.found(account=2) == await one.found(account=2, q="gizli") == []
        assert (await one.call("GET", "/contacts/export", account=2)).json() == {"data": []}
        assert (await one.contact())["notes"] == ""


async def test_exports_hold_everybody(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablegram.flows.contacts.contacts.EXPORT_CHUNK", 3)
    monkeypatch.setattr("tablegram.crm.own_data.exports.CHUNK", 2)
    async with pool(database_url) as one:
        for number in range(7):
            await one.write(phone=f"90555111220{number}", name=f"=cmd|{number}" if number else 'Ay"şe, Y.')
        file = await one.call("GET", "/contacts/export")
        assert len(msgspec.json.decode(file.body, type=ContactExport).data) == 7
        exported = file.json()["data"]
        assert set(exported[0]) <= set(ExportedContact.__struct_fields__)
        listed = (await one.call("GET", "/contacts", limit=200)).json()["data"]
        assert exported == [
            {
                **contact,
                "consents": [],
                "orders": [],
                "addresses": [],
                "points": [],
                "stamps": [],
                "gift_cards": [],
                "payments": [],
                "store_notices": [],
                "campaigns": [],
                "automations": [],
                "store_orders": [],
                "conversation_notes": [],
            }
            for contact in sorted(listed, key=lambda contact: contact["id"])
        ]
        assert len(exported) == 7
        reply = await one.call("GET", "/contacts/export", format="csv")
        assert reply.headers["content-type"].startswith("text/csv")
        assert "contacts.csv" in reply.headers["content-disposition"]
        rows = list(csv.DictReader(io.StringIO(reply.body.decode("utf-8-sig"))))
        assert sorted(row["name"] for row in rows) == sorted(
            ['Ay"şe, Y.', *[f"'=cmd|{number}" for number in range(1, 7)]]
        )
        assert {row["phones"] for row in rows} == {f"90555111220{number}" for number in range(7)}


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "＝1"])
def test_no_cell_is_a_formula(cell: str) -> None:
    assert harmless(cell) == "'" + cell


async def test_erasing_leaves_nothing_of_the_person_but_counts(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write("çok gizli", name="Ayşe", user_id="TR.1")
        await one.call("POST", "/messages/send", {"phone": PHONE, "message": "gizli cevap"})
        await one.write("başkası", phone=OTHER, name="Mehmet")
        await one.index()
        contact_id = (await one.contact())["id"]
        await one.call("PATCH", f"/contacts/{contact_id}", {"notes": "gizli not", "tags": ["gizli"]})
        receipt = await erased(one)
        assert receipt["contact_id"] == contact_id
        assert receipt["counts"] == {
            "messages": 2, "files": 0, "orders": 0, "addresses": 0, "points": 0, "payments": 0, "store_notices": 0, "campaigns": 0, "automations": 0, "stores": 0, "tickets": 0, "courier_messages": 0,
            "events": 1, "callbacks": 1, "names": 2,
        }  # fmt: skip
        everything = await whole_store(one)
        for secret in ("gizli", "Ayşe", PHONE, "TR.1"):
            assert secret not in everything, secret
        assert "Mehmet" in everything
        assert (await one.call("GET", f"/contacts/{contact_id}")).status == 404
        assert (await one.call("DELETE", f"/contacts/{contact_id}")).json() == receipt
        assert await one.found() == ["Mehmet"]


async def test_a_queued_message_to_an_erased_person_is_cancelled(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write()
        later = {"phone": PHONE, "message": "x", "send_at": "2027-02-01T00:00:00Z"}
        sent = (await one.call("POST", "/messages/send", later)).json()
        await erased(one)
        message = (await one.call("GET", f"/messages/{sent['message_id']}")).json()
        assert (message["status"], message["text"]) == ("cancelled", "")
        assert message["phone"].startswith("erased.")


async def test_who_writes_again_after_an_erasure_is_somebody_new(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write("eski")
        receipt = await erased(one)
        await one.write("yeni")
        contact = await one.contact()
        assert contact["id"] != receipt["contact_id"]
        conversation = (await one.call("GET", f"/contacts/{contact['id']}/messages")).json()["data"]
        assert [message["text"] for message in conversation] == ["yeni"]


async def test_consent_that_is_taken_back_is_an_event_once(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write()
        contact_id = (await one.contact())["id"]
        for state in ("granted", "denied", "denied"):
            await one.call("PATCH", f"/contacts/{contact_id}", {"consent": {"state": state}})
        await one.call("PATCH", f"/contacts/{contact_id}", {"notes": "n"})
        (event,) = (await one.call("GET", "/events", type="contact.opted_out")).json()["data"]
        told = {"contact_id": contact_id, "phone": PHONE, "timestamp": one.clock.now_ms() // 1_000}
        assert event["body"] == {"event": "contact.opted_out", "data": told}
        assert (await one.call("GET", "/events", account=2, type="contact.opted_out")).json()["data"] == []


async def test_erasing_a_merged_contact_erases_the_whole_person(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write("bir", name="Ayşe")
        await one.write("iki", phone=OTHER, name="Ayşe Y.")
        gone, kept = (await one.contact(PHONE))["id"], (await one.contact(OTHER))["id"]
        await one.call("POST", f"/contacts/{gone}/merge", {"into": kept})
        receipt = (await one.call("DELETE", f"/contacts/{gone}")).json()
        assert receipt["contact_id"] == kept
        # Asked again, by either id.
        for contact_id in (gone, kept):
            assert (await one.call("DELETE", f"/contacts/{contact_id}")).json() == receipt
        for contact_id in (gone, kept):
            assert (await one.call("GET", f"/contacts/{contact_id}")).status == 404
        assert "Ayşe" not in await whole_store(one)


async def test_events_and_deliveries_of_others_stay(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write()
        await one.write(phone=OTHER)
        await one.write(account=2)
        await erased(one)
        for account in (1, 2):
            left = await one.db.all(Query(select(events).where(events.c.account_id == account)))
            assert len(left) == 1
        assert await one.db.all(Query(select(deliveries).where(deliveries.c.account_id == 1))) == []
        bodies = await one.db.all(Query(select(inbox.c.body).where(inbox.c.account_id == 2)))
        assert bodies
        assert all(PHONE in bytes(row["body"]).decode() for row in bodies)


async def test_posts_can_be_repeated_safely(database_url: str) -> None:
    async with pool(database_url) as one:
        from tests.api.asking import ask

        key, body = {"Idempotency-Key": "k1"}, {"phone": PHONE, "name": "Ayşe"}
        first = await ask(one, "POST", "/contacts", body, key=one.keys[1], headers=key)
        second = await ask(one, "POST", "/contacts", body, key=one.keys[1], headers=key)
        assert (first.status, second.status) == (201, 201)
        assert msgspec.json.decode(second.body) == msgspec.json.decode(first.body)
        assert second.headers["idempotent-replayed"] == "true"
        # A kept answer is forgotten with the person.
        await erased(one)
        assert "Ayşe" not in await whole_store(one)


async def test_many_are_tagged_or_erased_by_one_call_that_says_whom_it_means(database_url: str) -> None:
    async with pool(database_url) as one:
        ids = [
            (await one.call("POST", "/contacts", {"phone": f"90555111000{n}", "name": f"Guest {n}"})).json()["id"]
            for n in range(4)
        ]
        works = one.product.of(ContactWorks).bulk
        tagging = {"act": "tag", "tag": " yaz  listesi ", "matching": {"q": "guest"}}
        job = await one.call("POST", "/contacts/jobs", tagging)
        assert (job.status, job.json()["total"], job.json()["state"], job.json()["tag"]) == (
            202,
            4,
            "running",
            "yaz listesi",
        )
        await drained(works.drain)
        done = (await one.call("GET", f"/contacts/jobs/{job.json()['id']}")).json()
        assert (done["state"], done["done"], done["finished_at"] is None) == ("done", 4, False)
        assert len((await one.call("GET", "/contacts", tag="yaz listesi")).json()["data"]) == 4
        await one.call(
            "POST", "/contacts/jobs", {"act": "untag", "tag": "yaz listesi", "contact_ids": [ids[0], "stranger"]}
        )
        await drained(works.drain)
        assert len((await one.call("GET", "/contacts", tag="yaz listesi")).json()["data"]) == 3
        tagged = {"act": "erase", "matching": {"tag": "yaz listesi"}}
        for body, status, code in (
            ({"act": "tag", "tag": "x"}, 422, "nobody_chosen"),
            ({"act": "tag", "tag": "x", "contact_ids": ids, "matching": {}}, 422, "nobody_chosen"),
            ({"act": "untag", "contact_ids": ids}, 422, "tag_wrong"),
            ({"act": "tag", "tag": "x", "matching": {"active_since": "yesterday"}}, 422, "time_invalid"),
            (tagged, 422, "expects_missing"),
            ({**tagged, "expects": 4}, 409, "count_differs"),
        ):  # fmt: skip
            refused = await one.call("POST", "/contacts/jobs", body)
            told = refused.json()
            assert (refused.status, told["errors"][0]["code"] if status == 422 else told["code"]) == (status, code), (
                body
            )
        assert (await one.call("POST", "/contacts/jobs", {**tagged, "expects": 3})).status == 202
        await drained(works.drain)
        assert [contact["id"] for contact in (await one.call("GET", "/contacts", q="guest")).json()["data"]] == [ids[0]]
        page = (await one.call("GET", "/contacts/jobs", limit=2)).json()
        assert [row["act"] for row in page["data"]] == ["erase", "untag"]
        rest = (await one.call("GET", "/contacts/jobs", limit=2, cursor=page["next_cursor"])).json()
        assert ([row["id"] for row in rest["data"]], rest["next_cursor"]) == ([job.json()["id"]], None)
        assert (await one.call("GET", f"/contacts/jobs/{job.json()['id']}", account=2)).status == 404
        assert (await one.call("GET", "/contacts/jobs", account=2)).json()["data"] == []
