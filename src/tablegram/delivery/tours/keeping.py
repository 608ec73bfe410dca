"""The rows of deliveries: one for each time that an order is given to somebody, and one for every step of it.

Whoever calls has locked the order and, where something is given to somebody, the courier.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from tablegram.delivery.couriers.model import Shift
from tablegram.delivery.tours import store
from tablegram.delivery.tours.rows import DeliveryRow, StepRow
from tablegram.delivery.tours.states import ENDED, Action, State, back_from
from tablegram.errors import Conflict, NotFound, no_such
from tablegram.storage.database import Tx
from tablegram.values.clock import DAY_MS, SECOND_MS
from tablegram.values.ids import new_id
from tablegram.values.texts.reasons import short_reason

# So long a step offers to be taken back, and so much longer it may be under way.
UNDO_MS = 10 * SECOND_MS
_GRACE_MS = 5 * SECOND_MS
# Stops that one courier has at a time.
MAX_STOPS = 40
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
replace = msgspec.structs.replace


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    id: str
    venue_id: str
    order_key: str
    order_id: str
    courier_id: str
    shift_id: str
    state: State
    position: int = 0
    step: str
    collected: int = 0
    collected_by: str | None = None
    assigned_at: int
    picked_up_at: int | None = None
    ended_at: int | None = None

    @property
    def is_open(self) -> bool:
        return self.ended_at is None


class Mover(msgspec.Struct, frozen=True):
    """Who makes a step, and from where: panel, api, page, message, or the order itself."""

    who: str
    via: str


async def get(tx: Tx, account_id: int, delivery_id: str) -> Delivery:
    row = await tx.first(store.GET, {"b_account": account_id, "b_id": delivery_id})
    if row is None:
        raise NotFound(no_such("delivery"), code="order_delivery_unknown")
    return read(row)


async def open_of(tx: Tx, account_id: int, order_key: str) -> Delivery | None:
    """Who has an order right now."""
    row = await tx.first(store.OPEN_OF_ORDER, {"b_account": account_id, "b_order": order_key})
    return None if row is None else read(row)


async def of_order(tx: Tx, account_id: int, order_key: str) -> list[Delivery]:
    """Every time that an order was given to somebody, the first first."""
    return [read(row) for row in await tx.all(store.OF_ORDER, {"b_account": account_id, "b_order": order_key})]


async def of_venue(tx: Tx, account_id: int, venue_id: str, since: int) -> list[Delivery]:
    """What is under way, and what came to an end since."""
    rows = await tx.all(store.OF_VENUE, {"b_account": account_id, "b_venue": venue_id, "since": since})
    return [read(row) for row in rows]


async def stops(tx: Tx, account_id: int, courier_id: str) -> list[Delivery]:
    """What a courier has to bring, in their order."""
    rows = await tx.all(store.OF_COURIER, {"b_account": account_id, "b_courier": courier_id})
    return [read(row) for row in rows]


async def recent(tx: Tx, account_id: int, courier_id: str, now: int) -> list[Delivery]:
    """What a courier has finished within a day, the last first."""
    rows = await tx.all(store.RECENT, {"b_account": account_id, "b_courier": courier_id, "since": now - DAY_MS})
    return [read(row) for row in rows]


async def bringer(tx: Tx, account_id: int, order_key: str) -> str:
    """The name of who brings an order or brought it; empty for nobody."""
    row = await tx.first(store.BRINGER, {"b_account": account_id, "b_order": order_key})
    return "" if row is None else row["name"]


async def give(
    tx: Tx, order_key: str, order_id: str, shift: Shift, mover: Mover, now: int, *, state: State = "assigned"
) -> Delivery:
    """Give an order to whose shift it is. Nobody else has it."""
    last = await tx.first(store.LAST_POSITION, {"b_account": shift.account_id, "b_courier": shift.courier_id})
    taken = await stops(tx, shift.account_id, shift.courier_id)
    if len(taken) >= MAX_STOPS:
        raise Conflict(f"A courier has at most {MAX_STOPS} orders at a time.", code="tour_full")
    delivery = Delivery(
        account_id=shift.account_id,
        id=new_id(now),
        venue_id=shift.venue_id,
        order_key=order_key,
        order_id=order_id,
        courier_id=shift.courier_id,
        shift_id=shift.id,
        state=state,
        position=(0 if last is None or last["n"] is None else int(last["n"])) + 1,
        step="",
        assigned_at=now,
        picked_up_at=now if state == "picked_up" else None,
    )
    step_id = new_id(now)
    await tx.run(store.INSERT, msgspec.structs.asdict(replace(delivery, step=step_id)))
    await _note(tx, delivery, step_id, "assign", "", state, mover, now)
    return replace(delivery, step=step_id)


async def move(
    tx: Tx, delivery: Delivery, action: Action, after: State, mover: Mover, now: int, *, collected: int = 0,
    collected_by: str | None = None, reason: str = "",
) -> Delivery:  # fmt: skip
    """Write a step down; whether it may be made is known already."""
    step_id = new_id(now)
    changed = replace(
        delivery,
        state=after,
        step=step_id,
        picked_up_at=delivery.picked_up_at or (now if after in ("picked_up", "delivered") else None),
        ended_at=now if after in ENDED else None,
        collected=delivery.collected + collected,
        collected_by=collected_by or delivery.collected_by,
    )
    await _write(tx, changed)
    await _note(tx, changed, step_id, action, delivery.state, after, mover, now, reason)
    return changed


async def undoable(tx: Tx, delivery: Delivery, step_id: str, now: int) -> StepRow | None:
    """The step, if it can be taken back; nothing if it was already. Raises where it is too late."""
    row = await tx.first(store.STEP, {"b_account": delivery.account_id, "b_id": step_id})
    if row is None or row["delivery_id"] != delivery.id:
        raise NotFound("The delivery has no such step.", code="step_unknown")
    if row["undone_at"] is not None:
        return None
    if delivery.step != step_id or back_from(row["before"], row["after"]) is None:
        raise Conflict("Somebody has moved this on meanwhile. Look at it again.", code="step_overtaken")
    if now - row["at"] > UNDO_MS + _GRACE_MS:
        raise Conflict("This can be taken back for ten seconds. Ask the restaurant.", code="undo_too_late")
    return row


async def undo(tx: Tx, delivery: Delivery, row: StepRow, mover: Mover, now: int) -> Delivery:
    """Put a delivery back to where it was before its last step."""
    before = row["before"]
    assert before
    step_id = new_id(now)
    changed = replace(
        delivery,
        state=before,
        step=step_id,
        picked_up_at=None if before == "assigned" else delivery.picked_up_at,
        ended_at=None,
    )
    await _write(tx, changed)
    which = {"b_account": delivery.account_id, "b_id": row["id"]}
    await tx.run(store.UNDO_STEP, {**which, "now": now, "who": mover.who})
    await _note(tx, changed, step_id, "undo", delivery.state, before, mover, now)
    return changed


async def arrange(tx: Tx, found: Sequence[Delivery], wanted: Sequence[str]) -> None:
    """Put stops into this order; those that are not named come after them, as they were."""
    named = [one for key in wanted for one in found if one.id == key]
    rest = [one for one in found if one.id not in set(wanted)]
    for place, one in enumerate([*named, *rest], start=1):
        if one.position != place:
            await tx.run(store.PLACE, {"b_account": one.account_id, "b_id": one.id, "new_position": place})


async def steps(tx: Tx, delivery: Delivery) -> list[StepRow]:
    """Who did what, the first first."""
    return await tx.all(store.STEPS, {"b_account": delivery.account_id, "b_delivery": delivery.id})


async def _write(tx: Tx, delivery: Delivery) -> None:
    values: dict[str, Any] = {f"new_{name}": getattr(delivery, name) for name in store.CHANGING}
    await tx.run(store.UPDATE, {"b_account": delivery.account_id, "b_id": delivery.id, **values})


async def _note(
    tx: Tx, delivery: Delivery, step_id: str, action: str, before: str, after: str, mover: Mover, now: int,
    reason: str = "",
) -> None:  # fmt: skip
    row = {
        "account_id": delivery.account_id,
        "id": step_id,
        "delivery_id": delivery.id,
        "action": action,
        "before": before,
        "after": after,
        "via": mover.via,
        "by": mover.who,
        "reason": reason,
        "at": now,
        "undone_at": None,
        "undone_by": None,
    }
    await tx.run(store.INSERT_STEP, row)


def clean_reason(text: str) -> str:
    """Why something was brought back, on one line."""
    return short_reason(" ".join(_UNSEEN.sub(" ", text).split()))


async def forget_reasons(tx: Tx, delivery: Delivery) -> None:
    """Empty what was written about somebody's delivery."""
    await tx.run(store.FORGET_REASONS, {"b_account": delivery.account_id, "b_delivery": delivery.id})


def read(row: DeliveryRow) -> Delivery:
    return Delivery(**row)
