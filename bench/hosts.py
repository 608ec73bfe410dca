"""Memory of idle linked lines, a process each, by engine.

    python -m bench.hosts             a table; exit code 1 when an engine takes more than it may

The sandbox's hosts are paired with a phone and idle. Those for real phones are kept from the network, which is as far as
they go without an account; their keys and buffers for a real conversation come on top.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from tablegram.linehost.checking.peer import Peer, Trial
from tests.contract.networks import running_sandbox

# Megabytes that an idle host may have for itself.
MOST = {"sandbox": 12.0, "neonize": 45.0, "tryx": 45.0}
SETTLE_S = 3.0


class Memory(NamedTuple):
    """Megabytes: in memory at all, what no other process shares, and with what is shared divided among those who do."""

    resident: float
    own: float
    share: float


def memory(pid: int) -> Memory:
    lines = [line.split() for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]]
    kb = {line[0].rstrip(":"): int(line[1]) for line in lines}
    return Memory(*(part / 1_024 for part in (kb["Rss"], kb["Private_Clean"] + kb["Private_Dirty"], kb["Pss"])))


def start(trial: Trial, engine: str, number: int) -> Peer:
    """A host that is led, and linked where its network lets it."""
    host = Peer(trial).__enter__()
    host.greet()
    host.lead()
    host.until(lambda: "state" in host.notes, "a state")
    if engine == "sandbox":
        host.until(lambda: "qr" in host.notes, "a code")
        host.order("rehearse", what="scan", phone=str(905_440_000_000 + number))
        host.until(lambda: host.note("state")["state"] == "connected", "a link")
    return host


def measure(engine: str, folder: Path, settings: dict[str, str], hosts: int) -> tuple[Memory, float, float]:
    """One alone; what each takes when there are several; and seconds until the first was there."""
    trial = Trial([sys.executable, "-m", "tablegram.linehost", engine], folder, settings, 60.0)
    began = time.monotonic()
    started = [start(trial, engine, 0)]
    took_s = time.monotonic() - began
    try:
        time.sleep(SETTLE_S)
        alone = memory(started[0].process.pid)
        started += [start(trial, engine, number) for number in range(1, hosts)]
        time.sleep(SETTLE_S)
        share = sum(memory(host.process.pid).share for host in started) / hosts
    finally:
        for host in started:
            host.__exit__(None, None, None)
    return alone, share, took_s


async def run(hosts: int) -> int:
    is_over = False
    print(
        f"{'engine':<10}{'resident MB':>12}{'its own':>9}{'at most':>9}{f'each of {hosts}':>11}{'there after s':>15}",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        async with running_sandbox(folder / "sandbox.db") as url:
            for engine, most in MOST.items():
                if engine != "sandbox" and find_spec(engine) is None:
                    print(f"{engine:<10}  not installed")
                    continue
                settings = {"url": url} if engine == "sandbox" else {"proxy": "http://127.0.0.1:9"}
                alone, share, took_s = await asyncio.to_thread(measure, engine, folder / engine, settings, hosts)
                is_over |= alone.own > most
                mark = "  TOO MUCH" if alone.own > most else ""
                row = f"{alone.resident:>12.1f}{alone.own:>9.1f}{most:>9.0f}{share:>11.1f}{took_s:>15.2f}"
                print(f"{engine:<10}{row}{mark}", flush=True)
    return int(is_over)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=5, help="processes of each engine")
    parser.add_argument("--quick", action="store_true", help="two processes of each engine")
    parser.add_argument("--db", action="append", help="none is used; taken so that every benchmark is called alike")
    given = parser.parse_args()
    return asyncio.run(run(2 if given.quick else given.hosts))


if __name__ == "__main__":
    sys.exit(main())
