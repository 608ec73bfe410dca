"""Rows of any table, of which a test names only what it is about."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, SmallInteger, Table, insert

from tablegram.storage.database import Query


def plain_row(table: Table, **named: Any) -> tuple[Query, dict[str, Any]]:
    """What is not named is empty, or 0; and what may be null, is."""
    row: dict[str, Any] = {}
    for column in table.columns:
        if column.name in named:
            row[column.name] = named[column.name]
        elif not column.nullable:
            row[column.name] = 0 if isinstance(column.type, BigInteger | SmallInteger) else ""
    return Query(insert(table).values(row)), {}
