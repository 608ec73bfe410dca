"""What a contact ordered last, at the tables and in shops, as their card shows it."""

from __future__ import annotations

from tablegram.flows.loyalty.services import LoyaltyServices
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.listing import with_times
from tablegram.panel.pages.stores.log import last_orders as shop_orders
from tablegram.panel.visitor import Visitor
from tablegram.restaurant.orders.brief import ContactOrder
from tablegram.values.money import from_wire, written

# A card is looked at in passing; the list of orders finds the others.
SHOWN = 5


async def ordered(visitor: Visitor, deps: PanelDeps, contact_id: str) -> dict[str, object]:
    return {
        "orders": await last_orders(visitor, deps, contact_id),
        "store_orders": await shop_orders(visitor, deps, contact_id, SHOWN),
        "points": await _points(visitor, deps, contact_id),
        "gifts": await _gifts(visitor, deps, contact_id),
    }


async def last_orders(visitor: Visitor, deps: PanelDeps, contact_id: str) -> list[dict[str, object]]:
    if not visitor.can("restaurant:read"):
        return []
    found = (await deps.contacts.pool.orders(visitor.caller, contact_id, SHOWN)).data
    return [_shown(visitor, order) for order in found]


def _shown(visitor: Visitor, order: ContactOrder) -> dict[str, object]:
    amount = from_wire(order.total_amount, order.currency)
    words = ", ".join(item.name if item.quantity == 1 else f"{item.quantity} × {item.name}" for item in order.items)
    return {**with_times(order), "total": written(amount, order.currency, visitor.language), "words": words}


async def _points(visitor: Visitor, deps: PanelDeps, contact_id: str) -> int | None:
    """What they have; nothing for who may not see it."""
    if not visitor.can("loyalty:read"):
        return None
    member = await deps.services.of(LoyaltyServices).points.member(visitor.caller, contact_id)
    return member.balance if member.given else None


async def _gifts(visitor: Visitor, deps: PanelDeps, contact_id: str) -> list[dict[str, str]]:
    """Gift cards of theirs that still pay."""
    if not visitor.can("loyalty:read"):
        return []
    desk = deps.services.of(LoyaltyServices).gifts
    found = (await desk.page(visitor.caller, state="active", contact_id=contact_id, limit=SHOWN)).data
    return [
        {
            "id": one.id,
            "hint": one.code[-4:],
            "left": written(from_wire(one.balance, one.currency), one.currency, visitor.language),
        }
        for one in found
    ]
