"""Bills as staff and programs see them, and the events that tell of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

from tablegram.flows.restaurant.bills.answers import (
    BillDiscount,
    BillLine,
    BillLink,
    BillOrder,
    BillOwnPayment,
    BillPayment,
    BillTax,
    BillView,
    TabView,
)
from tablegram.restaurant.bills.model import Bill, BillEntry, Discount, Method, OwnPayment, TabPayment
from tablegram.restaurant.bills.vat import Taxed, let_off_of
from tablegram.restaurant.paying.ports import TabLink
from tablegram.values.clock import SECOND_MS, iso
from tablegram.values.money import to_wire

PAID = "restaurant.bill_paid"
CLOSED = "restaurant.tab_closed"


def _tab_fields(bill: Bill, label: str, currency: str) -> dict[str, Any]:
    tab = bill.tab
    return {
        "id": tab.id,
        "venue_id": tab.venue_id,
        "table_id": tab.table_id,
        "table_number": label,
        "state": tab.state,
        "opened_at": iso(tab.opened_at) or "",
        "closed_at": iso(tab.closed_at),
        "closed_by": tab.closed_by or "",
        "close_reason": tab.close_reason or "",
        "currency": currency,
        "total": to_wire(bill.total, currency),
        "paid": to_wire(bill.paid, currency),
        "open": to_wire(bill.open, currency),
        "unpaid": to_wire(bill.lost, currency),
    }


def tab_view(bill: Bill, label: str, currency: str) -> TabView:
    return TabView(**_tab_fields(bill, label, currency))


def bill_view(bill: Bill, label: str, currency: str, links: Sequence[TabLink] = (), *, shows_phones: bool) -> BillView:
    names = {one.order.id: one.order.order_id for one in bill.entries}
    return BillView(
        **_tab_fields(bill, label, currency),
        subtotal=to_wire(bill.subtotal, currency),
        charges=to_wire(bill.charges, currency),
        discounts_total=to_wire(bill.let_off, currency),
        vat=[tax_view(one, currency) for one in bill.vat],
        tips=to_wire(bill.tips, currency),
        to_give_back=to_wire(bill.owed_back, currency),
        orders=[_order(bill, one, shows_phones=shows_phones) for one in bill.counted],
        waiting=[one.order.order_id for one in bill.waiting],
        payments=[payment_view(bill, one) for one in bill.payments],
        discounts=[_discount(one, names, currency) for one in bill.discounts],
        payment_links=[link_view(one, shows_phones=shows_phones) for one in links],
        went_back=to_wire(bill.went, currency),
        own_payments=[_own(one, currency) for one in bill.own],
    )


def tax_view(one: Taxed, currency: str) -> BillTax:
    gross, net, tax = (to_wire(amount, currency) for amount in (one.gross, one.net, one.tax))
    return BillTax(percent=one.rate / 100, gross=gross, net=net, tax=tax)


def link_view(link: TabLink, *, shows_phones: bool) -> BillLink:
    return BillLink(
        id=link.id, state=link.state, amount=to_wire(link.amount, link.currency),
        tip=to_wire(link.tip, link.currency), currency=link.currency, url=link.url,
        phone=link.phone if shows_phones else "", by=link.by, expires_at=iso(link.expires_at) or "",
        created_at=iso(link.created_at) or "", needs_decision=link.waits_for_decision,
    )  # fmt: skip


def _order(bill: Bill, entry: BillEntry, *, shows_phones: bool) -> BillOrder:
    order, covered = entry.order, bill.covered
    let_off = let_off_of(order.lines, order.discounts)
    return BillOrder(
        order_id=order.order_id,
        status=order.state,
        payment_status=order.payment_state,
        guest=order.customer_name,
        phone=order.customer_phone if shows_phones else "",
        items=[
            BillLine(
                line=place,
                name=line.name,
                options=list(line.options),
                quantity=line.quantity,
                unit_price=to_wire(line.unit_price, order.currency),
                amount=to_wire(line.amount, order.currency),
                discount=to_wire(let_off[place], order.currency),
                paid_quantity=min(line.quantity, covered.get((order.id, place), 0)),
            )
            for place, line in enumerate(order.lines)
        ],
        charges=to_wire(sum(one.amount for one in order.charges), order.currency),
        discounts=to_wire(sum(one.amount for one in order.discounts), order.currency),
        total=to_wire(order.total, order.currency),
        paid=to_wire(entry.came, order.currency),
        open=to_wire(entry.open, order.currency),
    )


def payment_view(bill: Bill, one: TabPayment) -> BillPayment:
    return BillPayment(
        id=one.id, kind=one.kind, of=one.of, method=one.method, amount=to_wire(one.amount, one.currency),
        tip=to_wire(one.tip, one.currency), given=None if one.given is None else to_wire(one.given, one.currency),
        change=to_wire(one.change, one.currency), parts=one.parts, by=one.by, reason=one.reason,
        at=iso(one.created_at) or "", is_given_back=one.id in bill.given_back,
        went_back=to_wire(bill.went_back.get(one.id, 0), one.currency),
    )  # fmt: skip


def _own(one: OwnPayment, currency: str) -> BillOwnPayment:
    return BillOwnPayment(
        order_id=one.order_id, kind=one.kind, method=one.method, amount=to_wire(one.amount, currency), by=one.by,
        at=iso(one.created_at) or "",
    )  # fmt: skip


def _discount(one: Discount, names: dict[str, str], currency: str) -> BillDiscount:
    return BillDiscount(
        id=one.id, order_id=names.get(one.order_key or ""), line=one.line,
        percent=None if one.percent is None else one.percent / 100, amount=to_wire(one.amount, currency),
        reason=one.reason, by=one.by, at=iso(one.created_at) or "", is_removed=one.removed_at is not None,
    )  # fmt: skip


class ToldPayment(TypedDict):
    """What came by one way, less what went back by it."""

    method: Method
    amount: float


class BillEvent(TypedDict):
    event: str
    tab_id: str
    venue_id: str
    table_number: str
    order_ids: list[str]
    total_amount: float
    paid_amount: float
    unpaid_amount: float
    tip_amount: float
    currency: str
    payments: list[ToldPayment]
    by: str
    reason: str
    timestamp: int


def bill_event(kind: str, bill: Bill, label: str, currency: str, by: str, now: int) -> BillEvent:
    """What is told of a bill that is paid, or of a tab that is closed."""
    methods: dict[Method, int] = {}
    for one in bill.payments:
        methods[one.method] = methods.get(one.method, 0) + (one.amount if one.kind == "payment" else -one.amount)
    return {
        "event": kind,
        "tab_id": bill.tab.id,
        "venue_id": bill.tab.venue_id,
        "table_number": label,
        "order_ids": [one.order.order_id for one in bill.counted],
        "total_amount": to_wire(bill.total, currency),
        "paid_amount": to_wire(bill.paid, currency),
        "unpaid_amount": to_wire(bill.open + bill.lost, currency),
        "tip_amount": to_wire(bill.tips, currency),
        "currency": currency,
        "payments": [{"method": method, "amount": to_wire(sum_, currency)} for method, sum_ in methods.items() if sum_],
        "by": by,
        "reason": bill.tab.close_reason or "",
        "timestamp": now // SECOND_MS,
    }
