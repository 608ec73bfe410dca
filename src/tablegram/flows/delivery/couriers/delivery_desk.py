"""Deliveries as staff and programs handle them: who brings what, how far it is, and in which order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.delivery.couriers import keeping as couriers
from tablegram.delivery.tours import keeping, store
from tablegram.delivery.tours.keeping import Delivery, Mover
from tablegram.delivery.tours.routes import nearest_first, point_of
from tablegram.delivery.tours.states import ACTIONS
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Invalid, NotFound, no_such
from tablegram.flows.delivery.couriers.answers import OrderDeliveryPage, OrderDeliveryView, Tour, WholeOrderDelivery
from tablegram.flows.delivery.couriers.dispatching import Dispatching, Stepped
from tablegram.flows.delivery.couriers.views import delivery_view, links_through, whole_delivery
from tablegram.flows.delivery.fields import AssignFields, StepFields
from tablegram.flows.restaurant.orders.answers import OrderView
from tablegram.flows.restaurant.orders.order_views import view
from tablegram.flows.restaurant.orders.seeing import check_money, seen_by
from tablegram.restaurant import venues
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.payments import left_to_pay
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import HOUR_MS, Clock
from tablegram.values.cursor import decode_cursor, encode_cursor

SCOPE = "orders:manage"
# What came to an end stays on the board for so long.
_SHOWN_MS = 2 * HOUR_MS
# Orders that need somebody, from the moment the kitchen has them.
_WAIT_IN = ("sent_to_kitchen", "preparing", "ready", "out_for_delivery")


class DeliveryBoard(msgspec.Struct, frozen=True, kw_only=True):
    """What the people who send couriers out have before them."""

    # Orders that nobody brings yet, the oldest first.
    unassigned: list[OrderView]
    # What is under way, by courier, in the order of their stops.
    tours: list[Tour]
    # What came to an end just now, the last first.
    ended: list[OrderDeliveryView]


class DeliveryDesk:
    def __init__(self, db: Database, idempotency: Idempotency, clock: Clock, dispatching: Dispatching) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._dispatching = dispatching

    # Looking.

    async def page(
        self, caller: Caller, *, limit: int = 50, cursor: str | None = None, **wanted: str | None
    ) -> OrderDeliveryPage:
        """Newest first; `wanted`: venue_id, courier_id, order_id, state."""
        caller.require(SCOPE)
        names = ("venue_id", "courier_id", "order_id", "state")
        given: dict[str, Any] = {name: wanted.get(name) for name in names}
        if any("\x00" in value for value in given.values() if value):
            return OrderDeliveryPage(data=[], next_cursor=None)
        before = None if cursor is None else decode_cursor(cursor)
        query = store.page(caller.account_id, before=before, limit=limit + 1, **given)
        found = [keeping.read(row) for row in await self._db.all(query)]
        return OrderDeliveryPage(
            data=await self._db.snapshot(lambda tx: self._views(tx, caller, found[:limit])),
            next_cursor=encode_cursor(found[limit - 1].id) if len(found) > limit else None,
        )

    async def get(self, caller: Caller, delivery_id: str) -> WholeOrderDelivery:
        caller.require(SCOPE)
        return await self._db.snapshot(lambda tx: self._whole(tx, caller, delivery_id))

    async def board(self, caller: Caller, venue_id: str) -> DeliveryBoard:
        caller.require(SCOPE)

        async def look(tx: Tx) -> DeliveryBoard:
            now = self._clock.now_ms()
            await venues.find(tx, caller.account_id, venue_id)
            found = await keeping.of_venue(tx, caller.account_id, venue_id, now - _SHOWN_MS)
            taken = {one.order_key for one in found if one.is_open}
            running = await orders.running(tx, caller.account_id, venue_id)
            waiting = [one for one in running if one.order_type == "delivery" and one.state in _WAIT_IN]
            known = [one for one in await couriers.every(tx, caller.account_id) if one.venue_id == venue_id]
            busy = {one.courier_id for one in found if one.is_open}
            return DeliveryBoard(
                unassigned=[seen_by(caller, view(one, now, "")) for one in waiting if one.id not in taken],
                tours=[await self._tour(tx, caller, one.id, one.name) for one in known if one.id in busy],
                ended=(await self._views(tx, caller, [one for one in found if not one.is_open and one.state != "dropped"]))[::-1],
            )  # fmt: skip

        return await self._db.snapshot(look)

    async def tour(self, caller: Caller, courier_id: str) -> Tour:
        """What a courier brings, in their order."""
        caller.require(SCOPE)

        async def look(tx: Tx) -> Tour:
            courier = await couriers.get(tx, caller.account_id, courier_id)
            return await self._tour(tx, caller, courier.id, courier.name)

        return await self._db.snapshot(look)

    # Moving.

    async def assign(self, caller: Caller, fields: AssignFields, call: Call) -> Result[WholeOrderDelivery]:
        """`order_id` to `courier_id`."""
        caller.require(SCOPE)

        async def work(tx: Tx, now: int) -> Stepped:
            try:
                return await self._dispatching.assign(
                    tx, caller.account_id, fields["order_id"], fields["courier_id"], mover_of(caller), now
                )
            except NotFound:
                raise Invalid.field("order_id", "order_unknown", no_such("order")) from None

        return await self._move(caller, call, work, status=201)

    async def act(
        self, caller: Caller, delivery_id: str, action: str, fields: StepFields, call: Call
    ) -> Result[WholeOrderDelivery]:
        """pick_up, deliver (`paid`: cash or card_on_delivery), bring_back (`reason`), or drop before it was picked up."""
        caller.require(SCOPE)
        if action not in ACTIONS:
            raise NotFound(f"A delivery knows no action `{action}`.", code="action_unknown")
        check_money(caller, action, pays=bool(fields.get("paid")))

        async def work(tx: Tx, now: int) -> Stepped:
            return await self._dispatching.step(
                tx, caller.account_id, delivery_id, action, mover_of(caller), now,
                paid=fields.get("paid"), reason=fields.get("reason") or "",
            )  # fmt: skip

        return await self._move(caller, call, work)

    async def undo(self, caller: Caller, delivery_id: str, step_id: str, call: Call) -> Result[WholeOrderDelivery]:
        """Take the last step back within its ten seconds."""
        caller.require(SCOPE)

        async def work(tx: Tx, now: int) -> Stepped:
            return await self._dispatching.undo(tx, caller.account_id, delivery_id, step_id, mover_of(caller), now)

        return await self._move(caller, call, work)

    async def arrange(self, caller: Caller, courier_id: str, delivery_ids: list[str] | None) -> Tour:
        """Put a courier's stops into this order; without one, the nearest comes first."""
        caller.require(SCOPE)

        async def work(tx: Tx) -> Tour:
            courier = await couriers.lock(tx, caller.account_id, courier_id)
            found = await keeping.stops(tx, caller.account_id, courier.id)
            wanted = delivery_ids
            if wanted is None:
                placed = [(one.id, point_of(order.route_url)) for one, order in await with_orders(tx, found)]
                wanted = nearest_first(None, placed)
            strange = sorted(set(wanted) - {one.id for one in found})
            if strange:
                raise Invalid.field("delivery_ids", "delivery_unknown", f"The courier does not have {strange[0]}.")
            await keeping.arrange(tx, found, wanted)
            return await self._tour(tx, caller, courier.id, courier.name)

        return await self._db.write(work)

    # Inside.

    async def _move(
        self, caller: Caller, call: Call, move: Callable[[Tx, int], Awaitable[Stepped]], status: int = 200
    ) -> Result[WholeOrderDelivery]:
        after: list[Stepped] = []
        await self._dispatching.refresh(caller.account_id)

        async def work(tx: Tx) -> Result[WholeOrderDelivery]:
            after.clear()
            stepped = await move(tx, self._clock.now_ms())
            after.append(stepped)
            return Result(await self._whole(tx, caller, stepped.delivery.id), status)

        answer = await self._idempotency.once_for(WholeOrderDelivery, caller.account_id, call, work)
        if not answer.replayed:
            for stepped in after:
                self._dispatching.told(stepped)
        return answer

    async def _whole(self, tx: Tx, caller: Caller, delivery_id: str) -> WholeOrderDelivery:
        delivery = await keeping.get(tx, caller.account_id, delivery_id)
        (shown,) = await self._views(tx, caller, [delivery])
        return whole_delivery(shown, await keeping.steps(tx, delivery))

    async def _tour(self, tx: Tx, caller: Caller, courier_id: str, name: str) -> Tour:
        return await tour_of(tx, caller, caller.account_id, courier_id, name, self._clock.now_ms())

    async def _views(self, tx: Tx, caller: Caller, found: Iterable[Delivery]) -> list[OrderDeliveryView]:
        names = await couriers.names(tx, caller.account_id)
        now = self._clock.now_ms()
        return [
            delivery_view(
                caller, one, order, names.get(one.courier_id, ""), await left_to_pay(tx, order), now,
                await _reason(tx, one),
            )
            for one, order in await with_orders(tx, list(found))
        ]  # fmt: skip


async def _reason(tx: Tx, delivery: Delivery) -> str:
    """Why something was brought back."""
    if delivery.state != "brought_back":
        return ""
    return next((str(row["reason"]) for row in await keeping.steps(tx, delivery) if row["id"] == delivery.step), "")


async def tour_of(tx: Tx, caller: Caller | None, account_id: int, courier_id: str, name: str, now: int) -> Tour:
    """Without a caller it is the courier's own."""
    found = await with_orders(tx, await keeping.stops(tx, account_id, courier_id))
    stops = [delivery_view(caller, one, order, name, await left_to_pay(tx, order), now) for one, order in found]
    is_shown = any(one.route_url for one in stops)
    links = links_through(stops, [order for _, order in found]) if is_shown else []
    return Tour(courier_id=courier_id, courier_name=name, stops=stops, route_urls=links)


async def with_orders(tx: Tx, found: list[Delivery]) -> list[tuple[Delivery, Order]]:
    """Each with its order; one whose order is gone is left out."""
    if not found:
        return []
    known = await orders.by_names(tx, found[0].account_id, [one.order_id for one in found])
    return [(one, known[one.order_id]) for one in found if one.order_id in known]


def mover_of(caller: Caller) -> Mover:
    return Mover(caller.key_name or caller.key_id, "panel" if caller.is_person else "api")
