"""One drain for all: a key has one owner, order holds where it must, what fails comes again, and nothing is left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
from sqlalchemy import literal, select

from tablegram.engine import timers
from tablegram.engine.bus.port import Alone
from tablegram.engine.bus.wakeups import FREED, Wakeups
from tablegram.engine.drains import Depth, Drain, KeyedDrain, Piecework, Work
from tablegram.engine.flights import Flight
from tablegram.engine.leases import Lease, Leases
from tablegram.engine.owners import Owner
from tablegram.engine.rows import Backlog, NamedBacklog
from tablegram.engine.timers import Tasks
from tablegram.errors import LeaseLost
from tablegram.storage.database import Query
from tablegram.values.ids import past_id
from tests.accounts.opened import MovableClock
from tests.engine.printery import DROP, MAKE, MOST, RETRIES, Printery, World
from tests.engine.waiting import settle, until
from tests.storage.opened import opened


@asynccontextmanager
async def printery(database_url: str, count: int = 1, **options: Any) -> AsyncIterator[list[Printery]]:
    async with opened(database_url) as db:
        await db.put((MAKE, {}))
        clock, world = MovableClock(), World()
        world.gate.set()
        houses = [Printery(db, clock, world, **options) for _ in range(count)]
        try:
            yield houses
        finally:
            for house in houses:
                await house.tasks.stop()
            await db.put((DROP, {}))


def are(house: Printery, **wanted: int) -> Callable[[], Awaitable[bool]]:
    async def there() -> bool:
        return dict(await house.states()) == wanted

    return there


async def test_one_reader_gets_in_order_and_others_side_by_side_up_to_the_limit(database_url: str) -> None:
    async with printery(database_url) as (one,):
        one.world.gate.clear()
        for number in range(20):
            await one.add(f"{number:02}", "p", f"reader {number % 5}")
        await until(lambda: one.world.at_once["p"] == MOST)
        await settle(db=one.db)
        one.world.gate.set()
        await until(are(one, done=20))
        assert one.world.most_at_once["p"] == MOST
        for reader in range(5):
            assert one.world.most_at_once[f"p reader {reader}"] == 1
            mine = [sheet for sheet in one.world.ids() if int(sheet) % 5 == reader]
            assert mine == sorted(mine)


async def test_what_fails_comes_again_by_its_schedule_until_it_is_enough(database_url: str) -> None:
    async with printery(database_url) as (one,):
        one.world.bad.update({"bad": 2, "dead": 99})
        for sheet in ("bad", "dead"):
            await one.add(sheet, "p", sheet)
        for times, wait_s in enumerate((*RETRIES.after_s, RETRIES.after_s[-1]), 1):
            await until(partial(one.tried, times), f"try number {times}")
            await one.later(wait_s)
        await until(are(one, done=1, dead=1))
        assert one.world.ids() == ["bad"]
        assert one.world.bad["dead"] == 99 - RETRIES.max_attempts  # type: ignore[operator]


async def test_a_press_that_stands_still_delays_no_other(database_url: str) -> None:
    async with printery(database_url) as (one,):
        plain, stuck = one.world.print, asyncio.Event()

        async def print_slowly(owner: str, row: Any) -> bool:
            if row["press"] == "slow":
                await stuck.wait()
            return await plain(owner, row)

        one.world.print = print_slowly  # type: ignore[method-assign]
        for number in range(10):
            await one.add(f"s{number}", "slow", f"{number}")
            await one.add(f"q{number}", "quick", f"{number}")
        await until(lambda: len(one.world.printed) == 10)
        assert {sheet[0] for sheet in one.world.ids()} == {"q"}
        stuck.set()
        await until(are(one, done=20))


async def test_two_processes_print_each_sheet_once_and_a_press_is_one_processs(database_url: str) -> None:
    async with printery(database_url, 2) as houses:
        one = houses[0]
        for house in houses:
            house.tasks.keep("scan", house.presses.scan_forever)
        for number in range(40):
            await houses[number % 2].add(f"{number:02}", f"p{number % 3}", f"{number % 4}")
        await until(are(one, done=40))
        assert sorted(one.world.ids()) == [f"{number:02}" for number in range(40)]
        for press in range(3):
            assert len({owner for owner, sheet in one.world.printed if int(sheet) % 3 == press}) == 1


async def test_what_a_dead_process_held_is_taken_up_and_the_order_holds(database_url: str) -> None:
    async with printery(database_url, 2) as (one, other):
        one.world.gate.clear()
        for number in range(9):
            await one.add(f"{number}", "p", f"reader {number % 3}")
        await until(lambda: one.world.at_once["p"] == MOST)
        other.tasks.keep("scan", other.presses.scan_forever)
        await until(lambda: "p" in other.presses)
        await settle(db=one.db)
        assert one.world.printed == []
        await one.die(other)
        one.world.gate.set()
        await until(are(one, done=9))
        assert {owner for owner, _ in one.world.printed} == {other.owner.id}
        for reader in range(3):
            mine = [sheet for sheet in one.world.ids() if int(sheet) % 3 == reader]
            assert mine == sorted(mine)
        assert len(one.world.printed) == 9


async def test_who_lost_the_lease_claims_and_writes_nothing_more(database_url: str) -> None:
    async with printery(database_url, 2) as (one, other):
        one.world.gate.clear()
        await one.add("a", "p", "reader")
        await until(lambda: one.world.at_once["p"] == 1)
        # Frozen for longer than its lease: another process has the press, and did not print the sheet yet.
        await other.leases.free(one.owner.id)
        assert await other.leases.hold("press:p")
        one.world.gate.set()
        await until(lambda: one.world.printed)
        await until(lambda: one.tasks.failures >= 1)
        assert dict(await one.states()) == {"waits": 1}


async def test_a_key_without_work_is_let_go_of_and_comes_back_with_the_next_row(database_url: str) -> None:
    async with printery(database_url) as (one,):
        for sheet in ("a", "b"):
            await one.add(sheet, "p", "reader")
            await until(lambda: len(one.presses) == 0)
        assert one.world.ids() == ["a", "b"]
        figures = await one.presses.figures()
        assert (figures['drain_keys{drain="presses"}'], figures['drain_errors_total{drain="presses"}']) == (0, 0)
        assert figures['drain_looks_total{drain="presses"}'] >= 4


async def test_a_store_that_is_down_for_a_moment_loses_nothing(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timers, "PAUSE_AFTER_ERROR_S", 0.01)
    async with printery(database_url) as (one,):
        plain, broken = one.db.all, 3

        async def read(query: Any, params: Any = None) -> Any:
            nonlocal broken
            if broken:
                broken -= 1
                raise ConnectionError("down")
            return await plain(query, params)

        monkeypatch.setattr(one.db, "all", read)
        await one.add("a", "p", "reader")
        await until(lambda: one.world.ids() == ["a"])
        await until(lambda: len(one.presses) == 0)
        assert (await one.presses.figures())['drain_errors_total{drain="presses"}'] == 3


class Steps(Work):
    """Says what it is told to say."""

    def __init__(self, *waits: float | Exception | None, wanted: bool = True) -> None:
        super().__init__()
        self.waits = list(waits)
        self.wanted = wanted
        self.over = 0

    async def is_wanted(self) -> bool:
        return self.wanted

    def start_over(self, lease: Lease | None) -> None:
        self.over += 1

    async def step(self) -> float | None:
        wait = self.waits.pop(0)
        if isinstance(wait, Exception):
            raise wait
        return wait


async def test_a_key_is_not_let_go_of_while_something_is_under_way_or_the_bell_rings() -> None:
    tasks, work = Tasks(), Steps(None, None, None)
    work.flight = Flight(tasks, work.bell, 1)
    landed = asyncio.Event()

    async def fly() -> None:
        await landed.wait()

    work.flight.begin("x", "x", fly())
    drain = Drain("toy", work)
    assert await drain.look() is not None
    landed.set()
    await until(lambda: not work.flight)
    # The landing has rung, and is heard first.
    assert await drain.look() is not None
    await work.bell.wait(0)
    assert await drain.look() is None


async def test_a_key_that_nobody_wants_asks_for_no_lease(database_url: str) -> None:
    async with opened(database_url) as db:
        one, other = (Leases(db, Owner(db)) for _ in range(2))
        assert await Drain("toy", Steps(wanted=False), one).look() is None
        assert await other.hold("toy")
        work = Steps(1.0)
        assert await Drain("toy", work, one, retry_s=7.0).look() == 7.0
        assert len(work.waits) == 1


async def test_who_rings_for_anothers_key_does_not_have_the_store_asked_each_time(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(database_url) as db:
        one, other = (Leases(db, Owner(db)) for _ in range(2))
        assert await other.hold("toy")
        drain, asked, hold = Drain("toy", Steps(1.0), one), 0, one.hold

        async def counted(name: str) -> Lease | None:
            nonlocal asked
            asked += 1
            return await hold(name)

        monkeypatch.setattr(one, "hold", counted)
        for _ in range(20):
            drain.work.wake()
            assert await drain.look() is not None
        assert (asked, one.holder("toy")) == (1, other._owner.id)
        # It is free now, and somebody says so.
        await other.free(other._owner.id)
        drain.ask_again()
        assert await drain.look() == 1.0


async def test_a_lease_that_was_lost_makes_the_work_start_over(database_url: str) -> None:
    async with opened(database_url) as db:
        leases = Leases(db, Owner(db))
        work = Steps(1.0, 1.0, LeaseLost("gone"), 1.0)
        drain = Drain("toy", work, leases, retry_s=7.0)
        assert [await drain.look() for _ in range(4)] == [1.0, 1.0, 7.0, 1.0]
        assert (work.over, drain.errors) == (3, 0)
        # Another had it since: the same name, but not the same lease.
        other = Leases(db, Owner(db))
        await other.free(leases._owner.id)
        await leases.free(leases._owner.id)
        assert await other.hold("toy")
        work.waits = [1.0]
        assert await drain.look() == 7.0
        assert work.over == 4


async def test_long_work_is_done_in_pieces_and_a_ring_meanwhile_is_not_lost() -> None:
    class Pages(Piecework):
        every_s = 60.0

        def __init__(self) -> None:
            super().__init__()
            self.read: list[int] = []

        async def pieces(self) -> AsyncIterator[int]:
            for page in range(3):
                self.read.append(page)
                yield page

    work = Pages()
    drain = Drain("pages", work)
    assert [await drain.look() for _ in range(4)] == [Pages.between_s] * 3 + [60.0]
    await drain.look()
    work.bell.ring()
    await work.bell.wait(0)
    assert [await drain.look() for _ in range(3)] == [Pages.between_s] * 2 + [0.0]
    await drain.look()
    work.start_over(None)
    await drain.look()
    assert work.read == [0, 1, 2, 0, 1, 2, 0, 0]


async def test_what_landed_while_the_store_was_read_is_not_begun_again() -> None:
    tasks, work = Tasks(), Steps()
    flight: Flight[str] = Flight(tasks, work.bell, 3, 2)
    gate, first = asyncio.Event(), asyncio.Event()

    async def fly(landing: asyncio.Event) -> None:
        await landing.wait()

    for name, group in (("a", 1), ("b", 1), ("c", 2)):
        assert flight.room_for(group) > 0
        flight.begin(name, name, fly(first if name == "a" else gate), group)
        # A group has places of its own, also while there is room for others.
        assert flight.room_for(1) == {"a": 1, "b": 0, "c": 0}[name]
    assert (flight.room, flight.room_for(1), flight.of_group(1)) == (0, 0, 2)
    flight.look()
    first.set()
    await until(lambda: len(flight) == 2)
    assert (flight.room, flight.room_for(1), flight.of_group(1)) == (1, 1, 1)
    gate.set()
    await until(lambda: not flight)
    assert [flight.is_known(name) for name in "abcd"] == [True, True, True, False]
    flight.look()
    assert (flight.is_known("a"), flight.room, flight.room_for(1)) == (False, 3, 2)


async def test_something_that_fails_under_way_is_counted_and_leaves_its_place() -> None:
    tasks, work = Tasks(), Steps()
    flight: Flight[str] = Flight(tasks, work.bell, 1)

    async def fail() -> None:
        raise RuntimeError("trouble")

    flight.begin("a", "a", fail())
    await until(lambda: not flight)
    assert (tasks.failures, work.bell.has_rung) == (1, True)


async def test_a_drain_over_many_keys_opens_each_once() -> None:
    tasks, made = Tasks(), []

    async def find() -> list[str]:
        return ["a", "b"]

    def open_one(key: str) -> Steps:
        made.append(key)
        return Steps(*[60.0] * 9)

    class Always:
        wakeups = Wakeups(Alone())

        def __init__(self) -> None:
            self.workers: list[object] = []

        def is_giving(self, name: str) -> bool:
            return False

        async def hold(self, name: str) -> object:
            return self

    drain: Any = KeyedDrain("toy", Always(), tasks, open=open_one, lease=str, find=find)  # type: ignore[arg-type]
    await drain.scan()
    drain.wake("a")
    await drain.scan()
    assert (made, len(drain), "a" in drain, "c" in drain) == (["a", "b"], 2, True, False)
    await until(lambda: all(drain.worker(key).holds for key in "ab"))
    rings = {key: drain.at(key).bell.rings for key in "ab"}

    def rung() -> list[int]:
        return [drain.at(key).bell.rings - rings[key] for key in "ab"]

    # Another process has work for a key that is here; and when keys are free, who waits for one looks.
    drain._called("b")
    assert rung() == [0, 1]
    drain._called(FREED)
    assert rung() == [0, 1]
    drain.worker("a")._held = None
    drain._called(FREED)
    drain._called("a")
    assert rung() == [1, 1]
    await tasks.stop()


async def test_how_much_waits_and_for_how_long_is_told_for_a_time_and_for_an_id(database_url: str) -> None:
    clock = MovableClock()
    async with opened(database_url) as db:
        for oldest, age in (
            (clock.now_ms() - 2_500, 2.5), (past_id(clock.now_ms() - 2_500), 2.5), (clock.now_ms() + 60_000, 0.0), (None, 0.0),
        ):  # fmt: skip
            query: Query[Backlog | NamedBacklog] = Query(select(literal(3).label("n"), literal(oldest).label("oldest")))
            assert await Depth(db, clock, query).figures("toys") == {
                'drain_waiting{drain="toys"}': 3,
                'drain_oldest_seconds{drain="toys"}': age,
            }
