"""The whole product in this process, asked through its own front door, for two accounts."""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tablegram.accounts.accounts import Accounts
from tablegram.accounts.keys.keys import KeyRing
from tablegram.settings import Settings
from tablegram.values.clock import Clock
from tablegram.wiring.part import Part
from tablegram.wiring.parts import PARTS
from tests.api.asking import Reply, ask
from tests.opened_product import OpenedProduct

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)


@dataclass
class Running:
    api: OpenedProduct
    keys: list[str] = field(default_factory=list)

    async def ask(self, method: str, path: str, body: Any = None, *, account: int = 1, **more: Any) -> Reply:
        more.setdefault("key", self.keys[account - 1])
        return await ask(self, method, path, body, **more)

    async def tell(self, text: str, sender: str = "s", *, account: int = 1, kind: str = "messages.upsert") -> None:
        """An event is planned, as a flow does it."""
        planner = self.api.deliveries.planner
        await planner.refresh(account)
        plan = planner.plan(account, kind, {"event": kind, "data": {"text": text}}, sender)
        await self.api.db.put(*plan)
        planner.planned(account, plan)


@asynccontextmanager
async def product(
    database_url: str, folder: Path, clock: Clock | None = None, parts: Sequence[Part] = PARTS, **settings: Any
) -> AsyncIterator[Running]:
    settings.setdefault("allowed_private_targets", LOOPBACK)
    # No test reaches for a real network, whatever engine is installed here.
    given = {"linked_engine": "sandbox", **settings}
    made = OpenedProduct(Settings(database_url=database_url, data_dir=folder, **given), clock, parts)
    await made.start()
    running = Running(made)
    try:
        ring = KeyRing(made.db, made.box, made.clock, made.settings)
        for name in ("one", "two"):
            account = await Accounts(made.db, made.clock).create(name)
            running.keys.append((await ring.create(account.id, name="", scopes=["*"])).token)
        yield running
    finally:
        made.end_streams()
        await made.stop()
