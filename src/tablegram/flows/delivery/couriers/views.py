"""Couriers, shifts and deliveries as programs and pages see them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import asdict

from tablegram.accounts.keys.keys import Caller
from tablegram.delivery.couriers.model import Courier, Shift
from tablegram.delivery.couriers.shifts import Taken
from tablegram.delivery.tours.keeping import Delivery
from tablegram.delivery.tours.routes import stop_of, tour_links
from tablegram.delivery.tours.rows import StepRow
from tablegram.delivery.tours.states import ACTIONS
from tablegram.flows.delivery.couriers.answers import (
    CourierView,
    DeliveryCourier,
    DeliveryCustomer,
    DeliveryStep,
    OrderDeliveryView,
    ShiftView,
    WholeOrderDelivery,
)
from tablegram.flows.delivery.couriers.dispatching import refuse
from tablegram.flows.delivery.couriers.telling import route_to
from tablegram.flows.restaurant.orders.seeing import MONEY, sees_phones
from tablegram.restaurant.orders.model import Order
from tablegram.values.clock import SECOND_MS, iso
from tablegram.values.money import to_wire


def shift_view(shift: Shift, courier_name: str, taken: Taken) -> ShiftView:
    def wire(amount: int) -> float:
        return float(to_wire(amount, shift.currency))

    counted = shift.counted
    expected = taken.cash if shift.expected is None else shift.expected
    return ShiftView(
        id=shift.id,
        courier_id=shift.courier_id,
        courier_name=courier_name,
        venue_id=shift.venue_id,
        currency=shift.currency,
        started_at=iso(shift.started_at) or "",
        started_by=shift.started_by,
        ended_at=iso(shift.ended_at),
        ended_by=shift.ended_by or "",
        orders_paid=taken.orders,
        cash_amount=wire(expected),
        card_amount=wire(taken.card),
        counted_amount=None if counted is None else wire(counted),
        difference_amount=None if counted is None else wire(counted - expected),
        note=shift.note,
        counted_at=iso(shift.counted_at),
        counted_by=shift.counted_by or "",
    )


def courier_view(caller: Caller, courier: Courier, shift: ShiftView | None, open_deliveries: int) -> CourierView:
    sees_money = not caller.is_person or caller.has(MONEY)
    return CourierView(
        id=courier.id,
        venue_id=courier.venue_id,
        name=courier.name,
        phone=courier.phone if sees_phones(caller) else "",
        member_id=courier.member_id,
        language="tr" if courier.language == "tr" else "en",
        active=courier.active,
        open_deliveries=open_deliveries,
        shift=shift if sees_money else None,
        created_at=iso(courier.created_at) or "",
    )


def delivery_view(
    caller: Caller | None, delivery: Delivery, order: Order, courier_name: str, left: int, now: int, reason: str = ""
) -> OrderDeliveryView:
    """Without a caller it is the courier who looks, and sees whom to ring up and what to collect."""
    sees = caller is None or sees_phones(caller)
    money = caller is None or not caller.is_person or caller.has(MONEY)
    phone = f"+{order.customer_phone}" if order.customer_phone.isdecimal() else ""
    return OrderDeliveryView(
        delivery_id=delivery.id,
        order_id=delivery.order_id,
        venue_id=delivery.venue_id,
        state=delivery.state,
        courier=DeliveryCourier(id=delivery.courier_id, name=courier_name),
        position=delivery.position,
        order_status=order.state,
        customer=DeliveryCustomer(phone=phone if sees else "", name=order.customer_name),
        address=order.address if sees else "",
        route_url=route_to(order) if sees else "",
        notes=order.notes,
        collect_amount=float(to_wire(left, order.currency)) if money else 0,
        payment_method=order.payment_method,
        collected_amount=float(to_wire(delivery.collected, order.currency)) if money else 0,
        collected_by=delivery.collected_by or "",
        currency=order.currency,
        promised_at=iso(order.promised_at),
        late_s=None if order.promised_at is None or not delivery.is_open else (now - order.promised_at) // SECOND_MS,
        assigned_at=iso(delivery.assigned_at) or "",
        picked_up_at=iso(delivery.picked_up_at),
        ended_at=iso(delivery.ended_at),
        # Somebody's words may say where it was.
        reason=reason if sees else "",
        step_id=delivery.step,
        actions=[
            action for action in ACTIONS if delivery.is_open and refuse(order, delivery, action) is None
            and not (action == "pick_up" and delivery.state == "picked_up")
        ],
    )  # fmt: skip


def whole_delivery(view: OrderDeliveryView, rows: Sequence[StepRow]) -> WholeOrderDelivery:
    steps = [
        DeliveryStep(
            step_id=row["id"],
            action=row["action"],
            state=row["after"],
            by=row["by"],
            reason=row["reason"],
            via=row["via"],
            at=iso(row["at"]) or "",
            undone_at=iso(row["undone_at"]),
        )
        for row in rows
    ]
    return WholeOrderDelivery(**asdict(view), steps=steps)


def links_through(stops: Sequence[OrderDeliveryView], orders: Sequence[Order]) -> list[str]:
    """Through what is picked up, or through everything while nothing is."""
    on_board = {one.order_id for one in stops if one.state == "picked_up"}
    chosen = [order for order in orders if order.order_id in on_board] or list(orders)
    return tour_links([stop_of(one.route_url, one.address) for one in chosen])
