"""Two contacts that are one person become one: nothing that was known of either is lost."""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.crm import profiles
from tablegram.crm.rows import ContactRow
from tablegram.crm.store import auto_replies as reply_store
from tablegram.crm.store import consents as consent_store
from tablegram.crm.store import contacts as store
from tablegram.crm.store import conversations as conversation_store
from tablegram.crm.store import notes as note_store
from tablegram.crm.store import terms as term_store
from tablegram.errors import NotFound, no_such
from tablegram.storage.database import Tx


async def find_living(tx: Tx, account_id: int, contact_id: str) -> ContactRow | None:
    """The contact, or the one that answers for it since they were merged; nothing when there is none any more."""
    row = await tx.first(store.GET, {"b_account": account_id, "b_id": contact_id})
    while row is not None and row["merged_into"] is not None:
        row = await tx.first(store.GET, {"b_account": account_id, "b_id": row["merged_into"]})
    return row


async def require_living(tx: Tx, account_id: int, contact_id: str) -> ContactRow:
    """The same, where there has to be one. Raises `NotFound`."""
    row = await find_living(tx, account_id, contact_id)
    if row is None:
        raise NotFound(no_such("contact"), code="contact_unknown")
    return row


async def living_id(tx: Tx, account_id: int, contact_id: str) -> str:
    """Its id. Raises `NotFound`."""
    return str((await require_living(tx, account_id, contact_id))["id"])


async def merge(tx: Tx, account_id: int, gone: str, kept: str) -> None:
    """Let one contact answer for another: names, words, tags and notes move over. Both must be living and different."""
    # In one order whoever asks, so that two merges never wait for each other.
    locked = await tx.gather(store.LOCK, [{"b_account": account_id, "b_id": one} for one in sorted((gone, kept))])
    rows = {row["id"]: row for row in locked}
    which = {"b_account": account_id, "b_id": gone}
    if gone in rows and kept in rows:
        await tx.run(store.JOINED, {"b_account": account_id, "b_id": kept, **_joined(rows[gone], rows[kept])})
    await tx.run(store.MOVE_ALIASES, {"b_account": account_id, "b_from": gone, "target": kept})
    await tx.run(store.MERGED, {**which, "target": kept})
    await tx.run(term_store.MOVE_SAID, {**which, "target": kept})
    await tx.run(term_store.FORGET, which)
    await tx.run(reply_store.MOVE_USES, {**which, "target": kept})
    await tx.run(reply_store.FORGET_USES, which)
    await tx.run(conversation_store.MOVE, {**which, "target": kept})
    await tx.run(conversation_store.FORGET, which)
    await tx.run(consent_store.MOVE, {**which, "target": kept})
    await tx.run(consent_store.SETTLE, {"b_account": account_id, "b_id": kept})
    await tx.run(note_store.MOVE, {**which, "target": kept})
    await profiles.tell_terms(tx, account_id, kept)


def _joined(gone: ContactRow, kept: ContactRow) -> dict[str, Any]:
    # A name given by hand is worth more than the network's, and any name more than none.
    named = gone if (gone["name_is_own"], bool(gone["name"])) > (kept["name_is_own"], bool(kept["name"])) else kept
    # What the person said last about being written to is what holds.
    asked = gone if (gone["consent_at"] or 0) > (kept["consent_at"] or 0) else kept
    # Who wrote was seen; the other one was perhaps only added, however lately.
    last = gone if _seen(gone) > _seen(kept) else kept
    windows = [row["window_until"] for row in (gone, kept) if row["window_until"] is not None]
    return {
        "new_name": named["name"],
        "new_name_is_own": named["name_is_own"],
        "new_username": kept["username"] or gone["username"],
        "new_language": kept["language"] or gone["language"],
        "new_birthday": kept["birthday"] or gone["birthday"],
        "new_tags": _union(profiles.tags_of(kept), profiles.tags_of(gone)),
        "new_notes": "\n".join(dict.fromkeys(note for note in (kept["notes"], gone["notes"]) if note)),
        "new_consent": asked["consent"],
        "new_consent_at": asked["consent_at"],
        "new_consent_source": asked["consent_source"],
        "new_last_instance_id": last["last_instance_id"],
        "new_first_seen_at": min(gone["first_seen_at"], kept["first_seen_at"]),
        "new_last_seen_at": last["last_seen_at"],
        "new_window_until": max(windows) if windows else None,
    }


def _seen(row: ContactRow) -> tuple[bool, int]:
    return row["window_until"] is not None, row["last_seen_at"]


def _union(first: list[str], second: list[str]) -> str:
    return msgspec.json.encode(list(dict.fromkeys([*first, *second]))).decode()
