"""Stands behind the calls about endpoints and events where only the edge is looked at."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.errors import NotFound
from tablegram.flows.gateway.sending import Answer, Call

_AT = "2026-01-01T00:00:00.000Z"
HOOK = {
    "id": "hook-1", "url": "https://example.com/hooks", "events": ["*"], "description": "", "state": "active",
    "reason": "", "failing_since": None, "previous_secret_until": None, "created_at": _AT,
}  # fmt: skip
DELIVERY = {
    "id": "evt_1.hook-1", "webhook_id": "hook-1", "event_id": "evt_1", "event": "messages.upsert", "state": "delivered",
    "attempt_count": 1, "attempts_spent": 1, "last_status": 200, "last_error": None, "next_attempt_at": None, "delivered_at": _AT,
    "created_at": _AT,
}  # fmt: skip
_ATTEMPT = {"at": _AT, "status": 200, "error": None, "latency_ms": 3, "answer": "ok"}


def _answer(status: int, body: Any) -> Answer:
    return Answer(status, msgspec.json.encode(body))


class StubWebhooks:
    async def create(self, caller: Caller, url: str, events: list[str], description: str, call: Call) -> Answer:
        return _answer(201, {**HOOK, "secret": "whsec_x"})

    async def page(self, caller: Caller, limit: int, cursor: str | None) -> dict[str, Any]:
        return {"data": [HOOK], "next_cursor": None}

    async def get(self, caller: Caller, hook_id: str) -> dict[str, Any]:
        if hook_id != "hook-1":
            raise NotFound("There is no such webhook in this account.", code="webhook_unknown")
        return HOOK

    async def update(self, caller: Caller, hook_id: str, changes: dict[str, Any]) -> dict[str, Any]:
        return await self.get(caller, hook_id)

    async def delete(self, caller: Caller, hook_id: str) -> None:
        await self.get(caller, hook_id)

    async def rotate(self, caller: Caller, hook_id: str, call: Call) -> Answer:
        return _answer(200, {**await self.get(caller, hook_id), "secret": "whsec_y", "previous_secret_until": _AT})

    async def test(self, caller: Caller, hook_id: str, call: Call) -> Answer:
        await self.get(caller, hook_id)
        return _answer(202, DELIVERY)

    async def replay_range(self, caller: Caller, hook_id: str, since_ms: int, until_ms: int, call: Call) -> Answer:
        await self.get(caller, hook_id)
        return _answer(202, {"status": "success", "count": 3})

    async def deliveries(
        self, caller: Caller, hook_id: str, limit: int, cursor: str | None, state: str | None
    ) -> dict[str, Any]:
        await self.get(caller, hook_id)
        return {"data": [DELIVERY], "next_cursor": None}

    async def delivery(self, caller: Caller, delivery_id: str) -> dict[str, Any]:
        if delivery_id != DELIVERY["id"]:
            raise NotFound("There is no such delivery in this account.", code="delivery_unknown")
        return {**DELIVERY, "body": {"event": "messages.upsert"}, "attempts": [_ATTEMPT]}

    async def replay(self, caller: Caller, delivery_id: str, call: Call) -> Answer:
        await self.delivery(caller, delivery_id)
        return _answer(202, DELIVERY)


class StubFeed:
    async def page(
        self, account_id: int, after: str | None, limit: int, kind: str | None, within: Any = None
    ) -> dict[str, Any]:
        event = {"id": "evt_1", "cursor": "MQ", "event": "messages.upsert", "created_at": _AT, "body": {"event": "x"}}
        return {"data": [event], "next_cursor": None}

    async def open(
        self,
        account_id: int,
        after: str | None,
        kind: str | None,
        still_allowed: Any,
        wait_s: float | None = None,
        within: Any = None,
    ) -> AsyncIterator[bytes]:
        async def frames() -> AsyncIterator[bytes]:
            yield f"id: {after or 'MQ'}\n\n".encode()

        return frames()
