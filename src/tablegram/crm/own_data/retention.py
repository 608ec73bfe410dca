"""How long an account keeps what is known of people: its messages, and contacts who have been silent."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from tablegram.crm.rows import RulesRow
from tablegram.crm.store import retention_rules as store
from tablegram.storage.database import Tx

# Days; 0 is as long as the installation keeps them.
MessageDays = Literal[0, 30, 90, 180, 365, 730, 1095, 1825, 3650]
ContactDays = Literal[0, 180, 365, 730, 1095, 1825, 3650]
MESSAGE_DAYS: tuple[int, ...] = get_args(MessageDays)
CONTACT_DAYS: tuple[int, ...] = get_args(ContactDays)


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    message_days: int = 0
    contact_days: int = 0


async def find(tx: Tx, account_id: int) -> Rules:
    row = await tx.first(store.GET, {"b_account": account_id})
    return Rules(account_id=account_id) if row is None else _rules(row)


async def write(tx: Tx, rules: Rules, now: int) -> None:
    await tx.run(store.PUT, {**msgspec.structs.asdict(rules), "updated_at": now})


async def every(tx: Tx) -> list[Rules]:
    """Of each account that has any."""
    return [_rules(row) for row in await tx.all(store.EVERY, {})]


async def silent(tx: Tx, account_id: int, before: int, after: tuple[int, str], most: int) -> list[tuple[int, str]]:
    """Contacts who were last heard of before a time, the longest ago first: when, and their ids."""
    seen_at, contact_id = after
    which = {"b_account": account_id, "before": before, "after_at": seen_at, "after_id": contact_id, "most": most}
    return [(row["last_seen_at"], row["id"]) for row in await tx.all(store.SILENT, which)]


def _rules(row: RulesRow) -> Rules:
    return Rules(account_id=row["account_id"], message_days=row["message_days"], contact_days=row["contact_days"])
