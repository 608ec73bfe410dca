"""Accounts and people: who signs in, which keys open the door, what they may spend."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.calls import Calls
from tablegram.accounts.keys.keys import Caller, KeyRing
from tablegram.accounts.keys.limits import Limiter
from tablegram.accounts.money import quota
from tablegram.accounts.money.rate_card import RateCard
from tablegram.accounts.people.house import People, gather_people
from tablegram.accounts.retention import PURGES
from tablegram.accounts.team import Team
from tablegram.drivers import open_mail
from tablegram.flows.account.members import Members
from tablegram.flows.integrations.granting import Granting
from tablegram.storage.database import Tx
from tablegram.values.clock import Clock
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


@dataclass(frozen=True, slots=True)
class Refunds:
    """Gives back what a message cost, where messages cost something."""

    clock: Clock
    prepaid: bool

    async def __call__(self, tx: Tx, account_id: int, message_key: str) -> None:
        if self.prepaid:
            await quota.refund(tx, account_id, message_key, self.clock.now_ms())


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountServices:
    people: People
    audit: Audit
    key_ring: KeyRing
    limiter: Limiter
    team: Team
    members: Members
    granting: Granting
    calls: Calls
    quota_state: Callable[[Caller], Awaitable[quota.QuotaState]]
    card: RateCard
    refund: Refunds


def build(ground: Ground, engine: Engine) -> Contribution:
    settings, db, clock, box = ground.settings, ground.db, ground.clock, ground.box
    people = gather_people(db, box, clock, settings, mail=open_mail(settings), spawn=ground.tasks.spawn)
    key_ring = KeyRing(db, box, clock, settings)
    team = Team(db, clock)

    async def quota_state(caller: Caller) -> quota.QuotaState:
        return await quota.quota_state(db, caller.account_id, clock.now_ms(), ground.prepaid)

    account = AccountServices(
        people=people,
        audit=people.audit,
        key_ring=key_ring,
        limiter=Limiter(),
        team=team,
        members=Members(db, box, clock, team, people, engine.idempotency),
        granting=Granting(key_ring, engine.idempotency, people.audit),
        calls=Calls(db),
        quota_state=quota_state,
        card=RateCard.load(settings.rate_card or None),
        refund=Refunds(clock, ground.prepaid),
    )
    return Contribution(services=[account])


PART = Part(name="account", build=build, purges=PURGES)
