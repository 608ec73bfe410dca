"""The drawer of a venue: looked at, cash put in and taken out, counted; and the counts."""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.flows.restaurant.bills.forms import figure
from tablegram.flows.restaurant.fields import CashMoveFields, CountFields, NoteFields
from tablegram.flows.restaurant.orders.seeing import MONEY
from tablegram.flows.restaurant.till.answers import (
    CountedNote,
    TillCount,
    TillCountDetails,
    TillCountPage,
    TillMovement,
    TillView,
)
from tablegram.restaurant import venues
from tablegram.restaurant.till import keeping
from tablegram.restaurant.till.keeping import Counting
from tablegram.restaurant.till.model import KINDS, Count, Kind, Movement, Note, Sums
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock, iso
from tablegram.values.cursor import cursor_wrong, decode_cursor, encode_cursor
from tablegram.values.money import to_wire

SCOPE = "orders:manage"


class TillDesk:
    def __init__(self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit

    async def get(self, caller: Caller, venue_id: str) -> TillView:
        """What should be in the drawer now, and what came and went since it was counted."""
        _may(caller)

        async def look(tx: Tx) -> TillView:
            return await _shown(tx, await venues.find(tx, caller.account_id, venue_id))

        return await self._db.snapshot(look)

    async def move(self, caller: Caller, venue_id: str, fields: CashMoveFields, call: Call) -> Result[TillView]:
        """`kind` put_in or paid_out, an `amount`, and a `reason`."""
        _may(caller)
        who, acting = _who(caller), self._audit.acting(caller)
        kind: Kind = "put_in" if fields["kind"] == "put_in" else "paid_out"

        async def work(tx: Tx) -> Result[TillView]:
            venue = await venues.find(tx, caller.account_id, venue_id)
            amount = figure(fields.get("amount"), "amount", venue.currency) or 0
            moved = await keeping.move(
                tx, venue, kind, amount, str(fields.get("reason") or ""), who, self._clock.now_ms()
            )
            told = {"amount": to_wire(moved.amount, moved.currency), "reason": moved.reason}
            await acting.note(tx, f"till.{kind}", "venue", venue.id, told)
            return Result(await _shown(tx, venue), 201)

        return await self._idempotency.once_for(TillView, caller.account_id, call, work)

    async def count(self, caller: Caller, venue_id: str, fields: CountFields, call: Call) -> Result[TillCount]:
        """`counted_amount` or `notes`; `kept_amount` stays; a `reason` where it is not what should be there."""
        _may(caller)
        who, acting = _who(caller), self._audit.acting(caller)

        async def work(tx: Tx) -> Result[TillCount]:
            venue = await venues.lock(tx, caller.account_id, venue_id)
            money = venue.currency
            counting = Counting(
                counted=figure(fields.get("counted_amount"), "counted_amount", money),
                notes=tuple(_note(one, number, money) for number, one in enumerate(fields.get("notes") or ())),
                kept=figure(fields.get("kept_amount"), "kept_amount", money),
                reason=str(fields.get("reason") or ""),
                by=who,
                expected=figure(fields.get("expected_amount"), "expected_amount", money),
            )
            made = await keeping.count(tx, venue, counting, self._clock.now_ms())
            told = {"number": made.number, "difference": to_wire(made.difference, money), "currency": money}
            await acting.note(tx, "till.counted", "venue", venue.id, told)
            return Result(_count_view(made), 201)

        return await self._idempotency.once_for(TillCount, caller.account_id, call, work)

    async def counts(self, caller: Caller, venue_id: str, limit: int = 50, cursor: str | None = None) -> TillCountPage:
        """The newest first."""
        _may(caller)
        before = None if cursor is None else decode_cursor(cursor)
        if before is not None and not (before.isascii() and before.isdecimal() and len(before) < 16):
            raise cursor_wrong()

        async def look(tx: Tx) -> TillCountPage:
            venue = await venues.find_ever(tx, caller.account_id, venue_id)
            number = None if before is None else int(before)
            found = await keeping.page(tx, caller.account_id, venue.id, number, limit + 1)
            more = encode_cursor(str(found[limit - 1].number)) if len(found) > limit else None
            return TillCountPage(data=[_count_view(one) for one in found[:limit]], next_cursor=more)

        return await self._db.snapshot(look)

    async def get_count(self, caller: Caller, venue_id: str, count_id: str) -> TillCountDetails:
        """A count with everything that it closed."""
        _may(caller)

        async def look(tx: Tx) -> TillCountDetails:
            venue = await venues.find_ever(tx, caller.account_id, venue_id)
            found = await keeping.find(tx, caller.account_id, venue.id, count_id)
            moved = [_movement_view(one) for one in await keeping.movements_of(tx, found)]
            return TillCountDetails(**msgspec.structs.asdict(_count_view(found)), movements=moved)

        return await self._db.snapshot(look)


def _may(caller: Caller) -> None:
    """Who manages orders; of people, only who takes money."""
    caller.require(SCOPE)
    if caller.is_person:
        caller.require(MONEY)


def _who(caller: Caller) -> str:
    return caller.key_name or caller.key_id


def _note(given: NoteFields, number: int, currency: str) -> Note:
    value = figure(given.get("value"), f"notes[{number}].value", currency)
    return Note(value or 0, int(given.get("count") or 0))


async def _shown(tx: Tx, venue: Venue) -> TillView:
    found = await keeping.look(tx, venue)
    return TillView(
        **_sums_view(found.sums, venue.id, venue.currency, found.since),
        movements=[_movement_view(one) for one in await keeping.movements(tx, venue)],
    )


def _sums_view(sums: Sums, venue_id: str, currency: str, since: int | None) -> dict[str, Any]:
    figures = {name: to_wire(getattr(sums, name), currency) for name in ("opening", *KINDS, "expected")}
    return {"venue_id": venue_id, "currency": currency, "since": None if since is None else iso(since), **figures}


def _movement_view(one: Movement) -> TillMovement:
    return TillMovement(
        id=one.id, kind=one.kind, amount=to_wire(one.amount, one.currency), by=one.by, reason=one.reason,
        at=iso(one.created_at),
    )  # fmt: skip


def _count_view(one: Count) -> TillCount:
    money = one.currency
    return TillCount(
        **_sums_view(one, one.venue_id, money, one.since), id=one.id, number=one.number,
        counted=to_wire(one.counted, money), difference=to_wire(one.difference, money), kept=to_wire(one.kept, money),
        notes=[CountedNote(value=to_wire(note.value, money), count=note.count) for note in one.notes],
        reason=one.reason, by=one.by, at=iso(one.created_at),
    )  # fmt: skip
