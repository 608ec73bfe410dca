"""Can money be asked for, and does some wait for somebody?"""

from __future__ import annotations

from tablegram.engine.health.checkup import Checkup, Finding
from tablegram.errors import Misconfigured
from tablegram.payments.store import links, providers
from tablegram.values.figures.counting import counted
from tablegram.values.secrets import SecretBox

_RESTORE_KEY = (
    "put the secret key back that they were sealed with (TABLEGRAM_SECRET_KEY_PREVIOUS), or connect them anew"
)


async def check_payments(checkup: Checkup) -> list[Finding]:
    rows = await checkup.db.all(providers.SEALED)
    waiting = await checkup.db.first(links.UNDECIDED_ANYWHERE)
    found: list[Finding] = []
    lost = sum(not _opens(checkup.box, row["hook_sealed"], row["keys_sealed"]) for row in rows)
    if lost:
        words = f"the keys of {counted(lost, 'payment provider')} cannot be opened, and nobody can pay; {_RESTORE_KEY}"
        found.append(Finding("payments", "bad", words))
    elif rows:
        found.append(Finding("payments", "ok", f"the keys of {counted(len(rows), 'payment provider')} can be opened"))
    undecided = int(waiting["n"]) if waiting else 0
    if undecided:
        words = f"{counted(undecided, 'payment')} did not fit and must be kept or given back; see Payments in the panel"
        found.append(Finding("payments to decide", "warn", words))
    return found


def _opens(box: SecretBox, *sealed: str) -> bool:
    try:
        for one in sealed:
            if one:
                box.open(one)
    except Misconfigured:
        return False
    return True
