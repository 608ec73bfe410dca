"""Accounts and people: who signs in, which keys open the door, what they may spend."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.accounts.keys.keys import Caller, KeyRing
from tablegram.accounts.money import quota
from tablegram.accounts.money.rate_card import RateCard
from tablegram.accounts.people.house import gather_people
from tablegram.accounts.retention import PURGES
from tablegram.accounts.team import Team
from tablegram.api.routes import routes_of
from tablegram.drivers import open_mail
from tablegram.flows.account.members import Members
from tablegram.flows.account.services import AccountServices
from tablegram.panel.app import handlers_below
from tablegram.storage.database import Tx
from tablegram.values.clock import Clock
from tablegram.web.limits import Limiter, share_limits
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


@dataclass(frozen=True, slots=True)
class Till:
    """What a message costs, and how it is given back where messages are paid for in advance."""

    card: RateCard
    clock: Clock
    prepaid: bool

    async def refund(self, tx: Tx, account_id: int, message_key: str) -> None:
        if self.prepaid:
            await quota.refund(tx, account_id, message_key, self.clock.now_ms())


def build(ground: Ground, engine: Engine) -> Contribution:
    settings, db, clock, box = ground.settings, ground.db, ground.clock, ground.box
    people = gather_people(db, box, clock, settings, mail=open_mail(settings), spawn=ground.tasks.spawn, bus=engine.bus)
    team = Team(db, clock)
    limiter = Limiter()
    share_limits(engine.bus, "keys", limiter)

    async def quota_state(caller: Caller) -> quota.QuotaState:
        return await quota.quota_state(db, caller.account_id, clock.now_ms(), ground.prepaid)

    account = AccountServices(
        people=people,
        audit=people.audit,
        team=team,
        members=Members(db, box, clock, team, people, engine.idempotency),
        key_ring=KeyRing(db, box, clock, settings),
        limiter=limiter,
        quota_state=quota_state,
    )
    till = Till(RateCard.load(settings.rate_card or None), clock, ground.prepaid)
    return Contribution(services=[account, till])


PART = Part(
    name="account",
    build=build,
    routes=lambda: routes_of("account"),
    pages=lambda: handlers_below("account"),
    purges=PURGES,
)
