"""Every statement that the product keeps ready can be prepared, for each database it runs on."""

from __future__ import annotations

import pytest

from tests.faults.every_statement import every_statement
from tests.storage.statements import DIALECTS


@pytest.mark.parametrize("database", DIALECTS)
def test_every_statement_can_be_prepared(database: str) -> None:
    statements = every_statement()
    assert len(statements) > 50
    for name, query in statements:
        form = query.form(database)
        assert "POSTCOMPILE" not in form.sql, name
        assert len(set(form.order)) > 0 or "?" not in form.sql, name


@pytest.mark.parametrize("database", DIALECTS)
def test_what_is_marked_for_many_rows_takes_them_as_one_statement(database: str) -> None:
    marked = [(name, query) for name, query in every_statement() if query._bulk]
    assert len(marked) > 50
    # A file cannot ask for each row what has questions within.
    asked = {"tablegram.crm.store.conversations.WAITING_SINCE"} if database == DIALECTS[0] else set()
    assert {name for name, query in marked if query.form(database).bulk is None} == asked
