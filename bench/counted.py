"""Instructions of the server for each send and each inbound message: a figure that a busy machine does not change.

What a server does by itself, its heartbeats and looks at the clock, is counted first, and taken off by the time that passed:
it runs fifty times slower here, and slower still where others work.

Runs inside either tree of `bench.compare`, with that tree's own modules; needs valgrind, and takes its time.

python -c "$(cat bench/counted.py)" DATABASE SECONDS    prints one JSON line
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tablegram
from bench import generator, inbound, run
from tests.databases import open_databases
from tests.product import free_port  # type: ignore[attr-defined]  # Where older trees have it.

# As many as make start-up and clocks small beside them, and still end: a server runs fifty times slower like this.
SENDS = 400
WARM = 100
# Nothing is asked for so long, to see what happens by itself.
STILL_S = 15.0
# Of inbound messages a second, for so long.
RATE, FOR_S = 12.0, 25.0

COUNT = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--trace-children=no", "--quiet"]


class Counted:
    """A server whose instructions are counted between two moments."""

    def __init__(self, environment: dict[str, str], folder: Path) -> None:
        self.out = folder / "counts"
        self.process = subprocess.Popen(
            [*COUNT, f"--callgrind-out-file={self.out}", sys.executable, "-m", "bench.variants", "group"],
            env={**environment, "PYTHONHASHSEED": "0"},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        if self.process.stdout.readline().strip() != "ready":
            raise SystemExit("the server did not start")

    @property
    def pid(self) -> int:
        return self.process.pid

    def control(self, *arguments: str) -> None:
        subprocess.run(["callgrind_control", *arguments, str(self.pid)], check=True, capture_output=True)

    def begin(self) -> None:
        self.control("-z")
        self.control("-i", "on")

    def end(self) -> int:
        self.control("-i", "off")
        before = set(self.out.parent.glob("counts*"))
        self.control("-d")
        for _ in range(200):
            for made in set(self.out.parent.glob("counts*")) - before:
                found = re.findall(r"^(?:totals|summary): (\d+)", made.read_text(), re.MULTILINE)
                if found:
                    return max(map(int, found))
            time.sleep(0.1)
        raise SystemExit("no counts were written")

    def terminate(self) -> None:
        self.process.terminate()

    def wait(self, seconds: float) -> None:
        self.process.wait(seconds * 20)


class Fixed(generator.Load):
    """So many sends, however long they take."""

    def __init__(self, key: str, connections: int, left: int, done: asyncio.Event) -> None:
        super().__init__(key, 1e9, done, connections)
        self.wanted = left

    def count(self, took: float, status: bytes, body: bytes) -> bool:
        super().count(took, status, body)
        if self.sent + self.left > self.wanted:
            self.left -= 1
            if self.left == 0:
                self.done.set()
            return False
        return True


async def send(port: int, key: str, connections: int, wanted: int) -> None:
    done = asyncio.Event()
    load = Fixed(key, connections, wanted, done)
    loop = asyncio.get_running_loop()
    for _ in range(connections):
        await loop.create_connection(lambda: generator.Client(load), "127.0.0.1", port)
    await asyncio.wait_for(done.wait(), 900)
    if load.errors or load.sent != wanted:
        raise SystemExit(f"sent {load.sent} of {wanted}: {load.errors}")


def still(server: Counted) -> float:
    """Instructions a second while nobody asks for anything."""
    server.begin()
    began = time.monotonic()
    time.sleep(STILL_S)
    took_s = time.monotonic() - began
    return server.end() / took_s


def count_sends(kind: str, folder: Path) -> dict[str, float]:
    stub_port = free_port()
    stub = run.start("bench.stub_network", str(stub_port), environment=dict(os.environ))
    databases = open_databases(kind)
    environment = run.prepare(databases.migrated(), folder, stub_port)
    port, key = int(environment["TABLEGRAM_PORT"]), environment["BENCH_KEY"]
    server = Counted(environment, folder)
    counted = {}
    try:
        asyncio.run(send(port, key, 1, WARM))
        by_itself = still(server)
        for connections in (1, 16):
            asyncio.run(send(port, key, connections, WARM))
            server.begin()
            began = time.monotonic()
            asyncio.run(send(port, key, connections, SENDS))
            took_s = time.monotonic() - began
            counted[f"sends, {connections} connections"] = (server.end() - by_itself * took_s) / SENDS / 1_000
    finally:
        server.terminate()
        server.wait(20)
        stub.terminate()
        databases.close()
    return counted


def count_inbound(kind: str, folder: Path) -> dict[str, float]:
    databases = open_databases(kind)
    servers = []

    def started(*arguments: str, environment: dict[str, str]) -> Counted:
        servers.append(Counted(environment, folder))
        return servers[-1]

    inbound.start = started  # type: ignore[attr-defined, assignment]
    bench = inbound.Bench(databases.migrated(), folder)
    try:
        bench.endpoint("/hook")
        bench.offer(RATE, 5.0)
        time.sleep(5)
        bench.seen()
        by_itself = still(servers[0])
        servers[0].begin()
        began = time.monotonic()
        offered = bench.offer(RATE, FOR_S)
        delivered = 0
        while delivered < offered["acknowledged"]:
            time.sleep(1)
            delivered += bench.seen()["delivered"]
        took_s = time.monotonic() - began
        return {"inbound": (servers[0].end() - by_itself * took_s) / delivered / 1_000}
    finally:
        bench.close()
        databases.close()


def main() -> None:
    kind = sys.argv[1]
    counted: dict[str, float] = {}
    for count in (count_sends, count_inbound):
        with tempfile.TemporaryDirectory(prefix="tablegram-bench-") as folder:
            counted |= count(kind, Path(folder))
    figures = {name: {"1,000 instructions": value} for name, value in counted.items()}
    print(json.dumps({"from": tablegram.__file__, "figures": figures}))


if __name__ == "__main__":
    main()
