"""Statements on the proofs of pages."""

from __future__ import annotations

from sqlalchemy import BindParameter, and_, bindparam, delete, insert, select, update

from tablegram.engine.purging import Purge, days, old_rows
from tablegram.loyalty.rows import ProofRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import loyalty_proofs

p = loyalty_proofs.c
_ONE = and_(p.account_id == bindparam("b_account"), p.code == bindparam("b_code"))
_OF_CONTACT = and_(p.account_id == bindparam("b_account"), p.contact_id == bindparam("b_contact"))

INSERT = Query(insert(loyalty_proofs).values(columns(loyalty_proofs)))
GET = Query(select(loyalty_proofs).where(_ONE), row=ProofRow)
# The first phone that shows it has it.
PROVE = Query(
    update(loyalty_proofs)
    .where(_ONE, p.contact_id.is_(None), p.expires_at > bindparam("now"))
    .values(
        contact_id=bindparam("target", type_=p.contact_id.type), expires_at=bindparam("until", type_=p.expires_at.type)
    )
)
MOVE = Query(update(loyalty_proofs).where(_OF_CONTACT).values(contact_id=bindparam("target", type_=p.contact_id.type)))
FORGET = Query(delete(loyalty_proofs).where(_OF_CONTACT))
_BEFORE: BindParameter[int] = bindparam("before")
PURGES = (Purge("loyalty proofs", days(1), old_rows(loyalty_proofs, p.expires_at < _BEFORE, p.code)),)
