"""Everything that delivers, over a real store and a clock that a test can move, for two accounts."""

from __future__ import annotations

import ipaddress
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp.abc import AbstractResolver
from sqlalchemy import select

from tablegram.engine.bus.choosing import choose_bus
from tablegram.engine.bus.wakeups import Wakeups
from tablegram.engine.leases import Leases
from tablegram.engine.owners import Owner
from tablegram.engine.retries import Retries
from tablegram.engine.timers import Tasks
from tablegram.events.delivery import Deliveries
from tablegram.events.endpoints import Endpoints, delivery_id
from tablegram.events.feed import Feed
from tablegram.events.planning import Planner, event_of
from tablegram.events.posting import Patience
from tablegram.events.schedule import RETRIES
from tablegram.settings import Settings
from tablegram.storage.database import Database, Row
from tablegram.storage.tables import deliveries, delivery_attempts, webhooks
from tablegram.values.http.outbound import GuardedClient, Targets
from tablegram.values.secrets import SecretBox
from tests.accounts.opened import SECRET, MovableClock
from tests.engine.waiting import settle, until
from tests.events.receiver import Receiver
from tests.storage.opened import opened

LEASE_S = 600.0
# An answer that a test holds back is not given up while the test still does something else, however busy the machine is.
PATIENT = Patience(120.0, 240.0)
# Nothing else happens to a test's endpoints by the machine's clock, however long the test takes.
NOT_NOW_S = 600.0
LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)


class Even(random.Random):
    """Chance without jitter: a test that moves the clock knows when things are due."""

    def uniform(self, a: float, b: float) -> float:
        return (a + b) / 2


class Office:
    """One process. Several over one database are several processes that share a clock."""

    def __init__(
        self, db: Database, clock: MovableClock, *, patience: Patience | None = None, resolver: AbstractResolver | None = None,
        listed: tuple[Any, ...] = LOOPBACK, retries: Retries = RETRIES,
    ) -> None:  # fmt: skip
        self.db, self.clock = db, clock
        self.box = SecretBox(SECRET)
        self.tasks = Tasks()
        # However long a step takes on a busy machine, it costs nobody a lease.
        self.owner = Owner(db, LEASE_S)
        self.bus = choose_bus(Settings(), db)
        self.leases = Leases(db, self.owner, wakeups=Wakeups(self.bus))
        self.planner = Planner(db, clock)
        self.client = GuardedClient(Targets(listed), resolver=resolver)
        self.deliveries = Deliveries(
            db, self.box, clock, self.client, self.planner, self.leases, self.tasks,
            patience=patience or PATIENT, chance=Even(), retries=retries,
        )  # fmt: skip
        self.endpoints = Endpoints(
            db, self.box, clock, self.client.targets, self.planner, self.deliveries, make_up_after_s=NOT_NOW_S
        )
        self.feed = Feed(db, self.planner, self.bus)
        self.secrets: dict[str, str] = {}

    async def add(self, url: str, *events: str, account_id: int = 1) -> str:
        """An endpoint; returns its id."""
        made = await self.db.write(lambda tx: self.endpoints.create(tx, account_id, url, list(events) or ["*"], ""))
        await self.endpoints.changed(account_id, made.id)
        self.secrets[made.id] = made.secret
        return made.id

    async def tell(self, text: str, sender: str = "s", *, account_id: int = 1, kind: str = "messages.upsert") -> str:
        """An event is planned, as a flow does it; returns its id."""
        await self.planner.refresh(account_id)
        plan = self.planner.plan(account_id, kind, {"event": kind, "data": {"text": text}}, sender)
        await self.db.put(*plan)
        self.planner.planned(account_id, plan)
        self.clock.advance(0.001)
        return event_of(plan)

    async def later(self, seconds: float) -> None:
        """Let time pass, and everything happen that is due then."""
        await self.settle()
        self.clock.advance(seconds)
        self.deliveries.ring()
        await self.settle()

    async def settle(self, rounds: int = 20) -> None:
        """Let everything run that can run now."""
        await settle(rounds, db=self.db)

    async def deliveries_of(self, endpoint_id: str, account_id: int = 1) -> list[Row]:
        found = select(deliveries).where(deliveries.c.account_id == account_id, deliveries.c.webhook_id == endpoint_id)
        return await self.db.all(found.order_by(deliveries.c.event_id))

    async def states(self, endpoint_id: str, account_id: int = 1) -> list[str]:
        return [row["state"] for row in await self.deliveries_of(endpoint_id, account_id)]

    async def until_states(self, endpoint_id: str, *states: str, account_id: int = 1) -> None:
        async def there() -> bool:
            return await self.states(endpoint_id, account_id) == list(states)

        try:
            await until(there, f"deliveries to be {states}")
        except AssertionError as error:
            raise AssertionError(f"{error}; they are {await self.states(endpoint_id, account_id)}") from None

    async def attempts(self, event_id: str, account_id: int = 1) -> list[Row]:
        table = delivery_attempts
        found = select(table).where(table.c.account_id == account_id, table.c.event_id == event_id)
        return await self.db.all(found.order_by(table.c.id))

    async def endpoint(self, endpoint_id: str, account_id: int = 1) -> Row:
        row = await self.db.first(
            select(webhooks).where(webhooks.c.account_id == account_id, webhooks.c.id == endpoint_id)
        )
        assert row is not None
        return row

    async def replay(self, endpoint_id: str, event_id: str, account_id: int = 1) -> None:
        name = delivery_id({"event_id": event_id, "webhook_id": endpoint_id})
        await self.db.write(lambda tx: self.endpoints.replay(tx, account_id, name))
        self.endpoints.wake(account_id, endpoint_id)

    async def stop(self) -> None:
        """End as a crash would: whatever is under way is not finished."""
        await self.tasks.stop()
        await self.client.close()


@asynccontextmanager
async def office(database_url: str, **options: Any) -> AsyncIterator[Office]:
    async with opened(database_url) as db:
        one = Office(db, MovableClock(), **options)
        await one.owner.register()
        try:
            yield one
        finally:
            await one.stop()


async def restarted(one: Office, **options: Any) -> Office:
    """The next process over the same store, after the first one has died."""
    await one.stop()
    await one.leases.free(one.owner.id)
    await one.owner.leave()
    fresh = Office(one.db, one.clock, **options)
    fresh.secrets = one.secrets
    await fresh.owner.register()
    await fresh.deliveries.couriers.scan()
    return fresh


def texts(one: Receiver) -> list[str]:
    """What was taken, in the order in which it was."""
    return [seen.json()["data"]["text"] for seen in one.taken]
