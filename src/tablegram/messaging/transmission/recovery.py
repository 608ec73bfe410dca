"""What a dead process left behind is taken up: its attempts are in doubt, its leases are free."""

from __future__ import annotations

import asyncio
import logging

from tablegram.engine import crash_points
from tablegram.engine.leases import Leases
from tablegram.engine.owners import Owner
from tablegram.messaging.rows.messages import LeftRow
from tablegram.messaging.store import messages as store
from tablegram.messaging.store import recovering
from tablegram.messaging.switchboard import Switchboard
from tablegram.messaging.transmission.draining import Drains
from tablegram.messaging.transmission.outcomes import MAX_WAIT_S, Attempt, Outcomes
from tablegram.settings import Settings
from tablegram.storage.database import Database
from tablegram.values.clock import CLOCKS_MS, HOUR_MS, Clock

log = logging.getLogger("tablegram.recovery")

# So often it is looked for what others left; more often where leases are shorter.
SWEEP_S = 15.0
# The dead are looked for so often, and more often where leases are short: a part of one.
BURIED_WITHIN_S = 5.0
BURIED_WITHIN = 1 / 9
# After a start a doubt waits at least so long: the network repeats what nobody answered, but not at once.
REPEATED_WITHIN_MS = 30_000
# No attempt takes this long: one that does lost its process's memory of it, as when a commit's answer was lost.
STALE_CLAIM_MS = 180_000


class Recovery:
    def __init__(
        self,
        db: Database,
        owner: Owner,
        leases: Leases,
        switchboard: Switchboard,
        drains: Drains,
        outcomes: Outcomes,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._db = db
        self._owner = owner
        self._leases = leases
        self._switchboard = switchboard
        self._drains = drains
        self._outcomes = outcomes
        self._clock = clock
        self._unknown_wait_ms = int(settings.unknown_wait_s * 1_000)
        self._max_wait_ms = max(int(MAX_WAIT_S * 1_000), self._unknown_wait_ms)
        self._max_age_ms = int(settings.queue_max_age_h * HOUR_MS)

    async def take_up(self) -> None:
        """Before the first request: free what dead processes held, and know what still has to go out.

        A doubt's wait goes on where it stood. While nobody ran nobody could be told anything, so that time does not
        count; and what the network could not tell, it repeats the later the longer we were away.
        """
        await self._inherit()
        now, wait_ms = self._clock.now_ms(), self._unknown_wait_ms
        unheard_ms = min(wait_ms if self._owner.unheard_ms is None else self._owner.unheard_ms, wait_ms)
        earliest = now + min(max(unheard_ms, REPEATED_WITHIN_MS), wait_ms)
        await self._db.put(
            (recovering.DOUBT_ON, {"unheard_ms": unheard_ms, "earliest": earliest, "latest": now + wait_ms})
        )
        await self._repair_due()
        await self._drains.remember_backlog()

    async def _inherit(self) -> None:
        for owner_id in await self._gone():
            crash_points.reach("recovery.before_commit")
            await self._doubt_claims_of(owner_id)
            await self._leases.free(owner_id)
            await self._owner.bury(owner_id)
            log.info("took up what a process that is gone had left")

    async def _gone(self) -> list[str]:
        """Dead processes, and those that only a claim still names: a last commit may outlive its process's burial,
        and a restored database knows no process at all."""
        # First who claims, then who runs: whoever begins in between has a row by then.
        claimants = [row["claimed_by"] for row in await self._db.all(recovering.CLAIMANTS)]
        return await self._owner.dead(claimants)

    async def leave(self) -> None:
        """An orderly end: what this process was still asking is in doubt, the rest is free at once."""
        await self._doubt_claims_of(self._owner.id)
        await self._leases.free(self._owner.id)
        await self._owner.leave()

    async def _doubt_claims_of(self, owner_id: str) -> None:
        now = self._clock.now_ms()
        await self._db.put(
            (recovering.RECOVER, {"owner": owner_id, "now": now, "next_at": now + self._unknown_wait_ms})
        )

    async def sweep_forever(self) -> None:
        every_s = min(SWEEP_S, self._owner.lease_s)
        buried_within_s = min(BURIED_WITHIN_S, self._owner.lease_s * BURIED_WITHIN)
        while True:
            # The dead are looked for more often than the rest: their work waits.
            left_s = every_s
            while left_s > 0:
                pause_s = min(left_s, buried_within_s)
                await asyncio.sleep(pause_s)
                left_s -= pause_s
                await self._inherit()
            await self._doubt_stale_claims()
            await self._repair_due()
            await self._expire()

    async def _doubt_stale_claims(self) -> None:
        now = self._clock.now_ms()
        stale = await self._db.all(recovering.STALE_CLAIMS, {"owner": self._owner.id, "before": now - STALE_CLAIM_MS})
        for row in stale:
            detail = "The gateway lost track of the attempt."
            params = {
                "b_account": row["account_id"],
                "b_id": row["id"],
                "b_owner": self._owner.id,
                "now": now,
                "next_at": now + self._unknown_wait_ms,
                "detail": detail,
            }
            await self._db.put((store.IN_DOUBT, params))

    async def _repair_due(self) -> None:
        """Where the clock was set back, what was to go at once, or to be tried again, would wait until it is that late again."""
        now = self._clock.now_ms()
        params = {
            "now": now,
            "soon": now + CLOCKS_MS,
            "latest": now + self._max_wait_ms + CLOCKS_MS,
            "doubt_until": now + self._unknown_wait_ms,
            "max_age_ms": self._max_age_ms,
        }
        rows = await self._db.write(lambda tx: tx.all(recovering.DUE_TOO_LATE, params))
        for account_id, instance_id in {(row["account_id"], row["instance_id"]) for row in rows}:
            log.warning("the clock was set back: messages of line %s are due again", instance_id)
            line = await self._switchboard.line(account_id, instance_id)
            if line is not None:
                line.backlog = True
                self._drains.wake(line)

    async def _expire(self) -> None:
        """A message whose time is over fails even while its line is held; so does one whose line is gone."""
        late = await self._db.all(recovering.EXPIRED, {"now": self._clock.now_ms()})
        await self._fail(late, "expired", "It could not be sent in time; the last reason stands in the line's state.")
        orphaned = await self._db.all(recovering.ORPHANED)
        await self._fail(orphaned, "instance_deleted", "Its line was deleted before it was sent.")

    async def _fail(self, rows: list[LeftRow], code: str, detail: str) -> None:
        for row in rows:
            attempt = Attempt.of(row)
            line = await self._switchboard.line(row["account_id"], row["instance_id"])
            conclusion = self._outcomes.failed(attempt, code, detail, tried=0)
            await self._drains.commit(line, attempt, conclusion, tell=row["instance_id"])
