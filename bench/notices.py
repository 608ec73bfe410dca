"""How long a change made in one process takes to be heard of in another: over PostgreSQL's notifications, and over NATS.

    python -m bench.notices [--quick]

For each carrier two servers share a database. One is asked to note a consent, now this one and now the other; who hears of it is
a program at each server's event stream, an open page of the panel at each, and the account's own server, to which the one that
holds the endpoint posts: for the other that is a drain that has to be woken. Times run from the answer, before which the change
was committed, and from the request, in which the change and its commit are. Carriers take turns, change by change, so that what else the
machine does is shared by both. Changes are apart, as when somebody waits for one; those that come in a row are gathered.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.run import HERE
from tablegram import settings as configuration
from tablegram.accounts.people import store
from tablegram.cli.session import Session, _work
from tablegram.panel.cookies import SESSION
from tests.databases import Server
from tests.engine.nats_server import nats_server
from tests.faults.pair import second
from tests.product import Product, running_product

# Longer than a page of the panel gathers after it has told of something.
APART_S = (0.7, 1.2)
WITHIN_S = 20.0
WARM = 6
ANSWER, STREAM, PAGE, POST = (
    "the answer",
    "a program's event stream",
    "a page of the panel",
    "a drain that posts",
)
SAME, OTHER = "same", "other"
ASKED, ANSWERED = "from the request", "from the answer"
CARRIERS = ("postgresql", "nats")

# Milliseconds, by since when, by what heard of it, and whether it was in the process that was asked.
Times = dict[tuple[str, str, str], list[float]]


@dataclass
class Ear:
    """Somebody who hears of changes, and at which server."""

    what: str
    at: int
    heard: asyncio.Queue[float] = field(default_factory=asyncio.Queue)

    async def listen(self, port: int, path: str, headers: dict[str, str], sign: bytes) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        told = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{told}\r\n".encode())
        while line := await reader.readline():
            if line.startswith(sign):
                self.heard.put_nowait(time.perf_counter())

    def forget(self) -> None:
        """What is heard twice is told from the next change."""
        while not self.heard.empty():
            self.heard.get_nowait()

    async def next(self) -> float:
        try:
            async with asyncio.timeout(WITHIN_S):
                return await self.heard.get()
        except TimeoutError:
            raise AssertionError(f"{self.what} at server {self.at} has heard nothing") from None

    async def receive(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """The account's own server."""
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                self.heard.put_nowait(time.perf_counter())
                length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
                await reader.readexactly(int(length.partition(b":")[2]))
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        except (EOFError, asyncio.CancelledError):
            writer.close()


@dataclass
class Pair:
    """Two servers, and who listens there."""

    servers: tuple[Product, Product]
    contact_id: str
    ears: list[Ear]
    times: Times = field(default_factory=dict)
    asked: int = 0

    async def change(self, *, counts: bool = True) -> None:
        """Ask one of the two, and wait until everybody has heard."""
        self.asked += 1
        at = self.asked // 2 % 2
        # Who says the same again changes nothing.
        state = ("denied", "granted")[self.asked % 2]
        for ear in self.ears:
            ear.forget()
        word = {"contact_id": self.contact_id, "state": state, "source": "a bench", "proof": f"{self.asked}"}
        poster = next(ear for ear in self.ears if ear.what == POST)
        poster.at = await asyncio.to_thread(self._poster)
        began = time.perf_counter()
        status, told = await asyncio.to_thread(self.servers[at].call, "POST", "/consents", word)
        answered = time.perf_counter()
        assert status == 201, told
        heard = [await ear.next() for ear in self.ears]
        if counts:
            self._note((ASKED, ANSWER, SAME), answered - began)
            for ear, when in zip(self.ears, heard, strict=True):
                where = SAME if ear.at == at else OTHER
                self._note((ASKED, ear.what, where), when - began)
                self._note((ANSWERED, ear.what, where), when - answered)

    def _note(self, which: tuple[str, str, str], seconds: float) -> None:
        self.times.setdefault(which, []).append(seconds * 1_000)

    def _poster(self) -> int:
        """Which of the two holds the endpoint: who has posted most, since it does not move."""
        posted = [server.metric("deliveries_delivered_total") for server in self.servers]
        return posted.index(max(posted))


async def signed_in(product: Product) -> str:
    """The owner's session, as the panel's cookie has it."""

    async def work(session: Session) -> str:
        email = "bench@example.com"
        member = await session.team.add(1, email, "owner", "A bench")
        person = await session.people.register.create(email, "A bench", "en")
        join = {"account": 1, "which": member.email, "person": person.id, "name": member.name}
        await session.db.put((store.JOIN, join))
        return await session.people.sessions.open(
            person.id, passed_second=True, remote="127.0.0.1", user_agent="a bench"
        )

    return await _work(configuration.load(product.environment), work)


@asynccontextmanager
async def pair(url: str, nats_url: str) -> AsyncIterator[Pair]:
    settings = {
        "TABLEGRAM_NATS_URL": nats_url,
        "TABLEGRAM_SECRET_KEY": "the same secret key for two servers of one bench",
        "TABLEGRAM_ALLOWED_PRIVATE_TARGETS": "127.0.0.0/8",
    }
    async with AsyncExitStack() as stack:
        one = stack.enter_context(running_product(url, sandbox_alone=True, settings=settings))
        other = second(one, Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tablegram-bench-"))))
        stack.callback(other.server.stop)
        await asyncio.to_thread(other.server.start)
        servers = (one, other)
        poster = Ear(POST, 0)
        receiver = await asyncio.start_server(poster.receive, "127.0.0.1", 0)
        stack.callback(receiver.close)
        endpoint = f"http://127.0.0.1:{receiver.sockets[0].getsockname()[1]}/"
        await asked(one, "/webhooks", {"url": endpoint, "events": ["contact.opted_in", "contact.opted_out"]})
        contact = await asked(one, "/contacts", {"phone": "905559990001", "name": "Who changes their mind"})
        cookie, ears = await signed_in(one), [poster]
        for at, server in enumerate(servers):
            port = urlsplit(server.url).port or 0
            stream, page = Ear(STREAM, at), Ear(PAGE, at)
            for listening in (
                stream.listen(port, "/api/v1/events/stream", one.headers(), b"event: contact.opted_"),
                page.listen(port, "/panel/live", {"Cookie": f"{SESSION}={cookie}"}, b'data: {"topic":"contacts"'),
            ):
                stack.callback(asyncio.create_task(listening).cancel)
            ears += [stream, page]
        yield Pair(servers, str(contact["id"]), ears)


async def asked(product: Product, path: str, body: dict[str, Any]) -> dict[str, Any]:
    status, told = await asyncio.to_thread(product.call, "POST", path, body)
    assert status == 201, told
    return dict(told)


async def run(changes: int) -> dict[str, Times]:
    databases = Server()
    try:
        with nats_server() as nats:
            async with AsyncExitStack() as stack:
                pairs = {
                    carrier: await stack.enter_async_context(
                        pair(databases.migrated(), nats.url if carrier == "nats" else "")
                    )
                    for carrier in CARRIERS
                }
                # Until both have heard of each other, and of the endpoint.
                await asyncio.sleep(5)
                for number in range(WARM + changes):
                    if number % 10 == 0:
                        print(f"{number} of {WARM + changes} changes …", file=sys.stderr, flush=True)
                    for one in pairs.values():
                        await one.change(counts=number >= WARM)
                        await asyncio.sleep(random.uniform(*APART_S) / len(pairs))
                return {carrier: one.times for carrier, one in pairs.items()}
    finally:
        databases.close()


def report(found: dict[str, Times]) -> list[str]:
    lines = ["| | to | process | PostgreSQL p50 | p95 | NATS p50 | p95 | NATS / PostgreSQL, p50 |"]
    lines.append("|---|---|---|---|---|---|---|---|")
    for since, what, where in product((ANSWERED, ASKED), (ANSWER, STREAM, PAGE, POST), (SAME, OTHER)):
        told = [found[carrier].get((since, what, where), []) for carrier in CARRIERS]
        if all(len(some) > 1 for some in told):
            middles = [statistics.median(some) for some in told]
            ends = [statistics.quantiles(some, n=20)[-1] for some in told]
            figures = " | ".join(f"{middle:.1f} | {end:.1f}" for middle, end in zip(middles, ends, strict=True))
            lines.append(f"| {since} | {what} | {where} | {figures} | {middles[1] / middles[0]:.2f} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer changes")
    parser.add_argument("--db", action="append", help="PostgreSQL it is; taken so that every benchmark is called alike")
    options = parser.parse_args()
    changes, began = 30 if options.quick else 100, os.getloadavg()[0]
    found = asyncio.run(run(changes))
    print(f"{os.cpu_count()} cores, load {began:.1f} at the start; {changes} changes over each carrier; milliseconds")
    print("\n".join(report(found)))
    (HERE / "results").mkdir(exist_ok=True)
    told = {carrier: {" / ".join(key): some for key, some in times.items()} for carrier, times in found.items()}
    (HERE / "results" / "notices.json").write_text(json.dumps({"at": time.time(), "milliseconds": told}, indent=1))


if __name__ == "__main__":
    main()
