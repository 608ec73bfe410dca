"""Troubles one after the other under load, and the account of it in the end."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.databases import Server
from tests.faults.cluster.accounts import (
    Account,
    come_to_rest,
    judge_callbacks,
    judge_leases,
    judge_sends,
    stored,
)
from tests.faults.cluster.stage import Size, Stage, loaded, staged
from tests.faults.cluster.troubles import Happen, Seen

REST_S = 3.0


@dataclass(frozen=True)
class Row:
    """One trouble: how long it was, what was taken meanwhile, and after how many seconds all servers served again."""

    name: str
    seen: Seen
    seconds: float
    answered: int
    heard: int
    serves_s: float | None


@dataclass
class Result:
    rows: list[Row] = field(default_factory=list)
    account: Account = field(default_factory=Account)
    # What the servers said, for whoever looks for the cause.
    said: dict[str, str] = field(default_factory=dict)


async def prove(
    size: Size, databases: Server, folder: Path, troubles: Sequence[tuple[str, Happen]], seed: int,
    tell: Callable[[Row], None] = lambda _: None,
) -> Result:  # fmt: skip
    chance, result = random.Random(seed), Result()
    async with staged(size, databases, folder, seed) as stage:
        async with loaded(stage):
            await stage.serves("the start")
            for name, happen in troubles:
                row = await _happen(stage, name, happen, chance)
                result.rows.append(row)
                tell(row)
        await _settle(stage)
        await _judge(stage, result.account)
        result.said = {node.name: node.server.said() for node in stage.nodes}
    return result


async def _happen(stage: Stage, name: str, happen: Happen, chance: random.Random) -> Row:
    began, answered, heard = time.monotonic(), stage.senders.answered, stage.callers.heard
    seen = await happen(stage, chance)
    serves_s = await stage.serves(name)
    await asyncio.sleep(REST_S)
    took = time.monotonic() - began
    return Row(name, seen, took, stage.senders.answered - answered, stage.callers.heard - heard, serves_s)


async def _settle(stage: Stage) -> None:
    await come_to_rest(stage.store.url, stage.size.unknown_wait_s * 3 + 60)


async def _judge(stage: Stage, account: Account) -> None:
    rows = await stored(stage.store.url)
    wait_s = stage.size.unknown_wait_s
    await asyncio.to_thread(judge_sends, account, stage.product, stage.senders, rows, wait_s)
    await asyncio.to_thread(judge_callbacks, account, stage.product, stage.callers, stage.witness)
    judge_leases(account, stage.watch)
    account.promises[f"others have the work of a server within {stage.size.taken_up_s:.0f} s"] = stage.late
    account.promises["every server serves again"] = stage.problems
