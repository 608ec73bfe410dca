"""The coats' table and its statements."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, MetaData, Table, Text, bindparam, delete, func, null, select, update

from tablegram.engine.purging import Purge, days, old_rows
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts

# A real domain's tables stand in `storage/tables`, with a migration.
metadata = MetaData()
coats = Table(
    "coats",
    metadata,
    Column("id", Text, primary_key=True),
    Column("account_id", BigInteger, nullable=False),
    Column("phone", Text, nullable=False),
    Column("colour", Text, nullable=False),
    Column("hung_at", BigInteger, nullable=False),
    Column("brushed_at", BigInteger),
)
c = coats.c

# What the inbox hands over may come twice: the same coat hangs once.
HANG = Query(
    lambda insert: (
        insert(coats)
        .values(columns(coats, "id", "account_id", "phone", "colour", "hung_at"))
        .on_conflict_do_nothing(index_elements=["id"])
    )
)
OF_ACCOUNT = Query(select(coats).where(c.account_id == bindparam("b_account")).order_by(c.id))
OF_PHONE = Query(select(coats).where(c.account_id == bindparam("b_account"), c.phone == bindparam("b_phone")))
FORGET = Query(delete(coats).where(c.account_id == bindparam("b_account"), c.phone == bindparam("b_phone")))
BRUSH = Query(
    across_accounts(
        update(coats).where(c.brushed_at.is_(null())).values(brushed_at=bindparam("now")), "one brush for everybody"
    )
)
COUNT = Query(across_accounts(select(func.count().label("n")).select_from(coats), "the doctor looks at all of them"))

PURGE = Purge("coats", days(7), old_rows(coats, c.hung_at < bindparam("before"), c.id))
