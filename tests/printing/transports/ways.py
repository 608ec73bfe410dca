"""Every way from the queue to paper, with a printer at its end that misbehaves in the same words.

A new way joins the contract by adding a class here.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import uvicorn

from tablegram.engine.leases import Lease, steady_s
from tablegram.printagent.devices.network import NetworkPrinter
from tablegram.printagent.journal import Journal
from tablegram.printagent.link import Link, LinkLost
from tablegram.printagent.working import Worker
from tablegram.printing.printers.model import Printer
from tablegram.printing.transports.browser import BrowserPrinting
from tablegram.printing.transports.calling import PrinterCaller
from tablegram.values.http.targets import Targets
from tablegram.wiring.areas.printers import PrinterWays
from tests.printing.fakes.leading import Fake, fake
from tests.printing.kitchen import Kitchen

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)


def sure_lease() -> Lease:
    """What a drain holds when it calls a printer's step; sure for as long as any test takes."""
    lease = Lease("printer", "this process", 1, steady_s)
    lease.extend(steady_s() + 3_600)
    return lease


class Way(ABC):
    """`turn` lets the printer do what it does once in a while. What it may be told to do wrong:

    `lost`: it prints, and its answer never comes. `out`: it has no paper. `fine`: nothing any more.
    """

    kind: str
    # Whether the printer itself says that it has no paper.
    hears_of_paper = True

    def __init__(self, one: Kitchen, url: str, folder: Path) -> None:
        self.one, self.url, self.folder = one, url, folder
        self.printer: Printer
        self.fake: Fake
        self.mood = "fine"

    async def open(self, stack: AsyncExitStack) -> None:
        self.printer = await self.one.printer("Kitchen", "kitchen", kind=self.kind, **self.fields())
        self.key = self.one.house.product.box.open(self.printer.key_sealed)

    def fields(self) -> dict[str, object]:
        return {"profile": {"language": "en"}}

    def be(self, mood: str) -> None:
        self.mood = mood

    @abstractmethod
    async def turn(self) -> None: ...

    async def papers(self) -> list[str]:
        """What came out, as text that orders and marks are found in."""
        return [paper.decode("utf-8", "replace") for paper in await asyncio.to_thread(self.fake.papers)]

    async def ask(self, do: str, **more: object) -> dict[str, object]:
        return await asyncio.to_thread(lambda: self.fake.ask(do, **more))


class StarWay(Way):
    kind = "cloudprnt"
    tokens = True

    async def open(self, stack: AsyncExitStack) -> None:
        await super().open(stack)
        self.fake = stack.enter_context(fake("star", f"{self.url}/print/cloudprnt/{self.key}"))
        await self.ask("set", encodings=["text/plain"], tokens=self.tokens, bare=not self.tokens)

    async def turn(self) -> None:
        await self.ask("set", status="410%20Out%20of%20paper" if self.mood == "out" else "200%20OK")
        await self.ask("round", lose_confirmation=self.mood == "lost")


class OldStarWay(StarWay):
    """Firmware without tokens, and with no field beyond what is certain."""

    tokens = False


class EpsonWay(Way):
    kind = "epson"

    async def open(self, stack: AsyncExitStack) -> None:
        await super().open(stack)
        self.fake = stack.enter_context(fake("epson", f"{self.url}/print/epson/{self.key}"))

    async def turn(self) -> None:
        if self.mood == "out":
            # It tells so, and asks for nothing.
            await self.ask("notify", asb="0x00080008")
        else:
            await self.ask("round", lose_result=self.mood == "lost")


class RawWay(Way):
    """A printer on TCP; instead of losing an answer it hangs up."""

    async def open(self, stack: AsyncExitStack) -> None:
        self.fake = stack.enter_context(fake("raw"))
        self.port = int(str((await self.ask("port"))["port"]))
        await super().open(stack)

    def be(self, mood: str) -> None:
        super().be(mood)
        self.fake.ask("set", hangs_up=mood == "lost", paper="out" if mood == "out" else "ok")


class AgentWay(RawWay):
    kind = "agent"

    async def open(self, stack: AsyncExitStack) -> None:
        await super().open(stack)
        self.worker = self.new_worker("one")
        stack.callback(self.worker._link.close)

    def new_worker(self, name: str) -> Worker:
        link = Link(self.url, self.key, name, wait_s=0)
        device = f"tcp://127.0.0.1:{self.port}"
        worker = Worker(name, link, Journal(self.folder / name / "journal"), device, lambda words: None)
        worker._printer = lambda *_, **__: self.device()  # type: ignore[method-assign]
        return worker

    def device(self) -> NetworkPrinter:
        # As long as it takes on a slow machine.
        return NetworkPrinter("127.0.0.1", self.port, connect_s=20, answer_s=20)

    async def turn(self) -> None:
        try:
            await asyncio.to_thread(self.worker.step)
        except LinkLost:
            raise AssertionError("the server did not answer its agent") from None


class DirectWay(RawWay):
    kind = "direct"

    def fields(self) -> dict[str, object]:
        return {"profile": {"language": "en", "host": "127.0.0.1", "port": self.port}}

    async def turn(self) -> None:
        await self.caller().step()

    def caller(self) -> PrinterCaller:
        """What a process has that may call the printer."""
        works, ways = self.one.works, self.one.house.product.of(PrinterWays)
        key = (self.printer.account_id, self.printer.id)
        caller = PrinterCaller(key, self.one.db, works.jobs, works.watch, ways.sheets.bytes_of, Targets(LOOPBACK), 20.0)
        caller.lease = sure_lease()
        return caller


class BrowserWay(Way):
    """A page takes the ticket and the dialog prints it; a person says that paper came, or that none did, or nothing."""

    kind = "browser"
    hears_of_paper = False

    async def open(self, stack: AsyncExitStack) -> None:
        await super().open(stack)
        self.printing = self.one.house.product.of(BrowserPrinting)
        self.came: list[str] = []

    async def turn(self) -> None:
        here = (self.printer.account_id, self.printer.id)
        if await self.printing.take(*here, "page") is None:
            await self.printing.look(*here, "page")
            return
        desk = await self.printing.look(*here, "page")
        assert desk.job is not None
        if self.mood != "out":
            self.came.append(re.sub(r"<[^>]*>", " ", desk.paper))
        if self.mood != "lost":
            await self.printing.end(*here, desk.job.token, printed=self.mood == "fine")

    async def papers(self) -> list[str]:
        return self.came


WAYS: tuple[type[Way], ...] = (StarWay, OldStarWay, EpsonWay, AgentWay, DirectWay, BrowserWay)


@asynccontextmanager
async def listening(one: Kitchen) -> AsyncIterator[str]:
    """The product behind a socket of this process."""
    server = uvicorn.Server(
        uvicorn.Config(one.house.product, interface="asgi3", lifespan="off", log_level="error", access_log=False)
    )
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        running = asyncio.create_task(server.serve([listener]))
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            one.house.product.end_streams()
            server.should_exit = True
            await running
