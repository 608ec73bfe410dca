"""The database's own clock, in statements: one clock for all processes that share a store, however wrong theirs are."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement


class DatabaseNow(FunctionElement[int]):
    """Milliseconds since 1970 at this very moment, not at the beginning of the transaction."""

    type = BigInteger()
    inherit_cache = True


# Also the form of statements that are only looked at, for no database in particular.
@compiles(DatabaseNow)
def _on_server(_element: DatabaseNow, _compiler: Any, **_options: Any) -> str:
    return "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"


@compiles(DatabaseNow, "sqlite")
def _in_file(_element: DatabaseNow, _compiler: Any, **_options: Any) -> str:
    # The Julian day of 1970; a double tells moments of our time apart to a twentieth of a millisecond.
    return "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
