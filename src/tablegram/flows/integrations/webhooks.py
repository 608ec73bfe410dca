"""Managing webhook endpoints for a caller: each change once under its key, and acting at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Answer, Call, Idempotency
from tablegram.events.endpoints import Endpoints
from tablegram.storage.database import Tx
from tablegram.values.cursor import decode_cursor, encode_cursor
from tablegram.values.secrets import SecretBox

Work = Callable[[Tx], Awaitable[dict[str, Any]]]


class Webhooks:
    def __init__(self, endpoints: Endpoints, idempotency: Idempotency, box: SecretBox, audit: Audit) -> None:
        self._audit = audit
        self._endpoints = endpoints
        self._idempotency = idempotency
        self._box = box

    async def create(self, caller: Caller, url: str, events: list[str], description: str, call: Call) -> Answer:
        """Add an endpoint. The answer holds its secret, so it is kept sealed for a repeated call."""
        answer = await self._once(
            caller,
            call,
            201,
            lambda tx: self._endpoints.create(tx, caller.account_id, url, events, description),
            secret=True,
            action="webhook.created",
        )
        await self._endpoints.changed(caller.account_id, msgspec.json.decode(answer.body)["id"])
        return answer

    async def page(self, caller: Caller, limit: int, cursor: str | None) -> dict[str, Any]:
        caller.require("webhooks:manage")
        after = "" if cursor is None else decode_cursor(cursor)
        found = await self._endpoints.page(caller.account_id, after, limit + 1)
        more = len(found) > limit
        return {"data": found[:limit], "next_cursor": encode_cursor(found[limit - 1]["id"]) if more else None}

    async def get(self, caller: Caller, hook_id: str) -> dict[str, Any]:
        caller.require("webhooks:manage")
        return await self._endpoints.get(caller.account_id, hook_id)

    async def update(self, caller: Caller, hook_id: str, changes: dict[str, Any]) -> dict[str, Any]:
        caller.require("webhooks:manage")
        changed = await self._endpoints.update(caller.account_id, hook_id, changes)
        told = {"url": changed["url"], "fields": sorted(changes)}
        await self._audit.note(caller, "webhook.changed", "webhook", hook_id, told)
        return changed

    async def delete(self, caller: Caller, hook_id: str) -> None:
        caller.require("webhooks:manage")
        gone = await self._endpoints.get(caller.account_id, hook_id)
        await self._endpoints.delete(caller.account_id, hook_id)
        # What is gone cannot be looked up: the log tells which one it was.
        await self._audit.note(caller, "webhook.deleted", "webhook", hook_id, {"url": gone["url"]})

    async def rotate(self, caller: Caller, hook_id: str, call: Call) -> Answer:
        answer = await self._once(
            caller,
            call,
            200,
            lambda tx: self._endpoints.rotate(tx, caller.account_id, hook_id),
            secret=True,
            action="webhook.secret_rotated",
            hook_id=hook_id,
        )
        await self._endpoints.changed(caller.account_id, hook_id)
        return answer

    async def test(self, caller: Caller, hook_id: str, call: Call) -> Answer:
        answer = await self._once(caller, call, 202, lambda tx: self._endpoints.test(tx, caller.account_id, hook_id))
        self._endpoints.wake(caller.account_id, hook_id)
        return answer

    async def replay_range(self, caller: Caller, hook_id: str, since_ms: int, until_ms: int, call: Call) -> Answer:
        """Deliver a stretch of time again. It takes many transactions and may safely be done twice."""
        caller.require("webhooks:manage")

        async def work() -> Answer:
            count = await self._endpoints.replay_range(caller.account_id, hook_id, since_ms, until_ms)
            await self._audit.note(caller, "webhook.replayed", "webhook", hook_id, {"count": count})
            return Answer(202, msgspec.json.encode({"status": "success", "count": count}))

        return await self._idempotency.after(caller.account_id, call, work)

    async def deliveries(
        self, caller: Caller, hook_id: str, limit: int, cursor: str | None, state: str | None
    ) -> dict[str, Any]:
        """An endpoint's deliveries, newest first."""
        caller.require("webhooks:manage")
        before = "" if cursor is None else decode_cursor(cursor)
        found = await self._endpoints.deliveries(caller.account_id, hook_id, before, limit + 1, state)
        more = len(found) > limit
        return {"data": found[:limit], "next_cursor": encode_cursor(found[limit - 1]["event_id"]) if more else None}

    async def delivery(self, caller: Caller, delivery_id: str) -> dict[str, Any]:
        """One delivery; what it told (messages, orders) only to who may read events."""
        caller.require("webhooks:manage")
        found = await self._endpoints.delivery(caller.account_id, delivery_id)
        return found if caller.has("events:read") else {**found, "body": None}

    async def replay(self, caller: Caller, delivery_id: str, call: Call) -> Answer:
        answer = await self._once(
            caller, call, 202, lambda tx: self._endpoints.replay(tx, caller.account_id, delivery_id)
        )
        self._endpoints.wake(caller.account_id, msgspec.json.decode(answer.body)["webhook_id"])
        return answer

    async def _once(
        self,
        caller: Caller,
        call: Call,
        status: int,
        work: Work,
        *,
        secret: bool = False,
        action: str = "",
        hook_id: str = "",
    ) -> Answer:
        """One transaction under the call's key; with an `action`, noted in it."""
        caller.require("webhooks:manage")
        acting = self._audit.acting(caller)

        async def unit(tx: Tx) -> Answer:
            done = await work(tx)
            if action:
                told = {"url": done["url"]} if "url" in done else {}
                await acting.note(tx, action, "webhook", hook_id or done["id"], told)
            return Answer(status, msgspec.json.encode(done))

        return await self._idempotency.once(caller.account_id, call, unit, self._box if secret else None)
