"""Drains of two processes against a model: whatever fails, hangs, dies, or is told late, or by nobody."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablegram.engine import drains, timers
from tablegram.engine.bus.port import Alone
from tablegram.engine.bus.wakeups import Wakeups
from tablegram.engine.drains import KeyedDrain, Work
from tablegram.engine.flights import Flight
from tablegram.engine.leases import Leases
from tablegram.engine.retries import Retries
from tablegram.engine.timers import Tasks
from tests.engine.waiting import until
from tests.long import walks

RETRIES = Retries((2.0, 10.0), max_attempts=4)
MOST = 2
KEYS, GROUPS = ("p", "q"), ("a", "b", "c")

STEP = st.one_of(
    st.tuples(st.just("add"), st.sampled_from(KEYS), st.lists(st.sampled_from(GROUPS), min_size=1, max_size=4)),
    st.tuples(st.just("add quietly"), st.sampled_from(KEYS), st.lists(st.sampled_from(GROUPS), min_size=1, max_size=4)),
    st.tuples(st.just("finish"), st.integers(0, 20), st.booleans()),
    st.tuples(st.just("later"), st.sampled_from([0.5, 2.0, 10.0])),
    st.tuples(st.just("die"), st.integers(0, 1)),
    st.tuples(st.just("scan"), st.integers(0, 1)),
    st.tuples(st.just("yield"), st.sampled_from(KEYS)),
    st.tuples(st.just("break"), st.integers(0, 1)),
)


@dataclass
class Thing:
    name: str
    key: str
    group: str
    due_at: float
    attempts: int = 0
    state: str = "waits"


@dataclass
class World:
    """The store, the leases and what is under way, as somebody sees them who sees everything."""

    things: dict[str, Thing] = field(default_factory=dict)
    leases: dict[str, House] = field(default_factory=dict)
    under_way: dict[str, tuple[House, asyncio.Future[bool]]] = field(default_factory=dict)
    # Rules that were broken; the drains are tested, and not how an exception travels.
    broken: list[str] = field(default_factory=list)
    now: float = 0.0

    def begin(self, house: House, thing: Thing) -> asyncio.Future[bool]:
        mine = [self.things[name] for name in self.under_way if self.things[name].key == thing.key]
        line = [one for one in self.things.values() if (one.key, one.group) == (thing.key, thing.group)]
        rules = {
            "only who holds the key works on it": self.leases.get(thing.key) is house,
            "nothing is under way twice": thing.name not in self.under_way,
            "what is done is not done again": thing.state == "waits",
            "no more at once than allowed": len(mine) < MOST,
            "one of a group at a time": thing.group not in {one.group for one in mine},
            "nobody is overtaken": not [one for one in line if one.name < thing.name and one.state == "waits"],
            "nothing goes before its time": thing.due_at <= self.now,
        }
        self.broken += [f"{thing.name}: {rule}" for rule, holds in rules.items() if not holds]
        answer = asyncio.get_running_loop().create_future()
        self.under_way[thing.name] = (house, answer)
        return answer


class Key(Work):
    def __init__(self, house: House, key: str) -> None:
        super().__init__()
        self._house, self._key = house, key
        self.flight: Flight[str] = Flight(house.tasks, self.bell, MOST)

    async def step(self) -> float | None:
        world = self._house.world
        self.flight.look()
        await self._house.read()
        waiting = [one for one in world.things.values() if one.key == self._key and one.state == "waits"]
        # Between the reading and what follows from it, whatever is under way may land.
        copies = [Thing(one.name, one.key, one.group, one.due_at, one.attempts) for one in waiting]
        await asyncio.sleep(0)
        firsts: dict[str, Thing] = {}
        for one in copies:
            firsts.setdefault(one.group, one)
        for one in firsts.values():
            free = self.flight.room > 0 and not self.flight.is_known(one.group)
            if free and one.due_at <= world.now and world.leases.get(self._key) is self._house:
                self.flight.begin(one.group, one.name, self._do(world.things[one.name]))
        return 3_600.0 if waiting else None

    async def _do(self, thing: Thing) -> None:
        world = self._house.world
        try:
            taken = await world.begin(self._house, thing)
        finally:
            world.under_way.pop(thing.name, None)
        thing.attempts += 1
        if taken:
            thing.state = "done"
        elif RETRIES.is_over(thing.attempts, 0, 0):
            thing.state = "dead"
        else:
            thing.due_at = world.now + RETRIES.wait_s(thing.attempts)


class House:
    """One process, and its share of the leases."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.tasks = Tasks()
        self.breaks = 0
        self.wakeups = Wakeups(Alone())
        self.workers: list[object] = []
        self.drain: KeyedDrain[str, Key] = KeyedDrain(
            "toy",
            cast(Leases, self),
            self.tasks,
            open=lambda key: Key(self, key),
            lease=str,
            find=self._find,
            retry_s=3_600.0,
        )

    def is_giving(self, name: str) -> bool:
        return False

    def has(self, name: str) -> bool:
        return self.world.leases.get(name) is self

    async def hold(self, name: str) -> Any:
        return self if self.world.leases.setdefault(name, self) is self else None

    async def read(self) -> None:
        await asyncio.sleep(0)
        if self.breaks:
            self.breaks -= 1
            raise ConnectionError("the store is down")

    async def _find(self) -> list[str]:
        return sorted({one.key for one in self.world.things.values() if one.state == "waits"})

    def ring(self) -> None:
        for key in self.drain:
            key.wake()


async def rest(rounds: int = 12) -> None:
    for _ in range(rounds):
        await asyncio.sleep(0)


class Play:
    def __init__(self) -> None:
        self.world = World()
        self.houses = [House(self.world), House(self.world)]
        self.number = 0

    async def act(self, step: tuple[Any, ...]) -> None:
        match step:
            case ("add" | "add quietly" as word, key, groups):
                for group in groups:
                    self.number += 1
                    name = f"{self.number:04}"
                    self.world.things[name] = Thing(name, key, group, self.world.now)
                    if word == "add":
                        self.houses[self.number % 2].drain.wake(key)
            case ("finish", which, taken):
                self.finish(which, taken)
            case ("later", seconds):
                self.world.now += seconds
                for house in self.houses:
                    house.ring()
            case ("die", which):
                await self.die(which)
            case ("scan", which):
                await self.houses[which].drain.scan()
            case ("yield", key):
                # The lease runs out, and the other process takes it. Nothing is under way that it would not know of.
                if not [name for name in self.world.under_way if self.world.things[name].key == key]:
                    self.world.leases.pop(key, None)
            case ("break", which):
                self.houses[which].breaks = 2
        await rest()

    def finish(self, which: int, taken: bool) -> None:
        if self.world.under_way:
            name = sorted(self.world.under_way)[which % len(self.world.under_way)]
            answer = self.world.under_way[name][1]
            if not answer.done():
                answer.set_result(taken)

    async def die(self, which: int) -> None:
        dead = self.houses[which]
        await dead.tasks.stop()
        self.world.leases = {key: house for key, house in self.world.leases.items() if house is not dead}
        assert not [name for name, (house, _) in self.world.under_way.items() if house is dead]
        self.houses[which] = House(self.world)

    async def end(self) -> None:
        """All is well from here on: everything comes to its end, and every key is let go of."""
        for house in self.houses:
            house.breaks = 0

        async def over() -> bool:
            self.world.now += 10.0
            for house in self.houses:
                await house.drain.scan()
                house.ring()
            await rest()
            while self.world.under_way:
                self.finish(0, True)
                await rest(3)
            waiting = [one for one in self.world.things.values() if one.state == "waits"]
            if not waiting:
                # Who could not have a key waits for it, and finds that nothing is left.
                self.world.leases.clear()
            return not waiting and not any(len(house.drain) for house in self.houses)

        await until(over, "everything to be done")
        assert self.world.broken == []
        for thing in self.world.things.values():
            assert thing.attempts <= RETRIES.max_attempts  # type: ignore[operator]
            assert thing.state == "done" or thing.attempts == RETRIES.max_attempts
        for house in self.houses:
            await house.tasks.stop()


@given(st.lists(STEP, min_size=3, max_size=40))
@settings(max_examples=walks(50, 150), deadline=None)
def test_everything_comes_to_its_end_once_in_order_and_under_one_owner(steps: list[tuple[Any, ...]]) -> None:
    async def play() -> None:
        one = Play()
        for step in steps:
            await one.act(step)
        await one.end()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timers, "PAUSE_AFTER_ERROR_S", 0.0)
        # Whoever was refused a key asks again at once: no time of this machine passes in the play.
        patch.setattr(drains, "REFUSED_S", 0.0)
        asyncio.run(play())
