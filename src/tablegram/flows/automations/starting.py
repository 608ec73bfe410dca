"""What begins runs: orders, tags, first messages and days. Each occasion once, in the transaction of what happened."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from tablegram.automations import keeping
from tablegram.automations.interests import Interests
from tablegram.automations.model import Automation, Definition
from tablegram.automations.store import automations as store
from tablegram.automations.store import runs as run_store
from tablegram.automations.timing import at_time, birthdays
from tablegram.flows.gateway.answering import Answered, Heard, Written
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.store import orders as order_store
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import DAY_MS, HOUR_MS, Clock
from tablegram.values.folding import fold
from tablegram.values.opening_hours import local_day

# Contacts that are begun for in one transaction.
PAGE = 500
SWEEP_EVERY_MS = HOUR_MS
# A lapse that nobody saw for longer, since nothing ran, is not made up for.
LAPSE_SEEN_MS = 7 * DAY_MS


async def follow_order(tx: Tx, venue: Venue, before: Order | None, order: Order, now: int) -> None:
    """An order has ended well: the first one of its guest, and the end of a meal."""
    if order.state != "completed" or (before is not None and before.state == "completed") or order.contact_id is None:
        return
    facts = {"venue_id": venue.id, "order_id": order.order_id}
    # A table that orders three times has had one meal.
    meal = f"tab:{order.tab_id}" if order.tab_id else f"order:{order.id}"
    for one, _ in await keeping.that_are_on(tx, order.account_id, "meal_finished"):
        await keeping.begin(tx, one, [(order.contact_id, meal, now)], now, **facts)
    welcomes = await keeping.that_are_on(tx, order.account_id, "first_order")
    if welcomes:
        which = {"b_account": order.account_id, "b_contact": order.contact_id, "b_order": order.id}
        if await tx.first(order_store.FINISHED_BESIDE, which) is None:
            for one, _ in welcomes:
                await keeping.begin(tx, one, [(order.contact_id, "first", now)], now, **facts)


async def follow_tags(tx: Tx, account_id: int, contact_id: str, added: Sequence[str], now: int) -> None:
    """Somebody got tags that they did not have."""
    names = {_folded(tag) for tag in added}
    for one, definition in await keeping.that_are_on(tx, account_id, "tag_added") if names else []:
        name = _folded(definition.trigger.tag)
        if name in names:
            await keeping.begin(tx, one, [(contact_id, f"tag:{name}", now)], now)


def _folded(tag: str) -> str:
    """A tag is the same however it is spelt."""
    return " ".join(fold(tag).split())


class FirstMessages:
    """Hears everybody who writes for the first time, and leaves the answer to others."""

    precedence = 0
    max_failures = 3

    def __init__(self, clock: Clock, interests: Interests) -> None:
        self._clock = clock
        self._interests = interests

    async def prepare(self, written: Sequence[Written]) -> None:
        await self._interests.refresh({one.account_id for one in written})

    async def answer(self, tx: Tx, heard: Heard) -> Answered | None:
        is_first = heard.contact.previous_at_ms is None and not heard.written.change
        if is_first and self._interests.of(heard.written.account_id).welcomes:
            now = self._clock.now_ms()
            for one, _ in await keeping.that_are_on(tx, heard.written.account_id, "first_message"):
                await keeping.begin(tx, one, [(heard.contact.contact_id, "first", now)], now)
        return None

    def committed(self) -> None:
        """The clock of automations looks by itself."""


class Sweeping:
    """Finds whom a day is for. A page is a transaction; whoever has begun already begins nothing."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    async def look(self) -> None:
        now = self._clock.now_ms()
        for row in await self._db.all(store.SWEEPS, {"now": now}):
            account_id, automation_id = row["account_id"], row["id"]
            place: tuple[int, str] | None = (-1, "")
            while place is not None:
                place = await self._page(account_id, automation_id, place, now)
            which = {"b_account": account_id, "b_id": automation_id}
            await self._db.put((store.SWEPT, {**which, "new_sweep": now + SWEEP_EVERY_MS}))

    async def _page(
        self, account_id: int, automation_id: str, place: tuple[int, str], now: int
    ) -> tuple[int, str] | None:
        """Begin for the contacts that follow; where the next page begins."""

        async def work(tx: Tx) -> tuple[int, str] | None:
            one = await keeping.lock(tx, account_id, automation_id)
            if one.state != "on" or one.on_since is None:
                return None
            definition = await keeping.definition(tx, one)
            if one.trigger_kind == "no_order":
                return await _lapsed(tx, one, definition, place, now)
            return await _born(tx, one, definition, place, now)

        return await self._db.write(work)


async def _lapsed(
    tx: Tx, one: Automation, definition: Definition, place: tuple[int, str], now: int
) -> tuple[int, str] | None:
    """Whose last order is so many days ago since the automation is on: once for each order that was the last one."""
    days = definition.trigger.days * DAY_MS
    since = max(one.on_since or 0, now - LAPSE_SEEN_MS) - days
    which = {"b_account": one.account_id, "since": since, "until": now - days, "most": PAGE}
    rows = await tx.all(run_store.LAPSED, {**which, "after_at": place[0], "after_id": place[1]})
    await keeping.begin(tx, one, [(row["contact_id"], f"lapse:{row['last_at']}", now) for row in rows], now)
    return (rows[-1]["last_at"], rows[-1]["contact_id"]) if len(rows) == PAGE else None


async def _born(
    tx: Tx, one: Automation, definition: Definition, place: tuple[int, str], now: int
) -> tuple[int, str] | None:
    """Whose birthday it is, or is so many days from now, by the clock of the automation."""
    today = local_day(now, definition.time_zone)
    day = today + timedelta(days=definition.trigger.days)
    due = at_time(today, definition.trigger.at or "10:00", definition.time_zone)
    if due < (one.on_since or 0):
        # Its hour had passed when somebody turned it on.
        return None
    dates = birthdays(day)
    number, after_id = max(place[0], 0), place[1]
    which = {"b_account": one.account_id, "b_day": dates[number], "after_id": after_id, "most": PAGE}
    rows = await tx.all(run_store.BORN, which)
    await keeping.begin(tx, one, [(row["id"], f"birthday:{day.year}", max(due, now)) for row in rows], now)
    if len(rows) == PAGE:
        return number, rows[-1]["id"]
    return (number + 1, "") if number + 1 < len(dates) else None
