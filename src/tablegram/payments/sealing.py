"""Keys of payment providers are sealed again when the installation gets another secret key."""

from __future__ import annotations

from tablegram.payments.store import providers as store
from tablegram.storage.database import Database
from tablegram.values.secrets import SecretBox


async def reseal(db: Database, box: SecretBox) -> int:
    """Seal with the present key what the previous one sealed; how many secrets that were."""
    count = 0
    for row in await db.all(store.SEALED):
        stale = [name for name in ("hook_sealed", "keys_sealed") if row[name] and not box.is_current(row[name])]
        if not stale:
            continue
        hook = box.open(row["hook_sealed"])
        values = {
            "b_account": row["account_id"],
            "b_id": row["id"],
            "b_old": row["hook_sealed"],
            "new_hash": box.pepper_hash(hook),
            "new_hook": box.seal(hook),
            "new_keys": box.seal(box.open(row["keys_sealed"])) if row["keys_sealed"] else "",
        }
        await db.put((store.SEAL_AGAIN, values))
        count += len(stale)
    return count
