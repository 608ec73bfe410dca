"""What the edges ask of accounts and people."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller, KeyRing
from tablegram.accounts.money.quota import QuotaState
from tablegram.accounts.people.house import People
from tablegram.accounts.people.sessions import Sessions
from tablegram.accounts.team import Team
from tablegram.flows.account.members import Members
from tablegram.web.limits import Limiter


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountServices:
    # Who signs in, and what they did.
    people: People
    audit: Audit
    team: Team
    members: Members
    key_ring: KeyRing
    limiter: Limiter
    quota_state: Callable[[Caller], Awaitable[QuotaState]]

    @property
    def sessions(self) -> Sessions:
        return self.people.sessions
