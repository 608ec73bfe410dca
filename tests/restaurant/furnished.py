"""The demo's restaurant in a moment: made once by the product in each process, and its rows written again for each test.

To make it takes some hundred statements, a picture at a time; how it is made has tests of its own (`tests/cli/test_demo`).
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Table, bindparam, insert, select

from tablegram.restaurant import tables, venues
from tablegram.restaurant.demo import house as demo
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Query, Tx
from tablegram.storage.query import columns
from tablegram.storage.tables import metadata
from tablegram.storage.tables import venues as venue_table
from tablegram.values.secrets import SecretBox

Rows = list[dict[str, Any]]

# What belongs to a venue, and the venue first.
_OWNED = [venue_table, *(table for table in metadata.sorted_tables if "venue_id" in table.c)]
_kept: list[tuple[Query, Rows]] = []


async def furnish(tx: Tx, account_id: int, box: SecretBox, now_ms: int, instance_id: int | None = None) -> Venue:
    """As `demo.fill`, into a database that has no restaurant yet."""
    if not _kept:
        venue = await demo.fill(tx, account_id, box, now_ms, instance_id)
        for table in _OWNED:
            if found := await _all(tx, table, account_id):
                _kept.append((Query(insert(table).values(columns(table)), bulk=True), found))
        return venue
    # What differs from one restaurant to another; its key is sealed by the installation's own.
    own = {"account_id": account_id, "created_at": now_ms, "updated_at": now_ms, "instance_id": instance_id}
    sealed = {"signing_key": tables.new_signing_key(box)}
    for query, rows in _kept:
        changes = {**own, **(sealed if "signing_key" in rows[0] else {})}
        await tx.many(query, [{**row, **{name: changes[name] for name in changes if name in row}} for row in rows])
    venue_id = _kept[0][1][0]["id"]
    return await venues.find(tx, account_id, venue_id)


async def _all(tx: Tx, table: Table, account_id: int) -> Rows:
    found = select(table).where(table.c.account_id == bindparam("b_account"))
    return [dict(row) for row in await tx.all(Query(found), {"b_account": account_id})]
