"""Campaigns when two contacts turn out to be one person."""

from __future__ import annotations

from tablegram.campaigns.store import links, sends
from tablegram.storage.database import Tx


async def move(tx: Tx, account_id: int, gone: str, kept: str) -> None:
    """One has the rows of both. Where both have one, whoever was written to was, and the other is not written to.

    What cannot move stays under the name of who is gone, where an erasure finds it as well.
    """
    which = {"b_account": account_id, "b_contact": gone, "target": kept}
    await tx.run(sends.NOT_TWICE, which)
    await tx.run(sends.MOVE, which)
    await tx.run(sends.LEAVE, {"b_account": account_id, "b_contact": gone})
    await tx.run(links.MOVE, which)
