"""One look at the whole installation: its processes, lines, endpoints and queues, all from the store."""

from __future__ import annotations

import msgspec

from tablegram.engine.drains import Depth
from tablegram.engine.inbox import WAITING_IN_ALL
from tablegram.engine.owners import Owner
from tablegram.engine.rows import Backlog, NamedBacklog
from tablegram.events import store as event_store
from tablegram.messaging.store import instances as line_store
from tablegram.messaging.store import messages as message_store
from tablegram.printing.store import jobs as print_store
from tablegram.storage.database import Database, Query
from tablegram.values.clock import Clock, iso
from tablegram.values.ids import time_of

# What is shown of each kind: those that have waited longest come first.
MOST = 200

_QUEUES: dict[str, Query[Backlog | NamedBacklog]] = {
    "messages out": message_store.WAITING,
    "callbacks in": WAITING_IN_ALL,
    "events": event_store.WAITING,
    "tickets": print_store.DEPTH,
}


class Node(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    pid: int
    alive: bool
    # Seconds since it last said that it lives.
    silent_s: float
    # Numbers of the lines that it sends for, and how many endpoints it tells and printers it prints on.
    lines: list[int]
    endpoints: int
    printers: int


class LineLook(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    account_id: int
    kind: str
    name: str
    state: str
    waiting: int
    oldest_s: float
    node: str


class EndpointLook(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    account_id: int
    state: str
    waiting: int
    oldest_s: float


class QueueLook(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    waiting: int
    oldest_s: float


class Look(msgspec.Struct, frozen=True, kw_only=True):
    at: str
    queues: list[QueueLook]
    nodes: list[Node]
    lines: list[LineLook]
    endpoints: list[EndpointLook]


async def look(db: Database, clock: Clock, owner: Owner) -> Look:
    """`owner` is only asked who lives: whoever looks is no process of the installation."""
    now, held = clock.now_ms(), await owner.holdings()
    nodes = [
        Node(
            id=one.id, pid=one.pid, alive=one.alive, silent_s=one.silent_ms / 1_000,
            lines=sorted(int(name.partition(":")[2]) for name in one.leases if name.startswith("line:")),
            endpoints=sum(name.startswith("webhook:") for name in one.leases),
            printers=sum(name.startswith("printer:") for name in one.leases),
        )
        for one in held
    ]  # fmt: skip
    at_node = {line: node.id for node in nodes if node.alive for line in node.lines}
    waiting = {row["instance_id"]: row for row in await db.all(message_store.WAITING_BY_LINE, {"most": MOST})}
    lines = [
        LineLook(
            id=row["id"], account_id=row["account_id"], kind=row["kind"], name=row["name"], state=row["state"],
            waiting=waiting[row["id"]]["n"] if row["id"] in waiting else 0,
            oldest_s=_age(now, waiting[row["id"]]["oldest"]) if row["id"] in waiting else 0.0,
            node=at_node.get(row["id"], ""),
        )
        for row in await db.all(line_store.LISTED)
    ]  # fmt: skip
    endpoints = [
        EndpointLook(
            id=row["id"], account_id=row["account_id"], state=row["state"], waiting=row["n"],
            oldest_s=_age(now, row["oldest"]),
        )
        for row in await db.all(event_store.WAITING_BY_ENDPOINT, {"most": MOST})
    ]  # fmt: skip
    return Look(
        at=iso(now) or "",
        queues=[await _queue(db, clock, name, query) for name, query in _QUEUES.items()],
        nodes=nodes,
        lines=sorted(lines, key=lambda one: (-one.oldest_s, -one.waiting, one.id))[:MOST],
        endpoints=endpoints,
    )


async def _queue(db: Database, clock: Clock, name: str, query: Query[Backlog | NamedBacklog]) -> QueueLook:
    count, age_s = (await Depth(db, clock, query).figures(name)).values()
    return QueueLook(name=name, waiting=int(count), oldest_s=age_s)


def _age(now: int, oldest: int | str | None) -> float:
    since = time_of(oldest) if isinstance(oldest, str) else oldest
    return 0.0 if since is None else max(0, now - since) / 1_000
