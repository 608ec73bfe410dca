"""One contract over every way to a printer: each ticket once, or once more with a mark where an answer was lost."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.printing.kitchen import Kitchen, kitchen
from tests.printing.transports.ways import WAYS, Way, listening

pytestmark = pytest.mark.later

MARK = "MAY HAVE BEEN PRINTED"


def marked(paper: str) -> bool:
    return MARK in " ".join(paper.upper().split())


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", WAYS)
async def test_the_contract(kind: type[Way], database_url: str, tmp_path: Path) -> None:
    """One house for all of it: what is told apart are the orders."""
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(kitchen(database_url))
        url = await stack.enter_async_context(listening(one))
        way = kind(one, url, tmp_path)
        await way.open(stack)
        await way.turn()
        assert await way.papers() == []
        await each_ticket_once(one, way)
        await a_lost_answer_brings_it_once_more_with_a_mark(one, way)
        await nothing_is_taken_without_paper(one, way)
        await a_change_on_the_way_is_a_ticket_of_its_own(one, way)
        await what_is_old_does_not_print_in_the_morning(one, way)
        assert set(await one.states()) <= {"printed", "queued"}


async def fresh(way: Way, before: int) -> list[str]:
    return (await way.papers())[before:]


async def each_ticket_once(one: Kitchen, way: Way) -> None:
    first, second = await one.take(), await one.take()
    for _ in range(4):
        await way.turn()
    papers = await way.papers()
    assert [(first in paper, second in paper) for paper in papers] == [(True, False), (False, True)]
    assert not any(map(marked, papers))
    assert await one.states() == ["printed", "printed"]


async def a_lost_answer_brings_it_once_more_with_a_mark(one: Kitchen, way: Way) -> None:
    before = len(await way.papers())
    number = await one.take()
    way.be("lost")
    await way.turn()
    way.be("fine")
    await way.turn()
    assert len(await fresh(way, before)) == 1, "nothing comes again before the time of its claim is over"
    await one.run_out()
    one.clock.advance(6)
    await way.turn()
    papers = await fresh(way, before)
    assert [number in paper for paper in papers] == [True, True]
    assert [marked(paper) for paper in papers] == [False, True]
    await way.turn()
    assert len(await fresh(way, before)) == 2
    assert (await one.states())[-1] == "printed"


async def nothing_is_taken_without_paper(one: Kitchen, way: Way) -> None:
    before = len(await way.papers())
    way.be("out")
    await way.turn()
    number = await one.take()
    await way.turn()
    assert await fresh(way, before) == []
    sight = one.works.watch.sight(way.printer.id)
    assert sight is not None
    if way.hears_of_paper:
        assert (sight.status.can_print, sight.status.paper) == (False, "out")
    way.be("fine")
    for _ in range(2):
        one.clock.advance(6)
        await way.turn()
    papers = await fresh(way, before)
    assert [(number in paper, marked(paper)) for paper in papers] == [(True, False)]
    sight = one.works.watch.sight(way.printer.id)
    assert sight is not None
    assert sight.status.can_print


async def a_change_on_the_way_is_a_ticket_of_its_own(one: Kitchen, way: Way) -> None:
    """The first ticket is in the printer's hands and its answer lost while the guests order more."""
    before = len(await way.papers())
    number = await one.take(one.house.line("Lahmacun", 2))
    way.be("lost")
    await way.turn()
    await one.change(number, lines=[one.house.line("Lahmacun", 2), one.house.line("Künefe")])
    way.be("fine")
    await one.run_out()
    for _ in range(3):
        one.clock.advance(6)
        await way.turn()
    papers = await fresh(way, before)
    assert [(number in paper, marked(paper), "nefe" in paper.lower()) for paper in papers] == [
        (True, False, False),
        (True, True, False),
        (True, False, True),
    ]


async def what_is_old_does_not_print_in_the_morning(one: Kitchen, way: Way) -> None:
    before = len(await way.papers())
    await one.take()
    one.clock.advance(3_600)
    number = await one.take()
    for _ in range(3):
        await way.turn()
    papers = await fresh(way, before)
    assert [number in paper for paper in papers] == [True]
