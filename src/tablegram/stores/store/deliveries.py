"""Statements on what shops and forms delivered."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, func, literal_column, or_, select, update

from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import store_deliveries
from tablegram.stores.rows import DeliveryRow, ListedDelivery, NumberRow, UnreadRow, WithId

d = store_deliveries.c
_MINE = d.account_id == bindparam("b_account")
_ONE = and_(_MINE, d.id == bindparam("b_id"))
_OPEN = and_(d.attention != literal_column("''"), d.settled_at.is_(None))
CHUNK = 20

WORKED = ("state", "reason", "detail", "events", "reference", "number", "attention", "worked_at")
# A list shows no bodies: one of them may have megabytes.
_SHOWN = [column for column in d if column.name != "body"]

# The same delivery again is no second one.
INSERT = Query(
    lambda dialect_insert: (
        dialect_insert(store_deliveries)
        .values(columns(store_deliveries))
        .on_conflict_do_nothing(index_elements=["account_id", "source_id", "name"])
        .returning(d.id)
    ),
    row=WithId,
)
GET = Query(select(store_deliveries).where(_ONE), row=DeliveryRow)
LOCK = Query(select(store_deliveries).where(_ONE).with_for_update(), row=DeliveryRow)
LAST = Query(
    select(store_deliveries)
    .where(_MINE, d.source_id == bindparam("b_source"), d.size > 0)
    .order_by(d.id.desc())
    .limit(1),
    row=DeliveryRow,
)
REPLAYED = Query(
    update(store_deliveries)
    .where(_ONE)
    .values({"replays": d.replays + 1, **{name: bindparam(f"new_{name}", type_=d[name].type) for name in WORKED}})
)
NOTE = Query(
    update(store_deliveries).where(_ONE).values({name: bindparam(f"new_{name}", type_=d[name].type) for name in WORKED})
)
SETTLE = Query(
    update(store_deliveries).where(_ONE, _OPEN).values(settled_by=bindparam("new_by"), settled_at=bindparam("now"))
)
OPEN_COUNT = Query(select(func.count().label("n")).where(_MINE, _OPEN), row=NumberRow)
# Whoever is erased: their contact's id stands in what was read; bodies that nobody could read are searched.
NAMING = Query(select(d.id).where(_MINE, d.events.contains(bindparam("b_name"), autoescape=False)), row=WithId)
UNREAD = Query(
    select(d.id, d.body).where(_MINE, d.id > bindparam("after"), d.events == "[]").order_by(d.id).limit(CHUNK),
    row=UnreadRow,
)
FORGET = Query(
    update(store_deliveries).where(_ONE).values(body=b"", headers="{}", events="[]", detail="", reference="", number="")
)


def page(
    account_id: int,
    *,
    source_id: str | None,
    state: str | None,
    open_only: bool,
    query: str,
    before: str | None,
    most: int,
) -> Query[ListedDelivery]:
    """Newest first. `query` is a number, a reference or a topic, or the beginning of one."""
    found = select(*_SHOWN).where(d.account_id == account_id)
    if source_id:
        found = found.where(d.source_id == source_id)
    if state:
        found = found.where(d.state == state)
    if open_only:
        found = found.where(_OPEN)
    if query:
        found = found.where(
            or_(
                d.number.startswith(query, autoescape=True),
                d.number.startswith("#" + query, autoescape=True),
                d.reference.startswith(query, autoescape=True),
                d.topic.startswith(query, autoescape=True),
            )
        )
    if before:
        found = found.where(d.id < before)
    return Query(found.order_by(d.id.desc()).limit(most), row=ListedDelivery)
