"""A store over a real database, and a few rows and statements that tests of it share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import bindparam, insert, select, update

from tablegram.settings import Settings
from tablegram.storage.database import Database, Query, open_database
from tablegram.storage.query import columns
from tablegram.storage.tables import accounts, installation, messages, plans

SET = Query(insert(installation).values(columns(installation)))
FACTS = Query(select(installation).order_by(installation.c.name))
CHANGE = Query(update(installation).where(installation.c.name == bindparam("which")).values(value=bindparam("value")))

_PLAN = Query(insert(plans).values(columns(plans)))
_ACCOUNT = Query(insert(accounts).values(columns(accounts, "id", "name", "state", "plan", "created_at")))
INSERT_MESSAGE = Query(
    insert(messages).values(
        columns(
            messages, "account_id", "id", "instance_id", "direction", "phone", "type", "text", "content", "state",
            "priority", "category", "created_at",
        )
    )
)  # fmt: skip


@asynccontextmanager
async def opened(database_url: str) -> AsyncIterator[Database]:
    db = open_database(Settings(database_url=database_url))
    await db.open()
    try:
        yield db
    finally:
        await db.close()


def fact(name: str, value: str = "") -> tuple[Query, dict[str, Any]]:
    return SET, {"name": name, "value": value}


async def facts(db: Database) -> dict[str, str]:
    return {row["name"]: row["value"] for row in await db.all(FACTS)}


async def add_accounts(db: Database, *ids: int) -> None:
    await db.put((_PLAN, {"name": "plain", "free_messages": 0, "free_hours": 0}))
    for account_id in ids:
        row = {"id": account_id, "name": f"account {account_id}", "state": "active", "plan": "plain", "created_at": 1}
        await db.put((_ACCOUNT, row))


def message(account_id: int, key: str, **changes: Any) -> dict[str, Any]:
    return {
        "account_id": account_id, "id": key, "instance_id": 1, "direction": "out", "phone": "905551112233",
        "type": "text", "text": "", "content": "{}", "state": "queued", "priority": 10, "category": "service",
        "created_at": 1, **changes,
    }  # fmt: skip
