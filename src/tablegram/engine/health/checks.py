"""Is a server running?"""

from __future__ import annotations

from tablegram.engine.health.checkup import Checkup, Finding
from tablegram.engine.owners import Owner


async def check_engine(checkup: Checkup) -> list[Finding]:
    running = await Owner(checkup.db, checkup.settings.effective_lease_s).living()
    if not running:
        return [Finding("engine", "warn", "no server is running; start one: tablegram serve")]
    return [Finding("engine", "ok", f"{len(running)} server running")]
