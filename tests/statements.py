"""Which statements of the product ran: so that none runs on one database alone.

Not every test runs on every database (see `conftest.py`), and the saving is sound only while each statement does. With
`RECORD` in the environment, each process that runs the product adds every statement that it runs to that file, once, at
once: it may be killed a moment later. `tools/run_tests.py` compares what the databases' runs have left.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

RECORD = "SUITE_STATEMENTS_FILE"
_A_TEST = "made by a test"
_STORES = ("tablegram.storage.sqlite", "tablegram.storage.postgres")
# Several rows in one run are another text for a server than one.
_MANY = ("many", "gather")
# One text names a statement on every database.
_NAMED_BY = "postgresql"
KINDS = ("sqlite", "postgresql")


def record_statements() -> None:
    """From now on, in this process and in those that are forked off it. Without `RECORD`, nothing."""
    if RECORD not in os.environ:
        return
    from tablegram.storage.query import Query

    file = os.environ[RECORD]
    # While a statement is kept here, no other one gets its number.
    seen: dict[tuple[int, bool], Query] = {}
    makers: dict[int, str] = {}
    plain_form, plain_init = Query.form, Query.__init__

    def init(query: Query, *arguments: Any, **named: Any) -> None:
        makers[id(query)] = _maker(sys._getframe(1))
        plain_init(query, *arguments, **named)

    def form(query: Query, dialect: str) -> Any:
        caller = sys._getframe(1)
        together = caller.f_code.co_name in _MANY and len(caller.f_locals["rows"]) > 1
        maker = makers.get(id(query), "")
        # A test may ask for a statement's text, or have one of its own; what a store asks for is run.
        if (id(query), together) not in seen and caller.f_globals["__name__"] in _STORES and maker != _A_TEST:
            name = maker or " ".join(plain_form(query, _NAMED_BY).sql.split())
            # A test may forbid the process to write; then the next run of the statement is told.
            with contextlib.suppress(OSError), open(file, "a") as record:
                record.write(f"{name}{' -- many' * together}\n")
                seen[id(query), together] = query
        return plain_form(query, dialect)

    patch = pytest.MonkeyPatch()
    patch.setattr(Query, "__init__", init)
    patch.setattr(Query, "form", form)


def prepare_statements(kind: str) -> None:
    """Every statement that is kept ready, in this database's text: once, for all processes that are forked off this one."""
    from tablegram.storage.query import Query

    for one in gc.get_objects():
        if type(one) is Query:
            one.form(kind)


def _maker(frame: FrameType | None) -> str:
    """Nothing for a statement that is kept ready, which its text names; the function that makes one for the occasion.

    A search has as many texts as there are ways to narrow it, and one function that puts them together.
    """
    found = ""
    while frame is not None:
        module, function = str(frame.f_globals.get("__name__", "")), frame.f_code.co_name
        if module.startswith("tests.") and not found:
            return _A_TEST
        if module.startswith("tablegram.") and function == "<module>":
            return ""
        if module.startswith("tablegram.") and not module.startswith("tablegram.storage.") and function[0] != "<":
            found = found or f"made by {module}.{function}"
        frame = frame.f_back
    return found


def read_statements(file: Path) -> set[str]:
    return set(file.read_text().splitlines()) if file.exists() else set()
