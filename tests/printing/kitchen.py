"""The demo's restaurant with printers: staff take orders, and tests stand at the printers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Unpack

import msgspec
from sqlalchemy import select, update

from tablegram.engine.idempotency import Call
from tablegram.flows.printing.services import PrintingServices
from tablegram.flows.restaurant.fields import ChangeFields, LineFields
from tablegram.printing.jobs import Job
from tablegram.printing.printers.model import Printer, read_printer
from tablegram.printing.store import printers as printer_store
from tablegram.printing.tickets.content import TicketContent, read_content
from tablegram.storage.database import Query, Row
from tablegram.storage.tables import print_jobs, tickets
from tablegram.wiring.areas.printing import PrintWorks
from tests.restaurant.flows.house import House, house

_TICKETS = Query(select(tickets).where(tickets.c.account_id == 1).order_by(tickets.c.id))
_JOBS = Query(select(print_jobs).where(print_jobs.c.account_id == 1).order_by(print_jobs.c.id))
RUN_OUT = Query(
    update(print_jobs).where(print_jobs.c.account_id == 1, print_jobs.c.state == "claimed").values(lease_until=1)
)


class Kitchen:
    def __init__(self, one: House) -> None:
        self.house, self.db, self.clock = one, one.db, one.clock
        self.works = one.product.of(PrintWorks)
        self.jobs = self.works.jobs
        self.services = one.product.of(PrintingServices)
        self.owner = one.caller("owner")

    async def printer(self, name: str, *stations: str, kind: str = "cloudprnt", **fields: Any) -> Printer:
        given: Any = {"name": name, "kind": kind, "stations": list(stations), **fields}
        made = await self.services.printers.create(self.owner, given, Call("POST /restaurant/printers"))
        return await self.known(made.value.id)

    async def known(self, printer_id: str) -> Printer:
        row = await self.db.first(printer_store.GET, {"b_account": 1, "b_id": printer_id})
        assert row is not None
        return read_printer(row)

    async def take(self, *lines: LineFields, table: str | None = "5", **fields: Any) -> str:
        """An order by a waiter; its number."""
        chosen = list(lines) or [self.house.line("Lahmacun", 2), self.house.line("Ayran")]
        given: Any = {"lines": chosen, **fields}
        if table is not None:
            given["table_id"] = (await self.house.table(table)).id
        taken = await self.house.orders.take(self.house.staff, given, Call("POST /orders"))
        return taken.value.order_id

    async def change(self, order_id: str, **fields: Unpack[ChangeFields]) -> None:
        await self.house.orders.change(self.house.staff, order_id, fields)

    async def tickets(self) -> list[Row]:
        return await self.db.all(_TICKETS)

    async def contents(self) -> list[TicketContent]:
        return [read_content(row["content"]) for row in await self.tickets()]

    async def queue(self) -> list[Row]:
        return await self.db.all(_JOBS)

    async def states(self) -> list[str]:
        return [row["state"] for row in await self.queue()]

    async def run_out(self) -> None:
        """The time of every claim is over by the database's clock."""
        await self.db.put((RUN_OUT, {}))

    async def claim(self, printer: Printer) -> Job:
        job = await self.jobs.next(printer)
        assert job is not None
        return job

    async def print_all(self, printer: Printer) -> list[Job]:
        """Everything that waits for a printer comes out of it."""
        came: list[Job] = []
        while (job := await self.jobs.next(printer)) is not None:
            assert await self.jobs.printed(printer, job.id, job.fence)
            came.append(job)
        return came


def lines_of(content: TicketContent) -> list[tuple[str, int, str]]:
    return [(line.change, line.quantity, line.name) for line in content.lines]


def wire(told: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(told))


@asynccontextmanager
async def kitchen(database_url: str, **settings: Any) -> AsyncIterator[Kitchen]:
    async with house(database_url, **settings) as one:
        yield Kitchen(one)
