"""Two servers on one database and a printer that both can call: who freezes with a ticket in hand prints none of it."""

from __future__ import annotations

import asyncio
import functools
import time
from pathlib import Path
from typing import Any

import pytest

from tablegram.settings import Settings
from tablegram.storage.database import open_database
from tests.faults.background import in_background
from tests.faults.pair import LEASE_S, SETTINGS, go_on, is_frozen, second
from tests.printing.fakes.leading import Fake, fake
from tests.printing.kitchen import RUN_OUT
from tests.product import Product, running_product, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.shared, pytest.mark.timeout(240)]


def ask_for_a_ticket(product: Product, printer_id: str) -> None:
    status, told = product.call("POST", f"/restaurant/printers/{printer_id}/test")
    assert status == 201, told


def jobs(product: Product, printer_id: str) -> list[dict[str, Any]]:
    page = product.call("GET", f"/restaurant/tickets?printer_id={printer_id}")[1]
    return [job for one in page["data"] for job in one["jobs"]]


def marks(printer: Fake) -> list[bool]:
    """Of each paper that came out, whether it says that it may be the second."""
    papers = [" ".join(paper.decode("utf-8", "replace").upper().split()) for paper in printer.papers()]
    return ["MAY HAVE BEEN PRINTED" in paper for paper in papers]


def run_out(database_url: str, folder: Path) -> None:
    """The time of every claim is over, without anybody waiting for it."""

    async def work() -> None:
        db = open_database(Settings(database_url=database_url, data_dir=folder))
        await db.open()
        try:
            await db.put((RUN_OUT, {}))
        finally:
            await db.close()

    asyncio.run(work())


@pytest.mark.parametrize("is_taken_over", [True, pytest.param(False, marks=pytest.mark.later)])
def test_who_wakes_up_does_not_print_what_it_held(database_url: str, tmp_path: Path, is_taken_over: bool) -> None:
    settings = {**SETTINGS, "TABLEGRAM_FREEZE_AT": "printing.claimed"}
    with fake("raw") as printer, running_product(database_url, sandbox_alone=True, settings=settings) as one:
        profile = {"host": "127.0.0.1", "port": printer.ask("port")["port"], "language": "en"}
        made = {"name": "Direct", "kind": "direct", "stations": ["kitchen"], "profile": profile}
        status, told = one.call("POST", "/restaurant/printers", made)
        assert status == 201, told
        other = second(one, tmp_path)
        try:
            waiting = in_background(functools.partial(ask_for_a_ticket, one, told["id"]))
            wait_until(lambda: is_frozen(one), "the first server to freeze with the ticket in its hands")
            other.server.start()
            if is_taken_over:
                run_out(database_url, tmp_path)
                assert printer.ask("wait", papers=1)["there"]
                wait_until(lambda: jobs(other, told["id"])[0]["state"] == "printed", "the ticket to be told as printed")
            else:
                # Its lease is over, and its claim is not.
                time.sleep(2 * LEASE_S)
            go_on(one)
            waiting.join(30)
            assert printer.ask("wait", papers=1)["there"]
            # Whatever the first one still does, it does before it has answered and a ticket that came after is out.
            ask_for_a_ticket(one, told["id"])
            assert printer.ask("wait", papers=2)["there"]
            wait_until(
                lambda: [job["state"] for job in jobs(one, told["id"])] == ["printed"] * 2, "both to be told as printed"
            )
            time.sleep(LEASE_S)
        finally:
            go_on(one)
            if other.server.is_running():
                other.server.stop()
        # Who took it over cannot know whether a byte had gone out; who gave it back unprinted knows that none had.
        assert marks(printer) == [is_taken_over, False]
