"""What printers keep sealed is sealed again when the installation's key changes."""

from __future__ import annotations

import msgspec

from tablegram.engine.sealing.resealing import again, seal_again
from tablegram.printing.printers.profile import read_profile, write_profile
from tablegram.printing.rows import SealedPrinter
from tablegram.printing.store import printers as store
from tablegram.storage.database import Database
from tablegram.values.secrets import SecretBox


async def reseal(db: Database, box: SecretBox) -> int:
    """Seal every printer's key and password with the present key of the installation; answers how many were not."""

    def sealed(row: SealedPrinter) -> tuple[str, str]:
        return row["key_sealed"], read_profile(row["profile"]).password

    def fresh(row: SealedPrinter) -> dict[str, object]:
        key, profile = box.open(row["key_sealed"]), read_profile(row["profile"])
        return {
            "b_account": row["account_id"],
            "b_id": row["id"],
            "b_old": row["key_sealed"],
            "new_hash": box.pepper_hash(key),
            "new_sealed": box.seal(key),
            "new_profile": write_profile(msgspec.structs.replace(profile, password=again(box, profile.password))),
        }

    return await seal_again(db, box, store.SEALED, store.SEAL_AGAIN, sealed, fresh)
