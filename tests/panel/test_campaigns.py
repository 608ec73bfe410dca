"""Campaigns in the panel: written, looked at, tried, started, watched, paused, and read about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tablegram.crm.consent import ledger
from tablegram.crm.contacts import new_contact
from tablegram.crm.store import contacts as contact_store
from tablegram.flows.files.services import FileServices
from tablegram.messaging.instances import Config, Secrets
from tablegram.storage.database import Tx
from tablegram.values.clock import DAY_MS
from tablegram.wiring.areas.marketing.campaigns import CampaignWorks
from tests.engine.waiting import until
from tests.messaging.lines.stub_graph import stub_graph
from tests.panel.line_fields import CLOUD
from tests.panel.test_templates import Network
from tests.panel.visiting import House, house

PNG = b"\x89PNG\r\n\x1a\n" + bytes(200)
WORDS = {
    "name": "Brunch <b>", "text": "Hi {{first_name|friend}}, see https://e.example/menu", "text_b": "", "media_url": "",
    "quiet_from": "", "quiet_until": "", "cap_messages": "2", "holdout_percent": "0", "pace_per_min": "0",
    "language": "en", "time_zone": "Europe/Istanbul",
}  # fmt: skip


async def add(here: House, phone: str) -> None:
    now = here.running.api.clock.now_ms()

    async def work(tx: Tx) -> None:
        await tx.run(contact_store.INSERT, {**new_contact(1, f"c{phone}", "Ayşe Yılmaz", now), "window_until": None})
        alias = {"account_id": 1, "kind": "phone", "value": phone, "contact_id": f"c{phone}"}
        await tx.all(contact_store.CLAIM_ALIAS, alias)
        word = ledger.Word(account_id=1, contact_id=f"c{phone}", state="granted", source="test", at=now)
        await ledger.note(tx, [word])

    await here.running.api.db.write(work)


async def test_a_campaign_is_written_looked_at_started_and_read_about(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        assert "No campaign yet" in (await owner.get("/panel/campaigns")).words
        await add(here, "905551110001")
        other = {"phone": "905551110002", "name": "Ayşe Yılmaz"}
        assert (await here.running.ask("POST", "/contacts", other)).status == 201
        wrong = await owner.post("/panel/campaigns", {**WORDS, "text": "Hi {{nmae}}"})
        assert wrong.status == 422
        assert "Use {{name}}, {{first_name}}" in wrong.words
        assert (await owner.post("/panel/campaigns", {**WORDS, "holdout_percent": "99"})).status == 422
        assert (await owner.post("/panel/campaigns", {**WORDS, "name": " "})).status == 422
        lines = here.running.api.instances
        await here.running.api.db.write(lambda tx: lines.create(tx, 1, "sandbox", "", Config(), Secrets(), None))
        rules = {"all": [{"rule": "last_order", "never": True}]}
        segment = (await here.running.ask("POST", "/segments", {"name": "Shy", "rules": rules})).json()["id"]
        idea = await owner.get("/panel/campaigns/new?idea=missed")
        # What an idea is for is chosen with it, though nobody has saved that group yet; the one that is saved is there once.
        assert "Everybody (2) Shy (2) Regulars (0) Lost customers (0) Birthdays this month (0)" in idea.words
        assert '<option value="ready:lost" selected>' in idea.text
        assert "Never ordered" not in idea.words
        assert "Hi Alex, we have not seen you for a while" in idea.words
        look = await owner.post("/panel/campaigns/look", {**WORDS, "text": "Hi {{nmae}}"})
        assert (look.status, "Use {{name}}, {{first_name}}" in look.words) == (200, True)
        assert (
            "Give the address of a picture"
            in (await owner.post("/panel/campaigns/look", {**WORDS, "media_url": "http://e.example/a b"})).words
        )
        assert "The templates cannot be fetched" in (await owner.get("/panel/campaigns/new?kind=template")).words
        made = await owner.post("/panel/campaigns", {**WORDS, "segment_id": "gone"})
        assert (made.status, "This segment is gone" in made.words) == (422, True)
        # A group becomes a segment when it is chosen and the rest can be read, once, however often it is chosen.
        saved = [
            await owner.post("/panel/campaigns", {**WORDS, "segment_id": f"ready:{name}"}) for name in ("lost", "lost")
        ]
        assert [answer.status for answer in saved] == [303, 303]
        assert (await owner.post("/panel/campaigns", {**WORDS, "segment_id": "ready:nobody"})).status == 422
        assert (await owner.get("/panel/segments")).text.count("Lost customers</a>") == 1
        wrong = await owner.post("/panel/campaigns", {**WORDS, "name": " ", "segment_id": "ready:lost"})
        assert '<option value="ready:lost" selected>' in wrong.text
        assert '<option value="ready:lost"' not in (await owner.get("/panel/campaigns/new?idea=missed")).text
        made = await owner.post("/panel/campaigns", {**WORDS, "segment_id": segment})
        assert made.status == 303
        place = made.headers["location"]
        check = await owner.get(place)
        assert "Hi Alex, see https://e.example/menu" in check.words
        assert "Reply STOP" in check.words
        assert "Did not agree to marketing" in check.words
        assert "Brunch &lt;b&gt;" in check.text
        assert "of 2 contacts · Shy" in check.words
        assert "Hi Ayşe, see" in (await owner.get(f"{place}?q=905551110002")).words
        assert "Nobody is called so" in (await owner.get(f"{place}?q=nobody")).words
        assert (await owner.post(place, {**WORDS, "text_b": "Another"})).status == 303
        assert "Text 2" in (await owner.get(place)).words
        assert (await owner.post(f"{place}/test", {"phone": "12"})).status == 422
        assert (await owner.post(f"{place}/start", {"when": "later", "starts_at": "x"})).status == 422
        assert (await owner.post(f"{place}/start", {"when": "later", "starts_at": "2020-01-01T10:00"})).status == 422
        assert (await owner.post(f"{place}/start", {"when": "now"})).status == 303
        assert (await owner.post(f"{place}/start", {"when": "now"})).status == 409
        assert (await owner.get(f"{place}/edit")).status == 303
        assert (await owner.post(f"{place}/pause", {})).status == 303
        assert "Paused" in (await owner.get(place)).words
        assert (await owner.post(f"{place}/resume", {})).status == 303
        engine = here.running.api.of(CampaignWorks).clock

        async def is_listed() -> bool:
            engine.wake()
            return "Did not agree to marketing" in (await owner.get(place)).words

        await until(is_listed, "the campaign to reach everybody")
        report = await owner.get(place)
        assert "Orders within 7 days" in report.words
        assert "https://e.example/menu" in report.words
        assert "?state=skipped&amp;reason=no_consent" in report.text
        everybody = await owner.get(f"{place}/people")
        assert everybody.words.count("Ayşe Yılmaz") == 2
        left_out = await owner.get(f"{place}/people?state=skipped&reason=no_consent")
        assert left_out.words.count("Ayşe Yılmaz") == 1
        assert "Nobody here" in (await owner.get(f"{place}/people?reason=capped")).words
        rows = (await here.running.ask("GET", f"{place.removeprefix('/panel')}/sends?reason=no_consent")).json()["data"]
        assert [row["reason"] for row in rows] == ["no_consent"]
        card = await owner.get(f"/panel/contacts/{rows[0]['contact_id']}")
        assert "Not sent, and why Did not agree to marketing Brunch <b>" in card.words
        listed = await owner.get(f"/panel/contacts/{rows[0]['contact_id']}/unsent")
        assert "Did not agree to marketing" in listed.words
        unsent = await owner.get(f"/panel/contacts/{rows[0]['contact_id']}/unsent?source=automation")
        assert "Nothing was held back" in unsent.words
        told = (await here.running.ask("GET", f"/contacts/{rows[0]['contact_id']}/unsent?source=campaign")).json()[
            "data"
        ]
        assert [(one["source"], one["name"], one["reason"]) for one in told] == [
            ("campaign", "Brunch <b>", "no_consent")
        ]
        assert (await owner.get(f"{place}/export")).status == 200
        ended = await owner.post(f"{place}/cancel", {})
        assert ended.status in (303, 409)
        assert "Brunch" in (await owner.get("/panel/campaigns")).words
        assert "None in this state" in (await owner.get("/panel/campaigns?state=missed")).words
        assert (await owner.get("/panel/campaigns/nothing")).status == 404
        staff = await here.person("staff")
        assert (await staff.get("/panel/campaigns")).status == 403


async def test_a_picture_is_uploaded_seen_sent_with_the_words_and_let_go(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner, api = await here.person(), here.running.api
        await add(here, "905551110001")
        await api.db.write(lambda tx: api.instances.create(tx, 1, "sandbox", "", Config(), Secrets(), None))
        assert (await owner.upload("/panel/campaigns", WORDS, "picture", "a.pdf", b"%PDF-1.7 x")).status == 422
        place = (await owner.upload("/panel/campaigns", WORDS, "picture", "brunch.png", PNG)).headers["location"]
        assert await owner.read(f"{place}/picture") == PNG
        assert f'<img src="{place}/picture"' in (await owner.get(place)).text
        assert "Take the picture away" in (await owner.get(f"{place}/edit")).words
        assert (await owner.post(place, {**WORDS, "picture_gone": "1"})).status == 303
        assert (await owner.get(f"{place}/picture")).status == 404
        assert "said-picture" not in (await owner.get(place)).text
        assert (await owner.upload(place, WORDS, "picture", "brunch.png", PNG)).status == 303
        # What is saved again keeps it, and what is old is forgotten, but no picture that is still to be sent.
        assert (await owner.post(place, {**WORDS, "name": "Again"})).status == 303
        library, later = api.of(FileServices).library, api.clock.now_ms() + 2 * DAY_MS
        await library.forget_unsent(later)
        assert await owner.read(f"{place}/picture") == PNG
        assert (await owner.post(f"{place}/start", {"when": "now"})).status == 303
        engine = api.of(CampaignWorks).clock

        async def queued() -> list[dict[str, Any]]:
            engine.wake()
            return list((await here.running.ask("GET", "/messages?phone=905551110001")).json()["data"])

        await until(queued, "the message to be queued")
        (message,) = await queued()
        assert (message["type"], message["text"].startswith("Hi Ayşe")) == ("image", True)
        picture = f"/panel/files/{message['media']['id']}"
        assert await owner.read(picture) == PNG
        # The campaign lets it go when it is over; the message keeps it.
        assert (await owner.post(f"{place}/cancel", {})).status == 303
        assert await library.forget_unsent(later) >= 1
        assert (await owner.get(f"{place}/picture")).status == 404
        assert await owner.read(picture) == PNG


async def test_templates_are_chosen_filled_in_beside_each_other_and_compared(database_url: str, tmp_path: Path) -> None:
    async with stub_graph() as graph, house(database_url, tmp_path, cloud_base_url=graph.url) as here:
        network = Network(graph)
        texts = {"brunch": "Hi {{1}}, brunch?", "dinner": "Dinner, {{1}}? Look: {{2}}"}
        network.templates[:] = [
            {"id": name, "name": name, "language": "en", "status": "APPROVED", "category": category,
             "components": [{"type": "BODY", "text": texts.get(name, "Order {{1}}")}]}
            for name, category in (("brunch", "MARKETING"), ("dinner", "MARKETING"), ("order", "UTILITY"))
        ]  # fmt: skip
        owner = await here.person()
        await add(here, "905551110001")
        await owner.post("/panel/lines", {**CLOUD, "waba_id": "77"})
        choice = await owner.get("/panel/campaigns/new?kind=template")
        assert "brunch en Hi {{1}}, brunch?" in choice.words
        assert "order en" not in choice.words
        typed = {
            **WORDS,
            "kind": "template",
            "template": "brunch/en",
            "shown": "brunch/en",
            "value-1": "{{first_name|x}}",
        }
        # A second one that was only chosen is shown before anything is saved, and what was typed stays.
        second = await owner.post("/panel/campaigns", {**typed, "template.2": "dinner/en"})
        assert (second.status, 'name="value-2.2"' in second.text, "{{first_name|x}}" in second.text) == (
            200,
            True,
            True,
        )
        assert "Version 2: dinner" in second.words
        assert "No campaign yet" in (await owner.get("/panel/campaigns")).words
        typed |= {
            "template.2": "dinner/en",
            "shown.2": "dinner/en",
            "value-1.2": "{{name|x}}",
            "value-2.2": "{{nobody}}",
        }
        wrong = await owner.post("/panel/campaigns", typed)
        assert (wrong.status, "versions[1].template_variables-error" in wrong.text) == (422, True)
        made = await owner.post("/panel/campaigns", {**typed, "value-2.2": "https://e.example/menu"})
        place = made.headers["location"]
        check = await owner.get(place)
        assert "Version 1 Hi Alex, brunch?" in check.words
        assert "Version 2 Dinner, Alex Smith? Look: https://e.example/menu" in check.words
        edit = (await owner.get(f"{place}/edit")).text
        assert '<option value="dinner/en" selected>' in edit
        assert 'value="https://e.example/menu"' in edit
        network.templates[1]["status"] = "PAUSED"
        paused = await owner.post(f"{place}/start", {"when": "now"})
        assert "Version 2: The network has not approved this template" in paused.words
        network.templates[1]["status"] = "APPROVED"
        assert (await owner.post(f"{place}/start", {"when": "now"})).status == 303
        report = await owner.get(place)
        for words in ("Version 1 brunch/en", "Version 2 dinner/en"):
            assert words in report.words
        shown = (await here.running.ask("GET", place.removeprefix("/panel"))).json()
        assert [one["template_name"] for one in shown["versions"]] == ["brunch", "dinner"]
        again = {"versions": shown["versions"], "template_name": "brunch", "name": "Copy", "kind": "template"}
        copy = await here.running.ask("POST", "/campaigns", again)
        assert (copy.status, copy.json()["versions"]) == (201, shown["versions"])
