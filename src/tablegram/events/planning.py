"""Planning: an event and its deliveries are rows of the same transaction as the work they tell of."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping

import msgspec

from tablegram.events import store
from tablegram.events.catalogue import wants
from tablegram.events.rows import EventRow, NewDelivery
from tablegram.storage.database import Database, Tx
from tablegram.storage.database import Statement as Statement
from tablegram.values import Json
from tablegram.values.clock import FRESH_S, Clock
from tablegram.values.ids import new_id

EVENT_PREFIX = "evt_"
# A file is usually fetched in a second; an event does not wait for it much longer than a person would.
COMPLETE_WITHIN_MS = 20_000

Listener = Callable[[int, list[str], list[Statement] | None], None]
_encode = msgspec.json.Encoder().encode


def event_of(statements: list[Statement]) -> str:
    """The id of the event that a plan stores."""
    return str(next(params["id"] for query, params in statements if query is store.INSERT_EVENT))


class Planner:
    """Knows each account's endpoints well enough to plan without waiting. `planned` is told after the commit."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock
        self._endpoints: dict[int, list[tuple[str, str]]] = {}
        self._loaded_at: dict[int, float] = {}
        # Of each account, the number of the reading that began last, and of the one that it is known by.
        self._begun: dict[int, int] = {}
        self._known_by: dict[int, int] = {}
        self._listeners: list[Listener] = []
        # Whether a body still lacks what its event waits for (`waits`); who plans such events says so.
        self.lacks: Callable[[Json], bool] = lambda body: False

    def listen(self, listener: Listener) -> None:
        """Be told of an account's new events, after their commit."""
        self._listeners.append(listener)

    async def refresh(self, account_id: int) -> None:
        """Read the account's endpoints if what is known of them is old. Call before a unit of work plans events."""
        if time.monotonic() - self._loaded_at.get(account_id, -FRESH_S) >= FRESH_S:
            await self.reload(account_id)

    def knows(self, account_id: int) -> bool:
        """Whether it may plan by what it has read of the account's endpoints before, or is reading."""
        return account_id in self._begun

    async def reload(self, account_id: int) -> None:
        """Read the account's endpoints: what is known afterwards was read no earlier than now."""
        number = self._begun[account_id] = self._begun.get(account_id, 0) + 1
        rows = await self._db.all(store.ACTIVE_ENDPOINTS, {"account_id": account_id})
        if number < self._known_by.get(account_id, 0):
            # Who began later has come first, and may know more.
            return
        self._known_by[account_id] = number
        self._endpoints[account_id] = [(row["id"], row["events"]) for row in rows]
        self._loaded_at[account_id] = time.monotonic()

    def plan(
        self, account_id: int, kind: str, body: Mapping[str, object], sender: str = "", *, waits: bool = False,
        besides: Collection[str] = (), trace: str | None = None,
    ) -> list[Statement]:  # fmt: skip
        """The statements that store the event and its deliveries. Nothing is remembered here.

        `waits`: something is still missing from the body; deliveries wait a while for `complete`, and their sender's
        later events with them. `besides` are endpoints that do not get it. `trace` is the request that began it.
        """
        now = self._clock.now_ms()
        event_id = EVENT_PREFIX + new_id(now)
        statements: list[Statement] = [
            (
                store.INSERT_EVENT,
                {
                    "account_id": account_id,
                    "id": event_id,
                    "type": kind,
                    "sender": sender,
                    "body": _encode(body).decode(),
                    "created_at": now,
                    "trace": trace,
                },
            )
        ]
        for endpoint_id in self.takers(account_id, kind):
            if endpoint_id in besides:
                continue
            row = self.delivery(account_id, endpoint_id, event_id, sender, now)
            statements.append((store.INSERT_DELIVERY, {**row, "due_at": _until(now)} if waits else row))
        return statements

    def delivery(self, account_id: int, endpoint_id: str, event_id: str, sender: str, now: int) -> NewDelivery:
        """The row of one delivery of an event to an endpoint."""
        return {
            "account_id": account_id,
            "webhook_id": endpoint_id,
            "event_id": event_id,
            # An event of nobody in particular waits for nobody.
            "sender": sender or event_id,
            "state": "pending",
            "due_at": now,
            "created_at": now,
        }

    def late_delivery(self, endpoint_id: str, event: EventRow, now: int) -> NewDelivery:
        """The row of a delivery of an event that was planned without it; it waits like the others for what is missing."""
        row = self.delivery(event["account_id"], endpoint_id, event["id"], event["sender"], now)
        # By the clock of who planned it, which may be ahead of ours.
        until = min(_until(event["created_at"]), _until(now))
        waits = until > now and self.lacks(msgspec.json.decode(event["body"]))
        return {**row, "due_at": until if waits else now}

    def takers(self, account_id: int, kind: str) -> list[str]:
        """The endpoints that want this kind, as last read."""
        return [
            endpoint_id for endpoint_id, subscribed in self._endpoints.get(account_id, []) if wants(subscribed, kind)
        ]

    async def complete(self, tx: Tx, account_id: int, event_id: str, change: Callable[[Json], None]) -> list[str]:
        """Put what was missing into an event that waits; the endpoints that it is due at now.

        An event that has gone out already is changed for the feed and for replays only.
        """
        which = {"b_account": account_id, "b_event": event_id}
        row = await tx.first(store.EVENT, which)
        if row is None:
            return []
        body = msgspec.json.decode(row["body"])
        change(body)
        await tx.run(store.REWRITE_EVENT, {**which, "new_body": _encode(body).decode()})
        due = await tx.all(store.COMPLETED, {**which, "now": self._clock.now_ms()})
        return [one["webhook_id"] for one in due]

    def planned(self, account_id: int, statements: list[Statement] | None = None) -> None:
        """Tell the listeners, after the commit, that the account has new events; the plans themselves if at hand."""
        for listener in self._listeners:
            listener(account_id, self._endpoints_of(account_id), statements)

    def _endpoints_of(self, account_id: int) -> list[str]:
        return [endpoint_id for endpoint_id, _ in self._endpoints.get(account_id, [])]


def _until(planned_at: int) -> int:
    """How long an event waits at most for what is missing."""
    return planned_at + COMPLETE_WITHIN_MS
