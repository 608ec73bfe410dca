"""Whoever is rung for work that another process holds is heard there at once, and nobody calls for what all can see."""

from __future__ import annotations

from collections.abc import Iterable

from tablegram.engine.bus.wakeups import Wakeups
from tablegram.engine.drains import Drain, KeyedDrain, Work
from tablegram.engine.leases import Leases
from tablegram.engine.owners import Owner
from tablegram.engine.timers import Tasks
from tests.engine.room import Room
from tests.engine.waiting import settle, until
from tests.storage.opened import opened

# Nobody finds anything by looking.
NEVER_S = 600.0


class Counting(Work):
    def __init__(self) -> None:
        super().__init__()
        self.steps = 0

    async def step(self) -> float:
        self.steps += 1
        return NEVER_S


class Process:
    def __init__(self, db: object, room: Room) -> None:
        self.tasks = Tasks()
        self.owner = Owner(db)  # type: ignore[arg-type]
        self.leases = Leases(db, self.owner, wakeups=Wakeups(room.join()))  # type: ignore[arg-type]
        self.clock = Drain("clock", Counting(), self.leases, retry_s=NEVER_S)
        self.due: list[str] = []
        self.keys: KeyedDrain[str, Counting] = KeyedDrain(
            "keys", self.leases, self.tasks, open=lambda _: Counting(), lease=lambda key: f"key:{key}", find=self._find,
            scan_s=NEVER_S, retry_s=NEVER_S,
        )  # fmt: skip

    async def _find(self) -> Iterable[str]:
        return self.due


async def test_who_rings_where_the_work_is_not_is_heard_where_it_is(database_url: str) -> None:
    room = Room()
    async with opened(database_url) as db:
        holder, other, door = (Process(db, room) for _ in range(3))
        await holder.owner.register()
        holder.tasks.keep("clock", holder.clock.run)
        holder.tasks.keep("keys", holder.keys.scan_forever)
        await until(lambda: holder.clock.work.steps == 1)
        holder.keys.wake("a")
        await until(lambda: holder.keys.at("a").steps >= 1)

        # Another that asks for the same lease, in vain; it calls for what was rung here, not for its own looks.
        other.tasks.keep("clock", other.clock.run)
        other.due = ["a"]
        other.tasks.keep("keys", other.keys.scan_forever)
        await until(lambda: len(other.keys) == 1)
        await settle()
        assert room.told == []
        other.clock.work.wake()
        await until(lambda: holder.clock.work.steps == 2)
        before = holder.keys.at("a").steps
        other.keys.wake("a")
        await until(lambda: holder.keys.at("a").steps > before)
        assert (other.clock.work.steps, other.keys.at("a").steps) == (0, 0)

        # One that leaves the work to others: it only passes on, also what nobody is at yet.
        door.tasks.keep("clock", door.clock.relay)
        await door.keys.rest()
        door.clock.work.wake()
        await until(lambda: holder.clock.work.steps == 3)
        holder.due = ["b"]
        door.keys.at("b").wake()
        await until(lambda: "b" in holder.keys and holder.keys.at("b").steps >= 1)
        await until(lambda: len(door.keys) == 0)
        assert room.told == ["clock\tclock", "keys\tkey:a", "clock\tclock", "keys\tkey:b"]

        # Whoever leaves hands over at once: those who were refused ask again, though their next look is far away.
        steps, mine = other.clock.work.steps, other.keys.at("a").steps
        assert (steps, mine) == (0, 0)
        await holder.tasks.stop()
        await holder.leases.free(holder.owner.id)
        await until(lambda: other.clock.work.steps and other.keys.at("a").steps)
        # So it is with what a dead one held, for the one that buries it and for all others.
        heir = Process(db, room)
        heir.tasks.keep("clock", heir.clock.run)
        await until(lambda: heir.clock.looks)
        await settle(db=db)
        assert heir.clock.work.steps == 0
        await other.tasks.stop()
        await heir.leases.free(other.owner.id)
        await until(lambda: heir.clock.work.steps)
        for one in (heir, door):
            await one.tasks.stop()
