"""Four digits for each waiter, and whose turn it is at a tablet that several people share."""

from __future__ import annotations

from collections.abc import Callable, Collection

import msgspec

from tablegram.errors import Conflict, Invalid
from tablegram.restaurant.kitchen import store
from tablegram.storage.database import Tx

# How a PIN is hashed, with the venue that it is of.
Hash = Callable[[str], str]
DIGITS = 4
_EASY = frozenset({"1234", "4321", "0123"})


class Turn(msgspec.Struct, frozen=True):
    """The waiter who is at a tablet."""

    venue_id: str
    waiter_id: str
    name: str


def clean(pin: str) -> str:
    if not (len(pin) == DIGITS and pin.isascii() and pin.isdecimal()):
        raise Invalid.field("pin", "pin_invalid", "A PIN has four digits.")
    return pin


async def has_pins(tx: Tx, account_id: int, venue_id: str) -> dict[str, bool]:
    """Which waiters of a venue have one."""
    rows = await tx.all(store.PINS, {"b_account": account_id, "b_venue": venue_id})
    return {row["waiter_id"]: True for row in rows}


async def give(tx: Tx, account_id: int, venue_id: str, waiter_id: str, pin: str, hash_of: Hash, now: int) -> None:
    """Give a waiter a PIN, or take it away with an empty one. No two of a venue have the same."""
    which = {"b_account": account_id, "b_venue": venue_id}
    await tx.run(store.DROP_PIN, {"b_account": account_id, "b_waiter": waiter_id})
    if not pin:
        return
    clean(pin)
    if pin in _EASY or len(set(pin)) == 1:
        raise Invalid.field("pin", "pin_weak", "Everybody tries this one first. Choose other digits.")
    # Of waiters who are gone.
    await tx.run(store.DROP_STALE_PIN, which)
    digest = hash_of(f"{venue_id} {pin}")
    if any(row["pin_hash"] == digest for row in await tx.all(store.PINS, which)):
        raise Conflict("Somebody else of this venue has this PIN. Choose other digits.", code="pin_taken")
    row = {"account_id": account_id, "venue_id": venue_id, "waiter_id": waiter_id, "pin_hash": digest, "set_at": now}
    await tx.run(store.INSERT_PIN, row)


async def find(tx: Tx, account_id: int, venue_id: str, digests: Collection[str]) -> Turn | None:
    """Whose PIN it is, under any of the installation's keys."""
    rows = await tx.all(store.PINS, {"b_account": account_id, "b_venue": venue_id})
    return next((Turn(venue_id, row["waiter_id"], row["name"]) for row in rows if row["pin_hash"] in digests), None)


async def begin(tx: Tx, account_id: int, session_id: str, turn: Turn, now: int) -> None:
    row = {"venue_id": turn.venue_id, "waiter_id": turn.waiter_id, "at": now}
    await tx.run(store.BEGIN_TURN, {"account_id": account_id, "session_id": session_id, **row})


async def end(tx: Tx, account_id: int, session_id: str) -> None:
    await tx.run(store.END_TURN, {"b_account": account_id, "b_session": session_id})


async def turn_at(tx: Tx, account_id: int, session_id: str) -> Turn | None:
    row = await tx.first(store.TURN, {"b_account": account_id, "b_session": session_id})
    return None if row is None else Turn(row["venue_id"], row["waiter_id"], row["name"])
