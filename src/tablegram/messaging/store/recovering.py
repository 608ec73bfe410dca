"""Statements on messages that somebody left behind: a dead process, a clock that was set back, a line that was deleted."""

from __future__ import annotations

from sqlalchemy import BigInteger, and_, bindparam, case, null, or_, select, update

from tablegram.messaging.rows.lines import LineName
from tablegram.messaging.rows.messages import ClaimantRow, LeftRow, StaleRow
from tablegram.storage.database import Query
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import instances, messages

m = messages.c

# A process died while it was asking: whether the network heard it is unknown.
RECOVER = Query(
    across_accounts(
        update(messages)
        .where(m.state == "queued", m.claimed_by == bindparam("owner"))
        .values(
            due_at=bindparam("next_at"),
            doubt_at=bindparam("now"),
            attempts=m.attempts + 1,
            error_code="outcome_unknown",
            error_detail="The gateway stopped while it was sending.",
            claimed_by=null(),
            claimed_at=null(),
        ),
        "a dead process held messages of every account",
    )
)
CLAIMANTS = Query(
    across_accounts(
        select(m.claimed_by).where(m.state == "queued", m.claimed_by.is_not(None)).distinct(),
        "a dead process held messages of every account",
    ),
    row=ClaimantRow,
)
DOUBT_ON = Query(
    across_accounts(
        update(messages)
        .where(m.state == "queued", m.claimed_by.is_(None), m.doubt_at.is_not(None), m.due_at < bindparam("latest"))
        .values(
            due_at=case(
                (m.due_at + bindparam("unheard_ms", type_=BigInteger) < bindparam("earliest"), bindparam("earliest")),
                (m.due_at + bindparam("unheard_ms", type_=BigInteger) > bindparam("latest"), bindparam("latest")),
                else_=m.due_at + bindparam("unheard_ms", type_=BigInteger),
            )
        ),
        "the doubts of every account wait on after a start",
    )
)
# The clock was set back since they were queued. What waits by `send_at` expires so much later, and stays where it is.
DUE_TOO_LATE = Query(
    across_accounts(
        update(messages)
        .where(
            m.state == "queued",
            m.claimed_by.is_(None),
            m.due_at > bindparam("soon", type_=BigInteger),
            or_(
                and_(m.due_at <= m.created_at, m.doubt_at.is_(None)),
                and_(
                    m.due_at > bindparam("latest", type_=BigInteger),
                    or_(m.attempts > 0, m.expires_at <= m.created_at + bindparam("max_age_ms", type_=BigInteger)),
                ),
            ),
        )
        .values(
            due_at=case(
                (m.doubt_at.is_not(None), bindparam("doubt_until", type_=BigInteger)),
                else_=bindparam("now", type_=BigInteger),
            )
        )
        .returning(m.account_id, m.instance_id),
        "the clock is that of every account",
    ),
    row=LineName,
)
STALE_CLAIMS = Query(
    across_accounts(
        select(m.account_id, m.id, m.instance_id).where(
            m.state == "queued", m.claimed_by == bindparam("owner"), m.claimed_at < bindparam("before")
        ),
        "the engine looks after its own claims, whose ever they are",
    ),
    row=StaleRow,
)
EXPIRED = Query(
    across_accounts(
        select(m.account_id, m.id, m.phone, m.attempts, m.expires_at, m.instance_id, m.trace)
        .where(m.state == "queued", m.due_at.is_not(None), m.expires_at <= bindparam("now"))
        .limit(500),
        "the engine works for every account",
    ),
    row=LeftRow,
)
# Their line was deleted, so that nobody will ever send them.
ORPHANED = Query(
    across_accounts(
        select(m.account_id, m.id, m.phone, m.attempts, m.expires_at, m.instance_id, m.trace)
        .select_from(messages.join(instances, instances.c.id == m.instance_id))
        .where(m.state == "queued", m.due_at.is_not(None), instances.c.deleted_at.is_not(None))
        .limit(500),
        "the engine works for every account",
    ),
    row=LeftRow,
)
