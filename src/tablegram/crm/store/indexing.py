"""Statements of the index: what was said and who came since it was last there, and where it stands."""

from __future__ import annotations

from sqlalchemy import bindparam, func, or_, select

from tablegram.crm.rows import CursorRow, Newcomer, NewestOf, NextSaid, SaidRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import accounts, contacts, installation, messages
from tablegram.values.authors import CAMPAIGN

# Most newcomers were never written to before, so a batch of them costs little.
MOST_NEWCOMERS = 200
# Of a long history before anybody was known, the newest part finds them well enough.
MAX_EARLIER = 500
# Up to which message, and up to which contact: the beginnings of the facts that tell it.
INDEXED = "contacts_indexed:"
MET = "contacts_met:"

m = messages.c
c = contacts.c

NEWEST = Query(
    across_accounts(
        select(
            accounts.c.id,
            select(func.max(m.id)).where(m.account_id == accounts.c.id).scalar_subquery().label("newest"),
            select(func.max(c.id)).where(c.account_id == accounts.c.id).scalar_subquery().label("newcomer"),
        ),
        "the engine works for every account",
    ),
    row=NewestOf,
)
CURSORS = Query(
    select(installation).where(installation.c.name.like(INDEXED + "%") | installation.c.name.like(MET + "%")),
    row=CursorRow,
)
KEEP_CURSOR = Query(
    lambda dialect_insert: (
        dialect_insert(installation)
        .values(columns(installation))
        .on_conflict_do_update(
            index_elements=["name"], set_={"value": bindparam("value")}, where=installation.c.value < bindparam("value")
        )
    )
)
NEXT = Query(
    select(m.id, m.phone, m.text, m.created_at, m.sent_by)
    .where(m.account_id == bindparam("account_id"), m.id > bindparam("after"), m.id < bindparam("before"))
    .order_by(m.id)
    .limit(bindparam("most")),
    row=NextSaid,
)
NEWCOMERS = Query(
    select(c.id, c.merged_into)
    .where(c.account_id == bindparam("account_id"), c.id > bindparam("after"), c.id < bindparam("before"))
    .order_by(c.id)
    .limit(MOST_NEWCOMERS),
    row=Newcomer,
)
# What was said under a name before a message. What all were told tells nobody apart.
EARLIER = Query(
    select(m.phone, m.text, m.created_at)
    .where(
        m.account_id == bindparam("account_id"),
        m.phone == bindparam("phone"),
        m.id < bindparam("before"),
        or_(m.sent_by.is_(None), m.sent_by != CAMPAIGN),
    )
    .order_by(m.id.desc())
    .limit(MAX_EARLIER),
    row=SaidRow,
)
