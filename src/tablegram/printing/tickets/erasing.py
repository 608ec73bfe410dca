"""Tickets outlive the guest: what was cooked stays, and who it was for goes."""

from __future__ import annotations

import msgspec

from tablegram.printing.store import tickets as store
from tablegram.printing.tickets.content import TicketContent, read_content, write_content
from tablegram.storage.database import Tx


def without_person(content: TicketContent) -> TicketContent:
    lines = tuple(msgspec.structs.replace(line, notes="") for line in content.lines)
    return msgspec.structs.replace(content, guest="", notes="", allergy="", lines=lines, door=None)


async def forget(tx: Tx, account_id: int, order_key: str) -> int:
    """Take the person out of the tickets of an order; how many said something."""
    count = 0
    for row in await tx.all(store.OF_ORDER, {"b_account": account_id, "b_order": order_key}):
        raw = write_content(without_person(read_content(row["content"])))
        if raw != row["content"]:
            await tx.run(store.WRITE_CONTENT, {"b_account": account_id, "b_id": row["id"], "new_content": raw})
            count += 1
    return count
