"""Statements that take a person out of the messages and leave the messages themselves: counts and costs stay true."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Case, and_, bindparam, case, null, select, update

from tablegram.messaging.rows.messages import KeyRow, NamedRow
from tablegram.storage.database import Query
from tablegram.storage.tables import messages

m = messages.c
_OF_PHONE = and_(m.account_id == bindparam("b_account"), m.phone == bindparam("b_phone"))
# What a message is when nothing is left of it; still of the shape that the queue reads.
_NOTHING = '{"content":{"type":"text","body":""},"reply_to":""}'

_ERASED = "The contact was erased."

KEYS = Query(select(m.id).where(_OF_PHONE).order_by(m.id), row=KeyRow)
# Nobody may be written to who has just been erased.
CANCEL = Query(
    update(messages)
    .where(_OF_PHONE, m.state == "queued")
    .values(
        state="cancelled",
        due_at=null(),
        doubt_at=null(),
        claimed_by=null(),
        claimed_at=null(),
        failed_at=bindparam("now"),
        error_code="cancelled",
        error_detail=_ERASED,
        error_network_code=null(),
    )
    .returning(m.id),
    row=KeyRow,
)
# The network's words about a failure may name them; its code does not.
_OWN_WORDS = case((m.error_code == "cancelled", m.error_detail), else_=null())
EMPTY = Query(
    update(messages)
    .where(_OF_PHONE)
    .values(phone=bindparam("token"), text="", content=_NOTHING, error_detail=_OWN_WORDS)
)


def _if_queued(then: Any, otherwise: Any) -> Case[Any]:
    return case((m.state == "queued", then), else_=otherwise)


# What a part of the product wrote to somebody else about a person, within a while: whoever it went to stays.
EMPTY_ABOUT = Query(
    update(messages)
    .where(
        m.account_id == bindparam("b_account"),
        m.id > bindparam("after"),
        m.id < bindparam("before"),
        m.sent_by == bindparam("b_by"),
        m.text.contains(bindparam("words", type_=m.text.type)),
    )
    .values(
        text="",
        content=_NOTHING,
        # What had not gone yet never goes, and says since when and why.
        state=_if_queued("cancelled", m.state),
        failed_at=_if_queued(bindparam("now", type_=m.failed_at.type), m.failed_at),
        error_code=_if_queued("cancelled", m.error_code),
        error_detail=_if_queued(_ERASED, _OWN_WORDS),
        error_network_code=_if_queued(null(), m.error_network_code),
        **{one.name: _if_queued(null(), one) for one in (m.due_at, m.doubt_at, m.claimed_by, m.claimed_at)},
    )
)
NETWORK_IDS = Query(select(m.id, m.network_id).where(_OF_PHONE, m.network_id.is_not(None)), row=NamedRow)
HIDE_NETWORK_ID = Query(
    update(messages)
    .where(m.account_id == bindparam("b_account"), m.id == bindparam("b_id"))
    .values(network_id=bindparam("hashed"))
)
