"""Managing webhook endpoints for a caller: each change once under its key, and acting at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from msgspec.structs import asdict, replace

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.events.answers.webhooks import (
    DeliveryDetail,
    DeliveryPage,
    DeliveryView,
    NewWebhookView,
    ReplayAnswer,
    RotatedWebhookView,
    WebhookPage,
    WebhookView,
)
from tablegram.events.endpoints import EndpointChange, Endpoints
from tablegram.storage.database import Tx
from tablegram.values.cursor import decode_cursor, encode_cursor
from tablegram.values.secrets import SecretBox

T = TypeVar("T")


class Webhooks:
    def __init__(self, endpoints: Endpoints, idempotency: Idempotency, box: SecretBox, audit: Audit) -> None:
        self._audit = audit
        self._endpoints = endpoints
        self._idempotency = idempotency
        self._box = box

    async def create(
        self, caller: Caller, url: str, events: list[str], description: str, call: Call
    ) -> Result[NewWebhookView]:
        """Add an endpoint. The answer holds its secret, so it is kept sealed for a repeated call."""
        answer = await self._once(
            NewWebhookView,
            caller,
            call,
            201,
            lambda tx: self._endpoints.create(tx, caller.account_id, url, events, description),
            secret=True,
            action="webhook.created",
        )
        await self._endpoints.changed(caller.account_id, answer.value.id)
        return answer

    async def page(self, caller: Caller, limit: int, cursor: str | None) -> WebhookPage:
        caller.require("webhooks:manage")
        after = "" if cursor is None else decode_cursor(cursor)
        found = await self._endpoints.page(caller.account_id, after, limit + 1)
        more = len(found) > limit
        return WebhookPage(data=found[:limit], next_cursor=encode_cursor(found[limit - 1].id) if more else None)

    async def get(self, caller: Caller, endpoint_id: str) -> WebhookView:
        caller.require("webhooks:manage")
        return await self._endpoints.get(caller.account_id, endpoint_id)

    async def update(self, caller: Caller, endpoint_id: str, change: EndpointChange) -> WebhookView:
        caller.require("webhooks:manage")
        changed = await self._endpoints.update(caller.account_id, endpoint_id, change)
        given = sorted(name for name, value in asdict(change).items() if value is not None)
        told = {"url": changed.url, "fields": given}
        await self._audit.note(caller, "webhook.changed", "webhook", endpoint_id, told)
        return changed

    async def delete(self, caller: Caller, endpoint_id: str) -> None:
        caller.require("webhooks:manage")
        gone = await self._endpoints.get(caller.account_id, endpoint_id)
        await self._endpoints.delete(caller.account_id, endpoint_id)
        # What is gone cannot be looked up: the log tells which one it was.
        await self._audit.note(caller, "webhook.deleted", "webhook", endpoint_id, {"url": gone.url})

    async def rotate(self, caller: Caller, endpoint_id: str, call: Call) -> Result[RotatedWebhookView]:
        answer = await self._once(
            RotatedWebhookView,
            caller,
            call,
            200,
            lambda tx: self._endpoints.rotate(tx, caller.account_id, endpoint_id),
            secret=True,
            action="webhook.secret_rotated",
        )
        await self._endpoints.changed(caller.account_id, endpoint_id)
        return answer

    async def test(self, caller: Caller, endpoint_id: str, call: Call) -> Result[DeliveryView]:
        answer = await self._once(
            DeliveryView, caller, call, 202, lambda tx: self._endpoints.test(tx, caller.account_id, endpoint_id)
        )
        self._endpoints.wake(caller.account_id, endpoint_id)
        return answer

    async def replay_range(
        self, caller: Caller, endpoint_id: str, since_ms: int, until_ms: int, call: Call
    ) -> Result[ReplayAnswer]:
        """Deliver a stretch of time again. It takes many transactions and may safely be done twice."""
        caller.require("webhooks:manage")

        async def work() -> Result[ReplayAnswer]:
            count = await self._endpoints.replay_range(caller.account_id, endpoint_id, since_ms, until_ms)
            await self._audit.note(caller, "webhook.replayed", "webhook", endpoint_id, {"count": count})
            return Result(ReplayAnswer(status="success", count=count), 202)

        return await self._idempotency.after_for(ReplayAnswer, caller.account_id, call, work)

    async def deliveries(
        self, caller: Caller, endpoint_id: str, limit: int, cursor: str | None, state: str | None
    ) -> DeliveryPage:
        """An endpoint's deliveries, newest first."""
        caller.require("webhooks:manage")
        before = "" if cursor is None else decode_cursor(cursor)
        found = await self._endpoints.deliveries(caller.account_id, endpoint_id, before, limit + 1, state)
        more = len(found) > limit
        return DeliveryPage(data=found[:limit], next_cursor=encode_cursor(found[limit - 1].event_id) if more else None)

    async def delivery(self, caller: Caller, delivery_id: str) -> DeliveryDetail:
        """One delivery; what it told (messages, orders) only to who may read events."""
        caller.require("webhooks:manage")
        found = await self._endpoints.delivery(caller.account_id, delivery_id)
        return found if caller.has("events:read") else replace(found, body=None)

    async def replay(self, caller: Caller, delivery_id: str, call: Call) -> Result[DeliveryView]:
        answer = await self._once(
            DeliveryView, caller, call, 202, lambda tx: self._endpoints.replay(tx, caller.account_id, delivery_id)
        )
        self._endpoints.wake(caller.account_id, answer.value.webhook_id)
        return answer

    async def _once(
        self,
        kind: type[T],
        caller: Caller,
        call: Call,
        status: int,
        work: Callable[[Tx], Awaitable[T]],
        *,
        secret: bool = False,
        action: str = "",
    ) -> Result[T]:
        """One transaction under the call's key; what is done to an endpoint is noted in it by its `action`."""
        caller.require("webhooks:manage")
        acting = self._audit.acting(caller)

        async def unit(tx: Tx) -> Result[T]:
            done = await work(tx)
            if action and isinstance(done, WebhookView):
                await acting.note(tx, action, "webhook", done.id, {"url": done.url})
            return Result(done, status)

        return await self._idempotency.once_for(kind, caller.account_id, call, unit, self._box if secret else None)
