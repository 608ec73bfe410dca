"""Endpoints and printers spread like lines: a newcomer is given its share, and what comes then goes out from it, once."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import select

from tablegram.settings import Settings
from tablegram.storage.database import Query, open_database
from tablegram.storage.moment import DatabaseNow
from tablegram.storage.tables import leases, owners
from tests.faults.pair import SETTINGS, second
from tests.faults.test_print_freezes import ask_for_a_ticket, marks
from tests.faults.witness import Witness, witness
from tests.printing.fakes.leading import Fake, fake
from tests.product import Product, running_product, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.shared, pytest.mark.later, pytest.mark.timeout(240)]

# Of each kind one stays, and one goes.
EACH = 2
_HELD = Query(
    select(leases.c.name, owners.c.pid)
    .join(owners, owners.c.id == leases.c.owner_id)
    .where(leases.c.until >= DatabaseNow())
)


def holders(database_url: str, kind: str) -> dict[str, int]:
    """Who holds each lease of a kind, by pid."""

    async def look() -> dict[str, int]:
        db = open_database(Settings(database_url=database_url))
        await db.open()
        rows = await db.all(_HELD)
        await db.close()
        return {row["name"]: row["pid"] for row in rows if row["name"].startswith(f"{kind}:")}

    return asyncio.run(look())


@dataclass
class Work:
    """A customer who writes, so that each endpoint is to hear of it, and tickets for each printer."""

    product: Product
    phone: str
    heard: dict[str, Witness] = field(default_factory=dict)
    printers: dict[str, Fake] = field(default_factory=dict)
    done: int = 0

    def add_endpoint(self, seeing: Witness) -> None:
        status, made = self.product.call(
            "POST", "/webhooks", {"url": seeing.receiver.url, "events": ["messages.upsert"]}
        )
        assert status == 201, made
        seeing.secret = made["secret"]
        self.heard[f"webhook:{made['id']}"] = seeing

    def add_printer(self, printer: Fake) -> None:
        profile = {"host": "127.0.0.1", "port": printer.ask("port")["port"], "language": "en"}
        body = {"name": f"Printer {len(self.printers)}", "kind": "direct", "stations": ["kitchen"], "profile": profile}
        status, made = self.product.call("POST", "/restaurant/printers", body)
        assert status == 201, made
        self.printers[made["id"]] = printer

    def do(self) -> None:
        self.done += 1
        self.product.sandbox_call("POST", f"/phones/{self.phone}/messages", {"text": f"{self.done}"})
        for printer in self.printers:
            ask_for_a_ticket(self.product, printer)

    def is_told(self, *servers: Product) -> bool:
        """Whether all of it has gone out, and is counted by whoever did it."""
        events, tickets = (sum(counts) for counts in zip(*map(counted, servers), strict=True))
        return bool(min(events, tickets) >= self.done * EACH)

    def went_out_once(self) -> None:
        for seeing in self.heard.values():
            assert not seeing.forged
            assert Counter(Counter(seen.id for seen in seeing.seen).values()) == {1: self.done}
            assert [seen.json()["data"]["text"] for seen in seeing.seen] == [f"{n}" for n in range(1, self.done + 1)]
        for printer in self.printers.values():
            assert marks(printer) == [False] * self.done


def counted(server: Product) -> tuple[float, float]:
    """Events that this process has posted, and tickets that it has printed."""
    return server.metric("deliveries_delivered_total"), server.metric("print_jobs_printed_total")


def test_a_newcomer_posts_and_prints_what_comes_after_it_was_given_its_share(database_url: str, phone: str) -> None:
    settings = {name: value for name, value in SETTINGS.items() if name != "TABLEGRAM_LEASE_S"}
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="tablegram-second-"))
        one = stack.enter_context(running_product(database_url, sandbox_alone=True, settings=settings))
        work = Work(one, phone)
        for _ in range(EACH):
            work.add_endpoint(stack.enter_context(witness()))
            work.add_printer(stack.enter_context(fake("raw")))
        work.do()
        wait_until(lambda: work.is_told(one), "the first server to do all of it")
        for kind in ("webhook", "printer"):
            assert list(holders(database_url, kind).values()) == [one.server.pid] * EACH
        other = second(one, Path(folder))
        stack.callback(other.server.stop)
        other.server.start()

        def are_shared() -> bool:
            work.do()
            each = [Counter(holders(database_url, kind).values()) for kind in ("webhook", "printer")]
            return each == [{one.server.pid: 1, other.server.pid: 1}] * 2

        wait_until(are_shared, "the newcomer to have an endpoint and a printer")
        wait_until(lambda: work.is_told(one, other), "what came meanwhile to go out")
        before = [counted(server) for server in (one, other)]
        work.do()
        wait_until(lambda: work.is_told(one, other), "what came then to go out")
        # Each did what it holds: the newcomer one event and one ticket, and the first server the others.
        after = [counted(server) for server in (one, other)]
        assert after == [(events + 1, tickets + 1) for events, tickets in before]
        work.went_out_once()
