"""The engine: who this process is, what it holds, what comes in, and how it reaches the outside."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import aiohttp

from tablegram.engine import idempotency, inbox
from tablegram.engine.checks import check_engine
from tablegram.engine.idempotency import Idempotency
from tablegram.engine.inbox import Inbox
from tablegram.engine.leases import Leases
from tablegram.engine.owners import Owner
from tablegram.storage.database import sqlite_path
from tablegram.values.clock import HOUR_MS
from tablegram.values.http.network import open_session
from tablegram.values.http.outbound import GuardedClient
from tablegram.values.http.targets import Targets
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part
from tablegram.workshop.children import Children


@dataclass(frozen=True, slots=True)
class Engine:
    owner: Owner
    leases: Leases
    idempotency: Idempotency
    inbox: Inbox
    session: aiohttp.ClientSession
    # Goes where a customer's address leads, and never into our own network.
    fetcher: GuardedClient
    # Reads what strangers send, away from everybody else.
    workshop: Children

    async def is_ready(self) -> bool:
        """Whether storage answers; the engine's tasks run on it and start again by themselves."""
        try:
            async with asyncio.timeout(2):
                await self.owner.living()
        except Exception:
            return False
        return True


def build(ground: Ground) -> Contribution:
    settings, db, clock = ground.settings, ground.db, ground.clock
    # A database in a file is served by one process.
    owner = Owner(db, settings.lease_s, alone=sqlite_path(settings.effective_database_url) is not None)
    engine = Engine(
        owner=owner,
        leases=Leases(db, owner),
        idempotency=Idempotency(db, owner, clock, int(settings.idempotency_h * HOUR_MS)),
        inbox=Inbox(db, clock, ground.whole.handlers),
        session=open_session(),
        fetcher=GuardedClient(Targets(settings.allowed_private_targets)),
        workshop=Children(settings.file_workers),
    )

    async def figures() -> dict[str, float]:
        return {"task_failures_total": ground.tasks.failures}

    return Contribution(
        services=[engine],
        starts=[owner.register],
        stops=[engine.session.close, engine.fetcher.close, engine.workshop.stop],
        tasks={"heartbeat": owner.beat_forever, "inbox": engine.inbox.drain.run},
        figures=[figures, engine.inbox.drain.figures, engine.workshop.figures],
        streams=[engine.workshop.close_doors],
    )


PART = Part(name="engine", build=build, purges=(inbox.PURGE, idempotency.PURGE), checks=[check_engine])
