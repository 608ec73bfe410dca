"""The lists of the inbox are read from indexes of what the store copies beside who wrote last: they say what conversations say."""

from __future__ import annotations

from itertools import product
from typing import Any

from sqlalchemy import column, delete, insert, select, table, update

from tablegram.crm.conversations import (
    ConversationChange,
    ConversationFilter,
    State,
    change,
    count_unread,
    find,
    get,
    is_unread,
    note_answered,
    state_of,
)
from tablegram.crm.rows import ConversationRow
from tablegram.crm.search import read_position
from tablegram.crm.store import conversations as store
from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import contacts, conversations
from tests.storage.opened import add_accounts, opened

NOW = 1_000
OWNERS = ("", "nobody", "m1", "m2")
STATES: tuple[State, ...] = ("open", "closed", "snoozed", "all")
_READ = Query(across_accounts(select(contacts), "the test looks at all"))
_WRITE = Query(across_accounts(select(conversations), "the test looks at all"))


def _contact(name: str, seen: int = 500, **more: Any) -> tuple[Query, dict[str, Any]]:
    row = {
        "account_id": 1, "id": name, "name": name, "language": "", "tags": "[]", "notes": "", "consent": "unknown",
        "consent_source": "", "first_seen_at": 1, "last_seen_at": seen, "window_until": NOW, **more,
    }  # fmt: skip
    return Query(insert(contacts).values(row)), {}


def _conversation(name: str, **more: Any) -> tuple[Query, dict[str, Any]]:
    row = {"account_id": 1, "contact_id": name, "updated_at": 1, "updated_by": "", **more}
    return Query(insert(conversations).values(row)), {}


async def copied(db: Database) -> None:
    """What stands beside a contact is what its conversation says, or nothing."""
    said = {row["contact_id"]: row for row in await db.all(_WRITE)}
    rows = await db.all(_READ)
    assert rows
    for row in rows:
        one = said.get(row["id"])
        meant = (0, 0, None) if one is None else (one["seen_until"], one["closed_at"] or 0, one["assigned_to"])
        assert (row["inbox_seen"], row["inbox_closed"], row["inbox_owner"]) == meant, row["id"]


async def _pages(tx: Tx, wanted: dict[str, Any], most: int) -> list[str]:
    found: list[str] = []
    after: str | None = None
    while True:
        place = read_position(after)
        rows, after = await find(tx, ConversationFilter(account_id=1, now_ms=NOW, most=most, after=place, **wanted))
        found += [row["id"] for row in rows]
        if after is None:
            return found


async def test_each_list_has_who_fits_it_page_by_page_and_nobody_else(database_url: str) -> None:
    async with opened(database_url) as db:
        await add_accounts(db, 1, 2)
        await db.put(_contact("silent", window_until=None), _contact("merged", merged_into="c00"))
        sorts = product((None, 499, 500), (None, 499, 500), (None, "m1", "m2"), (None, (NOW + 9, 500), (NOW - 9, 500)))
        for number, (seen, closed, owner, rest) in enumerate(sorts):
            # Two at a time, so that pages end between those of one moment.
            await db.put(_contact(f"c{number:02}", 500 + number // 2))
            moved = number // 2
            await db.put(
                _conversation(
                    f"c{number:02}", seen_until=0 if seen is None else seen + moved, assigned_to=owner,
                    closed_at=None if closed is None else closed + moved, snoozed_until=rest and rest[0],
                    snoozed_seen=rest and rest[1] + moved,
                )
            )  # fmt: skip
        await db.put(_contact("untouched", 900), _contact("elsewhere", 900, account_id=2))
        await copied(db)

        async def look(tx: Tx) -> None:
            mine = [row for row in await tx.all(_READ, {}) if row["account_id"] == 1]
            names = [row["id"] for row in mine if row["window_until"] is not None and row["merged_into"] is None]
            listed = sorted(
                [await get(tx, 1, name) for name in names],
                key=lambda row: (row["last_seen_at"], row["id"]),
                reverse=True,
            )
            assert len(listed) == 82
            for state, owner, unread in product(STATES, OWNERS, (False, True)):
                meant = [row["id"] for row in listed if _fits(row, state, owner, unread)]
                wanted = {"state": state, "owner": owner, "unread": unread}
                assert await _pages(tx, wanted, 3) == meant, wanted
                assert await _pages(tx, wanted, 50) == meant, wanted
            assert await count_unread(tx, 1, NOW) == len([1 for row in listed if _fits(row, "open", "", True)])

        await db.write(look)


def _fits(row: ConversationRow, state: State, owner: str, unread: bool) -> bool:
    if state not in ("all", state_of(row, NOW)) or (unread and not is_unread(row)):
        return False
    return not owner or (row["assigned_to"] or "nobody") == owner


CHANGES = (
    ConversationChange(seen=True),
    ConversationChange(seen=False),
    ConversationChange(assigned_to="m1"),
    ConversationChange(assigned_to=""),
    ConversationChange(closed=True, assigned_to="m2"),
    ConversationChange(closed=False),
    ConversationChange(snoozed_until=NOW + 9),
    ConversationChange(snoozed_until=0),
)


async def test_whatever_is_done_with_a_conversation_stands_beside_its_contact(database_url: str) -> None:
    async with opened(database_url) as db:
        await add_accounts(db, 1)
        await db.put(_contact("one"), _contact("two"), _contact("heir"))
        for wanted in CHANGES:

            async def act(tx: Tx, wanted: ConversationChange = wanted) -> None:
                await change(tx, await get(tx, 1, "one"), wanted, now_ms=NOW, by="m1")

            await db.write(act)
            await copied(db)
        for previous, at in ((None, 400), (400, 500)):

            async def answer(tx: Tx, previous: int | None = previous, at: int = at) -> None:
                await note_answered(tx, 1, "two", previous_at_ms=previous, at_ms=at, now_ms=NOW)

            await db.write(answer)
            await copied(db)
        which = {"b_account": 1, "b_id": "one"}
        await db.put((store.SNOOZE, {**(await db.all(_WRITE))[0], "snoozed_until": 5, "snoozed_seen": 500}))
        for step in (
            (store.WAKE, {**which, "now": 6}),
            (store.MOVE, {**which, "target": "heir"}),
            (store.FORGET, which),
        ):
            await db.put(step)
            await copied(db)
        assert {row["id"]: row["inbox_owner"] for row in await db.all(_READ)}["heir"] == "m2"


async def test_a_server_of_the_version_before_writes_it_without_knowing(database_url: str) -> None:
    """It knows the table, and nothing of the copy."""
    known = table(
        "conversations",
        *map(
            column, ("account_id", "contact_id", "seen_until", "assigned_to", "closed_at", "updated_at", "updated_by")
        ),
    )
    which = (known.c.account_id == 1, known.c.contact_id == "one")
    row = {"account_id": 1, "contact_id": "one", "seen_until": 7, "assigned_to": "m1", "closed_at": 8}
    async with opened(database_url) as db:
        await add_accounts(db, 1)
        await db.put(_contact("one"))
        for statement in (
            insert(known).values({**row, "updated_at": 1, "updated_by": ""}),
            update(known).where(*which).values(seen_until=9, closed_at=None),
            delete(known).where(*which),
        ):
            await db.put((Query(statement), {}))
            await copied(db)
