"""Stands behind the calls about conversations, canned replies and imports where only the edge is looked at."""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.errors import NotFound
from tablegram.flows.gateway.sending import Answer, Call

_AT = "2026-01-01T00:00:00.000Z"
CONVERSATION = {
    "contact_id": "con-1", "name": "Ayşe", "phones": ["905551112233"], "tags": ["regular"], "state": "open",
    "unread": 1, "assigned_to": None,
    "last_message": {"direction": "in", "type": "text", "text": "Hi", "status": "received", "at": _AT},
    "last_seen_at": _AT, "last_instance_id": 1, "window_until": _AT, "window_open": False,
}  # fmt: skip
NOTE = {
    "id": "note-1", "contact_id": "con-1", "text": "Allergic to nuts.", "created_at": _AT,
    "written_by": {"kind": "key", "id": "1", "name": "test"},
}  # fmt: skip
CANNED = {"id": "can-1", "shortcut": "hours", "text": "We are open.", "updated_at": _AT, "updated_by": "test"}
IMPORT = {
    "id": "imp-1", "filename": "guests.csv", "state": "checked", "total": 1, "done": 0, "kept": 0, "wrong": 1,
    "errors": [{"row": 3, "field": "phone", "code": "phone_missing", "value": ""}], "ignored_columns": [],
    "created_by": "test", "created_at": _AT, "finished_at": None,
}  # fmt: skip


class StubConversations:
    async def page(self, caller: Caller, **filters: Any) -> dict[str, Any]:
        return {"data": [CONVERSATION], "next_cursor": None}

    async def get(self, caller: Caller, contact_id: str) -> dict[str, Any]:
        if contact_id != "con-1":
            raise NotFound("There is no such contact in this account.", code="contact_unknown")
        return CONVERSATION

    async def update(self, caller: Caller, contact_id: str, change: Any) -> dict[str, Any]:
        return await self.get(caller, contact_id)


class StubNotes:
    async def page(self, caller: Caller, contact_id: str, limit: int, cursor: str | None) -> dict[str, Any]:
        return {"data": [NOTE], "next_cursor": None}

    async def add(self, caller: Caller, contact_id: str, text: str, call: Call) -> Answer:
        return Answer(201, msgspec.json.encode(NOTE))

    async def delete(self, caller: Caller, contact_id: str, note_id: str) -> None:
        if note_id != "note-1":
            raise NotFound("This conversation has no such note.", code="note_unknown")


class StubCanned:
    async def page(self, caller: Caller, limit: int, cursor: str | None) -> dict[str, Any]:
        return {"data": [CANNED], "next_cursor": None}

    async def get(self, caller: Caller, reply_id: str) -> dict[str, Any]:
        if reply_id != "can-1":
            raise NotFound("The account has no such canned reply.", code="canned_reply_unknown")
        return CANNED

    async def add(self, caller: Caller, fields: dict[str, Any], call: Call) -> Answer:
        return Answer(201, msgspec.json.encode(CANNED))

    async def update(self, caller: Caller, reply_id: str, fields: dict[str, Any]) -> dict[str, Any]:
        return await self.get(caller, reply_id)

    async def delete(self, caller: Caller, reply_id: str) -> None:
        await self.get(caller, reply_id)


class StubImports:
    async def check(self, caller: Caller, raw: bytes, filename: str, call: Call) -> Answer:
        return Answer(201, msgspec.json.encode(IMPORT))

    async def page(self, caller: Caller, limit: int, cursor: str | None) -> dict[str, Any]:
        return {"data": [IMPORT], "next_cursor": None}

    async def get(self, caller: Caller, import_id: str) -> dict[str, Any]:
        if import_id != "imp-1":
            raise NotFound("The account has no such import.", code="import_unknown")
        return IMPORT

    async def start(self, caller: Caller, import_id: str, existing: str, call: Call) -> Answer:
        return Answer(202, msgspec.json.encode({**await self.get(caller, import_id), "state": "running"}))

    async def refuse(self, caller: Caller, import_id: str) -> dict[str, Any]:
        return {**await self.get(caller, import_id), "state": "refused"}
