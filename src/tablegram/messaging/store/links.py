"""Statements on what belongs to linked lines alone: their sessions, their codes, and what somebody wants of them."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, delete, select, update

from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import linked_lines

c = linked_lines.c
_ONE = and_(c.account_id == bindparam("b_account"), c.instance_id == bindparam("b_id"))

MAKE = Query(
    lambda insert: (
        insert(linked_lines)
        .values(columns(linked_lines, "account_id", "instance_id", "updated_at"))
        .on_conflict_do_nothing(index_elements=["account_id", "instance_id"])
    )
)
GET = Query(select(linked_lines).where(_ONE))
KEEP_SESSION = Query(update(linked_lines).where(_ONE).values(session=bindparam("sealed"), updated_at=bindparam("now")))
# Whoever ends a pairing leaves nothing of it.
END = Query(
    update(linked_lines)
    .where(_ONE)
    .values(
        session="",
        ended=bindparam("why"),
        wish="",
        wish_phone="",
        code="",
        code_until=0,
        typed="",
        typed_until=0,
        updated_at=bindparam("now"),
    )
)
SHOW_CODE = Query(
    update(linked_lines)
    .where(_ONE)
    .values(code=bindparam("sealed"), code_until=bindparam("until"), updated_at=bindparam("now"))
)
SHOW_TYPED = Query(
    update(linked_lines)
    .where(_ONE)
    .values(typed=bindparam("sealed"), typed_until=bindparam("until"), updated_at=bindparam("now"))
)
HIDE_CODES = Query(
    update(linked_lines)
    .where(_ONE)
    .values(code="", code_until=0, typed="", typed_until=0, wish="", wish_phone="", updated_at=bindparam("now"))
)
WISH = Query(
    update(linked_lines)
    .where(_ONE)
    .values(
        wish=bindparam("what"),
        wish_phone=bindparam("phone"),
        wish_at=bindparam("now"),
        typed="",
        typed_until=0,
        updated_at=bindparam("now"),
    )
)
# Only the wish that was granted is over: another may have come meanwhile.
GRANTED = Query(update(linked_lines).where(_ONE, c.wish_at == bindparam("b_at")).values(wish="", wish_phone=""))
BEGIN_ANEW = Query(update(linked_lines).where(_ONE).values(ended="", updated_at=bindparam("now")))
FORGET = Query(delete(linked_lines).where(_ONE))
EVERY_SEALED = Query(
    across_accounts(
        select(c.account_id, c.instance_id, c.session).where(c.session != ""),
        "a new secret key seals what every account has",
    )
)
# Of the session that was read: another may have been kept meanwhile.
RESEAL = Query(update(linked_lines).where(_ONE, c.session == bindparam("b_sealed")).values(session=bindparam("fresh")))
