"""The SQL of accounts, plans, people, keys and money. Only statements; what they are for is said where they run."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Text, and_, bindparam, delete, func, or_, select, update

from tablegram.accounts.rows import (
    AccountRow,
    ActionRow,
    AuditRow,
    CallerRow,
    ChargeRow,
    FactRow,
    KeyRow,
    MeansRow,
    MemberRow,
    PlanRow,
    WhichAccount,
)
from tablegram.engine.purging import old_rows
from tablegram.storage.query import Query, columns, told_apart
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import accounts, api_keys, audit_log, charges, installation, members, plans

# Accounts and plans. These tables are keyed by the account itself, or belong to the installation.

ACCOUNT_COLUMNS = (
    "name",
    "state",
    "plan",
    "created_at",
)
INSERT_ACCOUNT = Query(
    lambda insert: insert(accounts).values(columns(accounts, *ACCOUNT_COLUMNS)).on_conflict_do_nothing()
)
ACCOUNT_BY_NAME = Query(select(accounts).where(accounts.c.name == bindparam("name")), row=AccountRow)
ACCOUNT_BY_ID = Query(select(accounts).where(accounts.c.id == bindparam("id")), row=AccountRow)
ALL_ACCOUNTS = Query(select(accounts).order_by(accounts.c.id), row=AccountRow)
OTHER_ACCOUNT = Query(select(accounts.c.id).where(accounts.c.id != bindparam("id")).limit(1), row=WhichAccount)
ACCOUNTS_AFTER = Query(
    select(accounts)
    .where(accounts.c.id > bindparam("after", type_=BigInteger))
    .order_by(accounts.c.id)
    .limit(bindparam("limit", type_=BigInteger)),
    row=AccountRow,
)
SOME_ACCOUNTS = Query(select(accounts.c.id).limit(2), row=WhichAccount)
LOCK_ACCOUNT = Query(select(accounts.c.id).where(accounts.c.id == bindparam("id")).with_for_update(), row=WhichAccount)
SET_STATE = Query(update(accounts).where(accounts.c.id == bindparam("which")).values(state=bindparam("state")))
SET_PLAN = Query(update(accounts).where(accounts.c.id == bindparam("which")).values(plan=bindparam("plan")))
SET_LIMITS = Query(
    update(accounts)
    .where(accounts.c.id == bindparam("which"))
    .values(rate_limit_milli=bindparam("rate_limit_milli"), rate_burst=bindparam("rate_burst"))
)

ALL_PLANS = Query(select(plans).order_by(plans.c.name), row=PlanRow)
PLAN_BY_NAME = Query(select(plans).where(plans.c.name == bindparam("name")), row=PlanRow)
INSERT_PLAN = Query(lambda insert: insert(plans).values(columns(plans)).on_conflict_do_nothing())
UPDATE_PLAN = Query(
    update(plans)
    .where(plans.c.name == bindparam("which"))
    .values(free_messages=bindparam("free_messages"), free_hours=bindparam("free_hours"))
)

# People.

INSERT_MEMBER = Query(lambda insert: insert(members).values(columns(members)).on_conflict_do_nothing())
MEMBERS = Query(
    select(members).where(members.c.account_id == bindparam("account_id")).order_by(members.c.created_at, members.c.id),
    row=MemberRow,
)
SET_ROLE = Query(
    update(members)
    .where(members.c.account_id == bindparam("account"), members.c.id == bindparam("which"))
    .values(role=bindparam("role"))
)
DELETE_MEMBER = Query(
    delete(members).where(members.c.account_id == bindparam("account"), members.c.id == bindparam("which"))
)

# Keys.

INSERT_KEY = Query(
    lambda insert: insert(api_keys).values(
        columns(api_keys, "account_id", "id", "mode", "name", "hash", "last4", "scopes", "created_at", "expires_at")
    )
)
KEY_BY_HASH = Query(
    across_accounts(
        select(
            api_keys,
            accounts.c.name.label("account_name"),
            accounts.c.state,
            accounts.c.plan,
            accounts.c.rate_limit_milli,
            accounts.c.rate_burst,
            accounts.c.keeps_bodies,
        )
        .join_from(api_keys, accounts, accounts.c.id == api_keys.c.account_id)
        .where(or_(api_keys.c.hash == bindparam("hash"), api_keys.c.hash == bindparam("previous_hash"))),
        "the key is what tells which account calls",
    ),
    row=CallerRow,
)
_KEYS = (
    select(api_keys)
    .where(api_keys.c.account_id == bindparam("account_id"), api_keys.c.id > bindparam("after"))
    .order_by(api_keys.c.id)
    .limit(bindparam("limit", type_=BigInteger))
)
KEYS = Query(_KEYS, row=KeyRow)
KEYS_OF_MODE = Query(_KEYS.where(api_keys.c.mode == bindparam("mode")), row=KeyRow)
KEY_BY_ID = Query(
    select(api_keys).where(api_keys.c.account_id == bindparam("account_id"), api_keys.c.id == bindparam("id")),
    row=KeyRow,
)
REVOKE_KEY = Query(
    update(api_keys)
    .where(
        api_keys.c.account_id == bindparam("account"),
        api_keys.c.id == bindparam("which"),
        api_keys.c.revoked_at.is_(None),
    )
    .values(revoked_at=bindparam("revoked_at"))
)
TOUCH_KEY = Query(
    update(api_keys)
    .where(
        api_keys.c.account_id == bindparam("account"),
        api_keys.c.id == bindparam("which"),
        or_(api_keys.c.last_used_at.is_(None), api_keys.c.last_used_at < bindparam("used", type_=BigInteger)),
    )
    .values(last_used_at=bindparam("used", type_=BigInteger))
)
REHASH_KEY = Query(
    update(api_keys)
    .where(api_keys.c.account_id == bindparam("account"), api_keys.c.id == bindparam("which"))
    .values(hash=bindparam("hash"))
)

# Money. A charge is claimed by its row, so that the same message never pays twice.

CLAIM_CHARGE = Query(lambda insert: insert(charges).values(columns(charges)).on_conflict_do_nothing(), bulk=True)
CHARGES_OF_MESSAGE = Query(
    select(charges.c.kind, charges.c.amount_micros).where(
        charges.c.account_id == bindparam("account_id"),
        charges.c.message_key == bindparam("message_key"),
        # A payment's reference is chosen by the operator and may look like anything.
        charges.c.kind != "top_up",
    ),
    row=ChargeRow,
)
_now = bindparam("now_ms", type_=BigInteger)

TAKE_FREE_MESSAGES = Query(
    update(accounts)
    .where(accounts.c.id == bindparam("which"))
    .values(
        quota_used=accounts.c.quota_used + bindparam("count", type_=accounts.c.quota_used.type),
        quota_started_at=func.coalesce(accounts.c.quota_started_at, _now),
    )
)
RETURN_FREE_MESSAGE = Query(
    update(accounts)
    .where(accounts.c.id == bindparam("which"), accounts.c.quota_used > 0)
    .values(quota_used=accounts.c.quota_used - 1)
)
# The condition and the change are one statement: a balance is never spent twice and never falls below zero.
CHANGE_BALANCE = Query(
    update(accounts)
    .where(
        accounts.c.id == bindparam("which"),
        accounts.c.balance_micros + bindparam("amount_micros", type_=BigInteger) >= 0,
    )
    .values(balance_micros=accounts.c.balance_micros + bindparam("amount_micros", type_=BigInteger))
)
# What an account can pay with. Locked, so that nobody else spends it before this transaction has.
_means = (
    select(accounts, plans.c.free_messages, plans.c.free_hours)
    .join_from(accounts, plans, plans.c.name == accounts.c.plan)
    .where(accounts.c.id == bindparam("id"))
)
MEANS = Query(_means, row=MeansRow)
LOCK_MEANS = Query(_means.with_for_update(of=accounts), row=MeansRow)

# Facts about the installation.

SET_FACT = Query(lambda insert: insert(installation).values(columns(installation)).on_conflict_do_nothing())
FACT = Query(select(installation.c.value).where(installation.c.name == bindparam("name")), row=FactRow)
CHANGE_FACT = Query(
    update(installation).where(installation.c.name == bindparam("which")).values(value=bindparam("value"))
)

# Who did what. Ids grow with time, so the key is the order.

INSERT_AUDIT = Query(lambda insert: insert(audit_log).values(columns(audit_log)))


def _either(column: Any, name: str) -> Any:
    """Compared where a value is given; an empty one fits everything."""
    wanted = bindparam(name, type_=Text)
    return or_(wanted == "", column == wanted)


_AUDITED = audit_log.c.account_id == bindparam("account_id")
_AUDIT = (
    select(audit_log)
    .where(_AUDITED, audit_log.c.id < bindparam("before"))
    .order_by(audit_log.c.id.desc())
    .limit(bindparam("most", type_=BigInteger))
)
_BY_THEM = or_(_either(audit_log.c.actor_id, "actor"), audit_log.c.actor_id == bindparam("actor_also", type_=Text))
_OF_KIND = audit_log.c.action.like(bindparam("action_like"))
# One bound of each kind is what an index can use.
_id = told_apart(audit_log.c.id)
_IN_TIME = and_(audit_log.c.id >= bindparam("since"), _id < bindparam("until"))
# Each is read from an index of what it is about; what is beside that is told apart among the rows that it leads to.
AUDIT_PAGE = Query(_AUDIT.where(_IN_TIME), row=AuditRow)
AUDIT_OF_ACTION = Query(_AUDIT.where(audit_log.c.action == bindparam("action"), _IN_TIME), row=AuditRow)
AUDIT_OF_ACTOR = Query(_AUDIT.where(audit_log.c.actor_id == bindparam("actor"), _OF_KIND, _IN_TIME), row=AuditRow)
AUDIT_OF_OBJECT = Query(
    _AUDIT.where(audit_log.c.object_id == bindparam("object_id"), _BY_THEM, _OF_KIND, _IN_TIME), row=AuditRow
)
AUDIT_FOUND = Query(
    _AUDIT.where(
        _IN_TIME,
        _BY_THEM,
        _OF_KIND,
        or_(
            audit_log.c.object_id == bindparam("object_id", type_=Text),
            # Lists with a comma around each entry: how many there are differs from search to search.
            bindparam("actors", type_=Text).like("%," + audit_log.c.actor_id + ",%"),
            bindparam("actions", type_=Text).like("%," + func.replace(audit_log.c.action, ".", "_") + ",%"),
        ),
    ),
    row=AuditRow,
)
# The actions that occur, one look into their index for each, among however many rows.
_seen = select(func.min(audit_log.c.action).label("action")).where(_AUDITED).cte("seen", recursive=True)
_following = select(func.min(audit_log.c.action)).where(_AUDITED, audit_log.c.action > _seen.c.action)
_seen = _seen.union_all(select(_following.scalar_subquery()).where(_seen.c.action.is_not(None)))
AUDIT_ACTIONS = Query(select(_seen.c.action).where(_seen.c.action.like(bindparam("action_like"))), row=ActionRow)
forget_audit = old_rows(audit_log, audit_log.c.created_at < bindparam("before"), audit_log.c.id)
