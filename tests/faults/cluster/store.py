"""The database of the cluster and the one that follows it: restarted, or gone for good, so that the other takes its place."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import asyncpg

from tests.clusters import Cluster
from tests.databases import Server

STREAMS_WITHIN_S = 60


class Store:
    def __init__(self, databases: Server, url: str) -> None:
        self._databases = databases
        self._name = url.rsplit("/", 1)[1]
        self.primary: Cluster = databases.cluster
        self._replica: Cluster | None = None

    @property
    def url(self) -> str:
        return self.primary.url(self._name)

    @property
    def target(self) -> tuple[str, int]:
        return "127.0.0.1", self.primary.port

    async def restart(self) -> None:
        """As after a crash."""
        await asyncio.to_thread(self.primary.stop, "immediate")
        await asyncio.to_thread(self.primary.start)

    async def have_replica(self) -> None:
        """From now on nothing is committed before the replica has it too."""
        replica = Cluster(Path(tempfile.mkdtemp(prefix="tablegram-replica-")))
        await asyncio.to_thread(replica.follow, self.primary)
        await asyncio.to_thread(replica.start)
        self._replica = replica
        async with asyncio.timeout(STREAMS_WITHIN_S):
            while not await self._ask("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'"):
                await asyncio.sleep(0.1)
        await self._ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
        await self._ask("SELECT pg_reload_conf()")
        async with asyncio.timeout(STREAMS_WITHIN_S):
            while not await self._ask("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"):
                await asyncio.sleep(0.1)

    async def fail_over(self) -> None:
        """The machine of the primary is gone; the replica is what everybody writes to."""
        assert self._replica is not None
        await asyncio.to_thread(self.primary.stop, "immediate")
        await asyncio.to_thread(self._replica.promote)
        self.primary, self._replica = self._replica, None

    async def _ask(self, statement: str) -> list[asyncpg.Record]:
        connection = await asyncpg.connect(self.url)
        try:
            return list(await connection.fetch(statement))
        finally:
            await connection.close()

    def close(self) -> None:
        for cluster in (self.primary, self._replica):
            if cluster is not None and cluster is not self._databases.cluster:
                cluster.stop("immediate")
                cluster.remove()
