"""Statements on links that lead a person to what is held of them."""

from __future__ import annotations

from sqlalchemy import bindparam, func, insert, select

from tablegram.crm.rows import Counted, DataLinkRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import accounts, data_links

d = data_links.c

INSERT = Query(insert(data_links).values(columns(data_links)))
# Who has the link shows whose it is; nothing else about it names an account.
BY_KEY = Query(
    across_accounts(
        select(data_links, accounts.c.name.label("account_name"))
        .select_from(data_links.join(accounts, accounts.c.id == d.account_id))
        .where(d.key_hash == bindparam("b_hash"), d.expires_at > bindparam("now", type_=d.expires_at.type)),
        "the key of the link is the only thing that its holder has",
    ),
    row=DataLinkRow,
)
COUNT = Query(
    select(func.count().label("n")).where(
        d.account_id == bindparam("b_account"),
        d.contact_id == bindparam("b_id"),
        d.created_at > bindparam("after", type_=d.created_at.type),
    ),
    row=Counted,
)
