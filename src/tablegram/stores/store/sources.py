"""Statements on sources."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, insert, or_, select, update

from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import store_sources
from tablegram.stores.rows import SealedShop, ShopName, ShopRow

s = store_sources.c
_MINE = s.account_id == bindparam("b_account")
_THERE = s.removed_at.is_(None)
_ONE = and_(_MINE, s.id == bindparam("b_id"))

CHANGING = (
    "name",
    "hook_hash",
    "hook_sealed",
    "secret_sealed",
    "country",
    "currency",
    "mapping",
    "instance_id",
    "venue_id",
    "is_active",
    "updated_at",
)

INSERT = Query(insert(store_sources).values(columns(store_sources)))
GET = Query(select(store_sources).where(_ONE, _THERE), row=ShopRow)
# Removed ones too: what they delivered may still be worked on.
EVER = Query(select(store_sources).where(_ONE), row=ShopRow)
LOCK = Query(select(store_sources).where(_ONE, _THERE).with_for_update(), row=ShopRow)
ALL = Query(select(store_sources).where(_MINE, _THERE).order_by(s.id), row=ShopRow)
NAMES = Query(select(s.id, s.name, s.platform).where(_MINE), row=ShopName)
BY_HOOK = Query(
    across_accounts(
        select(store_sources).where(s.hook_hash == bindparam("b_hash"), _THERE),
        "a shop names the key of its hook alone, and that tells whose it is",
    ),
    row=ShopRow,
)
UPDATE = Query(
    update(store_sources)
    .where(_ONE, _THERE)
    .values({name: bindparam(f"new_{name}", type_=s[name].type) for name in CHANGING})
)
HEARD = Query(
    update(store_sources)
    .where(_ONE, or_(s.heard_at.is_(None), s.heard_at < bindparam("now")))
    .values(heard_at=bindparam("now"))
)
REMOVE = Query(
    update(store_sources)
    .where(_ONE, _THERE)
    .values(removed_at=bindparam("now"), updated_at=bindparam("now"), is_active=0)
)
SEALED = Query(
    across_accounts(
        select(s.account_id, s.id, s.hook_sealed, s.secret_sealed),
        "what is sealed is sealed again under a new key, whoever it belongs to",
    ),
    row=SealedShop,
)
SEAL_AGAIN = Query(
    update(store_sources)
    .where(_ONE, s.hook_sealed == bindparam("b_old"))
    .values(hook_hash=bindparam("new_hash"), hook_sealed=bindparam("new_hook"), secret_sealed=bindparam("new_secret"))
)
