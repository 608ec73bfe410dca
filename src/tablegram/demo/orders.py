"""Two weeks of orders: made by the domain's own rules for prices, totals and states, and written in one go."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from datetime import timedelta
from typing import Any

import msgspec

from tablegram.crm.store import contacts as contact_store
from tablegram.demo import couriers, drawer, store, story
from tablegram.demo.evening import CUSTOMERS, NIGHTS, NOTES, RUNNING, Steps, steps_of
from tablegram.restaurant.destinations import Destination
from tablegram.restaurant.figures import keeping as figures
from tablegram.restaurant.lines import Choice, PricedLine
from tablegram.restaurant.menu.model import Group, Item, Menu
from tablegram.restaurant.menu.pricing import asked_groups, price_line
from tablegram.restaurant.orders import history, payments
from tablegram.restaurant.orders.model import Order, to_row
from tablegram.restaurant.orders.numbers import order_day, order_id
from tablegram.restaurant.orders.states import (
    CLOSED,
    PAYMENT_EVENTS,
    Actor,
    Event,
    Moved,
    OrderType,
    PaymentMethod,
    first_standing,
    move,
)
from tablegram.restaurant.orders.totals import total
from tablegram.restaurant.store import orders as order_store
from tablegram.restaurant.store import payments as payment_store
from tablegram.restaurant.tables import Table
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.clock import MINUTE_MS
from tablegram.values.coordinates import Point, metres_between
from tablegram.values.ids import first_id
from tablegram.values.opening_hours import local_day, moment

DAYS = 14
# The demo's own room has twelve.
LEAST_TABLES = 12
_LUCK = "0123456789abcdefghjkmnpqrstvwxyz"

# Beginnings of the codes of the demo's menu, and how readily guests take something of them.
_MAINS = ("kebap-", "kebap-", "kebap-", "pide-", "pide-", "ev-", "balik-", "salata-", "cocuk-")
_STARTERS = ("corba-", "meze-", "meze-", "sicak-sigara", "salata-", "kahvalti-")
_DRINKS = ("soguk-", "soguk-", "soguk-ayran", "sicak-cay")
_SWEETS = ("tatli-", "sicak-cay", "sicak-kahve")

Guest = tuple[str, str, str, str | None]


def fits(menu: Menu) -> bool:
    """Whether this is the demo's menu."""
    codes = [item.code for item in menu.items]
    return all(any(code.startswith(begin) for code in codes) for begin in (*_MAINS, *_STARTERS, *_DRINKS, *_SWEETS))


async def guests_of(tx: Tx, account_id: int) -> list[Guest]:
    """Who orders: the people of the story, as far as they are contacts, and passers-by."""
    known = []
    for guest in story.GUESTS:
        alias = {"account_id": account_id, "kind": "phone", "value": guest.phone}
        row = await tx.first(contact_store.FIND_ALIAS, alias)
        known.append((guest.name, guest.phone, guest.language or "tr", None if row is None else row["contact_id"]))
    return [*known, *((name, phone, "tr", None) for name, phone in CUSTOMERS)]


class Past:
    """The same two weeks every time, up to the hour at which they are told: chance is seeded."""

    def __init__(self, venue: Venue, menu: Menu, room: list[Table], guests: list[Guest], now: int) -> None:
        self._venue, self._menu, self._room, self._guests, self._now = venue, menu, room, guests, now
        self._chance = random.Random(5)
        self._orders: list[Order] = []
        self._numbers: Counter[str] = Counter()
        self._events: list[dict[str, Any]] = []
        self._payments: defaultdict[str, list[payments.Payment]] = defaultdict(list)
        self._tabs: list[dict[str, Any]] = []

    async def write(self, tx: Tx) -> None:
        for at, kind, steps in sorted(self._plan(), key=lambda one: one[0]):
            self._order(at, kind, steps)
        account = {"account_id": self._venue.account_id}
        await tx.many(order_store.INSERT, [to_row(one) for one in self._orders])
        await tx.many(order_store.INSERT_EVENT, self._events)
        made = [one for some in self._payments.values() for one in some]
        await tx.many(payment_store.INSERT, [payments.row_of(one) for one in made])
        # Segments ask what each customer ordered.
        await figures.follow_new(tx, self._orders)
        brought = [
            one for one in self._orders if one.order_type == "delivery" and one.state in ("delivered", "completed")
        ]
        handed_in = await couriers.bring(tx, self._venue, brought, self._payments, "Elif", self._now)
        away = [one for one in self._orders if one.state == "out_for_delivery"]
        await couriers.carry(tx, self._venue, away, "Elif", self._now)
        # Until then it is with who brought the order, and not in the drawer.
        on_the_road = {one.id for one in brought}
        await drawer.fill(tx, self._venue, [one for one in made if one.order_key not in on_the_road], handed_in, "Elif")
        await tx.many(store.SEQUENCE, [{**account, "day": day, "last": count} for day, count in self._numbers.items()])
        await tx.many(store.TAB, self._tabs)

    def _plan(self) -> list[tuple[int, OrderType, Steps]]:
        """When each order comes, of which kind, and what becomes of it."""
        today, planned = local_day(self._now, self._venue.time_zone), []
        for days_ago in range(DAYS, -1, -1):
            day = today - timedelta(days=days_ago)
            for _ in range(self._chance.randint(*NIGHTS[day.weekday()])):
                minute = round(self._chance.choice((self._chance.gauss(13.1, 0.9), self._chance.gauss(20.2, 1.3))) * 60)
                at = moment(day, min(max(minute, 9 * 60), 23 * 60 + 50), self._venue.time_zone)
                at += self._chance.randrange(MINUTE_MS)
                # What came in the last two hours may still run, and is told of by itself.
                if at < self._now - 120 * MINUTE_MS:
                    kind: OrderType = self._chance.choices(("dine_in", "takeaway", "delivery"), (64, 20, 16))[0]
                    planned.append((at, kind, steps_of(kind, self._chance)))
        for minutes, kind, steps in RUNNING:
            planned.append((self._now - minutes * MINUTE_MS, kind, steps))
        return planned

    def _order(self, at: int, kind: OrderType, steps: Steps) -> None:
        is_running = at > self._now - 120 * MINUTE_MS
        name, phone, language, contact_id = self._chance.choice(self._guests)
        lines = self._lines(at, kind, language)
        table = self._table(is_running) if kind == "dine_in" else None
        method = _method(kind, self._chance)
        needs_nod = bool(steps) and steps[0][0] in ("accept", "reject", "expire", "wait")
        standing = first_standing(kind, method, total(lines), accepts_by_itself=not needs_nod)
        day = order_day(at, self._venue.time_zone)
        self._numbers[f"{day:%Y%m%d}"] += 1
        notes = self._chance.choice(NOTES[language]) if self._chance.random() < 0.15 else ""
        address = self._chance.choice(story.ADDRESSES) if kind == "delivery" else ""
        to = _destination(address) if address else None
        order = Order(
            account_id=self._venue.account_id, id=self._id(at), venue_id=self._venue.id, order_id=order_id(day, self._numbers[f"{day:%Y%m%d}"]),
            order_type=kind, state=standing.state, payment_method=method, payment_state=standing.payment_state,
            table_id=None if table is None else table.id, table_label="" if table is None else table.label,
            tab_id=self._sit_down(table, at) if table is not None and is_running else None,
            waiter="" if table is None else table.waiter_name, contact_id=contact_id, customer_phone=phone,
            customer_name=name, lines=lines, total=total(lines), currency=self._venue.currency,
            notes=notes,
            address=address, destination=to, route_url="" if to is None else to.route_url, language=language,
            promised_at=at + (25 if kind != "delivery" else 45) * MINUTE_MS, created_at=at, updated_at=at,
        )  # fmt: skip
        self._note(order, order, 1, "place", at, "guest", "")
        self._orders.append(self._walked(order, steps))

    def _walked(self, order: Order, steps: Steps) -> Order:
        """The order after everything that happened to it."""
        for number, (event, minutes, who, reason) in enumerate(steps, 2):
            if event == "wait":
                continue
            at = min(order.created_at + minutes * MINUTE_MS, self._now - 20_000)
            by: Actor = "clock" if who == "clock" else "guest" if who == "guest" else "staff"
            moved = move(order.standing, event, by)
            if not isinstance(moved, Moved):
                raise ValueError(f"the demo's story is faulty: {event} of {order.state}: {moved.detail}")
            before, after = order, moved.standing
            order = msgspec.structs.replace(
                order, state=after.state, payment_state=after.payment_state, updated_at=at,
                closed_at=at if after.state in CLOSED else None,
            )  # fmt: skip
            whom = order.waiter or "Elif" if by == "staff" else who
            self._note(before, order, number, event, at, whom, reason)
            if event in PAYMENT_EVENTS:
                made, _ = payments.moved_by(event, before, self._payments[order.id], whom, at)
                self._payments[order.id] += made
        return order

    def _lines(self, at: int, kind: OrderType, language: str) -> tuple[PricedLine, ...]:
        """A meal for one to four: what is on offer at that hour, with the options that have to be chosen."""
        party = self._chance.choices((1, 2, 3, 4), (30, 40, 18, 12))[0]
        wanted = [self._chance.choice(_MAINS) for _ in range(party)]
        wanted += [self._chance.choice(_STARTERS) for _ in range(self._chance.randint(0, party))]
        wanted += [self._chance.choice(_DRINKS) for _ in range(party)]
        wanted += [self._chance.choice(_SWEETS) for _ in range(self._chance.randint(0, max(1, party - 1)))]
        found: dict[Any, PricedLine] = {}
        for begin in wanted:
            item = self._chance.choice([one for one in self._menu.items if one.code.startswith(begin)])
            line = price_line(self._menu, item.id, self._choices(item), 1, at, kind, language)
            if isinstance(line, PricedLine):
                same = found.get(line.line.key)
                found[line.line.key] = (
                    line if same is None else msgspec.structs.replace(same, quantity=same.quantity + 1)
                )
        return tuple(found.values()) or self._lines(at, kind, language)

    def _choices(self, item: Item) -> list[Choice]:
        chosen: dict[str, int] = {}
        seen: set[str] = set()
        while waiting := [one for one in asked_groups(self._menu, item, set(chosen)) if one.id not in seen]:
            group = waiting[0]
            seen.add(group.id)
            chosen |= self._chosen(group)
        return [Choice(option_id, count) for option_id, count in chosen.items()]

    def _chosen(self, group: Group) -> dict[str, int]:
        usual = [one for one in group.options if one.is_default]
        if max(group.fewest, group.least) == 0 and not group.required:
            return {self._chance.choice(group.options).id: 1} if self._chance.random() < 0.12 else {}
        if usual and self._chance.random() < 0.8:
            return {usual[0].id: 1}
        return {self._chance.choice(group.options).id: 1}

    def _table(self, is_running: bool) -> Table:
        taken = {tab["table_id"] for tab in self._tabs} if is_running else set()
        return self._chance.choice([one for one in self._room if one.id not in taken])

    def _sit_down(self, table: Table, at: int) -> str:
        tab_id = self._id(at)
        self._tabs.append({
            "account_id": self._venue.account_id, "id": tab_id, "venue_id": self._venue.id, "table_id": table.id,
            "state": "open", "opened_at": at - 5 * MINUTE_MS, "last_at": at, "closed_at": None,
            "closed_by": None, "close_reason": None,
        })  # fmt: skip
        return tab_id

    def _note(
        self, before: Order, order: Order, number: int, event: Event | str, at: int, who: str, reason: str
    ) -> None:
        step = None if before is order else history.write_step(history.step_between(before, order))
        self._events.append({
            "account_id": order.account_id, "order_key": order.id, "number": number, "event": event,
            "state": order.state, "payment_state": order.payment_state, "at": at, "by": who, "reason": reason,
            "step": step,
        })  # fmt: skip

    def _id(self, at: int) -> str:
        return first_id(at) + "".join(self._chance.choices(_LUCK, k=16))


def _destination(address: str) -> Destination:
    latitude, longitude, zone = story.PLACES[address]
    far = metres_between(Point(*story.HOME), Point(latitude, longitude))
    return Destination(latitude, longitude, "inside", zone=zone, distance_m=far, minutes=45)


def _method(kind: OrderType, chance: random.Random) -> PaymentMethod:
    if kind == "dine_in":
        return chance.choices(("pos_at_table", "cash"), (7, 3))[0]
    return chance.choices(("card_on_delivery", "cash"), (6, 4))[0] if kind == "delivery" else "cash"
