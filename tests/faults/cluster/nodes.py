"""One server of the cluster, with a way of its own to the database and to the bus, and perhaps a clock of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from tests.faults.cluster.relay import Relay
from tests.faults.pair import freeze, go_on
from tests.orphans import follow_parent
from tests.ports import free_port
from tests.product import Process, Product

# So often the time that a server has to start.
STARTS = 4


@cache
def wrong_clock() -> Path | None:
    """What lets a program believe that it is another time; nothing where it is not installed (Debian: `faketime`)."""
    return next((one for one in Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")), None)


class SkewedProcess(Process):
    """A server whose clock is wrong by so many seconds. Its steady clocks run as everybody's."""

    skew_s: int = 0

    def launch(self) -> None:
        if not self.skew_s:
            super().launch()
            return
        clock = {
            "LD_PRELOAD": str(wrong_clock()), "FAKETIME": f"{self.skew_s:+d}s", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }  # fmt: skip
        with self.log.open("ab") as said:
            started: Any = subprocess.Popen(
                [sys.executable, "-m", "tablegram", *self.arguments], env={**self.environment, **clock}, stdout=said,
                stderr=said, preexec_fn=partial(follow_parent, signal.SIGKILL, os.getpid()),
            )  # fmt: skip
        self.process = started

    def wait_until_ready(self) -> None:
        """It is not forked off one that has loaded the program: on a busy machine that takes its time."""
        for _ in range(STARTS):
            try:
                return super().wait_until_ready()
            except AssertionError:
                if not self.skew_s or not self.is_running():
                    raise
        raise AssertionError(f"{self.arguments} was not ready in time:\n{self.said()[-3_000:]}")


@dataclass
class Node:
    name: str
    product: Product
    to_database: Relay
    to_bus: Relay | None
    server: SkewedProcess

    @property
    def target(self) -> tuple[str, int]:
        return "127.0.0.1", int(self.product.environment["TABLEGRAM_PORT"])

    @property
    def ways(self) -> list[Relay]:
        return [self.to_database, *([self.to_bus] if self.to_bus else [])]

    def freeze(self) -> None:
        freeze(self.product)

    def go_on(self) -> None:
        if self.server.is_running():
            go_on(self.product)


def make_node(name: str, like: Product, folder: Path, to_database: Relay, to_bus: Relay | None) -> Node:
    """Not started yet."""
    port = free_port()
    folder.mkdir()
    database = like.environment["TABLEGRAM_DATABASE_URL"].rsplit("/", 1)[1]
    environment = {
        **like.environment,
        "TABLEGRAM_DATABASE_URL": f"postgresql://postgres@127.0.0.1:{to_database.port}/{database}",
        "TABLEGRAM_DATA_DIR": str(folder),
        "TABLEGRAM_PORT": str(port),
    }
    if to_bus is not None:
        environment["TABLEGRAM_NATS_URL"] = f"nats://bus:not-to-be-told@127.0.0.1:{to_bus.port}"
    url = f"http://127.0.0.1:{port}"
    server = SkewedProcess(["serve", "--role", "all"], environment, folder / "server.log", f"{url}/readyz")
    product = replace(like, url=url, environment=environment, data_dir=folder, server=server)
    return Node(name, product, to_database, to_bus, server)
