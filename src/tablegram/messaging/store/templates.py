"""Statements on the templates of lines."""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_, bindparam, case, delete, or_, select, update

from tablegram.messaging.rows.lines import TemplateRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import templates

t = templates.c
_MINE = t.account_id == bindparam("b_account")
_LINE = and_(_MINE, t.instance_id == bindparam("b_line"))
_NAMED = and_(_LINE, t.name == bindparam("b_name"), t.language == bindparam("b_language"))

ALL = Query(select(templates).where(_MINE), row=TemplateRow)
OF_LINE = Query(select(templates).where(_LINE), row=TemplateRow)
GET = Query(select(templates).where(_MINE, t.id == bindparam("b_id"), t.id != ""), row=TemplateRow)
NAMED = Query(select(templates).where(_NAMED), row=TemplateRow)
DELETE = Query(delete(templates).where(_MINE, t.id == bindparam("b_id"), t.id != ""))
# What the network no longer lists, unless somebody has told of it since it was asked.
FORGET = Query(delete(templates).where(_NAMED, t.synced_at < bindparam("before")))


def _upsert(insert: Any) -> Any:
    made = insert(templates).values(columns(templates))
    new = made.excluded
    kept = ("status", "category", "components", "synced_at", "network_id", "quality", "reason", "told_at")
    return made.on_conflict_do_update(
        index_elements=["account_id", "instance_id", "name", "language"],
        set_={
            **{name: new[name] for name in kept},
            # Its own name stays, whoever of two was first.
            "id": case((t.id == "", new.id), else_=t.id),
        },
        where=t.synced_at <= new.synced_at,
    )


# As the network has it now; what somebody has told of it since stays.
KEEP = Query(_upsert)
# Only news makes it known, and only where nobody knows it yet.
MEET = Query(lambda insert: insert(templates).values(columns(templates)).on_conflict_do_nothing())

# News of a status: what is older than what is known changes nothing, and of the same second a decision counts more than
# that one is awaited.
TURN = Query(
    update(templates)
    .where(
        _NAMED,
        or_(
            t.told_at < bindparam("new_told_at"),
            and_(t.told_at == bindparam("new_told_at"), bindparam("new_status", type_=t.status.type) != "PENDING"),
        ),
    )
    .values(
        status=bindparam("new_status"),
        reason=bindparam("new_reason"),
        told_at=bindparam("new_told_at"),
        synced_at=bindparam("now"),
    )
)
RATE = Query(update(templates).where(_NAMED).values(quality=bindparam("new_quality"), synced_at=bindparam("now")))
SORT = Query(update(templates).where(_NAMED).values(category=bindparam("new_category"), synced_at=bindparam("now")))
EDIT = Query(
    update(templates)
    .where(_MINE, t.id == bindparam("b_id"), t.id != "")
    .values(
        status=bindparam("new_status"),
        category=bindparam("new_category"),
        components=bindparam("new_components"),
        reason="",
        edits=bindparam("new_edits"),
        told_at=bindparam("new_told_at"),
        synced_at=bindparam("now"),
    )
)
