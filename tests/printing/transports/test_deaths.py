"""Server and agent die at every named step: a ticket comes out once, or once more with a mark where nobody can know."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest

from tablegram.printagent import working
from tablegram.printagent.working import CRASH_VARIABLE
from tablegram.settings import Settings
from tablegram.storage.database import open_database
from tests.printing.fakes.leading import Fake, fake
from tests.printing.kitchen import RUN_OUT, kitchen
from tests.printing.transports.ways import listening
from tests.product import Product, running_product, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.timeout(300)]


@contextmanager
def agent(url: str, key: str, printer: Fake, folder: Path, crash_at: str = "") -> Iterator[subprocess.Popen[bytes]]:
    """The agent's own process; it ends with the test whatever happened."""
    command = [sys.executable, "-m", "tablegram.printagent", "--server", url, "--state", str(folder)]
    device = f"{key}=tcp://127.0.0.1:{printer.ask('port')['port']}"
    process = subprocess.Popen([*command, "--key", device], env={**os.environ, CRASH_VARIABLE: crash_at})
    try:
        yield process
    finally:
        process.kill()
        process.wait()


WORKING = Path(working.__file__).parent
# How many papers come out when the agent dies there, and whether the last of them says that it may be the second.
AGENT = {"received": (1, False), "begun": (1, True), "written": (2, True), "ended": (1, False), "told": (1, False)}


async def test_an_agent_that_dies_prints_nothing_twice_in_silence(database_url: str, tmp_path: Path) -> None:
    reached = {point for path in WORKING.glob("*.py") for point in re.findall(r'_reach\("(\w+)"\)', path.read_text())}
    assert set(AGENT) == reached
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(kitchen(database_url))
        url = await stack.enter_async_context(listening(one))
        for point, (papers, mark) in AGENT.items():
            printer = stack.enter_context(fake("raw"))
            known = await one.printer(point, "kitchen", kind="agent", profile={"language": "en"})
            key, folder = one.house.product.box.open(known.key_sealed), tmp_path / point
            number = await one.take()
            await one.jobs.scan()
            with agent(url, key, printer, folder, point) as dying:
                assert await asyncio.to_thread(dying.wait) == -signal.SIGKILL, point
            one.clock.advance(6)
            with agent(url, key, printer, folder):
                while (row := (await one.queue())[-1])["state"] != "printed":
                    # What went back into the line waits for its time.
                    if row["due_at"] > one.clock.now_ms():
                        one.clock.advance(6)
                    await asyncio.sleep(0.1)
                assert (await asyncio.to_thread(partial(printer.ask, "wait", papers=papers)))["there"], point
            came = [paper.decode("utf-8", "replace").upper() for paper in await asyncio.to_thread(printer.papers)]
            assert len(came) == papers, point
            assert all(number in paper for paper in came), point
            assert ["MAY HAVE BEEN PRINTED" in " ".join(paper.split()) for paper in came] == [False] * (papers - 1) + [
                mark
            ], point
            assert (await one.queue())[-1]["state"] == "printed", point
            await one.services.printers.remove(one.owner, known.id)


SERVER = ("printing.claimed", "printing.handed_over", "printing.before_printed", "printing.printed")


def _ask_for_a_ticket(product: Product, path: str) -> None:
    """The server may die of the ticket before it has answered."""
    with suppress(ConnectionError):
        assert product.call("POST", path)[0] == 201


def test_a_server_that_dies_has_each_ticket_printed_once(database_url: str, tmp_path: Path) -> None:
    with running_product(database_url) as product, fake("raw") as printer:
        made = {"name": "Agent", "kind": "agent", "stations": ["kitchen"]}
        status, told = product.call("POST", "/restaurant/printers", made)
        assert status == 201, told
        path = f"/restaurant/printers/{told['id']}/test"

        def tickets() -> list[str]:
            page = product.call("GET", f"/restaurant/tickets?printer_id={told['id']}")[1]
            return [job["state"] for one in page["data"] for job in one["jobs"]]

        server = product.server
        with agent(product.url, told["key"], printer, tmp_path):
            for number, point in enumerate(SERVER, 1):
                server.kill()
                server.environment["TABLEGRAM_CRASH_AT"] = point
                server.start()
                _ask_for_a_ticket(product, path)
                assert server.wait_for_death() == -signal.SIGKILL, point
                del server.environment["TABLEGRAM_CRASH_AT"]
                server.start()
                assert printer.ask("wait", papers=number)["there"], point
                wait_until(
                    lambda n=number: tickets() == ["printed"] * n, f"the ticket to be told as printed after {point}"
                )
        # Once each: the agent knows what it has begun, so that none of them is in doubt.
        papers = [paper.decode("utf-8", "replace").upper() for paper in printer.papers()]
        assert len(papers) == len(SERVER)
        assert not any("MAY HAVE BEEN" in paper or "OLABİL" in paper for paper in papers)


def test_a_server_that_dies_between_a_printers_bytes_and_their_row_prints_once_more_with_a_mark(
    database_url: str, tmp_path: Path
) -> None:
    """Nobody journals for a printer that the server itself calls."""
    allowed = {"TABLEGRAM_ALLOWED_PRIVATE_TARGETS": "127.0.0.0/8"}
    with running_product(database_url, settings=allowed) as product, fake("raw") as printer:
        profile = {"host": "127.0.0.1", "port": printer.ask("port")["port"], "language": "en"}
        made = {"name": "Direct", "kind": "direct", "stations": ["kitchen"], "profile": profile}
        status, told = product.call("POST", "/restaurant/printers", made)
        assert status == 201, told
        server = product.server
        server.kill()
        server.environment["TABLEGRAM_CRASH_AT"] = "printing.written"
        server.start()
        _ask_for_a_ticket(product, f"/restaurant/printers/{told['id']}/test")
        assert server.wait_for_death() == -signal.SIGKILL
        assert printer.ask("wait", papers=1)["there"]
        del server.environment["TABLEGRAM_CRASH_AT"]
        asyncio.run(_run_out(database_url, tmp_path))
        server.start()
        assert printer.ask("wait", papers=2)["there"]
        path = f"/restaurant/tickets?printer_id={told['id']}"
        wait_until(
            lambda: (
                [job["state"] for one in product.call("GET", path)[1]["data"] for job in one["jobs"]] == ["printed"]
            ),
            "the ticket to be told as printed",
        )
        papers = [" ".join(paper.decode("utf-8", "replace").upper().split()) for paper in printer.papers()]
    assert ["MAY HAVE BEEN PRINTED" in paper for paper in papers] == [False, True]


async def _run_out(database_url: str, folder: Path) -> None:
    """The time of the dead server's claim is over, without anybody waiting for it."""
    db = open_database(Settings(database_url=database_url, data_dir=folder))
    await db.open()
    try:
        await db.put((RUN_OUT, {}))
    finally:
        await db.close()
