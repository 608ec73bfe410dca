"""Statements on notifications and notices."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, delete, func, literal_column, null, or_, select, update

from tablegram.engine.purging import old_rows
from tablegram.storage.database import Query
from tablegram.storage.query import columns, told_apart
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import store_notices, store_notifications, store_source_notifications
from tablegram.stores.notifications.rows import NoticeRow, SaidRow, SentRow, ShopWordingRow, UnsentRow, WordingRow
from tablegram.stores.rows import DueRow, NumberRow

s = store_notifications.c
o = store_source_notifications.c
n = store_notices.c
_MINE = n.account_id == bindparam("b_account")
_ONE = and_(_MINE, n.id == bindparam("b_id"))
_WAITS = n.state == "waiting"

# Wordings.
OF_ACCOUNT = Query(select(store_notifications).where(s.account_id == bindparam("b_account")), row=WordingRow)
OF_KIND = Query(
    select(store_notifications).where(s.account_id == bindparam("b_account"), s.kind == bindparam("b_kind")),
    row=WordingRow,
)
SET = Query(
    lambda dialect_insert: (
        dialect_insert(store_notifications)
        .values(columns(store_notifications))
        .on_conflict_do_update(
            index_elements=["account_id", "kind", "step", "language"],
            set_={
                name: bindparam(name, type_=s[name].type) for name in ("enabled", "wording", "updated_at", "updated_by")
            },
        )
    )
)

# Of one shop.
_OF_SOURCE = and_(o.account_id == bindparam("b_account"), o.source_id == bindparam("b_source"))
OF_SOURCE = Query(select(store_source_notifications).where(_OF_SOURCE), row=ShopWordingRow)
OF_SOURCE_KIND = Query(
    select(store_source_notifications).where(_OF_SOURCE, o.kind == bindparam("b_kind")), row=ShopWordingRow
)
SET_FOR_SOURCE = Query(
    lambda dialect_insert: (
        dialect_insert(store_source_notifications)
        .values(columns(store_source_notifications))
        .on_conflict_do_update(
            index_elements=["account_id", "source_id", "kind", "step", "language"],
            set_={
                name: bindparam(name, type_=o[name].type) for name in ("enabled", "wording", "updated_at", "updated_by")
            },
        )
    )
)
UNSET_FOR_SOURCE = Query(
    delete(store_source_notifications).where(
        _OF_SOURCE,
        o.kind == bindparam("b_kind"),
        o.step == bindparam("b_step"),
        o.language == bindparam("b_language"),
    )
)

# Notices. Whoever tells of the same thing again finds it told.
ADD = Query(
    lambda dialect_insert: (
        dialect_insert(store_notices)
        .values(columns(store_notices))
        .on_conflict_do_nothing(index_elements=["account_id", "source_id", "reference", "kind", "step", "part"])
    )
)
LOCK = Query(select(store_notices).where(_ONE).with_for_update(), row=NoticeRow)
_OF_THING = and_(_MINE, n.source_id == bindparam("b_source"), n.reference == bindparam("b_reference"))
OF_THING = Query(select(n.kind, n.state).where(_OF_THING), row=SaidRow)
END = Query(
    update(store_notices)
    .where(_ONE, _WAITS)
    .values(
        state=bindparam("new_state"),
        reason=bindparam("new_reason"),
        message_key=bindparam("new_key", type_=n.message_key.type),
        due_at=null(),
        updated_at=bindparam("now"),
    )
)
MOVE = Query(
    update(store_notices)
    .where(_ONE, _WAITS)
    .values(due_at=bindparam("new_at"), reason=bindparam("new_reason"), updated_at=bindparam("now"))
)
OVERTAKE = Query(
    update(store_notices)
    .where(_OF_THING, n.kind == bindparam("b_kind"), _WAITS)
    .values(state="cancelled", reason="overtaken", due_at=null(), updated_at=bindparam("now"))
)
DUE = Query(
    across_accounts(
        select(n.account_id, n.id)
        .where(n.due_at.is_not(None), n.due_at <= bindparam("now"))
        .order_by(n.due_at)
        .limit(bindparam("most")),
        "one look finds the notices of every account that are due",
    ),
    row=DueRow,
)
SENT_SINCE = Query(
    select(func.count().label("n")).where(
        _MINE,
        n.phone == bindparam("b_phone"),
        n.id >= bindparam("since"),
        told_apart(n.kind) == bindparam("b_kind"),
        told_apart(n.state) == "sent",
    ),
    row=NumberRow,
)
SENT_OF_CART = Query(
    select(n.id, n.message_key, n.instance_id).where(_OF_THING, n.kind == "abandoned_cart", n.state == "sent"),
    row=SentRow,
)
# Its message was taken back before the line had sent it.
TAKE_BACK = Query(
    update(store_notices)
    .where(_ONE, n.state == "sent")
    .values(state="cancelled", reason="bought", updated_at=bindparam("now"))
)
OF_PHONE = Query(
    select(store_notices).where(_MINE, n.phone == bindparam("b_phone")).order_by(n.id.desc()).limit(bindparam("most")),
    row=NoticeRow,
)
# Why nothing was said to a number, the newest first.
UNSENT = Query(
    select(n.id, n.kind, n.number, n.reason, n.updated_at)
    .where(
        _MINE,
        n.phone == bindparam("b_phone"),
        told_apart(n.state).in_(("skipped", "cancelled")),
        or_(
            n.updated_at < bindparam("before_at"),
            and_(n.updated_at == bindparam("before_at"), n.id < bindparam("before_key")),
        ),
        or_(
            bindparam("only_reason", type_=n.reason.type) == "",
            n.reason == bindparam("only_reason", type_=n.reason.type),
        ),
    )
    .order_by(n.updated_at.desc(), n.id.desc())
    .limit(bindparam("most")),
    row=UnsentRow,
)
FORGET = Query(
    update(store_notices)
    .where(_MINE, n.phone == bindparam("b_phone"))
    .values(name="", phone="", number="", facts=literal_column("'{}'"))
)
CANCEL_OF_PHONE = Query(
    update(store_notices)
    .where(_MINE, n.phone == bindparam("b_phone"), told_apart(n.state) == "waiting")
    .values(state="cancelled", reason="erased", due_at=null(), updated_at=bindparam("now"))
)


def page(
    account_id: int, *, kind: str | None, state: str | None, source_id: str | None, phone: str | None,
    search: str | None, after: str | None, most: int,
) -> Query[NoticeRow]:  # fmt: skip
    """Newest first."""
    found = select(store_notices).where(n.account_id == account_id)
    for column, value in ((n.kind, kind), (n.state, state), (n.source_id, source_id), (n.phone, phone)):
        if value is not None:
            found = found.where(column == value)
    if search:
        words = "%" + search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
        like = [column.ilike(words, escape="\\") for column in (n.number, n.name, n.phone)]
        found = found.where(or_(*like, n.reference == search, n.reason == search))
    if after is not None:
        found = found.where(n.id < after)
    return Query(found.order_by(n.id.desc()).limit(most), row=NoticeRow)


forget_notices = old_rows(store_notices, and_(n.created_at < bindparam("before"), n.state != "waiting"), n.id)
