"""Notes in a conversation: what the team says among itself, beside the messages. None of them ever goes out."""

from __future__ import annotations

from tablegram.crm.answers.own_data import ContactNote
from tablegram.crm.rows import NoteRow
from tablegram.crm.store import notes as store
from tablegram.errors import Invalid
from tablegram.storage.database import Tx
from tablegram.values.clock import iso

MAX_NOTE = 4_096


def clean(text: str) -> str:
    text = text.replace("\r\n", "\n").strip()
    if not text:
        raise Invalid.field("text", "blank", "Write something first.")
    if len(text) > MAX_NOTE:
        raise Invalid.field("text", "note_too_long", f"A note may have at most {MAX_NOTE:,} characters.")
    return text


async def page(tx: Tx, account_id: int, contact_id: str, most: int, before: str | None) -> list[NoteRow]:
    """Newest first."""
    params = {"b_account": account_id, "b_id": contact_id, "most": most, "before": before}
    return await tx.all(store.PAGE if before is None else store.PAGE_BEFORE, params)


async def held(tx: Tx, account_id: int, contact_ids: list[str]) -> dict[str, list[ContactNote]]:
    """The notes about contacts, as an export shows them."""
    found: dict[str, list[ContactNote]] = {}
    for row in await tx.gather(store.EVERY, [{"b_account": account_id, "b_id": one} for one in contact_ids]):
        told = ContactNote(text=row["text"], written_by=row["written_by"], at=iso(row["created_at"]))
        found.setdefault(row["contact_id"], []).append(told)
    return found
