"""How tickets look: chosen beside a picture of the paper, with and without scripts."""

from __future__ import annotations

from pathlib import Path

from tests.panel.set_up import set_up
from tests.panel.visiting import house


async def test_what_is_chosen_shows_on_the_paper_and_is_kept(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner, staff, turk = await one.person(), await one.person("staff"), await one.person("manager", language="tr")
        assert (await owner.get("/panel/venue/layouts")).location == "/panel/venue"
        venue = await set_up(owner)
        page = f"/panel/venue/layouts?venue={venue}"
        first = await owner.get(page)
        assert first.status == 200
        for word in ("Kitchen", "Bar", "Pass", "Receipt", "Table and time", "ORD-20261116-0042"):
            assert word in first.words
        assert "Servis tezgâhı" in (await turk.get(page)).words
        fields = {
            "of": "station:bar", "order": ["lines", "place", "footer"], "sections": ["lines", "place", "footer"],
            "head": "small", "dishes": "huge", "footer": "<b>Cheers</b>\r\nall", "link": "https://a.example/x",
            "language": "de", "columns": "32",
        }  # fmt: skip
        path = f"/panel/venue/{venue}/layouts"
        seen = await owner.post(f"{path}/preview", fields)
        assert seen.status == 200
        assert "<html" not in seen.text
        assert "paper-32" in seen.text
        assert "&lt;b&gt;Cheers" in seen.text
        assert "Tisch 12" in seen.words
        # Without scripts a section moves on the page, and nothing is kept yet.
        moved = await owner.post(path, {**fields, "move": "up:place"})
        assert moved.status == 200
        assert moved.text.index('data-section="place"') < moved.text.index('data-section="lines"')
        assert "Reset layout" not in (await owner.get(f"{page}&of=station:bar")).words
        saved = await owner.post(path, {**fields, "do": "save"})
        assert (saved.status, saved.location) == (303, f"{page}&of=station:bar")
        kept = await owner.get(saved.location)
        assert "Reset layout" in kept.words
        assert "Tisch 12" in kept.words
        assert "Look of tickets changed" in (await owner.get("/panel/audit")).words
        for wrong in (
            {"link": "javascript:alert(1)"},
            {"footer": "x" * 301},
            {"sections": ["lines"]},
            {"head": "giant"},
        ):
            refused = await owner.post(path, {**fields, "do": "save", **wrong})
            assert refused.status == 422, wrong
        assert (await owner.post(path, {**fields, "of": "station:sauna", "do": "save"})).status in (404, 422)
        assert (await owner.get(f"{page}&of=station:sauna")).status == 404
        assert (await staff.post(path, {**fields, "do": "save"})).status == 403
        assert (await owner.post(path, {"of": "station:bar", "do": "usual"})).status == 303
        assert "Reset layout" not in (await owner.get(f"{page}&of=station:bar")).words
