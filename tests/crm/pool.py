"""The whole product in this process with its clockwork standing still: callbacks go in, API calls come out."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import AsyncIterator, Container, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import msgspec
from sqlalchemy import select

from tablegram.accounts.accounts import Accounts
from tablegram.accounts.keys.keys import KeyRing
from tablegram.api.app import Api
from tablegram.crm.contacts import Sender, recognise
from tablegram.messaging.instances import Config, Secrets
from tablegram.settings import Settings
from tablegram.storage.database import Query, Row
from tablegram.storage.tables import messages
from tests.accounts.opened import MovableClock
from tests.api.asking import Reply, ask
from tests.opened_product import OpenedProduct, parts_without

PHONE = "905551112233"
OTHER = "905551112244"
_numbers = itertools.count(1)


class Pool:
    """Two accounts, each with a key for everything and one cloud line."""

    def __init__(self, product: OpenedProduct, clock: MovableClock) -> None:
        self.product, self.clock, self.db = product, clock, product.db
        self.keys: dict[int, str] = {}
        self.lines: dict[int, int] = {}

    @property
    def api(self) -> Api:
        return self.product.of(Api)

    async def prepare(self) -> None:
        ring = KeyRing(self.db, self.product.box, self.clock, self.product.settings)
        for name in ("one", "two"):
            account = await Accounts(self.db, self.clock).create(name)
            self.keys[account.id] = (await ring.create(account.id, name="all", mode="live", scopes=["*"])).token
            self.lines[account.id] = await self.add_line(account.id)

    async def add_line(self, account_id: int = 1) -> int:
        made = await self.db.write(
            lambda tx: self.product.instances.create(tx, account_id, "cloud", "", Config("1", ""), Secrets(), None)
        )
        return made.id

    async def call(
        self, method: str, path: str, body: Any = None, *, account: int = 1, key: str = "", **query: Any
    ) -> Reply:
        address = quote(path) + ("?" + urlencode(query) if query else "")
        return await ask(self, method, address, body, key=key or self.keys[account])

    async def found(self, *, account: int = 1, **query: Any) -> list[str]:
        """The names of the contacts that a search finds, in its order."""
        reply = await self.call("GET", "/contacts", account=account, **query)
        assert reply.status == 200, reply.body
        return [contact["name"] for contact in reply.json()["data"]]

    async def write(
        self, text: str = "Hi", phone: str = PHONE, *, name: str = "Ayşe", user_id: str = "", account: int = 1,
        line: int | None = None, network_id: str = "", type: str = "text", ago_s: int = 0,
    ) -> None:  # fmt: skip
        """A customer writes, and it is worked on."""
        number = next(_numbers)
        person = {"profile": {"name": name}, "wa_id": phone, "user_id": user_id}
        message = {
            "from": phone, "from_user_id": user_id, "id": network_id or f"wamid.{number}", "type": type,
            "timestamp": str(self.clock.now_ms() // 1_000 - ago_s), type: {"body": text, "emoji": "x", "message_id": "y"},
        }  # fmt: skip
        await self.receive(
            {field: value for field, value in message.items() if value},
            people=[{field: value for field, value in person.items() if value}], account=account, line=line,
        )  # fmt: skip

    async def receive(
        self, *written: dict[str, Any], people: Sequence[dict[str, Any]] = (), account: int = 1, line: int | None = None
    ) -> None:
        """Messages in the network's own shape come in, and are worked on."""
        value = {"metadata": {"phone_number_id": "1"}, "contacts": list(people), "messages": list(written)}
        changes = [{"field": "messages", "value": value}]
        body = {"object": f"n{next(_numbers)}", "entry": [{"id": "1", "changes": changes}]}
        source = f"cloud:{line or self.lines[account]}"
        await self.product.inbox.store(account, source, msgspec.json.encode(body))
        await self.product.inbox._drain_fresh()

    async def see(self, *senders: Sender) -> list[str]:
        """Sights without messages, in one batch."""
        return [one.contact_id for one in await self.db.write(lambda tx: recognise(tx, list(senders)))]

    async def contact(self, phone: str = PHONE, account: int = 1) -> dict[str, Any]:
        data = (await self.call("GET", "/contacts", account=account, q=phone)).json()["data"]
        (only,) = [contact for contact in data if phone in contact["phones"]]
        return dict(only)

    async def index(self) -> int:
        return await self.product.indexer.index("~")

    async def messages(self, direction: str, account: int = 1) -> list[Row]:
        found = select(messages).where(messages.c.account_id == account, messages.c.direction == direction)
        return await self.db.all(Query(found.order_by(messages.c.id)))


@asynccontextmanager
async def pool(database_url: str, *, without: Container[str] = ("sandbox",), **settings: Any) -> AsyncIterator[Pool]:
    with tempfile.TemporaryDirectory(prefix="tablegram-pool-") as folder:
        made = Settings(
            database_url=database_url, data_dir=Path(folder), rate_limit=1e6, rate_burst=100_000,
            # Nothing listens there: what is to be sent stays queued.
            cloud_base_url="http://127.0.0.1:9", **settings,
        )  # fmt: skip
        clock = MovableClock()
        product = OpenedProduct(made, clock, parts_without(without))
        await product.open()
        await product.owner.register()
        opened = Pool(product, clock)
        try:
            await opened.prepare()
            yield opened
        finally:
            await product.stop()
