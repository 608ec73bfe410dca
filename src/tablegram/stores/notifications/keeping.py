"""Notices: planned in the transaction of the event that they tell of, each once, and only ever moving forward."""

from __future__ import annotations

import msgspec

from tablegram.storage.database import Tx
from tablegram.stores.notifications import store, wordings
from tablegram.stores.notifications.addressee import Reached, Shop
from tablegram.stores.notifications.kinds import CAUSED, OVERTAKES, TO_TEAM, Kind
from tablegram.stores.notifications.model import Notice, NoticeFacts, Reason, State, notice_row, read_notice
from tablegram.stores.ports import StoreEvent
from tablegram.values.clock import DAY_MS, MINUTE_MS
from tablegram.values.ids import first_id, new_id

# A shop that tells its history again confirms nobody's order of last week.
MAX_AGE_MS = 2 * DAY_MS
# Whoever fills in a form chooses the number; nobody is written to again and again because of it.
MAX_REPLIES_A_DAY = 3
_MAX_FIELDS = 60
_MAX_FIELD = 500
_MAX_ADDRESS = 2_000


async def plan(tx: Tx, shop: Shop, event: StoreEvent, reached: Reached, now: int) -> list[Notice]:
    """What there is to say of an event, kept; with the reason where nothing will be. Told before: nothing."""
    told = await _told(tx, shop, event)
    planned: list[Notice] = []
    for kind in CAUSED.get(event.kind, ()):
        for other in OVERTAKES.get(kind, ()):
            which = {"b_account": shop.account_id, "b_source": shop.source_id, "b_reference": event.reference}
            await tx.run(store.OVERTAKE, {**which, "b_kind": other, "now": now})
        is_late = any(kind in OVERTAKES.get(other, ()) for other in told)
        for notice in await _notices(tx, shop, event, kind, reached, now, is_late=is_late):
            if await tx.run(store.ADD, notice_row(notice)):
                planned.append(notice)
    return planned


async def _told(tx: Tx, shop: Shop, event: StoreEvent) -> set[Kind]:
    which = {"b_account": shop.account_id, "b_source": shop.source_id, "b_reference": event.reference}
    return {row["kind"] for row in await tx.all(store.OF_THING, which)}


async def _notices(
    tx: Tx, shop: Shop, event: StoreEvent, kind: Kind, reached: Reached, now: int, *, is_late: bool
) -> list[Notice]:
    known = await wordings.of_kind(tx, shop.account_id, kind, shop.source_id)
    chosen = wordings.choose(known, 1, reached.language)
    notice = Notice(
        account_id=shop.account_id, id=new_id(now), source_id=shop.source_id, reference=event.reference, kind=kind,
        part=event.tracking.number[:200] if event.tracking and kind == "shipping" else "", number=event.number[:200],
        name=event.person.name[:200], phone=reached.phone, language=reached.language,
        facts=facts_of(event, shop, reached), instance_id=shop.instance_id, created_at=now, updated_at=now,
    )  # fmt: skip
    if chosen is None:
        return [_skipped(notice, "off")]
    if event.at and event.at < now - MAX_AGE_MS:
        return [_skipped(notice, "too_old")]
    if is_late:
        return [_skipped(notice, "overtaken")]
    delay = chosen.wording.delay_min * MINUTE_MS
    waiting = msgspec.structs.replace(notice, due_at=now + delay, reason="delay" if delay else "")
    if kind in TO_TEAM:
        # Each phone of the team hears of it once.
        return [
            msgspec.structs.replace(waiting, id=new_id(now), phone=phone, part=phone) for phone in chosen.wording.phones
        ]
    if not reached.phone:
        return [_skipped(notice, reached.reason)]
    return [waiting]


def facts_of(event: StoreEvent, shop: Shop, reached: Reached) -> NoticeFacts:
    return NoticeFacts(
        name=event.person.name[:200],
        phone=reached.phone,
        email=event.person.email[:200],
        number=event.number[:200],
        shop=shop.name,
        amount=event.amount,
        currency=event.currency,
        goods=tuple(msgspec.structs.replace(good, name=good.name[:200]) for good in event.goods[:50]),
        link=event.url,
        tracking=event.tracking,
        reason=event.reason[:500],
        form=event.title[:200],
        fields=tuple((name[:_MAX_FIELD], _cut(value)) for name, value in event.fields[:_MAX_FIELDS]),
    )


def _cut(value: str) -> str:
    # Addresses of files are long, and lead nowhere without their end.
    return value[: _MAX_ADDRESS if "://" in value else _MAX_FIELD]


async def lock(tx: Tx, account_id: int, notice_id: str) -> Notice | None:
    row = await tx.first(store.LOCK, {"b_account": account_id, "b_id": notice_id})
    return None if row is None else read_notice(row)


async def end(
    tx: Tx, notice: Notice, state: State, now: int, *, reason: Reason = "", message_key: str | None = None
) -> bool:
    """Only what waits ends; whether it did."""
    which = {"b_account": notice.account_id, "b_id": notice.id, "now": now}
    return bool(await tx.run(store.END, {**which, "new_state": state, "new_reason": reason, "new_key": message_key}))


async def move(tx: Tx, notice: Notice, at: int, reason: Reason, now: int) -> None:
    which = {"b_account": notice.account_id, "b_id": notice.id, "now": now}
    await tx.run(store.MOVE, {**which, "new_at": at, "new_reason": reason})


async def is_told_enough(tx: Tx, notice: Notice, now: int) -> bool:
    if notice.kind != "form_reply":
        return False
    since = {"since": first_id(now - DAY_MS), "b_kind": notice.kind}
    row = await tx.first(store.SENT_SINCE, {"b_account": notice.account_id, "b_phone": notice.phone, **since})
    return row is not None and row["n"] >= MAX_REPLIES_A_DAY


def _skipped(notice: Notice, reason: Reason) -> Notice:
    return msgspec.structs.replace(notice, state="skipped", reason=reason, due_at=None)
