"""Campaigns over a real store and a scripted line; the engine looks when a test says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import bindparam, select

from tablegram.accounts.audit import Audit
from tablegram.campaigns.audience import Audience
from tablegram.crm import contacts
from tablegram.crm.consent import ledger
from tablegram.crm.store import contacts as contact_store
from tablegram.engine.idempotency import Call
from tablegram.events.planning import Planner
from tablegram.flows.campaigns.answers import CampaignView
from tablegram.flows.campaigns.campaign_desk import CampaignDesk
from tablegram.flows.campaigns.message.templates import CampaignTemplates
from tablegram.flows.campaigns.moving import Moving
from tablegram.flows.campaigns.running import CampaignClock
from tablegram.flows.campaigns.trying import Trying
from tablegram.flows.contacts.segment_rules import RULES as CONTACT_RULES
from tablegram.flows.gateway.queueing import Queueing
from tablegram.messaging.switchboard import LiveLine
from tablegram.storage.database import Query, Row, Tx
from tablegram.storage.tables import campaign_sends, events
from tests.engine.waiting import until
from tests.messaging.gateway import Gateway, gateway, phone

s = campaign_sends.c
_SENDS = Query(select(campaign_sends).where(s.account_id == bindparam("account")).order_by(s.campaign_id, s.contact_id))
_EVENTS = Query(
    select(events.c.type).where(events.c.account_id == 1, events.c.type.like("campaign.%")).order_by(events.c.id)
)
PLAN: dict[str, Any] = {
    "name": "Brunch", "texts": ["Hi {{first_name|friend}}!"], "quiet_from": "", "quiet_until": "", "language": "en",
}  # fmt: skip


async def _utc(tx: Tx, account_id: int) -> str:
    return "UTC"


class Office:
    def __init__(self, one: Gateway, line: LiveLine) -> None:
        self.one, self.line = one, line
        self.db, self.clock, self.caller = one.db, one.clock, one.caller
        # Nobody wakes the line: what is queued stays there until `send`.
        queue = Queueing(one.card, one.settings, lambda account_id, line_id: None)
        moving = Moving(Planner(one.db, one.clock), prepaid=one.prepaid)
        self.audience = Audience(CONTACT_RULES, one.clock, _utc)
        self.templates = CampaignTemplates(one.db, one.templates.renew)
        self.desk = CampaignDesk(
            one.db, one.idempotency, one.clock, Audit(one.db, one.clock), moving, lambda account_id, campaign_id: None,
            self.audience, self.templates,
        )  # fmt: skip
        self.trying = Trying(
            one.db, one.idempotency, one.clock, one.card, queue, "https://t.example", self.audience, self.templates
        )
        self.engine = CampaignClock(
            one.db, one.clock, one.leases, moving, queue, "https://t.example", lambda account_id, campaign_id: None,
            self.audience, news_every_s=0.0,
        )  # fmt: skip

    async def people(
        self, count: int, *, consent: str = "granted", first: int = 0, name: str = "Ayşe Yılmaz"
    ) -> list[str]:
        """Contacts in the order of their ids, each with a number."""
        ids = [f"c{number:06}" for number in range(first, first + count)]
        now = self.clock.now_ms()

        async def work(tx: Tx) -> None:
            rows = [contacts.new_contact(1, one, name, now) for one in ids]
            await tx.many(contact_store.INSERT, [{**row, "window_until": None} for row in rows])
            names = [
                {"account_id": 1, "kind": "phone", "value": phone(number), "contact_id": one}
                for number, one in enumerate(ids, first)
            ]
            await tx.many(contact_store.CLAIM_ALIAS, names)
            if consent != "unknown":
                await ledger.note(tx, [self._word(one, consent) for one in ids])

        await self.db.write(work)
        return ids

    def _word(self, contact_id: str, consent: Any) -> ledger.Word:
        return ledger.Word(account_id=1, contact_id=contact_id, state=consent, source="test", at=self.clock.now_ms())

    async def says(self, contact_id: str, consent: str) -> None:
        self.clock.advance(0.001)
        await self.db.write(lambda tx: ledger.note(tx, [self._word(contact_id, consent)]))

    async def draft(self, **fields: Any) -> CampaignView:
        return (await self.desk.create(self.caller, {**PLAN, **fields}, Call("/campaigns"))).value  # type: ignore[typeddict-item]

    async def start(self, at: int | None = None, **fields: Any) -> str:
        made = await self.draft(**fields)
        await self.desk.start(self.caller, made.id, at, Call("/start"))
        return made.id

    async def act(self, campaign_id: str, event: Any) -> CampaignView:
        return (await self.desk.act(self.caller, campaign_id, event, Call("/act"))).value

    async def look(self, times: int = 1) -> None:
        assert await self.engine.drain.hold()
        for _ in range(times):
            await self.engine.look()

    async def send(self) -> None:
        """The line sends what lies with it."""
        self.one.drains.wake(self.line)

        async def gone() -> bool:
            return not {"queued", "sending"} & set(await self.one.states())

        await until(gone, "the line to send")

    async def run(self, most: int = 20) -> None:
        """Engine and line in turn, until nothing is left."""
        for _ in range(most):
            await self.look()
            if not await self.engine_has_work():
                return
            await self.send()
        raise AssertionError("the campaign does not end")

    async def engine_has_work(self) -> bool:
        page = await self.desk.page(self.caller)
        return any(one.state == "running" for one in page.data)

    async def state(self, campaign_id: str) -> str:
        return (await self.desk.get(self.caller, campaign_id)).state

    async def sends(self) -> list[Row]:
        return await self.db.all(_SENDS, {"account": 1})

    async def counted(self) -> dict[str, int]:
        """How many rows stand where, with the reason where there is one."""
        return dict(Counter(":".join(filter(None, (row["state"], row["reason"]))) for row in await self.sends()))

    async def told(self) -> list[str]:
        return [row["type"] for row in await self.db.all(_EVENTS)]


@asynccontextmanager
async def office(database_url: str, kind: str = "sandbox", **settings: Any) -> AsyncIterator[Office]:
    async with gateway(database_url, **settings) as one:
        yield Office(one, await one.add_line(kind))
