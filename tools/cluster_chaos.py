"""Three servers on one database and one bus, and what may happen to them, one trouble after the other under load.

    python -m tools.cluster_chaos --seed 7 --rounds 2

Everything stays on loopback. Each server reaches the database and the bus over a way of its own, which can fall silent, be
slow, or lead elsewhere. In the end each message is accounted for. It exits with 0 only when every promise held, and
everything that was asked for could be tried.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.databases import Server, forget_settings
from tests.faults.cluster.proof import Result, Row, prove
from tests.faults.cluster.stage import Size
from tests.faults.cluster.troubles import wanted


def told(seconds: float | None) -> str:
    return "–" if seconds is None else f"{seconds:.1f}"


def line(row: Row) -> str:
    name = f"{row.name} ({row.seen.words})" if row.seen.words else row.name
    return f"| {name} | {row.seconds:.0f} | {row.answered} | {row.heard} | {told(row.seen.taken_up_s)} | {told(row.serves_s)} |"


def report(result: Result) -> None:
    print("\n" + ", ".join(f"{name}: {count:,}" for name, count in result.account.figures.items()))
    for promise, against in result.account.promises.items():
        print(f"{'FAILED' if against else 'passed'}  {promise}")
        for one in against[:10]:
            print(f"        {one}")
    total = len(result.account.promises)
    print(f"{total - result.account.failed} passed, {result.account.failed} failed")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--seed", type=int, default=int(time.time()) % 10_000, help="the order of what happens, and to whom"
    )
    parser.add_argument("--rounds", type=int, default=1, help="so often everything happens")
    parser.add_argument("--only", action="append", default=[], help="a trouble by a part of its name, instead of all")
    parser.add_argument("--without", action="append", default=[], help="a trouble by a part of its name, to leave out")
    parser.add_argument("--keep", type=Path, help="a folder for what the servers said")
    chosen = parser.parse_args()
    forget_settings()
    able, untried = wanted(chosen.only, chosen.without)
    chance, troubles = random.Random(chosen.seed), []
    for _ in range(chosen.rounds):
        some = [*able.items()]
        chance.shuffle(some)
        troubles += some
    print(f"seed {chosen.seed}\n\n| what happens | s | sends | callbacks | taken up, s | serves again, s |")
    print("|---|---|---|---|---|---|", flush=True)
    databases = Server()
    try:
        with tempfile.TemporaryDirectory(prefix="tablegram-cluster-") as folder:
            result = asyncio.run(
                prove(Size(), databases, Path(folder), troubles, chosen.seed, lambda row: print(line(row), flush=True))
            )
    finally:
        databases.close()
    if chosen.keep:
        chosen.keep.mkdir(parents=True, exist_ok=True)
        for name, said in result.said.items():
            (chosen.keep / f"{name}.log").write_text(said)
    report(result)
    for name in untried:
        print(f"NOT TRIED: {name}. Install Debian's faketime, or leave it out: --without clocks")
    return 1 if result.account.failed or untried else 0


if __name__ == "__main__":
    sys.exit(main())
