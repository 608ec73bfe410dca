"""Webhook endpoints: where an account wants its events, and what became of each delivery."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import Raw, Struct
from msgspec.structs import asdict

from tablegram.engine.bus.port import Bus
from tablegram.errors import Conflict, FieldError, Invalid, NotFound, no_such
from tablegram.events import store
from tablegram.events.answers.webhooks import (
    AttemptView,
    DeliveryDetail,
    DeliveryView,
    NewWebhookView,
    RotatedWebhookView,
    WebhookView,
)
from tablegram.events.catalogue import ALL, TEST, WHEN, wants
from tablegram.events.delivery import Deliveries
from tablegram.events.planning import Planner
from tablegram.events.rows import AttemptRow, DeliveryName, DeliveryRow, EndpointRow, NewEndpoint, ShownEndpoint
from tablegram.events.samples import SAMPLES
from tablegram.events.schedule import REPLAYABLE_DAYS, ROTATION_OVERLAP_MS
from tablegram.storage.database import Database, Query, Tx
from tablegram.values import mapping
from tablegram.values.clock import DAY_MS, FRESH_S, SECOND_MS, Clock, iso
from tablegram.values.http.signing import new_secret
from tablegram.values.http.targets import TargetForbidden, Targets
from tablegram.values.ids import new_id
from tablegram.values.secrets import SecretBox

# Enough for a program with several readers; more is a loop that makes endpoints.
MAX_ENDPOINTS = 50
REPLAY_CHUNK = 500
# By then every process has read of a change, and what it planned before that is committed.
MAKE_UP_AFTER_S = FRESH_S + 1.0
# What processes tell each other of an endpoint that was made or changed.
CHANGED = "endpoint"
_BY_HAND = {"active": "", "disabled": "Disabled by its owner."}


class EndpointChange(Struct, kw_only=True, frozen=True):
    """What to change of an endpoint; what is not given stays."""

    url: str | None = None
    events: list[str] | None = None
    description: str | None = None
    state: str | None = None


class Endpoints:
    def __init__(
        self, db: Database, box: SecretBox, clock: Clock, targets: Targets, planner: Planner, deliveries: Deliveries,
        *, make_up_after_s: float = MAKE_UP_AFTER_S,
    ) -> None:  # fmt: skip
        self._db = db
        self._box = box
        self._clock = clock
        self._targets = targets
        self._planner = planner
        self._deliveries = deliveries
        self._make_up_after_s = make_up_after_s
        self._tell: Callable[[str], None] = lambda word: None

    def share(self, bus: Bus) -> None:
        """Tell other processes of changes, and hear of theirs."""
        bus.listen(CHANGED, self._heard)
        self._tell = lambda word: bus.tell(CHANGED, word)

    async def create(self, tx: Tx, account_id: int, url: str, events: list[str], description: str) -> NewWebhookView:
        """Add an endpoint; its secret is in the answer, this once. Nothing is sent."""
        self._check(url, events)
        if (
            len(await tx.all(store.ENDPOINTS, {"account_id": account_id, "after": "", "most": MAX_ENDPOINTS}))
            >= MAX_ENDPOINTS
        ):
            raise Conflict(
                f"An account has at most {MAX_ENDPOINTS} endpoints. Delete one first.", code="too_many_webhooks"
            )
        secret = new_secret()
        now = self._clock.now_ms()
        row: NewEndpoint = {
            "account_id": account_id,
            "id": new_id(now),
            "url": url,
            "description": description,
            "events": " ".join(sorted(set(events))),
            "state": "active",
            "reason": "",
            "secret": self._box.seal(secret),
            "created_at": now,
        }
        await tx.run(store.INSERT_ENDPOINT, row)
        made = _view({**row, "failing_since": None, "previous_until": None})
        return NewWebhookView(**asdict(made), secret=secret)

    async def changed(self, account_id: int, endpoint_id: str) -> None:
        """Call after the commit of a change, so that it acts at once."""
        since_ms = self._clock.now_ms()
        # The store may be away from here on: everybody hears of the change all the same, and it is made up for later.
        self._tell(f"{account_id} {endpoint_id} {since_ms}")
        self._deliveries.wake(account_id, endpoint_id, changed=True)
        made_up = partial(self._make_up, account_id, endpoint_id, since_ms)
        self._deliveries.tasks.keep(f"make up for {endpoint_id}", made_up)
        await self._planner.reload(account_id)

    def _heard(self, word: str) -> None:
        account_id, endpoint_id, since_ms = word.split(" ")
        # Whoever delivers to it need not be who plans for it.
        self._deliveries.changed_elsewhere(int(account_id), endpoint_id)
        if self._planner.knows(int(account_id)):
            self._deliveries.tasks.spawn(
                f"hear of {endpoint_id}", self._catch_up(int(account_id), endpoint_id, int(since_ms))
            )

    async def _catch_up(self, account_id: int, endpoint_id: str, since_ms: int) -> None:
        """Another process has made or changed it: what this one planned before it heard of that comes before the rest."""
        await self._enlist_missed(account_id, endpoint_id, since_ms)
        await self._planner.reload(account_id)
        # And what it planned meanwhile.
        await self._enlist_missed(account_id, endpoint_id, since_ms)

    async def _make_up(self, account_id: int, endpoint_id: str, since_ms: int) -> None:
        """Deliver what processes planned that have not heard of the change, or were about to commit then."""
        await asyncio.sleep(self._make_up_after_s)
        await self._enlist_missed(account_id, endpoint_id, since_ms)

    async def _enlist_missed(self, account_id: int, endpoint_id: str, since_ms: int) -> None:
        endpoint = await self._db.first(store.ENDPOINT, {"b_account": account_id, "b_id": endpoint_id})
        if endpoint is None:
            # It was deleted: what was planned for it meanwhile would wait for ever, and be kept for as long.
            await self._db.put((store.FORGET_ENDPOINT_DELIVERIES, {"b_account": account_id, "b_endpoint": endpoint_id}))
            return
        if endpoint["state"] != "active":
            return
        # The change was committed a moment before anybody was told of it.
        began_ms = max(endpoint["created_at"], since_ms - SECOND_MS)
        if await self._enlist(store.MAKE_UP, endpoint, began_ms, self._clock.now_ms() + 1):
            self._deliveries.wake(account_id, endpoint_id)

    async def get(self, account_id: int, endpoint_id: str) -> WebhookView:
        return _view(await self._row(account_id, endpoint_id))

    async def page(self, account_id: int, after: str, most: int) -> list[WebhookView]:
        rows = await self._db.all(store.ENDPOINTS, {"account_id": account_id, "after": after, "most": most})
        return [_view(row) for row in rows]

    async def update(self, account_id: int, endpoint_id: str, change: EndpointChange) -> WebhookView:
        """Change address, filter, description or state; a disabled endpoint is switched on again this way."""
        row = await self._row(account_id, endpoint_id)
        url = row["url"] if change.url is None else change.url
        events = row["events"].split() if change.events is None else change.events
        self._check(url, events)
        state = change.state or row["state"]
        params = {
            "b_account": account_id,
            "b_id": endpoint_id,
            "url": url,
            "description": row["description"] if change.description is None else change.description,
            "events": " ".join(sorted(set(events))),
            "state": state,
            "reason": row["reason"] if state == row["state"] else _BY_HAND[state],
        }
        statements = [(store.UPDATE_ENDPOINT, params)]
        if (row["state"], state) == ("disabled", "active"):
            which = {"b_account": account_id, "b_id": endpoint_id}
            statements += [(store.CLEAN, which), (store.REVIVE_PENDING, {**which, "now": self._clock.now_ms()})]
        await self._db.put(*statements)
        await self.changed(account_id, endpoint_id)
        return await self.get(account_id, endpoint_id)

    async def delete(self, account_id: int, endpoint_id: str) -> None:
        await self._row(account_id, endpoint_id)
        which = {"b_account": account_id, "b_id": endpoint_id}
        await self._db.put(
            (store.DELETE_ENDPOINT, {**which, "now": self._clock.now_ms()}),
            (store.FORGET_ENDPOINT_DELIVERIES, {"b_account": account_id, "b_endpoint": endpoint_id}),
        )
        await self.changed(account_id, endpoint_id)

    async def rotate(self, tx: Tx, account_id: int, endpoint_id: str) -> RotatedWebhookView:
        """A new secret, shown this once; for a day both sign."""
        row = await tx.first(store.ENDPOINT, {"b_account": account_id, "b_id": endpoint_id})
        if row is None:
            raise _unknown()
        secret = new_secret()
        until = self._clock.now_ms() + ROTATION_OVERLAP_MS
        params = {"b_account": account_id, "b_id": endpoint_id, "fresh": self._box.seal(secret), "until": until}
        await tx.run(store.ROTATE, params)
        return RotatedWebhookView(**{**asdict(_view(row)), "secret": secret, "previous_secret_until": iso(until)})

    async def test(self, tx: Tx, account_id: int, endpoint_id: str) -> DeliveryView:
        """Plan a test event for this endpoint alone, whatever it has subscribed to."""
        row = await tx.first(store.ENDPOINT, {"b_account": account_id, "b_id": endpoint_id})
        if row is None:
            raise _unknown()
        _need_active(row)
        now = self._clock.now_ms()
        body = {"event": TEST, "data": {**mapping(SAMPLES[TEST]["data"]), "timestamp": now // 1_000}}
        (query, event), *_ = self._planner.plan(account_id, TEST, body)
        await tx.run(query, event)
        delivery = self._planner.delivery(account_id, endpoint_id, str(event["id"]), "", now)
        await tx.run(store.INSERT_DELIVERY, delivery)
        fresh = await tx.first(store.DELIVERY, _which(account_id, delivery_id(delivery)))
        assert fresh is not None
        return _delivery_view(fresh)

    async def deliveries(
        self, account_id: int, endpoint_id: str, before: str, most: int, state: str | None
    ) -> list[DeliveryView]:
        await self._row(account_id, endpoint_id)
        rows = await self._db.all(store.deliveries_page(account_id, endpoint_id, before, most, state))
        return [_delivery_view(row) for row in rows]

    async def delivery(self, account_id: int, name: str) -> DeliveryDetail:
        """One delivery with every attempt and the event's body."""
        row = await self._db.first(store.DELIVERY, _which(account_id, name))
        if row is None:
            raise _no_delivery()
        scope = {"account_id": account_id, "webhook_id": row["webhook_id"], "event_id": row["event_id"]}
        attempts = await self._db.all(store.ATTEMPTS, scope)
        return DeliveryDetail(
            **asdict(_delivery_view(row)),
            body=Raw(row["body"].encode()),
            attempts=[_attempt_view(one) for one in attempts],
        )

    async def replay(self, tx: Tx, account_id: int, name: str) -> DeliveryView:
        """Deliver one again, whatever became of it; its webhook-id stays the same."""
        which = _which(account_id, name)
        row = await tx.first(store.ENDPOINT, {"b_account": account_id, "b_id": which["b_endpoint"]})
        if row is None:
            raise _no_delivery()
        _need_active(row)
        if not await tx.run(store.REVIVE, {**which, "now": self._clock.now_ms()}):
            raise _no_delivery()
        fresh = await tx.first(store.DELIVERY, which)
        assert fresh is not None
        return _delivery_view(fresh)

    async def replay_range(self, account_id: int, endpoint_id: str, since_ms: int, until_ms: int) -> int:
        """Deliver again what happened in a time, as the endpoint's filter is now. Returns how many."""
        endpoint = await self._row(account_id, endpoint_id)
        now = self._clock.now_ms()
        _need_active(endpoint)
        if not since_ms < until_ms:
            raise Invalid.field("until", "range_empty", "until must be later than since.")
        if since_ms < now - REPLAYABLE_DAYS * DAY_MS:
            raise Invalid.field("since", "out_of_range", f"Events are kept for {REPLAYABLE_DAYS} days.")
        count = await self._enlist(store.REPLAY, endpoint, since_ms, until_ms)
        self._deliveries.wake(account_id, endpoint_id, changed=True)
        return count

    async def _enlist(self, query: Query, endpoint: EndpointRow, since_ms: int, until_ms: int) -> int:
        """Write deliveries to an endpoint for what happened in a time and fits its filter; returns how many."""
        now = self._clock.now_ms()
        window = {"account_id": endpoint["account_id"], "since": since_ms, "until": until_ms, "most": REPLAY_CHUNK}
        count, after = 0, 0
        while True:
            rows = await self._db.all(store.EVENTS_BETWEEN, {**window, "after": after})
            wanted = [row for row in rows if wants(endpoint["events"], row["type"])]
            made = [self._planner.late_delivery(endpoint["id"], row, now) for row in wanted]
            if made:
                await self._db.put(*[(query, one) for one in made])
            count += len(wanted)
            if len(rows) < REPLAY_CHUNK:
                return count
            after = rows[-1]["seq"]

    def wake(self, account_id: int, endpoint_id: str) -> None:
        """Call after the commit of a test or a replay."""
        self._deliveries.wake(account_id, endpoint_id, changed=True)

    def _check(self, url: str, events: list[str]) -> None:
        errors: list[FieldError] = []
        try:
            self._targets.check_url(url)
        except TargetForbidden as error:
            said = f"Events cannot be sent there: {error.reason}. Use a public https address; whoever runs this server may allow a private network with TABLEGRAM_ALLOWED_PRIVATE_TARGETS."
            errors.append(FieldError("url", "target_forbidden", said))
        unknown = [kind for kind in events if kind != ALL and kind not in WHEN]
        if not events:
            errors.append(FieldError("events", "missing", f"Name at least one event, or {ALL} for all of them."))
        elif unknown:
            words = f"There is no event {unknown[0]}. The events are: {', '.join(WHEN)}, or {ALL} for all."
            errors.append(FieldError("events", "event_unknown", words))
        if errors:
            raise Invalid.fields(errors)

    async def _row(self, account_id: int, endpoint_id: str) -> EndpointRow:
        row = await self._db.first(store.ENDPOINT, {"b_account": account_id, "b_id": endpoint_id})
        if row is None:
            raise _unknown()
        return row


def _unknown() -> NotFound:
    return NotFound(no_such("webhook"), code="webhook_unknown")


def _need_active(row: EndpointRow) -> None:
    if row["state"] != "active":
        raise Conflict("The endpoint is disabled. Switch it on first: PATCH its state to active.")


def _no_delivery() -> NotFound:
    return NotFound(no_such("delivery"), code="delivery_unknown")


def delivery_id(row: DeliveryName) -> str:
    """What a delivery is called outside: its event and its endpoint."""
    return f"{row['event_id']}.{row['webhook_id']}"


def _which(account_id: int, name: str) -> dict[str, Any]:
    event_id, _, endpoint_id = name.partition(".")
    return {"b_account": account_id, "b_endpoint": endpoint_id, "b_event": event_id}


def _view(row: ShownEndpoint) -> WebhookView:
    return WebhookView(
        id=row["id"],
        url=row["url"],
        events=row["events"].split(),
        description=row["description"],
        state=row["state"],
        reason=row["reason"],
        failing_since=iso(row["failing_since"]),
        previous_secret_until=iso(row["previous_until"]),
        created_at=iso(row["created_at"]),
    )


def _delivery_view(row: DeliveryRow) -> DeliveryView:
    return DeliveryView(
        id=delivery_id(row),
        webhook_id=row["webhook_id"],
        event_id=row["event_id"],
        event=row["type"],
        state=row["state"],
        attempt_count=row["tries"],
        attempts_spent=row["attempts"],
        last_status=row["last_status"],
        last_error=row["last_error"],
        next_attempt_at=iso(row["due_at"]) if row["state"] == "pending" else None,
        delivered_at=iso(row["delivered_at"]),
        created_at=iso(row["created_at"]),
    )


def _attempt_view(row: AttemptRow) -> AttemptView:
    return AttemptView(
        at=iso(row["at"]),
        status=row["status"],
        error=row["error"],
        latency_ms=row["latency_ms"],
        answer=row["answer"],
    )
