"""Automations when two contacts turn out to be one person."""

from __future__ import annotations

from tablegram.automations.store import ratings, runs
from tablegram.storage.database import Tx


async def move(tx: Tx, account_id: int, gone: str, kept: str) -> None:
    """One has the rows of both. Where both are on the same way, the one that stays goes on, and the other ends."""
    which = {"b_account": account_id, "b_contact": gone, "target": kept}
    for query in (runs.MOVE_RUNS, runs.MOVE_VISITS, ratings.MOVE):
        await tx.run(query, which)
