"""No statement reaches an account's table without its account."""

from __future__ import annotations

import pytest
from sqlalchemy import Select, and_, bindparam, delete, exists, func, insert, not_, or_, select, union_all, update
from sqlalchemy.sql import visitors

from tablegram.errors import Unscoped
from tablegram.storage import query
from tablegram.storage.database import Query
from tablegram.storage.scope import _froms, across_accounts, check_scope
from tablegram.storage.tables import accounts, inbox, instances, messages, metadata, plans
from tests.storage.opened import opened
from tests.storage.statements import watched

m, i = messages.c, instances.c
MINE = m.account_id == bindparam("account")
LINE_MINE = i.account_id == bindparam("account")
other = messages.alias("other")

REFUSED = {
    "no condition": select(messages),
    "another condition": select(messages).where(m.id == "x"),
    "one of two ways": select(messages).where(or_(MINE, m.id == "x")),
    "every account but one": select(messages).where(m.account_id != 1),
    "not that account": select(messages).where(not_(MINE)),
    "from some account on": select(messages).where(m.account_id >= 1),
    "several accounts": select(messages).where(m.account_id.in_([1, 2])),
    "compared with itself": select(messages).where(m.account_id == m.account_id),
    "compared with another column": select(messages).where(m.account_id == m.instance_id),
    "update": update(messages).where(m.id == "x").values(text=""),
    "delete": delete(messages).where(m.created_at < 5),
    "count": select(func.count()).select_from(messages),
    "join that binds one side": select(messages).join(instances, i.id == m.instance_id).where(MINE),
    "join that binds nobody": select(messages).join(instances, i.account_id == m.account_id),
    "join with a table of the installation": select(messages).join(accounts, accounts.c.id == m.account_id),
    "two tables side by side": select(messages, instances).where(MINE),
    "outer join that keeps the others' rows": select(messages).outerjoin(instances, and_(MINE, LINE_MINE)),
    "full join": select(messages).join(instances, and_(MINE, LINE_MINE), full=True),
    "an alias that is not the one compared": select(other).where(other.c.id == "x"),
    "the table compared instead of its alias": select(other, messages).where(MINE),
    "subquery": select(accounts).where(accounts.c.id.in_(select(m.account_id))),
    "subquery on the same table": select(messages).where(MINE, m.id.in_(select(other.c.id))),
    "scalar subquery": select(plans.c.name, select(func.max(m.created_at)).scalar_subquery()),
    "exists": select(accounts).where(exists().where(m.phone == "1")),
    "exists that leaves its account to the query around it": select(messages).where(
        MINE, exists().where(i.account_id == m.account_id)
    ),
    "from a subquery": select(select(messages).subquery()),
    "common table expression": select(select(messages).cte()),
    "one half of a union": union_all(select(m.id).where(MINE), select(m.id)),
    "insert from a select": insert(inbox).from_select(["account_id"], select(m.account_id)),
    "update with a subquery": update(messages).where(MINE).values(text=select(other.c.text).scalar_subquery()),
}  # fmt: skip

ALLOWED = {
    "equality": select(messages).where(MINE),
    "the other way round": select(messages).where(bindparam("account") == m.account_id),
    "a plain figure": select(messages).where(m.account_id == 7),
    "and more": select(messages).where(and_(m.id == "x", and_(MINE, m.phone == "1"))),
    "with a choice beside it": select(messages).where(MINE, or_(m.id == "x", m.id == "y")),
    "update": update(messages).where(MINE, m.id == "x").values(text=""),
    "delete": delete(messages).where(MINE),
    "insert": insert(messages).values(id="x"),
    "join on the account": select(messages).join(
        instances, and_(i.account_id == m.account_id, i.id == m.instance_id)
    ).where(MINE),
    "join with both sides bound": select(messages).join(instances, i.id == m.instance_id).where(MINE, LINE_MINE),
    "join bound by its own condition": select(messages).join(instances, and_(MINE, LINE_MINE)),
    "outer join": select(messages).outerjoin(instances, LINE_MINE).where(MINE),
    "outer join on the account": select(messages).outerjoin(instances, i.account_id == m.account_id).where(MINE),
    "alias": select(other).where(other.c.account_id == 7),
    "subquery": select(messages).where(MINE, m.id.in_(select(other.c.id).where(other.c.account_id == 7))),
    "union": union_all(select(m.id).where(MINE), select(m.id).where(MINE)),
    "tables of the installation": select(accounts, plans).where(accounts.c.plan == plans.c.name),
    "work of the installation": across_accounts(select(messages), "a test counts everything"),
    "deletion of the installation": across_accounts(delete(messages).where(m.created_at < 5), "retention"),
}  # fmt: skip


@pytest.mark.parametrize("statement", REFUSED.values(), ids=REFUSED.keys())
def test_a_statement_without_its_account_is_refused(statement: object) -> None:
    with pytest.raises(Unscoped, match="account_id"):
        check_scope(statement)  # type: ignore[arg-type]


@pytest.mark.parametrize("statement", ALLOWED.values(), ids=ALLOWED.keys())
def test_a_statement_with_its_account_is_allowed(statement: object) -> None:
    check_scope(statement)  # type: ignore[arg-type]


def test_what_a_select_reads_is_what_the_library_tells_of_it() -> None:
    """The library tells it by a name that it promises, and at ten times the cost."""
    for statement in [*REFUSED.values(), *ALLOWED.values()]:
        for part in visitors.iterate(statement):
            if isinstance(part, Select):
                assert [str(source) for source in _froms(part)] == [str(source) for source in part.get_final_froms()]


def test_crossing_accounts_needs_a_reason() -> None:
    with pytest.raises(ValueError, match="why"):
        across_accounts(select(messages), "")


@pytest.mark.parametrize("name", [name for name, table in metadata.tables.items() if "account_id" in table.c])
def test_every_table_of_an_account_is_guarded(name: str) -> None:
    table = metadata.tables[name]
    with pytest.raises(Unscoped):
        check_scope(select(table))
    check_scope(select(table).where(table.c.account_id == 1))


async def test_the_store_refuses_it_whichever_way_it_comes(database_url: str) -> None:
    params = {"account": 1}
    async with opened(database_url) as db:
        for statement in REFUSED.values():
            bad = Query(statement)
            for attempt in (
                lambda bad=bad: db.all(bad, params),
                lambda bad=bad: db.first(bad, params),
                lambda bad=bad: db.put((bad, params)),
                lambda bad=bad: db.write(lambda tx: tx.run(bad, params)),
                lambda bad=bad: db.write(lambda tx: tx.many(bad, [params])),
                lambda bad=bad: db.snapshot(lambda tx: tx.first(bad, params)),
            ):
                with pytest.raises(Unscoped):
                    await attempt()


async def test_the_suite_sees_every_statement_and_fails_an_unscoped_one(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if the store itself forgot to look: see `statements.py`, which watches the rest of the suite."""
    monkeypatch.setattr(query, "check_scope", lambda statement: None)
    with watched() as statements:
        async with opened(database_url) as db:
            params = {"account": 1}
            await db.all(Query(select(messages).where(MINE)), params)
            await db.put((Query(delete(messages).where(MINE)), params))
            await db.write(lambda tx: tx.run(Query(delete(messages).where(MINE)), params))
            assert statements.count == 3
            unscoped = Query(delete(messages).where(m.id == "x"))
            for attempt in (lambda: db.put((unscoped, {})), lambda: db.write(lambda tx: tx.run(unscoped, {}))):
                with pytest.raises(Unscoped):
                    await attempt()
            with pytest.raises(Unscoped):
                await db.all(select(messages))
            assert len(statements.unscoped) >= 3
