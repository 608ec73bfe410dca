"""What may happen to a cluster. Each trouble begins under load, lasts, ends, and says what it saw."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from tests.faults.cluster.nodes import Node, wrong_clock
from tests.faults.cluster.stage import SERVES_WITHIN_S, Stage
from tests.faults.cluster.watch import LOOK_TAKES_S

# Longer than a silent server is believed to live: one lease and a half, and the look of the others.
LASTS_LEASES = 2.2
# Until then it is waited for, so that it can be said how late it was.
NEVER_LEASES = 10.0
SLOW_S = 0.2
SKEW_S = 60


@dataclass(frozen=True)
class Seen:
    """After how many seconds others had the work of the one in trouble; nothing where nobody was."""

    taken_up_s: float | None = None
    words: str = ""


Happen = Callable[[Stage, random.Random], Awaitable[Seen]]


@dataclass(frozen=True)
class Work:
    """What a server held when its trouble began."""

    node: Node
    names: set[str]
    since: float


async def _work_of(stage: Stage, node: Node) -> Work:
    """To be asked for right before the trouble: from here on it is measured. Who has just come back gets its share first."""
    names = await stage.watch.until_it_holds(node.server.pid, SERVES_WITHIN_S)
    if not names:
        stage.problems.append(f"{node.name} has got nothing to do within {SERVES_WITHIN_S:.0f} s")
    return Work(node, names, time.monotonic())


async def _lose(stage: Stage, work: Work) -> float | None:
    """Wait until others hold what a server held, and judge how long that took."""
    never_s, promised_s = stage.size.lease_s * NEVER_LEASES, stage.size.taken_up_s
    after_s = await stage.watch.until_others_hold(work.node.server.pid, work.names, work.since, never_s)
    if after_s is None:
        stage.late.append(f"{sorted(work.names)} of {work.node.name} are nobody's after {never_s:.0f} s")
    elif after_s > promised_s + LOOK_TAKES_S:
        stage.late.append(
            f"{sorted(work.names)} of {work.node.name} are others' after {after_s:.1f} s, not {promised_s:.0f}"
        )
    return after_s


async def _last(stage: Stage, leases: float = LASTS_LEASES) -> None:
    await asyncio.sleep(stage.size.lease_s * leases)


async def kill(stage: Stage, chance: random.Random) -> Seen:
    node = chance.choice(stage.nodes)
    work = await _work_of(stage, node)
    await asyncio.to_thread(node.server.kill)
    taken_up_s = await _lose(stage, work)
    await asyncio.to_thread(node.server.start)
    return Seen(taken_up_s, node.name)


async def freeze(stage: Stage, chance: random.Random) -> Seen:
    node = chance.choice(stage.nodes)
    work = await _work_of(stage, node)
    await asyncio.to_thread(node.freeze)
    try:
        taken_up_s = await _lose(stage, work)
        await _last(stage)
    finally:
        node.go_on()
    return Seen(taken_up_s, node.name)


async def cut_off(stage: Stage, chance: random.Random) -> Seen:
    """No way to the database; nobody is told, and nothing is refused."""
    node = chance.choice(stage.nodes)
    work = await _work_of(stage, node)
    node.to_database.silence()
    try:
        taken_up_s = await _lose(stage, work)
        await _last(stage)
    finally:
        node.to_database.heal()
    return Seen(taken_up_s, node.name)


async def slow(stage: Stage, chance: random.Random) -> Seen:
    node = chance.choice(stage.nodes)
    for way in node.ways:
        way.delay_s = SLOW_S
    try:
        await _last(stage)
    finally:
        for way in node.ways:
            way.delay_s = 0.0
    return Seen(None, f"{node.name}, {SLOW_S * 1_000:.0f} ms each way")


async def restart_store(stage: Stage, chance: random.Random) -> Seen:
    await stage.store.restart()
    return Seen(None, "as after a crash")


async def fail_over(stage: Stage, chance: random.Random) -> Seen:
    """The database's machine is gone: one server's connections just fall silent, those of the others break."""
    await stage.store.have_replica()
    await _last(stage, 1.0)
    deaf = chance.choice(stage.nodes)
    for node in stage.nodes:
        node.to_database.silence()
    await stage.store.fail_over()
    for node in stage.nodes:
        (node.to_database.lose if node is deaf else node.to_database.hang_up)(stage.store.target)
        node.to_database.heal()
    return Seen(None, f"{deaf.name} is not told")


async def restart_bus(stage: Stage, chance: random.Random) -> Seen:
    assert stage.bus is not None
    await asyncio.to_thread(stage.bus.stop)
    await asyncio.to_thread(stage.bus.start)
    return Seen()


async def no_bus(stage: Stage, chance: random.Random) -> Seen:
    assert stage.bus is not None
    await asyncio.to_thread(stage.bus.stop)
    await _last(stage)
    await asyncio.to_thread(stage.bus.start)
    return Seen()


async def wrong_clocks(stage: Stage, chance: random.Random) -> Seen:
    """Two servers are restarted one after the other, one a minute late and one a minute early; and later again."""
    late, early = chance.sample(stage.nodes, 2)
    for skew_late, skew_early in ((-SKEW_S, SKEW_S), (0, 0)):
        for node, skew_s in ((late, skew_late), (early, skew_early)):
            await asyncio.to_thread(node.server.stop)
            node.server.skew_s = skew_s
            await asyncio.to_thread(node.server.start)
        await _last(stage)
    return Seen(None, f"{late.name} {-SKEW_S} s, {early.name} {SKEW_S:+d} s")


TROUBLES: dict[str, Happen] = {
    "a server is killed": kill,
    "a server is frozen": freeze,
    "a server is cut off from the database": cut_off,
    "a server is slow": slow,
    "the database restarts": restart_store,
    "the database fails over to its replica": fail_over,
    "the bus restarts": restart_bus,
    "the bus is away": no_bus,
    "clocks are two minutes apart": wrong_clocks,
}


def wanted(only: Sequence[str] = (), without: Sequence[str] = ()) -> tuple[dict[str, Happen], list[str]]:
    """Troubles by parts of their names, and the names of those that are wanted and cannot be tried on this machine."""
    named = {name: one for name, one in TROUBLES.items() if not only or any(part in name for part in only)}
    asked = {name: one for name, one in named.items() if not any(part in name for part in without)}
    untried = [name for name, one in asked.items() if one is wrong_clocks and wrong_clock() is None]
    return {name: one for name, one in asked.items() if name not in untried}, untried
