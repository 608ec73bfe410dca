"""What programs are told of payments, field by field."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from tablegram.payments.model import Attention, State, SubjectKind
from tablegram.payments.ports import Mode


class OfLine(TypedDict, total=False):
    """The line of the venue that a link is for, where there is one."""

    instance_id: int


class Besides(TypedDict, total=False):
    """What one outcome has that others have not: why nobody has paid, or what went back."""

    code: str
    refund_id: str
    refund_amount: float
    reason: str


class PaymentFacts(TypedDict):
    payment_id: str
    state: State
    amount: float
    currency: str
    description: str
    mode: Mode
    subject_kind: SubjectKind
    subject_id: str
    venue_id: str | None
    contact_id: str | None
    phone: str
    paid_amount: float
    paid_currency: str
    paid_at: str | None
    refunded_amount: float
    # Empty once somebody has decided.
    attention: Attention


class PaymentEvent(PaymentFacts):
    event: str
    instance_id: NotRequired[int]
    code: NotRequired[str]
    refund_id: NotRequired[str]
    refund_amount: NotRequired[float]
    reason: NotRequired[str]
    timestamp: int
