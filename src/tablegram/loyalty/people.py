"""Loyalty when two contacts turn out to be one person, and when somebody is erased."""

from __future__ import annotations

from collections.abc import Iterable

from tablegram.loyalty import ledger, redeeming, stamps
from tablegram.loyalty.gifts import keeping as gifts
from tablegram.loyalty.store import coupons as store
from tablegram.loyalty.store import proofs as proof_store
from tablegram.loyalty.store import warnings as warning_store
from tablegram.storage.database import Tx
from tablegram.values.ids import new_id

# The beginning of what an erased person's rows are called.
GONE = "gone:"


async def move(tx: Tx, account_id: int, gone: str, kept: str) -> None:
    """One has the points, the stamps, the coupons and the gift cards of both."""
    await gifts.move_owner(tx, account_id, gone, kept)
    await ledger.move(tx, account_id, gone, kept)
    await stamps.move(tx, account_id, gone, kept)
    which = {"b_account": account_id, "b_contact": gone}
    await tx.run(store.LET_TURNS_GO, which)
    await tx.run(store.RENAME, {**which, "target": kept})
    await tx.run(store.MOVE, {**which, "target": kept})
    await tx.run(proof_store.MOVE, {**which, "target": kept})
    await tx.run(warning_store.MOVE, {**which, "target": kept})


async def forget(tx: Tx, account_id: int, contact_ids: Iterable[str], now: int) -> int:
    """Figures stay, and lead to nobody. How many movements of points there were."""
    count = 0
    for contact_id in contact_ids:
        nobody = GONE + new_id(now)
        count += await ledger.forget(tx, account_id, contact_id, nobody, now)
        await redeeming.forget(tx, account_id, contact_id, nobody)
        await stamps.forget(tx, account_id, contact_id, nobody)
        await gifts.forget(tx, account_id, contact_id)
        await tx.run(proof_store.FORGET, {"b_account": account_id, "b_contact": contact_id})
        await tx.run(warning_store.FORGET, {"b_account": account_id, "b_contact": contact_id})
    return count
