"""How a printer stands by what it says, and whose ticket it is by who says so."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tablegram.errors import Conflict
from tablegram.printing.printers.model import Status, read_status
from tablegram.printing.store.printers import GET
from tablegram.printing.transports import agents, cloudprnt, epson
from tablegram.printing.transports.agents import AgentPrinterState
from tablegram.printing.transports.browser import BrowserPrinting
from tablegram.printing.transports.cloudprnt import KnownPrinter
from tests.printing.kitchen import kitchen
from tests.printing.transports.ways import DirectWay


def test_a_printer_that_says_something_unheard_of_or_nothing_any_more_is_not_there() -> None:
    assert cloudprnt.status_of(499, "TSP") == Status(online=False, error="status_499", device="TSP")
    for word in (0x1, 0x8):
        assert epson.status_of(word) == Status(online=False, error="offline")
    assert epson.status_of(None, code="EPTR_COVER_OPEN").online is False


def test_an_agent_tells_of_its_printer_only_what_that_has_answered() -> None:
    assert agents.status_of(AgentPrinterState()) == Status()
    assert agents.status_of(AgentPrinterState(paper_low=True)) == Status()
    assert agents.status_of(AgentPrinterState(known=True)) == Status(paper="ok", cover="closed")
    assert agents.status_of(AgentPrinterState(known=True, paper_low=True)) == Status(paper="low", cover="closed")
    assert agents.status_of(AgentPrinterState(error="cover_open")) == Status(
        online=False, cover="open", error="cover_open"
    )


def test_a_printer_that_would_ask_without_a_pause_is_taken_to_ask_as_before() -> None:
    known = KnownPrinter(poll_s=5.0)
    asked = {
        said: cloudprnt.learn(known, {"GetPollInterval": said}).poll_s for said in ("0", "1", "3600", "3601", "-1")
    }
    assert asked == {"0": 5.0, "1": 1.0, "3600": 3_600.0, "3601": 5.0, "-1": 5.0}


async def test_a_screen_ends_no_ticket_that_is_over_or_in_the_hands_of_another(database_url: str) -> None:
    async with kitchen(database_url) as one:
        printer = await one.printer("Mutfak", "kitchen", kind="browser")
        here, printing = (1, printer.id), one.house.product.of(BrowserPrinting)
        await one.take(one.house.line("Lahmacun", 2))
        job = await printing.take(*here, "page")
        assert job is not None
        other_claim = f"{job.id}.{job.fence + 1}"
        for token in ("", "no token", other_claim):
            for printed in (True, False):
                with pytest.raises(Conflict) as refused:
                    await printing.end(*here, token, printed=printed)
                assert refused.value.code == "ticket_elsewhere"
        assert await one.states() == ["claimed"]
        await printing.end(*here, job.token, printed=True)
        with pytest.raises(Conflict):
            await printing.end(*here, job.token, printed=False)
        assert await one.states() == ["printed"]


async def test_a_printer_that_breaks_off_in_the_middle_is_shown_as_what_it_is(database_url: str) -> None:
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(kitchen(database_url))
        way = DirectWay(one, "", Path())
        await way.open(stack)
        await one.take(one.house.line("Lahmacun", 2))
        await one.jobs.scan()
        way.be("lost")
        await way.turn()
        (job,) = await one.queue()
        row = await one.db.first(GET, {"b_account": 1, "b_id": way.printer.id})
        assert row is not None
        standing = read_status(row["status"])
        assert (job["state"], job["doubt"], standing.can_print) == ("queued", 1, False)
        assert standing.error == job["error"]
