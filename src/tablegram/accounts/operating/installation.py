"""The database remembers which secret key it was made with, so that a wrong one is told at start, not at every call."""

from __future__ import annotations

from tablegram.accounts import store
from tablegram.errors import Misconfigured
from tablegram.storage.database import Database, Tx
from tablegram.values.secrets import SecretBox

_FACT = "secret_key_fingerprint"


async def check_secret_key(db: Database, box: SecretBox) -> None:
    """Note the secret key's fingerprint at the first start; refuse another key unless it is being rotated."""

    async def work(tx: Tx) -> bool:
        await tx.run(store.SET_FACT, {"name": _FACT, "value": box.fingerprint()})
        known = await tx.first(store.FACT, {"name": _FACT})
        if known is None or known["value"] not in box.fingerprints():
            return False
        await tx.run(store.CHANGE_FACT, {"which": _FACT, "value": box.fingerprint()})
        return True

    known = await db.first(store.FACT, {"name": _FACT})
    if known is not None and known["value"] == box.fingerprint():
        return
    if not await db.write(work):
        raise Misconfigured(
            "This database was made with another secret key: with the present one no API key would be recognised. "
            "Put the former secret.key back into DATA_DIR or set TABLEGRAM_SECRET_KEY to it. "
            "To change the key on purpose, give the former one as TABLEGRAM_SECRET_KEY_PREVIOUS."
        )
