"""Whether what a statement says of its rows (`row=`) is what it gives: each column by its name, and with its type."""

from __future__ import annotations

from collections.abc import Collection
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from sqlalchemy import BigInteger, Cast, Column, SelectBase
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import NullType

from tablegram.storage.query import Query, _speaks


def gives_rows(query: Query, dialect: str) -> bool:
    return bool(_built(query, dialect).exported_columns)


def wrong(query: Query, dialect: str, filled: Collection[str] | None = frozenset()) -> list[str]:
    """What is not as it says. `filled` are columns that may be empty, and of which the statement leaves out the empty ones;
    nothing: any may be.
    """
    if query.row is None:
        return []
    told = get_type_hints(query.row)
    given = {one.key: one for one in _built(query, dialect).exported_columns}
    found = [f"{name} is not given" for name in told.keys() - given.keys()]
    found += [f"{name} is not told" for name in given.keys() - told.keys()]
    for name in told.keys() & given.keys():
        kinds, column = _kinds(told[name]), given[name]
        if not isinstance(column.type, NullType) and kinds - {NoneType} != {column.type.python_type}:
            found.append(f"{name} is {column.type.python_type.__name__}, and told as {told[name]}")
        if _is_summed(column):
            found.append(f"{name} is a sum of large numbers, which a server gives as no int: cast it")
        is_filled = filled is None or name in filled or NoneType in kinds
        if isinstance(column, Column) and column.nullable and not is_filled:
            found.append(f"{name} may be empty, and is told as {told[name]}")
    return sorted(found)


def _built(query: Query, dialect: str) -> Any:
    return query._build(_speaks(dialect)[1])


def _is_summed(part: Any) -> bool:
    """Whether a value is made of such a sum, as it stands."""
    if isinstance(part, Cast | SelectBase):
        return False
    if isinstance(part, FunctionElement) and getattr(part, "name", "") == "sum":
        return any(isinstance(one.type, BigInteger) for one in part.clauses)
    return any(map(_is_summed, part.get_children()))


def _kinds(annotation: Any) -> set[type]:
    origin = get_origin(annotation)
    if origin in (Union, UnionType):
        return {kind for part in get_args(annotation) for kind in _kinds(part)}
    if origin is Literal:
        return {type(value) for value in get_args(annotation)}
    return {origin or annotation}
