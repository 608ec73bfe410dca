"""Each process looks at what all hold, and hands over what it holds beyond its share."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from tablegram.engine.balance.plan import Node, kind_of, plan, plan_of_leaving
from tablegram.engine.leases import Leases
from tablegram.engine.owners import HEARTBEAT, Owner
from tablegram.engine.timers import Bell

log = logging.getLogger("tablegram.balance")

# So many looks in a row have to find the same processes before anything moves: a restart moves nothing twice.
SETTLED = 2
# More at once would let more wait for the same moment.
MOST = 32
# What does not come to rest within this time stays.
PATIENCE_S = 30.0
# Who leaves has little time: what it still gets, or did not get rid of, goes with the next look.
LEAVING_S = 0.5


class Balancer:
    """`role_of` names the role of the processes that may hold a kind of lease."""

    def __init__(self, owner: Owner, leases: Leases, role_of: Callable[[str], str]) -> None:
        self._owner = owner
        self._leases = leases
        self._role_of = role_of
        self._seen: tuple[str, ...] = ()
        self._looks = 0
        # What is being handed over, and since when.
        self._since: dict[str, float] = {}
        self.moved = 0
        self._is_leaving = self._has_said_so = False
        self._bell = Bell()

    async def balance_forever(self) -> None:
        while True:
            await self._bell.wait(LEAVING_S if self._is_leaving else self._owner.lease_s * HEARTBEAT)
            await self.look()

    async def leave(self) -> None:
        """Hand over all that others can take, whether it is idle or not: each as soon as what is under way has ended."""
        self._is_leaving = True
        try:
            await self._say_so()
        finally:
            self._bell.ring()

    async def _say_so(self) -> None:
        await self._owner.begin_leaving()
        self._has_said_so = True

    async def look(self) -> None:
        self._give_up_on_restless()
        if self._is_leaving and not self._has_said_so:
            # The store was away: whoever is not heard to leave is given work.
            await self._say_so()
        nodes = await self._nodes()
        if self._is_leaving:
            await self._leave(nodes)
            return
        running = tuple(node.id for node in nodes)
        self._looks = self._looks + 1 if running == self._seen else 1
        self._seen = running
        if self._looks < SETTLED or self._since or self._owner.id not in running:
            return
        mine = next(node for node in nodes if node.id == self._owner.id)
        for kind, heirs in plan(self._owner.id, nodes, self._role_of).items():
            still = [name for name in mine.leases if kind_of(name) == kind and self._is_still(name)]
            for name, heir in zip(still[:MOST], heirs, strict=False):
                await self._hand_over(name, heir)

    async def _leave(self, nodes: list[Node]) -> None:
        for name, heir in plan_of_leaving(self._owner.id, nodes, self._role_of).items():
            if not self._leases.is_giving(name):
                await self._hand_over(name, heir)

    async def _nodes(self) -> list[Node]:
        """Those that run and say so; one that has just hung gets nothing."""
        alive_ms, asked_at = self._owner.lease_s * 1_000, self._leases.steady_now()
        nodes = [
            Node(one.id, one.role, tuple(sorted(one.leases)))
            for one in await self._owner.holdings()
            if one.alive and one.silent_ms < alive_ms
        ]
        self._leases.note_held({name: node.id for node in nodes for name in node.leases}, asked_at)
        return nodes

    def _is_still(self, name: str) -> bool:
        worker = self._leases.worker(name)
        return worker is None or worker.is_still()

    async def _hand_over(self, name: str, heir: str) -> None:
        self._leases.begin_giving(name, heir)
        if not self._leases.is_giving(name):
            return
        log.info("%s goes to another process, which %s", name, "stays" if self._is_leaving else "has less to do")
        self.moved += 1
        worker = self._leases.worker(name)
        if worker is None:
            await self._leases.give(name)
        else:
            self._since[name] = time.monotonic()
            worker.nudge()

    def _give_up_on_restless(self) -> None:
        for name, since in list(self._since.items()):
            if not self._leases.is_giving(name):
                del self._since[name]
            elif time.monotonic() - since > PATIENCE_S:
                log.info("%s stays: it does not come to rest", name)
                self._leases.keep(name)
                del self._since[name]

    async def figures(self) -> dict[str, float]:
        return {"leases_handed_over_total": self.moved}
