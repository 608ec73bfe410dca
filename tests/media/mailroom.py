"""Everything between a callback with a file and the endpoint that is told of it, on a scripted network."""

from __future__ import annotations

import hashlib
import ipaddress
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web
from sqlalchemy import select

from tablegram.accounts.accounts import Accounts
from tablegram.accounts.money.rate_card import RateCard
from tablegram.drivers import open_vault
from tablegram.engine.inbox import Inbox
from tablegram.engine.leases import Leases
from tablegram.engine.owners import Owner
from tablegram.engine.timers import Tasks
from tablegram.events.delivery import Deliveries
from tablegram.events.endpoints import Endpoints
from tablegram.events.planning import Planner
from tablegram.flows.files.fetching import Fetching
from tablegram.flows.files.media import MediaLibrary
from tablegram.flows.gateway.announcing import Announcer
from tablegram.flows.gateway.inbound import Inbound
from tablegram.media.spool import Spool
from tablegram.messaging.instances import Config, Instance, Instances, Secrets
from tablegram.messaging.lines.cloud import callbacks
from tablegram.messaging.switchboard import LiveLine, Switchboard
from tablegram.settings import Settings
from tablegram.storage.database import Database, Row, open_database
from tablegram.storage.tables import events, media, messages
from tablegram.values.http.outbound import GuardedClient
from tablegram.values.http.targets import Targets
from tablegram.values.secrets import SecretBox
from tests.accounts.opened import SECRET, MovableClock
from tests.engine.waiting import until
from tests.messaging.lines.stub_graph import serve
from tests.messaging.scripted import ScriptedLine

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))


class Mailroom:
    def __init__(self, db: Database, settings: Settings, clock: MovableClock) -> None:
        self.db, self.settings, self.clock = db, settings, clock
        self.tasks = Tasks()
        self.owner = Owner(db)
        self.networks: dict[int, ScriptedLine] = {}
        box = SecretBox(SECRET)
        planner = Planner(db, clock)
        announcer = Announcer(planner, clock, "http://gateway.example/api/v1/media")
        instances = Instances(db, box, clock, settings.base_url)
        self.instances = instances
        self.switchboard = Switchboard(instances, self._driver, settings)
        self.folder = settings.data_dir / "media"
        self.vault = open_vault(settings)
        self.library = MediaLibrary(db, self.vault, clock, "http://gateway.example/api/v1/media")
        self.leases = Leases(db, self.owner)
        self.client = GuardedClient(Targets(LOOPBACK))
        self.fetching = Fetching(
            db, self.switchboard, self.vault, Spool(self.folder / "incoming"), announcer, self.leases, self.tasks, clock
        )
        self.deliveries = Deliveries(db, box, clock, self.client, planner, self.leases, self.tasks)
        announcer.hasten = self.deliveries.hasten
        self.endpoints = Endpoints(db, box, clock, self.client.targets, planner, self.deliveries)
        inbound = Inbound(
            {"cloud": callbacks.parse},
            box,
            RateCard.load(),
            clock,
            announcer,
            prepaid=False,
            wake_fetching=self.fetching.bell.ring,
        )
        self.inbox = Inbox(db, clock, {"cloud": inbound})
        # What the endpoint was told, in order.
        self.told: list[dict[str, Any]] = []
        self._number = 0

    def _driver(self, instance: Instance) -> ScriptedLine:
        return self.networks.setdefault(instance.id, ScriptedLine())

    async def add_line(self, account_id: int = 1) -> LiveLine:
        made = await self.db.write(
            lambda tx: self.instances.create(tx, account_id, "cloud", "", Config("1065", ""), Secrets(), None)
        )
        return (await self.switchboard.reload(account_id))[made.id]

    def network(self, line: LiveLine) -> ScriptedLine:
        return self.networks[line.instance.id]

    def begin(self) -> None:
        """Let the drains run by themselves."""
        self.tasks.keep("media", self.fetching.drain.run)
        self.tasks.keep("deliveries", self.deliveries.couriers.scan_forever)

    async def listen(self, url: str, account_id: int = 1) -> str:
        made = await self.db.write(lambda tx: self.endpoints.create(tx, account_id, url, ["*"], ""))
        await self.endpoints.changed(account_id, made.id)
        return made.id

    async def write(
        self, line: LiveLine, content: bytes | None = PNG, kind: str = "image", phone: str = "905551112233", **told: Any
    ) -> str:
        """A customer sends a file; gives the network's id of it. Without content the network only says so."""
        self._number += 1
        file_id = told.pop("id", f"file{self._number}")
        if content is not None:
            self.network(line).files[file_id] = content
        digest = hashlib.sha256(content or b"").hexdigest()
        part = {"id": file_id, "mime_type": "image/png", "sha256": digest if content else "", **told}
        await self.receive(line, {"type": kind, kind: part}, phone)
        return str(file_id)

    async def receive(self, line: LiveLine, part: dict[str, Any], phone: str = "905551112233", wamid: str = "") -> None:
        self._number += 1
        seconds = str(self.clock.now_ms() // 1_000)
        message = {"from": phone, "id": wamid or f"wamid.{self._number}", "timestamp": seconds, **part}
        change = {"field": "messages", "value": {"metadata": {"phone_number_id": "1065"}, "messages": [message]}}
        raw = msgspec.json.encode({"object": f"n{self._number}", "entry": [{"id": "1", "changes": [change]}]})
        await self.inbox.store(line.instance.account_id, f"cloud:{line.instance.id}", raw)
        await self.inbox._drain_fresh()

    async def fetch(self) -> None:
        """Try everything that is due, once."""
        await self.fetching.drain.look()
        await until(lambda: not self.fetching.flight, "the files under way")

    async def rows(self, account_id: int = 1) -> list[Row]:
        return await self.db.all(select(media).where(media.c.account_id == account_id).order_by(media.c.id))

    async def row(self) -> Row:
        (only,) = await self.rows()
        return only

    async def message_keys(self, account_id: int = 1) -> list[str]:
        found = select(messages.c.id).where(messages.c.account_id == account_id).order_by(messages.c.id)
        return [row["id"] for row in await self.db.all(found)]

    async def events(self) -> list[dict[str, Any]]:
        rows = await self.db.all(select(events.c.body).where(events.c.account_id == 1).order_by(events.c.seq))
        return [msgspec.json.decode(row["body"]) for row in rows]

    def kept_files(self) -> list[Path]:
        return [path for path in self.folder.rglob("*") if path.is_file()]

    async def read(self, media_id: str, account_id: int = 1) -> bytes:
        opened = await self.library.open(account_id, media_id)
        assert opened.stream is not None
        return b"".join([chunk async for chunk in opened.stream])

    async def later(self, seconds: float) -> None:
        self.clock.advance(seconds)
        self.fetching.bell.ring()
        self.deliveries.ring()


@asynccontextmanager
async def mailroom(database_url: str, folder: Path, **settings: Any) -> AsyncIterator[Mailroom]:
    made = Settings(database_url=database_url, data_dir=folder, **settings)
    db = open_database(made)
    await db.open()
    one = Mailroom(db, made, MovableClock())
    try:
        for name in ("one", "two"):
            await Accounts(db, one.clock).create(name)
        await one.owner.register()
        yield one
    finally:
        await one.tasks.stop()
        await one.client.close()
        await db.close()


@asynccontextmanager
async def receiver(one: Mailroom) -> AsyncIterator[str]:
    """An endpoint of the first account that takes everything."""

    async def take(request: web.Request) -> web.StreamResponse:
        one.told.append(msgspec.json.decode(await request.read()))
        return web.Response()

    async with serve(take) as url:
        yield await one.listen(url)
