"""Notes that a team writes into a conversation for itself."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tablegram.accounts import authors
from tablegram.accounts.audit import Audit
from tablegram.accounts.authors import Author
from tablegram.accounts.keys.keys import Caller
from tablegram.crm import conversations, notes, profiles
from tablegram.crm.rows import NoteRow
from tablegram.crm.store import notes as store
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import NotFound
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock, iso
from tablegram.values.cursor import decode_cursor, following
from tablegram.values.ids import new_id


class NoteView(Struct, kw_only=True, frozen=True):
    """A note in a conversation. It never goes out."""

    id: str
    contact_id: str
    text: str
    written_by: Author | None
    created_at: Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


class NotePage(Struct, kw_only=True, frozen=True):
    """Notes, newest first."""

    data: list[NoteView]
    next_cursor: str | None


class Notes:
    def __init__(self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit

    async def page(self, caller: Caller, contact_id: str, limit: int, cursor: str | None) -> NotePage:
        """Newest first."""
        caller.require("messages:read")
        before = None if cursor is None else decode_cursor(cursor)

        async def look(tx: Tx) -> tuple[list[NoteRow], dict[str | None, Author]]:
            talk = await conversations.get(tx, caller.account_id, contact_id)
            rows = await notes.page(tx, caller.account_id, talk["id"], limit + 1, before)
            return rows, await authors.named(tx, caller.account_id, {row["written_by"] for row in rows})

        rows, named = await self._db.snapshot(look)
        return NotePage(
            data=[_view(row, named.get(row["written_by"])) for row in rows[:limit]],
            next_cursor=following(rows, limit),
        )

    async def add(self, caller: Caller, contact_id: str, text: str, call: Call) -> Result[NoteView]:
        """Note something down; nobody but the team ever sees it."""
        caller.require("messages:send")
        text, now = notes.clean(text), self._clock.now_ms()

        async def work(tx: Tx) -> Result[NoteView]:
            talk = await conversations.get(tx, caller.account_id, contact_id)
            row: NoteRow = {
                "account_id": caller.account_id,
                "id": new_id(now),
                "contact_id": talk["id"],
                "text": text,
                "written_by": caller.author,
                "created_at": now,
            }
            await tx.run(store.INSERT, row)
            await profiles.tell_terms(tx, caller.account_id, talk["id"])
            named = await authors.named(tx, caller.account_id, [caller.author])
            return Result(_view(row, named.get(caller.author)), 201)

        return await self._idempotency.once_for(NoteView, caller.account_id, call, work)

    async def delete(self, caller: Caller, contact_id: str, note_id: str) -> None:
        caller.require("messages:send")
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> None:
            talk = await conversations.get(tx, caller.account_id, contact_id)
            which = {"b_account": caller.account_id, "b_id": talk["id"], "b_note": note_id}
            if not await tx.run(store.DELETE, which):
                raise NotFound("This conversation has no such note.", code="note_unknown")
            await profiles.tell_terms(tx, caller.account_id, talk["id"])
            # That it was deleted, not what it said: the log outlives the contact.
            await acting.note(tx, "note.deleted", "contact", talk["id"])

        await self._db.write(work)


def _view(row: NoteRow, author: Author | None) -> NoteView:
    return NoteView(
        id=row["id"],
        contact_id=row["contact_id"],
        text=row["text"],
        written_by=author,
        created_at=iso(row["created_at"]),
    )
