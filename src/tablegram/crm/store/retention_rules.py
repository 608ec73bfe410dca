"""Statements on how long accounts keep what they know of people."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, or_, select

from tablegram.crm.rows import RulesRow, SilentContact
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import contacts, retention_rules

c, r = contacts.c, retention_rules.c

GET = Query(select(retention_rules).where(r.account_id == bindparam("b_account")), row=RulesRow)
PUT = Query(
    lambda dialect_insert: (
        made := dialect_insert(retention_rules).values(columns(retention_rules))
    ).on_conflict_do_update(
        index_elements=[r.account_id],
        set_={name: made.excluded[name] for name in ("message_days", "contact_days", "updated_at")},
    )
)
EVERY = Query(
    across_accounts(select(retention_rules).order_by(r.account_id), "what is old goes in every account"), row=RulesRow
)
_AFTER_AT = bindparam("after_at", type_=c.last_seen_at.type)
SILENT = Query(
    select(c.id, c.last_seen_at)
    .where(
        c.account_id == bindparam("b_account"),
        c.merged_into.is_(None),
        c.last_seen_at < bindparam("before", type_=c.last_seen_at.type),
        or_(c.last_seen_at > _AFTER_AT, and_(c.last_seen_at == _AFTER_AT, c.id > bindparam("after_id"))),
    )
    .order_by(c.last_seen_at, c.id)
    .limit(bindparam("most")),
    row=SilentContact,
)
