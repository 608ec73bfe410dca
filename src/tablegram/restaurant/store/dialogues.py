"""Statements on what guests were asked about their texts."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, delete, select, update

from tablegram.restaurant.rows.guests import DialogueRow
from tablegram.restaurant.rows.orders import OrderKey
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import dialogues, orders

d, o = dialogues.c, orders.c
_ONE = and_(d.account_id == bindparam("b_account"), d.venue_id == bindparam("b_venue"), d.phone == bindparam("b_phone"))
_CHANGES = [column.name for column in dialogues.c if not column.primary_key]

GET = Query(select(dialogues).where(_ONE), row=DialogueRow)
LOCK = Query(select(dialogues).where(_ONE).with_for_update(), row=DialogueRow)
KEEP = Query(
    lambda dialect_insert: (made := dialect_insert(dialogues).values(columns(dialogues))).on_conflict_do_update(
        index_elements=["account_id", "venue_id", "phone"],
        set_={name: made.excluded[name] for name in _CHANGES},
    )
)
FORGET = Query(delete(dialogues).where(_ONE))
# What they wrote goes; what they were asked, and answered, is compared with what comes next.
CLOSE = Query(
    update(dialogues)
    .where(_ONE)
    .values(
        state="answered",
        text="",
        progress=bindparam("new_progress", type_=d.progress.type),
        asked=bindparam("new_asked", type_=d.asked.type),
        asked_at=bindparam("now", type_=d.asked_at.type),
    )
)
ORDERED_SINCE = Query(
    select(o.id)
    .where(
        o.account_id == bindparam("b_account"),
        o.contact_id == bindparam("b_contact"),
        o.venue_id == bindparam("b_venue"),
        o.created_at > bindparam("since", type_=o.created_at.type),
    )
    .limit(1),
    row=OrderKey,
)

MOVE = Query(
    update(dialogues)
    .where(d.account_id == bindparam("b_account"), d.contact_id == bindparam("b_from"))
    .values(contact_id=bindparam("target", type_=d.contact_id.type))
)
FORGET_CONTACT = Query(
    delete(dialogues).where(d.account_id == bindparam("b_account"), d.contact_id == bindparam("b_contact"))
)
FORGET_PHONE = Query(delete(dialogues).where(d.account_id == bindparam("b_account"), d.phone == bindparam("b_phone")))
