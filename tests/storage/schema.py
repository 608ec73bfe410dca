"""The schema that a database has, beside the one that is declared."""

from __future__ import annotations

import warnings
from typing import Any

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection

from tablegram.storage.migrate import on_connection
from tablegram.storage.tables import metadata


def differences(url: str) -> list[Any]:
    """What the database has that the declared schema has not, and the other way round."""

    def compare(connection: Connection) -> list[Any]:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        with warnings.catch_warnings():
            # A file does not tell what expression an index is made of. That it is read is seen by plans.
            warnings.filterwarnings("ignore", ".*expression-based index")
            return list(compare_metadata(context, metadata))

    return on_connection(url, compare)
