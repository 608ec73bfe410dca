"""Looking at messages, and the few things that can still be done with one."""

from __future__ import annotations

from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.money import quota
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, Invalid, NotFound, Unavailable, no_such
from tablegram.flows.files.media import MediaLibrary
from tablegram.flows.gateway import refusals
from tablegram.flows.gateway.answers.messages import (
    MessagePage,
    MessageView,
    ReadAnswer,
    show,
)
from tablegram.flows.gateway.refusals import SendRefusal
from tablegram.messaging.erased import is_erased
from tablegram.messaging.ports import Accepted, NetworkRefused
from tablegram.messaging.records.waiting import why_waiting
from tablegram.messaging.rows.messages import MessageRow
from tablegram.messaging.store import messages as store
from tablegram.messaging.store.lists import listing
from tablegram.messaging.switchboard import LiveLine, Switchboard
from tablegram.messaging.transmission.holders import Holders
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.cursor import decode_cursor, encode_cursor
from tablegram.values.ids import GATEWAY_PREFIX


class Lookups:
    def __init__(
        self, db: Database, switchboard: Switchboard, idempotency: Idempotency, clock: Clock, library: MediaLibrary,
        holders: Holders,
    ) -> None:  # fmt: skip
        self._holders = holders
        self._library = library
        self._db = db
        self._switchboard = switchboard
        self._idempotency = idempotency
        self._clock = clock

    async def message(self, caller: Caller, message_id: str) -> MessageView:
        """By either id: the network's, or the gateway's own."""
        caller.require("messages:read")
        row = await self._find(caller, message_id)
        files = await self._library.of_messages([row])
        waits = await why_waiting(self._db, caller.account_id, [row], self._clock.now_ms())
        return show(row, files.get(row["id"]), waits.get(row["id"]))

    async def messages(
        self,
        caller: Caller,
        *,
        phone: str | None,
        status: str | None,
        since_ms: int | None,
        direction: str | None,
        limit: int,
        cursor: str | None,
    ) -> MessagePage:
        caller.require("messages:read")
        filters: dict[str, object] = {"phone": phone, "state": status, "since_ms": since_ms, "direction": direction}
        before = None if cursor is None else decode_cursor(cursor)
        rows = await self._rows(caller, filters, before, limit + 1)
        more = len(rows) > limit
        files = await self._library.of_messages(rows[:limit])
        waits = await why_waiting(self._db, caller.account_id, rows[:limit], self._clock.now_ms())
        return MessagePage(
            data=[show(row, files.get(row["id"]), waits.get(row["id"])) for row in rows[:limit]],
            next_cursor=encode_cursor(rows[limit - 1]["id"]) if more else None,
        )

    async def _rows(
        self, caller: Caller, filters: dict[str, object], before: str | None, most: int
    ) -> list[MessageRow]:
        """The newest that fit. A test key sees what went through sandbox lines, of which there are few."""
        if caller.mode != "test":
            return await self._db.all(*listing.page(caller.account_id, filters, before, most))
        found: list[MessageRow] = []
        for line_id in await self._switchboard.sandbox_lines(caller.account_id):
            only = {**filters, "instance_id": line_id}
            found += await self._db.all(*listing.page(caller.account_id, only, before, most))
        return sorted(found, key=lambda row: row["id"], reverse=True)[:most]

    async def network_id_of(self, caller: Caller, message_id: str, field: str = "message_id") -> str:
        """The network's name for a message that a reply or a reaction refers to."""
        caller.require("messages:send", "messages:read")
        try:
            row = await self._find(caller, message_id)
        except NotFound:
            raise Invalid.field(field, "message_unknown", no_such("message")) from None
        if is_erased(row):
            raise Invalid.field(field, "message_unknown", "That message was erased with its contact.")
        if row["network_id"] is None:
            raise Invalid.field(field, "message_not_sent", "That message has not reached the network yet.")
        return row["network_id"]

    async def cancel(self, caller: Caller, message_id: str, call: Call) -> Result[MessageView]:
        """Take back a queued message and what it cost. One that may be on its way cannot be cancelled."""
        caller.require("messages:send")

        reach = await self._reach(caller)

        async def work(tx: Tx) -> Result[MessageView]:
            row = await _find_in(tx, caller, message_id, reach)
            now = self._clock.now_ms()
            done = await tx.run(store.CANCEL, {"b_account": caller.account_id, "b_id": row["id"], "now": now})
            if not done and row["state"] != "cancelled":
                raise Conflict(f"The message is {_present(row)} and can no longer be cancelled.", code="state_conflict")
            if done:
                await quota.refund(tx, caller.account_id, row["id"], now)
            fresh = await tx.first(store.GET, {"b_account": caller.account_id, "b_id": row["id"]})
            assert fresh is not None
            return Result(show(fresh))

        return await self._idempotency.once_for(MessageView, caller.account_id, call, work)

    async def mark_read(self, caller: Caller, message_id: str, call: Call) -> Result[ReadAnswer]:
        """Tell the customer that a message of theirs was read."""
        caller.require("messages:send")
        return await refusals.after(
            self._idempotency, ReadAnswer, caller.account_id, call, lambda: self._tell_read(caller, message_id)
        )

    async def _tell_read(self, caller: Caller, message_id: str) -> Result[ReadAnswer] | SendRefusal:
        row = await self._find(caller, message_id)
        if row["direction"] != "in":
            raise Conflict("Only a message that a customer wrote can be marked read.", code="state_conflict")
        if is_erased(row):
            raise Conflict("The message was erased with its contact.", code="state_conflict")
        network_id = row["network_id"]
        assert network_id is not None, "the network has named whatever came by it"
        line = await self._line(caller, row["instance_id"])
        outcome = await self._holders.read(line, network_id)
        if isinstance(outcome, NetworkRefused):
            return SendRefusal(outcome.code, outcome.detail, outcome.network_code)
        if not isinstance(outcome, Accepted):
            raise Unavailable(
                "The network cannot be reached right now. Try again.", code="line_unreachable", retry_after_s=5
            )
        return Result(ReadAnswer(status="success", message_id=network_id))

    async def _line(self, caller: Caller, instance_id: int) -> LiveLine:
        return await self._switchboard.resolve(caller.account_id, instance_id, sandbox_only=caller.mode == "test")

    async def _reach(self, caller: Caller) -> frozenset[int] | None:
        """The lines that a test key is kept to. Asked for before a unit of work, which may wait for its store only."""
        return await self._switchboard.sandbox_lines(caller.account_id) if caller.mode == "test" else None

    async def _find(self, caller: Caller, message_id: str) -> MessageRow:
        reach = await self._reach(caller)
        return await self._db.snapshot(lambda tx: _find_in(tx, caller, message_id, reach))


async def _find_in(tx: Tx, caller: Caller, message_id: str, reach: frozenset[int] | None) -> MessageRow:
    if message_id.startswith(GATEWAY_PREFIX):
        key = message_id.removeprefix(GATEWAY_PREFIX)
        row = await tx.first(store.GET, {"b_account": caller.account_id, "b_id": key})
    else:
        row = await tx.first(store.GET_BY_NETWORK_ID, {"b_account": caller.account_id, "b_network_id": message_id})
    if row is None or (reach is not None and row["instance_id"] not in reach):
        raise NotFound(no_such("message"), code="message_unknown")
    return row


def _present(row: MessageRow) -> str:
    if row["state"] != "queued":
        return row["state"]
    return "waiting for the network's word on an attempt" if row["doubt_at"] else "being sent right now"
