"""Stands behind the calls about the team and the audit log where only the edge is looked at."""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.errors import NotFound
from tablegram.flows.gateway.sending import Answer, Call

_AT = "2026-01-01T00:00:00.000Z"
MEMBER = {
    "id": "mem-1", "email": "ada@example.com", "name": "Ada", "role": "owner", "scopes": ["*"], "state": "active",
    "created_at": _AT,
}  # fmt: skip
_LINK = {"link": "http://127.0.0.1:8000/panel/link/x", "link_expires_at": _AT, "mailed": False}
ENTRY = {
    "id": "aud-1", "actor": {"kind": "key", "id": "key-1", "name": "test"}, "action": "key.created",
    "object": {"kind": "key", "id": "key-2"}, "detail": {"name": "till"}, "remote": "192.0.2.1", "created_at": _AT,
}  # fmt: skip


class StubMembers:
    async def page(self, caller: Caller, limit: int, cursor: str | None) -> dict[str, Any]:
        return {"data": [MEMBER], "next_cursor": None}

    async def get(self, caller: Caller, member_id: str) -> dict[str, Any]:
        if member_id != "mem-1":
            raise NotFound("This account has no such member.", code="member_not_found")
        return MEMBER

    async def invite(self, caller: Caller, email: str, role: str, name: str, call: Call, language: str) -> Answer:
        return Answer(201, msgspec.json.encode({**MEMBER, "email": email, "role": role, "name": name, **_LINK}))

    async def invite_again(self, caller: Caller, member_id: str, call: Call, language: str) -> Answer:
        return Answer(201, msgspec.json.encode({**await self.get(caller, member_id), **_LINK}))

    async def change_role(self, caller: Caller, member_id: str, role: str) -> dict[str, Any]:
        return {**await self.get(caller, member_id), "role": role}

    async def remove(self, caller: Caller, member_id: str) -> None:
        await self.get(caller, member_id)


class StubAudit:
    """Notes nothing, and shows one entry."""

    def acting(self, caller: Caller) -> StubAudit:
        return self

    async def note(self, *told: Any, **more: Any) -> None:
        return None

    async def read(self, caller: Caller, **filters: Any) -> dict[str, Any]:
        return {"data": [ENTRY], "next_cursor": None}
