"""Delivering: each endpoint that has something to get has a courier of its own, so that none waits for another."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import cast

from tablegram.engine.drains import Depth, KeyedDrain
from tablegram.engine.leases import Leases
from tablegram.engine.retries import Retries
from tablegram.engine.timers import Tasks
from tablegram.events import store
from tablegram.events.courier import Courier
from tablegram.events.planning import Planner, Statement
from tablegram.events.posting import Patience
from tablegram.events.rows import NewDelivery, NewEvent
from tablegram.events.schedule import RETRIES
from tablegram.storage.database import Database
from tablegram.values.clock import Clock
from tablegram.values.http.outbound import GuardedClient
from tablegram.values.secrets import SecretBox

# Another process delivers to an endpoint; it may die.
LEASE_RETRY_S = 5.0

# Account and endpoint.
Endpoint = tuple[int, str]
Settled = Callable[[int, str, str], None]


class Deliveries:
    """The couriers of this process. Patience, schedule and chance are parameters for the sake of tests."""

    def __init__(
        self, db: Database, box: SecretBox, clock: Clock, client: GuardedClient, planner: Planner, leases: Leases,
        tasks: Tasks, *, patience: Patience | None = None, retries: Retries = RETRIES,
        chance: random.Random | None = None,
    ) -> None:  # fmt: skip
        self.db = db
        self.box = box
        self.clock = clock
        self.client = client
        self.planner = planner
        self.tasks = tasks
        self.patience = patience or Patience()
        self.retries = retries
        self.chance = chance or random.Random()
        self._wakeups = leases.wakeups
        self.counts = {"delivered": 0, "failed": 0, "dead": 0}
        self.couriers: KeyedDrain[Endpoint, Courier] = KeyedDrain(
            "deliveries", leases, tasks, open=lambda key: Courier(self, *key), lease=lambda key: f"webhook:{key[1]}",
            find=self._find, retry_s=LEASE_RETRY_S, depth=Depth(db, clock, store.WAITING),
        )  # fmt: skip
        self._listeners: list[Settled] = []
        planner.listen(self._planned)

    @property
    def is_alone(self) -> bool:
        """Whether no other process plans events."""
        return self._wakeups.is_alone

    def listen(self, told: Settled) -> None:
        """Have `told(account_id, webhook_id, event_id)` called after each attempt that was written down."""
        self._listeners.append(told)

    def settled(self, account_id: int, endpoint_id: str, event_id: str) -> None:
        for told in self._listeners:
            told(account_id, endpoint_id, event_id)

    def _planned(self, account_id: int, endpoint_ids: list[str], statements: list[Statement] | None) -> None:
        if statements is None:
            for endpoint_id in endpoint_ids:
                self.wake(account_id, endpoint_id)
            return
        events = {params["id"]: cast("NewEvent", params) for query, params in statements if query is store.INSERT_EVENT}
        for query, params in statements:
            if query is store.INSERT_DELIVERY:
                row = cast("NewDelivery", params)
                event = events[row["event_id"]]
                self.couriers.at((account_id, row["webhook_id"])).hand_over(row, event["body"], event["trace"])

    def wake(self, account_id: int, endpoint_id: str, *, changed: bool = False) -> None:
        """Something is due, or (`changed`) the endpoint or a delivery is not what it was."""
        courier = self.couriers.at((account_id, endpoint_id))
        if changed:
            courier.forget()
        courier.wake()

    def changed_elsewhere(self, account_id: int, endpoint_id: str) -> None:
        """Another process has changed or deleted the endpoint: nothing goes to where it was before."""
        key = (account_id, endpoint_id)
        if key in self.couriers:
            self.couriers.at(key).forget()

    def hasten(self, account_id: int, endpoint_id: str, event_id: str) -> None:
        """An event that waited for something is complete, and due at this endpoint."""
        self.couriers.at((account_id, endpoint_id)).hasten(event_id)

    def erase(self, account_id: int, event_ids: list[str]) -> None:
        """Let go of events that were erased. Call after the commit; other processes look for themselves."""
        for courier in self.couriers:
            if courier.account_id == account_id:
                courier.erase(event_ids)

    def ring(self) -> None:
        """Let every courier look at the clock; for those who move it."""
        for courier in self.couriers:
            courier.bell.ring()

    async def _find(self) -> list[Endpoint]:
        return [(row["account_id"], row["webhook_id"]) for row in await self.db.all(store.ENDPOINTS_WITH_WORK)]
