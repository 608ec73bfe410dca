"""What is redeemed: chosen for the next order, held while an order runs, final when it is over, or given back."""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.errors import Conflict, NotFound, no_such
from tablegram.loyalty import coupons, ledger
from tablegram.loyalty.coupons import Coupon
from tablegram.loyalty.ledger import Cause
from tablegram.loyalty.model import Movement
from tablegram.loyalty.rows import RedemptionKind, RedemptionRow, RedemptionState
from tablegram.loyalty.store import coupons as store
from tablegram.storage.database import Tx
from tablegram.values.clock import HOUR_MS

Kind = RedemptionKind
State = RedemptionState
# What was chosen is for an order of this visit.
CHOSEN_MS = 6 * HOUR_MS


class Redemption(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    id: str
    kind: Kind
    contact_id: str
    coupon_id: str | None = None
    order_key: str | None = None
    order_id: str = ""
    venue_id: str | None = None
    state: State = "held"
    turn: int | None = None
    points: int = 0
    amount: int = 0
    currency: str = ""
    name: str = ""
    by: str = ""
    until: int | None = None
    created_at: int
    updated_at: int


async def find(tx: Tx, account_id: int, redemption_id: str) -> Redemption:
    """It, which nobody else changes until this transaction ends."""
    row = await tx.first(store.REDEMPTION, {"b_account": account_id, "b_id": redemption_id})
    if row is None:
        raise NotFound(no_such("redemption"), code="redemption_unknown")
    return _read(row)


async def of_order(tx: Tx, account_id: int, order_key: str) -> list[Redemption]:
    rows = await tx.all(store.OF_ORDER, {"b_account": account_id, "b_order": order_key})
    return [_read(row) for row in rows]


async def chosen(tx: Tx, account_id: int, contact_id: str, now: int) -> list[Redemption]:
    """What a guest wants to use on the next order, one of each kind: the last word counts."""
    rows = await tx.all(store.CHOSEN, {"b_account": account_id, "b_contact": contact_id, "now": now})
    return list({one.kind: one for one in map(_read, rows)}.values())


async def choose(tx: Tx, made: Redemption) -> Redemption:
    """For the next order. Nothing is taken yet: who orders first has it."""
    for old in await chosen(tx, made.account_id, made.contact_id, made.created_at):
        if old.kind == made.kind:
            await _set(tx, msgspec.structs.replace(old, state="given_back", until=None), made.created_at)
    kept = msgspec.structs.replace(made, state="chosen", until=made.created_at + CHOSEN_MS)
    await tx.run(store.REDEEM, msgspec.structs.asdict(kept))
    return kept


async def unchoose(tx: Tx, account_id: int, contact_id: str, now: int) -> int:
    found = await chosen(tx, account_id, contact_id, now)
    for one in found:
        await _set(tx, msgspec.structs.replace(one, state="given_back", until=None), now)
    return len(found)


async def hold(tx: Tx, one: Redemption, now: int) -> Movement | None:
    """Take it for an order: the coupon's next turn, or the points. The order and `amount` stand in it already.

    Raises `Conflict` where somebody was faster.
    """
    others = [
        other
        for other in await of_order(tx, one.account_id, one.order_key or "")
        if other.kind == one.kind and other.id != one.id and other.state in ("held", "final")
    ]
    if others:
        raise Conflict("Something of this kind is used on the order already.", code="already_redeemed")
    held = msgspec.structs.replace(one, state="held", until=None)
    if one.coupon_id is not None:
        coupon = await coupons.lock(tx, one.account_id, one.coupon_id)
        await coupons.refuse(tx, coupon, one.contact_id, now)
        taken = await coupons.uses(tx, coupon, one.contact_id)
        turn = next(number for number in range(1, len(taken) + 2) if number not in taken)
        held = msgspec.structs.replace(held, turn=turn)
        await _count(tx, coupon, coupon.used + 1)
    await _write(tx, held, now, is_new=one.state != "chosen")
    if one.kind == "points":
        cause = Cause(name=f"redeem:{one.id}", order_key=one.order_key, order_id=one.order_id, by=one.by)
        return await ledger.take(
            tx, one.account_id, one.contact_id, "redeem", one.points, cause, now, all_or_nothing=True
        )
    return None


async def finish(tx: Tx, account_id: int, order_key: str, now: int) -> list[Redemption]:
    """The order is over and paid."""
    done = [one for one in await of_order(tx, account_id, order_key) if one.state == "held"]
    for one in done:
        await _set(tx, msgspec.structs.replace(one, state="final"), now)
    return done


async def give_back(
    tx: Tx, account_id: int, redemption_id: str, now: int, *, expires_months: int = 0, by: str = ""
) -> tuple[Redemption, Movement | None] | None:
    """The order with it was called off: whoever used it has it again. Nothing where that was done before."""
    one = await find(tx, account_id, redemption_id)
    if one.state not in ("held", "final"):
        return None
    back = msgspec.structs.replace(one, state="given_back", turn=None)
    if one.coupon_id is not None:
        coupon = await coupons.lock(tx, account_id, one.coupon_id)
        await _count(tx, coupon, max(0, coupon.used - 1))
    await _set(tx, back, now)
    if one.kind != "points" or not one.points:
        return back, None
    cause = Cause(name=f"give_back:{one.id}", order_key=one.order_key, order_id=one.order_id, by=by)
    return back, await ledger.add(
        tx, account_id, one.contact_id, "give_back", one.points, cause, now, expires_months=expires_months
    )


async def shrink(
    tx: Tx, account_id: int, redemption_id: str, amount: int, now: int, *, expires_months: int = 0, by: str = ""
) -> Movement | None:
    """The order needs less of it than before: points that take nothing off any more come back."""
    one = await find(tx, account_id, redemption_id)
    if one.state not in ("held", "final") or not 0 < amount < one.amount:
        return None
    needed = -(-one.points * amount // one.amount)
    await _set(tx, msgspec.structs.replace(one, amount=amount, points=needed), now)
    if needed == one.points:
        return None
    # What an order needs of it only shrinks: the figure names the step.
    cause = Cause(name=f"give_back:{one.id}:{needed}", order_key=one.order_key, order_id=one.order_id, by=by)
    return await ledger.add(
        tx, account_id, one.contact_id, "give_back", one.points - needed, cause, now, expires_months=expires_months
    )


async def forget(tx: Tx, account_id: int, contact_id: str, nobody: str) -> None:
    """What was used stays, nobody's; what was one person's alone ends."""
    which = {"b_account": account_id, "b_contact": contact_id, "target": nobody}
    await tx.run(store.RENAME, which)
    await tx.run(store.END, which)


async def _count(tx: Tx, coupon: Coupon, used: int) -> None:
    await tx.run(store.SET_USED, {"b_account": coupon.account_id, "b_id": coupon.id, "new_used": used})


async def _write(tx: Tx, one: Redemption, now: int, *, is_new: bool) -> None:
    if is_new:
        await tx.run(store.REDEEM, msgspec.structs.asdict(one))
    else:
        await _set(tx, one, now)


async def _set(tx: Tx, one: Redemption, now: int) -> None:
    row: dict[str, Any] = {**msgspec.structs.asdict(one), "updated_at": now}
    which = {"b_account": one.account_id, "b_id": one.id}
    await tx.run(store.SET, {**which, **{f"new_{name}": row[name] for name in store.MOVING}})


def _read(row: RedemptionRow) -> Redemption:
    return Redemption(**row)
