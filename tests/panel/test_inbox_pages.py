"""The inbox and contact pages without a browser: who may do what, and what works without any script."""

from __future__ import annotations

import re
from pathlib import Path

from tests.panel.visiting import House, house

PHONE = "905551112233"


async def contact(one: House, name: str = "Ayşe", phone: str = PHONE) -> str:
    """A contact, added through the form."""
    person = await one.person("manager", language="tr")
    made = await person.post("/panel/contacts", {"phone": f"+{phone}", "name": name, "tags": "vip"})
    assert made.status == 303, made.words
    return made.location.rpartition("/")[2]


async def test_everything_can_be_done_by_plain_forms(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        contact_id = await contact(one)
        owner = await one.person("owner")
        for path in (
            "/panel/inbox", "/panel/inbox?show=mine", "/panel/inbox?show=closed&q=ay", "/panel/inbox/replies",
            f"/panel/inbox/{contact_id}", f"/panel/contacts/{contact_id}", f"/panel/contacts/{contact_id}?part=sheet",
            f"/panel/inbox/{contact_id}?part=messages", f"/panel/inbox/{contact_id}?part=head", "/panel/contacts/new",
            f"/panel/inbox/{contact_id}?part=window", f"/panel/inbox/{contact_id}?part=card", "/panel/contacts",
            f"/panel/inbox/{contact_id}?part=list", f"/panel/contacts/{contact_id}/merge?q=a", "/panel/contacts/import",
        ):  # fmt: skip
            page = await owner.get(path)
            assert page.status == 200, (path, page.words)
        closed = await owner.post(f"/panel/inbox/{contact_id}/state", {"act": "close"})
        assert closed.location == "/panel/inbox"
        assert "closed" in (await owner.get(f"/panel/inbox/{contact_id}?part=head")).words
        reply = await owner.post("/panel/inbox/replies", {"shortcut": "saat", "text": "9-23"})
        assert reply.status == 303, reply.words
        again = await owner.post("/panel/inbox/replies", {"shortcut": "saat", "text": "kept words"})
        assert again.status == 422
        assert "kept words" in again.text
        listed = await owner.get("/panel/inbox/replies")
        (reply_id,) = set(re.findall(r"/panel/inbox/replies/(\w{20,})", listed.text))
        assert (await owner.get(f"/panel/inbox/replies/{reply_id}?part=sheet")).status == 200
        assert (await owner.post(f"/panel/inbox/replies/{reply_id}", {"act": "delete"})).status == 303


async def test_another_accounts_contact_is_not_there(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        contact_id = await contact(one)
        other = await one.person("owner", account=2)
        for path in (
            f"/panel/inbox/{contact_id}",
            f"/panel/contacts/{contact_id}",
            f"/panel/inbox/{contact_id}/template",
        ):
            assert (await other.get(path)).status == 404
        refused = await other.post(f"/panel/contacts/{contact_id}/erase", {"confirm": "Ayşe"})
        assert refused.status == 404
        assert (await other.post(f"/panel/inbox/{contact_id}/send", {"text": "hi"})).status == 404


async def test_roles_that_may_not_are_refused(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        contact_id = await contact(one)
        kitchen, developer = await one.person("kitchen"), await one.person("developer")
        for path in ("/panel/inbox", "/panel/contacts", f"/panel/inbox/{contact_id}", "/panel/files/med_x"):
            assert (await kitchen.get(path)).status == 403
        for path in (f"/panel/contacts/{contact_id}", f"/panel/contacts/{contact_id}/erase", "/panel/contacts/import"):
            assert (await developer.post(path, {"confirm": "Ayşe", "name": "Taken over"})).status == 403
        assert (await developer.get(f"/panel/contacts/{contact_id}")).status == 200


async def test_a_form_of_another_browser_changes_nothing(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        contact_id = await contact(one)
        owner = await one.person("owner")
        for path in (f"/panel/contacts/{contact_id}/erase", f"/panel/inbox/{contact_id}/send"):
            assert (await owner.post(path, {"confirm": "Ayşe", "text": "x"}, csrf="forged")).status == 403
        assert (await owner.get(f"/panel/contacts/{contact_id}")).status == 200


async def test_saving_a_form_again_is_no_new_consent(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        contact_id = await contact(one)
        owner = await one.person("owner")
        fields = {"name": "Ayşe", "tags": "vip, bahçe", "notes": "n", "consent": "granted", "language": "tr"}
        assert (await owner.post(f"/panel/contacts/{contact_id}", fields)).status == 303
        first = (await owner.get(f"/panel/contacts/{contact_id}")).text
        assert (await owner.post(f"/panel/contacts/{contact_id}", fields)).status == 303
        assert re.findall(r"datetime=\"[^\"]+\"", first) == re.findall(
            r"datetime=\"[^\"]+\"", (await owner.get(f"/panel/contacts/{contact_id}")).text
        )
        wrong = await owner.post(f"/panel/contacts/{contact_id}", {**fields, "language": "not a language"})
        assert wrong.status == 422
        assert "not a language" in wrong.text
