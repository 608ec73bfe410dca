"""A drain works off what waits in rows: key by key, and each key in one process at a time.

What all drains have in common is here: the loop, the bell that wakes it and the time after which it looks by itself,
the lease, what is under way, the look for keys that nobody told of, and the figures. What is particular to one, such as
which rows are due and what is done with them, is its `Work`. How to add one: docs/explanation/drains.md.
"""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from tablegram.engine.bus.wakeups import FREED
from tablegram.engine.flights import Depth, Flight, figures
from tablegram.engine.leases import Lease, Leases
from tablegram.engine.timers import Bell, Tasks
from tablegram.errors import LeaseLost
from tablegram.storage.database import Tx

__all__ = ["Depth", "Drain", "KeyedDrain", "Piecework", "Work", "guarded"]

# Work of a key that nobody told of is found by this time; another process may have made it.
SCAN_S = 2.0
# Calls of other processes are answered by one look at a time, and this long lies between two.
BETWEEN_SCANS_S = 0.1
# After so many looks in a row that found nothing, there are half as many. Who makes work in this process rings.
QUIET_SCANS = 10
# Another process has the key; it may die.
LEASE_RETRY_S = 5.0
# Whoever rings for a key that another process has is passed on; whether that still has it is asked no more often than this.
REFUSED_S = 2.0
# A key that is let go of as soon as what is under way has landed. The landing rings, so that this only bounds it.
LANDING_S = 2.0
# What is handed over is looked at so often until it holds still.
HANDING_S = 0.1
# A process that only passes on what rings waits for the bell; this bounds the wait for one that nobody rings.
RELAY_S = 30.0


class Work(ABC):
    """What is particular to one key. One object for as long as the key is worked on."""

    # What the drain holds when it calls `step`, if it works under one.
    lease: Lease

    def __init__(self, bell: Bell | None = None) -> None:
        self.bell = bell or Bell()
        self.flight: Flight[Any] | None = None

    def wake(self) -> None:
        """Something of this key is due, now or at a new time."""
        self.bell.ring()

    async def is_wanted(self) -> bool:
        """Asked before the lease is: a key that is of no use any more is let go of."""
        return True

    def start_over(self, lease: Lease | None) -> None:
        """Another process has the key, or (with a new lease) may have had it: what is known of it is not true any more."""
        return

    def is_still(self) -> bool:
        """Whether the key may go to another process without anybody noticing."""
        return True

    async def may_move(self) -> bool:
        """Whether nothing is under way, now that nothing more is begun. Asked until it is so."""
        return not self.flight

    @abstractmethod
    async def step(self) -> float | None:
        """Do or begin what can be done now. Returns the seconds until it is worth looking again.

        Nothing means that the key is let go of, unless something is under way or the bell has rung meanwhile. A step
        is short: it begins what takes long, or does a piece of it and returns at once, since the lease is renewed
        between two steps.
        """


class Piecework(Work):
    """Work that takes long and is done piece by piece; others take their turn between two pieces."""

    # Seconds between two pieces, and until the next look when there was no more, or none at all.
    between_s: float = 0.005
    every_s: float
    quiet_s: float | None = None

    def __init__(self) -> None:
        super().__init__()
        self._pieces: AsyncIterator[object] | None = None
        self._rings = 0
        self._found = False

    @abstractmethod
    def pieces(self) -> AsyncIterator[object]:
        """All that there is to do now. It is committed, and yields, after each piece."""

    async def step(self) -> float:
        if self._pieces is None:
            self._pieces, self._rings, self._found = self.pieces(), self.bell.rings, False
        try:
            await anext(self._pieces)
        except StopAsyncIteration:
            self._pieces = None
            # Who rang while the pieces were done may mean something that was not among them.
            if self._rings != self.bell.rings:
                return 0.0
            return self.every_s if self._found or self.quiet_s is None else self.quiet_s
        self._found = True
        return self.between_s

    def start_over(self, lease: Lease | None) -> None:
        self._pieces = None


Key = TypeVar("Key", bound=Hashable)
Its = TypeVar("Its", bound=Work)
Done = TypeVar("Done")


class Drain(Generic[Its]):
    """The drain of one key. Without leases it works in every process."""

    def __init__(
        self, name: str, work: Its, leases: Leases | None = None, lease: str = "", *,
        retry_s: float = LEASE_RETRY_S, depth: Depth | None = None, one_of_many: bool = False,
    ) -> None:  # fmt: skip
        self.name = name
        self.work = work
        self.looks = 0
        self.errors = 0
        self._leases = leases
        self._lease = lease or name
        self._retry_s = retry_s
        self._depth = depth
        self._held: Lease | None = None
        # Another process has the key; until then it is not worth asking the store again.
        self._refused_until = 0.0
        # How often the bell rang for what is known elsewhere already, and how much of the rest was passed on.
        self._nudges = 0
        self._passed_on = work.bell.rings
        if leases is not None and not one_of_many:
            leases.wakeups.answer(name, lambda lease: self.ask_again() if lease == FREED else self.nudge())

    def ask_again(self) -> None:
        """Keys are free that others had."""
        self._refused_until = 0.0
        self.nudge()

    def nudge(self) -> None:
        """Look, but pass it on to nobody: a look at the store or another process said that something is due."""
        rings = self.work.bell.rings
        self.work.wake()
        self._nudges += self.work.bell.rings - rings

    @property
    def holds(self) -> bool:
        return self._held is not None

    async def run(self) -> None:
        """Work until nothing is left. Kept by the tasks of the process, which start it again after an error."""
        try:
            while (wait_s := await self.look()) is not None:
                await self.work.bell.wait(wait_s)
        except Exception:
            self.errors += 1
            raise

    async def look(self) -> float | None:
        """Look once. Returns the seconds until it is worth looking again; nothing when the key is let go of."""
        self.looks += 1
        work = self.work
        wait_s = None
        if self._leases is not None and self._leases.is_giving(self._lease):
            return await self._hand_over(self._leases)
        if await work.is_wanted():
            refused_s = self._refused_s()
            if refused_s > 0:
                self._pass_on()
                return refused_s
            if not await self.hold():
                self._refused_until = time.monotonic() + min(REFUSED_S, self._retry_s)
                self._pass_on()
                return self._retry_s
            try:
                wait_s = await work.step()
            except LeaseLost:
                self._held = None
                work.start_over(None)
                self._pass_on()
                return self._retry_s
        # Who has rung since the look began is heard, and what is under way is waited for.
        return LANDING_S if wait_s is None and (work.flight or work.bell.has_rung) else wait_s

    def _refused_s(self) -> float:
        """For how long the store need not be asked whether the key is ours; unless somebody has handed it to us."""
        left_s = self._refused_until - time.monotonic()
        return 0.0 if left_s <= 0 or self._leases is None or self._leases.has(self._lease) else left_s

    async def _hand_over(self, leases: Leases) -> float:
        """Another process gets the key as soon as what is under way has ended."""
        if self._held is not None:
            self._held = None
            self.work.start_over(None)
        if not await self.work.may_move():
            return HANDING_S
        # Who was to get it may have ended: then it is ours still, and its work waits for nobody.
        return self._retry_s if await leases.give(self._lease) else 0.0

    def is_still(self) -> bool:
        return self.work.is_still()

    async def relay(self) -> None:
        """In place of `run`, in a process that leaves this work to others: whoever rings here is heard there."""
        while True:
            await self.relay_once()

    async def relay_once(self) -> None:
        await self.work.bell.wait(RELAY_S)
        self._pass_on()

    def _pass_on(self) -> None:
        """Whoever rang here since the last time meant work that another process does."""
        rung = self.work.bell.rings - self._nudges
        if rung > self._passed_on and self._leases is not None:
            self._leases.wakeups.pass_on(self.name, self._lease)
        self._passed_on = rung

    async def hold(self) -> bool:
        """Whether this process may work on the key now."""
        if self._leases is None:
            return True
        lease = await self._leases.hold(self._lease)
        if lease is None or lease is not self._held:
            self._held = lease
            self.work.start_over(lease)
        if lease is None:
            return False
        self.work.lease = lease
        return True

    async def figures(self) -> dict[str, float]:
        return await figures(self.name, [self.work.flight], self.looks, self.errors, self._depth)


class KeyedDrain(Generic[Key, Its]):
    """A drain over many keys: each has a loop of its own while there is work, and a dead one delays no other."""

    def __init__(
        self, name: str, leases: Leases, tasks: Tasks, *, open: Callable[[Key], Its], lease: Callable[[Key], str],
        find: Callable[[], Awaitable[Iterable[Key]]], scan_s: float = SCAN_S, retry_s: float = LEASE_RETRY_S,
        depth: Depth | None = None, key_of: Callable[[str], Awaitable[Key | None]] | None = None,
    ) -> None:  # fmt: skip
        """`key_of` names the key of a lease, of work that is to be begun wherever its lease is."""
        self.name = name
        self._leases = leases
        self._tasks = tasks
        self._key_of = key_of
        leases.workers.append(self)
        self._open = open
        self._lease = lease
        self._find = find
        self._scan_s = scan_s
        self._retry_s = retry_s
        self._depth = depth
        self._drains: dict[Key, Drain[Its]] = {}
        self._by_lease: dict[str, Drain[Its]] = {}
        # Whether other processes do this work, and this one passes on who rings.
        self.resting = False
        self._calls = Bell()
        leases.wakeups.answer(name, self._called)
        # Of those that were let go of.
        self._looks = self._errors = 0

    def __len__(self) -> int:
        return len(self._drains)

    def __contains__(self, key: object) -> bool:
        return key in self._drains

    def __iter__(self) -> Iterator[Its]:
        """The work of every key that is worked on."""
        return iter([drain.work for drain in self._drains.values()])

    def at(self, key: Key) -> Its:
        """The work of a key, which is begun if nobody is at it."""
        return self._at(key).work

    def _at(self, key: Key) -> Drain[Its]:
        drain = self._drains.get(key)
        return self._begin(key) if drain is None else drain

    def wake(self, key: Key) -> None:
        """Something of this key is due, now or at a new time."""
        self.at(key).wake()

    def _begin(self, key: Key) -> Drain[Its]:
        name = self._lease(key)
        drain = Drain(self.name, self._open(key), self._leases, name, retry_s=self._retry_s, one_of_many=True)
        self._drains[key] = self._by_lease[name] = drain

        async def run() -> None:
            await (drain.relay_once() if self.resting else drain.run())
            # Nothing has happened since the drain found that nothing is left.
            del self._drains[key], self._by_lease[name]
            self._looks += drain.looks
            self._errors += drain.errors

        self._tasks.keep(f"{self.name} {name}", run)
        return drain

    async def scan_forever(self) -> None:
        """Find work that nobody told of: after a start, or made by another process."""
        empty = 0
        while True:
            empty = 0 if await self.scan() else empty + 1
            between_s = min(BETWEEN_SCANS_S, self._scan_s)
            await asyncio.sleep(between_s)
            await self._calls.wait(self._scan_s * (2 if empty > QUIET_SCANS else 1) - between_s)

    async def scan(self) -> int:
        """Look once; how many keys have work."""
        found = list(await self._find())
        for key in found:
            self._at(key).nudge()
        return len(found)

    def _called(self, lease: str) -> None:
        """Another process made work for a key, and has it not; or keys are free that others had."""
        drain = self._by_lease.get(lease)
        if lease == FREED:
            for waiting in self._drains.values():
                if not waiting.holds:
                    waiting.ask_again()
        elif drain is None:
            self._calls.ring()
        elif drain.holds:
            drain.nudge()

    def worker(self, lease: str) -> Drain[Its] | None:
        return self._by_lease.get(lease)

    def given(self, lease: str) -> None:
        """Another process has handed a key to this one."""
        drain = self._by_lease.get(lease)
        if drain is not None:
            drain.nudge()
        elif self._key_of is None:
            self._calls.ring()
        else:
            self._tasks.spawn(f"take over {lease}", self._take_over(lease, self._key_of))

    async def _take_over(self, lease: str, key_of: Callable[[str], Awaitable[Key | None]]) -> None:
        key = await key_of(lease)
        if key is not None:
            self._at(key).nudge()

    async def rest(self) -> None:
        """Leave this work to other processes: whoever wakes a key here is heard there."""
        self.resting = True

    async def figures(self) -> dict[str, float]:
        drains = list(self._drains.values())
        looks = self._looks + sum(drain.looks for drain in drains)
        errors = self._errors + sum(drain.errors for drain in drains)
        return await figures(self.name, [drain.work.flight for drain in drains], looks, errors, self._depth)


Unit = Callable[[Tx], Awaitable[Done]]


def guarded(lease: Lease, unit: Unit[Done]) -> Unit[Done]:
    """The same unit of work, which fails unless the lease is still ours."""

    async def guard(tx: Tx) -> Done:
        await lease.guard(tx)
        return await unit(tx)

    return guard
