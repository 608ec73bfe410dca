"""Statements on contacts and the names that networks know them by."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, case, delete, func, insert, null, or_, select, update

from tablegram.crm.rows import AliasRow, ContactRow, KnownAlias, LastSaid, ReceiptRow, WithAccount, WithId
from tablegram.storage.database import Query
from tablegram.storage.query import columns, told_apart
from tablegram.storage.tables import contact_aliases, contacts, erasures, messages

c, al, m = contacts.c, contact_aliases.c, messages.c
_ONE = and_(c.account_id == bindparam("b_account"), c.id == bindparam("b_id"))

# Recognising. The contact is locked, so that nobody merges it away before it is seen. Of many, in the order of their ids, whatever
# name each is found by and whichever way the database takes: two who need the same people never wait for each other. As a
# text of its own it is sorted; by the key itself a database might walk through everybody in that order.
FIND_ALIAS = Query(
    select(
        al.account_id,
        al.kind,
        al.value,
        al.contact_id,
        c.name,
        c.name_is_own,
        c.username,
        c.last_seen_at,
        c.window_until,
        c.merged_into,
    )
    .select_from(contact_aliases.join(contacts, and_(c.account_id == al.account_id, c.id == al.contact_id)))
    .where(al.account_id == bindparam("account_id"), al.kind == bindparam("kind"), al.value == bindparam("value"))
    .order_by(c.account_id, told_apart(c.id))
    .with_for_update(of=contacts),
    row=KnownAlias,
    bulk=True,
)
INSERT = Query(
    insert(contacts).values(
        columns(
            contacts,
            "account_id",
            "id",
            "name",
            "name_is_own",
            "username",
            "language",
            "birthday",
            "tags",
            "notes",
            "consent",
            "consent_at",
            "consent_source",
            "last_instance_id",
            "first_seen_at",
            "last_seen_at",
            "window_until",
        )
    ),
    bulk=True,
)
# Whoever comes second is told who was first. Given in the order of the names, so that two who claim the same wait in one line.
CLAIM_ALIAS = Query(
    lambda dialect_insert: (
        dialect_insert(contact_aliases)
        .values(columns(contact_aliases))
        .on_conflict_do_update(index_elements=["account_id", "kind", "value"], set_={"contact_id": al.contact_id})
        .returning(al.account_id, al.kind, al.value, al.contact_id)
    ),
    row=AliasRow,
    bulk=True,
)
# Callbacks come in any order: what is older than what is known changes nothing but the first sight. Who was added and
# has not written was not seen at that time: their first message counts, however old it is.
_SILENT = c.window_until.is_(None)
_name, _line = bindparam("new_name", type_=c.name.type), bindparam("line", type_=c.last_instance_id.type)
_username = bindparam("new_username", type_=c.username.type)
_first, _last, _until = (bindparam(name, type_=c.last_seen_at.type) for name in ("first", "last", "until"))
SEEN = Query(
    update(contacts)
    .where(_ONE)
    .values(
        name=case((and_(c.name_is_own == 0, _name != ""), _name), else_=c.name),
        username=case((_username != "", _username), else_=c.username),
        first_seen_at=case((c.first_seen_at > _first, _first), else_=c.first_seen_at),
        last_instance_id=case((or_(_SILENT, c.last_seen_at <= _last), _line), else_=c.last_instance_id),
        window_until=case((func.coalesce(c.window_until, 0) < _until, _until), else_=c.window_until),
        # The network tells whole seconds. Another sight within the same second still moves it on, so that whoever has
        # seen or closed the conversation before is told of it.
        last_seen_at=case(
            (or_(_SILENT, c.last_seen_at < _last), _last),
            (c.last_seen_at < _last + 999, c.last_seen_at + 1),
            else_=c.last_seen_at,
        ),
    ),
    bulk=True,
)

# One contact.
GET = Query(select(contacts).where(_ONE), row=ContactRow)
MANY = Query(select(contacts).where(_ONE), row=ContactRow, bulk=True)
LOCK = Query(select(contacts).where(_ONE).with_for_update(), row=ContactRow)
# In no order: asked for one, a database would rather walk through everybody's names in that order.
ALIASES = Query(
    select(al.account_id, al.contact_id, al.kind, al.value).where(
        al.account_id == bindparam("b_account"), al.contact_id == bindparam("b_id")
    ),
    row=AliasRow,
    bulk=True,
)
# The last message in either direction under one number.
LAST_SAID = Query(
    select(m.account_id, m.phone, func.max(m.id).label("last"))
    .where(m.account_id == bindparam("b_account"), m.phone == bindparam("b_phone"))
    .group_by(m.account_id, m.phone),
    row=LastSaid,
    bulk=True,
)
UPDATE = Query(
    update(contacts)
    .where(_ONE)
    .values(
        {
            name: bindparam(f"new_{name}", type_=c[name].type)
            for name in (
                "name",
                "name_is_own",
                "language",
                "birthday",
                "tags",
                "notes",
                "consent",
                "consent_at",
                "consent_source",
            )
        }
    )
)
NAME_UNNAMED = Query(
    update(contacts).where(_ONE, c.name == "", c.name_is_own == 0).values(name=bindparam("new_name", type_=c.name.type))
)
DELETE = Query(delete(contacts).where(_ONE))
DELETE_ALIASES = Query(
    delete(contact_aliases).where(al.account_id == bindparam("b_account"), al.contact_id == bindparam("b_id"))
)

# Merging. What is left of the one that goes holds nothing about the person but where they went.
JOINED = Query(
    update(contacts)
    .where(_ONE)
    .values(
        {
            name: bindparam(f"new_{name}", type_=c[name].type)
            for name in (
                "name",
                "name_is_own",
                "username",
                "language",
                "birthday",
                "tags",
                "notes",
                "consent",
                "consent_at",
                "consent_source",
                "last_instance_id",
                "first_seen_at",
                "last_seen_at",
                "window_until",
            )
        }
    )
)
MOVE_ALIASES = Query(
    update(contact_aliases)
    .where(al.account_id == bindparam("b_account"), al.contact_id == bindparam("b_from"))
    .values(contact_id=bindparam("target"))
)
MERGED = Query(
    update(contacts)
    .where(_ONE)
    .values(
        merged_into=bindparam("target"),
        name="",
        username="",
        tags="[]",
        notes="",
        language="",
        birthday="",
        consent="unknown",
        consent_at=null(),
        consent_source="",
    )
)
MERGED_INTO = Query(
    select(c.id).where(c.account_id == bindparam("b_account"), c.merged_into == bindparam("b_id")), row=WithId
)

# What remains of who was erased.
KEEP_RECEIPT = Query(insert(erasures).values(columns(erasures)))
ANY_ERASED = Query(
    select(erasures.c.account_id).where(erasures.c.account_id == bindparam("b_account")).limit(1), row=WithAccount
)
RECEIPT = Query(
    select(erasures).where(erasures.c.account_id == bindparam("b_account"), erasures.c.contact_id == bindparam("b_id")),
    row=ReceiptRow,
)
