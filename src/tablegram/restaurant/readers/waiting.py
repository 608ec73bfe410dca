"""Texts that wait for the language model: rows, so that a guest is answered whatever becomes of the process that asks."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from tablegram.restaurant.rows.guests import WaitingRow
from tablegram.restaurant.store import readers as store
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import CLOCKS_MS

# Longer than a call and its answer take. Whoever has not answered by then is dead.
OWNED_MS = 15_000
# So old, a text is answered by the rules alone: the guest has waited enough.
ASKS_WITHIN_MS = 60_000


class WaitingText(msgspec.Struct, frozen=True):
    account_id: int
    message_key: str
    venue_id: str
    instance_id: int
    phone: str
    name: str
    contact_id: str
    language: str
    text: str
    written_at: int
    asked_at: int
    due_at: int
    # When the guest wrote last before it.
    previous_at: int | None


async def keep(tx: Tx, waiting: WaitingText) -> bool:
    """Whether it waits from now on; a text that waits already does so once."""
    return await tx.run(store.WAIT, msgspec.structs.asdict(waiting)) == 1


async def find(tx: Tx, account_id: int, message_key: str) -> WaitingText | None:
    row = await tx.first(store.WAITING, {"b_account": account_id, "b_key": message_key})
    return None if row is None else _read(row)


async def count(tx: Tx, account_id: int) -> int:
    row = await tx.first(store.COUNT_WAITING, {"b_account": account_id})
    return 0 if row is None else row["n"]


async def end(tx: Tx, account_id: int, message_key: str) -> bool:
    """Whether it was this transaction that ended its waiting, and answers it."""
    return await tx.run(store.ANSWERED, {"b_account": account_id, "b_key": message_key}) == 1


async def take_left(db: Database, now_ms: int) -> list[tuple[int, str]]:
    """Texts whose process is dead, each for one of those that look."""
    taken: list[tuple[int, str]] = []
    for row in await db.all(store.LEFT, {"now": now_ms, "latest": now_ms + OWNED_MS + CLOCKS_MS}):
        which = {"b_account": row["account_id"], "b_key": row["message_key"], "was_due": row["due_at"]}

        async def unit(tx: Tx, which: dict[str, object] = which) -> int:
            return await tx.run(store.TAKE_UP, {**which, "new_due": now_ms + OWNED_MS})

        if await db.write(unit) == 1:
            taken.append((row["account_id"], row["message_key"]))
    return taken


async def move(tx: Tx, account_id: int, gone: str, kept: str) -> None:
    """Two contacts turned out to be one person."""
    await tx.run(store.MOVE, {"b_account": account_id, "b_from": gone, "target": kept})


async def forget_person(tx: Tx, account_id: int, contact_ids: Iterable[str], phones: Iterable[str]) -> None:
    for contact_id in contact_ids:
        await tx.run(store.FORGET_CONTACT, {"b_account": account_id, "b_contact": contact_id})
    for phone in phones:
        await tx.run(store.FORGET_PHONE, {"b_account": account_id, "b_phone": phone})


def _read(row: WaitingRow) -> WaitingText:
    return WaitingText(**row)
