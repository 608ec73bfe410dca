"""Statements on what was read back to guests, on what they want changed, and on how often they were answered."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, case, delete, insert, or_, select, update

from tablegram.restaurant.rows import WhichRow
from tablegram.restaurant.rows.guests import DraftRow, RequestRow, WordCount
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import last_words, order_drafts, order_requests, orders

d, r, w = order_drafts.c, order_requests.c, last_words.c
_MINE = and_(
    d.account_id == bindparam("b_account"), d.venue_id == bindparam("b_venue"), d.phone == bindparam("b_phone")
)
_ONE = and_(d.account_id == bindparam("b_account"), d.id == bindparam("b_id"))

# What may change while a draft is open.
CHANGING = (
    "state", "language", "lines", "order_type", "table_id", "table_label", "address", "route_url", "destination",
    "notes", "missed", "is_sure", "total", "revision", "order_id", "updated_at", "expires_at",
)  # fmt: skip

INSERT = Query(insert(order_drafts).values(columns(order_drafts)))
# The open one, and otherwise the newest: what a yes that comes too late was about.
LOCK_LATEST = Query(
    select(order_drafts)
    .where(_MINE, d.state != "waiting")
    .order_by(case((d.state == "open", 0), else_=1), d.updated_at.desc(), d.id.desc())
    .limit(1)
    .with_for_update(),
    row=DraftRow,
)
LOCK = Query(select(order_drafts).where(_ONE).with_for_update(), row=DraftRow)
NEXT = Query(
    select(order_drafts).where(_MINE, d.state == "waiting").order_by(d.id).limit(1).with_for_update(), row=DraftRow
)
REPLACE = Query(
    update(order_drafts)
    .where(_MINE, d.state.in_(["open", "waiting"]))
    .values(state="replaced", updated_at=bindparam("now", type_=d.updated_at.type))
)
UPDATE = Query(
    update(order_drafts)
    .where(_ONE, d.state.in_(["open", "waiting"]))
    .values({name: bindparam(f"new_{name}", type_=d[name].type) for name in CHANGING})
)
DUE = Query(
    across_accounts(
        select(d.account_id, d.id)
        .where(d.state.in_(["open", "waiting"]), d.expires_at <= bindparam("now", type_=d.expires_at.type))
        .order_by(d.expires_at)
        .limit(1_000),
        "the clock ends what nobody confirmed, whoever it belongs to",
    ),
    row=WhichRow,
)
MOVE = Query(
    update(order_drafts)
    .where(d.account_id == bindparam("b_account"), d.contact_id == bindparam("b_from"))
    .values(contact_id=bindparam("target", type_=d.contact_id.type))
)
FORGET = Query(
    delete(order_drafts).where(
        d.account_id == bindparam("b_account"),
        or_(d.contact_id == bindparam("b_contact"), d.phone == bindparam("b_phone")),
    )
)

ASK_STAFF = Query(insert(order_requests).values(columns(order_requests)))
REPLACE_REQUEST = Query(
    update(order_requests)
    .where(r.account_id == bindparam("b_account"), r.order_id == bindparam("b_order"), r.state == "open")
    .values(state="replaced", answered_at=bindparam("now", type_=r.answered_at.type))
)
LOCK_REQUEST = Query(
    select(order_requests)
    .where(r.account_id == bindparam("b_account"), r.id == bindparam("b_id"), r.state == "open")
    .with_for_update(),
    row=RequestRow,
)
# Of orders that are not over.
OPEN_REQUESTS = Query(
    select(order_requests)
    .join(orders, and_(orders.c.account_id == r.account_id, orders.c.order_id == r.order_id))
    .where(
        r.account_id == bindparam("b_account"),
        r.venue_id == bindparam("b_venue"),
        r.state == "open",
        orders.c.closed_at.is_(None),
    )
    .order_by(r.created_at, r.id),
    row=RequestRow,
)
ANSWER_REQUEST = Query(
    update(order_requests)
    .where(r.account_id == bindparam("b_account"), r.id == bindparam("b_id"), r.state == "open")
    .values(
        state=bindparam("new_state", type_=r.state.type),
        answered_at=bindparam("now", type_=r.answered_at.type),
        answered_by=bindparam("by", type_=r.answered_by.type),
    )
)
FORGET_REQUEST = Query(
    update(order_requests)
    .where(r.account_id == bindparam("b_account"), r.order_id == bindparam("b_order"))
    .values(words="")
)

# One statement counts and tells; after a while it counts anew.
COUNT_WORD = Query(
    lambda dialect_insert: (
        dialect_insert(last_words)
        .values(columns(last_words))
        .on_conflict_do_update(
            index_elements=["account_id", "venue_id", "phone"],
            set_={
                "count": case((w.since <= bindparam("before", type_=w.since.type), 1), else_=w.count + 1),
                "since": case(
                    (w.since <= bindparam("before", type_=w.since.type), bindparam("since", type_=w.since.type)),
                    else_=w.since,
                ),
            },
        )
        .returning(w.count)
    ),
    row=WordCount,
)
FORGET_WORDS = Query(delete(last_words).where(w.account_id == bindparam("b_account"), w.phone == bindparam("b_phone")))
