"""A station's screen prints by the system's dialog: a ticket is in one person's hands, and they say what became of it."""

from __future__ import annotations

import re
from pathlib import Path

from sqlalchemy import update

from tablegram.storage.database import Query
from tablegram.storage.tables import print_jobs
from tests.panel.diner import diner
from tests.panel.visiting import Page

# The pause after a failure is over.
_DUE = Query(update(print_jobs).where(print_jobs.c.account_id == 1).values(due_at=0))


def token(page: Page) -> str:
    found = re.search(r'data-ticket="([^"]+)"', page.text)
    return found[1] if found else ""


async def test_a_ticket_is_taken_shown_and_told_of_by_people(database_url: str, tmp_path: Path) -> None:
    async with diner(database_url, tmp_path) as one:
        cook, owner = await one.one.person("kitchen"), await one.one.person("owner")
        assert "kind “browser”" in (await cook.get("/panel/print")).text
        made = {
            "name": "Tablet",
            "kind": "browser",
            "stations": ["kitchen"],
            "profile": {"language": "en", "columns": 32},
        }
        printer = (await one.one.running.ask("POST", "/restaurant/printers", made)).json()["id"]
        home = f"/panel/print/{printer}"
        assert (await cook.get("/panel/print")).location == home
        assert "Nothing to print" in (await cook.get(home)).text
        order = await one.take()
        # Looking takes nothing.
        for _ in range(2):
            assert "data-next" in (await cook.get(home)).text
        assert (await cook.post(f"{home}/next", {})).location == home
        shown = await cook.get(home)
        assert order["order_id"] in shown.text
        assert 'class="paper paper-32"' in shown.text
        first = token(shown)
        # Another person's screen says who has it, and takes none.
        await owner.post(f"{home}/next", {})
        assert token(await owner.get(home)) == ""
        # No paper: the same ticket again after a moment, without a mark.
        await cook.post(f"{home}/end", {"token": first, "outcome": "missing"})
        assert token(await cook.get(home)) == ""
        await one.one.running.api.db.put((_DUE, {}))
        await cook.post(f"{home}/next", {})
        again = await cook.get(home)
        assert token(again) not in ("", first)
        assert "May have been" not in again.text
        # What is told about the first claim counts no more; what is told about this one counts once.
        for said in (first, "x", ""):
            await cook.post(f"{home}/end", {"token": said, "outcome": "printed"})
            assert token(await cook.get(home)) == token(again)
        for _ in range(2):
            assert (await cook.post(f"{home}/end", {"token": token(again), "outcome": "printed"})).location == home
        assert "Nothing to print" in (await cook.get(home)).text
        jobs = (await one.one.running.ask("GET", f"/restaurant/tickets?printer_id={printer}")).json()["data"][0]["jobs"]
        assert [job["state"] for job in jobs] == ["printed"]
        for path in ("/panel/print/prn_x", f"{home}x"):
            assert (await cook.get(path)).status == 404
            assert (await cook.post(f"{path}/next", {})).status == 404
