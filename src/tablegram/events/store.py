"""The SQL of events, endpoints, deliveries and attempts."""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_, bindparam, delete, func, insert, literal_column, null, select, update

from tablegram.engine.rows import NamedBacklog
from tablegram.events.catalogue import TEST
from tablegram.events.rows import (
    AttemptRow,
    DeliveryRow,
    DepthRow,
    EndpointRow,
    EventName,
    EventRow,
    NewestRow,
    OldRow,
    PendingRow,
    PlaceRow,
    TakerOfAccount,
    TakerRow,
    WholeDelivery,
)
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import deliveries, delivery_attempts, events, webhooks

e, w, d, a = events.c, webhooks.c, deliveries.c, delivery_attempts.c
# Part of the text and not a parameter: only so can a statement be seen to fit the index of what is pending.
_IS_PENDING = d.state == literal_column("'pending'")

# Events.
INSERT_EVENT = Query(
    insert(events).values(columns(events, "account_id", "id", "type", "sender", "body", "created_at", "trace")),
    bulk=True,
)
EVENT = Query(select(events).where(e.account_id == bindparam("b_account"), e.id == bindparam("b_event")), row=EventRow)
REWRITE_EVENT = Query(
    update(events)
    .where(e.account_id == bindparam("b_account"), e.id == bindparam("b_event"))
    .values(body=bindparam("new_body"))
)
_BEHIND = (
    select(events)
    .where(e.account_id == bindparam("account_id"), e.seq > bindparam("after"), e.seq <= bindparam("upto"))
    .order_by(e.seq)
    .limit(bindparam("most"))
)
# Tests of endpoints are not news.
FEED = Query(_BEHIND.where(e.type != TEST), row=EventRow)
FEED_OF = Query(_BEHIND.where(e.type == bindparam("kind")), row=EventRow)
SEQ_OF = Query(select(e.seq).where(e.account_id == bindparam("account_id"), e.id == bindparam("id")), row=PlaceRow)
NEWEST = Query(select(func.max(e.seq).label("seq")).where(e.account_id == bindparam("account_id")), row=NewestRow)
EVENTS_BETWEEN = Query(
    select(events)
    .where(
        e.account_id == bindparam("account_id"),
        e.created_at >= bindparam("since"),
        e.created_at < bindparam("until"),
        # A test was meant for one moment and one endpoint.
        e.type != TEST,
        e.seq > bindparam("after"),
    )
    .order_by(e.seq)
    .limit(bindparam("most")),
    row=EventRow,
)

# Endpoints.
_ENDPOINT = and_(w.account_id == bindparam("b_account"), w.id == bindparam("b_id"), w.deleted_at.is_(None))
INSERT_ENDPOINT = Query(
    insert(webhooks).values(
        columns(webhooks, "account_id", "id", "url", "description", "events", "state", "reason", "secret", "created_at")
    )
)
ENDPOINT = Query(select(webhooks).where(_ENDPOINT), row=EndpointRow)
ENDPOINTS = Query(
    select(webhooks)
    .where(w.account_id == bindparam("account_id"), w.deleted_at.is_(None), w.id > bindparam("after"))
    .order_by(w.id)
    .limit(bindparam("most")),
    row=EndpointRow,
)
ACTIVE_ENDPOINTS = Query(
    select(webhooks).where(w.account_id == bindparam("account_id"), w.deleted_at.is_(None), w.state == "active"),
    row=EndpointRow,
)
UPDATE_ENDPOINT = Query(
    update(webhooks)
    .where(_ENDPOINT)
    .values(
        url=bindparam("url"),
        description=bindparam("description"),
        events=bindparam("events"),
        state=bindparam("state"),
        reason=bindparam("reason"),
    )
)
# Switched on again, it starts with a clean record, and what waited for it has all its attempts and time anew.
CLEAN = Query(update(webhooks).where(_ENDPOINT).values(failing_since=null(), warned_at=null()))
ROTATE = Query(
    update(webhooks)
    .where(_ENDPOINT)
    .values(previous_secret=w.secret, previous_until=bindparam("until"), secret=bindparam("fresh"))
)
DELETE_ENDPOINT = Query(
    update(webhooks)
    .where(_ENDPOINT)
    .values(deleted_at=bindparam("now"), secret="", previous_secret=null(), state="disabled", reason="deleted")
)
DISABLE = Query(
    update(webhooks).where(_ENDPOINT, w.state == "active").values(state="disabled", reason=bindparam("reason"))
)
FAILING = Query(
    update(webhooks)
    .where(_ENDPOINT)
    .values(failing_since=func.coalesce(w.failing_since, bindparam("now")), reason=bindparam("reason"))
)
WARNED = Query(update(webhooks).where(_ENDPOINT).values(warned_at=bindparam("now")))
WELL = Query(update(webhooks).where(_ENDPOINT).values(failing_since=null(), warned_at=null(), reason=""))

# Deliveries.
_PLANNED = ("account_id", "webhook_id", "event_id", "sender", "state", "due_at", "created_at")
INSERT_DELIVERY = Query(insert(deliveries).values(columns(deliveries, *_PLANNED)), bulk=True)
PENDING = Query(
    select(d.event_id, d.sender, d.attempts, d.due_at, d.created_at, d.last_status, e.body, e.trace)
    .select_from(deliveries.join(events, and_(e.account_id == d.account_id, e.id == d.event_id)))
    .where(
        d.account_id == bindparam("account_id"),
        d.webhook_id == bindparam("webhook_id"),
        _IS_PENDING,
    )
    .order_by(d.event_id)
    .limit(bindparam("most")),
    row=PendingRow,
)
_WAITS = (
    select(d.event_id)
    .where(d.account_id == w.account_id, d.webhook_id == w.id, _IS_PENDING)
    .correlate(webhooks)
    .exists()
)
ENDPOINTS_WITH_WORK = Query(
    across_accounts(
        select(w.account_id, w.id.label("webhook_id")).where(w.state == "active", w.deleted_at.is_(None), _WAITS),
        "the engine works for every account",
    ),
    row=TakerOfAccount,
)
# By the index of what is pending, which has the ids and not the times.
WAITING = Query(
    across_accounts(
        select(func.count().label("n"), func.min(d.event_id).label("oldest")).where(d.state == "pending"),
        "figures of the installation",
    ),
    row=NamedBacklog,
)
WAITING_BY_ENDPOINT = Query(
    across_accounts(
        select(w.id, w.account_id, w.state, func.count().label("n"), func.min(d.event_id).label("oldest"))
        .select_from(deliveries.join(webhooks, and_(w.account_id == d.account_id, w.id == d.webhook_id)))
        .where(_IS_PENDING, w.deleted_at.is_(None))
        .group_by(w.id, w.account_id, w.state)
        .order_by(func.min(d.event_id))
        .limit(bindparam("most")),
        "a look at the installation",
    ),
    row=DepthRow,
)
_OF_ENDPOINT = and_(d.account_id == bindparam("b_account"), d.webhook_id == bindparam("b_endpoint"))
_DELIVERY = and_(_OF_ENDPOINT, d.event_id == bindparam("b_event"))
DELIVERED = Query(
    update(deliveries)
    .where(_DELIVERY, _IS_PENDING)
    .values(
        state="delivered",
        delivered_at=bindparam("now"),
        attempts=d.attempts + 1,
        last_status=bindparam("status"),
        last_error=null(),
    ),
    bulk=True,
)
POSTPONED = Query(
    update(deliveries)
    .where(_DELIVERY, _IS_PENDING)
    .values(
        attempts=d.attempts + bindparam("counted"),
        due_at=bindparam("next_at"),
        last_status=bindparam("status"),
        last_error=bindparam("error"),
    )
)
# What an event waited for is here: those of its deliveries that were not tried yet are due at once.
COMPLETED = Query(
    update(deliveries)
    .where(
        d.account_id == bindparam("b_account"),
        # By way of the few endpoints, because the key of a delivery begins with its endpoint.
        d.webhook_id.in_(select(w.id).where(w.account_id == bindparam("b_account"))),
        d.event_id == bindparam("b_event"),
        _IS_PENDING,
        d.attempts == 0,
        d.due_at > bindparam("now"),
    )
    .values(due_at=bindparam("now"))
    .returning(d.webhook_id),
    row=TakerRow,
)
DEAD = Query(
    update(deliveries)
    .where(_DELIVERY, _IS_PENDING)
    .values(
        state="dead",
        attempts=d.attempts + bindparam("counted"),
        last_status=bindparam("status"),
        last_error=bindparam("error"),
    )
)
_ANEW = {
    "state": "pending",
    "attempts": 0,
    "due_at": bindparam("now"),
    "created_at": bindparam("now"),
    "delivered_at": null(),
}
REVIVE = Query(update(deliveries).where(_DELIVERY).values(_ANEW))
REVIVE_PENDING = Query(
    update(deliveries)
    .where(d.account_id == bindparam("b_account"), d.webhook_id == bindparam("b_id"), _IS_PENDING)
    .values(_ANEW)
)
# A replay of a range: what was planned before is tried anew, the rest is planned now.
# For an event that was planned by a process that had not heard of the endpoint yet.
MAKE_UP = Query(
    lambda dialect_insert: (
        dialect_insert(deliveries)
        .values(columns(deliveries, *_PLANNED))
        .on_conflict_do_nothing(index_elements=["account_id", "webhook_id", "event_id"])
    )
)
REPLAY = Query(
    lambda dialect_insert: (
        dialect_insert(deliveries)
        .values(columns(deliveries, *_PLANNED))
        .on_conflict_do_update(
            index_elements=["account_id", "webhook_id", "event_id"],
            set_={
                "state": "pending",
                "attempts": 0,
                "due_at": bindparam("due_at"),
                "created_at": bindparam("created_at"),
                "delivered_at": null(),
            },
        )
    )
)
_WITH_EVENT = deliveries.join(events, and_(e.account_id == d.account_id, e.id == d.event_id))


def _tries(account_id: Any) -> Any:
    """How often a delivery was tried. `attempts` counts what was spent: while an endpoint is down, most tries are free."""
    count = (
        select(func.count())
        .select_from(delivery_attempts)
        .where(
            a.account_id == account_id,
            d.account_id == account_id,
            a.webhook_id == d.webhook_id,
            a.event_id == d.event_id,
        )
        .correlate(deliveries)
    )
    return count.scalar_subquery().label("tries")


DELIVERY = Query(
    select(deliveries, e.type, e.body, _tries(bindparam("b_account"))).select_from(_WITH_EVENT).where(_DELIVERY),
    row=WholeDelivery,
)
# Only while the delivery is there: the answer may repeat what was said about somebody who has been erased since.
INSERT_ATTEMPT = Query(
    insert(delivery_attempts).from_select(
        list(delivery_attempts.c.keys()),
        select(*[value.label(name) for name, value in columns(delivery_attempts).items()])
        .select_from(deliveries)
        .where(
            d.account_id == bindparam("account_id", type_=a.account_id.type),
            d.webhook_id == bindparam("webhook_id", type_=a.webhook_id.type),
            d.event_id == bindparam("event_id", type_=a.event_id.type),
        )
        .with_for_update(read=True, key_share=True, of=deliveries),
    ),
    bulk=True,
)
ATTEMPTS = Query(
    select(delivery_attempts)
    .where(
        a.account_id == bindparam("account_id"),
        a.webhook_id == bindparam("webhook_id"),
        a.event_id == bindparam("event_id"),
    )
    .order_by(a.id),
    row=AttemptRow,
)
FORGET_ENDPOINT_DELIVERIES = Query(delete(deliveries).where(_OF_ENDPOINT, _IS_PENDING))

# Forgetting, oldest first. A delivery's key begins with its endpoint, so it is found by way of the account's few.
OLDEST = Query(
    across_accounts(
        select(e.seq, e.account_id, e.id, e.created_at)
        .where(e.seq > bindparam("after"))
        .order_by(e.seq)
        .limit(bindparam("most")),
        "retention is the installation's",
    ),
    row=OldRow,
)
_ENDPOINTS = select(w.id).where(w.account_id == bindparam("b_account"))
_PENDING_HERE = (
    select(d.event_id)
    .where(
        d.account_id == bindparam("b_account"),
        d.webhook_id.in_(_ENDPOINTS),
        d.event_id == bindparam("b_event"),
        _IS_PENDING,
    )
    .exists()
)
FORGET_ATTEMPTS = Query(
    delete(delivery_attempts).where(
        a.account_id == bindparam("b_account"),
        a.webhook_id.in_(_ENDPOINTS),
        a.event_id == bindparam("b_event"),
        ~_PENDING_HERE,
    )
)
FORGET_DELIVERIES = Query(
    delete(deliveries).where(
        d.account_id == bindparam("b_account"),
        d.webhook_id.in_(_ENDPOINTS),
        d.event_id == bindparam("b_event"),
        d.state != "pending",
    )
)
FORGET_EVENT = Query(
    delete(events).where(e.account_id == bindparam("b_account"), e.id == bindparam("b_event"), ~_PENDING_HERE)
)

# Erasing a person, by way of the few endpoints too.
OF_SENDER = Query(
    select(e.id).where(
        e.account_id == bindparam("b_account"), e.sender == bindparam("b_sender"), e.seq > bindparam("after")
    ),
    row=EventName,
)


def _of_event(table: Any) -> Query:
    return Query(
        delete(table).where(
            table.c.account_id == bindparam("b_account"),
            table.c.webhook_id.in_(_ENDPOINTS),
            table.c.event_id == bindparam("b_event"),
        )
    )


# Deliveries before their attempts: an attempt is written only while its delivery is there, so that whoever is writing
# one in another process either has written it by now or will not write it.
ERASE = (
    _of_event(deliveries),
    _of_event(delivery_attempts),
    Query(delete(events).where(e.account_id == bindparam("b_account"), e.id == bindparam("b_event"))),
)


# In the words of the indexes that hold them; what was delivered, nearly all, is met along the key.
_HELD_BY = {"pending": _IS_PENDING, "dead": d.state == literal_column("'dead'")}


def deliveries_page(account_id: int, webhook_id: str, before: str, most: int, state: str | None) -> Query[DeliveryRow]:
    """An endpoint's deliveries, newest first."""
    statement = (
        select(deliveries, e.type, _tries(account_id))
        .select_from(_WITH_EVENT)
        .where(d.account_id == account_id, d.webhook_id == webhook_id)
        .order_by(d.event_id.desc())
        .limit(most)
    )
    if before:
        statement = statement.where(d.event_id < before)
    if state is not None:
        statement = statement.where(_HELD_BY.get(state, d.state == state))
    return Query(statement, row=DeliveryRow)
