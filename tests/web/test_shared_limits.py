"""Limits of several processes: what somebody took or got wrong at one counts at the others, over whatever carries it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from functools import partial

import pytest

from tablegram.accounts.people.throttle import FREE_PER_NAME, Throttle
from tablegram.engine.bus.choosing import choose_bus
from tablegram.engine.bus.port import Alone, Bus
from tablegram.engine.timers import Tasks
from tablegram.errors import TooMany
from tablegram.panel.pace import PagePace
from tablegram.settings import Settings
from tablegram.storage.database import open_database
from tablegram.web.addresses import Addresses
from tablegram.web.limits import Limiter, Pace, ShutOut, share_limits
from tests.engine.nats_server import nats_server
from tests.engine.room import Room
from tests.engine.waiting import until

# So slow that nothing fills up again while a test runs.
RATE, BURST = 0.001, 40


@pytest.fixture(params=["store", "nats"])
def nats_url(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "store":
        yield ""
        return
    with nats_server() as server:
        yield server.url


def take_all(limiter: Limiter, key: str) -> int:
    """How many are granted until one is refused."""
    taken = 0
    while limiter.take(key, RATE, BURST, time.monotonic()).allowed:
        taken += 1
    return taken


@pytest.mark.shared
async def test_what_was_taken_at_one_process_is_gone_at_the_other(database_url: str, nats_url: str) -> None:
    settings = Settings(database_url=database_url, nats_url=nats_url)
    async with AsyncExitStack() as stack:
        limiters, throttles = [], []
        for _ in range(2):
            db = open_database(settings)
            await db.open()
            stack.push_async_callback(db.close)
            bus = choose_bus(settings, db)
            limiters.append(Limiter())
            share_limits(bus, "test", limiters[-1])
            throttles.append(Throttle())
            throttles[-1].share(bus)
            tasks = Tasks()
            tasks.keep("bus", bus.attend)
            stack.push_async_callback(tasks.stop)
            await until(partial(is_connected, bus))
        here, there = limiters
        assert take_all(here, "somebody") == BURST
        await until(lambda: not there.take("somebody", RATE, BURST, time.monotonic()).allowed)
        assert take_all(there, "somebody else") == BURST
        for _ in range(FREE_PER_NAME):
            throttles[0].begin("ayse@example.com", "192.0.2.1")
        await until(lambda: refuses(throttles[1], "ayse@example.com"))
        assert not refuses(throttles[1], "mehmet@example.com")


def is_connected(bus: Bus) -> bool:
    return bool(getattr(bus, "_connected", False))


def refuses(throttle: Throttle, name: str) -> bool:
    """Whether the name has to wait, from wherever it comes. Each question is a try, from another address."""
    try:
        throttle.succeeded(throttle.begin(name, "198.51.100.7"))
    except TooMany:
        return True
    return False


def test_the_sum_over_processes_is_the_limit_and_a_little_more() -> None:
    room = Room()
    limiters = [Limiter() for _ in range(4)]
    for limiter in limiters:
        share_limits(room.join(), "test", limiter)
    granted = sum(
        limiters[number % 4].take("somebody", RATE, BURST, time.monotonic()).allowed for number in range(4 * BURST)
    )
    assert BURST <= granted <= BURST + 4 * BURST / 8
    # Nobody's address or name is said.
    assert room.told
    assert not any("somebody" in word for word in room.told)


def test_pages_and_strangers_are_counted_over_all_processes() -> None:
    room = Room()
    addresses = Addresses(())
    scope = {"type": "http", "path": "/panel/login", "headers": [], "client": ("192.0.2.1", 1)}
    settings = Settings(page_rate_limit=RATE, page_rate_burst=BURST)
    pages = [PagePace(settings, addresses) for _ in range(2)]
    strangers = [ShutOut(addresses, Pace(RATE, BURST)) for _ in range(2)]
    for page, stranger in zip(pages, strangers, strict=True):
        page.share(room.join())
        stranger.share(room.join(), "test")
    for _ in range(BURST):
        pages[0].check(scope)
        strangers[0].count(scope)
    with pytest.raises(TooMany):
        pages[1].check(scope)
    with pytest.raises(TooMany):
        strangers[1].count(scope)
    pages[1].check({**scope, "client": ("192.0.2.2", 1)})


def test_what_is_put_back_counts_nowhere() -> None:
    room = Room()
    here, there = Limiter(), Limiter()
    share_limits(room.join(), "test", here)
    share_limits(room.join(), "test", there)
    for _ in range(10 * BURST):
        assert here.take("somebody", RATE, BURST, time.monotonic()).allowed
        here.put_back("somebody", RATE)
    assert take_all(there, "somebody") == BURST


def test_a_success_at_one_process_forgets_the_failures_at_all() -> None:
    room = Room()
    here, there = Throttle(), Throttle()
    here.share(room.join())
    there.share(room.join())
    for _ in range(FREE_PER_NAME - 1):
        here.begin("ayse", "192.0.2.1")
    there.succeeded(there.begin("ayse", "192.0.2.1"))
    for throttle in (here, there) * 2:
        throttle.begin("ayse", "192.0.2.1")


def test_who_is_alone_tells_nobody() -> None:
    limiter = Limiter()
    share_limits(Alone(), "test", limiter)
    assert take_all(limiter, "somebody") == BURST
