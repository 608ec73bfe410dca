"""Sees every statement that the product runs while a test runs, and fails one without its account.

The store looks when it prepares a statement. This looks when one is run, at the one face through which both
databases are used, and does not rely on the store having looked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from tablegram.errors import Unscoped
from tablegram.storage import group_commit
from tablegram.storage.postgres import PostgresTx
from tablegram.storage.query import Query, _speaks
from tablegram.storage.scope import check_scope
from tablegram.storage.sqlite import SqliteTx
from tests.storage.told_rows import wrong

DIALECTS = ("sqlite", "postgresql")
# A statement that was found good stays so for all tests of the process. Those that are made for an occasion go again: while
# one is kept here no other gets its number, and so not without end.
_GOOD: dict[int, Query] = {}
_MOST = 5_000
# What the unit that runs in a transaction says of itself.
_said: dict[int, Sequence[Query]] = {}


@dataclass
class Statements:
    count: int = 0
    unscoped: list[str] = field(default_factory=list)
    # What units asked that say all they ask, and did not say.
    unsaid: list[str] = field(default_factory=list)
    # What statements say of their rows and do not give; those of a module are held against it more strictly (`test_told_rows.py`).
    untrue: list[str] = field(default_factory=list)

    def see(self, query: Query) -> None:
        self.count += 1
        if id(query) in _GOOD:
            return
        # Most are one statement whatever the dialect.
        for statement in {id(one): one for one in (query._build(_speaks(dialect)[1]) for dialect in DIALECTS)}.values():
            try:
                check_scope(statement)
            except Unscoped as error:
                self.unscoped.append(str(error))
                raise
        if query.row is not None:
            self.untrue += [one for dialect in DIALECTS for one in wrong(query, dialect, filled=None)]
        if len(_GOOD) >= _MOST:
            _GOOD.clear()
        _GOOD[id(query)] = query


@contextmanager
def watched() -> Iterator[Statements]:
    statements = Statements()
    with pytest.MonkeyPatch.context() as patch:
        for kind in (SqliteTx, PostgresTx):
            for name in ("run", "many", "all"):
                patch.setattr(kind, name, _watching(statements, getattr(kind, name)))
        patch.setattr(group_commit, "_attempt", _saying(statements, group_commit._attempt))
        yield statements


def _watching(statements: Statements, method: Callable[..., Any]) -> Callable[..., Any]:
    async def watch(tx: Any, query: Query, params: Any) -> Any:
        statements.see(query)
        if (said := _said.get(id(tx))) is not None and query not in said:
            statements.unsaid.append(query.form(DIALECTS[1]).sql)
        return await method(tx, query, params)

    return watch


def _saying(statements: Statements, attempt: Callable[..., Any]) -> Callable[..., Any]:
    async def watch(tx: Any, unit: group_commit.Unit, work: Any) -> None:
        if unit.asks:
            _said[id(tx)] = unit.asks
        try:
            await attempt(tx, unit, work)
        finally:
            _said.pop(id(tx), None)

    return watch


@pytest.fixture(autouse=True)
def every_statement_names_its_account() -> Iterator[None]:
    """Import it into a `conftest.py`: no test below it may make the product run an unscoped statement."""
    with watched() as statements:
        yield
    assert statements.unscoped == []
    assert statements.untrue == []
    assert statements.unsaid == []
