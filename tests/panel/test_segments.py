"""Segments in the panel: built from sentences while the number is shown, found by name, changed, and refused with words."""

from __future__ import annotations

import re
from pathlib import Path

from tests.panel.visiting import house

NEVER = {"sentence-1": "last_order.2", "holds-1": "yes", "how": "all"}
TAGGED = {"sentence-2": "tag.0", "gap-2-is": "vip", "holds-2": "no"}


async def test_an_owner_builds_a_segment_from_sentences(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        for number in range(3):
            person = {"phone": f"90555111220{number}", "name": f"Guest {number}", "tags": ["vip"] if number else []}
            assert (await one.running.ask("POST", "/contacts", person)).status == 201
        owner = await one.person()
        first = await owner.get("/panel/segments")
        assert "No segment is saved yet" in first.words
        assert "Lost customers" in first.words
        start = await owner.get("/panel/segments/new?start=lost")
        assert re.search(r'name="gap-1-not_within_days" value="30"', start.text)
        assert re.search(r'name="gap-2-at_least" value="3"', start.text)
        assert "0 contacts are in now" in start.words
        # Each sentence that can be chosen brings its own gaps along.
        assert 'data-of="orders.0"' in start.text
        assert "Read the campaign" not in start.words
        look = await owner.post("/panel/segments/look", {**NEVER, **TAGGED})
        assert "1 contact is in now" in look.words
        assert "Guest 0 Has never ordered Not: Has the tag vip" in look.words
        turkish = await owner.post(
            "/panel/segments/look?lang=tr", {**NEVER, "sentence-7": "orders.0", "gap-7-at_least": ""}
        )
        assert (turkish.status, "rules.all[1].at_least" in turkish.text) == (200, True)
        unfinished = await owner.post("/panel/segments", {**NEVER, "name": " "})
        assert (unfinished.status, "name-error" in unfinished.text) == (422, True)
        saved = await owner.post("/panel/segments", {**NEVER, **TAGGED, "name": "Shy guests"})
        assert (saved.status, saved.location) == (303, "/panel/segments")
        again = await owner.post("/panel/segments", {**NEVER, "name": "SHY GUESTS"})
        assert (again.status, "name-error" in again.text) == (422, True)
        listed = await owner.get("/panel/segments?q=shy")
        assert re.search(r"Shy guests 1 ", listed.words)
        assert "No segment is called so" in (await owner.get("/panel/segments?q=nobody")).words
        (segment,) = (await one.running.ask("GET", "/segments")).json()["data"]
        assert segment["rules"] == {
            "all": [{"rule": "last_order", "never": True}, {"not": {"rule": "tag", "is": "vip"}}]
        }
        page = f"/panel/segments/{segment['id']}"
        shown = await owner.get(page)
        assert re.search(r'value="tag.0" selected', shown.text)
        assert re.search(r'value="no" selected', shown.text)
        spent = {"sentence-3": "spent.0", "gap-3-at_least": "12,50", "gap-3-currency": "try", "how": "any"}
        assert (await owner.post(page, {**NEVER, **spent, "name": "All guests", "how": "any"})).status == 303
        (segment,) = (await one.running.ask("GET", "/segments")).json()["data"]
        assert segment["rules"]["any"][1] == {"rule": "spent", "at_least": 12.5, "currency": "TRY"}
        assert 'value="12.5"' in (await owner.get(page)).text
        # What a program built may be more than rows: it is shown, and kept, as it is.
        deep = {"any": [{"all": [{"rule": "orders", "at_most": 0}, {"rule": "tag", "is": "vip"}]}]}
        assert (await one.running.ask("PATCH", f"/segments/{segment['id']}", {"rules": deep})).status == 200
        nested = await owner.get(page)
        assert 'name="rules"' in nested.text
        assert "2 contacts are in now" in nested.words
        broken = await owner.post(page, {"name": "All guests", "rules": '{"all": '})
        assert broken.status == 422
        assert (
            await owner.post(page, {"name": "All guests", "rules": '{"rule": "orders", "at_most": 0}'})
        ).status == 303
        staff = await one.person("staff")
        assert (await staff.get("/panel/segments")).status == 403
        assert (await owner.post(page, {"act": "delete", "name": ""})).location == "/panel/segments"
        assert (await owner.get(page)).status == 404
