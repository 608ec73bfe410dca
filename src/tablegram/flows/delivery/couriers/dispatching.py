"""Orders and who brings them, moved together: a step of a delivery and the order's own event are one transaction.

Everybody ends here: the board, programs, the courier's page and what couriers write. The order is locked first, then the
courier. `follow` is the other direction: whoever moves the order itself moves its delivery along.
"""

from __future__ import annotations

from typing import Literal, TypedDict

import msgspec

from tablegram.delivery.couriers import calls, shifts
from tablegram.delivery.couriers import keeping as couriers
from tablegram.delivery.couriers.model import Courier
from tablegram.delivery.tours import keeping, states
from tablegram.delivery.tours.keeping import Delivery, Mover
from tablegram.delivery.tours.reading import short_number
from tablegram.delivery.tours.states import Action, OrderEvent
from tablegram.engine import crash_points
from tablegram.errors import Conflict, Invalid, NotFound, no_such
from tablegram.events.planning import Statement
from tablegram.flows.delivery.couriers.calling import CourierCalls
from tablegram.flows.delivery.couriers.telling import CourierTelling
from tablegram.flows.restaurant.orders.ordering import Ordering, run_all
from tablegram.restaurant import venues
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.payments import left_to_pay
from tablegram.restaurant.orders.states import DEAD, State
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.clock import iso
from tablegram.values.money import to_wire

UPDATED = "restaurant.delivery_updated"
Paid = Literal["cash", "card_on_delivery"]
# An order that nobody has accepted, or that is not paid for yet, is nobody's to bring.
_GIVEN_IN = frozenset({"sent_to_kitchen", "preparing", "ready", "out_for_delivery"})
# Where a step leaves the order; taken back only while it is still there.
_ORDER_AFTER = {"picked_up": "out_for_delivery", "delivered": "delivered", "brought_back": "ready"}
_SAID = {"picked_up": "picked up", "brought_back": "brought back"}


class Stepped(msgspec.Struct, frozen=True):
    """What a step came to. `changed` is false where it only came again."""

    venue: Venue
    order: Order
    delivery: Delivery
    changed: bool = True
    statements: list[Statement] = []
    # Of what was noted as taken with it: minor units.
    collected: int = 0


class Dispatching:
    def __init__(self, ordering: Ordering) -> None:
        self._ordering = ordering
        self.telling = CourierTelling(ordering.telling)
        self._calls = CourierCalls(self.telling)

    async def refresh(self, account_id: int) -> None:
        """Call before a unit of work."""
        await self._ordering.refresh(account_id)

    def told(self, stepped: Stepped) -> None:
        """Call after the commit."""
        if stepped.changed:
            crash_points.reach("courier.committed")
            self._ordering.told(stepped.venue, stepped.statements)

    async def begin_shift(self, tx: Tx, courier: Courier, who: str, now: int) -> Venue:
        """Somebody begins to work and hears of what waits; `began` after the commit. The courier is locked."""
        venue = await venues.find_ever(tx, courier.account_id, courier.venue_id)
        await shifts.begin(tx, courier, venue.currency, who, now)
        waiting = await free_to_take(tx, courier.account_id, venue.id, now)
        await self._calls.greet(tx, venue, courier, waiting, now)
        return venue

    def began(self, venue: Venue) -> None:
        self._ordering.told(venue, [])

    async def assign(
        self, tx: Tx, account_id: int, order_id: str, courier_id: str, mover: Mover, now: int, *, takes: bool = False
    ) -> Stepped:
        """Give an order to a courier. Whoever had it and has not picked it up yet hears that it is gone.

        A courier who `takes` one takes it from nobody: of two at once, one gets it.
        """
        order = await orders.lock(tx, account_id, order_id, None)
        if order.order_type != "delivery":
            raise Conflict("Only an order that is delivered needs a courier.", code="not_a_delivery")
        if order.state not in _GIVEN_IN:
            said = order.state.replace("_", " ")
            raise Conflict(f"An order that is {said} cannot be assigned.", code="state_conflict")
        venue = await venues.find_ever(tx, account_id, order.venue_id)
        courier = await self._courier(tx, order, courier_id)
        before = await keeping.open_of(tx, account_id, order.id)
        if before is not None and before.courier_id == courier.id:
            return Stepped(venue, order, before, changed=False)
        if takes and (before is not None or order.state == "out_for_delivery"):
            raise Conflict("Somebody else has taken it.", code="taken_already")
        statements: list[Statement] = []
        if before is not None:
            statements += await self._take_away(tx, venue, order, before, mover, now)
        shift = await shifts.begin(tx, courier, venue.currency, mover.who, now)
        state: states.State = "picked_up" if order.state == "out_for_delivery" else "assigned"
        delivery = await keeping.give(tx, order.id, order.order_id, shift, mover, now, state=state)
        await calls.note(tx, courier, order.id, now)
        tour = [await orders.find(tx, account_id, one.order_id) for one in await self._stops(tx, courier)]
        await self.telling.given(tx, venue, courier, order, await left_to_pay(tx, order), tour, now)
        statements += self._announce(order, delivery, courier.name)
        await run_all(tx, statements)
        return Stepped(venue, order, delivery, statements=statements)

    async def _courier(self, tx: Tx, order: Order, courier_id: str) -> Courier:
        try:
            courier = await couriers.lock(tx, order.account_id, courier_id)
        except NotFound:
            raise Invalid.field("courier_id", "courier_unknown", no_such("courier")) from None
        if courier.venue_id != order.venue_id:
            raise Invalid.field("courier_id", "courier_elsewhere", f"{courier.name} works for another venue.")
        return courier

    async def _stops(self, tx: Tx, courier: Courier) -> list[Delivery]:
        return await keeping.stops(tx, courier.account_id, courier.id)

    async def _take_away(
        self, tx: Tx, venue: Venue, order: Order, before: Delivery, mover: Mover, now: int
    ) -> list[Statement]:
        if before.state != "assigned":
            raise Conflict("Somebody has picked it up already. Let them bring it back first.", code="picked_up_already")
        gone = await keeping.move(tx, before, "drop", "dropped", mover, now)
        name = await self._tell_bringer(tx, venue, gone, "taken_away", now)
        return self._announce(order, gone, name)

    async def _tell_bringer(self, tx: Tx, venue: Venue, delivery: Delivery, kind: str, now: int) -> str:
        """Tell who had it; returns their name."""
        try:
            courier = await couriers.get(tx, delivery.account_id, delivery.courier_id)
        except NotFound:
            return ""
        await self.telling.word(tx, venue, courier, kind, now, number=short_number(delivery.order_id))
        return courier.name

    async def hold(self, tx: Tx, account_id: int, delivery_id: str) -> tuple[Order, Delivery]:
        """A delivery and its order, which nobody else moves until this transaction ends."""
        seen = await keeping.get(tx, account_id, delivery_id)
        order = await orders.lock(tx, account_id, seen.order_id, None)
        return order, await keeping.get(tx, account_id, delivery_id)

    async def step(
        self, tx: Tx, account_id: int, delivery_id: str, action: Action, mover: Mover, now: int, *,
        paid: Paid | None = None, reason: str = "",
    ) -> Stepped:  # fmt: skip
        """Move a delivery on, and the order with it. With `paid`, what is open was taken on the way.

        The `reason` is why it was brought back.
        """
        why = keeping.clean_reason(reason) if action == "bring_back" else ""
        order, delivery = await self.hold(tx, account_id, delivery_id)
        venue = await venues.find_ever(tx, account_id, order.venue_id)
        refusal = refuse(order, delivery, action)
        if refusal is not None:
            raise refusal
        outcome = states.step(delivery.state, action)
        if outcome is None or outcome[0] == delivery.state:
            return Stepped(venue, order, delivery, changed=False)
        after, events = outcome
        statements: list[Statement] = []
        collected = 0
        if action == "deliver" and paid is not None:
            order, collected = await self._collect(tx, venue, order, paid, mover, now, statements)
        made = {row["action"] for row in await keeping.steps(tx, delivery)}
        method = paid if collected else None
        delivery = await keeping.move(
            tx, delivery, action, after, mover, now, collected=collected, collected_by=method, reason=why
        )
        # Told once for each time that somebody sets out, and not where it is over in the same breath.
        tells = action not in made and len(events) == 1
        order = await self._happen(tx, venue, order, events, mover, now, statements, tells=tells)
        name = await self._name(tx, delivery)
        if action == "drop":
            await self._tell_bringer(tx, venue, delivery, "taken_away", now)
            await self._calls.call(tx, venue, order, now)
        statements += self._announce(order, delivery, name)
        await run_all(tx, statements)
        crash_points.reach("courier.stepped")
        return Stepped(venue, order, delivery, statements=statements, collected=collected)

    async def undo(self, tx: Tx, account_id: int, delivery_id: str, step_id: str, mover: Mover, now: int) -> Stepped:
        """Take a step back within its ten seconds; a second time changes nothing. Money that was noted stays noted."""
        order, delivery = await self.hold(tx, account_id, delivery_id)
        venue = await venues.find_ever(tx, account_id, order.venue_id)
        row = await keeping.undoable(tx, delivery, step_id, now)
        if row is None:
            return Stepped(venue, order, delivery, changed=False)
        holder = await keeping.open_of(tx, account_id, order.id)
        courier = await couriers.lock(tx, account_id, delivery.courier_id)
        shift = await shifts.current(tx, courier)
        is_elsewhere = holder is not None and holder.id != delivery.id
        if is_elsewhere or shift is None or shift.id != delivery.shift_id or order.state != _ORDER_AFTER[row["after"]]:
            raise Conflict("Somebody has moved this on meanwhile. Look at it again.", code="step_overtaken")
        delivery = await keeping.undo(tx, delivery, row, mover, now)
        statements: list[Statement] = []
        events = states.back_from(row["before"], row["after"]) or ()
        order = await self._happen(tx, venue, order, events, mover, now, statements, tells=False)
        statements += self._announce(order, delivery, courier.name)
        await run_all(tx, statements)
        return Stepped(venue, order, delivery, statements=statements)

    async def _happen(
        self, tx: Tx, venue: Venue, order: Order, events: tuple[OrderEvent, ...], mover: Mover, now: int,
        statements: list[Statement], *, tells: bool,
    ) -> Order:  # fmt: skip
        for event in events:
            if event == "dispatch" and order.state == "out_for_delivery":
                continue
            change = await orders.happen(tx, order.account_id, order.order_id, event, "staff", mover.who, now)
            statements += await self._ordering.follow(tx, venue, change, event, now, tells=tells)
            order = change.order
        return order

    async def _collect(
        self, tx: Tx, venue: Venue, order: Order, paid: Paid, mover: Mover, now: int, statements: list[Statement]
    ) -> tuple[Order, int]:
        """Note what is open as taken by the courier; returns how much that was."""
        left = await left_to_pay(tx, order)
        if left == 0:
            return order, 0
        account_id, order_id = order.account_id, order.order_id
        if order.payment_method != paid:
            change = await orders.happen(
                tx, account_id, order_id, "pay_in_person", "staff", mover.who, now, payment_method=paid
            )
            statements += await self._ordering.follow(tx, venue, change, "pay_in_person", now)
        change = await orders.happen(tx, account_id, order_id, "pay", "staff", mover.who, now, in_till=False)
        statements += await self._ordering.follow(tx, venue, change, "pay", now)
        return change.order, left

    async def follow(self, tx: Tx, venue: Venue, before: Order | None, after: Order, now: int) -> None:
        """Somebody moved the order itself: whoever brings it has done so too, or need not any more."""
        await self._calls.follow(tx, venue, before, after, now)
        if before is None or before.state == after.state or after.order_type != "delivery":
            return
        delivery = await keeping.open_of(tx, after.account_id, after.id)
        if delivery is None:
            return
        mover = Mover("order", "order")
        moved: Delivery | None = None
        if after.state in DEAD:
            moved = await keeping.move(tx, delivery, "drop", "dropped", mover, now)
            await self._tell_bringer(tx, venue, moved, "called_off", now)
        elif (before.state, after.state, delivery.state) == ("ready", "out_for_delivery", "assigned"):
            moved = await keeping.move(tx, delivery, "pick_up", "picked_up", mover, now)
        elif (before.state, after.state) == ("out_for_delivery", "delivered"):
            moved = await keeping.move(tx, delivery, "deliver", "delivered", mover, now)
        elif (before.state, after.state, delivery.state) == ("out_for_delivery", "ready", "picked_up"):
            moved = await keeping.move(tx, delivery, "bring_back", "brought_back", mover, now)
        if moved is not None:
            await run_all(tx, self._announce(after, moved, await self._name(tx, moved)))

    async def _name(self, tx: Tx, delivery: Delivery) -> str:
        return (await couriers.names(tx, delivery.account_id)).get(delivery.courier_id, "")

    def _announce(self, order: Order, delivery: Delivery, courier_name: str) -> list[Statement]:
        body = delivery_event(order, delivery, courier_name)
        return self._ordering.announce(order.account_id, UPDATED, body, order.contact_id or order.order_id)


def refuse(order: Order, delivery: Delivery, action: Action) -> Conflict | None:
    """Why a step cannot be made now, before anything is written; nothing where it can, or where it was made already."""
    outcome = states.step(delivery.state, action)
    if outcome is None:
        said = _SAID.get(delivery.state, delivery.state)
        return Conflict(f"A delivery that is {said} cannot be changed by `{action}`.", code="state_conflict")
    if "dispatch" in outcome[1] and order.state not in ("ready", "out_for_delivery"):
        return Conflict("The kitchen has not finished it yet.", code="not_ready")
    return None


async def free_to_take(tx: Tx, account_id: int, venue_id: str, now: int) -> list[Order]:
    """Orders of a venue that nobody brings yet, from the moment the kitchen has them, the oldest first."""
    taken = {one.order_key for one in await keeping.of_venue(tx, account_id, venue_id, now) if one.is_open}
    running = await orders.running(tx, account_id, venue_id)
    found = [one for one in running if one.order_type == "delivery" and one.state in _GIVEN_IN]
    return [one for one in found if one.state != "out_for_delivery" and one.id not in taken]


class Bringer(TypedDict):
    id: str
    name: str


class DeliveryEvent(TypedDict):
    event: str
    venue_id: str
    order_id: str
    order_status: State
    delivery_id: str
    state: states.State
    courier: Bringer
    collected_amount: float
    collected_by: str
    currency: str
    assigned_at: str
    picked_up_at: str | None
    ended_at: str | None


def delivery_event(order: Order, delivery: Delivery, courier_name: str) -> DeliveryEvent:
    """What webhooks hear when an order is given to somebody or moves on with them."""
    return {
        "event": UPDATED,
        "venue_id": delivery.venue_id,
        "order_id": delivery.order_id,
        "order_status": order.state,
        "delivery_id": delivery.id,
        "state": delivery.state,
        "courier": {"id": delivery.courier_id, "name": courier_name},
        "collected_amount": to_wire(delivery.collected, order.currency),
        "collected_by": delivery.collected_by or "",
        "currency": order.currency,
        "assigned_at": iso(delivery.assigned_at),
        "picked_up_at": iso(delivery.picked_up_at),
        "ended_at": iso(delivery.ended_at),
    }
