"""Does anything wait to be sent, and are the lines well?"""

from __future__ import annotations

from tablegram.engine.health.checkup import Checkup, Finding
from tablegram.engine.owners import Owner
from tablegram.messaging.instances import Instances
from tablegram.messaging.store import messages as store
from tablegram.values.figures.counting import counted


async def check_queue(checkup: Checkup) -> list[Finding]:
    depth = await checkup.db.first(store.DEPTH)
    if depth is None or not depth["queued"]:
        return []
    running = await Owner(checkup.db, checkup.settings.effective_lease_s).living()
    words = f"{counted(depth['queued'], 'message')} in the queue; {depth['in_doubt']} of them waiting for the network's word"
    return [Finding("queue", "ok" if running else "warn", words)]


async def check_lines(checkup: Checkup) -> list[Finding]:
    instances = Instances(checkup.db, checkup.box, checkup.clock, checkup.settings.base_url)
    found = await instances.every()
    if not found:
        return [Finding("lines", "warn", "there is no line yet; make one: tablegram instance create")]
    healthy = ("connected", "created")
    return [
        Finding(
            f"line {one.id}",
            "ok" if one.state in healthy else "warn",
            f"{one.kind} {one.name}: {one.state}. {one.reason}".strip(),
        )
        for one in found
    ]
