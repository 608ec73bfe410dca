"""Tabs: the guests of one table at one time. Whoever opens the menu at the table joins its open tab."""

from __future__ import annotations

from tablegram.restaurant.store import carts as store
from tablegram.storage.database import Tx
from tablegram.values.clock import HOUR_MS
from tablegram.values.ids import new_id

# A table at which nobody has done anything for so long has other guests now.
IDLE_MS = 3 * HOUR_MS


async def join(tx: Tx, account_id: int, venue_id: str, table_id: str, now: int) -> str:
    """The table's open tab; a new one where there is none, or where the last guests have gone."""
    which = {"b_account": account_id, "b_table": table_id}
    await tx.run(store.CLOSE_IDLE_TAB, {**which, "now": now, "idle_since": now - IDLE_MS})
    row = {
        "account_id": account_id,
        "id": new_id(now),
        "venue_id": venue_id,
        "table_id": table_id,
        "state": "open",
        "opened_at": now,
        "last_at": now,
    }
    # Two phones may sit down in the same moment; the table's open tab is unique, and both get the same one.
    await tx.run(store.INSERT_TAB, row)
    joined = await tx.first(store.JOIN_TAB, {**which, "now": now})
    if joined is None:
        raise RuntimeError("a tab that was just opened is not there")
    return joined["id"]


async def is_in_use(tx: Tx, account_id: int, tab_id: str, now: int) -> bool:
    """Whether the guests of a tab still sit there, as far as anybody knows."""
    which = {"b_account": account_id, "b_tab": tab_id, "idle_since": now - IDLE_MS}
    return await tx.first(store.TAB_IN_USE, which) is not None


async def hold(tx: Tx, account_id: int, tab_id: str) -> None:
    """Nobody joins or leaves the tab until this transaction ends. Call it before its orders are locked."""
    await tx.first(store.LOCK_TAB, {"b_account": account_id, "b_tab": tab_id})


async def leave(tx: Tx, account_id: int, tab_id: str, now: int) -> None:
    """The guests have gone: open carts of theirs can no longer be sent.

    Where everything is brought and paid they stay, since somebody may still choose a dessert; whoever goes on with one
    joins the tab that is open then.
    """
    carts = {"b_account": account_id, "b_tab": tab_id, "now": now}
    # By their codes, like everybody who takes several.
    await tx.all(store.LOCK_OF_TAB, carts)
    await tx.run(store.EXPIRE_OF_TAB, carts)
