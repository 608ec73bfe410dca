"""Many rows in one run of a statement.

Starting a statement costs a server several times what a row costs it. In a file, each run lets other threads have the
interpreter, and may wait to get it back. So the rows become a source that the statement reads, and each of its values a
column of that source: before anything is text. A server has the rows from arrays, one for each value; a file has them
one after the other.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Protocol

from sqlalchemy import (
    ARRAY,
    BindParameter,
    FromClause,
    Insert,
    Select,
    SelectBase,
    String,
    Update,
    bindparam,
    column,
    func,
    literal_column,
    select,
    true,
    values,
)
from sqlalchemy.sql import operators, visitors
from sqlalchemy.sql.compiler import ExpandedState, SQLCompiler
from sqlalchemy.sql.elements import ClauseList
from sqlalchemy.types import NullType, TupleType

Row = Mapping[str, Any]
Params = Mapping[str, object]
Pick = Callable[[Params], tuple[Any, ...]]

# A file takes rows in powers of two, so that few different statements are ever prepared.
MOST_ROWS = 64


class Bulk(Protocol):
    """A statement for many rows."""

    def runs(self, rows: Sequence[Params]) -> Iterator[tuple[str, Sequence[Any]]]:
        """Statements with their values, which together stand for all rows."""

    def sized(self, size: int) -> str:
        """The statement for so many rows."""


class Arrays:
    """For a server: one statement, and an array of each value."""

    def __init__(self, sql: str, pick: Pick) -> None:
        self._sql = sql
        self._pick = pick

    def runs(self, rows: Sequence[Params]) -> Iterator[tuple[str, Sequence[Any]]]:
        if rows:
            yield self._sql, list(zip(*map(self._pick, rows), strict=True))

    def sized(self, _size: int) -> str:
        return self._sql


class Places:
    """For a file: a statement with the places of one row, which are repeated for each further one."""

    def __init__(self, sql: str, width: int, pick: Pick) -> None:
        self._row = f"({', '.join('?' * width)})"
        self._before, _, self._after = sql.partition(self._row)
        self._pick = pick
        self._sized: dict[int, str] = {}

    def runs(self, rows: Sequence[Params]) -> Iterator[tuple[str, Sequence[Any]]]:
        at = 0
        while at < len(rows):
            size = min(1 << ((len(rows) - at).bit_length() - 1), MOST_ROWS)
            yield self.sized(size), list(itertools.chain.from_iterable(map(self._pick, rows[at : at + size])))
            at += size

    def sized(self, size: int) -> str:
        sql = self._sized.get(size)
        if sql is None:
            sql = self._sized[size] = f"{self._before}{', '.join([self._row] * size)}{self._after}"
        return sql


def picker(order: Sequence[str], fixed: Params) -> Pick:
    """The values in their order, with those that a statement brings along; each row of each statement passes here."""
    pick: Pick = itemgetter(*order) if len(order) > 1 else (lambda given: tuple([given[name] for name in order]))
    return (lambda given: pick({**fixed, **given})) if fixed else pick


def take_many(statement: Any, compiled: SQLCompiler, expanded: ExpandedState, fixed: Params) -> Bulk | None:
    """The statement for many rows; nothing where it cannot be told.

    Inserts take the rows as they are. Other statements look for what they need by the values of each row, and so must
    find each row of a table at most once.
    """
    told = _Told(compiled, expanded, fixed)
    # Of what type the values of an array are has to be said; and none of them is several.
    unfit = (NullType, TupleType) if told.is_server else TupleType
    if any(isinstance(kind, unfit) for kind in told.types.values()):
        return None
    if isinstance(statement, Insert) and statement.select is None:
        return _insert(statement, told)
    return _join(statement, told)


class _Told:
    """What a compiled statement tells of its values."""

    def __init__(self, compiled: SQLCompiler, expanded: ExpandedState, fixed: Params) -> None:
        self.dialect = compiled.dialect
        self.is_server = compiled.dialect.name == "postgresql"
        self.sql = expanded.statement
        self.order = tuple(expanded.positiontup or ())
        self.fixed = fixed
        # A list of an `in` is a value for each member. Values that are set have name and type from their column.
        members = {name: expanded.parameter_expansion.get(name, [name]) for name in compiled.binds}
        self.names = {bind.key: members[name] for bind, name in compiled.bind_names.items()}
        self.types = {member: bind.type for name, bind in compiled.binds.items() for member in members[name]}

    def bulk(self, statement: Any, order: Sequence[str]) -> Bulk | None:
        """The statement made of this one, if these values are all that is left in it."""
        compiled = statement.compile(dialect=self.dialect)
        if compiled.post_compile_params or len(compiled.positiontup) != len(order):
            return None
        return self.taken(compiled.string, order)

    def taken(self, sql: str, order: Sequence[str]) -> Bulk | None:
        pick = picker(order, self.fixed)
        if self.is_server:
            return Arrays(sql, pick)
        # A question mark inside of a text is no place.
        return Places(sql, len(order), pick) if sql.count("?") == len(order) else None

    def unnest(self, order: Sequence[str]) -> Any:
        # A server is told the same of every text; how it is compared is not for an array to say.
        types = [String() if isinstance(self.types[name], String) else self.types[name] for name in order]
        return func.unnest(*[bindparam(None, type_=ARRAY(kind)) for kind in types])

    def source(self, order: Sequence[str]) -> FromClause:
        """The rows, to be selected from: a column for each of these values."""
        types = enumerate([self.types[name] for name in order], 1)
        if self.is_server:
            columns = [column(f"p{number}", kind) for number, kind in types]
            return self.unnest(order).table_valued(*columns).render_derived(name="v")  # type: ignore[no-any-return]
        # In a file the rows and their columns have no other names than these.
        columns = [column(f"column{number}", kind) for number, kind in types]
        return values(*columns).data([tuple(bindparam(None, type_=one.type) for one in columns)])

    def collation(self, name: str) -> str | None:
        return getattr(self.types[name].dialect_impl(self.dialect), "collation", None)


def _insert(statement: Any, told: _Told) -> Bulk | None:
    given = {getattr(key, "key", key): value for key, value in (statement._values or {}).items()}
    if not given or not all(isinstance(value, BindParameter) for value in given.values()):
        return None
    if not told.is_server:
        return told.taken(told.sql, told.order) if len(told.order) == len(given) else None
    names = [one.key for one in statement.table.c if one.key in given]
    order = [told.names[given[name].key][0] for name in names]
    bare = statement._clone()
    bare._values = None
    return told.bulk(bare.from_select(names, select(literal_column("*")).select_from(told.unnest(order))), order)


def _join(statement: Any, told: _Told) -> Bulk | None:
    question = statement.select if isinstance(statement, Insert) else statement
    # A value that stands in several places comes once.
    order = tuple(dict.fromkeys(told.order))
    if not isinstance(question, Select | Update) or question.whereclause is None or not order:
        return None
    is_asked_for_each = _has_questions(question)
    if is_asked_for_each and not (told.is_server and question is statement and isinstance(question, Select)):
        return None
    source = told.source(order)
    columns = dict(zip(order, source.c, strict=True))

    def of_row(name: str) -> Any:
        # Questions within the question have nothing to select this from: it stands outside of all of them.
        one: Any = literal_column(f"v.{columns[name].name}") if is_asked_for_each else columns[name]
        collation = told.collation(name)
        return one if collation is None else one.collate(collation)

    def replace(element: Any, **_: Any) -> Any:
        names = told.names.get(element.key) if isinstance(element, BindParameter) else None
        if not names:
            return None
        members = [of_row(name) for name in names]
        return ClauseList(*members).self_group(against=operators.in_op) if element.expanding else members[0]

    filled: Any = visitors.replacement_traverse(statement, {}, replace)
    if is_asked_for_each:
        # Planned once, and not once for each.
        found = filled.lateral("found")
        filled = select(found).select_from(source.join(found, true()))
    return told.bulk(filled, order)


def _has_questions(question: Any) -> bool:
    """Whether a question has others within, or a limit to its answers: then it is no longer the same for many rows."""
    parts = sum(isinstance(part, SelectBase) for part in visitors.iterate(question))
    return parts > isinstance(question, Select) or getattr(question, "_has_row_limiting_clause", False)
