"""Which tables statements touch: those that they change, and those that they look into."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Delete, Select, Table, Update
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.sql import visitors

from tablegram.storage.query import Query
from tablegram.storage.sqlite import SqliteTx


def watch(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of the tables that transactions touch from now on; the set grows by itself."""
    reached: set[str] = set()

    def see(query: Query) -> None:
        statement: Any = query._build(insert)
        if isinstance(statement, Update | Delete):
            assert isinstance(statement.table, Table)
            reached.add(statement.table.name)
        elif isinstance(statement, Select):
            reached.update(one.name for one in visitors.iterate(statement) if isinstance(one, Table))

    for name in ("run", "many", "all", "first", "gather"):
        real = getattr(SqliteTx, name)

        async def seen(self: Any, query: Query, *more: Any, real: Any = real) -> Any:
            see(query)
            return await real(self, query, *more)

        monkeypatch.setattr(SqliteTx, name, seen)
    return reached
