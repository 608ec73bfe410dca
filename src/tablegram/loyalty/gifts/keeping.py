"""Gift cards: issued, spent in parts, given back, expired, cancelled. A card is locked where its value moves.

Every movement is a row with its cause, and a cause moves once. What the rows come to is kept beside them in the same transaction, and
is never negative.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.errors import Conflict, FieldError, Invalid, NotFound, no_such
from tablegram.loyalty.gifts import codes
from tablegram.loyalty.gifts.model import Gift, Kind, Move, read_gift, read_move
from tablegram.loyalty.store import gifts as store
from tablegram.storage.database import Tx
from tablegram.values.clock import DAY_MS
from tablegram.values.ids import new_id
from tablegram.values.money import AMOUNT_WANTED, MAX_AMOUNT, written
from tablegram.values.texts.reasons import MAX_REASON, needed_reason

MAX_GREETING, MAX_NAME = 300, 80
MAX_YEARS = 10
# Who gets value back on a card that has expired meanwhile can spend it for so long.
GRACE_MS = 30 * DAY_MS
# Ahead of its end a card's owner hears of it.
WARN_MS = 14 * DAY_MS
# A code that another card has is drawn anew.
_DRAWS = 5


class Spending(msgspec.Struct, frozen=True, kw_only=True):
    """A payment that a card is used for: of a bill, or of an order that is on none."""

    payment_id: str
    tab_id: str | None
    venue_id: str
    amount: int
    by: str


async def issue(tx: Tx, gift: Gift) -> Gift:
    """Make a card, with a code of its own."""
    check(gift)
    for _ in range(_DRAWS):
        made = msgspec.structs.replace(gift, code=codes.draw(), balance=gift.value)
        if await tx.run(store.INSERT, msgspec.structs.asdict(made)):
            sold = made.paid_by != "given"
            await _note(
                tx, made, "issue", made.value, f"issue:{made.id}", made.created_at, reason=made.reason, by=made.by,
                money=made.value if sold else 0, method=made.paid_by if sold else "", venue_id=made.venue_id,
            )  # fmt: skip
            return made
    raise Conflict("No free code was found. Try again.", code="gift_code_taken")


async def find(tx: Tx, account_id: int, gift_id: str, *, lock: bool = False) -> Gift:
    row = await tx.first(store.LOCK if lock else store.GET, {"b_account": account_id, "b_id": gift_id})
    if row is None:
        raise NotFound(no_such("gift card"), code="gift_unknown")
    return read_gift(row)


async def by_code(tx: Tx, account_id: int, text: str, *, lock: bool = False) -> Gift | None:
    code = codes.fold(text)
    if not code:
        return None
    row = await tx.first(store.LOCK_CODE if lock else store.BY_CODE, {"b_account": account_id, "b_code": code})
    return None if row is None else read_gift(row)


async def of_contact(tx: Tx, account_id: int, contact_id: str) -> list[Gift]:
    """The oldest first."""
    return [
        read_gift(row) for row in await tx.all(store.OF_CONTACT, {"b_account": account_id, "b_contact": contact_id})
    ]


async def has_any(tx: Tx, account_id: int) -> bool:
    """Whether the house ever made one."""
    return await tx.first(store.ANY, {"b_account": account_id}) is not None


async def moves(tx: Tx, account_id: int, gift_id: str) -> list[Move]:
    """The oldest first."""
    return [read_move(row) for row in await tx.all(store.MOVES, {"b_account": account_id, "b_gift": gift_id})]


def must_hold(gift: Gift, currency: str, now: int) -> None:
    """Raises `Conflict` where a card pays nothing here at this moment."""
    standing = gift.standing(now)
    if standing == "cancelled":
        raise Conflict("This gift card was cancelled.", code="gift_cancelled")
    if standing == "expired":
        raise Conflict("This gift card has expired.", code="gift_expired")
    if standing == "spent":
        raise Conflict("Nothing is left on this gift card.", code="gift_spent")
    if gift.currency != currency:
        raise Conflict(f"This gift card is in {gift.currency}, and the bill is in {currency}.", code="gift_currency")


async def redeem(tx: Tx, gift: Gift, spending: Spending, currency: str, now: int) -> Move:
    """Spend a part of a locked card on a bill, or all of it; never more than is there."""
    must_hold(gift, currency, now)
    if spending.amount <= 0:
        raise Invalid.field("amount", "out_of_range", AMOUNT_WANTED)
    if spending.amount > gift.balance:
        left = written(gift.balance, gift.currency)
        raise Conflict(
            f"Only {left} is left on this gift card. Take that, and the rest in another way.", code="gift_short"
        )
    after = await _set(tx, gift, now, balance=gift.balance - spending.amount, spent=gift.spent + spending.amount)
    return await _note(
        tx, after, "redeem", -spending.amount, f"redeem:{spending.payment_id}", now, by=spending.by,
        payment_id=spending.payment_id, tab_id=spending.tab_id, venue_id=spending.venue_id,
    )  # fmt: skip


async def give_back(
    tx: Tx, account_id: int, payment_id: str, amount: int, cause: str, now: int, *, reason: str = "", by: str = ""
) -> Move | None:
    """What a payment took off a card goes back onto it, once for a cause; no more than is still off.

    A card that has ended meanwhile holds again: it is the guest's money.
    """
    which = {"b_account": account_id, "b_payment": payment_id}
    rows = await tx.all(store.OF_PAYMENT, which)
    if not rows or amount <= 0:
        return None
    gift = await find(tx, account_id, rows[0]["gift_id"], lock=True)
    if await tx.first(store.BY_CAUSE, {"b_account": account_id, "b_cause": cause}) is not None:
        return None
    # Read again: whoever held the card meanwhile may have given something back.
    taken = [read_move(row) for row in await tx.all(store.OF_PAYMENT, which)]
    back = min(amount, -sum(one.amount for one in taken))
    if back <= 0:
        return None
    changes: dict[str, Any] = {"state": "active", "balance": gift.balance + back, "spent": gift.spent - back}
    if gift.expires_at is not None and gift.expires_at <= now:
        changes |= {"expires_at": now + GRACE_MS, "warned_at": now}
    after = await _set(tx, gift, now, **changes)
    return await _note(
        tx, after, "give_back", back, cause, now, reason=reason, by=by, payment_id=payment_id, tab_id=taken[0].tab_id,
        venue_id=taken[0].venue_id,
    )  # fmt: skip


async def cancel(tx: Tx, gift: Gift, reason: str, by: str, now: int, *, pays_back: bool) -> Move:
    """A locked card holds no longer. With `pays_back`, what is left goes back in money, the way it came."""
    why = reason_of(reason)
    if gift.state == "cancelled":
        raise Conflict("This gift card was cancelled already.", code="gift_cancelled")
    if not gift.balance:
        raise Conflict("Nothing is left on this gift card.", code="gift_spent")
    if pays_back and gift.paid_by == "given":
        raise Invalid.field("gives_money_back", "gift_not_sold", "Nobody paid for this card. Cancel it without money.")
    left = gift.balance
    after = await _set(tx, gift, now, balance=0, cancelled=gift.cancelled + left, state="cancelled")
    return await _note(
        tx, after, "cancel", -left, f"cancel:{new_id(now)}", now, reason=why, by=by, venue_id=gift.venue_id,
        money=-left if pays_back else 0, method=gift.paid_by if pays_back else "",
    )  # fmt: skip


async def let_expire(tx: Tx, gift: Gift, now: int) -> Move | None:
    """What nobody spent in its time goes; the card is locked."""
    if not gift.balance or gift.expires_at is None or gift.expires_at > now:
        return None
    left = gift.balance
    after = await _set(tx, gift, now, balance=0, expired=gift.expired + left)
    cause = f"expire:{gift.id}:{gift.expires_at}"
    return await _note(tx, after, "expire", -left, cause, now, by="clock", venue_id=gift.venue_id)


async def change(tx: Tx, gift: Gift, now: int, **changes: Any) -> Gift:
    """Whose it is, how long it holds, and that it was sent; its value only moves by rows."""
    assert not changes.keys() - {"contact_id", "expires_at", "warned_at", "sent_at"}
    return await _set(tx, gift, now, **changes)


async def move_owner(tx: Tx, account_id: int, gone: str, kept: str) -> None:
    """Two contacts turned out to be one person."""
    await tx.run(store.RENAME, {"b_account": account_id, "b_contact": gone, "target": kept})


async def forget(tx: Tx, account_id: int, contact_id: str) -> None:
    """Cards lead to nobody; whoever has the code can still spend them."""
    await tx.run(store.FORGET, {"b_account": account_id, "b_contact": contact_id})


def reason_of(text: str) -> str:
    return needed_reason(" ".join(text.split()))


def check(gift: Gift) -> None:
    """Raises `Invalid` with every field that is wrong."""
    errors: list[FieldError] = []
    if not 0 < gift.value <= MAX_AMOUNT:
        errors.append(FieldError("amount", "out_of_range", AMOUNT_WANTED))
    if gift.paid_by == "given" and not gift.reason:
        errors.append(FieldError("reason", "reason_missing", "Say why it is given away; it is written down."))
    for name, most in (("reason", MAX_REASON), ("from_name", MAX_NAME), ("greeting", MAX_GREETING)):
        if len(getattr(gift, name)) > most:
            errors.append(FieldError(name, "too_long", f"Use at most {most} characters."))
    latest = gift.created_at + MAX_YEARS * 366 * DAY_MS
    if gift.expires_at is not None and not gift.created_at < gift.expires_at <= latest:
        detail = f"A card ends after today and within {MAX_YEARS} years. Leave it out for one that does not expire."
        errors.append(FieldError("expires_at", "out_of_range", detail))
    if errors:
        raise Invalid.fields(errors)


async def _set(tx: Tx, gift: Gift, now: int, **changes: Any) -> Gift:
    after = msgspec.structs.replace(gift, **changes, updated_at=now)
    which = {"b_account": gift.account_id, "b_id": gift.id}
    await tx.run(store.SET, {**which, **{f"new_{name}": getattr(after, name) for name in store.MOVING}})
    return after


async def _note(tx: Tx, gift: Gift, kind: Kind, amount: int, cause: str, now: int, **more: Any) -> Move:
    made = Move(
        account_id=gift.account_id, id=new_id(now), gift_id=gift.id, kind=kind, cause=cause, amount=amount,
        balance=gift.balance, currency=gift.currency, created_at=now, **more,
    )  # fmt: skip
    await tx.run(store.ADD_MOVE, msgspec.structs.asdict(made))
    return made
