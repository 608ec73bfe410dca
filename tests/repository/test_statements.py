"""Statements are made in stores, in the engine and in storage; whoever is above them runs what it is given.

Who may import tables and the library is a contract (`pyproject.toml`). A contract cannot see who makes a statement ready.
"""

from __future__ import annotations

import ast
from pathlib import Path

from tests.repository.files import ROOT, repository_files

SOURCE = ROOT / "src" / "tablegram"
MAKERS = {"storage", "engine"}


def makings(path: Path) -> list[int]:
    """The lines of a module in which it makes a `Query` of the store."""
    text = path.read_text()
    if "Query" not in text:
        return []
    tree = ast.parse(text)
    imports = [one for one in ast.walk(tree) if isinstance(one, ast.ImportFrom)]
    names = {
        name.asname or name.name
        for one in imports
        if (one.module or "").startswith("tablegram.storage")
        for name in one.names
        if name.name in ("Query", "query", "database")
    }
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call)]
    return [one.lineno for one in calls if _is_query(one.func, names)]


def _is_query(called: ast.expr, names: set[str]) -> bool:
    if isinstance(called, ast.Attribute):
        return called.attr == "Query" and isinstance(called.value, ast.Name) and called.value.id in names
    return isinstance(called, ast.Name) and called.id in names


def test_statements_are_made_in_stores_alone() -> None:
    strangers = [
        f"{path.relative_to(ROOT)}:{line} makes a statement: let the store of its domain make it, and run what it gives"
        for path in repository_files()
        if path.is_relative_to(SOURCE) and path.suffix == ".py"
        for parts in [path.relative_to(SOURCE).with_suffix("").parts]
        if parts[0] not in MAKERS and "store" not in parts
        for line in makings(path)
    ]
    assert strangers == [], "\n".join(strangers)


def test_a_making_is_found_however_it_is_called(tmp_path: Path) -> None:
    module = tmp_path / "desk.py"
    module.write_text(
        "from tablegram.storage import query\n"
        "from tablegram.storage.database import Query as Ask, Tx\n"
        "from elsewhere import Query\n"
        "ONE = Ask(statement)\n"
        "async def page(tx: Tx) -> None:\n"
        "    await tx.all(query.Query(store.page()), {})\n"
        "    Query('name=value')\n"
    )
    assert makings(module) == [4, 6]
