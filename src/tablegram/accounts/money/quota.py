"""What sends cost an account: first the free quota, then the balance, each message once.

Every change of a balance is a row of `charges`, so that the rows of an account always add up to its
balance. The rows of one message are:

    charge      what it cost (0 when it was free)
    quota       it was one of the free messages
    correction  the difference to what the network finally charges
    refund      all of it back, because the message never went out

Each can exist once; a repeated call finds it and changes nothing. The functions that take a
transaction are meant to run inside the one that stores the message.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablegram.accounts import store
from tablegram.accounts.rows import MeansRow
from tablegram.errors import Invalid, NotFound, QuotaExhausted
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import HOUR_MS

# A million dollars at once is a typing error.
MAX_TOP_UP_MICROS = 1_000_000 * 1_000_000


@dataclass(frozen=True, slots=True)
class QuotaState:
    """Where an account stands. Without billing nothing is counted and the figures only rest."""

    billing: Literal["off", "prepaid"]
    plan: str
    free_messages: int
    free_used: int
    free_left: int
    # Until when the free messages can be used; empty until the first send, which starts the time.
    free_until: int | None
    balance_micros: int


async def charge(tx: Tx, account_id: int, message_key: str, cost_micros: int, now_ms: int, prepaid: bool) -> int:
    """Pay for a message and return what it cost; without billing that is its price, and nothing is kept.

    `QuotaExhausted` when nothing is left to pay with. It is raised before anything is written, so
    that the store need not take back what others have put into the same transaction.
    """
    if not prepaid:
        return cost_micros
    means = await tx.first(store.LOCK_MEANS, {"id": account_id})
    is_free = means is not None and has_free_message(means, now_ms)
    can_pay = means is not None and means["balance_micros"] >= cost_micros
    if not (is_free or can_pay):
        rows = await _amounts(tx, account_id, message_key)
        if "charge" not in rows:
            raise _exhausted()
        return -rows["charge"]
    cost = 0 if is_free else cost_micros
    if not await _claim(tx, account_id, message_key, "charge", -cost, now_ms):
        rows = await _amounts(tx, account_id, message_key)
        return -rows["charge"]
    if is_free:
        await _claim(tx, account_id, message_key, "quota", 0, now_ms)
        await tx.run(store.TAKE_FREE_MESSAGES, {"which": account_id, "now_ms": now_ms, "count": 1})
    elif cost:
        await _change_balance(tx, account_id, -cost)
    return cost


async def refund(tx: Tx, account_id: int, message_key: str, now_ms: int) -> int:
    """Give back what a message cost, a free message included. Returns the money given back."""
    # Corrections and refunds of one account take turns, so that what is given back is what was paid.
    await tx.first(store.LOCK_MEANS, {"id": account_id})
    rows = await _amounts(tx, account_id, message_key)
    if "charge" not in rows:
        return 0
    paid = -sum(rows.values())
    if not await _claim(tx, account_id, message_key, "refund", paid, now_ms):
        return 0
    if "quota" in rows:
        await tx.run(store.RETURN_FREE_MESSAGE, {"which": account_id})
    if paid:
        await _change_balance(tx, account_id, paid)
    return paid


async def correct(tx: Tx, account_id: int, message_key: str, final_micros: int, now_ms: int) -> int:
    """Bring what a message has cost to what the network charges for it. Returns the change of the balance.

    A free message stays free. A correction takes at most what the balance holds: the message is
    already delivered, and a balance never falls below zero. After a refund it charges anew, because
    the message was delivered after all.
    """
    # Both are read under the account's lock, so that what is taken is still there when it is taken.
    account = await tx.first(store.LOCK_MEANS, {"id": account_id})
    rows = await _amounts(tx, account_id, message_key)
    paid = -sum(rows.values())
    if account is None or "charge" not in rows or "quota" in rows or paid == final_micros:
        return 0
    change = max(paid - final_micros, -account["balance_micros"])
    if not await _claim(tx, account_id, message_key, "correction", change, now_ms):
        return 0
    await _change_balance(tx, account_id, change)
    return change


async def top_up(tx: Tx, account_id: int, reference: str, amount_micros: int, now_ms: int) -> bool:
    """Add to a balance. The same reference adds once; whether it did is returned."""
    if not 0 < amount_micros <= MAX_TOP_UP_MICROS:
        raise Invalid.field("amount", "amount_invalid", "The amount must be more than 0 and at most 1,000,000 dollars.")
    if not await _claim(tx, account_id, reference, "top_up", amount_micros, now_ms):
        return False
    return await _change_balance(tx, account_id, amount_micros)


async def quota_state(db: Database, account_id: int, now_ms: int, prepaid: bool) -> QuotaState:
    """Where the account stands at this moment, for `/me` and the operator."""
    row = await db.first(store.MEANS, {"id": account_id})
    if row is None:
        raise NotFound(f"There is no account {account_id}.", code="account_not_found")
    started = row["quota_started_at"]
    until = None if started is None else started + row["free_hours"] * HOUR_MS
    left = max(0, row["free_messages"] - row["quota_used"])
    return QuotaState(
        billing="prepaid" if prepaid else "off",
        plan=row["plan"],
        free_messages=row["free_messages"],
        free_used=row["quota_used"],
        free_left=left if until is None or until > now_ms else 0,
        free_until=until,
        balance_micros=row["balance_micros"],
    )


def has_free_message(means: MeansRow, now_ms: int) -> bool:
    started = means["quota_started_at"]
    in_time = started is None or now_ms < started + means["free_hours"] * HOUR_MS
    return in_time and means["quota_used"] < means["free_messages"]


def _exhausted() -> QuotaExhausted:
    return QuotaExhausted(
        "The free messages are used up or their time is over, and the balance does not cover this message. "
        "Nothing was sent. Top up the account and try again."
    )


async def _claim(tx: Tx, account_id: int, message_key: str, kind: str, amount_micros: int, now_ms: int) -> bool:
    """Write a row unless it exists; the database's own uniqueness decides between two at once."""
    row = {
        "account_id": account_id,
        "message_key": message_key,
        "kind": kind,
        "amount_micros": amount_micros,
        "created_at": now_ms,
    }
    return await tx.run(store.CLAIM_CHARGE, row) == 1


async def _amounts(tx: Tx, account_id: int, message_key: str) -> dict[str, int]:
    rows = await tx.all(store.CHARGES_OF_MESSAGE, {"account_id": account_id, "message_key": message_key})
    return {row["kind"]: row["amount_micros"] for row in rows}


async def _change_balance(tx: Tx, account_id: int, amount_micros: int) -> bool:
    return await tx.run(store.CHANGE_BALANCE, {"which": account_id, "amount_micros": amount_micros}) == 1
