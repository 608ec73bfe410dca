"""What stands on a courier's page. Fields stand in the order in which they are sent.

Nothing here is of another courier's guests; of what is over, the guest's number and address go after a while.
"""

from __future__ import annotations

import hashlib

import msgspec
from msgspec import Struct

from tablegram.delivery.couriers import shifts
from tablegram.delivery.couriers.model import Courier
from tablegram.delivery.tours import keeping as tours
from tablegram.delivery.tours.keeping import Delivery
from tablegram.delivery.tours.reading import short_number
from tablegram.delivery.tours.routes import stop_of, tour_links
from tablegram.delivery.tours.states import ACTIONS, Action, State
from tablegram.flows.delivery.couriers.delivery_desk import with_orders
from tablegram.flows.delivery.couriers.dispatching import free_to_take, refuse
from tablegram.flows.delivery.couriers.telling import method_of, route_to
from tablegram.restaurant import venues
from tablegram.restaurant.lines import tidy
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.payments import left_to_pay
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.figures.writing import clock
from tablegram.values.money import written
from tablegram.values.opening_hours import zone

# Of what is over, so many are shown.
MAX_DONE = 20
_encode = msgspec.json.Encoder().encode


class PageStop(Struct, kw_only=True, frozen=True):
    """Something that the courier brings, or has brought."""

    delivery_id: str
    number: int
    state: State
    is_ready: bool
    guest: str
    phone: str
    address: str
    route_url: str
    notes: str
    items: list[str]
    # What to collect, in words; empty where it is paid.
    collect: str
    method: str
    promised: str
    promised_ms: int | None
    actions: list[Action]
    step_id: str
    # Of what is over.
    ended: str = ""
    took: str = ""
    took_by: str = ""
    # From then on nothing of the guest is shown, also where nobody answers; null while it is under way.
    forget_ms: int | None = None


class FreeOrder(Struct, kw_only=True, frozen=True):
    """One that nobody brings yet: not whose it is, nor where to."""

    order_id: str
    number: int
    is_ready: bool
    promised: str
    promised_ms: int | None


class PageShift(Struct, kw_only=True, frozen=True):
    since: str
    cash: str
    card: str
    orders: int


class CourierPageView(Struct, kw_only=True, frozen=True):
    name: str
    venue: str
    language: str
    shift: PageShift | None
    stops: list[PageStop]
    route_urls: list[str]
    free: list[FreeOrder]
    done: list[PageStop]
    # Changes whenever something else is shown.
    version: str = ""


async def shown_to(tx: Tx, courier: Courier, now: int, forget_ms: int) -> CourierPageView:
    """Everything that a courier may see. `forget_ms` is how long the guest of something that is over is shown."""
    venue = await venues.find_ever(tx, courier.account_id, courier.venue_id)
    shift = await shifts.current(tx, courier)
    drawn = _Drawing(courier, venue, now, forget_ms)
    found = await with_orders(tx, await tours.stops(tx, courier.account_id, courier.id))
    stops = [drawn.stop(one, order, await left_to_pay(tx, order)) for one, order in found]
    ended = [] if shift is None else await tours.recent(tx, courier.account_id, courier.id, now)
    over = [one for one in ended if shift is not None and one.shift_id == shift.id and one.state != "dropped"]
    done = [drawn.over(one, order) for one, order in await with_orders(tx, over[:MAX_DONE])]
    free = [] if shift is None else await free_to_take(tx, courier.account_id, courier.venue_id, now)
    on_board = [order for one, order in found if one.state == "picked_up"] or [order for _, order in found]
    view = CourierPageView(
        name=courier.name,
        venue=venue.name,
        language=courier.language,
        shift=None
        if shift is None
        else drawn.shift(shift.started_at, await shifts.taken(tx, shift.account_id, shift.id)),
        stops=stops,
        route_urls=tour_links([stop_of(one.route_url, one.address) for one in on_board]) if len(on_board) > 1 else [],
        free=[drawn.free(one) for one in free],
        done=done,
    )
    return msgspec.structs.replace(view, version=hashlib.sha256(_encode(view)).hexdigest()[:16])


class _Drawing:
    """In the courier's language, by the venue's clock."""

    def __init__(self, courier: Courier, venue: Venue, now: int, forget_ms: int) -> None:
        self._language, self._venue, self._now, self._forget_ms = courier.language, venue, now, forget_ms

    def stop(self, one: Delivery, order: Order, left: int) -> PageStop:
        return PageStop(
            delivery_id=one.id,
            number=short_number(one.order_id),
            state=one.state,
            is_ready=order.state in ("ready", "out_for_delivery"),
            guest=tidy(order.customer_name),
            phone=f"+{order.customer_phone}" if order.customer_phone.isdecimal() else "",
            address=order.address,
            route_url=route_to(order),
            notes=tidy(order.notes),
            items=[f"{line.quantity} × {line.name}" for line in order.lines],
            collect=written(left, order.currency, self._language) if left else "",
            method=method_of(order),
            promised=self._time(order.promised_at),
            promised_ms=order.promised_at,
            actions=[action for action in ACTIONS if action != "drop" and refuse(order, one, action) is None],
            step_id=one.step,
        )

    def over(self, one: Delivery, order: Order) -> PageStop:
        """The number and how it ended; for a while also whose it was, for who has forgotten the drinks."""
        until = (one.ended_at or self._now) + self._forget_ms
        shown = self.stop(one, order, 0)
        known = {"guest": shown.guest, "phone": shown.phone, "address": shown.address, "route_url": shown.route_url}
        if until <= self._now:
            known = dict.fromkeys(known, "")
        return msgspec.structs.replace(
            shown,
            **known,
            notes="",
            items=[],
            actions=[],
            ended=self._time(one.ended_at),
            took=written(one.collected, order.currency, self._language) if one.collected else "",
            took_by=one.collected_by or "",
            forget_ms=until,
        )

    def free(self, order: Order) -> FreeOrder:
        return FreeOrder(
            order_id=order.order_id,
            number=short_number(order.order_id),
            is_ready=order.state == "ready",
            promised=self._time(order.promised_at),
            promised_ms=order.promised_at,
        )

    def shift(self, since: int, taken: shifts.Taken) -> PageShift:
        currency = self._venue.currency
        return PageShift(
            since=self._time(since),
            cash=written(taken.cash, currency, self._language),
            card=written(taken.card, currency, self._language),
            orders=taken.orders,
        )

    def _time(self, at_ms: int | None) -> str:
        if at_ms is None:
            return ""
        return clock(at_ms, zone(self._venue.time_zone))
