"""A shop whose events tests tell by hand, over a real store and a scripted line."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from sqlalchemy import bindparam, select

from tablegram.flows.gateway.queueing import Queueing
from tablegram.flows.stores.notices.reminding import Reminding
from tablegram.flows.stores.notices.speaking import QueuedNotice, Speaking
from tablegram.messaging.switchboard import LiveLine
from tablegram.storage.database import Query, Row, Tx
from tablegram.storage.tables import store_carts, store_notices
from tablegram.stores.carts import store as cart_store
from tablegram.stores.model import Delivery, Followed, SourceRow, ToldEvent
from tablegram.stores.notifications import store as notice_store
from tablegram.stores.notifications import wordings
from tablegram.stores.notifications.kinds import Kind, Language
from tablegram.stores.ports import ShopCustomer, StoreEvent
from tests.messaging.gateway import PHONE, Gateway, gateway

_NOTICES = Query(
    select(store_notices).where(store_notices.c.account_id == bindparam("account")).order_by(store_notices.c.id)
)
_CARTS = Query(select(store_carts).where(store_carts.c.account_id == bindparam("account")).order_by(store_carts.c.id))


class Shopfront:
    def __init__(self, one: Gateway, line: LiveLine) -> None:
        self.one = one
        self.line = line
        self.db, self.clock = one.db, one.clock
        # Nobody wakes the line: what is queued stays there to be looked at.
        self.woken: list[tuple[int, int]] = []
        queue = Queueing(one.card, one.settings, lambda account_id, line_id: self.woken.append((account_id, line_id)))
        self.speaking = Speaking(queue)
        self.reminding = Reminding(self.speaking, prepaid=one.prepaid)
        self.instance_id: int | None = None

    async def set(self, kind: Kind, language: Language = "en", step: int = 1, source: str = "", **fields: Any) -> None:
        async def work(tx: Tx) -> None:
            old = await wordings.get(tx, 1, kind, step, language, source)
            changed = wordings.change(old, {"enabled": True, **fields})  # type: ignore[typeddict-item]
            await wordings.keep(tx, changed, "test", self.clock.now_ms(), source)

        await self.db.write(work)

    def told(self, kind: Any, reference: str, *, phone: str = PHONE, problem: Any = "", **fields: Any) -> ToldEvent:
        now = self.clock.now_ms()
        person = fields.pop("person", None) or ShopCustomer(name=fields.pop("name", "Ayşe Yılmaz"), consents=True)
        fields.setdefault("at", now)
        source = SourceRow(
            account_id=1, id=fields.pop("source", "src_1"), platform="generic", name="Pamuk", hook_hash="",
            hook_sealed="", instance_id=self.instance_id, created_at=1, updated_at=1,
        )  # fmt: skip
        event = StoreEvent(kind=kind, reference=reference, person=person, **fields)
        delivery = Delivery(account_id=1, id="d", source_id=source.id, name="n", received_at=now)
        return ToldEvent(
            source=source, delivery=delivery, event=event, phone=phone, phone_problem=problem, at=event.at or now
        )

    async def tell(self, kind: Any, reference: str, **fields: Any) -> Followed | None:
        told = self.told(kind, reference, **fields)
        return await self.db.write(lambda tx: self.reminding.follow(tx, told, self.clock.now_ms()))

    async def look(self) -> int:
        """What is due, as the clock does it; how many messages were queued."""
        now, said = self.clock.now_ms(), 0
        which = {"now": now, "most": 1_000}
        for query, due in (
            (notice_store.DUE, self.reminding.notice_due),
            (cart_store.DUE, self.reminding.cart_due),
        ):
            for row in await self.db.all(query, which):
                done = await self.db.write(
                    partial(lambda due, row, tx: due(tx, row["account_id"], row["id"], now), due, row)
                )
                said += isinstance(done, QueuedNotice)
        return said

    async def notices(self) -> list[Row]:
        return await self.db.all(_NOTICES, {"account": 1})

    async def carts(self) -> list[Row]:
        return await self.db.all(_CARTS, {"account": 1})

    async def reasons(self) -> list[tuple[str, str]]:
        return [(row["state"], row["reason"]) for row in await self.notices()]

    async def texts(self) -> list[str]:
        return [row["text"] for row in await self.one.rows() if row["state"] != "cancelled"]


@asynccontextmanager
async def shopfront(database_url: str, kind: str = "sandbox", **settings: Any) -> AsyncIterator[Shopfront]:
    async with gateway(database_url, **settings) as one:
        yield Shopfront(one, await one.add_line(kind))
