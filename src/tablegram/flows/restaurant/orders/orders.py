"""Orders as staff and programs handle them: listed, taken, changed, moved on."""

from __future__ import annotations

from typing import Any, Unpack, cast

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Invalid, NotFound, no_such
from tablegram.events.planning import Statement
from tablegram.flows.delivery.points import read_point
from tablegram.flows.delivery.redirecting import costs, redirected, where_to
from tablegram.flows.restaurant.bills.ending import end
from tablegram.flows.restaurant.fields import ActFields, ChangeFields, TakeFields
from tablegram.flows.restaurant.guests.calls import call_view
from tablegram.flows.restaurant.kitchen.views import line_view
from tablegram.flows.restaurant.orders.answers import OrderMoney, OrderPage, OrderView, WholeOrder
from tablegram.flows.restaurant.orders.order_views import ACTIONS, ENDED_BY, Board, view, whole_view
from tablegram.flows.restaurant.orders.ordering import Ordering, OrderWish, charges_for, promise, run_all
from tablegram.flows.restaurant.orders.requests import request_view
from tablegram.flows.restaurant.orders.seeing import MONEY, check_money, seen_by, sees_phones
from tablegram.flows.wire import picked
from tablegram.restaurant import calls, staff, tables, venues
from tablegram.restaurant.carts import contents, tabs
from tablegram.restaurant.guests import MAX_ADDRESS
from tablegram.restaurant.kitchen import keeping as progress
from tablegram.restaurant.lines import DishLine, reckon, tidy
from tablegram.restaurant.menu.pricing import MenuPrices
from tablegram.restaurant.orders import keeping, payments, revising
from tablegram.restaurant.orders.finding import searching
from tablegram.restaurant.orders.finding.searching import OrderSums
from tablegram.restaurant.orders.forms import (
    MAX_NAME,
    check_delivery,
    check_method,
    clean_language,
    must_be_had,
    parse_lines,
)
from tablegram.restaurant.orders.keeping import OrderChange
from tablegram.restaurant.orders.model import Order, OrderChanges
from tablegram.restaurant.orders.payments import Kind
from tablegram.restaurant.orders.revising import KeptPrices
from tablegram.restaurant.orders.states import DEAD, Event, PaidBy
from tablegram.restaurant.paying.by_link import by_link
from tablegram.restaurant.store import orders as store
from tablegram.restaurant.tables import Table
from tablegram.restaurant.texts import requests
from tablegram.restaurant.texts.words import speak
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.authors import MEMBER_PREFIX
from tablegram.values.clock import Clock
from tablegram.values.money import to_wire
from tablegram.values.phone import parse_phone

SCOPE = "orders:manage"
MAX_WAITER = 60
# With the last of these the guests of a table are done: who sits down next sees nothing of them.
_SETTLING = ("complete", "pay", "serve")


class Orders:
    def __init__(self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit, ordering: Ordering) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
        self._ordering = ordering

    # Looking.

    async def page(
        self, caller: Caller, *, limit: int = 50, cursor: str | None = None, q: str | None = None,
        sort: store.Sort = "-placed", **given: Unpack[store.Filter],
    ) -> OrderPage:  # fmt: skip
        """Newest first, unless another order is wanted. `q`: `masa 9` finds a table's orders, a dish those with it."""
        caller.require(SCOPE)
        given["hides_phones"] = not sees_phones(caller)
        found, following = await searching.find(
            self._db, caller.account_id, q, sort=sort, cursor=cursor, limit=limit, **given
        )
        known = {venue.id: venue for venue in await self._db.snapshot(lambda tx: venues.every(tx, caller.account_id))}
        ended = [order.id for order in found if order.state in DEAD]
        rows = await self._db.all(store.endings(caller.account_id, ended, ENDED_BY)) if ended else []
        why = {row["order_key"]: row["reason"] for row in rows}
        return OrderPage(
            data=[seen_by(caller, self._view(known.get(one.venue_id), one, why.get(one.id, ""))) for one in found],
            next_cursor=following,
        )

    async def sums(self, caller: Caller, q: str | None, **given: Unpack[store.Filter]) -> OrderSums:
        """What all orders of a list come to."""
        caller.require(SCOPE)
        return await searching.add_up(self._db, caller.account_id, q, **given)

    async def get(self, caller: Caller, order_id: str) -> WholeOrder:
        """One order with its history."""
        caller.require(SCOPE)

        async def look(tx: Tx) -> WholeOrder:
            order = await keeping.find(tx, caller.account_id, order_id)
            return await self._whole(tx, await _venue_of(tx, order), order)

        return seen_by(caller, await self._db.snapshot(look))

    async def money(self, caller: Caller, order_id: str) -> list[OrderMoney]:
        """How it was paid, and what went back, by the way it took: a guest may pay otherwise than they meant to."""
        caller.require(SCOPE)
        caller.require(MONEY)

        async def look(tx: Tx) -> list[OrderMoney]:
            order = await keeping.find(tx, caller.account_id, order_id)
            sums: dict[tuple[Kind, PaidBy], int] = {}
            for one in await payments.of_order(tx, order):
                if one.state == "succeeded":
                    sums[one.kind, one.method] = sums.get((one.kind, one.method), 0) + one.amount
            return [
                OrderMoney(kind=kind, method=method, amount=to_wire(amount, order.currency))
                for (kind, method), amount in sums.items()
            ]

        return await self._db.snapshot(look)

    async def board(self, caller: Caller, venue_id: str) -> Board:
        """Everything that is not over, the oldest first, and who calls."""
        caller.require(SCOPE)

        async def look(tx: Tx) -> Board:
            venue = await venues.find(tx, caller.account_id, venue_id)
            running = await keeping.running(tx, caller.account_id, venue_id)
            shares = await progress.look_at_running(tx, caller.account_id, venue_id, running)
            waiting = await calls.waiting(tx, caller.account_id, venue_id)
            now = self._clock.now_ms()
            return Board(
                orders=[seen_by(caller, self._view(venue, order)) for order in running],
                progress={number: [line_view(one) for one in found] for number, found in shares.items()},
                calls=[call_view(call, now, venue.currency) for call in waiting],
                requests=[request_view(one, now) for one in await requests.waiting(tx, caller.account_id, venue_id)],
            )

        return await self._db.snapshot(look)

    # Taking and changing.

    async def take(self, caller: Caller, fields: TakeFields, call: Call) -> Result[WholeOrder]:
        """A waiter takes an order: it goes to the kitchen without anybody's nod, at any hour."""
        caller.require(SCOPE)
        lines = contents.clean_lines(parse_lines(fields.get("lines", ())))
        who, acting = _who(caller), self._audit.acting(caller)
        typed = fields.get("customer_phone")
        phone = parse_phone(typed, "customer_phone") if typed else ""
        name = tidy(str(fields.get("customer_name") or ""))[:MAX_NAME]
        address = tidy(str(fields.get("address") or ""))[:MAX_ADDRESS]
        point = read_point(fields.get("latitude"), fields.get("longitude"))
        after: list[tuple[Venue, list[Statement]]] = []
        await self._ordering.refresh(caller.account_id)

        async def work(tx: Tx) -> Result[WholeOrder]:
            after.clear()
            now = self._clock.now_ms()
            venue = await _named(tx, caller.account_id, fields.get("venue_id"))
            order_type = fields.get("order_type") or ("dine_in" if fields.get("table_id") else venue.order_types[0])
            if order_type not in venue.order_types:
                raise Invalid.field("order_type", "order_type_unavailable", "The venue does not offer this.")
            table = await _table(tx, venue, fields.get("table_id"))
            if order_type == "dine_in" and table is None:
                raise Invalid.field("table_id", "table_needed", "Say which table it is for.")
            to = await where_to(tx, venue, order_type, point, now)
            check_delivery(order_type, {"address": address, "customer_phone": phone, "customer_name": name})
            language = clean_language(venue, fields.get("language"))
            reckoned = await self._ordering.reckon(tx, venue, lines, order_type, language, now)
            must_be_had(reckoned, lines)
            at_table = order_type == "dine_in" and table is not None
            tab_id = await tabs.join(tx, venue.account_id, venue.id, table.id, now) if at_table and table else None
            member = caller.key_id.removeprefix(MEMBER_PREFIX) if caller.is_person else ""
            offered = await self._ordering.methods(tx, venue, order_type)
            own = await staff.waiter_of(tx, venue.account_id, venue.id, member) if member else None
            wish = OrderWish(
                waiter=str(fields.get("taken_by") or (own.name if own else "")), order_type=order_type, lines=reckoned.lines, language=language, table=table, tab_id=tab_id,
                payment_method=check_method(offered, fields.get("payment_method")), phone=phone,
                name=name, notes=contents.clean_notes(str(fields.get("notes") or "")), address=address, by=who,
                by_staff=True, destination=to, route_url="" if to is None else to.route_url,
            )  # fmt: skip
            placed, statements = await self._ordering.place(tx, venue, wish, now)
            await run_all(tx, statements)
            await acting.note(tx, "order.taken", "order", placed.order.order_id)
            after.append((venue, statements))
            return Result(await self._whole(tx, venue, placed.order), 201)

        answer = await self._idempotency.once_for(WholeOrder, caller.account_id, call, work)
        self._told(after, answer.replayed)
        return answer

    async def change(self, caller: Caller, order_id: str, fields: ChangeFields) -> WholeOrder:
        """Change what is given and leave the rest: lines, notes, table_id, waiter, customer_name, address, and its point."""
        caller.require(SCOPE)
        lines = None if fields.get("lines") is None else contents.clean_lines(parse_lines(fields["lines"]))
        who, point = _who(caller), read_point(fields.get("latitude"), fields.get("longitude"))
        await self._ordering.refresh(caller.account_id)

        async def work(tx: Tx) -> tuple[Venue, WholeOrder, list[Statement]]:
            now = self._clock.now_ms()
            order = await keeping.find(tx, caller.account_id, order_id)
            venue = await _venue_of(tx, order)
            changes = await _amendments(tx, venue, order, fields, now)
            moved = await redirected(tx, venue, order, changes.get("address", order.address), point, now)
            changes = {**changes, **moved}
            # Whoever changed it since it was read here is not written over.
            revision = order.revision if fields.get("revision") is None else fields["revision"]
            statements: list[Statement] = []
            if lines is not None or fields.get("notes") is not None:
                change = await self._revise(tx, venue, order, lines, fields.get("notes"), who, now, revision)
                revision = change.order.revision if change.changed else revision
                tells = change.order.lines != order.lines
                statements += await self._ordering.follow(tx, venue, change, "revise", now, tells=tells)
                order = change.order
            if changes:
                charges = costs(order, moved, speak(order.language)["delivery_fee"])
                change = await revising.amend(
                    tx, caller.account_id, order_id, changes, who, now, revision=revision, charges=charges
                )
                costs_other = change.order.total != order.total
                event = "revise" if costs_other else "amend"
                statements += await self._ordering.follow(tx, venue, change, event, now, tells=costs_other)
                order = change.order
            await run_all(tx, statements)
            return venue, await self._whole(tx, venue, order), statements

        venue, shown, statements = await self._db.write(work)
        self._ordering.told(venue, statements)
        return shown

    async def _revise(
        self, tx: Tx, venue: Venue, order: Order, lines: tuple[DishLine, ...] | None, notes: Any, who: str, now: int,
        revision: int | None,
    ) -> OrderChange:  # fmt: skip
        priced = order.lines
        if lines is not None:
            menu = await self._ordering.menus.load(tx, venue)
            prices = KeptPrices(order, MenuPrices(menu, now, order.order_type, order.language))
            reckoned = reckon(lines, prices)
            must_be_had(reckoned, lines)
            priced = reckoned.lines
        charges = charges_for(venue, order.order_type, priced, order.language, order.destination)
        return await revising.revise(
            tx, order.account_id, order.order_id, priced, charges, order.discounts, who, now,
            notes=None if notes is None else contents.clean_notes(str(notes)), revision=revision,
        )  # fmt: skip

    # Moving on.

    async def act(
        self, caller: Caller, order_id: str, action: str, fields: ActFields, call: Call
    ) -> Result[WholeOrder]:
        """One of `ACTIONS`. `reason` for reject and cancel, `minutes` for delay, `payment_method` for pay_in_person.

        With `paid`, what is taken in person is noted as paid on the way (complete, serve, pick_up, deliver).
        """
        caller.require(SCOPE)
        event = next((one for one in ACTIONS if one == action), None)
        if event is None:
            raise NotFound(f"An order knows no action `{action}`.", code="action_unknown")
        check_money(caller, action, pays=bool(fields.get("paid")))
        who = _who(caller)
        after: list[tuple[Venue, list[Statement]]] = []
        await self._ordering.refresh(caller.account_id)

        async def work(tx: Tx) -> Result[WholeOrder]:
            after.clear()
            order = await keeping.find(tx, caller.account_id, order_id)
            venue = await _venue_of(tx, order)
            now = self._clock.now_ms()
            statements: list[Statement] = []
            tab_id = await _hold_tab(tx, order, action, now)
            change = await by_link(
                tx, self._ordering.online, venue, order, action, who, now,
                amount=fields.get("amount"), lines=tuple(fields.get("lines") or ()), reason=str(fields.get("reason") or ""),
            )  # fmt: skip
            if change is None:
                change = await self._happen(tx, venue, order, event, fields, who, now, statements, tab_id)
            if action in _SETTLING and tab_id and await keeping.is_settled(tx, order.account_id, tab_id):
                statements += await end(tx, self._ordering, venue, tab_id, who, now)
            await run_all(tx, statements)
            after.append((venue, statements))
            return Result(await self._whole(tx, venue, change.order))

        answer = await self._idempotency.once_for(WholeOrder, caller.account_id, call, work)
        self._told(after, answer.replayed)
        return answer

    async def _happen(
        self, tx: Tx, venue: Venue, order: Order, event: Event, fields: ActFields, who: str, now: int,
        statements: list[Statement], tab_id: str | None = None,
    ) -> OrderChange:  # fmt: skip
        revision = fields.get("revision")
        if (
            fields.get("paid")
            and event in ("complete", "serve", "pick_up", "deliver")
            and not order.standing.is_settled
        ):
            if (method := fields.get("payment_method")) and method != order.payment_method:
                chosen = await keeping.happen(
                    tx, order.account_id, order.order_id, "pay_in_person", "staff", who, now, payment_method=method,
                    revision=revision,
                )  # fmt: skip
                statements += await self._ordering.follow(tx, venue, chosen, "pay_in_person", now)
            paid = await keeping.happen(
                tx, order.account_id, order.order_id, "pay", "staff", who, now, revision=revision
            )
            statements += await self._ordering.follow(tx, venue, paid, "pay", now)
        reason = str(fields.get("reason") or "")
        change = await keeping.happen(
            tx, order.account_id, order.order_id, event, "staff", who, now, reason=reason,
            delay_min=int(fields.get("minutes") or 0), payment_method=fields.get("payment_method"), revision=revision,
            promised_at=promise(venue, order.destination, now), tab_id=tab_id,
        )  # fmt: skip
        statements += await self._ordering.follow(tx, venue, change, event, now, reason=tidy(reason))
        return change

    # Inside.

    def _view(self, venue: Venue | None, order: Order, reason: str = "") -> OrderView:
        return view(order, self._clock.now_ms(), self._url(venue, order), reason)

    async def _whole(self, tx: Tx, venue: Venue, order: Order) -> WholeOrder:
        history = await keeping.history(tx, order)
        return whole_view(order, self._clock.now_ms(), self._url(venue, order), history)

    def _url(self, venue: Venue | None, order: Order) -> str:
        return "" if venue is None else self._ordering.telling.status_url(venue, order)

    def _told(self, after: list[tuple[Venue, list[Statement]]], replayed: bool) -> None:
        if not replayed:
            for venue, statements in after:
                self._ordering.told(venue, statements)


async def _hold_tab(tx: Tx, order: Order, action: str, now: int) -> str | None:
    """The order's tab, locked before the order is; an order that staff accept joins the table's if it has none yet."""
    if order.tab_id is None and action == "accept" and order.table_id is not None:
        return await tabs.join(tx, order.account_id, order.venue_id, order.table_id, now)
    if order.tab_id is not None and action in _SETTLING:
        await tabs.hold(tx, order.account_id, order.tab_id)
    return order.tab_id


async def _amendments(tx: Tx, venue: Venue, order: Order, fields: ChangeFields, now: int) -> OrderChanges:
    """What changes besides the lines. Everything is checked before anything is written."""
    longest = {"customer_name": MAX_NAME, "address": MAX_ADDRESS, "waiter": MAX_WAITER}
    given = picked(fields, *longest).items()
    told = {name: tidy(str(text))[: longest[name]] for name, text in given if text is not None}
    check_delivery(order.order_type, {name: value for name, value in told.items() if getattr(order, name) != value})
    changes = cast(OrderChanges, told)
    if fields.get("waiter_id"):
        known = {one.id: one.name for one in await staff.waiters(tx, venue.account_id, venue.id)}
        if fields["waiter_id"] not in known:
            raise Invalid.field("waiter_id", "waiter_unknown", no_such("waiter", "venue"))
        changes["waiter"] = known[fields["waiter_id"]]
    if fields.get("table_id"):
        if order.order_type != "dine_in":
            raise Invalid.field("table_id", "table_unneeded", "Only an order that is eaten here has a table.")
        table = await _table(tx, venue, fields["table_id"])
        if table is not None and table.id != order.table_id:
            changes |= {"table_id": table.id, "table_label": table.label}
            changes.setdefault("waiter", table.waiter_name)
            changes["tab_id"] = await tabs.join(tx, venue.account_id, venue.id, table.id, now)
    return changes


async def _named(tx: Tx, account_id: int, venue_id: Any) -> Venue:
    return await venues.find(tx, account_id, str(venue_id)) if venue_id else await venues.default(tx, account_id)


async def _table(tx: Tx, venue: Venue, table_id: Any) -> Table | None:
    if not table_id:
        return None
    try:
        return await tables.find(tx, venue.account_id, venue.id, str(table_id))
    except NotFound:
        raise Invalid.field("table_id", "table_unknown", no_such("table", "venue")) from None


async def _venue_of(tx: Tx, order: Order) -> Venue:
    return await venues.find_ever(tx, order.account_id, order.venue_id)


def _who(caller: Caller) -> str:
    return caller.key_name or caller.key_id
