"""Two servers that share one database, each of which can be frozen and let go on."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from sqlalchemy import bindparam, update

from tablegram.settings import Settings
from tablegram.storage.database import Query, open_database
from tablegram.storage.tables import owners
from tests.faults.witness import Witness, witness
from tests.ports import free_port
from tests.product import Process, Product, running_product, wait_until

LEASE_S = 2.0
# Silence after which a process of another machine is taken for dead, and some time for that to be noticed.
FROZEN_S = 3 * LEASE_S
SETTINGS = {
    "TABLEGRAM_LEASE_S": str(LEASE_S),
    "TABLEGRAM_UNKNOWN_WAIT_S": "1",
    "TABLEGRAM_SECRET_KEY": "the same secret key for two servers of one test",
    "TABLEGRAM_ALLOWED_PRIVATE_TARGETS": "127.0.0.0/8",
    "TABLEGRAM_LOG_LEVEL": "info",
}
_MOVE = Query(update(owners).where(owners.c.pid == bindparam("b_pid")).values(host="another machine"))


@dataclass
class Pair:
    one: Product
    other: Product
    witness: Witness
    database_url: str

    def move_away(self, product: Product) -> None:
        """Let the others believe that a process runs on another machine, where nobody can look at its pid."""

        async def move() -> None:
            db = open_database(Settings(database_url=self.database_url))
            await db.open()
            await db.put((_MOVE, {"b_pid": product.server.pid}))
            await db.close()

        asyncio.run(move())


def freeze(product: Product) -> None:
    os.kill(product.server.pid, signal.SIGSTOP)
    wait_until(lambda: is_frozen(product), "the process to stop")


def go_on(product: Product) -> None:
    os.kill(product.server.pid, signal.SIGCONT)


def is_frozen(product: Product) -> bool:
    stat = Path(f"/proc/{product.server.pid}/stat").read_text()
    return stat[stat.rindex(")") + 2] == "T"


@contextmanager
def pair(database_url: str, freeze_at: str = "", nats_url: str = "") -> Iterator[Pair]:
    """The first may freeze itself at a named point. They hear each other over the database, unless a server is named."""
    with (
        witness() as seeing,
        tempfile.TemporaryDirectory(prefix="tablegram-second-") as folder,
        running_product(
            database_url,
            sandbox_alone=True,
            settings={**SETTINGS, "TABLEGRAM_FREEZE_AT": freeze_at, "TABLEGRAM_NATS_URL": nats_url},
        ) as one,
    ):
        endpoint = {"url": seeing.receiver.url, "events": ["messages.update"]}
        status, made = one.call("POST", "/webhooks", endpoint)
        assert status == 201, made
        seeing.secret = made["secret"]
        other = second(one, Path(folder))
        other.server.start()
        try:
            yield Pair(one, other, seeing, database_url)
        finally:
            go_on(one)
            go_on(other)
            other.server.stop()


def second(one: Product, folder: Path) -> Product:
    """Another server on the database of the first; not started yet."""
    port = free_port()
    environment = {
        **one.environment, "TABLEGRAM_DATA_DIR": str(folder), "TABLEGRAM_PORT": str(port), "TABLEGRAM_FREEZE_AT": "",
    }  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    server = Process(["serve"], environment, folder / "server.log", f"{url}/readyz")
    return replace(one, url=url, environment=environment, data_dir=folder, server=server)


def sleep_through_takeover() -> None:
    time.sleep(FROZEN_S)
