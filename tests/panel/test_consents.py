"""Consents in the panel: every word listed, found, drawn by week, taken along; texts in versions; the data link."""

from __future__ import annotations

from pathlib import Path

from tests.panel.visiting import house

PHONE = "905551112233"


async def test_words_are_listed_found_and_exported_and_texts_have_versions(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        ask = one.running.ask
        owner, staff, developer = [await one.person(role) for role in ("owner", "staff", "developer")]
        assert "Nobody has said anything yet" in (await owner.get("/panel/contacts/consents")).words
        made = await ask("POST", "/contacts", {"phone": PHONE, "name": "Ayşe <b>"})
        contact_id = made.json()["id"]
        other = (await ask("POST", "/contacts", {"phone": "905551112244", "name": "Veli"})).json()["id"]
        for who, state, purpose in (
            (contact_id, "granted", "marketing"), (contact_id, "denied", "marketing"), (other, "denied", "orders"),
        ):  # fmt: skip
            word = {"contact_id": who, "state": state, "purpose": purpose, "source": "<i>till</i>", "proof": "form 9"}
            assert (await ask("POST", "/consents", word)).status == 201
        listed = await owner.get("/panel/contacts/consents")
        assert listed.text.count('<tr data-key="') == 3
        assert "<i>till" not in listed.text
        assert "1 said yes and 1 said no" in listed.text
        for query, count in (
            ("state=denied", 2),
            ("purpose=orders", 1),
            ("q=veli", 1),
            ("q=ay%C5%9Fe&state=granted", 1),
        ):
            assert (await owner.get(f"/panel/contacts/consents?{query}")).text.count('<tr data-key="') == count, query
        assert "Nobody said that" in (await owner.get("/panel/contacts/consents?q=nobody")).words
        shown = await owner.get(f"/panel/contacts/{contact_id}")
        assert "What they said about messages" in shown.words
        assert "form 9" in shown.words
        registry = (await owner.read("/panel/contacts/consents/export?format=iys")).decode()
        assert f"+{PHONE},BIREYSEL,MESAJ,HS_FIZIKSEL_ORTAM," in registry
        assert (await owner.read("/panel/contacts/consents/export?format=csv")).decode().count("\n") == 4

        for words, status in (("Mavi Kapı bana yazabilir.", 303), ("Yeni cümle", 303), ("", 422), ("x" * 1_001, 422)):
            sent = await owner.post("/panel/contacts/consents/texts", {"language": "tr", "words": words})
            assert sent.status == status, words[:20]
        assert (await owner.post("/panel/contacts/consents/texts", {"language": "xx", "words": "y"})).status == 422
        listed = await staff.get("/panel/contacts/consents")
        assert listed.text.index("tr-2") < listed.text.index("tr-1")
        refused = await developer.post("/panel/contacts/consents/texts", {"language": "tr", "words": "z"})
        assert refused.status == 403
        # Nobody is written to who has not written.
        refused = await owner.post(f"/panel/contacts/{contact_id}/data-link", {})
        assert refused.status == 409
        assert (await developer.post(f"/panel/contacts/{contact_id}/data-link", {})).status == 403
