"""No statement reaches an account's table without saying which account.

The check reads the statement itself, not its text, when it is prepared: a table that has
an `account_id` column must be compared by equality on it, in the part of the condition that
always holds. Work of the installation as a whole (the engine's scans, the operator's commands)
says so with `across_accounts` and a reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from sqlalchemy import Delete, Executable, Select, Table, Update
from sqlalchemy.sql import operators, visitors
from sqlalchemy.sql.elements import BinaryExpression, BooleanClauseList, ColumnElement, Grouping
from sqlalchemy.sql.selectable import Alias, FromClause, Join

from tablegram.errors import Unscoped

Statement = TypeVar("Statement", bound=Executable)

_OPTION = "across_accounts"


def across_accounts(statement: Statement, reason: str) -> Statement:
    """Mark work that is the installation's own. The reason is for the reader."""
    if not reason:
        raise ValueError("say why this statement crosses accounts")
    return statement.execution_options(**{_OPTION: reason})


def check_scope(statement: Executable) -> None:
    """Raise `Unscoped` when an account's table is touched without an account."""
    if statement.get_execution_options().get(_OPTION):
        return
    for part in _statements(statement):
        bound = _bound(part)
        for source in _account_tables(part):
            if source not in bound:
                raise Unscoped(f"{type(part).__name__} on {source.name} has no condition on account_id: {part}")


def _bound(part: Any) -> set[Any]:
    """The sources whose account is a given one: compared with a value, or with a source of which that is true."""
    comparisons = list(_comparisons(part))
    bound = {source for source, other in comparisons if other is None}
    while fresh := {source for source, other in comparisons if other in bound} - bound:
        bound |= fresh
    return bound


def _statements(statement: Any) -> Iterator[Any]:
    for element in visitors.iterate(statement):
        if isinstance(element, Select | Update | Delete):
            yield element


def _sources(part: Any) -> Iterator[FromClause]:
    if isinstance(part, Update | Delete):
        yield part.table
        return
    for source in _froms(part):
        yield from _unjoined(source)


def _froms(part: Any) -> list[FromClause]:
    """What a select reads, as `get_final_froms` tells it. That writes the whole statement out first, which takes ten times as long."""
    found: list[FromClause] = part._compile_state_factory(part, None)._get_display_froms()
    return found


def _unjoined(source: FromClause) -> Iterator[FromClause]:
    if isinstance(source, Join):
        yield from _unjoined(source.left)
        yield from _unjoined(source.right)
    else:
        yield source


def _account_tables(part: Any) -> Iterator[Any]:
    for source in _sources(part):
        table = source.element if isinstance(source, Alias) else source
        if isinstance(table, Table) and "account_id" in table.c:
            yield source


def _comparisons(part: Any) -> Iterator[tuple[Any, Any]]:
    """Sources that the part compares by equality on their account, each with the other side's source, if it has one."""
    for condition, binds in _conditions(part):
        for source, other in _account_equality(condition):
            if binds is None or source in binds:
                yield source, other


def _conditions(part: Any) -> Iterator[tuple[ColumnElement[Any], set[FromClause] | None]]:
    """Every condition that always holds, and the sources that it holds for; nothing means all of them."""
    if part.whereclause is not None:
        for condition in _conjuncts(part.whereclause):
            yield condition, None
    if isinstance(part, Select):
        for source in _froms(part):
            yield from _join_conditions(source)


def _join_conditions(source: FromClause) -> Iterator[tuple[ColumnElement[Any], set[FromClause] | None]]:
    if not isinstance(source, Join):
        return
    # What an outer join keeps without a partner, its condition does not hold for.
    right = set(_unjoined(source.right))
    binds = set() if source.full else right if source.isouter else None
    if source.onclause is not None:
        for condition in _conjuncts(source.onclause):
            yield condition, binds
    yield from _join_conditions(source.left)
    yield from _join_conditions(source.right)


def _conjuncts(clause: Any) -> Iterator[ColumnElement[Any]]:
    if isinstance(clause, Grouping):
        yield from _conjuncts(clause.element)
    elif isinstance(clause, BooleanClauseList) and clause.operator is operators.and_:
        for member in clause.clauses:
            yield from _conjuncts(member)
    else:
        yield clause


def _account_equality(condition: Any) -> Iterator[tuple[Any, Any]]:
    if not isinstance(condition, BinaryExpression) or condition.operator is not operators.eq:
        return
    for side, other in ((condition.left, condition.right), (condition.right, condition.left)):
        if _is_account(side):
            if getattr(other, "table", None) is None:
                yield side.table, None
            elif _is_account(other) and other.table is not side.table:
                yield side.table, other.table


def _is_account(side: Any) -> bool:
    return getattr(side, "name", None) == "account_id" and getattr(side, "table", None) is not None
