"""Three servers on one database and one bus, each with ways of its own to both, under a steady load."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tablegram.settings import Settings
from tests.databases import Server
from tests.engine.nats_server import NatsServer, nats_server
from tests.faults.callers import Callers, add_cloud_line
from tests.faults.cluster.front import Front
from tests.faults.cluster.load import Recipient, Senders
from tests.faults.cluster.nodes import Node, make_node
from tests.faults.cluster.relay import Relay
from tests.faults.cluster.store import Store
from tests.faults.cluster.watch import Watch
from tests.faults.linked import make_line, pair
from tests.faults.promised import TAKEN_UP_LEASES
from tests.faults.witness import Witness, witness
from tests.product import Product, prepare, wait_until

SERVES_WITHIN_S = 60.0
# Outages here last some seconds; by then the network has told what was in doubt. In production it is 300.
UNKNOWN_WAIT_S = 45


@dataclass(frozen=True)
class Size:
    """How much of everything there is."""

    nodes: int = 3
    lines: int = 6
    recipients: int = 12
    customers: int = 10
    pause_s: float = 0.4
    lease_s: float = Settings().lease_s
    # So many times what is promised is given to a form that runs among other tests.
    patience: float = 1.0
    with_bus: bool = True
    with_phone: bool = True
    unknown_wait_s: float = UNKNOWN_WAIT_S

    @property
    def taken_up_s(self) -> float:
        """When others have to have what a dead server held; with the product's own lease what is promised."""
        return self.lease_s * TAKEN_UP_LEASES * self.patience


@dataclass
class Stage:
    size: Size
    nodes: list[Node]
    store: Store
    bus: NatsServer | None
    product: Product
    watch: Watch
    witness: Witness
    senders: Senders
    callers: Callers
    probe: Recipient
    problems: list[str] = field(default_factory=list)
    # What others took up too late.
    late: list[str] = field(default_factory=list)

    async def serves(self, what: str, within_s: float = SERVES_WITHIN_S) -> float | None:
        """After how many seconds each server takes a message again; one that never does is a problem."""
        began = time.monotonic()
        for node in self.nodes:
            text = f"{self.probe.phone} {len(self.probe.given):05d}"
            self.probe.given.append(text)
            while not await self.senders.give(node, self.probe, text):
                if time.monotonic() - began > within_s:
                    self.problems.append(f"{node.name} takes nothing {within_s:.0f} s after: {what}")
                    return None
                await asyncio.sleep(0.1)
            self.probe.answered.append(text)
        return time.monotonic() - began


@asynccontextmanager
async def staged(size: Size, databases: Server, folder: Path, seed: int) -> AsyncIterator[Stage]:
    async with AsyncExitStack() as stack:
        store = Store(databases, databases.migrated())
        stack.callback(store.close)
        front = Front()
        await front.open()
        stack.push_async_callback(front.close)
        seeing = stack.enter_context(witness())
        bus = stack.enter_context(nats_server()) if size.with_bus else None
        like = await asyncio.to_thread(_prepare, store.url, folder, front.port, size)
        assert like.sandbox is not None
        await asyncio.to_thread(like.sandbox.start)
        stack.push_async_callback(asyncio.to_thread, like.sandbox.stop)
        nodes = []
        for number in range(size.nodes):
            to_database = await _way(stack, store.target)
            to_bus = await _way(stack, ("127.0.0.1", bus.port)) if bus else None
            node = make_node(f"server {number + 1}", like, folder / f"server-{number + 1}", to_database, to_bus)
            nodes.append(node)
            stack.push_async_callback(asyncio.to_thread, _end, node)
            await asyncio.to_thread(node.server.start)
        front.servers = [node.target for node in nodes]
        watch = Watch(lambda: store.url)
        for task in (asyncio.create_task(front.watch_forever()), asyncio.create_task(watch.look_forever())):
            stack.push_async_callback(_end_task, task)
        recipients = await asyncio.to_thread(_make_lines, nodes[0].product, size)
        line = await asyncio.to_thread(_make_reception, nodes[0].product, seeing)
        *written_to, probe = recipients
        senders = Senders(nodes, written_to, pause_s=size.pause_s, seed=seed)
        callers = Callers(line, customers=size.customers, per_second=size.customers)
        stage = Stage(size, nodes, store, bus, nodes[0].product, watch, seeing, senders, callers, probe)
        yield stage


@asynccontextmanager
async def loaded(stage: Stage) -> AsyncIterator[None]:
    """While inside, people write and are written to."""
    async with stage.senders, stage.callers:
        yield
    # Its messages are judged as everybody's.
    stage.senders.recipients.append(stage.probe)


async def _way(stack: AsyncExitStack, target: tuple[str, int]) -> Relay:
    way = Relay(target)
    await way.open()
    stack.push_async_callback(way.close)
    return way


def _prepare(url: str, folder: Path, front_port: int, size: Size) -> Product:
    settings = {
        "TABLEGRAM_LEASE_S": str(size.lease_s),
        "TABLEGRAM_UNKNOWN_WAIT_S": str(size.unknown_wait_s),
        "TABLEGRAM_SECRET_KEY": "the same secret key for all servers of one cluster",
        "TABLEGRAM_ALLOWED_PRIVATE_TARGETS": "127.0.0.0/8",
        "TABLEGRAM_RECIPIENT_INTERVAL_S": "0",
        "TABLEGRAM_LOG_LEVEL": "info",
        "TABLEGRAM_PUBLIC_URL": f"http://127.0.0.1:{front_port}",
    }
    return prepare(url, folder, sandbox_alone=True, settings=settings)


def _make_lines(product: Product, size: Size) -> list[Recipient]:
    """Recipients over all lines; the last one is nobody's but the probe's."""
    lines = [int(product.call("GET", "/instances")[1]["data"][0]["id"])]
    while len(lines) < size.lines:
        status, made = product.call("POST", "/instances", {"kind": "sandbox", "name": f"line {len(lines)}"})
        assert status == 201, made
        lines.append(int(made["id"]))

    def connected() -> bool:
        _, page = product.call("GET", "/instances")
        return all(one["state"] == "connected" for one in page["data"])

    wait_until(connected, "all lines to be connected", 90)
    first = 905_330_000_000
    people = [Recipient(str(first + number), lines[number % len(lines)]) for number in range(size.recipients)]
    if size.with_phone:
        phone = make_line(product, warm_up=False)
        pair(product, phone)
        people.append(Recipient(str(first + 900), phone))
    return [*people, Recipient(str(first + 901), lines[0])]


def _make_reception(product: Product, seeing: Witness):  # type: ignore[no-untyped-def]
    status, made = product.call("POST", "/webhooks", {"url": seeing.receiver.url, "events": ["messages.upsert"]})
    assert status == 201, made
    seeing.secret = made["secret"]
    return add_cloud_line(product)


def _end(node: Node) -> None:
    for way in node.ways:
        way.heal()
    node.go_on()
    if node.server.is_running():
        node.server.kill()


async def _end_task(task: asyncio.Task[None]) -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
