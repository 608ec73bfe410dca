"""What printers keep sealed is sealed again when the installation's key changes."""

from __future__ import annotations

import msgspec

from tablegram.printing.printers.profile import read_profile, write_profile
from tablegram.printing.store import printers as store
from tablegram.storage.database import Database
from tablegram.values.secrets import SecretBox


async def reseal(db: Database, box: SecretBox) -> int:
    """Seal every printer's key and password with the present key of the installation; answers how many were not."""
    count = 0
    for row in await db.all(store.SEALED):
        profile = read_profile(row["profile"])
        stale = not box.is_current(row["key_sealed"]), bool(profile.password) and not box.is_current(profile.password)
        if not any(stale):
            continue
        key = box.open(row["key_sealed"])
        password = box.seal(box.open(profile.password)) if profile.password else ""
        values = {
            "b_account": row["account_id"],
            "b_id": row["id"],
            "b_old": row["key_sealed"],
            "new_hash": box.pepper_hash(key),
            "new_sealed": box.seal(key),
            "new_profile": write_profile(msgspec.structs.replace(profile, password=password)),
        }
        await db.put((store.SEAL_AGAIN, values))
        count += sum(stale)
    return count
