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
        conditions = list(_conditions(part))
        compared = {
            column.table
            for condition in conditions
            for column in _account_columns(condition)
        }
        for source in _account_tables(part):
            if source not in compared:
                raise Unscoped(f"{type(part).__name__} on {source.name} has no condition on account_id: {part}")


def _statements(statement: Any) -> Iterator[Any]:
    for element in visitors.iterate(statement):
        if isinstance(element, Select | Update | Delete):
            yield element


def _sources(part: Any) -> Iterator[FromClause]:
    if isinstance(part, Update | Delete):
        yield part.table
        return
    for source in part.get_final_froms():
        yield from _unjoined(source)


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


def _conditions(part: Any) -> Iterator[ColumnElement[Any]]:
    if part.whereclause is not None:
        yield from _conjuncts(part.whereclause)
    if isinstance(part, Select):
        for source in part.get_final_froms():
            yield from _join_conditions(source)


def _join_conditions(source: FromClause) -> Iterator[ColumnElement[Any]]:
    if isinstance(source, Join):
        if source.onclause is not None:
            yield from _conjuncts(source.onclause)
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


def _account_columns(condition: Any) -> Iterator[Any]:
    if isinstance(condition, BinaryExpression) and condition.operator is operators.eq:
        for side in (condition.left, condition.right):
            if getattr(side, "name", None) == "account_id" and getattr(side, "table", None) is not None:
                yield side
