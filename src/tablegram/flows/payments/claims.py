"""What links that are open ask of a table's bill: together never more than is open on it."""

from __future__ import annotations

from tablegram.payments.keeping import Payments
from tablegram.restaurant.bills.model import Bill
from tablegram.storage.database import Tx


async def asked_by_orders(tx: Tx, payments: Payments, bill: Bill, without: str = "") -> int:
    """By links for single orders of the bill, besides one of them."""
    found = 0
    for entry in bill.counted:
        if entry.open and entry.order.id != without:
            links = await payments.of_subject(tx, bill.tab.account_id, "order", entry.order.id)
            found += sum(one.owed for one in links if one.is_alive and not one.received)
    return found


async def asked_by_tab(tx: Tx, payments: Payments, bill: Bill) -> int:
    links = await payments.of_subject(tx, bill.tab.account_id, "tab", bill.tab.id)
    return sum(one.owed for one in links if one.is_alive and not one.received)
