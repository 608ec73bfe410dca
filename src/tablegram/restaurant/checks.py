"""Can the codes on the tables still be told from forged ones?"""

from __future__ import annotations

from tablegram.engine.health.checkup import Checkup, Finding
from tablegram.restaurant import tables
from tablegram.values.figures.counting import counted

_RESTORE_KEY = "put the secret key back that they were sealed with (TABLEGRAM_SECRET_KEY_PREVIOUS)"


async def check_table_codes(checkup: Checkup) -> list[Finding]:
    count, former, lost = await tables.count_keys(checkup.db, checkup.box)
    if lost:
        words = f"the keys of {counted(lost, 'venue')} cannot be opened, and their codes are refused; {_RESTORE_KEY}"
        return [Finding("table codes", "bad", words)]
    if former:
        words = f"the keys of {counted(former, 'venue')} are sealed with the previous secret key; run: tablegram secret reseal"
        return [Finding("table codes", "warn", words)]
    return [Finding("table codes", "ok", f"the codes of {counted(count, 'venue')} can be checked")] if count else []
