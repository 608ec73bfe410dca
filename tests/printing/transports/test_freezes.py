"""A process stands still with a job in its hands, and wakes up: what may be another's by now does not go out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from tablegram.engine.leases import steady_s
from tablegram.printing.jobs import LEASE_MS, Job
from tablegram.printing.printers.model import Printer
from tablegram.printing.transports import calling, loops, pretending
from tablegram.printing.transports.loops import BEGIN_WITHIN_S
from tablegram.printing.transports.pretending import Pretender
from tablegram.wiring.areas.printers import PrinterWays
from tests.printing.kitchen import Kitchen, kitchen
from tests.printing.transports.ways import DirectWay, sure_lease

FROZEN_S = 120.0
Sleep = Callable[[], Awaitable[None]]


@pytest.fixture
def sleep(monkeypatch: pytest.MonkeyPatch) -> Sleep:
    """Two minutes pass at once on the clock that says for how long a job has been in hand."""
    slept = [0.0]
    for module in (loops, calling, pretending):
        monkeypatch.setattr(module, "steady_s", lambda: steady_s() + slept[0])

    async def sleep() -> None:
        slept[0] += FROZEN_S

    return sleep


@asynccontextmanager
async def direct(database_url: str) -> AsyncIterator[tuple[Kitchen, DirectWay]]:
    """A printer on TCP, and an order that waits for it."""
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(kitchen(database_url))
        way = DirectWay(one, "", Path())
        await way.open(stack)
        await one.take(one.house.line("Lahmacun", 2))
        await one.jobs.scan()
        yield one, way


def stand_still_after_claim(one: Kitchen, monkeypatch: pytest.MonkeyPatch, meanwhile: Sleep) -> None:
    """The next claim is committed, and whoever made it hears of it only when all that has happened."""
    really = one.jobs.next

    async def frozen(printer: Printer, by: str = "") -> Job | None:
        monkeypatch.setattr(one.jobs, "next", really)
        job = await really(printer, by)
        assert job is not None
        await meanwhile()
        return job

    monkeypatch.setattr(one.jobs, "next", frozen)


async def marks(way: DirectWay, papers: int) -> list[bool]:
    """Of each paper, whether it says that it may be the second; there are at least so many."""
    assert (await way.ask("wait", papers=papers))["there"]
    said = [" ".join(paper.upper().split()) for paper in await way.papers()]
    return ["MAY HAVE BEEN PRINTED" in paper for paper in said]


async def test_what_another_has_printed_meanwhile_does_not_come_out_once_more(
    database_url: str, monkeypatch: pytest.MonkeyPatch, sleep: Sleep
) -> None:
    async with direct(database_url) as (one, way):

        async def meanwhile() -> None:
            await one.run_out()
            await way.caller().step()
            await sleep()

        stand_still_after_claim(one, monkeypatch, meanwhile)
        await way.turn()
        # Who took over cannot know whether a byte had gone out.
        assert await marks(way, 1) == [True]
        assert await one.states() == ["printed"]
        await one.take(one.house.line("Ayran"))
        await one.take(one.house.line("Lahmacun"))
        await way.turn()
        assert await marks(way, 2) == [True, False]


async def test_who_lost_the_printer_prints_nothing_however_short_it_stood_still(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with direct(database_url) as (one, way):
        caller = way.caller()

        async def meanwhile() -> None:
            caller.lease.lose()

        stand_still_after_claim(one, monkeypatch, meanwhile)
        await caller.step()
        # Nobody else had it: it is given back, and says nothing of a doubt that there is not.
        assert await one.states() == ["queued"]
        one.clock.advance(6)
        await way.turn()
        assert await marks(way, 1) == [False]


async def test_a_job_is_asked_about_once_more_when_its_bytes_are_ready(
    database_url: str, monkeypatch: pytest.MonkeyPatch, sleep: Sleep
) -> None:
    async with direct(database_url) as (one, way):
        caller = way.caller()
        draw = caller._press

        async def slow(*of: object) -> bytes:
            content = await draw(*of)  # type: ignore[arg-type]
            await sleep()
            return content

        monkeypatch.setattr(caller, "_press", slow)
        await caller.step()
        assert [(row["state"], row["error"], row["doubt"]) for row in await one.queue()] == [("queued", "too_late", 0)]
        one.clock.advance(6)
        await way.turn()
        assert await marks(way, 1) == [False]


async def test_a_printer_on_the_screen_shows_nothing_that_may_be_anothers(
    database_url: str, monkeypatch: pytest.MonkeyPatch, sleep: Sleep
) -> None:
    async with kitchen(database_url) as one:
        printer = await one.printer("Mutfak", "kitchen", kind="sandbox")
        await one.take(one.house.line("Lahmacun", 2))
        came: list[bytes] = []
        work = Pretender(
            (1, printer.id), one.db, one.jobs, one.works.watch, one.house.product.of(PrinterWays).sheets.bytes_of,
            lambda _, raw: came.append(raw),
        )  # fmt: skip
        work.lease = sure_lease()
        stand_still_after_claim(one, monkeypatch, sleep)
        await work.step()
        assert (came, await one.states()) == ([], ["queued"])
        one.clock.advance(6)
        await work.step()
        assert (len(came), await one.states()) == (1, ["printed"])


def test_a_claim_lasts_longer_than_its_first_byte_may_take() -> None:
    assert BEGIN_WITHIN_S * 1_000 * 2 < LEASE_MS
