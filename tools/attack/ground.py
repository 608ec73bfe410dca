"""Where an attack takes place: a running product on loopback, addresses to come from, and a watch on its health."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.product import Product, running_product

# An answer that takes longer than this has not come.
PATIENCE_S = 60.0
# How a first start limits callers; the suite's products are otherwise given no limit.
AS_SHIPPED = {
    "TABLEGRAM_RATE_LIMIT": "50",
    "TABLEGRAM_RATE_BURST": "100",
    "TABLEGRAM_ANONYMOUS_RATE_LIMIT": "20",
    "TABLEGRAM_ANONYMOUS_RATE_BURST": "60",
    "TABLEGRAM_GUEST_CARTS_H": "1500",
    "TABLEGRAM_GUEST_ORDERS_H": "300",
    "TABLEGRAM_GUEST_CALLS_H": "300",
    # Receivers of webhooks stand on this machine.
    "TABLEGRAM_ALLOWED_PRIVATE_TARGETS": "127.0.0.0/8",
    "TABLEGRAM_LOG_LEVEL": "warning",
}
# In the suite nobody waits a minute for a slow peer to be let go; and few calls are too many, however slow the machine is.
SHORT = {
    "TABLEGRAM_ANONYMOUS_RATE_LIMIT": "1",
    "TABLEGRAM_BODY_IDLE_S": "1",
    "TABLEGRAM_BODY_WITHIN_S": "3",
    "TABLEGRAM_PAGE_RATE_LIMIT": "1",
    "TABLEGRAM_PAGE_RATE_BURST": "60",
}


@dataclass(frozen=True, slots=True)
class Heard:
    """One whole answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(slots=True)
class Ground:
    product: Product
    short: bool
    # Which part of loopback the attackers of this attack come from; others come from another.
    part: int
    # The demo account's owner may want others beside it: their keys, by name.
    extra: dict[str, Any] = field(default_factory=dict)

    def size(self, short: int, long: int) -> int:
        """How many of something: few in the suite, many in the long form."""
        return short if self.short else long

    def address(self, number: int = 0) -> str:
        """An address of an attacker's. All of 127/8 is this machine, and to the product each is another caller."""
        return f"127.{100 + self.part}.{number // 250}.{1 + number % 250}"

    async def connect(self, number: int = 0) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection to the product from the address of this number."""
        port = int(self.product.url.rpartition(":")[2])
        return await asyncio.open_connection("127.0.0.1", port, local_addr=(self.address(number), 0))

    async def say(self, request: bytes, number: int = 0) -> Heard | None:
        """Send these bytes and read one answer to its end; nothing when the connection ends without one."""
        reader, writer = await self.connect(number)
        try:
            writer.write(request)
            return await heard(reader)
        finally:
            await let_go(writer)

    async def ask(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None, number: int = 0
    ) -> Heard:
        """One whole request on a connection of its own."""
        fields = {"Host": "127.0.0.1", "Connection": "close", "Content-Length": str(len(body)), **(headers or {})}
        head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        answer = await self.say(head.encode() + b"\r\n" + body, number)
        assert answer is not None, f"{method} {path} was not answered"
        return answer

    def resident_mb(self) -> float:
        """How much memory the server holds."""
        text = Path(f"/proc/{self.product.server.pid}/status").read_text()
        return int(text.partition("VmRSS:")[2].split()[0]) / 1024

    def cpu_s(self) -> float:
        """How much CPU the server has used."""
        fields = Path(f"/proc/{self.product.server.pid}/stat").read_text().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def heard(reader: asyncio.StreamReader) -> Heard | None:
    """The next answer on a connection, with its body by length or up to the end."""
    async with asyncio.timeout(PATIENCE_S):
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            first, *lines = head.decode("latin-1").split("\r\n")[:-2]
            pairs = (line.partition(":") for line in lines)
            headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
            length = headers.get("content-length")
            body = await reader.read() if length is None else await reader.readexactly(int(length))
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
    return Heard(int(first.split(" ")[1]), headers, body)


async def let_go(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()


@dataclass(slots=True)
class Health:
    """Asks `/healthz` again and again, each time on a new connection, as who watches over a service does."""

    url: str
    every_s: float = 0.1
    took_s: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    _ended: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Health:
        # In a thread of its own: what the attackers compute is not the product's delay.
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def _watch(self) -> None:
        while not self._ended.is_set():
            began_s = time.monotonic()
            try:
                status = self._look()
                if status != 200:
                    self.failures.append(f"status {status}")
            except (OSError, http.client.HTTPException) as error:
                self.failures.append(repr(error))
            self.took_s.append(time.monotonic() - began_s)
            self._ended.wait(self.every_s)

    def _look(self) -> int:
        connection = http.client.HTTPConnection(self.url.removeprefix("http://"), timeout=PATIENCE_S)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status
        finally:
            connection.close()


@contextlib.contextmanager
def open_ground(database_url: str, *, short: bool, settings: Mapping[str, str] | None = None) -> Iterator[Ground]:
    """A product of its own with the limits of a first start; in the suite its clocks run faster."""
    chosen = {**AS_SHIPPED, **(SHORT if short else {}), **(settings or {})}
    with running_product(database_url, settings=chosen) as product:
        yield Ground(product, short, 0)
