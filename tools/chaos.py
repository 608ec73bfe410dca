"""The long proof: kill the server many times in the middle of a burst, and count what became of every message.

    python -m tools.chaos --kills 1000 --db sqlite

The same code as the suite's test, for as long as it takes: about two seconds a kill. Everything stays on loopback and
in temporary folders. It ends after the kills or after the minutes, whichever comes first, and exits with 0 only
when nothing was lost and nothing was done twice.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.databases import KINDS, forget_settings, open_databases
from tests.faults.burst import Burst, Count, count, settle
from tests.product import Product, running_product

# A look at everything after so many kills, so that a fault is found near where it happened.
ROUND = 25
SETTINGS = {"TABLEGRAM_UNKNOWN_WAIT_S": "5", "TABLEGRAM_LOG_LEVEL": "warning"}


async def torment(product: Product, kills: int, deadline: float) -> Burst:
    """One round: a burst through some kills. Never longer than the deadline allows."""
    async with Burst(product) as burst:
        for _ in range(kills):
            if time.monotonic() > deadline:
                break
            await burst.kill_and_restart(after_s=random.uniform(0.0, 0.5))
    return burst


def run_round(database_url: str, kills: int, deadline: float) -> tuple[Burst, Count]:
    with running_product(database_url, sandbox_alone=True, settings=SETTINGS) as product:
        burst = asyncio.run(torment(product, kills, deadline))
        settle(product)
        return burst, count(product, burst.sent)


def prove(kind: str, kills: int, minutes: float) -> bool:
    """Whether every round was good; prints a line for each and a summary."""
    deadline = time.monotonic() + minutes * 60
    done, caught, rounds = 0, [], list[Count]()
    databases = open_databases(kind)
    try:
        while done < kills and time.monotonic() < deadline:
            url = databases.migrated()
            burst, result = run_round(url, min(ROUND, kills - done), deadline)
            databases.drop(url)
            done += len(burst.caught)
            caught += burst.caught
            rounds.append(result)
            print(f"{kind}: {done} of {kills} kills; this round: {result.line()}", flush=True)
            for problem in result.problems[:20]:
                print(f"  PROBLEM: {problem}", flush=True)
    finally:
        databases.close()
    good = all(not result.problems and result.duplicates == 0 for result in rounds) and done > 0
    print(
        f"{kind}: {done} kills with {min(caught, default=0)} to {max(caught, default=0)} requests in flight; "
        f"{sum(one.answered for one in rounds)} messages answered 200, {sum(one.stored for one in rounds)} stored, "
        f"{sum(one.accepted for one in rounds)} accepted by the network, {sum(one.duplicates for one in rounds)} twice, "
        f"{sum(len(one.problems) for one in rounds)} problems: {'GOOD' if good else 'BAD'}"
        + ("" if done >= kills else f" (the time was up after {done} of {kills} kills)")
    )
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description="Kill the server in the middle of a burst, again and again.")
    parser.add_argument("--kills", type=int, default=1_000)
    parser.add_argument("--minutes", type=float, default=120.0, help="End after so long, however many kills it was.")
    parser.add_argument("--db", choices=KINDS, action="append", help="Which database; both when left out.")
    chosen = parser.parse_args()
    forget_settings()
    kinds = chosen.db or list(KINDS)
    outcomes = [prove(kind, chosen.kills, chosen.minutes / len(kinds)) for kind in kinds]
    return 0 if all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
