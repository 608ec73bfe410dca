"""Canned replies as people and programs manage them."""

from __future__ import annotations

from msgspec import Struct

from tablegram.accounts.audit import Acting, Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.crm import canned
from tablegram.crm.canned import Canned
from tablegram.crm.store import canned as store
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.flows.inbox.answers import CannedReplyPage, CannedReplyView
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock, iso
from tablegram.values.cursor import decode_cursor, encode_cursor
from tablegram.values.ids import new_id


class CannedDraft(Struct, kw_only=True, frozen=True):
    """A canned reply as it was typed."""

    shortcut: str
    text: str


class CannedChange(Struct, kw_only=True, frozen=True):
    """What to change of one; what is not given stays."""

    shortcut: str | None = None
    text: str | None = None


class CannedReplies:
    def __init__(self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit

    async def page(self, caller: Caller, limit: int = 200, cursor: str | None = None) -> CannedReplyPage:
        """In the order of their shortcuts."""
        caller.require("messages:read")
        after = "" if cursor is None else decode_cursor(cursor)
        rows = await self._db.all(store.PAGE, {"b_account": caller.account_id, "after": after, "most": limit + 1})
        return CannedReplyPage(
            data=[_view(canned.read(row)) for row in rows[:limit]],
            next_cursor=encode_cursor(rows[limit - 1]["shortcut"]) if len(rows) > limit else None,
        )

    async def every(self, caller: Caller) -> list[CannedReplyView]:
        return (await self.page(caller, canned.MAX_REPLIES)).data

    async def get(self, caller: Caller, reply_id: str) -> CannedReplyView:
        caller.require("messages:read")
        return _view(await self._db.snapshot(lambda tx: canned.find(tx, caller.account_id, reply_id)))

    async def add(self, caller: Caller, draft: CannedDraft, call: Call) -> Result[CannedReplyView]:
        caller.require("messages:send")
        reply = Canned(
            account_id=caller.account_id,
            id=new_id(),
            shortcut=canned.clean_shortcut(draft.shortcut),
            text=canned.clean_text(draft.text),
            updated_at=self._clock.now_ms(),
            updated_by=_name(caller),
        )
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Result[CannedReplyView]:
            await canned.add(tx, reply)
            await _note(tx, acting, "canned_reply.added", reply)
            return Result(_view(reply), 201)

        return await self._idempotency.once_for(CannedReplyView, caller.account_id, call, work)

    async def update(self, caller: Caller, reply_id: str, change: CannedChange) -> CannedReplyView:
        """Change what is given and leave the rest."""
        caller.require("messages:send")
        cleaned = canned.CannedEdit(
            shortcut=None if change.shortcut is None else canned.clean_shortcut(change.shortcut),
            text=None if change.text is None else canned.clean_text(change.text),
            updated_at=self._clock.now_ms(),
            updated_by=_name(caller),
        )
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Canned:
            reply = await canned.update(tx, caller.account_id, reply_id, cleaned)
            await _note(tx, acting, "canned_reply.changed", reply)
            return reply

        return _view(await self._db.write(work))

    async def delete(self, caller: Caller, reply_id: str) -> None:
        caller.require("messages:send")
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> None:
            reply = await canned.find(tx, caller.account_id, reply_id)
            await tx.run(store.DELETE, {"b_account": caller.account_id, "b_id": reply_id})
            await _note(tx, acting, "canned_reply.deleted", reply)

        await self._db.write(work)


def _name(caller: Caller) -> str:
    return caller.key_name or caller.key_id


async def _note(tx: Tx, acting: Acting, action: str, reply: Canned) -> None:
    await acting.note(tx, action, "canned_reply", reply.id, {"shortcut": reply.shortcut})


def _view(reply: Canned) -> CannedReplyView:
    return CannedReplyView(
        id=reply.id,
        shortcut=reply.shortcut,
        text=reply.text,
        updated_at=iso(reply.updated_at),
        updated_by=reply.updated_by,
    )
