"""An order as printing sees it."""

from __future__ import annotations

from tablegram.flows.delivery.couriers.telling import route_to
from tablegram.printing.tickets.content import Door
from tablegram.printing.tickets.making import Dish, House, Sheet
from tablegram.restaurant.lines import PricedLine
from tablegram.restaurant.menu.model import Menu
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.states import State
from tablegram.restaurant.texts.words import speak
from tablegram.restaurant.venues import Venue

# Not before somebody nodded, nor before the payment where that comes first; and not what was called off.
ON: frozenset[State] = frozenset(
    {"sent_to_kitchen", "preparing", "ready", "served", "picked_up", "out_for_delivery", "delivered", "completed"}
)
_GONE: frozenset[State] = frozenset({"out_for_delivery", "delivered", "completed"})


def house_of(venue: Venue) -> House:
    return House(venue=venue.name, time_zone=venue.time_zone, language=venue.languages[0])


def sheet_of(order: Order, menu: Menu | None, left: int = 0) -> Sheet:
    """With the menu, dishes of somebody who told of an allergy carry what they contain. `left` is still to be paid."""
    allergy = order.notes if _is_allergic(order.notes) else ""
    told = allergy or any(_is_allergic(line.note) for line in order.lines)
    items = menu.items_by_id if menu is not None and told else {}
    return Sheet(
        order_key=order.id,
        order_id=order.order_id,
        revision=order.revision,
        order_type=order.order_type,
        is_on=order.state in ON,
        is_paid=order.payment_state == "paid",
        table=order.table_label,
        guest=order.customer_name,
        waiter=order.waiter,
        notes="" if allergy else order.notes,
        allergy=allergy,
        dishes=tuple(
            _dish(line, tuple(items[line.item_id].allergens) if line.item_id in items else ()) for line in order.lines
        ),
        totals=_totals(order),
        placed_at=order.created_at,
        promised_at=order.promised_at,
        language=order.language,
        currency=order.currency,
        door=_door(order, left) if order.order_type == "delivery" else None,
        is_here=order.state not in _GONE,
    )


def _door(order: Order, left: int) -> Door:
    phone = f"+{order.customer_phone}" if order.customer_phone.isdecimal() else ""
    return Door(address=order.address, phone=phone, route_url=route_to(order), due=left)


def tells_of_allergy(order: Order) -> bool:
    return _is_allergic(order.notes) or any(_is_allergic(line.note) for line in order.lines)


def _is_allergic(note: str) -> bool:
    if not note:
        return False
    # Most orders have no note, and nobody needs a reader for them.
    from tablegram.restaurant.reading.sentences.wishes import is_allergic

    return is_allergic(note)


def _dish(line: PricedLine, allergens: tuple[str, ...]) -> Dish:
    return Dish(
        station=line.station,
        quantity=line.quantity,
        name=line.kitchen_name or line.name,
        options=line.kitchen_options or line.options,
        note=line.note,
        allergens=allergens,
        guest_name=line.name,
        guest_options=line.options,
        amount=line.amount,
    )


def _totals(order: Order) -> tuple[tuple[str, int], ...]:
    words = speak(order.language)
    extras = [(one.name, one.amount) for one in order.charges] + [(one.name, -one.amount) for one in order.discounts]
    # The words for a chat have the amount in them; on paper it stands in a column of its own.
    total = words["total"].format(total="").rstrip(": ")
    return (*extras, (total, order.total))
