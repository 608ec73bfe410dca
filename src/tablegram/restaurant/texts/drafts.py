"""Orders as they were read back to guests: changed by what the guest says, ordered once by a yes.

One is open for each guest of a venue. Whoever looks at it holds it until their transaction ends, so that of two yeses at
once only one orders.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from tablegram.engine import crash_points
from tablegram.restaurant import destinations
from tablegram.restaurant.destinations import Destination
from tablegram.restaurant.lines import DishLine
from tablegram.restaurant.rows.guests import DraftRow, DraftState
from tablegram.restaurant.store import texts as store
from tablegram.storage.database import Tx
from tablegram.values.clock import MINUTE_MS
from tablegram.values.ids import new_id

# Who has not confirmed by then has ordered otherwise, or has gone.
LIVES_MS = 15 * MINUTE_MS
# So long a yes that comes too late, or again, is known for what it is.
ANSWERED_MS = 60 * MINUTE_MS

State = DraftState

_encode = msgspec.json.Encoder().encode
_decode_lines = msgspec.json.Decoder(tuple[DishLine, ...]).decode
_decode_missed = msgspec.json.Decoder(tuple[str, ...]).decode


class OrderDraft(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    venue_id: str
    phone: str
    contact_id: str
    message_key: str
    language: str
    lines: tuple[DishLine, ...]
    id: str = ""
    name: str = ""
    state: State = "open"
    # Empty while it is not known where it goes.
    order_type: str = ""
    table_id: str | None = None
    table_label: str = ""
    address: str = ""
    route_url: str = ""
    destination: Destination | None = None
    notes: str = ""
    # Words that were not understood.
    missed: tuple[str, ...] = ()
    # Nothing in it was in doubt.
    is_sure: bool = False
    # As it was read back.
    total: int = 0
    revision: int = 1
    # What it has become.
    order_id: str = ""
    created_at: int = 0
    updated_at: int = 0
    expires_at: int = 0

    @property
    def needs_address(self) -> bool:
        is_outside = self.destination is not None and self.destination.standing == "outside"
        return self.order_type == "delivery" and (is_outside or not (self.address or self.route_url))

    @property
    def has_address(self) -> bool:
        return self.order_type == "delivery" and not self.needs_address

    @property
    def is_placed(self) -> bool:
        """Whether it is known where it goes."""
        return bool(self.order_type) and not self.needs_address

    def is_open(self, now: int) -> bool:
        return self.state == "open" and now < self.expires_at


async def keep(tx: Tx, draft: OrderDraft, now: int, *, waits: bool = False) -> OrderDraft:
    """A new draft, in the place of whatever was read back to this guest before; or behind it."""
    if not waits:
        await tx.run(store.REPLACE, {**_guest(draft), "now": now})
    kept = msgspec.structs.replace(
        draft,
        id=new_id(now),
        state="waiting" if waits else "open",
        created_at=now,
        updated_at=now,
        expires_at=now + LIVES_MS,
    )
    await tx.run(store.INSERT, _row(kept))
    crash_points.reach("draft.kept")
    return kept


async def latest(tx: Tx, account_id: int, venue_id: str, phone: str, now: int) -> OrderDraft | None:
    """The guest's open draft, or the last one that was; locked. Nothing where that is too long ago."""
    which = {"b_account": account_id, "b_venue": venue_id, "b_phone": phone}
    row = await tx.first(store.LOCK_LATEST, which)
    draft = None if row is None else _draft(row)
    return None if draft is None or now - draft.updated_at >= ANSWERED_MS else draft


async def change(tx: Tx, draft: OrderDraft, now: int, **changes: Any) -> OrderDraft:
    """The guest said something about it: it is another one from now on, and lives on."""
    kept = msgspec.structs.replace(
        draft, **changes, revision=draft.revision + 1, updated_at=now, expires_at=now + LIVES_MS
    )
    await _write(tx, kept)
    crash_points.reach("draft.changed")
    return kept


async def show(tx: Tx, draft: OrderDraft, total: int) -> OrderDraft:
    """It was read back at this price."""
    kept = msgspec.structs.replace(draft, total=total)
    if kept != draft:
        await _write(tx, kept)
    return kept


async def end(tx: Tx, draft: OrderDraft, state: State, now: int, order_id: str = "") -> None:
    """It is an order, or will be none. Nothing happens to it any more."""
    await _write(tx, msgspec.structs.replace(draft, state=state, order_id=order_id, updated_at=now))
    if order_id:
        crash_points.reach("draft.ordered")


async def take_next(tx: Tx, before: OrderDraft, now: int) -> OrderDraft | None:
    """The one that waited behind a settled one is open from now on."""
    row = await tx.first(store.NEXT, _guest(before))
    if row is None:
        return None
    kept = msgspec.structs.replace(_draft(row), state="open", updated_at=now, expires_at=now + LIVES_MS)
    await _write(tx, kept)
    return kept


async def due(tx: Tx, now: int) -> list[tuple[int, str]]:
    return [(row["account_id"], row["id"]) for row in await tx.all(store.DUE, {"now": now})]


async def lock(tx: Tx, account_id: int, draft_id: str) -> OrderDraft | None:
    row = await tx.first(store.LOCK, {"b_account": account_id, "b_id": draft_id})
    return None if row is None else _draft(row)


async def move(tx: Tx, account_id: int, gone: str, kept: str) -> None:
    """Two contacts turned out to be one person."""
    await tx.run(store.MOVE, {"b_account": account_id, "b_from": gone, "target": kept})


async def forget_person(tx: Tx, account_id: int, contact_ids: Iterable[str], phones: Iterable[str]) -> None:
    for contact_id in contact_ids:
        await tx.run(store.FORGET, {"b_account": account_id, "b_contact": contact_id, "b_phone": ""})
    for phone in phones:
        await tx.run(store.FORGET, {"b_account": account_id, "b_contact": "", "b_phone": phone})
        await tx.run(store.FORGET_WORDS, {"b_account": account_id, "b_phone": phone})


async def _write(tx: Tx, draft: OrderDraft) -> None:
    row = _row(draft)
    values = {f"new_{name}": row[name] for name in store.CHANGING}
    await tx.run(store.UPDATE, {"b_account": draft.account_id, "b_id": draft.id, **values})


def _guest(draft: OrderDraft) -> dict[str, int | str]:
    return {"b_account": draft.account_id, "b_venue": draft.venue_id, "b_phone": draft.phone}


def _row(draft: OrderDraft) -> dict[str, Any]:
    row = msgspec.structs.asdict(draft)
    encoded = {name: _encode(row[name]).decode() for name in ("lines", "missed")}
    where = destinations.write(draft.destination)
    return {**row, **encoded, "is_sure": int(draft.is_sure), "destination": where}


def _draft(row: DraftRow) -> OrderDraft:
    return OrderDraft(
        account_id=row["account_id"],
        venue_id=row["venue_id"],
        phone=row["phone"],
        contact_id=row["contact_id"],
        message_key=row["message_key"],
        language=row["language"],
        lines=_decode_lines(row["lines"]),
        id=row["id"],
        name=row["name"],
        state=row["state"],
        order_type=row["order_type"],
        table_id=row["table_id"],
        table_label=row["table_label"],
        address=row["address"],
        route_url=row["route_url"],
        destination=destinations.read(row["destination"]),
        notes=row["notes"],
        missed=_decode_missed(row["missed"]),
        is_sure=bool(row["is_sure"]),
        total=row["total"],
        revision=row["revision"],
        order_id=row["order_id"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        expires_at=row["expires_at"],
    )
