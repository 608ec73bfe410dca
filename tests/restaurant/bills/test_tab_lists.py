"""Which tabs a list shows when it is narrowed: those that fit, page by page, the newest first."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from tablegram.restaurant.bills import seating
from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.tables import orders, tabs
from tests.storage.opened import add_accounts, opened
from tests.storage.plain_rows import plain_row

# What was ordered at a tab, and whether somebody still owes for it.
ORDERED: list[tuple[list[dict[str, Any]], bool]] = [
    ([], False),
    ([{}], True),
    ([{}, {}], True),
    ([{"payment_state": "paid"}], False),
    ([{"payment_state": "paid"}, {"payment_state": "partially_paid"}], True),
    ([{"payment_state": "refunded"}], False),
    ([{"total": 0}], False),
    ([{"state": "completed", "closed_at": 9}], False),
    ([{"state": "rejected"}], False),
    ([{"state": "awaiting_payment"}], False),
    ([{"state": "completed", "closed_at": 9}, {"state": "served"}], True),
]


async def _pages(tx: Tx, most: int, venue: str | None, state: str | None, table: str | None) -> list[str]:
    found: list[str] = []
    cursor: str | None = None
    while True:
        shown, cursor = await seating.page(tx, 1, venue, state, table, cursor, most)
        found += [tab.id for tab in shown]
        # No tab is shown twice; and a list that begins again would never end.
        assert len(found) == len(set(found)), found
        if cursor is None:
            return found


def _order(account_id: int, key: str, **named: Any) -> tuple[Query, dict[str, Any]]:
    usual = {"order_type": "dine_in", "state": "preparing", "payment_state": "unpaid", "total": 500, "order_id": key}
    return plain_row(orders, account_id=account_id, id=key, **{**usual, **named})


async def _furnish(db: Database) -> list[tuple[dict[str, Any], bool]]:
    """Tabs, the newest first, at which something was ordered; and which of them are shown as open."""
    made = []
    kinds = product(ORDERED, ("open", "closed"), ("v1", "v2"))
    for number, ((ordered, owes), state, venue) in enumerate(kinds):
        # One table has one open tab, and several that are closed; pages end between tabs of one moment.
        table = f"t{number}" if state == "open" else "t0"
        row = {"venue_id": venue, "table_id": table, "state": state, "opened_at": 100 + number // 3}
        tab = {"account_id": 1, "id": f"tab{number:02}", **row}
        await db.put(plain_row(tabs, **tab))
        for place, one in enumerate(ordered):
            await db.put(_order(1, f"o{number}.{place}", tab_id=tab["id"], venue_id=venue, **one))
        if ordered:
            made.append((tab, state == "open" or owes))
    await db.put(plain_row(tabs, account_id=2, id="theirs", venue_id="v1", table_id="t0", state="open"))
    await db.put(_order(2, "o", tab_id="theirs", venue_id="v1"))
    return sorted(made, key=lambda one: (one[0]["opened_at"], one[0]["id"]), reverse=True)


async def test_open_tabs_and_those_at_which_somebody_owes_are_listed_page_by_page_and_so_are_the_others(
    database_url: str,
) -> None:
    fits: dict[str | None, Callable[[bool], bool]] = {
        None: lambda is_open: True,
        "open": lambda is_open: is_open,
        "closed": lambda is_open: not is_open,
    }
    async with opened(database_url) as db:
        await add_accounts(db, 1, 2)
        made = await _furnish(db)

        async def look(tx: Tx) -> None:
            for state, venue, table in product(fits, (None, "v1", "nowhere"), (None, "t0", "t4")):
                meant = [
                    tab["id"]
                    for tab, is_open in made
                    if fits[state](is_open) and venue in (None, tab["venue_id"]) and table in (None, tab["table_id"])
                ]
                for most in (1, 3, 50):
                    assert await _pages(tx, most, venue, state, table) == meant, (state, venue, table, most)

        await db.snapshot(look)
