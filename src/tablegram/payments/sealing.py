"""Keys of payment providers are sealed again when the installation gets another secret key."""

from __future__ import annotations

from tablegram.engine.sealing.resealing import again, seal_again
from tablegram.payments.rows import SealedAccess
from tablegram.payments.store import providers as store
from tablegram.storage.database import Database
from tablegram.values.secrets import SecretBox


async def reseal(db: Database, box: SecretBox) -> int:
    """Seal with the present key what the previous one sealed; how many secrets that were."""

    def fresh(row: SealedAccess) -> dict[str, object]:
        hook = box.open(row["hook_sealed"])
        return {
            "b_account": row["account_id"],
            "b_id": row["id"],
            "b_old": row["hook_sealed"],
            "new_hash": box.pepper_hash(hook),
            "new_hook": box.seal(hook),
            "new_keys": again(box, row["keys_sealed"]),
        }

    return await seal_again(
        db, box, store.SEALED, store.SEAL_AGAIN, lambda row: (row["hook_sealed"], row["keys_sealed"]), fresh
    )
