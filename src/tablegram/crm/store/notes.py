"""Statements on what a team notes in conversations."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, delete, insert, select, update

from tablegram.crm.rows import NoteRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import conversation_notes

n = conversation_notes.c
_OF_CONTACT = and_(n.account_id == bindparam("b_account"), n.contact_id == bindparam("b_id"))

INSERT = Query(insert(conversation_notes).values(columns(conversation_notes)))
_newest = select(conversation_notes).where(_OF_CONTACT).order_by(n.id.desc()).limit(bindparam("most"))
PAGE = Query(_newest, row=NoteRow)
PAGE_BEFORE = Query(_newest.where(n.id < bindparam("before")), row=NoteRow)
EVERY = Query(select(conversation_notes).where(_OF_CONTACT).order_by(n.id), row=NoteRow)
DELETE = Query(delete(conversation_notes).where(_OF_CONTACT, n.id == bindparam("b_note")))
FORGET = Query(delete(conversation_notes).where(_OF_CONTACT))
MOVE = Query(
    update(conversation_notes).where(_OF_CONTACT).values(contact_id=bindparam("target", type_=n.contact_id.type))
)
