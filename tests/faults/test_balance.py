"""Lines spread over servers as they come and go, and nothing that is sent meanwhile is lost, doubled or turned round."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
import time
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import select

from tablegram.settings import Settings
from tablegram.storage.database import Query, open_database
from tablegram.storage.moment import DatabaseNow
from tablegram.storage.tables import leases, owners
from tests.faults.looking import wait_for_texts
from tests.faults.pair import SETTINGS, Pair, second
from tests.faults.promised import TAKEN_UP_LEASES, TAKEN_UP_WITHIN_S
from tests.faults.witness import witness
from tests.product import Product, running_product, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.shared, pytest.mark.later, pytest.mark.timeout(240)]

LINES = 6
# So many times what is promised: a machine that does other things as well is no reason to fail.
PATIENCE = 3
_LINES = Query(
    select(owners.c.pid, (leases.c.until - DatabaseNow()).label("left_ms"))
    .join(owners, owners.c.id == leases.c.owner_id)
    .where(leases.c.name.like("line:%"), leases.c.until >= DatabaseNow())
)


def held(database_url: str) -> list[tuple[int, int]]:
    """Each line that somebody holds: whose it is by pid, and for how many milliseconds more."""

    async def look() -> list[tuple[int, int]]:
        db = open_database(Settings(database_url=database_url))
        await db.open()
        rows = await db.all(_LINES)
        await db.close()
        return [(row["pid"], row["left_ms"]) for row in rows]

    return asyncio.run(look())


def spread(database_url: str) -> dict[int, int]:
    return dict(Counter(pid for pid, _ in held(database_url)))


class Writing:
    """One message after the other to somebody on each line, given to servers by turns."""

    def __init__(self, product: Product, first: str) -> None:
        lines = [product.call("GET", "/instances")[1]["data"][0]["id"]]
        while len(lines) < LINES:
            status, made = product.call("POST", "/instances", {"kind": "sandbox", "name": f"line {len(lines)}"})
            assert status == 201, made
            lines.append(made["id"])
        self.people = {line: f"{int(first) + number}" for number, line in enumerate(lines)}
        self.sent = 0

    def write(self, *servers: Product) -> None:
        for line, person in self.people.items():
            body = {"phone": person, "message": f"{self.sent}", "instance_id": line}
            status, answer = servers[self.sent % len(servers)].call("POST", "/messages/send", body)
            assert status == 200, answer
        self.sent += 1

    def arrived(self, product: Product) -> None:
        """Each message once, in the order in which they were written."""
        for person in self.people.values():
            texts = wait_for_texts(product, person, self.sent, within_s=60)
            assert texts == [f"{number}" for number in range(self.sent)]


def test_a_newcomer_gets_its_share_and_what_a_dead_one_had_is_taken_up(database_url: str, phone: str) -> None:
    settings = {name: value for name, value in SETTINGS.items() if name != "TABLEGRAM_LEASE_S"}
    with (
        witness() as seeing,
        tempfile.TemporaryDirectory(prefix="tablegram-second-") as folder,
        running_product(database_url, sandbox_alone=True, settings=settings) as one,
    ):
        writing = Writing(one, phone)
        writing.write(one)
        assert spread(database_url) == {one.server.pid: LINES}
        other = second(one, Path(folder))
        other.server.start()
        try:
            half = {one.server.pid: LINES // 2, other.server.pid: LINES // 2}

            def is_shared() -> bool:
                writing.write(one, other)
                return spread(database_url) == half

            wait_until(is_shared, "the newcomer to have its share", 60)
            writing.write(one, other)
            writing.arrived(one)
            Pair(one, other, seeing, database_url).move_away(other)
            killed_at = time.monotonic()
            os.kill(other.server.pid, signal.SIGKILL)
            # Nobody renews what the dead one held, so that all of it is free before the time that is promised.
            assert max(left_ms for _, left_ms in held(database_url)) < TAKEN_UP_WITHIN_S * 1_000
            writing.write(one)
            wait_until(lambda: spread(database_url) == {one.server.pid: LINES}, "all lines to be held", 60)
            taken_up_leases = (time.monotonic() - killed_at) / Settings().lease_s
            assert taken_up_leases < TAKEN_UP_LEASES * PATIENCE
        finally:
            other.server.stop()
        writing.arrived(one)
