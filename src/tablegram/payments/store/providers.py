"""Statements on accesses to providers."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, insert, select, update

from tablegram.payments.rows import AccessName, AccessRow, SealedAccess
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import payment_providers

p = payment_providers.c
_MINE = p.account_id == bindparam("b_account")
_THERE = p.removed_at.is_(None)
_ONE = and_(_MINE, p.id == bindparam("b_id"))

CHANGING = ("mode", "keys_sealed", "checked_at", "updated_at")

INSERT = Query(insert(payment_providers).values(columns(payment_providers)))
GET = Query(select(payment_providers).where(_ONE, _THERE), row=AccessRow)
# Removed ones too: their links may still be paid.
EVER = Query(select(payment_providers).where(_ONE), row=AccessRow)
LOCK = Query(select(payment_providers).where(_ONE, _THERE).with_for_update(), row=AccessRow)
ALL = Query(select(payment_providers).where(_MINE, _THERE).order_by(p.id), row=AccessRow)
NAMES = Query(select(p.id, p.provider, p.mode).where(_MINE), row=AccessName)
BY_HOOK = Query(
    across_accounts(
        select(payment_providers).where(p.hook_hash == bindparam("b_hash")),
        "a provider names the key of its hook alone, and that tells whose it is",
    ),
    row=AccessRow,
)
UPDATE = Query(
    update(payment_providers)
    .where(_ONE, _THERE)
    .values({name: bindparam(f"new_{name}", type_=p[name].type) for name in CHANGING})
)
NO_DEFAULT = Query(
    update(payment_providers).where(_MINE, p.is_default == 1).values(is_default=0, updated_at=bindparam("now"))
)
MAKE_DEFAULT = Query(update(payment_providers).where(_ONE, _THERE).values(is_default=1, updated_at=bindparam("now")))
CHECKED = Query(update(payment_providers).where(_ONE).values(checked_at=bindparam("now")))
HEARD = Query(update(payment_providers).where(_ONE).values(heard_at=bindparam("now")))
REMOVE = Query(
    update(payment_providers)
    .where(_ONE, _THERE)
    .values(removed_at=bindparam("now"), updated_at=bindparam("now"), is_default=0)
)
SEALED = Query(
    across_accounts(
        select(p.account_id, p.id, p.hook_sealed, p.keys_sealed),
        "what is sealed is sealed again under a new key, whoever it belongs to",
    ),
    row=SealedAccess,
)
SEAL_AGAIN = Query(
    update(payment_providers)
    .where(_ONE, p.hook_sealed == bindparam("b_old"))
    .values(hook_hash=bindparam("new_hash"), hook_sealed=bindparam("new_hook"), keys_sealed=bindparam("new_keys"))
)
