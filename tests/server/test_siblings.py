"""Figures of processes that share a port: whichever of them is asked answers for all."""

from __future__ import annotations

import asyncio
import os
from functools import partial

from tablegram.engine.timers import Tasks
from tablegram.server.metrics import render
from tablegram.server.siblings import Sibling, Siblings, together
from tests.engine.waiting import until

PAGES = {
    0: '# TYPE a_total counter\na_total{status="200"} 3.0\n# TYPE b gauge\nb 1.0\n',
    1: '# TYPE a_total counter\na_total{status="200"} 4.0\n# TYPE b gauge\nb 1.0\n',
}


def test_all_of_one_name_stand_together_each_with_its_process() -> None:
    page = together(PAGES)
    assert page.count("# TYPE a_total counter") == 1
    assert 'a_total{status="200",worker="0"} 3.0\na_total{status="200",worker="1"} 4.0\n' in page
    assert 'b{worker="0"} 1.0\nb{worker="1"} 1.0\n' in page


def test_what_a_process_really_tells_is_all_there_and_can_be_put_together_again() -> None:
    own = render({'api_requests_total{status="200"}': 3, "messages_queued": 5})
    page = together({0: own})
    told = [line for line in own.splitlines() if not line.startswith("#")]
    assert len([line for line in page.splitlines() if not line.startswith("#")]) == len(told)
    assert 'tablegram_api_requests_total{status="200",worker="0"} 3.0' in page
    assert [line for line in page.splitlines() if line.startswith("# TYPE")] == [
        line for line in own.splitlines() if line.startswith("# TYPE")
    ]


async def test_whoever_is_asked_answers_for_all_that_are_there() -> None:
    tasks = Tasks()

    async def say(number: int) -> str:
        return PAGES[number]

    crew = [Siblings(Sibling(os.getpid(), number, 3), partial(say, number)) for number in range(2)]
    for one in crew:
        tasks.keep("figures", one.answer_forever)
    for one in crew:
        page = await one.page()
        async with asyncio.timeout(30):
            while 'worker="0"' not in page or 'worker="1"' not in page:
                page = await one.page()
        # The third has died, and keeps nobody waiting.
        assert 'worker="2"' not in page
    await tasks.stop()
    # Who ends leaves its place to the next.
    again = Tasks()
    again.keep("figures", crew[0].answer_forever)
    await until(lambda: not again.failures)
    assert 'worker="0"' in await crew[1].page()
    await again.stop()
