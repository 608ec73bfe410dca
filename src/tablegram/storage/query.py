"""Statements, prepared once: checked for their account, and turned into each database's own text."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Generic

from sqlalchemy import BindParameter, ColumnElement, Executable, FromClause, Select, Table, Update, bindparam
from sqlalchemy.engine.interfaces import Dialect
from typing_extensions import TypeVar

from tablegram.storage.rows import Bulk, Params, Row, picker, take_many
from tablegram.storage.scope import check_scope

_NEW_EVENT = "INSERT INTO events ("
Insert = Callable[..., Any]
Build = Callable[[Insert], Executable]
# What a statement's rows hold: a `TypedDict` that names each column, or a row of anything.
R = TypeVar("R", bound=Row, default=Row, covariant=True)
Hinted = TypeVar("Hinted", Select[Any], Update)


@cache
def _speaks(dialect: str) -> tuple[Dialect, Insert]:
    """How a database's text is written, and its own `insert`. Only what is used is loaded."""
    if dialect == "sqlite":
        from sqlalchemy.dialects.sqlite import insert

        from tablegram.storage.connections.file_dialect import FileDialect

        return FileDialect(paramstyle="qmark"), insert
    from sqlalchemy.dialects import postgresql
    from sqlalchemy.dialects.postgresql import asyncpg

    return asyncpg.dialect(), postgresql.insert  # type: ignore[no-untyped-call]


class Form:
    """A statement in one database's text, the order of its values, and the values it brings along."""

    __slots__ = ("bulk", "changes_rows", "fixed", "numbers_events", "order", "planned_once", "sql", "values")

    def __init__(self, sql: str, order: tuple[str, ...], fixed: Params, *, changes_rows: bool) -> None:
        self.sql = sql
        self.order = order
        self.fixed = fixed
        self.changes_rows = changes_rows
        # Whether it gives numbers to new events (`Database.horizon`).
        self.numbers_events = _NEW_EVENT in sql
        # The same for many rows in one run, only where it was asked for and can be had.
        self.bulk: Bulk | None = None
        # The table that it writes to, where a server that has counted it may plan this once.
        self.planned_once = ""
        self.values = picker(order, fixed)


class Query(Generic[R]):
    """A statement that may run any number of times. Make them at module level: preparing costs 1,000 runs."""

    __slots__ = ("_build", "_bulk", "_forms", "_planned_once", "row", "tells")

    def __init__(
        self, statement: Executable | Build, *, row: type[R] | None = None, bulk: bool = False, tells: str = "",
        planned_once: bool = False,
    ) -> None:  # fmt: skip
        """`row`: what its rows hold, column by column, for who reads them; a test holds it against the statement.

        `bulk`: many rows may be taken as one statement (`storage/rows.py`): no two of them touch the same row.

        `tells`: it gives back one row for each that it took, and by this column both know each other (`Database.tell`).

        `planned_once`: it inserts, or finds each row of one table by its whole key, whatever the values; it need not be
        planned anew (`connections/planning.py`). Worth it for what runs with each message.
        """
        self._bulk = bulk
        self.row = row
        self.tells = tells
        self._planned_once = planned_once
        # Only `insert … on conflict` differs in how it is built; it comes as a function of the dialect's insert.
        self._build: Build = statement if callable(statement) else (lambda _insert: statement)
        self._forms: dict[str, Form] = {}

    def form(self, dialect: str) -> Form:
        form = self._forms.get(dialect)
        if form is None:
            statement: Any = self._build(_speaks(dialect)[1])
            form = prepare(statement, dialect, bulk=self._bulk)
            form.planned_once = table_of(statement) if self._planned_once else ""
            self._forms[dialect] = form
        return form


def prepare(statement: Executable, dialect: str, *, bulk: bool = False) -> Form:
    check_scope(statement)
    compiled = statement.compile(dialect=_speaks(dialect)[0])  # type: ignore[attr-defined]
    required = _required(compiled)
    # A list of an `in` becomes a value for each member; the parameters that come with each run are not there yet.
    expanded = compiled.construct_expanded_state(dict.fromkeys(required))
    order = tuple(expanded.positiontup or ())
    fixed = {name: value for name, value in expanded.parameters.items() if name not in required}
    changes_rows = bool(compiled.isinsert or compiled.isupdate or compiled.isdelete)
    form = Form(expanded.statement, order, fixed, changes_rows=changes_rows)
    if bulk:
        form.bulk = take_many(statement, compiled, expanded, fixed)
    return form


def table_of(statement: Any) -> str:
    """Of a statement on one table."""
    tables: Any = statement.get_final_froms() if isinstance(statement, Select) else [statement.table]
    return str(tables[0].name)


def _required(compiled: Any) -> set[str]:
    return {name for name, bind in compiled.binds.items() if bind.required}


def columns(table: Table, *names: str) -> dict[str, BindParameter[Any]]:
    """`values(...)` for an insert: each named column from a parameter of the same name."""
    return {name: bindparam(name, type_=table.c[name].type) for name in names or table.c.keys()}


def read_by(index: str, table: FromClause, statement: Hinted) -> Hinted:
    """A file reads the table by this index, or fails. It counts no rows, so that all that fits looks alike to it.

    A server has counted, and finds what is rarest by itself.
    """
    words = f"indexed by {index}"
    if isinstance(statement, Update):
        return statement.with_hint(words, dialect_name="sqlite")
    return statement.with_hint(table, words, "sqlite")


def told_apart(column: ColumnElement[str]) -> ColumnElement[str]:
    """A column by which rows are told apart once they are found by others.

    Databases that know nothing of the rows yet take any index that names two of the columns for as good as the next one.
    """
    return column.concat("")
