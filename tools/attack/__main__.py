"""The long form: every attack against a product of its own, bounded in count and time, on loopback.

    python -m tools.attack                    all of them
    python -m tools.attack 'silent forms'     these

It prints a table: what came of each, and how the service answered others meanwhile. It ends with 0 only when all held.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from tests.databases import KINDS, forget_settings, open_databases
from tools.attack.attack import Attack, all_attacks
from tools.attack.ground import Ground, Health, open_ground

MOST_S = 300.0


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    held: bool
    words: str
    health: Health
    cpu_s: float
    grown_mb: float
    seconds: float

    @property
    def good(self) -> bool:
        return self.held and not self.health.failures

    def line(self) -> str:
        took_ms = sorted(one * 1_000 for one in self.health.took_s)
        health = f"{statistics.median(took_ms):.0f} / {took_ms[-1]:.0f} ms, {len(self.health.failures)} of {len(took_ms)} failed"
        state = "held" if self.good else "NOT HELD"
        return (
            f"| {self.name} | {state} | {self.words} | {health} | {self.cpu_s:.1f} s, {self.grown_mb:+.0f} MB "
            f"| {self.seconds:.0f} s |"
        )


async def attempt(attack: Attack, ground: Ground) -> Row:
    began_s, cpu_s, resident_mb = time.monotonic(), ground.cpu_s(), ground.resident_mb()
    with Health(ground.product.url) as health:
        try:
            async with asyncio.timeout(MOST_S):
                held, words = True, await attack.run(ground)
        except Exception as error:
            held, words = False, f"{type(error).__name__}: {error}"
        # One look at least while everything that was opened is let go.
        await asyncio.sleep(0.3)
    grown_mb = ground.resident_mb() - resident_mb
    return Row(attack.name, held, words, health, ground.cpu_s() - cpu_s, grown_mb, time.monotonic() - began_s)


def main() -> int:
    parser = argparse.ArgumentParser(description="Try every attack against a product on this machine.")
    parser.add_argument("names", nargs="*", help="Which attacks; all when left out.")
    parser.add_argument("--db", choices=KINDS, default=KINDS[0])
    chosen = parser.parse_args()
    forget_settings()
    wanted = [attack for attack in all_attacks() if not chosen.names or attack.name in chosen.names]
    if not wanted:
        parser.error("there is no such attack; the names are " + ", ".join(attack.name for attack in all_attacks()))
    databases = open_databases(chosen.db)
    rows: list[Row] = []
    print("| Attack | | What came of it | /healthz, median / worst | Server | |\n|---|---|---|---|---|---|", flush=True)
    try:
        for attack in wanted:
            url = databases.migrated()
            with open_ground(url, short=False, settings=attack.settings) as ground:
                rows.append(asyncio.run(attempt(attack, ground)))
            databases.drop(url)
            print(rows[-1].line(), flush=True)
            for failure in rows[-1].health.failures[:3]:
                print(f"  {rows[-1].name}: /healthz {failure}", flush=True)
    finally:
        databases.close()
    return 0 if all(row.good for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
