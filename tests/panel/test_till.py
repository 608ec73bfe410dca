"""The drawer, as who takes money counts it at night on a phone."""

from __future__ import annotations

import re
from pathlib import Path

from tests.panel.diner import diner


async def test_a_drawer_is_filled_paid_out_and_counted_once(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        waiter, cook = await one.one.person("staff"), await one.one.person("kitchen")
        assert (await cook.get("/panel/till")).status == 403
        page = await waiter.get("/panel/till")
        assert "Nobody has counted the drawer yet" in page.words
        # The tabs of who runs the place are not for waiters; the drawer is in their list of places.
        assert "/panel/takings" not in page.text
        venue = one.venue.id

        def fields(text: str, **more: str) -> dict[str, str]:
            mark = re.findall(r'name="once" value="(\w+)"', text)[0]
            return {"venue": venue, "once": mark, **more}

        put = fields(page.text, kind="put_in", amount="500", why="Float")
        for _ in range(2):
            assert (await waiter.post("/panel/till/move", put)).status == 303
        refused = await waiter.post("/panel/till/move", fields(page.text, kind="paid_out", amount="12", why=""))
        assert (refused.status, "Say what it is for" in refused.words) == (422, True)
        order = await one.take()
        tab = (await waiter.get(f"/panel/bills/{order['tab_id']}")).text
        took = {**fields(tab), "how": "amount", "amount": "30", "tip": "5", "method": "cash"}
        assert (await waiter.post(f"/panel/bills/{order['tab_id']}/take", took)).status == 303
        page = await waiter.get("/panel/till")
        assert "₺535.00" in page.words
        for wrong, words in (
            ({}, "Write how much is in the drawer"),
            ({"counted_amount": "x"}, "Write an amount"),
            ({"counted_amount": "530"}, "It is not what should be there"),
            ({"note_20000": "-2"}, "Write how many there are"),
            ({"counted_amount": "535", "note_20000": "2"}, "The notes come to another sum"),
            ({"counted_amount": "535", "expected": "530"}, "Cash has come or gone meanwhile"),
        ):
            told = await waiter.post("/panel/till/count", fields(page.text, **wrong))
            assert told.status in (409, 422), wrong
            assert words in told.words, wrong
            # What comes live from now on is of the same venue.
            assert f'data-here="/panel/till?venue={venue}"' in told.text
        notes = {"note_20000": "2", "note_10000": "1", "note_500": "6", "kept_amount": "200", "expected": "535"}
        counted = fields(page.text, reason="A wrong change", **notes)
        first = await waiter.post("/panel/till/count", counted)
        assert first.status == 303
        assert (await waiter.post("/panel/till/count", counted)).location == first.location
        shown = (await waiter.get(first.location)).words
        for words in ("Count 1", "₺530.00", "₺5.00 missing", "A wrong change", "Taken out", "₺330.00", "2 × ₺200.00"):
            assert words in shown, words
        owner = await one.one.person("owner")
        for part, words in (
            ("till?part=now", "₺200.00"),
            ("till?part=moved", "Since"),
            ("takings?part=takings", "₺30.00"),
        ):
            told = await owner.get(f"/panel/{part}")
            assert (told.status, words in told.words, "<html" in told.text) == (200, True, False), part
        after = await waiter.get("/panel/till")
        assert "₺200.00" in after.words
        assert "Count 1" in after.words
        for path in (f"{first.location.partition('?')[0]}x", "/panel/till?venue=x"):
            assert (await waiter.get(path)).status == 404
