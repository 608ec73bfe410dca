"""A table's bill, reckoned from rows: the orders of a tab with the money that came for each.

`paid + open + lost` is always `total`. What was called off is no part of it; money that came for such an order, or twice,
is owed back to the guests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from tablegram.restaurant.bills.vat import Taxed, gross_by_rate, taxed
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.states import DEAD, PaidBy, State
from tablegram.restaurant.orders.totals import subtotal
from tablegram.storage.database import Params

if TYPE_CHECKING:
    from tablegram.restaurant.bills.rows import DiscountRow, TabPaymentRow, TabRow

Method = Literal["cash", "card", "online", "gift"]
Kind = Literal["payment", "refund"]
# What the payments of orders call it.
METHODS: dict[Method, PaidBy] = {"cash": "cash", "card": "pos_at_table", "online": "online_card", "gift": "gift_card"}
# They are on nobody's bill yet: somebody has to nod, or the money comes before the kitchen.
WAITING: frozenset[State] = frozenset({"awaiting_confirmation", "awaiting_payment"})


class Tab(msgspec.Struct, frozen=True, kw_only=True):
    """The guests of one table at one time."""

    account_id: int
    id: str
    venue_id: str
    table_id: str
    state: Literal["open", "closed"]
    opened_at: int
    last_at: int
    closed_at: int | None = None
    closed_by: str | None = None
    close_reason: str | None = None


class LineShare(msgspec.Struct, frozen=True):
    """So many of one dish: the order's key, and the place of the line in it."""

    order_key: str
    line: int
    quantity: int


class TabPayment(msgspec.Struct, frozen=True, kw_only=True):
    """Money taken against a bill, or a payment given back. Amounts are positive; tips are beside the bill."""

    account_id: int
    id: str
    venue_id: str
    tab_id: str
    kind: Kind
    of: str | None = None
    method: Method
    amount: int
    tip: int = 0
    given: int | None = None
    currency: str
    lines: tuple[LineShare, ...] = ()
    parts: int | None = None
    by: str
    reason: str = ""
    created_at: int
    # Of money that came by a payment link: the link, or the refund of one.
    reference: str | None = None

    @property
    def change(self) -> int:
        """What goes back to who paid in cash."""
        return 0 if self.given is None else self.given - self.amount - self.tip


class OwnPayment(msgspec.Struct, frozen=True, kw_only=True):
    """Money that came for one order without its bill, or went back on the order's own page."""

    order_id: str
    kind: Kind
    method: PaidBy
    amount: int
    by: str
    created_at: int


class Discount(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was let off, by whom and why."""

    account_id: int
    id: str
    venue_id: str
    tab_id: str
    order_key: str | None = None
    line: int | None = None
    percent: int | None = None
    amount: int
    reason: str
    by: str
    created_at: int
    removed_at: int | None = None
    removed_by: str = ""


class BillEntry(msgspec.Struct, frozen=True):
    """An order on a bill, the money that came for it, and what of that went back."""

    order: Order
    came: int = 0
    went: int = 0

    @property
    def counts(self) -> bool:
        return self.order.state not in DEAD and self.order.state not in WAITING

    @property
    def is_over(self) -> bool:
        return self.order.state == "completed" or self.order.payment_state == "refunded"

    @property
    def paid(self) -> int:
        return min(self.came, self.order.total) if self.counts else 0

    @property
    def owed_back(self) -> int:
        """Money that came for what was called off, or twice."""
        return max(0, self.came - self.went - self.paid)

    @property
    def open(self) -> int:
        return 0 if not self.counts or self.is_over else max(0, self.order.total - self.came)

    @property
    def lost(self) -> int:
        """What nobody will pay any more."""
        return max(0, self.order.total - self.came) if self.counts and self.is_over else 0


class Bill(msgspec.Struct, frozen=True):
    tab: Tab
    entries: tuple[BillEntry, ...]
    payments: tuple[TabPayment, ...] = ()
    discounts: tuple[Discount, ...] = ()
    own: tuple[OwnPayment, ...] = ()
    # By payment: what went back of it otherwise than by giving it back here.
    gone: dict[str, int] = {}

    @property
    def counted(self) -> tuple[BillEntry, ...]:
        return tuple(one for one in self.entries if one.counts)

    @property
    def waiting(self) -> tuple[BillEntry, ...]:
        return tuple(one for one in self.entries if one.order.state in WAITING)

    @property
    def subtotal(self) -> int:
        return sum(subtotal(one.order.lines) for one in self.counted)

    @property
    def charges(self) -> int:
        return sum(extra.amount for one in self.counted for extra in one.order.charges)

    @property
    def let_off(self) -> int:
        return sum(extra.amount for one in self.counted for extra in one.order.discounts)

    @property
    def total(self) -> int:
        return sum(one.order.total for one in self.counted)

    @property
    def vat(self) -> list[Taxed]:
        """The tax that the total includes, by rate."""
        return taxed(gross_by_rate(one.order.lines, one.order.total, one.order.discounts) for one in self.counted)

    @property
    def paid(self) -> int:
        return sum(one.paid for one in self.counted)

    @property
    def open(self) -> int:
        return sum(one.open for one in self.counted)

    @property
    def lost(self) -> int:
        return sum(one.lost for one in self.counted)

    @property
    def owed_back(self) -> int:
        return sum(one.owed_back for one in self.entries)

    @property
    def tips(self) -> int:
        return sum(one.tip if one.kind == "payment" else -one.tip for one in self.payments)

    @property
    def given_back(self) -> frozenset[str]:
        """The payments that were given back."""
        return frozenset(one.of for one in self.payments if one.of is not None)

    @property
    def went(self) -> int:
        """What has gone back of the money for what is on the bill."""
        return sum(one.went for one in self.counted)

    @property
    def went_back(self) -> dict[str, int]:
        """What has gone back of each payment, with its tip."""
        # A part that goes back by a link names no payment; tips go back last.
        tips = sum(one.tip for one in self.payments if one.kind == "refund" and one.of is None)
        found: dict[str, int] = {}
        for one in self.payments:
            if one.kind == "refund":
                continue
            back = min(one.amount, self.gone.get(one.id, 0))
            if one.id in self.given_back:
                back = one.amount + one.tip
            elif one.method == "online" and back == one.amount:
                back += (tip := min(one.tip, tips))
                tips -= tip
            found[one.id] = back
        return found

    @property
    def covered(self) -> dict[tuple[str, int], int]:
        """How many of each line were paid as dishes."""
        found: dict[tuple[str, int], int] = {}
        for payment in self.payments:
            if payment.kind == "payment" and payment.id not in self.given_back:
                for share in payment.lines:
                    key = share.order_key, share.line
                    found[key] = found.get(key, 0) + share.quantity
        return found


_encode = msgspec.json.Encoder().encode
_shares = msgspec.json.Decoder(tuple[LineShare, ...]).decode


def payment_row(payment: TabPayment) -> Params:
    return {**msgspec.structs.asdict(payment), "lines": _encode(payment.lines).decode()}


def read_payment(row: TabPaymentRow) -> TabPayment:
    return TabPayment(
        account_id=row["account_id"],
        id=row["id"],
        venue_id=row["venue_id"],
        tab_id=row["tab_id"],
        kind=row["kind"],
        of=row["of"],
        method=row["method"],
        amount=row["amount"],
        tip=row["tip"],
        given=row["given"],
        currency=row["currency"],
        lines=_shares(row["lines"]),
        parts=row["parts"],
        by=row["by"],
        reason=row["reason"],
        created_at=row["created_at"],
        reference=row["reference"],
    )


def read_discount(row: DiscountRow) -> Discount:
    return Discount(**row)


def read_tab(row: TabRow) -> Tab:
    return Tab(**row)
