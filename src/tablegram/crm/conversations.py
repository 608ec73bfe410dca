"""What people do with a conversation: see it, take it, let it rest, close it. Customers change it only by writing.

A conversation is *unread* while its customer wrote after it was last seen, *closed* until its customer writes again, and
*snoozed* until its customer writes or its time has come: nothing on the way of a message in writes here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from tablegram.crm import search
from tablegram.crm.merging import find_living
from tablegram.crm.rows import ConversationRow
from tablegram.crm.store import conversations as store
from tablegram.crm.terms import Word
from tablegram.errors import NotFound, no_such
from tablegram.storage.database import Statement, Tx
from tablegram.values.clock import DAY_MS

State = Literal["open", "closed", "snoozed", "all"]

# Counting goes as far as this; more is shown as "100 or more".
MOST_UNREAD = 100
# So many contacts that a search finds are looked at for one page.
SEARCH_PAGES = 5
# What rests for longer is better closed.
MAX_REST_MS = 366 * DAY_MS


class ConversationFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which conversations to list. `owner`: a member's id, `nobody`, or empty for everybody's."""

    account_id: int
    state: State = "open"
    owner: str = ""
    unread: bool = False
    # Only those whose customer waits for an answer, who waits longest first.
    waiting: bool = False
    now_ms: int = 0
    # Without words: those who have written. With words: everybody found.
    words: list[Word] = []
    searched: bool = False
    after: tuple[int, str] | None = None
    most: int = 50


def is_closed(row: ConversationRow) -> bool:
    return row["closed_at"] is not None and row["closed_at"] >= row["last_seen_at"]


def is_snoozed(row: ConversationRow, now_ms: int) -> bool:
    until = row["snoozed_until"]
    return until is not None and until > now_ms and (row["snoozed_seen"] or 0) >= row["last_seen_at"]


def state_of(row: ConversationRow, now_ms: int) -> Literal["open", "closed", "snoozed"]:
    return "closed" if is_closed(row) else "snoozed" if is_snoozed(row, now_ms) else "open"


def is_unread(row: ConversationRow) -> bool:
    return row["window_until"] is not None and row["last_seen_at"] > (row["seen_until"] or 0)


async def find(tx: Tx, wanted: ConversationFilter) -> tuple[Sequence[ConversationRow], str | None]:
    """A page of contacts with the state of their conversations, and where it goes on.

    The last writers come first; of those who wait, who waits longest.
    """
    if wanted.searched:
        return await _search(tx, wanted)
    owner = {"": "", "nobody": "nobody"}.get(wanted.owner, "member")
    params: dict[str, Any] = {"b_account": wanted.account_id, "most": wanted.most + 1, "member": wanted.owner}
    params["now"] = wanted.now_ms
    if wanted.after is not None:
        params |= {"at": wanted.after[0], "id": wanted.after[1]}
    is_after = wanted.after is not None
    if wanted.waiting:
        waiting = await tx.all(store.waiting(owner, after=is_after), params)
        last = waiting[wanted.most - 1] if len(waiting) > wanted.most else None
        return waiting[: wanted.most], None if last is None else search.place(last, last["waiting_since"])
    # What one person looks after has an index of what is closed and one of what is not.
    states = ("running", "closed") if owner and wanted.state == "all" else (wanted.state,)
    rows: list[ConversationRow] = []
    for state in states:
        rows += await tx.all(store.page(state, owner, unread=wanted.unread, after=is_after), params)
    rows.sort(key=lambda row: (row["last_seen_at"], row["id"]), reverse=True)
    return rows[: wanted.most], search.position(rows[wanted.most - 1]) if len(rows) > wanted.most else None


async def waiting_since(tx: Tx, account_id: int, rows: Sequence[ConversationRow], now_ms: int) -> dict[str, int]:
    """Since when the customers of open conversations wait for an answer; who has one is not in it."""
    which = [{"b_account": account_id, "b_id": row["id"]} for row in rows if state_of(row, now_ms) != "closed"]
    found = await tx.gather(store.WAITING_SINCE, which)
    return {row["id"]: int(row["waiting_since"]) for row in found if row["waiting_since"] is not None}


async def _search(tx: Tx, wanted: ConversationFilter) -> tuple[Sequence[ConversationRow], str | None]:
    """Contacts that are found, of which those stay whose conversation is wanted."""
    if not wanted.words:
        return [], None
    kept: list[ConversationRow] = []
    after = wanted.after
    for _ in range(SEARCH_PAGES):
        found = await search.find(
            tx, search.ContactSearch(wanted.account_id, wanted.words, None, after, wanted.most + 1)
        )
        which = [{"b_account": wanted.account_id, "b_id": row["id"]} for row in found[: wanted.most]]
        rows = await tx.gather(store.GET, which)
        waits = await waiting_since(tx, wanted.account_id, rows, wanted.now_ms) if wanted.waiting else {}
        for row in rows:
            if len(kept) == wanted.most:
                return kept, search.position(kept[-1])
            if _fits(row, wanted) and (not wanted.waiting or row["id"] in waits):
                kept.append(row)
        if len(found) <= wanted.most:
            return kept, None
        last = found[wanted.most - 1]
        after = (last["last_seen_at"], last["id"])
    return kept, search.position(last)


def _fits(row: ConversationRow, wanted: ConversationFilter) -> bool:
    if wanted.state not in ("all", state_of(row, wanted.now_ms)):
        return False
    if wanted.owner and (row["assigned_to"] or "nobody") != wanted.owner:
        return False
    return is_unread(row) or not wanted.unread


async def get(tx: Tx, account_id: int, contact_id: str, *, to_change: bool = False) -> ConversationRow:
    """The conversation with a contact, or with the one that answers for it."""
    living = await find_living(tx, account_id, contact_id)
    query = store.LOCK if to_change else store.GET
    row = None if living is None else await tx.first(query, {"b_account": account_id, "b_id": living["id"]})
    if row is None:
        raise NotFound(no_such("contact"), code="contact_unknown")
    return row


async def count_unread(tx: Tx, account_id: int, now_ms: int) -> int:
    """How many open conversations are unread, as far as `MOST_UNREAD`."""
    row = await tx.first(store.COUNT_UNREAD, {"b_account": account_id, "most": MOST_UNREAD, "now": now_ms})
    return 0 if row is None else int(row["n"])


async def count_newer(tx: Tx, rows: Sequence[tuple[ConversationRow, list[str]]]) -> dict[str, int]:
    """How many messages of each conversation are unread. Each row comes with its customer's addresses."""
    wanted = [
        {
            "b_account": row["account_id"],
            "b_id": row["id"],
            "b_phone": address,
            "seen": row["seen_until"] or 0,
            "most": MOST_UNREAD,
        }
        for row, addresses in rows
        if is_unread(row)
        for address in addresses
    ]
    # A message of the same second as the last one seen is not newer by the network's clock, but unread all the same.
    counts = {row["id"]: 0 for row, _ in rows if is_unread(row)}
    for found in await tx.gather(store.COUNT_NEWER, wanted):
        counts[found["contact_id"]] += int(found["n"])
    return {contact_id: min(max(1, n), MOST_UNREAD) for contact_id, n in counts.items()}


class ConversationChange(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody does with a conversation; what is not given stays."""

    seen: bool | None = None
    # Up to which sight of the customer; empty means the last one.
    seen_until: int | None = None
    closed: bool | None = None
    # A member's id; empty text takes it back to nobody.
    assigned_to: str | None = None
    # Until when it rests; 0 wakes it.
    snoozed_until: int | None = None


async def change(tx: Tx, row: ConversationRow, wanted: ConversationChange, *, now_ms: int, by: str) -> None:
    seen = row["last_seen_at"] if wanted.seen_until is None else min(wanted.seen_until, row["last_seen_at"])
    base = {
        "account_id": row["account_id"],
        "contact_id": row["id"],
        "seen_until": 0,
        "assigned_to": None,
        "closed_at": None,
        "updated_at": now_ms,
        "updated_by": by,
        "snoozed_until": None,
        "snoozed_seen": None,
    }
    steps: list[Statement] = []
    if wanted.seen is not None:
        # Unread again: the last message only.
        unseen = (store.UNSEEN, {"seen_until": max(0, row["last_seen_at"] - 1)})
        steps.append((store.SEEN, {"seen_until": seen}) if wanted.seen else unseen)
    if wanted.assigned_to is not None:
        steps.append((store.ASSIGN, {"assigned_to": wanted.assigned_to or None}))
    if wanted.closed is not None:
        # As far as the customer was seen, and not the present time: what they wrote meanwhile opens it again.
        closed = (store.CLOSE, {"closed_at": seen, "seen_until": seen})
        steps.append(closed if wanted.closed else (store.REOPEN, {}))
    if wanted.snoozed_until:
        # What the customer writes meanwhile wakes it, also while the page was open.
        rest = {"snoozed_until": wanted.snoozed_until, "snoozed_seen": seen, "seen_until": seen}
        steps.append((store.SNOOZE, rest))
    elif wanted.snoozed_until is not None:
        steps.append((store.REOPEN, {}))
    for query, changes in steps:
        await tx.run(query, {**base, **changes})


async def note_answered(
    tx: Tx, account_id: int, contact_id: str, *, previous_at_ms: int | None, at_ms: int, now_ms: int
) -> None:
    """What a customer wrote at a time needs nobody any more; it is not unread, unless something before it still is."""
    if previous_at_ms is None:
        first = {
            "account_id": account_id, "contact_id": contact_id, "seen_until": at_ms, "assigned_to": None,
            "closed_at": None, "updated_at": now_ms, "updated_by": "", "snoozed_until": None, "snoozed_seen": None,
        }  # fmt: skip
        await tx.run(store.SEEN, first)
        return
    step = {"b_account": account_id, "b_id": contact_id, "previous": previous_at_ms, "seen": at_ms, "now": now_ms}
    await tx.run(store.SEEN_ON, step)
