"""Which statements of the product ran: so that none runs on one database alone.

Not every test runs on every database (see `conftest.py`), and the saving is sound only while each statement does. With
`RECORD` in the environment, each process that runs the product adds every statement that it runs to that file, once, at
once: it may be killed a moment later. `tools/run_tests.py` compares what the databases' runs have left.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Any

import pytest

RECORD = "SUITE_STATEMENTS_FILE"
_STORES = ("tablegram.storage.sqlite", "tablegram.storage.postgres")
# Several rows in one run are another text for a server than one.
_MANY = ("many", "gather")
# One text names a statement on every database.
_NAMED_BY = "postgresql"


def record_statements() -> None:
    """From now on, in this process and in those that are forked off it. Without `RECORD`, nothing."""
    if RECORD not in os.environ:
        return
    from tablegram.storage.query import Query

    file = os.environ[RECORD]
    # While a statement is kept here, no other one gets its number.
    seen: dict[tuple[int, bool], Query] = {}
    plain_form = Query.form

    def form(query: Query, dialect: str) -> Any:
        caller = sys._getframe(1)
        together = caller.f_code.co_name in _MANY and len(caller.f_locals["rows"]) > 1
        # A test may ask for a statement's text; only what a store asks for is run.
        if (id(query), together) not in seen and caller.f_globals["__name__"] in _STORES:
            text = " ".join(plain_form(query, _NAMED_BY).sql.split())
            # A test may forbid the process to write; then the next run of the statement is told.
            with contextlib.suppress(OSError), open(file, "a") as record:
                record.write(f"{text}{' -- many' * together}\n")
                seen[id(query), together] = query
        return plain_form(query, dialect)

    pytest.MonkeyPatch().setattr(Query, "form", form)


def read_statements(file: Path) -> set[str]:
    return set(file.read_text().splitlines()) if file.exists() else set()
