"""Whose the questions are that guests were asked about their texts: for whoever needs no reader to know."""

from __future__ import annotations

from collections.abc import Iterable

from tablegram.restaurant.store import dialogues as store
from tablegram.storage.database import Tx
from tablegram.values.clock import MINUTE_MS

# After that the guest has ordered otherwise, or has gone.
OPEN_MS = 30 * MINUTE_MS


async def waits_for_an_answer(tx: Tx, account_id: int, venue_id: str, phone: str, now: int) -> bool:
    row = await tx.first(store.GET, {"b_account": account_id, "b_venue": venue_id, "b_phone": phone})
    return row is not None and row["state"] == "open" and now - row["asked_at"] < OPEN_MS


async def move(tx: Tx, account_id: int, gone: str, kept: str) -> None:
    """Two contacts turned out to be one person."""
    await tx.run(store.MOVE, {"b_account": account_id, "b_from": gone, "target": kept})


async def forget_person(tx: Tx, account_id: int, contact_ids: Iterable[str], phones: Iterable[str]) -> None:
    for contact_id in contact_ids:
        await tx.run(store.FORGET_CONTACT, {"b_account": account_id, "b_contact": contact_id})
    for phone in phones:
        await tx.run(store.FORGET_PHONE, {"b_account": account_id, "b_phone": phone})
