"""An order that comes to be or changes makes its tickets and their jobs, in its own transaction."""

from __future__ import annotations

from tablegram.engine.crash_points import reach
from tablegram.flows.printing.sheets import ON, house_of, sheet_of, tells_of_allergy
from tablegram.flows.restaurant.orders.ordering import Menus
from tablegram.printing.jobs import Jobs
from tablegram.printing.printers import keeping as printers
from tablegram.printing.tickets import keeping as tickets
from tablegram.printing.tickets.making import tickets_for
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.payments import left_to_pay
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx


class OrderTickets:
    """`follow` works inside the order's transaction; `told` is called after its commit."""

    def __init__(self, jobs: Jobs, menus: Menus) -> None:
        self._jobs = jobs
        self._menus = menus
        # Printers that a transaction made something for. One that is rolled back only makes somebody look for nothing.
        self._made: dict[str, set[str]] = {}

    async def follow(self, tx: Tx, venue: Venue, before: Order | None, order: Order, now: int) -> None:
        if not _may_print(before, order):
            return
        menu = await self._menus.load(tx, venue) if tells_of_allergy(order) else None
        is_brought = order.order_type == "delivery"
        left = await left_to_pay(tx, order) if is_brought else 0
        was = None if before is None else sheet_of(before, menu, _left_before(before, order, left))
        sheet = sheet_of(order, menu, left)
        there = await printers.of_venue(tx, venue.account_id, venue.id)
        wanted = frozenset(extra for printer in there for extra in printer.extras)
        drafts = tickets_for(house_of(venue), was, sheet, wanted)
        rung = await tickets.keep(tx, venue.account_id, venue.id, order.id, order.revision, drafts, there, now)
        if drafts:
            reach("printing.made")
        if rung:
            self._made.setdefault(venue.id, set()).update(rung)

    def told(self, venue: Venue) -> None:
        made = self._made.pop(venue.id, None)
        if made:
            reach("printing.committed")
            self._jobs.ring(venue.account_id, made)


def _left_before(before: Order, order: Order, left: int) -> int:
    """What the paper before said is to be taken: the same, unless the sum or the payment has changed since."""
    if before.total == order.total and before.payment_state == order.payment_state:
        return left
    return 0 if before.standing.is_settled else before.total


def _may_print(before: Order | None, order: Order) -> bool:
    """Most steps of an order, such as a tap of the kitchen, change nothing that stands on paper."""
    was_on = before is not None and before.state in ON
    if before is None or not was_on or order.state not in ON:
        return was_on or order.state in ON
    names = ("lines", "notes", "table_label", "payment_state", "address", "route_url", "customer_phone")
    return any(getattr(before, name) != getattr(order, name) for name in names)
