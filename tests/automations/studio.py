"""Automations in a whole restaurant whose clockwork stands still: the engine looks when a test says so."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import bindparam, select, update

from tablegram.automations.states import Event
from tablegram.crm.consent import ledger
from tablegram.crm.consent.ledger import Word
from tablegram.crm.store import contacts as contact_store
from tablegram.engine.idempotency import Call
from tablegram.flows.automations.answers import AutomationView
from tablegram.flows.automations.services import AutomationServices
from tablegram.storage.database import Query, Row
from tablegram.storage.tables import automation_runs, automation_visits, contacts
from tablegram.wiring.areas.marketing.automations import AutomationWorks
from tests.crm.pool import PHONE
from tests.restaurant.flows.house import House, house

MANAGER = "905559990001"
# Nothing waits for the morning, and nobody is written to too often, unless a test is about that.
FREE: dict[str, Any] = {"quiet_from": "", "quiet_until": "", "cap_messages": 0, "language": "en"}
r, v = automation_runs.c, automation_visits.c
_RUNS = Query(select(automation_runs).where(r.account_id == bindparam("account")).order_by(r.id))
_VISITS = Query(select(automation_visits).where(v.account_id == bindparam("account")).order_by(v.run_id, v.step))

_BORN = Query(update(contacts).where(contacts.c.account_id == 1).values(birthday=bindparam("day")))


class Studio:
    def __init__(self, one: House) -> None:
        self.house, self.db, self.clock, self.pool = one, one.db, one.clock, one.pool
        self.owner = one.caller("owner")
        self.services = one.product.of(AutomationServices)
        self.engine = one.product.of(AutomationWorks).clock

    async def make(
        self, trigger: dict[str, Any], *steps: dict[str, Any], is_on: bool = True, **fields: Any
    ) -> AutomationView:
        given: Any = {"name": "Flow", "trigger": trigger, "steps": list(steps), **FREE, **fields}
        made = (await self.services.desk.create(self.owner, given, Call("/automations"))).value
        return await self.act(made.id, "turn_on") if is_on else made

    async def act(self, automation_id: str, event: Event) -> AutomationView:
        return (await self.services.desk.act(self.owner, automation_id, event, Call("/act"))).value

    async def look(self, times: int = 6) -> None:
        """As often as the longest flow here has steps."""
        assert await self.engine.drain.hold()
        for _ in range(times):
            await self.engine.look()

    async def guest(self, phone: str = PHONE, *, consent: str = "granted", name: str = "Ayşe Yılmaz") -> str:
        """Somebody who has written, so that the network takes what is sent to them."""
        await self.house.write("Merhaba", phone, name=name)
        alias = {"account_id": 1, "kind": "phone", "value": phone}
        found = await self.db.write(lambda tx: tx.first(contact_store.FIND_ALIAS, alias))
        assert found is not None
        contact_id = str(found["contact_id"])
        if consent != "unknown":
            await self.says(contact_id, consent)
        return contact_id

    async def says(self, contact_id: str, consent: Any) -> None:
        self.clock.advance(0.001)
        word = Word(account_id=1, contact_id=contact_id, state=consent, source="test", at=self.clock.now_ms())
        await self.db.write(lambda tx: ledger.note(tx, [word]))

    async def born(self, day: str) -> None:
        """Everybody here has this birthday."""
        await self.db.put((_BORN, {"day": day}))

    async def meal(self, phone: str = PHONE) -> str:
        """An order of a guest, up to its end."""
        cart = await self.house.cart(table=None, order_type="takeaway")
        await self.house.write(cart["text"], phone)
        number = str((await self.house.placed())[-1]["order_id"])
        for step in ("finish", "pick_up", "pay", "complete"):
            await self.house.act(number, step)
        return number

    async def runs(self) -> list[Row]:
        return await self.db.all(_RUNS, {"account": 1})

    async def visits(self) -> list[tuple[str, str, str]]:
        rows = await self.db.all(_VISITS, {"account": 1})
        return [(row["kind"], row["state"], row["reason"]) for row in rows]

    async def sent(self, phone: str = PHONE) -> list[Row]:
        """What automations have queued for somebody."""
        rows = await self.pool.messages("out")
        return [row for row in rows if row["phone"] == phone and row["sent_by"] == "auto:automation"]

    async def tap(self, row_id: str, phone: str = PHONE) -> None:
        """Somebody chooses a row of a list."""
        reply = {"type": "list_reply", "list_reply": {"id": row_id, "title": "x"}}
        message = {
            "from": phone, "id": f"wamid.tap{self.clock.now_ms()}{row_id[-6:]}", "type": "interactive", "interactive": reply,
            "timestamp": str(self.clock.now_ms() // 1_000),
        }  # fmt: skip
        await self.pool.receive(message, people=[{"profile": {"name": "Ayşe"}, "wa_id": phone}])


@asynccontextmanager
async def studio(database_url: str, **settings: Any) -> AsyncIterator[Studio]:
    async with house(database_url, **settings) as one:
        yield Studio(one)
