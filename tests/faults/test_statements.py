"""Every statement that the product keeps ready can be prepared, for each database it runs on."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import tablegram
from tablegram.storage.query import DIALECTS, Query


def every_statement() -> list[tuple[str, Query]]:
    names = [module.name for module in pkgutil.walk_packages(tablegram.__path__, "tablegram.")]
    found = []
    for name in names:
        if ".migrations." not in name and not name.endswith("__main__"):
            module = importlib.import_module(name)
            found += [(f"{name}.{label}", value) for label, value in vars(module).items() if isinstance(value, Query)]
    return found


@pytest.mark.parametrize("database", DIALECTS)
def test_every_statement_can_be_prepared(database: str) -> None:
    statements = every_statement()
    assert len(statements) > 50
    for name, query in statements:
        form = query.form(database)
        assert "POSTCOMPILE" not in form.sql, name
        assert len(set(form.order)) > 0 or "?" not in form.sql, name
