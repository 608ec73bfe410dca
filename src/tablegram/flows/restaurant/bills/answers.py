"""What is answered about bills. Amounts are decimal numbers of the bill's currency."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.restaurant.bills.model import Kind, Method
from tablegram.restaurant.orders.states import PaidBy, PaymentState, State
from tablegram.values.clock import MomentText


class BillLine(Struct, kw_only=True, frozen=True):
    """A dish of an order."""

    line: Annotated[int, Meta(description="Its place in the order, from 0.")]
    name: str
    options: list[str]
    quantity: int
    unit_price: float
    amount: float
    discount: Annotated[float, Meta(description="What was let off of this dish alone.")]
    paid_quantity: Annotated[int, Meta(description="How many were paid as dishes.")]


class BillOrder(Struct, kw_only=True, frozen=True):
    """An order of the table."""

    order_id: str
    status: State
    payment_status: PaymentState
    guest: Annotated[str, Meta(description="The guest's name; empty where it is not known.")]
    phone: str
    items: list[BillLine]
    charges: float
    discounts: float
    total: float
    paid: float
    open: float


class BillPayment(Struct, kw_only=True, frozen=True):
    """Money that was taken, or given back."""

    id: str
    kind: Kind
    of: Annotated[str | None, Meta(description="The payment that a refund gives back.")]
    method: Method
    amount: float
    tip: float
    given: Annotated[float | None, Meta(description="Cash that was handed over.")]
    change: Annotated[float, Meta(description="What goes back to who paid in cash.")]
    parts: Annotated[int | None, Meta(description="Among so many what was open was shared.")]
    by: str
    reason: str
    at: MomentText
    is_given_back: bool
    went_back: Annotated[
        float,
        Meta(description="Of a payment: what has gone back of it so far, with its tip. Giving it back gives the rest."),
    ] = 0


class BillOwnPayment(Struct, kw_only=True, frozen=True):
    """Money that came for one order without its bill, or went back on the order's own page."""

    order_id: str
    kind: Kind
    method: PaidBy
    amount: float
    by: str
    at: MomentText


class BillDiscount(Struct, kw_only=True, frozen=True):
    """Something that was let off."""

    id: str
    order_id: Annotated[str | None, Meta(description="Of one dish: its order.")]
    line: Annotated[int | None, Meta(description="Of one dish: its place in the order.")]
    percent: float | None
    amount: float
    reason: str
    by: str
    at: MomentText
    is_removed: bool


class BillTax(Struct, kw_only=True, frozen=True):
    """Value added tax that the total includes, at one rate: `net + tax` is `gross`."""

    percent: float
    gross: float
    net: float
    tax: float


class BillLink(Struct, kw_only=True, frozen=True):
    """A payment link for a bill, or for a part of it. Together they never ask for more than is open."""

    id: Annotated[str, Meta(description="By this it is also found, cancelled and refunded among payment links.")]
    state: Annotated[
        Literal["making", "open", "paid", "expired", "cancelled", "failed"],
        Meta(description="`making`: the provider has not answered yet."),
    ]
    amount: Annotated[float, Meta(description="With the tip.")]
    tip: Annotated[float, Meta(description="What the guest chose to give beside the bill.")]
    currency: str
    url: Annotated[str, Meta(description="Where it is paid, while it is open.")]
    phone: Annotated[str, Meta(description="Where it was sent; empty where it was not.")]
    by: str
    expires_at: MomentText
    created_at: MomentText
    needs_decision: Annotated[bool, Meta(description="Money came for it that the bill did not need.")]


class TabView(Struct, kw_only=True, frozen=True):
    """The guests of a table at one time, and what they owe. `paid + open + unpaid` is `total`."""

    id: str
    venue_id: str
    table_id: str
    table_number: str
    state: Literal["open", "closed"]
    opened_at: MomentText
    closed_at: MomentText | None
    closed_by: str
    close_reason: Annotated[str, Meta(description="Why it was closed with something unpaid; else empty.")]
    currency: str
    total: float
    paid: float
    open: float
    unpaid: Annotated[float, Meta(description="What nobody will pay any more.")]


class BillView(TabView, kw_only=True, frozen=True):
    """A table's bill, with everything on it."""

    subtotal: float
    charges: float
    discounts_total: float
    vat: Annotated[
        list[BillTax],
        Meta(
            description="By rate. Charges and discounts belong to the dishes in proportion; what has no rate is left out."
        ),
    ]
    tips: float
    to_give_back: Annotated[float, Meta(description="Money that came for orders which were called off.")]
    orders: list[BillOrder]
    waiting: Annotated[list[str], Meta(description="Orders that nobody has accepted, or that wait for their payment.")]
    payments: list[BillPayment]
    discounts: list[BillDiscount]
    payment_links: Annotated[
        list[BillLink], Meta(description="Links that can be paid, or that somebody has to decide about.")
    ]
    went_back: Annotated[float, Meta(description="What has gone back of what was paid.")] = 0
    own_payments: Annotated[
        list[BillOwnPayment],
        Meta(description="Of single orders: what came by their own links, or went back without the bill."),
    ] = []


class TabPage(Struct, kw_only=True, frozen=True):
    """Tabs, newest first."""

    data: list[TabView]
    next_cursor: str | None


class TakenPayment(Struct, kw_only=True, frozen=True):
    """The money that moved, and the bill after it."""

    payment: BillPayment
    bill: BillView
    gift_left: Annotated[float | None, Meta(description="What is left on the gift card that paid; else null.")] = None


class GivenDiscount(Struct, kw_only=True, frozen=True):
    """What was let off, and the bill after it."""

    discount: BillDiscount
    bill: BillView


class ClosedTab(Struct, kw_only=True, frozen=True):
    """What became of a table's orders."""

    closed: Annotated[bool, Meta(description="Whether the table had an open tab.")]
    completed: Annotated[list[str], Meta(description="Served and paid orders, now completed.")]
    still_running: Annotated[
        list[str], Meta(description="Orders that are paid, and that the kitchen or a waiter still has.")
    ]
    written_off: Annotated[list[str], Meta(description="Served orders that nobody paid.")] = []
    cancelled: Annotated[list[str], Meta(description="Orders that were neither served nor paid.")] = []


class GivenReceipt(Struct, kw_only=True, frozen=True):
    """What became of a receipt."""

    by: Literal["message", "paper"]
    phone: Annotated[str, Meta(description="Where it was sent; empty on paper.")] = ""
    printers: Annotated[int, Meta(description="How many printers have it.")] = 0
