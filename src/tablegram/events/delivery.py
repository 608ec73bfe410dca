"""Delivering: each endpoint that has something to get has a courier of its own, so that none waits for another."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence

from tablegram.engine.leases import Leases
from tablegram.engine.timers import Tasks
from tablegram.events import store
from tablegram.events.courier import Courier
from tablegram.events.planning import Planner, Statement
from tablegram.events.posting import Patience
from tablegram.events.schedule import RETRY_S
from tablegram.storage.database import Database
from tablegram.values.clock import Clock
from tablegram.values.http.outbound import GuardedClient
from tablegram.values.secrets import SecretBox

SCAN_S = 2.0

Settled = Callable[[int, str, str], None]


class Deliveries:
    """The couriers of this process. Patience, schedule and chance are parameters for the sake of tests."""

    def __init__(
        self, db: Database, box: SecretBox, clock: Clock, client: GuardedClient, planner: Planner, leases: Leases,
        tasks: Tasks, *, patience: Patience | None = None, retry_s: Sequence[float] = RETRY_S,
        chance: random.Random | None = None,
    ) -> None:  # fmt: skip
        self.db = db
        self.box = box
        self.clock = clock
        self.client = client
        self.planner = planner
        self.leases = leases
        self.tasks = tasks
        self.patience = patience or Patience()
        self.retry_s = retry_s
        self.chance = chance or random.Random()
        self.counts = {"delivered": 0, "failed": 0, "dead": 0}
        self._couriers: dict[tuple[int, str], Courier] = {}
        self._listeners: list[Settled] = []
        planner.listen(self._planned)

    def listen(self, told: Settled) -> None:
        """Have `told(account_id, webhook_id, event_id)` called after each attempt that was written down."""
        self._listeners.append(told)

    def settled(self, account_id: int, hook_id: str, event_id: str) -> None:
        for told in self._listeners:
            told(account_id, hook_id, event_id)

    def _planned(self, account_id: int, hook_ids: list[str], statements: list[Statement] | None) -> None:
        if statements is None:
            for hook_id in hook_ids:
                self.wake(account_id, hook_id)
            return
        bodies = {params["id"]: params["body"] for query, params in statements if query is store.INSERT_EVENT}
        for query, params in statements:
            if query is store.INSERT_DELIVERY:
                self._courier(account_id, params["webhook_id"]).hand_over(params, bodies[params["event_id"]])

    def _courier(self, account_id: int, hook_id: str) -> Courier:
        courier = self._couriers.get((account_id, hook_id))
        if courier is None:
            courier = self._couriers[(account_id, hook_id)] = Courier(self, account_id, hook_id)
            self.tasks.keep(f"courier of {hook_id}", courier.work)
        return courier

    def retire(self, courier: Courier) -> None:
        """A courier without work is not kept; the next event gets a new one."""
        self._couriers.pop((courier.account_id, courier.hook_id), None)

    def wake(self, account_id: int, hook_id: str, *, changed: bool = False) -> None:
        """Something is due, or (`changed`) the endpoint or a delivery is not what it was."""
        courier = self._courier(account_id, hook_id)
        if changed:
            courier.forget()
        courier.look()

    def hasten(self, account_id: int, hook_id: str, event_id: str) -> None:
        """An event that waited for something is complete, and due at this endpoint."""
        self._courier(account_id, hook_id).hasten(event_id)

    def erase(self, account_id: int, event_ids: list[str]) -> None:
        """Let go of events that were erased. Call after the commit; other processes look for themselves."""
        for courier in self._couriers.values():
            if courier.account_id == account_id:
                courier.erase(event_ids)

    def ring(self) -> None:
        """Let every courier look at the clock; for those who move it."""
        for courier in self._couriers.values():
            courier.bell.ring()

    @property
    def busy(self) -> int:
        """How many couriers there are."""
        return len(self._couriers)

    async def scan_forever(self) -> None:
        """Find work that nobody told of: after a start, or planned by another process."""
        while True:
            await self.scan()
            await asyncio.sleep(SCAN_S)

    async def scan(self) -> None:
        for row in await self.db.all(store.HOOKS_WITH_WORK):
            self.wake(row["account_id"], row["webhook_id"])
