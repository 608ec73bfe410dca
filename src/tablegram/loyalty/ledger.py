"""Points: every movement is a row, once for its cause; what they come to is kept beside it in the same transaction.

A balance is never negative. What is to be taken and is not there any more is written down as `short`, and nobody owes it.
Points that came are used in the order in which they go by.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from tablegram.errors import Conflict
from tablegram.loyalty.model import Kind, Member, Movement, read_member, read_movement
from tablegram.loyalty.oldest import oldest_first
from tablegram.loyalty.rows import WhoseRow
from tablegram.loyalty.store import points as store
from tablegram.storage.database import Query, Tx
from tablegram.values.clock import DAY_MS
from tablegram.values.ids import new_id
from tablegram.values.texts.reasons import needed_reason

MAX_POINTS = 10**9


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """Why points move: a name that is used once in the account, and what people read of it."""

    name: str
    order_key: str | None = None
    order_id: str = ""
    rate: int = 0
    reason: str = ""
    by: str = ""


async def member(tx: Tx, account_id: int, contact_id: str) -> Member:
    row = await tx.first(store.MEMBER, {"b_account": account_id, "b_contact": contact_id})
    return Member(account_id=account_id, contact_id=contact_id) if row is None else read_member(row)


async def lock(tx: Tx, account_id: int, contact_id: str, now: int) -> Member:
    """The member, made where there is none; nobody else moves their points until this transaction ends."""
    which = {"b_account": account_id, "b_contact": contact_id}
    row = await tx.first(store.LOCK_MEMBER, which)
    if row is None:
        made = Member(account_id=account_id, contact_id=contact_id, created_at=now, updated_at=now)
        await tx.run(store.ADD_MEMBER, msgspec.structs.asdict(made))
        row = await tx.first(store.LOCK_MEMBER, which)
    if row is None:
        raise ValueError("a member that was just made is not there")
    return read_member(row)


async def known(tx: Tx, account_id: int, cause: str) -> Movement | None:
    row = await tx.first(store.BY_CAUSE, {"b_account": account_id, "b_cause": cause})
    return None if row is None else read_movement(row)


async def of_order(tx: Tx, account_id: int, order_key: str) -> list[Movement]:
    rows = await tx.all(store.OF_ORDER, {"b_account": account_id, "b_order": order_key})
    return [read_movement(row) for row in rows]


async def of_contacts(tx: Tx, account_id: int, contact_ids: Iterable[str]) -> list[Movement]:
    """Of each of them the oldest first."""
    rows = await tx.gather(store.OF_CONTACT, [{"b_account": account_id, "b_contact": one} for one in contact_ids])
    return [read_movement(row) for row in rows]


async def add(
    tx: Tx, account_id: int, contact_id: str, kind: Kind, points: int, cause: Cause, now: int, *,
    expires_months: int = 0,
) -> Movement | None:  # fmt: skip
    """Points come. Nothing where the same cause brought them before."""
    if points <= 0:
        raise ValueError("points that come are more than nothing")
    who = await lock(tx, account_id, contact_id, now)
    if await known(tx, account_id, cause.name) is not None:
        return None
    if who.balance + points > MAX_POINTS:
        raise Conflict("Nobody has more than a thousand million points.", code="too_many_points")
    expires_at = months_after(now, expires_months) if expires_months else None
    return await _keep(tx, who, kind, points, cause, now, unused=points, expires_at=expires_at)


async def take(
    tx: Tx, account_id: int, contact_id: str, kind: Kind, points: int, cause: Cause, now: int, *, all_or_nothing: bool
) -> Movement | None:
    """Points go, as far as they are there. Nothing where the same cause took them before."""
    if points <= 0:
        raise ValueError("points that go are more than nothing")
    who = await lock(tx, account_id, contact_id, now)
    if await known(tx, account_id, cause.name) is not None:
        return None
    if all_or_nothing and points > who.balance:
        raise Conflict(f"Only {who.balance} points are there.", code="points_missing")
    taken = min(points, who.balance)
    await _use(tx, who, taken)
    return await _keep(tx, who, kind, -taken, cause, now, short=points - taken)


async def let_go_by(tx: Tx, account_id: int, contact_id: str, now: int) -> list[Movement]:
    """What nobody used in its time goes."""
    who = await lock(tx, account_id, contact_id, now)
    done: list[Movement] = []
    for one in await _unused(tx, who):
        if one.expires_at is not None and one.expires_at <= now:
            await _set_unused(tx, one, 0)
            cause = Cause(name=f"expire:{one.id}", order_key=one.order_key, order_id=one.order_id, by="clock")
            done.append(await _keep(tx, who, "expire", -one.unused, cause, now))
            who = await lock(tx, account_id, contact_id, now)
    return done


async def going_by(tx: Tx, account_id: int, contact_id: str, now: int, warn_days: int) -> tuple[int, int] | None:
    """How many points go by within so many days, and when the first of them; from now on their owner is told of them."""
    who = await lock(tx, account_id, contact_id, now)
    soon = [
        one
        for one in await _unused(tx, who)
        if one.warned_at is None and one.expires_at is not None and now < one.expires_at <= now + warn_days * DAY_MS
    ]
    for one in soon:
        await tx.run(store.SET_WARNED, {"b_account": account_id, "b_id": one.id, "now": now})
    return (sum(one.unused for one in soon), min(one.expires_at or 0 for one in soon)) if soon else None


async def next_to_go(tx: Tx, account_id: int, contact_id: str) -> tuple[int, int] | None:
    """When points go by next, and how many."""
    moved = await of_contacts(tx, account_id, [contact_id])
    found = [one for one in moved if one.unused and one.expires_at is not None]
    if not found:
        return None
    first = min(one.expires_at or 0 for one in found)
    return first, sum(one.unused for one in found if one.expires_at == first)


async def whom(tx: Tx, query: Query[WhoseRow], now: int) -> list[tuple[int, str]]:
    """Of any account: whose points have gone by (`EXPIRED`), or go by soon (`EXPIRING`)."""
    params = {"now": now} if query is store.EXPIRED else {"now": now, "day_ms": DAY_MS}
    return [(row["account_id"], row["contact_id"]) for row in await tx.all(query, params)]


async def move(tx: Tx, account_id: int, gone: str, kept: str) -> None:
    """Two contacts turned out to be one person: one has the points of both."""
    row = await tx.first(store.MEMBER, {"b_account": account_id, "b_contact": gone})
    if row is None:
        return
    now = row["updated_at"]
    first, second = sorted((gone, kept))
    locked = {one: await lock(tx, account_id, one, now) for one in (first, second)}
    old, new = locked[gone], locked[kept]
    await tx.run(store.RENAME, {"b_account": account_id, "b_contact": gone, "target": kept})
    await _sum(tx, old, dict.fromkeys(store.SUMS, 0), now)
    await _sum(tx, new, {name: getattr(old, name) + getattr(new, name) for name in store.SUMS}, now)


async def forget(tx: Tx, account_id: int, contact_id: str, nobody: str, now: int) -> int:
    """What they had goes by, and what moved stays as figures of nobody."""
    row = await tx.first(store.MEMBER, {"b_account": account_id, "b_contact": contact_id})
    if row is None:
        return 0
    who = await lock(tx, account_id, contact_id, now)
    if who.balance:
        await _use(tx, who, who.balance)
        await _keep(tx, who, "expire", -who.balance, Cause(name=f"erased:{nobody}", by="erasure"), now)
    which = {"b_account": account_id, "b_contact": contact_id, "target": nobody}
    await tx.run(store.NO_REASONS, which)
    await tx.run(store.RENAME_MEMBER, which)
    return await tx.run(store.RENAME, which)


def reason_of(text: str) -> str:
    """Why somebody of the team gives or takes points."""
    return needed_reason(" ".join(text.split()))


async def _unused(tx: Tx, who: Member) -> list[Movement]:
    rows = await tx.all(store.UNUSED, {"b_account": who.account_id, "b_contact": who.contact_id})
    return [read_movement(row) for row in rows]


async def _use(tx: Tx, who: Member, points: int) -> None:
    for one, stays in oldest_first(await _unused(tx, who), points):
        await _set_unused(tx, one, stays)


async def _set_unused(tx: Tx, one: Movement, unused: int) -> None:
    await tx.run(store.SET_UNUSED, {"b_account": one.account_id, "b_id": one.id, "new_unused": unused})


async def _keep(
    tx: Tx, who: Member, kind: Kind, points: int, cause: Cause, now: int, *, short: int = 0, unused: int = 0,
    expires_at: int | None = None,
) -> Movement:  # fmt: skip
    after = _after(who, kind, points)
    made = Movement(
        account_id=who.account_id, id=new_id(now), contact_id=who.contact_id, kind=kind, cause=cause.name, points=points,
        short=short, balance=after["balance"], unused=unused, expires_at=expires_at, order_key=cause.order_key,
        order_id=cause.order_id, rate=cause.rate, reason=cause.reason, by=cause.by, created_at=now,
    )  # fmt: skip
    await tx.run(store.INSERT, msgspec.structs.asdict(made))
    await _sum(tx, who, after, now)
    return made


def _after(who: Member, kind: Kind, points: int) -> dict[str, int]:
    sums = {name: getattr(who, name) for name in store.SUMS}
    sums["balance"] += points
    if kind in ("redeem", "give_back"):
        sums["redeemed"] -= points
    elif kind == "expire":
        sums["expired"] -= points
    elif points > 0:
        sums["given"] += points
    else:
        sums["taken"] -= points
    return sums


async def _sum(tx: Tx, who: Member, sums: dict[str, int], now: int) -> None:
    which = {"b_account": who.account_id, "b_contact": who.contact_id, "new_updated_at": now}
    await tx.run(store.SET_SUMS, {**which, **{f"new_{name}": sums[name] for name in store.SUMS}})


def months_after(at: int, months: int) -> int:
    """The same day so many months later, or the last one of that month; by the clock of the world."""
    moment = datetime.fromtimestamp(at / 1_000, UTC)
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    first_of_next = datetime(year + month // 11, (month + 1) % 12 + 1, 1, tzinfo=UTC)
    last_day = (first_of_next.timestamp() - 86_400) * 1_000
    day = min(moment.day, datetime.fromtimestamp(last_day / 1_000, UTC).day)
    then = moment.replace(year=year, month=month + 1, day=day)
    return int(then.timestamp()) * 1_000 + at % 1_000
