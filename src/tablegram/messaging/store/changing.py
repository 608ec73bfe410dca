"""Statements on what becomes of a message after it was kept: changed, taken back, completed."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, func, or_, update

from tablegram.messaging.rows.messages import KeyRow
from tablegram.storage.database import Query
from tablegram.storage.tables import messages

m = messages.c
_ONE = and_(m.account_id == bindparam("b_account"), m.id == bindparam("b_id"))
_at = bindparam("at", type_=m.edited_at.type)
_text, _content = bindparam("new_text", type_=m.text.type), bindparam("new_content", type_=m.content.type)

# Changes come repeated and in any order: the last one holds, and what was taken back stays so.
EDIT = Query(
    update(messages)
    .where(
        _ONE, m.deleted_at.is_(None), func.coalesce(m.edited_at, 0) < _at, or_(m.text != _text, m.edited_at.is_(None))
    )
    .values(text=_text, content=_content, edited_at=_at)
    .returning(m.id),
    row=KeyRow,
)
# What its writer took back is not kept.
TAKE_BACK = Query(
    update(messages).where(_ONE, m.deleted_at.is_(None)).values(text="", content="{}", deleted_at=_at).returning(m.id),
    row=KeyRow,
)
# A message of an earlier time that was told without its file at first.
FILL = Query(
    update(messages)
    .where(
        m.account_id == bindparam("b_account"),
        m.instance_id == bindparam("b_instance"),
        m.network_id == bindparam("b_network_id"),
        m.type == "unsupported",
        m.deleted_at.is_(None),
    )
    .values(type=bindparam("new_type", type_=m.type.type), text=_text, content=_content)
    .returning(m.id),
    row=KeyRow,
)
