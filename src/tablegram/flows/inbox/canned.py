"""Canned replies as people and programs manage them."""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.crm import canned
from tablegram.crm.store import canned as store
from tablegram.engine.idempotency import Answer, Call, Idempotency
from tablegram.storage.database import Database, Row, Tx
from tablegram.values.clock import Clock
from tablegram.values.cursor import decode_cursor, encode_cursor
from tablegram.values.ids import new_id


class CannedReplies:
    def __init__(self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit

    async def page(self, caller: Caller, limit: int = 200, cursor: str | None = None) -> dict[str, Any]:
        """In the order of their shortcuts."""
        caller.require("messages:read")
        after = "" if cursor is None else decode_cursor(cursor)
        rows = await self._db.all(store.PAGE, {"b_account": caller.account_id, "after": after, "most": limit + 1})
        return {
            "data": [canned.view(row) for row in rows[:limit]],
            "next_cursor": encode_cursor(rows[limit - 1]["shortcut"]) if len(rows) > limit else None,
        }

    async def every(self, caller: Caller) -> list[dict[str, Any]]:
        return list((await self.page(caller, canned.MAX_REPLIES))["data"])

    async def get(self, caller: Caller, reply_id: str) -> dict[str, Any]:
        caller.require("messages:read")
        return canned.view(await self._db.snapshot(lambda tx: canned.find(tx, caller.account_id, reply_id)))

    async def add(self, caller: Caller, fields: dict[str, Any], call: Call) -> Answer:
        caller.require("messages:send")
        row = {
            "account_id": caller.account_id,
            "id": new_id(),
            "shortcut": canned.clean_shortcut(fields["shortcut"]),
            "text": canned.clean_text(fields["text"]),
            **self._stamp(caller),
        }

        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Answer:
            await canned.add(tx, row)
            await acting.note(tx, "canned_reply.added", *_told(row))
            return Answer(201, msgspec.json.encode(canned.view(row)))

        return await self._idempotency.once(caller.account_id, call, work)

    async def update(self, caller: Caller, reply_id: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Change what is given and leave the rest."""
        caller.require("messages:send")
        changes = self._stamp(caller)
        if "shortcut" in fields:
            changes["shortcut"] = canned.clean_shortcut(fields["shortcut"])
        if "text" in fields:
            changes["text"] = canned.clean_text(fields["text"])
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Row:
            row = await canned.update(tx, caller.account_id, reply_id, changes)
            await acting.note(tx, "canned_reply.changed", *_told(row))
            return row

        return canned.view(await self._db.write(work))

    async def delete(self, caller: Caller, reply_id: str) -> None:
        caller.require("messages:send")

        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> None:
            row = await canned.find(tx, caller.account_id, reply_id)
            await tx.run(store.DELETE, {"b_account": caller.account_id, "b_id": reply_id})
            await acting.note(tx, "canned_reply.deleted", *_told(row))

        await self._db.write(work)

    def _stamp(self, caller: Caller) -> dict[str, Any]:
        return {"updated_at": self._clock.now_ms(), "updated_by": caller.key_name or caller.key_id}


def _told(row: Row) -> tuple[str, str, dict[str, Any]]:
    return "canned_reply", row["id"], {"shortcut": row["shortcut"]}
