"""Statements on automatic replies, and on who got which of them when."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, delete, func, insert, select, update

from tablegram.crm.rows import AutoReplyRow, Counted, ReadyReply, UsedBy
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import auto_replies, auto_reply_uses, instances

r, u = auto_replies.c, auto_reply_uses.c
_ONE = and_(r.account_id == bindparam("b_account"), r.instance_id == bindparam("b_instance"), r.id == bindparam("b_id"))
_OF_LINE = and_(r.account_id == bindparam("b_account"), r.instance_id == bindparam("b_instance"))

INSERT = Query(insert(auto_replies).values(columns(auto_replies)))
GET = Query(select(auto_replies).where(_ONE), row=AutoReplyRow)
PAGE = Query(
    select(auto_replies).where(_OF_LINE, r.id > bindparam("after")).order_by(r.id).limit(bindparam("most")),
    row=AutoReplyRow,
)
COUNT = Query(select(func.count().label("n")).where(_OF_LINE), row=Counted)
# With the kind of their line, which their price depends on; replies of a line that is gone are never chosen.
ENABLED = Query(
    select(auto_replies, instances.c.kind.label("line_kind"))
    .select_from(
        auto_replies.join(instances, and_(instances.c.account_id == r.account_id, instances.c.id == r.instance_id))
    )
    .where(r.account_id == bindparam("account_id"), r.enabled == 1, instances.c.deleted_at.is_(None))
    .order_by(r.id),
    row=ReadyReply,
)
UPDATE = Query(
    update(auto_replies)
    .where(_ONE)
    .values(
        enabled=bindparam("enabled"),
        message=bindparam("message"),
        rule=bindparam("rule"),
        cooldown_s=bindparam("cooldown_s"),
    )
)
DELETE = Query(delete(auto_replies).where(_ONE))

# Taken only when the last time is long enough ago, which the same statement decides.
TAKE = Query(
    lambda dialect_insert: (
        dialect_insert(auto_reply_uses)
        .values(columns(auto_reply_uses))
        .on_conflict_do_update(
            index_elements=["account_id", "contact_id", "reply_id"],
            set_={"last_at": bindparam("last_at")},
            where=u.last_at <= bindparam("before", type_=u.last_at.type),
        )
        .returning(u.contact_id)
    ),
    row=UsedBy,
)
_USES = and_(u.account_id == bindparam("b_account"), u.contact_id == bindparam("b_id"))
MOVE_USES = Query(
    lambda dialect_insert: (
        dialect_insert(auto_reply_uses)
        .from_select(
            ["account_id", "contact_id", "reply_id", "last_at"],
            select(u.account_id, bindparam("target", type_=u.contact_id.type), u.reply_id, u.last_at).where(_USES),
        )
        .on_conflict_do_nothing()
    )
)
FORGET_USES = Query(delete(auto_reply_uses).where(_USES))
FORGET_REPLY = Query(
    delete(auto_reply_uses).where(u.account_id == bindparam("b_account"), u.reply_id == bindparam("b_id"))
)
