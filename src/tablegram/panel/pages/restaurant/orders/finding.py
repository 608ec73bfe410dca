"""Orders, found from every page by number, guest, phone, table or dish."""

from __future__ import annotations

from tablegram.flows.restaurant.orders.answers import OrderView
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.finding import Finder, Found
from tablegram.panel.visitor import Visitor


async def find_orders(deps: PanelDeps, visitor: Visitor, search: str, most: int) -> list[Found]:
    """The newest first. `table 9` finds the orders of that table and of no other."""
    page = await deps.restaurant.orders.page(visitor.caller, q=search, limit=most)
    return [_found(visitor, one) for one in page.data]


def _found(visitor: Visitor, order: OrderView) -> Found:
    table = order.table_number
    where = visitor.t("orders.at_table", table=table) if table else visitor.t(f"order.type_{order.order_type}")
    parts = (where, visitor.t(f"order.state_{order.status}"), order.customer.name)
    return Found(
        order.order_id.rpartition("-")[2],
        f"/panel/orders/{order.order_id}",
        " · ".join(part for part in parts if part),
    )


FINDER = Finder("orders", "orders", "orders:manage", find_orders)
