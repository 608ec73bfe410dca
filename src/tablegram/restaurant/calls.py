"""Guests who call: for the waiter, or for the bill. One call waits until somebody answers it."""

from __future__ import annotations

from typing import Literal

import msgspec

from tablegram.errors import NotFound
from tablegram.restaurant.menu.model import clean_line
from tablegram.restaurant.rows.guests import CallKind, CallRow
from tablegram.restaurant.rows.guests import PayBy as PayBy
from tablegram.restaurant.store import calls as store
from tablegram.restaurant.tables import Table
from tablegram.storage.database import Tx
from tablegram.values.clock import HOUR_MS, MINUTE_MS
from tablegram.values.ids import new_id

MAX_NOTE = 200
# A waiter who came and told no screen of it must not leave the table without a bell for the rest of the day.
RINGS_AGAIN_MS = 5 * MINUTE_MS

# So long a table is told that its call waits, and that somebody comes.
WAITS_MS = 30 * MINUTE_MS
COMES_MS = 2 * MINUTE_MS
# Who paid everything is told so for so long; whoever sits there later has not ordered yet.
PAID_LATELY_MS = HOUR_MS

Kind = CallKind
State = Literal["waiting", "answered"]


class GuestCall(msgspec.Struct, frozen=True):
    account_id: int
    id: str
    venue_id: str
    table_id: str
    table_label: str
    kind: Kind
    # Who serves the table at that moment; empty when nobody does.
    waiter: str
    note: str
    created_at: int
    answered_at: int | None = None
    # Of a call for the bill: how the guest wants to pay, and how much is open, in minor units.
    method: str | None = None
    amount: int | None = None


async def call(
    tx: Tx, table: Table, kind: Kind, note: str, now_ms: int, *, method: PayBy | None = None, amount: int | None = None
) -> tuple[GuestCall, bool]:
    """A table's call, and whether it is new: who taps again while nobody came does not ring again, for a while."""
    row: CallRow = {
        "account_id": table.account_id, "id": new_id(), "venue_id": table.venue_id, "table_id": table.id,
        "table_label": table.label, "kind": kind, "waiter": table.waiter_name, "note": clean_line(note)[:MAX_NOTE],
        "created_at": now_ms, "answered_at": None, "answered_by": "", "method": method, "amount": amount,
    }  # fmt: skip
    if await tx.first(store.INSERT, row) is not None:
        return _read(row), True
    which = {"b_account": table.account_id, "b_venue": table.venue_id, "b_table": table.id, "b_kind": kind}
    waiting = await tx.first(store.OPEN_OF_TABLE, which)
    if waiting is not None and now_ms - waiting["created_at"] >= RINGS_AGAIN_MS:
        over = {"b_account": table.account_id, "b_venue": table.venue_id, "b_id": waiting["id"]}
        await tx.run(store.ANSWER, {**over, "now": now_ms, "by": ""})
        if await tx.first(store.INSERT, row) is not None:
            return _read(row), True
        waiting = await tx.first(store.OPEN_OF_TABLE, which)
    return _read(row if waiting is None else waiting), False


async def waiting(tx: Tx, account_id: int, venue_id: str) -> list[GuestCall]:
    """Every call that nobody answered yet, the longest waiting first."""
    rows = await tx.all(store.OPEN, {"b_account": account_id, "b_venue": venue_id})
    return [_read(row) for row in rows]


async def heard(tx: Tx, table: Table, now_ms: int) -> dict[Kind, State]:
    """How the table's last call of each kind stands; nothing of one that was answered a while ago."""
    which = {"b_account": table.account_id, "b_venue": table.venue_id, "b_table": table.id}
    rows = await tx.all(store.LATELY_AT_TABLE, {**which, "since": now_ms - WAITS_MS})
    last = {call.kind: call for call in map(_read, rows)}
    return {
        kind: "waiting" if call.answered_at is None else "answered"
        for kind, call in last.items()
        if call.answered_at is None or now_ms - call.answered_at < COMES_MS
    }


async def answer(tx: Tx, account_id: int, venue_id: str, call_id: str, by: str, now_ms: int) -> None:
    values = {"b_account": account_id, "b_venue": venue_id, "b_id": call_id, "now": now_ms, "by": by}
    if await tx.run(store.ANSWER, values) == 0:
        raise NotFound("No such call is waiting; somebody may have answered it.", code="call_unknown")


async def answer_all(tx: Tx, table: Table, by: str, now_ms: int) -> None:
    """The guests of a table have gone; nobody has to come any more."""
    which = {"b_account": table.account_id, "b_venue": table.venue_id, "b_table": table.id}
    await tx.run(store.ANSWER_TABLE, {**which, "now": now_ms, "by": by})


def _read(row: CallRow) -> GuestCall:
    return GuestCall(
        account_id=row["account_id"],
        id=row["id"],
        venue_id=row["venue_id"],
        table_id=row["table_id"],
        table_label=row["table_label"],
        kind=row["kind"],
        waiter=row["waiter"],
        note=row["note"],
        created_at=row["created_at"],
        answered_at=row["answered_at"],
        method=row["method"],
        amount=row["amount"],
    )
