"""What the network tells us: each callback, stored raw before, is worked into messages in one transaction."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import msgspec

from tablegram.accounts import quota
from tablegram.accounts.rate_card import RateCard
from tablegram.messaging.incoming import InboundMessage, Incoming, NetworkError, StatusUpdate
from tablegram.messaging.store import messages as store
from tablegram.storage.database import Row, Tx
from tablegram.values.clock import Clock
from tablegram.values.ids import GATEWAY_PREFIX, new_id
from tablegram.values.phone import calling_code

log = logging.getLogger("tablegram.inbound")

Parse = Callable[[bytes], list[Incoming]]


class Inbound:
    def __init__(self, parse: Parse, card: RateCard, clock: Clock, *, prepaid: bool) -> None:
        self._parse = parse
        self._card = card
        self._clock = clock
        self._prepaid = prepaid

    async def handle(self, tx: Tx, row: Row) -> None:
        """One inbox row of the source `cloud:<line>`."""
        line_id = int(row["source"].partition(":")[2])
        for item in self._parse(bytes(row["body"])):
            match item:
                case StatusUpdate():
                    await self._status(tx, row["account_id"], line_id, item)
                case InboundMessage():
                    await self._message(tx, row["account_id"], line_id, item)
                case NetworkError():
                    log.warning("line %s: the network reports %s: %s", line_id, item.error_code, item.detail)
                case _:
                    log.info("line %s: a callback of the kind %r is kept as it came", line_id, item.field)

    async def _status(self, tx: Tx, account_id: int, line_id: int, status: StatusUpdate) -> None:
        message = await self._message_of(tx, account_id, line_id, status)
        if message is None:
            log.info("line %s: a status for a message that is not ours", line_id)
            return
        params: dict[str, Any] = {
            "b_account": account_id,
            "b_id": message["id"],
            "at": status.at_ms,
            "new_network_id": status.network_id,
        }
        if status.status == "failed":
            params |= {"code": status.reason, "detail": status.detail, "network_code": status.error_code}
            if await tx.run(store.REPORTED_FAILED, params) and self._prepaid:
                await quota.refund(tx, account_id, message["id"], self._clock.now_ms())
            return
        await tx.run(_STEPS[status.status], params)
        if status.pricing is not None:
            await self._final_cost(tx, message, status.pricing)

    async def _message_of(self, tx: Tx, account_id: int, line_id: int, status: StatusUpdate) -> Row | None:
        """By the value that we gave along; else by the network's id."""
        if status.correlation.startswith(GATEWAY_PREFIX):
            key = status.correlation.removeprefix(GATEWAY_PREFIX)
            row = await tx.first(store.GET, {"b_account": account_id, "b_id": key})
            if row is not None and row["instance_id"] == line_id:
                return row
        found = {"b_account": account_id, "b_instance": line_id, "b_network_id": status.network_id}
        return await tx.first(store.GET_BY_LINE_AND_NETWORK_ID, found)

    async def _final_cost(self, tx: Tx, message: Row, pricing: dict[str, Any]) -> None:
        cost = 0
        if pricing.get("billable", True):
            category = str(pricing.get("category") or message["category"])
            cost = self._card.price_micros("cloud", calling_code(message["phone"]), category, message["created_at"])
        done = await tx.run(store.FINAL_COST, {"b_account": message["account_id"], "b_id": message["id"], "cost": cost})
        if done and self._prepaid:
            await quota.correct(tx, message["account_id"], message["id"], cost, self._clock.now_ms())

    async def _message(self, tx: Tx, account_id: int, line_id: int, item: InboundMessage) -> None:
        """Keep what a customer wrote; the same message again changes nothing."""
        if item.echo:
            return
        row = {
            "account_id": account_id,
            "id": new_id(),
            "instance_id": line_id,
            "direction": "in",
            "phone": item.sender_phone or item.sender_user_id,
            "type": item.type,
            # Not every database can hold a null character in a text; the content has it, escaped.
            "text": item.text.replace("\0", ""),
            "content": msgspec.json.encode(item.raw).decode(),
            "state": "received",
            "priority": 0,
            "network_id": item.network_id,
            "category": "service",
            "cost_micros": 0,
            "created_at": item.at_ms,
        }
        await tx.run(store.INSERT_INBOUND, row)


_STEPS = {"sent": store.REPORTED_SENT, "delivered": store.REPORTED_DELIVERED, "read": store.REPORTED_READ}
