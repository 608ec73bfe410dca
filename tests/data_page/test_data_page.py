"""A person's own data by a link to their own number: seen, stopped, erased, and nobody else's."""

from __future__ import annotations

import re

import msgspec
import pytest
from sqlalchemy import select

from tablegram.data_page.words import LANGUAGES, words
from tablegram.flows.contacts.consents.data_rights import DataRights
from tablegram.flows.contacts.services import ContactServices
from tablegram.storage.database import Query
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import audit_log, data_links
from tests.api.asking import Reply, ask
from tests.cases import cases
from tests.crm.pool import OTHER, PHONE, Pool, pool

_LINKS = Query(across_accounts(select(data_links), "a test looks at everything"))
_AUDIT = Query(select(audit_log.c.action, audit_log.c.actor_id).where(audit_log.c.account_id == 1))


class _Page:
    """Asks the page's own application, like a front door."""

    def __init__(self, one: Pool) -> None:
        self.api = one.product.whole.mounts["/my-data"]


async def _open(one: Pool, path: str, method: str = "GET", body: object = None, accept: str = "text/html") -> Reply:
    page = _Page(one)
    return await ask(page, method, path, body, key=None, base="", headers={"accept": accept})


async def _links(one: Pool, phone: str = PHONE) -> list[str]:
    """The addresses that were sent to a number."""
    texts = [row["text"] for row in await one.messages("out") if row["phone"] == phone]
    return [found[0] for text in texts for found in [re.search(r"/my-data/[\w-]+", text)] if found]


async def test_who_asks_by_message_sees_stops_and_erases_what_is_held(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write("gizli söz", OTHER, name="Veli")
        await one.write("sözüm", name="Ayşe")
        contact_id = (await one.contact())["id"]
        given = {"contact_id": contact_id, "state": "granted", "source": "till", "proof": "form 1"}
        assert (await one.call("POST", "/consents", given)).status == 201
        await one.write("Verilerim?", name="Ayşe")
        (link,) = await _links(one)
        # The store keeps no key, and the link leads to one person only.
        key = link.removeprefix("/my-data/")
        assert key not in str([dict(row) for row in await one.db.all(_LINKS)])
        page = await _open(one, link)
        assert (page.status, page.headers["cache-control"]) == (200, "no-store")
        assert words("tr")["offers_on"] in page.body.decode()
        assert words("en")["offers_on"] in (await _open(one, f"{link}?lang=en")).body.decode()
        held = (await _open(one, f"{link}/file")).json()
        assert (held["contact"]["name"], held["held_by"], held["contact"]["phones"]) == ("Ayşe", "one", [PHONE])
        assert [word["state"] for word in held["contact"]["consents"]] == ["granted"]
        assert "sözüm" in [message["text"] for message in held["messages"]]
        assert "gizli" not in str(held)
        stopped = await _open(one, f"{link}/stop", "POST", {"sure": True})
        assert stopped.json() == {"wants_offers": False}
        assert words("tr")["offers_off"] in (await _open(one, link)).body.decode()
        (last, _) = (await one.call("GET", f"/contacts/{contact_id}/consents")).json()["data"]
        assert (last["state"], last["source"], last["proof"][:5]) == ("denied", "page", "link ")
        # Only who says so twice is erased; asked again, the same proof is shown.
        assert (await _open(one, f"{link}/erase", "POST", {"sure": False})).json() == {"receipt": None}
        receipts = [(await _open(one, f"{link}/erase", "POST", {"sure": True})).json()["receipt"] for _ in range(2)]
        assert receipts[0] == receipts[1]
        assert (receipts[0]["contact_id"], receipts[0]["counts"]["names"]) == (contact_id, 1)
        shown = (await _open(one, link)).body.decode()
        assert words("tr")["erased_heading"] in shown
        # In words: what of theirs went, and whatever a part may reach has a name.
        assert f"{words('tr')['count.names']}: 1" in shown
        reached = receipts[0]["counts"].keys()
        assert all({f"count.{name}" for name in reached} <= words(language).keys() for language in LANGUAGES)
        assert "Ayşe" not in shown
        assert (await one.call("GET", f"/contacts/{contact_id}")).status == 404
        assert (await _open(one, f"{link}/file")).status == 404
        noted = [(row["action"], row["actor_id"]) for row in await one.db.all(_AUDIT)]
        assert ("contact.erased", "customer") in noted
        assert ("contacts.exported", "customer") in noted
        one.clock.advance(86_401)
        over = await _open(one, link)
        assert (over.status, words("en")["problem.link_over"] in over.body.decode()) == (404, True)


async def test_links_are_few_go_to_their_own_number_and_end(database_url: str) -> None:
    async with pool(database_url) as one:
        # Who has not written cannot be written to freely.
        silent = (await one.call("POST", "/contacts", {"phone": OTHER})).json()["id"]
        refused = await one.call("POST", f"/contacts/{silent}/data-link")
        assert (refused.status, refused.json()["code"]) == (409, "contact_silent")
        await one.write("merhaba")
        contact_id = (await one.contact())["id"]
        assert (await one.call("POST", f"/contacts/{contact_id}/data-link", account=2)).status == 404
        for _ in range(2):
            sent = await one.call("POST", f"/contacts/{contact_id}/data-link")
            assert (sent.status, sent.json()["contact_id"]) == (202, contact_id)
            # Whoever asks for it does not see it.
            assert "my-data" not in sent.body.decode()
        await one.write("my data")
        assert len(set(await _links(one))) == 3
        full = await one.call("POST", f"/contacts/{contact_id}/data-link")
        assert (full.status, full.json()["code"]) == (409, "links_full")
        await one.write("bilgilerimi sil")
        assert len(await _links(one)) == 3
        with cases() as found:
            for text in ("my data plan", "verilerim nerede kaldı acaba", "data", "sil", "forget me not"):
                with found.case(text):
                    await one.write(text)
                    assert len(await _links(one)) == 3
        # Two contacts who are one person: the link of either shows that person.
        first = (await _links(one))[0]
        assert (await one.call("POST", f"/contacts/{contact_id}/merge", {"into": silent})).status == 200
        held = (await _open(one, f"{first}/file")).json()
        assert sorted(held["contact"]["phones"]) == sorted([PHONE, OTHER])


async def test_nobody_gets_in_without_the_key_and_strangers_are_paced(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write("my data")
        (link,) = await _links(one)
        wrong = [
            (link[:-1] + ("A" if link[-1] != "A" else "B"), "GET", None, 404),
            ("/my-data/short", "GET", None, 404),
            ("/my-data/../etc", "GET", None, 404),
            (f"{link}/erase", "GET", None, 405),
            (f"{link}/erase", "POST", b"sure=true", 422),
            (f"{link}/erase", "POST", {"sure": "yes"}, 422),
            (f"{link}/erase", "POST", {"sure": True, "contact_id": "x"}, 422),
            (link, "POST", {"sure": True}, 405),
        ]
        with cases() as found:
            for path, method, body, status in wrong:
                with found.case(f"{method} {path[-20:]} {body!r}"):
                    assert (await _open(one, path, method, body)).status == status
        assert (await one.contact())["phones"] == [PHONE]
        statuses = [(await _open(one, link)).status for _ in range(40)]
        assert statuses[-1] == 429


@pytest.mark.once
async def test_the_file_is_whole_and_readable(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write("my data")
        (link,) = await _links(one)
        rights: DataRights = one.product.of(ContactServices).rights
        raw = await rights.file(link.removeprefix("/my-data/"))
        assert set(msgspec.json.decode(raw)) == {"made_at", "held_by", "contact", "messages"}
