"""The drawer: cash comes and goes as rows, and a count closes every row that no count has closed before."""

from __future__ import annotations

import msgspec

from tablegram.errors import Conflict, Invalid, NotFound, no_such
from tablegram.restaurant.lines import tidy
from tablegram.restaurant.till import store
from tablegram.restaurant.till.model import (
    KINDS,
    Count,
    Kind,
    Movement,
    Note,
    Sums,
    Till,
    count_row,
    read_count,
    read_movement,
)
from tablegram.restaurant.till.rows import SumRow
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.ids import new_id
from tablegram.values.money import AMOUNT_WANTED, MAX_AMOUNT
from tablegram.values.texts.reasons import short_reason

MAX_SHOWN = 500


class Counting(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody found in the drawer."""

    # Nothing: what the notes come to.
    counted: int | None = None
    notes: tuple[Note, ...] = ()
    # What stays in the drawer; nothing said: all of it.
    kept: int | None = None
    reason: str = ""
    by: str
    # What should have been there when they looked: whoever took cash meanwhile makes them look again.
    expected: int | None = None


async def note(
    tx: Tx, account_id: int, venue_id: str, currency: str, kind: Kind, amount: int, by: str, now: int, *,
    source: str | None = None, reason: str = "",
) -> Movement | None:  # fmt: skip
    """Cash came or went, in the transaction of whatever it came from."""
    if amount <= 0:
        return None
    moved = Movement(
        account_id=account_id, id=new_id(now), venue_id=venue_id, kind=kind, amount=amount, currency=currency,
        source=source, by=by, reason=reason, created_at=now,
    )  # fmt: skip
    await tx.run(store.INSERT, msgspec.structs.asdict(moved))
    return moved


async def move(tx: Tx, venue: Venue, kind: Kind, amount: int, reason: str, by: str, now: int) -> Movement:
    """Somebody puts cash in or takes it out, and says why."""
    why = short_reason(tidy(reason))
    if not why:
        raise Invalid.field("reason", "cash_reason_missing", "Say what it is for; it is written down.")
    if not 0 < amount <= MAX_AMOUNT:
        raise Invalid.field("amount", "out_of_range", AMOUNT_WANTED)
    moved = await note(tx, venue.account_id, venue.id, venue.currency, kind, amount, by, now, reason=why)
    assert moved is not None
    return moved


async def look(tx: Tx, venue: Venue) -> Till:
    """What should be in the drawer now."""
    last = await _last(tx, venue)
    rows = await tx.all(store.SUMS, _which(venue))
    return Till(
        sums=_sums(_opening(last, venue), rows),
        since=None if last is None else last.created_at,
        number=0 if last is None else last.number,
    )


async def movements(tx: Tx, venue: Venue) -> list[Movement]:
    """What came and went since the last count, the newest first."""
    return [read_movement(row) for row in await tx.all(store.MOVEMENTS, {**_which(venue), "most": MAX_SHOWN})]


async def movements_of(tx: Tx, count: Count) -> list[Movement]:
    which = {"b_account": count.account_id, "b_count": count.id, "most": MAX_SHOWN}
    return [read_movement(row) for row in await tx.all(store.OF_COUNT, which)]


async def count(tx: Tx, venue: Venue, counting: Counting, now: int) -> Count:
    """Close the drawer's cash. The venue is locked, so that counts stand in one line."""
    counted = _counted(counting)
    kept = counted if counting.kept is None else counting.kept
    if not 0 <= kept <= counted:
        raise Invalid.field(
            "kept_amount", "out_of_range", "What stays in the drawer cannot be more than what was counted."
        )
    why = short_reason(tidy(counting.reason))
    last = await _last(tx, venue)
    number = 1 if last is None else last.number + 1
    count_id = new_id(now)
    await tx.run(store.CLOSE, {**_which(venue), "new_count": count_id})
    # Summed up from what was closed, and not from what was seen before.
    rows = await tx.all(store.CLOSED_SUMS, {"b_account": venue.account_id, "b_count": count_id})
    made = Count(
        **msgspec.structs.asdict(_sums(_opening(last, venue), rows)), account_id=venue.account_id, id=count_id,
        venue_id=venue.id, number=number, currency=venue.currency, counted=counted, kept=kept,
        notes=tuple(one for one in counting.notes if one.count), reason=why, by=counting.by,
        since=None if last is None else last.created_at, created_at=now,
    )  # fmt: skip
    if counting.expected is not None and counting.expected != made.expected:
        raise Conflict("Cash has come or gone meanwhile. Look at the sum again.", code="till_changed")
    if made.difference and not why:
        raise Invalid.field("reason", "difference_unexplained", "Say why it differs; it is written down.")
    await tx.run(store.INSERT_COUNT, count_row(made))
    return made


async def find(tx: Tx, account_id: int, venue_id: str, count_id: str) -> Count:
    row = await tx.first(store.GET, {"b_account": account_id, "b_venue": venue_id, "b_id": count_id})
    if row is None:
        raise NotFound(no_such("count", "venue"), code="count_unknown")
    return read_count(row)


async def page(tx: Tx, account_id: int, venue_id: str, before: int | None, most: int) -> list[Count]:
    rows = await tx.all(store.page(account_id, venue_id, before, most), {})
    return [read_count(row) for row in rows]


def _counted(counting: Counting) -> int:
    if any(one.value <= 0 or one.count < 0 for one in counting.notes):
        raise Invalid.field("notes", "out_of_range", "Give each note a value above 0 and a count of 0 or more.")
    if len({one.value for one in counting.notes}) != len(counting.notes):
        raise Invalid.field("notes", "value_repeated", "Name each note once.")
    of_notes = sum(one.value * one.count for one in counting.notes)
    counted = counting.counted
    if counted is None:
        if not any(one.count for one in counting.notes):
            raise Invalid.field("counted_amount", "amount_missing", "Say how much is in the drawer.")
        counted = of_notes
    elif counting.notes and counted != of_notes:
        raise Invalid.field("counted_amount", "notes_differ", "The notes come to another sum. Leave one of them out.")
    if not 0 <= counted <= MAX_AMOUNT:
        raise Invalid.field("counted_amount", "out_of_range", "Say how much is in the drawer, 0 or more.")
    return counted


def _which(venue: Venue) -> dict[str, object]:
    return {"b_account": venue.account_id, "b_venue": venue.id, "b_currency": venue.currency}


async def _last(tx: Tx, venue: Venue) -> Count | None:
    row = await tx.first(store.LAST, {"b_account": venue.account_id, "b_venue": venue.id})
    return None if row is None else read_count(row)


def _opening(last: Count | None, venue: Venue) -> int:
    """What lay in the drawer in another currency is nothing in this one."""
    return last.kept if last is not None and last.currency == venue.currency else 0


def _sums(opening: int, rows: list[SumRow]) -> Sums:
    found = {row["kind"]: row["amount"] for row in rows}
    return Sums(opening=opening, **{kind: found.get(kind, 0) for kind in KINDS})
