"""Work moves to processes that have less, when what is under way has ended; and what is used is never lost on the way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest
from sqlalchemy import select, update

from tablegram.engine.balance import balancing
from tablegram.engine.balance.balancing import SETTLED, Balancer
from tablegram.engine.bus.wakeups import Wakeups
from tablegram.engine.drains import LEASE_RETRY_S, Drain, KeyedDrain, Work
from tablegram.engine.flights import Flight
from tablegram.engine.leases import MARGIN, Leases
from tablegram.engine.owners import LEAVING, Owner
from tablegram.engine.timers import Tasks
from tablegram.errors import Unavailable
from tablegram.storage.database import Database, Query
from tablegram.storage.tables import leases
from tests.engine.room import Room
from tests.engine.waiting import until
from tests.storage.opened import opened

LEASE_S = 60.0
_HELD = Query(select(leases.c.name, leases.c.owner_id))
_RUN_OUT = Query(update(leases).values(until=0))


class Toy(Work):
    """Works for as long as a test lets it."""

    def __init__(self, tasks: Tasks, key: str) -> None:
        super().__init__()
        self.flight: Flight[str] = Flight(tasks, self.bell, 1)
        self.key = key
        self.still = True

    def is_still(self) -> bool:
        return self.still

    def begin(self, landing: asyncio.Event) -> None:
        self.flight.begin(self.key, self.key, _wait(landing))

    async def step(self) -> float:
        return 60.0


async def _wait(landing: asyncio.Event) -> None:
    await landing.wait()


class Process:
    def __init__(self, db: Database, room: Room, role: str = "all") -> None:
        self.tasks = Tasks()
        self.owner = Owner(db, LEASE_S, role=role)
        self.leases = Leases(db, self.owner, wakeups=Wakeups(room.join()))
        self.balancer = Balancer(self.owner, self.leases, lambda kind: "worker")
        self.drain: KeyedDrain[str, Toy] = KeyedDrain(
            "toys", self.leases, self.tasks, open=lambda key: Toy(self.tasks, key), lease=lambda key: f"toy:{key}",
            find=_nothing, key_of=_key_of,
        )  # fmt: skip

    async def take(self, *keys: str) -> None:
        for key in keys:
            self.drain.wake(key)
        await until(lambda: all((worker := self.drain.worker(f"toy:{key}")) and worker.holds for key in keys))

    def held(self) -> int:
        return sum(bool((worker := self.drain.worker(f"toy:{toy.key}")) and worker.holds) for toy in self.drain)

    async def settle(self) -> None:
        for _ in range(SETTLED):
            await self.balancer.look()


async def _nothing() -> list[str]:
    return []


async def _key_of(lease: str) -> str:
    return lease.removeprefix("toy:")


@asynccontextmanager
async def running(database_url: str, *roles: str) -> AsyncIterator[tuple[Database, list[Process]]]:
    async with opened(database_url) as db:
        room = Room()
        processes = [Process(db, room, role) for role in roles]
        for one in processes:
            await one.owner.register()
            one.tasks.keep("leases", one.leases.renew_forever)
        try:
            yield db, processes
        finally:
            for one in processes:
                await one.tasks.stop()


async def holders(db: Database) -> dict[str, str]:
    return {row["name"]: row["owner_id"] for row in await db.all(_HELD)}


async def test_a_newcomer_works_on_its_share_at_once(database_url: str) -> None:
    async with running(database_url, "all", "all", "api") as (db, (one, two, door)):
        await one.take("a", "b", "c", "d")
        await one.settle()
        await until(lambda: two.held() == 2)
        owners = list((await holders(db)).values())
        assert (owners.count(one.owner.id), owners.count(two.owner.id), owners.count(door.owner.id)) == (2, 2, 0)
        assert one.balancer.moved == 2
        # All have their share now.
        await one.settle()
        await two.settle()
        assert (one.balancer.moved, two.balancer.moved) == (2, 0)


async def test_what_is_under_way_ends_first_and_nothing_more_is_begun(database_url: str) -> None:
    async with running(database_url, "all", "all") as (db, (one, two)):
        await one.take("a", "b")
        landing = asyncio.Event()
        for toy in one.drain:
            toy.begin(landing)
        lent = [toy.lease for toy in one.drain]
        await one.settle()
        giving = [lease for lease in lent if one.leases.is_giving(lease.name)]
        assert len(giving) == 1
        assert not giving[0].is_sure()
        assert await one.leases.hold(giving[0].name) is None
        assert set((await holders(db)).values()) == {one.owner.id}, "it is not handed over while something is under way"
        # Renewing in between brings it back to nobody.
        await one.leases.renew()
        assert not giving[0].is_sure()
        landing.set()
        await until(lambda: len(two.drain) == 1)
        assert sorted((await holders(db)).values()) == sorted([one.owner.id, two.owner.id])


async def test_what_does_not_hold_still_stays(database_url: str) -> None:
    async with running(database_url, "all", "all") as (db, (one, _)):
        await one.take("a", "b")
        for toy in one.drain:
            toy.still = False
        await one.settle()
        await one.settle()
        assert set((await holders(db)).values()) == {one.owner.id}


async def test_who_leaves_hands_over_all_that_others_can_take_and_gets_nothing_back(database_url: str) -> None:
    async with running(database_url, "all", "all", "all", "api") as (db, (one, two, three, _)):
        await one.take("a", "b", "c", "d", "e")
        landing = asyncio.Event()
        for toy in one.drain:
            # Also what would not move for the sake of balance; but what is under way ends first.
            toy.still = False
            if toy.key == "e":
                toy.begin(landing)
        await one.leases.hold("clock")
        # Two leave at once: neither gets what the other has.
        await two.balancer.leave()
        await one.balancer.leave()
        await one.balancer.look()
        await until(lambda: three.held() == 4)
        held = await holders(db)
        assert (held.pop("clock"), held.pop("toy:e")) == (one.owner.id, one.owner.id)
        assert set(held.values()) == {three.owner.id}
        landing.set()
        await until(lambda: three.held() == 5)
        # Who stays does not think of them as able to take anything.
        await three.settle()
        assert three.balancer.moved == 0


async def test_who_leaves_and_has_no_heir_keeps_what_it_has(database_url: str) -> None:
    async with running(database_url, "all", "api") as (db, (one, _)):
        await one.take("a")
        await one.balancer.leave()
        await one.balancer.look()
        assert (one.held(), await holders(db)) == (1, {"toy:a": one.owner.id})


async def test_who_leaves_while_the_store_is_away_says_so_when_it_is_back_and_hands_over(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only the bell wakes it.
    monkeypatch.setattr(balancing, "LEAVING_S", 3_600.0)
    async with running(database_url, "all", "all") as (db, (one, two)):
        await one.take("a")

        async def away(*writes: object) -> None:
            raise Unavailable("The store is away.")

        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(one.owner, "_db", SimpleNamespace(put_aside=away))
            with pytest.raises(Unavailable):
                await one.balancer.leave()
        one.tasks.keep("balance", one.balancer.balance_forever)
        await until(lambda: two.held() == 1)
        assert {held.id: held.role for held in await two.owner.holdings()} == {
            one.owner.id: LEAVING,
            two.owner.id: "all",
        }
        assert set((await holders(db)).values()) == {two.owner.id}


async def test_nothing_moves_to_who_was_seen_only_once(database_url: str) -> None:
    async with running(database_url, "all", "all") as (db, (one, two)):
        await two.owner.leave()
        await one.take("a", "b")
        await one.settle()
        await two.owner.register()
        await one.balancer.look()
        assert one.balancer.moved == 0
        await one.balancer.look()
        assert one.balancer.moved == 1
        assert db is not None


async def test_what_is_used_is_renewed_together_and_the_rest_let_go(database_url: str) -> None:
    now = 1_000.0
    async with opened(database_url) as db:
        one = Leases(db, Owner(db, LEASE_S), steady=lambda: now)
        two = Leases(db, Owner(db, LEASE_S), steady=lambda: now)
        await one.hold("a")
        await one.hold("b")
        now += 50
        assert await one.hold("a")
        await db.put((_RUN_OUT, {}))
        now += 20
        await one.renew()
        assert await two.hold("a") is None
        assert await two.hold("b") is not None, "nobody has asked for it for a minute"


async def test_a_short_lease_is_let_go_when_nobody_used_it_for_six_times_its_length(database_url: str) -> None:
    now = 1_000.0
    async with opened(database_url) as db:
        one = Leases(db, Owner(db, 9.0), steady=lambda: now)
        lease = await one.hold("a")
        assert lease is not None
        for later, is_kept in ((53.0, True), (2.0, False)):
            now += later
            await one.renew()
            assert lease.is_sure() == is_kept


async def test_what_was_handed_over_is_sure_without_another_question(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_000.0
    async with opened(database_url) as db:
        heir = Owner(db, LEASE_S)
        one, two = (Leases(db, owner, steady=lambda: now) for owner in (Owner(db, LEASE_S), heir))
        await heir.register()
        await one.hold("a")
        told: list[str] = []
        monkeypatch.setattr(one.wakeups, "say_given", told.append)
        # One that has ended gets nothing, and nobody is told.
        await one.hold("b")
        one.begin_giving("b", "ended")
        assert (await one.give("b"), told) == (False, [])
        one.begin_giving("a", heir.id)
        assert await one.give("a")
        assert told == [heir.id]
        await two.renew()

        async def ask(name: str) -> None:
            raise AssertionError("it is known already")

        monkeypatch.setattr(two, "_ask", ask)
        lease = await two.hold("a")
        assert lease is not None
        assert lease.left_s() == pytest.approx(LEASE_S * (1 - MARGIN))
        now += LEASE_S * (1 - MARGIN)
        assert not lease.is_sure()


async def test_what_is_handed_over_twice_at_once_goes_once_and_what_stays_meanwhile_stays(database_url: str) -> None:
    async with opened(database_url) as db:
        owner, heir = Owner(db, LEASE_S), Owner(db, LEASE_S)
        one = Leases(db, owner)
        await heir.register()
        for name in ("a", "b"):
            await one.hold(name)
            one.begin_giving(name, heir.id)
        # Who balances, and who has just begun to work on it.
        assert sorted(await asyncio.gather(one.give("a"), one.give("a"))) == [False, True]
        one.keep("b")
        assert not await one.give("b")
        assert await one.hold("b") is not None
        # Given back meanwhile: there is nothing to hand over.
        one.begin_giving("b", heir.id)
        await one.free(owner.id)
        assert not await one.give("b")
        assert not one.is_giving("b")


async def test_what_was_for_one_that_has_ended_is_worked_on_at_once(database_url: str) -> None:
    async with opened(database_url) as db:
        tasks, heir = Tasks(), Owner(db, LEASE_S)
        one = Leases(db, Owner(db, LEASE_S))
        drain = Drain("toys", Toy(tasks, "a"), one, "toy:a")
        await heir.register()
        assert await drain.look() == 60.0
        one.begin_giving("toy:a", "ended")
        assert await drain.look() == 0.0
        assert (await drain.look(), drain.holds) == (60.0, True)
        one.begin_giving("toy:a", heir.id)
        assert await drain.look() == LEASE_RETRY_S
        assert (await drain.look(), drain.holds) == (LEASE_RETRY_S, False)


async def test_what_is_not_handed_over_after_all_is_ours_as_before(database_url: str) -> None:
    async with opened(database_url) as db:
        heir = Owner(db, LEASE_S)
        one, two = (Leases(db, owner) for owner in (Owner(db, LEASE_S), heir))
        await heir.register()
        lease = await one.hold("a")
        assert lease is not None
        one.begin_giving("a", heir.id)
        # Nothing is begun under it meanwhile, and nobody else has it.
        assert (one.is_giving("a"), lease.is_sure(), await one.hold("a"), await two.hold("a")) == (
            True,
            False,
            None,
            None,
        )
        one.keep("a")
        assert (one.is_giving("a"), await one.hold("a"), lease.is_sure()) == (False, lease, True)
        assert await two.hold("a") is None
