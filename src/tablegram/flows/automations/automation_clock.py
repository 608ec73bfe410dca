"""The one drain of automations: whoever's next step is due makes it, and days are looked at for whom they begin something."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable

from tablegram.automations.store import runs as store
from tablegram.engine.crash_points import reach
from tablegram.engine.drains import Depth, Drain, Work, guarded
from tablegram.engine.leases import Leases
from tablegram.errors import LeaseLost
from tablegram.flows.automations.starting import Sweeping
from tablegram.flows.automations.stepping import Stepping
from tablegram.storage.database import Database
from tablegram.values.clock import MINUTE_MS, Clock

log = logging.getLogger("tablegram.automations")

LOOK_EVERY_S = 2.0
BUSY_S = 0.05
# Runs in one look, each in a transaction of its own.
ROUND = 100
PUT_OFF_MS = 10 * MINUTE_MS

Told = Callable[[int, str], None]


class AutomationClock(Work):
    """`told` is called with each automation that somebody went on in."""

    def __init__(
        self, db: Database, clock: Clock, leases: Leases, stepping: Stepping, sweeping: Sweeping, told: Told
    ) -> None:
        super().__init__()
        self._db = db
        self._clock = clock
        self._stepping = stepping
        self._sweeping = sweeping
        self._told = told
        self.drain = Drain("automations", self, leases, retry_s=LOOK_EVERY_S, depth=Depth(db, clock, store.WAITING))

    async def step(self) -> float:
        return BUSY_S if await self.look() else LOOK_EVERY_S

    async def look(self) -> bool:
        """A piece of everything that is due; whether there may be more at once."""
        await self._sweeping.look()
        now = self._clock.now_ms()
        rows = await self._db.all(store.DUE, {"now": now, "most": ROUND})
        told: dict[tuple[int, str], None] = {}
        for row in rows:
            account_id, automation_id = row["account_id"], row["automation_id"]
            unit = functools.partial(
                self._stepping.step, account_id=account_id, automation_id=automation_id, run_id=row["id"], now=now
            )
            try:
                line_id = await self._db.write(guarded(self.lease, unit))
            except LeaseLost:
                raise
            except Exception:
                # One that cannot go on keeps nobody else waiting.
                log.exception("automation %s: the run %s is put off", automation_id, row["id"])
                which = {"b_account": account_id, "b_id": row["id"], "b_step": row["step"]}
                await self._db.put((store.LATER, {**which, "new_due": now + PUT_OFF_MS}))
                continue
            reach("automations.committed")
            if line_id is not None:
                self._stepping.wake(account_id, line_id)
            told[account_id, automation_id] = None
        for account_id, automation_id in told:
            self._told(account_id, automation_id)
        return bool(rows)
