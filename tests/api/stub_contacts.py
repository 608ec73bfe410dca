"""Stands behind the calls about contacts and automatic replies where only the edge is looked at."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.errors import NotFound
from tablegram.flows.contacts.keeping import RetentionChange
from tablegram.flows.gateway.sending import Answer, Call

_AT = "2026-01-01T00:00:00.000Z"
CONTACT = {
    "id": "con-1", "name": "Ayşe", "phones": ["905551112233"], "aliases": [{"kind": "phone", "value": "905551112233"}],
    "language": "tr", "tags": ["regular"], "notes": "", "consent": {"state": "unknown", "at": None, "source": ""},
    "first_seen_at": _AT, "last_seen_at": _AT, "last_instance_id": 1, "window_until": _AT, "window_open": False,
}  # fmt: skip
REPLY = {
    "id": "rep-1", "instance_id": 1, "kind": "keyword", "enabled": True, "message": "x", "cooldown_s": 30,
    "created_at": _AT, "after_days": None, "keywords": ["menü"], "match": "whole", "follows_venue": None, "time_zone": None, "hours": None,
    "exceptions": None,
}  # fmt: skip


class StubContacts:
    async def page(self, caller: Caller, **filters: Any) -> dict[str, Any]:
        return {"data": [CONTACT], "next_cursor": None}

    async def get(self, caller: Caller, contact_id: str) -> dict[str, Any]:
        if contact_id != "con-1":
            raise NotFound("There is no such contact in this account.", code="contact_unknown")
        return CONTACT

    async def messages(self, caller: Caller, contact_id: str, limit: int, cursor: str | None) -> dict[str, Any]:
        await self.get(caller, contact_id)
        return {"data": [], "next_cursor": None}

    async def orders(self, caller: Caller, contact_id: str, limit: int, cursor: str | None = None) -> dict[str, Any]:
        await self.get(caller, contact_id)
        return {"data": [], "next_cursor": None}

    async def add(self, caller: Caller, fields: dict[str, Any], call: Call) -> Answer:
        return Answer(201, msgspec.json.encode(CONTACT))

    async def update(self, caller: Caller, contact_id: str, fields: dict[str, Any]) -> dict[str, Any]:
        return await self.get(caller, contact_id)

    async def merge(self, caller: Caller, contact_id: str, into: str, call: Call) -> Answer:
        return Answer(200, msgspec.json.encode(await self.get(caller, contact_id)))

    def holdings(self, caller: Caller) -> tuple[Any, ...]:
        return ()

    async def every(self, caller: Caller, **filters: Any) -> AsyncIterator[dict[str, Any]]:
        yield {**CONTACT, "orders": []}


WORD = {
    "id": "word-1", "contact_id": "con-1", "phone": "905551112233", "purpose": "marketing", "state": "denied",
    "source": "till", "text_version": "", "proof": "", "by": "all", "at": _AT,
}  # fmt: skip
WORDING = {
    "text_version": "tr-1", "language": "tr", "version": 1, "words": "Evet.", "created_by": "all", "created_at": _AT,
}  # fmt: skip


UNSENT = {
    "source": "campaign", "source_id": "cam-1", "name": "Brunch", "kind": "campaign", "reason": "no_consent", "at": _AT,
}  # fmt: skip


class StubConsents:
    async def page(self, caller: Caller, wanted: Any, limit: int, cursor: str | None) -> dict[str, Any]:
        return {"data": [WORD], "next_cursor": None}

    async def of_contact(self, caller: Caller, contact_id: str, limit: int, cursor: str | None) -> dict[str, Any]:
        await StubContacts().get(caller, contact_id)
        return {"data": [WORD], "next_cursor": None}

    async def note(self, caller: Caller, word: Any, call: Call) -> Answer:
        return Answer(201, msgspec.json.encode(WORD))

    async def texts(self, caller: Caller) -> dict[str, Any]:
        return {"data": [WORDING], "next_cursor": None}

    async def write_text(self, caller: Caller, language: str, words: str, call: Call) -> Answer:
        return Answer(201, msgspec.json.encode(WORDING))

    async def every(self, caller: Caller) -> AsyncIterator[dict[str, Any]]:
        yield WORD


class StubUnsent:
    async def of_contact(self, caller: Caller, contact_id: str, **asked: Any) -> dict[str, Any]:
        await StubContacts().get(caller, contact_id)
        return {"data": [UNSENT], "next_cursor": None}


class StubRights:
    async def send(self, caller: Caller, contact_id: str, call: Call) -> Answer:
        await StubContacts().get(caller, contact_id)
        return Answer(202, msgspec.json.encode({"contact_id": contact_id, "expires_at": _AT}))


class StubKeeping:
    async def told(self, caller: Caller) -> dict[str, Any]:
        return {"message_days": 0, "contact_days": 0, "messages_kept_days": None}

    async def change(self, caller: Caller, change: RetentionChange) -> dict[str, Any]:
        return {**await self.told(caller), "message_days": change.message_days, "contact_days": change.contact_days}


class StubJobs:
    async def begin(self, *given: Any) -> Answer:
        job = {"id": "job-1", "act": "tag", "tag": "x", "state": "running", "total": 1, "done": 0, "created_at": _AT}
        return Answer(202, msgspec.json.encode({**job, "finished_at": None}))


class StubErasure:
    async def erase(self, caller: Caller, contact_id: str) -> dict[str, Any]:
        if contact_id != "con-1":
            raise NotFound("There is no such contact in this account.", code="contact_unknown")
        counts = dict.fromkeys(("messages", "files", "events", "callbacks", "names", "orders"), 1)
        return {"contact_id": contact_id, "erased_at": _AT, "counts": counts}


class StubLineReplies:
    async def create(self, caller: Caller, instance_id: int, fields: dict[str, Any], call: Call) -> Answer:
        return Answer(201, msgspec.json.encode(REPLY))

    async def page(self, caller: Caller, instance_id: int, limit: int, cursor: str | None) -> dict[str, Any]:
        return {"data": [REPLY], "next_cursor": None}

    async def get(self, caller: Caller, instance_id: int, reply_id: str) -> dict[str, Any]:
        if reply_id != "rep-1":
            raise NotFound("This line has no such automatic reply.", code="auto_reply_unknown")
        return REPLY

    async def update(self, caller: Caller, instance_id: int, reply_id: str, fields: dict[str, Any]) -> dict[str, Any]:
        return await self.get(caller, instance_id, reply_id)

    async def delete(self, caller: Caller, instance_id: int, reply_id: str) -> None:
        await self.get(caller, instance_id, reply_id)
