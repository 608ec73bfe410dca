"""A person is erased, and the whole store is looked through."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from tablegram.storage.database import Query
from tests.crm.pool import Pool


async def erased(one: Pool) -> dict[str, Any]:
    reply = await one.call("DELETE", f"/contacts/{(await one.contact())['id']}")
    assert reply.status == 200, reply.body
    return dict(reply.json())


async def whole_store(one: Pool) -> str:
    """Every row of every table, as text."""
    from tablegram.storage.scope import across_accounts
    from tablegram.storage.tables import metadata

    parts = []
    for table in metadata.sorted_tables:
        for row in await one.db.all(Query(across_accounts(select(table), "a test looks at everything"))):
            parts += [
                value.decode(errors="replace") if isinstance(value, bytes) else str(value)
                for value in dict(row).values()
            ]
    return "\n".join(parts)
