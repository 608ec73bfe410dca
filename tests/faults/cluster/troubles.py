"""What may happen to a cluster. Each trouble begins under load, lasts, ends, and says what it saw."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tests.faults.cluster.nodes import Node, wrong_clock
from tests.faults.cluster.stage import Stage

# Longer than a silent server is believed to live: one lease and a half, and the look of the others.
LASTS_LEASES = 2.2
# A dead server's lines are others' within 1.6 leases; what is slower is a trouble of its own.
TAKEN_UP_LEASES = 10.0
SLOW_S = 0.2
SKEW_S = 60


@dataclass(frozen=True)
class Seen:
    """After how many seconds others had the lines of the one in trouble; nothing where nobody was."""

    taken_up_s: float | None = None
    words: str = ""


Happen = Callable[[Stage, random.Random], Awaitable[Seen]]


async def _lose(stage: Stage, node: Node, lines: set[str]) -> float | None:
    """Wait until others hold what a server held."""
    within_s = stage.size.lease_s * TAKEN_UP_LEASES
    after_s = await stage.watch.until_others_hold(node.server.pid, lines, within_s)
    if after_s is None:
        stage.problems.append(f"{sorted(lines)} of {node.name} are nobody's after {within_s:.0f} s")
    return after_s


def _lines_of(stage: Stage, node: Node) -> set[str]:
    return {name for name, pid in stage.watch.lines.items() if pid == node.server.pid}


async def _last(stage: Stage, leases: float = LASTS_LEASES) -> None:
    await asyncio.sleep(stage.size.lease_s * leases)


async def kill(stage: Stage, chance: random.Random) -> Seen:
    node = chance.choice(stage.nodes)
    lines = _lines_of(stage, node)
    await asyncio.to_thread(node.server.kill)
    taken_up_s = await _lose(stage, node, lines)
    await asyncio.to_thread(node.server.start)
    return Seen(taken_up_s, node.name)


async def freeze(stage: Stage, chance: random.Random) -> Seen:
    node = chance.choice(stage.nodes)
    lines = _lines_of(stage, node)
    await asyncio.to_thread(node.freeze)
    try:
        taken_up_s = await _lose(stage, node, lines)
        await _last(stage)
    finally:
        node.go_on()
    return Seen(taken_up_s, node.name)


async def cut_off(stage: Stage, chance: random.Random) -> Seen:
    """No way to the database; nobody is told, and nothing is refused."""
    node = chance.choice(stage.nodes)
    lines = _lines_of(stage, node)
    node.to_database.silence()
    try:
        taken_up_s = await _lose(stage, node, lines)
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


def possible() -> dict[str, Happen]:
    """Without what this machine lacks a program for."""
    return {name: one for name, one in TROUBLES.items() if one is not wrong_clocks or wrong_clock() is not None}
