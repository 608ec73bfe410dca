"""The agent and a real queue of CUPS: from the ticket in the server's queue to the bytes at the printer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tablegram.printagent.devices.cups import CupsPrinter
from tablegram.printagent.devices.opening import open_device
from tablegram.printagent.devices.state import OFFLINE, UNKNOWN, State
from tablegram.printagent.journal import Journal
from tablegram.printagent.link import Link
from tablegram.printagent.working import Worker
from tests.printing.fakes.cups import Cups, cups
from tests.printing.fakes.leading import Fake, fake
from tests.printing.kitchen import kitchen
from tests.printing.transports.ways import listening

pytestmark = [pytest.mark.once, pytest.mark.timeout(180)]
# Bytes that no filter leaves as they are.
TICKET = b"\x1b@\x00\xff2 x \x80ay\r\n\x1dV\x42\x00" * 40


@pytest.fixture
def printer() -> Iterator[Fake]:
    with fake("raw") as made:
        yield made


@pytest.fixture
def queue(printer: Fake, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cups]:
    with cups(printer.ask("port")["port"]) as made:
        monkeypatch.setenv("CUPS_SERVER", made.server)
        yield made


async def test_a_ticket_goes_through_the_queue_as_it_is_and_waits_there_for_a_printer_that_is_away(
    database_url: str, tmp_path: Path, printer: Fake, queue: Cups
) -> None:
    device = open_device("cups:kitchen")
    assert isinstance(device, CupsPrinter)
    assert device.print(TICKET) == UNKNOWN
    assert printer.ask("wait", papers=1)["there"]
    assert printer.papers() == [TICKET]
    # Whoever stops the queue stops the agent, which hands nothing over that nobody would print.
    queue.settle()
    queue.run("cupsdisable", "kitchen")
    assert device.state() == device.print(TICKET) == State(True, "stopped")
    assert CupsPrinter("bar").state() == CupsPrinter("bar").print(TICKET) == OFFLINE
    queue.run("cupsenable", "kitchen")
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(kitchen(database_url))
        url = await stack.enter_async_context(listening(one))
        known = await one.printer("Kitchen", "kitchen", kind="agent", profile={"language": "en"})
        link = Link(url, one.house.product.box.open(known.key_sealed), "one", wait_s=0)
        stack.callback(link.close)
        worker = Worker("one", link, Journal(tmp_path / "journal"), "cups:kitchen", lambda words: None)
        numbers = [await one.take(), await one.take()]
        for _ in range(3):
            await asyncio.to_thread(worker.step)
        assert await one.states() == ["printed", "printed"]
        assert (await asyncio.to_thread(lambda: printer.ask("wait", papers=3)))["there"]
        came = [paper.decode("utf-8", "replace") for paper in printer.papers()[1:]]
        assert [[number in paper for number in numbers] for paper in came] == [[True, False], [False, True]]
        # CUPS has said that it takes it: it lies in its queue until the printer is there again, and comes out once.
        await asyncio.to_thread(lambda: printer.ask("set", dead=True))
        last = await one.take()
        await asyncio.to_thread(worker.step)
        assert (await one.states())[-1] == "printed"
        await asyncio.to_thread(lambda: printer.ask("set", dead=False))
        assert (await asyncio.to_thread(lambda: printer.ask("wait", papers=4)))["there"]
        assert last in printer.papers()[3].decode("utf-8", "replace")
