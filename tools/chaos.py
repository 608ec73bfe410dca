"""The long proof: kill the server a thousand times while messages go out and come in, and count what became of each.

    python -m tools.chaos --kills 1000 --db sqlite --way in

The same code as the suite's tests, for as long as it takes: one to two seconds a kill. Half of the kills are made
while an account sends (`out`), half while customers write and the account's own server flaps (`in`). Everything stays
on loopback and in temporary folders. It ends after the kills or after the minutes, whichever comes first, and exits
with 0 only when nothing was lost and nothing was done twice.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.databases import KINDS, forget_settings, open_databases
from tests.faults.burst import Burst, count, settle
from tests.faults.reception import Reception, reception
from tests.product import Product, running_product

# A look at everything after so many kills, so that a fault is found near where it happened.
ROUND = 50
SETTINGS = {"TABLEGRAM_UNKNOWN_WAIT_S": "5", "TABLEGRAM_LOG_LEVEL": "warning"}


@dataclass
class Outcome:
    """What some kills came to. `deliveries` are those of events, `again` those of an event that was seen before."""

    kills: int = 0
    sent: int = 0
    acknowledged: int = 0
    lost: int = 0
    twice: int = 0
    deliveries: int = 0
    again: int = 0
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        for name in ("kills", "sent", "acknowledged", "lost", "twice", "deliveries", "again", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.problems += other.problems

    @property
    def good(self) -> bool:
        return self.kills > 0 and not (self.lost or self.twice or self.problems)

    def line(self) -> str:
        deliveries = f"{self.deliveries} deliveries ({self.again} of them repeats), " if self.deliveries else ""
        return (
            f"{self.kills} kills, {self.sent} sent, {self.acknowledged} acknowledged, {self.lost} lost, "
            f"{self.twice} twice, {deliveries}{len(self.problems)} problems, {self.seconds:.0f} s "
            f"({self.seconds / max(1, self.kills):.2f} s a kill)"
        )


async def torment_sends(product: Product, kills: int, deadline: float) -> Burst:
    """A burst of sends through some kills. Never longer than the deadline allows."""
    async with Burst(product) as burst:
        for _ in range(kills):
            if time.monotonic() > deadline:
                break
            await burst.kill_and_restart(after_s=random.uniform(0.0, 0.5))
    return burst


def kill_while_sending(database_url: str, kills: int, deadline: float) -> Outcome:
    with running_product(database_url, sandbox_alone=True, settings=SETTINGS) as product:
        burst = asyncio.run(torment_sends(product, kills, deadline))
        settle(product)
        result = count(product, burst.sent)
    return Outcome(
        len(burst.caught), result.requests, result.answered, result.lost, result.duplicates, problems=result.problems
    )


async def torment_customers(place: Reception, kills: int, deadline: float) -> Outcome:
    done = 0
    place.witness.flap()
    async with place.callers(pictures=0.02) as callers:
        while done < kills and time.monotonic() < deadline:
            await place.kill_and_restart(callers, after_s=random.uniform(0.0, 0.5))
            done += 1
    await place.come_to_rest()
    result = await asyncio.to_thread(place.judge, callers)
    return Outcome(
        done, result.written, result.heard, result.lost, result.twice, result.requests, result.repeats,
        problems=result.problems,
    )  # fmt: skip


def kill_while_receiving(database_url: str, kills: int, deadline: float) -> Outcome:
    with reception(database_url) as place:
        return asyncio.run(torment_customers(place, kills, deadline))


WAYS: dict[str, Callable[[str, int, float], Outcome]] = {"out": kill_while_sending, "in": kill_while_receiving}


def prove(kind: str, way: str, kills: int, seconds: float) -> Outcome:
    """Round after round, with a line for each."""
    deadline = time.monotonic() + seconds
    total = Outcome()
    databases = open_databases(kind)
    try:
        while total.kills < kills and time.monotonic() < deadline:
            started = time.monotonic()
            url = databases.migrated()
            outcome = WAYS[way](url, min(ROUND, kills - total.kills), deadline)
            databases.drop(url)
            outcome.seconds = time.monotonic() - started
            total.add(outcome)
            print(f"{kind}, {way}: {total.kills} of {kills} kills; this round: {outcome.line()}", flush=True)
            for problem in outcome.problems[:20]:
                print(f"  PROBLEM: {problem}", flush=True)
    finally:
        databases.close()
    return total


def main() -> int:
    parser = argparse.ArgumentParser(description="Kill the server while messages go out and come in, again and again.")
    parser.add_argument("--kills", type=int, default=1_000, help="On each database, over both ways.")
    parser.add_argument("--minutes", type=float, default=120.0, help="End after so long, however many kills it was.")
    parser.add_argument("--db", choices=KINDS, action="append", help="Which database; both when left out.")
    parser.add_argument("--way", choices=list(WAYS), action="append", help="Which way; both when left out.")
    chosen = parser.parse_args()
    forget_settings()
    parts = [(kind, way) for kind in chosen.db or KINDS for way in chosen.way or WAYS]
    kills = -(-chosen.kills // len(chosen.way or WAYS))
    outcomes = {part: prove(*part, kills, chosen.minutes * 60 / len(parts)) for part in parts}
    print("\nSummary")
    for (kind, way), outcome in outcomes.items():
        late = "" if outcome.kills >= kills else f" (the time was up after {outcome.kills} of {kills} kills)"
        print(f"{kind}, {way}: {outcome.line()}: {'GOOD' if outcome.good else 'BAD'}{late}")
    return 0 if all(outcome.good for outcome in outcomes.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
