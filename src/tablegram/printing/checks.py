"""Do the printers print?"""

from __future__ import annotations

from tablegram.engine.health.checkup import Checkup, Finding
from tablegram.printing.printers.model import Status, read_status
from tablegram.printing.rows import MachineRow
from tablegram.printing.store import printers as store
from tablegram.values.clock import iso

# More of them say nothing more.
MOST = 10


async def check_printers(checkup: Checkup) -> list[Finding]:
    """Nothing where there is no printer that is a machine."""
    rows = await checkup.db.all(store.MACHINES)
    wrong = [(row, status) for row in rows if not (status := read_status(row["status"])).can_print]
    if not rows:
        return []
    if not wrong:
        return [Finding("printers", "ok", f"{len(rows)} in use, each of them ready when it was last heard")]
    found = [Finding(f"printer {row['id']}", "warn", _words(row, status)) for row, status in wrong[:MOST]]
    if len(wrong) > MOST:
        found.append(Finding("printers", "warn", f"{len(wrong) - MOST} more cannot print; see /panel/printers"))
    return found


def _words(row: MachineRow, status: Status) -> str:
    name = f"{row['kind']} {row['name']} (account {row['account_id']})"
    if row["seen_at"] is None:
        return f"{name} has never been heard; its page in the panel says how to connect it"
    heard = f"last heard {iso(row['seen_at'])}"
    if status.paper == "out":
        return f"{name} is out of paper, {heard}"
    if status.cover == "open":
        return f"{name} has its cover open, {heard}"
    if not status.online and not status.error:
        return f"{name} has fallen silent, {heard}; check that it is switched on and that its network works"
    return f"{name} reports {status.error}, {heard}; look at the printer, then print a test page"
