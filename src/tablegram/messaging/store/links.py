"""Statements on what belongs to linked lines alone: their sessions, their codes, and what somebody wants of them."""

from __future__ import annotations

from sqlalchemy import BigInteger, and_, bindparam, case, delete, or_, select, update

from tablegram.messaging.rows.lines import LinkedRow, OneLine, SessionRow, ShownRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import linked_lines

c = linked_lines.c
_ONE = and_(c.account_id == bindparam("b_account"), c.instance_id == bindparam("b_id"))
# What belongs to a pairing that is over changes nothing of the one after it.
_SAME = and_(_ONE, c.epoch == bindparam("b_epoch"))


def _unless(wish: str) -> dict[str, object]:
    """A wish of this kind is fulfilled; another stays."""
    return {
        "wish": case((c.wish == wish, ""), else_=c.wish),
        "wish_phone": case((c.wish == wish, ""), else_=c.wish_phone),
    }


MAKE = Query(
    lambda insert: (
        insert(linked_lines)
        .values(columns(linked_lines, "account_id", "instance_id", "updated_at"))
        .on_conflict_do_nothing(index_elements=["account_id", "instance_id"])
    )
)
GET = Query(select(linked_lines).where(_ONE), row=LinkedRow)
KEEP_SESSION = Query(
    update(linked_lines)
    .where(_SAME)
    .values(
        session=bindparam("sealed"),
        linked_at=case((c.linked_at == 0, bindparam("now", type_=BigInteger)), else_=c.linked_at),
        updated_at=bindparam("now"),
    )
)
# Whoever ends a pairing leaves nothing of it. Somebody may want the next one already.
END = Query(
    update(linked_lines)
    .where(_SAME)
    .values(
        epoch=c.epoch + 1,
        session="",
        linked_at=0,
        seen_at=0,
        ended=bindparam("why"),
        code="",
        code_until=0,
        typed="",
        typed_until=0,
        pair_until=case((c.wish == "pair", c.pair_until), else_=0),
        updated_at=bindparam("now"),
        **_unless("logout"),
    )
)
SHOW_CODE = Query(
    update(linked_lines)
    .where(_SAME)
    .values(code=bindparam("sealed"), code_until=bindparam("until"), updated_at=bindparam("now"))
)
SHOW_TYPED = Query(
    update(linked_lines)
    .where(_SAME)
    .values(typed=bindparam("sealed"), typed_until=bindparam("until"), updated_at=bindparam("now"))
)
# A phone has scanned or typed one.
HIDE_CODES = Query(
    update(linked_lines)
    .where(_SAME)
    .values(
        code="",
        code_until=0,
        typed="",
        typed_until=0,
        pair_until=0,
        updated_at=bindparam("now"),
        **_unless("pair"),
    )
)
SEEN = Query(update(linked_lines).where(_SAME).values(seen_at=bindparam("now")))
# Each wish has a moment of its own, so that one is never taken for another.
_WISHED_AT = case((c.wish_at >= bindparam("now", type_=BigInteger), c.wish_at + 1), else_=bindparam("now", type_=BigInteger))  # fmt: skip
WISH = Query(
    update(linked_lines)
    .where(_ONE)
    .values(
        wish=bindparam("what"),
        wish_phone=bindparam("phone"),
        wish_at=_WISHED_AT,
        pair_until=bindparam("pair_until"),
        typed="",
        typed_until=0,
        updated_at=bindparam("now"),
    )
)
# Somebody looks for a code: the line's program runs until then, paired or not.
WANT = Query(update(linked_lines).where(_ONE).values(pair_until=bindparam("pair_until"), updated_at=bindparam("now")))
# Only the wish that was granted is over: another may have come meanwhile.
GRANTED = Query(update(linked_lines).where(_ONE, c.wish_at == bindparam("b_at")).values(wish="", wish_phone=""))
BEGIN_ANEW = Query(update(linked_lines).where(_SAME).values(ended="", updated_at=bindparam("now")))
# The lines that somebody wants something of.
WISHED = Query(
    across_accounts(
        select(c.instance_id).where(c.wish != ""),
        "the engine grants the wishes of every account",
    ),
    row=OneLine,
)
# Which lines show a code, and until when each is good: a new one is good for longer.
SHOWN = Query(
    across_accounts(
        select(c.account_id, c.instance_id, c.epoch, c.code_until, c.typed_until).where(
            or_(c.code_until > 0, c.typed_until > 0)
        ),
        "pages of every account hear of the codes that another process shows",
    ),
    row=ShownRow,
)
FORGET = Query(delete(linked_lines).where(_ONE))
EVERY_SEALED = Query(
    across_accounts(
        select(c.account_id, c.instance_id, c.session).where(c.session != ""),
        "a new secret key seals what every account has",
    ),
    row=SessionRow,
)
# Of the session that was read: another may have been kept meanwhile.
RESEAL = Query(update(linked_lines).where(_ONE, c.session == bindparam("b_sealed")).values(session=bindparam("fresh")))
