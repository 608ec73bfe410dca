"""Statements on carts and on the tabs that join them."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, case, or_, select, update

from tablegram.restaurant.rows import WithId
from tablegram.restaurant.rows.guests import CartCode, CartRow, RepeatedRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import carts, tabs

c, t = carts.c, tabs.c
_ONE = and_(c.account_id == bindparam("b_account"), c.code == bindparam("b_code"))
_OPEN_OF_TAB = and_(
    c.account_id == bindparam("b_account"),
    c.tab_id == bindparam("b_tab"),
    c.state == "open",
    c.expires_at > bindparam("now", type_=c.expires_at.type),
)
_CHANGES = ("lines", "notes", "destination", "language", "order_type", "tab_id", "offers_text", "offers_at", "revision",
            "expires_at", "updated_at")  # fmt: skip
# So many phones at one table are shown what the others chose; a cart has at most some kilobytes.
MAX_SHARED = 40

INSERT = Query(
    lambda dialect_insert: dialect_insert(carts).values(columns(carts)).on_conflict_do_nothing().returning(*carts.c),
    row=CartRow,
)
GET = Query(select(carts).where(_ONE), row=CartRow)
LOCK = Query(select(carts).where(_ONE).with_for_update(), row=CartRow)
BY_HOLDER = Query(
    select(carts).where(c.account_id == bindparam("b_account"), c.holder == bindparam("b_holder")), row=CartRow
)
UPDATE = Query(
    update(carts).where(_ONE).values({name: bindparam(f"new_{name}", type_=c[name].type) for name in _CHANGES})
)
_PHONE, _NAME = bindparam("new_phone", type_=c.phone.type), bindparam("new_name", type_=c.name.type)
# What the guest left on the page stays where the message brings nothing.
ORDERED = Query(
    update(carts)
    .where(_ONE)
    .values(
        state="ordered",
        phone=case((_PHONE != "", _PHONE), else_=c.phone),
        name=case((_NAME != "", _NAME), else_=c.name),
        updated_at=bindparam("now", type_=c.updated_at.type),
    )
)
_NOW = bindparam("now", type_=c.updated_at.type)
SEAT = Query(
    update(carts)
    .where(_ONE)
    .values(
        order_type=bindparam("new_order_type", type_=c.order_type.type),
        table_id=bindparam("new_table", type_=c.table_id.type),
        tab_id=bindparam("new_tab", type_=c.tab_id.type),
        updated_at=_NOW,
    )
)
CLAIM = Query(update(carts).where(_ONE).values(phone=_PHONE, name=_NAME, updated_at=_NOW))
REPEATED = Query(update(carts).where(_ONE).values(repeats=c.repeats + 1).returning(c.repeats), row=RepeatedRow)
# Carts that were read from a guest's text, or claimed by them, and wait for a word of theirs.
_ASKED = and_(c.account_id == bindparam("b_account"), c.phone == bindparam("b_phone"), c.phone != "", c.state == "open")
LOCK_ASKED = Query(
    select(carts)
    .where(_ASKED, c.updated_at > bindparam("since", type_=c.updated_at.type), c.expires_at > _NOW)
    .order_by(c.updated_at.desc(), c.code)
    .limit(1)
    .with_for_update(),
    row=CartRow,
)
LOCK_TABS_OF_ASKED = Query(
    select(t.id)
    .where(t.account_id == bindparam("b_account"), t.id.in_(select(c.tab_id).where(_ASKED)))
    .order_by(t.id)
    .with_for_update(),
    row=WithId,
)
EXPIRE_ASKED = Query(update(carts).where(_ASKED).values(state="expired", updated_at=_NOW))
EXPIRE = Query(
    across_accounts(
        update(carts).where(c.state == "open", c.expires_at <= bindparam("now")).values(state="expired"),
        "the clock closes carts that nobody sent, whoever they belong to",
    )
)
# What guests who proved the table have chosen lately.
_SHARED = and_(c.is_signed == 1, c.updated_at > bindparam("since", type_=c.updated_at.type))
SHARED_AT_TAB = Query(
    select(carts)
    .where(_OPEN_OF_TAB, _SHARED, c.lines != "[]")
    .order_by(c.updated_at.desc(), c.code)
    # Beside the guest's own.
    .limit(MAX_SHARED + 1),
    row=CartRow,
)
LOCK_SHARED = Query(
    select(carts).where(_OPEN_OF_TAB, or_(_SHARED, c.code == bindparam("b_code"))).order_by(c.code).with_for_update(),
    row=CartRow,
)
KEEP_LONGER = Query(update(carts).where(_ONE).values(expires_at=bindparam("until", type_=c.expires_at.type)))
# What a table's code proved is proved no more once the code is another one. Such a cart ends where it began, which no
# other cart does: so it is told from one that was merely left lying.
_SIGNED = and_(
    c.account_id == bindparam("b_account"), c.venue_id == bindparam("b_venue"), c.is_signed == 1, c.state == "open"
)
_SIGNED_AT_TABLE = and_(_SIGNED, c.table_id == bindparam("b_table"))
LOCK_SIGNED = Query(select(c.code).where(_SIGNED).order_by(c.code).with_for_update(), row=CartCode)
LOCK_SIGNED_AT_TABLE = Query(select(c.code).where(_SIGNED_AT_TABLE).order_by(c.code).with_for_update(), row=CartCode)
WITHDRAW = Query(update(carts).where(_SIGNED).values(state="expired", expires_at=c.created_at))
WITHDRAW_AT_TABLE = Query(update(carts).where(_SIGNED_AT_TABLE).values(state="expired", expires_at=c.created_at))
LOCK_OF_TAB = Query(select(carts).where(_OPEN_OF_TAB).order_by(c.code).with_for_update(), row=CartRow)
EXPIRE_OF_TAB = Query(update(carts).where(_OPEN_OF_TAB).values(state="expired", updated_at=bindparam("now")))

_OPEN_TAB = and_(t.account_id == bindparam("b_account"), t.table_id == bindparam("b_table"), t.state == "open")
INSERT_TAB = Query(
    lambda dialect_insert: (
        dialect_insert(tabs)
        .values(columns(tabs, "account_id", "id", "venue_id", "table_id", "state", "opened_at", "last_at"))
        .on_conflict_do_nothing()
    )
)
LOCK_TAB = Query(
    select(t.id).where(t.account_id == bindparam("b_account"), t.id == bindparam("b_tab")).with_for_update(), row=WithId
)
JOIN_TAB = Query(update(tabs).where(_OPEN_TAB).values(last_at=bindparam("now")).returning(t.id), row=WithId)
# The tab of somebody who looks, as long as anybody sits there.
TAB_IN_USE = Query(
    select(t.id).where(
        t.account_id == bindparam("b_account"),
        t.id == bindparam("b_tab"),
        t.state == "open",
        t.last_at > bindparam("idle_since", type_=t.last_at.type),
    ),
    row=WithId,
)
CLOSE_IDLE_TAB = Query(
    update(tabs)
    .where(_OPEN_TAB, t.last_at <= bindparam("idle_since"))
    .values(state="closed", closed_at=bindparam("now"))
)
