"""The product as the tests of a file share it: keys of every kind, two lines of the sandbox, and what the network sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from sqlalchemy import or_, select

from tablegram.accounts.accounts import Accounts
from tablegram.accounts.keys.keys import KeyRing
from tablegram.api.app import Api, create_api
from tablegram.api.deps import ApiDeps
from tablegram.flows.account.services import AccountServices
from tablegram.flows.gateway.sending import Sending
from tablegram.flows.gateway.services import GatewayServices
from tablegram.storage.database import Query, Row
from tablegram.storage.tables import instances, messages
from tests.api.asking import Reply, ask
from tests.api.product_in_process import Running, product
from tests.opened_product import HANDLERS, OpenedProduct

T = TypeVar("T")
KNOWN = "wamid.known"
WITH_SLASH = "wamid.with/slash"
GUEST = "905551119900"
_MESSAGES = Query(select(messages.c.id).where(messages.c.account_id == 1))
_LINES = Query(select(instances).where(instances.c.account_id == 1))


@dataclass
class _Asked:
    api: Api


class Edge:
    """One account with lines 1 (the default) and 2, of the sandbox, and 3, whose network is away."""

    def __init__(self, running: Running) -> None:
        self.api: OpenedProduct = running.api
        self.key = running.keys[0]
        self._names = iter(range(1, 10_000))
        deps = ApiDeps(
            settings=self.api.settings,
            clock=self.api.clock,
            db=self.api.db,
            services=self.api.whole.services,
        )
        # Every call through the framework, to show that both ways answer alike.
        self._framework = _Asked(create_api(deps, lambda: HANDLERS, fast=False))

    @property
    def key_ring(self) -> KeyRing:
        return self.api.of(AccountServices).key_ring

    @property
    def sending(self) -> Sending:
        return self.api.of(GatewayServices).sending

    async def ask(self, method: str, path: str, body: Any = None, *, fast: bool = True, **more: Any) -> Reply:
        more.setdefault("key", self.key)
        return await ask(self if fast else self._framework, method, path, body, **more)

    async def key_with(self, *scopes: str) -> str:
        return (await self.key_ring.create(1, scopes=scopes)).token

    async def operators_key(self) -> str:
        return (await self.key_ring.create_for_operator(1)).token

    async def slow_key(self, rate: float, burst: int) -> str:
        """A key of an account of its own that may call so often."""
        accounts = Accounts(self.api.db, self.api.clock)
        account = await accounts.create(f"slow {next(self._names)}")
        await accounts.set_limits(account.id, rate, burst)
        return (await self.key_ring.create(account.id)).token

    async def stored(self, reply: Reply) -> Row:
        """The message that an answer names, as it was stored."""
        assert reply.status == 200, reply.body
        return await self.message(reply.json()["message_id"])

    async def message(self, message_id: str) -> Row:
        named = or_(messages.c.id == message_id.removeprefix("gw."), messages.c.network_id == message_id)
        found = await self.api.db.first(Query(select(messages).where(messages.c.account_id == 1, named)))
        assert found is not None, message_id
        return found

    async def done(self) -> tuple[int, list[tuple[Any, ...]]]:
        """How many messages there are, and the lines as they are: the same twice where nothing was done meanwhile."""
        lines = [(row["id"], row["name"], row["pace_milli"]) for row in await self.api.db.all(_LINES)]
        return len(await self.api.db.all(_MESSAGES)), lines

    async def receive(self, *network_ids: str) -> None:
        """A guest's messages come in from the network, by these names."""
        written = [
            {"from": GUEST, "id": name, "type": "text", "timestamp": "1790000000", "text": {"body": "Hi"}}
            for name in network_ids
        ]
        people = [{"profile": {"name": "Ayşe"}, "wa_id": GUEST}]
        value = {"metadata": {"phone_number_id": "1"}, "contacts": people, "messages": written}
        body = {"object": "one", "entry": [{"id": "1", "changes": [{"field": "messages", "value": value}]}]}
        await self.api.inbox.store(1, "cloud:3", msgspec.json.encode(body))
        await self.api.inbox._drain_fresh()


@asynccontextmanager
async def edge_of(database_url: str, folder: Path, **settings: Any) -> AsyncIterator[Edge]:
    given = {
        "rate_limit": 1e6,
        "rate_burst": 100_000,
        "anonymous_rate_limit": 1e6,
        "anonymous_rate_burst": 100_000,
        "sandbox": True,
        # Nothing listens there.
        "cloud_base_url": "http://127.0.0.1:9",
        **settings,
    }
    async with product(database_url, folder, **given) as running:
        edge = Edge(running)
        cloud = {"phone_number_id": "1", "access_token": "t", "app_secret": "s", "verify_token": "v"}
        for line in ({"kind": "sandbox"}, {"kind": "sandbox"}, {"kind": "cloud", **cloud}):
            assert (await edge.ask("POST", "/instances", line)).status == 201
        await edge.receive(KNOWN, WITH_SLASH)
        yield edge


@contextmanager
def kept_open(loop: asyncio.Runner, made: AbstractAsyncContextManager[T]) -> Iterator[T]:
    """Open it in the loop of a file, for all of its tests."""
    opened = loop.run(made.__aenter__())
    try:
        yield opened
    finally:
        loop.run(made.__aexit__(None, None, None))
