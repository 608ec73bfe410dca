"""The engine: who this process is, what it holds, what comes in, and how it reaches the outside."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from tablegram.engine import idempotency, inbox
from tablegram.engine.balance.balancing import Balancer
from tablegram.engine.bus.choosing import choose_bus
from tablegram.engine.bus.port import Bus
from tablegram.engine.bus.wakeups import Wakeups
from tablegram.engine.health.checks import check_engine
from tablegram.engine.idempotency import Idempotency
from tablegram.engine.inbox import Inbox
from tablegram.engine.leases import Leases
from tablegram.engine.owners import Owner
from tablegram.engine.together.common_time import CommonTime
from tablegram.engine.together.peers import Peers
from tablegram.engine.together.questions import Questions
from tablegram.storage.database import sqlite_path
from tablegram.storage.upkeep.room import without_room
from tablegram.values.clock import HOUR_MS, SharedClock
from tablegram.values.http.network import Session
from tablegram.values.http.outbound import GuardedClient
from tablegram.values.http.targets import Targets
from tablegram.values.watching import spans
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part
from tablegram.wiring.roles import Role, everywhere
from tablegram.workshop.children import Children


@dataclass(frozen=True, slots=True)
class Engine:
    owner: Owner
    leases: Leases
    # What processes of this installation tell each other.
    bus: Bus
    # The other processes of this machine.
    peers: Peers
    # What only the process that holds a lease can answer.
    questions: Questions
    idempotency: Idempotency
    inbox: Inbox
    session: Session
    # Goes where a customer's address leads, and never into our own network.
    fetcher: GuardedClient
    # Reads what strangers send, away from everybody else.
    workshop: Children
    # Where the product keeps what is on this machine.
    folders: tuple[Path, ...]

    async def trouble(self) -> str:
        """Why this process cannot do its work, in a few words; nothing when it can.

        Storage answers and has room; the engine's tasks run on it and start again by themselves.
        """
        try:
            async with asyncio.timeout(2):
                await self.owner.living()
                full = await asyncio.to_thread(without_room, self.folders)
        except Exception:
            return "storage does not answer"
        return f"the disk of {full[0]} is full" if full else ""

    async def is_ready(self) -> bool:
        return not await self.trouble()


def build(ground: Ground) -> Contribution:
    settings, db, clock = ground.settings, ground.db, ground.clock
    # A database in a file is served by one process.
    file = sqlite_path(settings.effective_database_url)
    bus = choose_bus(settings, db)
    owner = Owner(db, settings.effective_lease_s, alone=file is not None, role=settings.role)
    leases = Leases(db, owner, wakeups=Wakeups(bus))
    engine = Engine(
        owner=owner,
        leases=leases,
        bus=bus,
        peers=Peers(settings.data_dir / "peers", owner.id, ground.tasks),
        questions=Questions(bus, leases, owner.id, ground.box, clock, ground.tasks),
        idempotency=Idempotency(db, owner, clock, int(settings.idempotency_h * HOUR_MS)),
        inbox=Inbox(db, clock, ground.whole.handlers, lambda: bus.is_alone),
        session=Session(),
        fetcher=GuardedClient(Targets(settings.allowed_private_targets)),
        workshop=Children(settings.file_workers),
        folders=(settings.data_dir,) if file is None else (settings.data_dir, file.parent),
    )

    balancer = Balancer(owner, engine.leases, lambda kind: Role.LINES if kind == "line" else Role.WORKER)
    # Who is alone has nobody to share with.
    together = {
        "leases": everywhere(engine.leases.renew_forever), "balance": everywhere(balancer.balance_forever),
    }  # fmt: skip

    starts = [owner.register]
    if isinstance(clock, SharedClock):
        common_time = CommonTime(db, clock)
        starts.insert(0, common_time.begin)
        together["common time"] = everywhere(common_time.follow_forever)
    if db.is_shared:
        starts.append(engine.peers.open)

    async def figures() -> dict[str, float]:
        return {"task_failures_total": ground.tasks.failures, "nodes": len(await owner.living())}

    return Contribution(
        services=[engine],
        starts=starts,
        leaves=[balancer.leave] if db.is_shared else [],
        stops=[spans.finish, engine.peers.close, engine.session.close, engine.fetcher.close, engine.workshop.stop],
        tasks={
            "heartbeat": everywhere(owner.beat_forever),
            "bus": everywhere(bus.attend),
            # What comes in is worked on where it came in: it is in memory there, and nobody has to ask who does it.
            "inbox": everywhere(engine.inbox.drain.run),
            **(together if db.is_shared else {}),
        },
        figures=[
            figures,
            balancer.figures,
            bus.figures,
            engine.peers.figures,
            engine.questions.figures,
            engine.inbox.drain.figures,
            engine.workshop.figures,
        ],
        streams=[engine.workshop.close_doors],
    )


PART = Part(name="engine", build=build, purges=(inbox.PURGE, idempotency.PURGE), checks=[check_engine])
