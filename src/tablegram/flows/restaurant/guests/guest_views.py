"""What the guest's page is shown of a cart, a table and an order. Amounts are whole minor units."""

from __future__ import annotations

from collections.abc import Sequence

from tablegram.flows.restaurant.answers.guests import (
    CartOrder,
    CartView,
    GuestOrder,
    GuestStep,
    GuestTableView,
    GuestVenue,
    OtherCart,
    PageExtra,
    PageLine,
    PayingView,
    TableLine,
    TableOrder,
)
from tablegram.flows.restaurant.guests.bringing import Brought
from tablegram.flows.restaurant.orders.order_views import reason_of
from tablegram.flows.restaurant.orders.ordering import charges_for
from tablegram.restaurant.carts.codes import show
from tablegram.restaurant.carts.keeping import Cart, shared_name
from tablegram.restaurant.carts.text import Slip, render
from tablegram.restaurant.lines import PricedLine, Reckoning
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.states import Moved, move
from tablegram.restaurant.orders.totals import Extra, subtotal, total
from tablegram.restaurant.rows.orders import HistoryRow
from tablegram.restaurant.venues import Venue
from tablegram.values.clock import MINUTE_MS


def cart_view(
    venue: Venue, cart: Cart, reckoned: Reckoning, table_label: str, brought: Brought | None, order: CartOrder | None
) -> CartView:
    """A cart with the prices of this moment, what stands in its way, and the text that sends it."""
    to = None if brought is None or brought.looked is None else brought.looked.destination
    charges = charges_for(venue, cart.order_type, reckoned.lines, cart.language, to)
    amount = total(reckoned.lines, charges)
    at_table = cart.order_type == "dine_in"
    slip = Slip(
        code=cart.code,
        order_type=cart.order_type,
        lines=reckoned.lines,
        total=amount,
        currency=venue.currency,
        language=cart.language,
        table=table_label if at_table else "",
        notes=cart.notes,
        charges=sum(one.amount for one in charges if one.kind != "delivery"),
        delivery=sum(one.amount for one in charges if one.kind == "delivery"),
    )
    return CartView(
        code=show(cart.code),
        revision=cart.revision,
        state=cart.state,
        order_type=cart.order_type,
        table=table_label if at_table else "",
        language=cart.language,
        notes=cart.notes,
        offers=cart.offers_text,
        lines=[_priced(line) for line in reckoned.lines],
        troubles=reckoned.troubles,
        subtotal=reckoned.subtotal,
        charges=[_extra(one) for one in charges],
        total=amount,
        delivery=None if brought is None else brought.view(venue, reckoned.subtotal, cart.language),
        currency=venue.currency,
        text=render(slip),
        expires_ms=cart.expires_at,
        order=order,
    )


def order_view(
    venue: Venue, order: Order, history: Sequence[HistoryRow], status_url: str, courier: str, paying: PayingView | None
) -> GuestOrder:
    """An order for the guest whose it is."""
    may_cancel = isinstance(move(order.standing, "cancel", "guest"), Moved)
    return GuestOrder(
        order_id=order.order_id,
        status=order.state,
        status_url=status_url,
        venue=GuestVenue(id=venue.id, name=venue.name, time_zone=venue.time_zone, phone=venue.details.phone),
        order_type=order.order_type,
        table=order.table_label,
        name=order.customer_name,
        items=[_priced(line) for line in order.lines],
        notes=order.notes,
        address=order.address,
        subtotal=subtotal(order.lines),
        charges=[_extra(one) for one in order.charges],
        discounts=[_extra(one) for one in order.discounts],
        total=order.total,
        currency=order.currency,
        payment_method=order.payment_method,
        payment_status=order.payment_state,
        language=order.language,
        created_ms=order.created_at,
        promised_ms=order.promised_at,
        updated_ms=order.updated_at,
        may_cancel=may_cancel,
        reason=reason_of(history),
        history=_steps(history),
        courier=courier,
        paying=paying,
    )


def table_view(
    others: Sequence[tuple[Cart, Reckoning]], orders: Sequence[Order], currency: str, now: int
) -> GuestTableView:
    """What the others at the table have chosen and what was ordered there; nobody's name or number."""
    return GuestTableView(
        others=[
            OtherCart(
                id=shared_name(cart),
                age_min=max(0, now - cart.updated_at) // MINUTE_MS,
                lines=[_told(line) for line in reckoned.lines],
                subtotal=reckoned.subtotal,
            )
            for cart, reckoned in others
        ],
        ordered=[
            TableOrder(
                order_id=order.order_id,
                status=order.state,
                lines=[_told(line) for line in order.lines],
                total=order.total,
            )
            for order in orders
        ],
        total=sum(order.total for order in orders),
        currency=currency,
    )


def _steps(history: Sequence[HistoryRow]) -> list[GuestStep]:
    """The states it went through, each with the moment it came."""
    steps: list[GuestStep] = []
    for row in history:
        if not steps or steps[-1].status != row["state"]:
            steps.append(GuestStep(row["state"], row["at"]))
    return steps


def _priced(line: PricedLine) -> PageLine:
    return PageLine(
        item_id=line.item_id,
        quantity=line.quantity,
        choices=line.choices,
        note=line.note,
        name=line.name,
        options=line.options,
        unit_price=line.unit_price,
        amount=line.amount,
    )


def _told(line: PricedLine) -> TableLine:
    return TableLine(
        item_id=line.item_id,
        name=line.name,
        quantity=line.quantity,
        options=line.options,
        amount=line.amount,
    )


def _extra(one: Extra) -> PageExtra:
    return PageExtra(one.kind, one.name, one.amount)
