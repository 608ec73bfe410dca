"""Statements, prepared once: checked for their account, and turned into each database's own text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from operator import itemgetter
from typing import Any

from sqlalchemy import ColumnElement, Executable, Table, bindparam
from sqlalchemy.engine.interfaces import Dialect

from tablegram.storage.scope import check_scope
from tablegram.storage.together import Together, join_rows

DIALECTS = ("sqlite", "postgresql")
Insert = Callable[..., Any]
Build = Callable[[Insert], Executable]


@cache
def _speaks(dialect: str) -> tuple[Dialect, Insert]:
    """How a database's text is written, and its own `insert`. Only what is used is loaded."""
    if dialect == "sqlite":
        from sqlalchemy.dialects import sqlite

        return sqlite.dialect(paramstyle="qmark"), sqlite.insert
    from sqlalchemy.dialects import postgresql
    from sqlalchemy.dialects.postgresql import asyncpg

    return asyncpg.dialect(), postgresql.insert  # type: ignore[no-untyped-call]


class Form:
    """A statement in one database's text, the order of its values, and the values it brings along."""

    __slots__ = ("_pick", "bulk", "changes_rows", "fixed", "order", "sql", "together")

    def __init__(self, sql: str, order: tuple[str, ...], fixed: dict[str, Any], *, changes_rows: bool) -> None:
        self.sql = sql
        self.order = order
        self.fixed = fixed
        self.changes_rows = changes_rows
        # The same for many rows in one run, only where it was asked for and can be had: for a server with an array of
        # each value, for a file with the rows one after the other.
        self.bulk: str | None = None
        self.together: Together | None = None
        self._pick = _picker(order)

    def values(self, given: Mapping[str, Any]) -> tuple[Any, ...]:
        return self._pick({**self.fixed, **given} if self.fixed else given)


def _picker(order: tuple[str, ...]) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
    """The values in their order; each row of each statement passes here."""
    if len(order) > 1:
        return itemgetter(*order)
    return lambda given: tuple([given[name] for name in order])


class Query:
    """A statement that may run any number of times. Make them at module level: preparing costs 1,000 runs."""

    __slots__ = ("_build", "_bulk", "_forms", "tells")

    def __init__(self, statement: Executable | Build, *, bulk: bool = False, tells: str = "") -> None:
        """`bulk`: many rows may be taken as one statement (`bulk_form`): no two of them touch the same row.

        `tells`: it gives back one row for each that it took, and by this column both know each other (`Database.tell`).
        """
        self._bulk = bulk
        self.tells = tells
        # Only `insert … on conflict` differs in how it is built; it comes as a function of the dialect's insert.
        self._build: Build = statement if callable(statement) else (lambda _insert: statement)
        self._forms: dict[str, Form] = {}

    def form(self, dialect: str) -> Form:
        form = self._forms.get(dialect)
        if form is None:
            form = prepare(self._build(_speaks(dialect)[1]), dialect)
            if self._bulk and dialect == "postgresql":
                form.bulk = bulk_form(form.sql)
            elif self._bulk:
                form.together = join_rows(form.sql, len(form.order))
            self._forms[dialect] = form
        return form


def prepare(statement: Executable, dialect: str) -> Form:
    check_scope(statement)
    compiled = statement.compile(dialect=_speaks(dialect)[0])  # type: ignore[attr-defined]
    required = _required(compiled)
    # A list of an `in` becomes a value for each member; the parameters that come with each run are not there yet.
    expanded = compiled.construct_expanded_state(dict.fromkeys(required))
    order = tuple(expanded.positiontup or ())
    fixed = {name: value for name, value in expanded.parameters.items() if name not in required}
    changes_rows = bool(compiled.isinsert or compiled.isupdate or compiled.isdelete)
    return Form(expanded.statement, order, fixed, changes_rows=changes_rows)


_VALUE = re.compile(r"\$(\d+)::(\w+)(?: COLLATE \"C\")?")
_INSERT = re.compile(r"INSERT INTO (\w+) \(([^()]*)\) VALUES \(((?:\$\d+::\w+(?: COLLATE \"C\")?(?:, )?)+)\)([^$]*)")
_WHERE = re.compile(r"\s+WHERE ")


def bulk_form(sql: str) -> str | None:
    """A server's statement for many rows at once; nothing where it cannot be told.

    Starting a statement costs a server several times what a row costs it. Inserts take their rows from arrays; other
    statements join the arrays' rows with what they look for, and so must find each row of a table at most once.
    """
    kinds = {int(number): kind for number, kind in _VALUE.findall(sql)}
    if not kinds or "$" in _VALUE.sub("", sql):
        return None
    arrays = f"unnest({', '.join(f'${number}::{kinds[number]}[]' for number in sorted(kinds))})"
    # Names of our own tables and columns, taken from a statement that was built by us.
    insert = _INSERT.fullmatch(sql)
    if insert is not None:
        return f"INSERT INTO {insert[1]} ({insert[2]}) SELECT * FROM {arrays}{insert[4]}"  # noqa: S608
    names = ", ".join(f"p{number}" for number in sorted(kinds))
    if len(_WHERE.findall(sql)) > 1 and sql.startswith("SELECT"):
        # Questions within the question: it is asked for each row, and planned once for all of them.
        each = _VALUE.sub(r"v.p\1", sql)
        return f"SELECT found.* FROM {arrays} AS v({names}) CROSS JOIN LATERAL ({each}) AS found"  # noqa: S608
    if len(_WHERE.findall(sql)) != 1 or sql.startswith("DELETE"):
        return None
    before, after = _WHERE.split(_VALUE.sub(r"v.p\1", sql))
    joint = " FROM" if sql.startswith("UPDATE") else ","
    return f"{before}{joint} {arrays} AS v({names}) WHERE {after}"


def _required(compiled: Any) -> set[str]:
    return {name for name, bind in compiled.binds.items() if bind.required}


def columns(table: Table, *names: str) -> dict[str, Any]:
    """`values(...)` for an insert: each named column from a parameter of the same name."""
    return {name: bindparam(name, type_=table.c[name].type) for name in names or table.c.keys()}


def told_apart(column: ColumnElement[str]) -> ColumnElement[str]:
    """A column by which rows are told apart once they are found by others.

    Databases that know nothing of the rows yet take any index that names two of the columns for as good as the next one.
    """
    return column.concat("")
