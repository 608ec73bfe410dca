"""A question of ours that waits for a guest's answer."""

from __future__ import annotations

from sqlalchemy import select

from tablegram.storage.database import Query, Row
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import dialogues as rows
from tests.restaurant.flows.house import House

EARLIER = "2 pide 1 ayran masa 5"


async def kept(one: House) -> list[Row]:
    return await one.db.all(Query(across_accounts(select(rows), "a test looks at everything")))


async def names(one: House) -> list[tuple[str, int]]:
    (body,) = await one.told()
    return [(item["name"], item["quantity"]) for item in body["items"]]
