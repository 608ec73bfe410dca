"""What is answered about payment links and providers: the structs that flows make, pages show, and the API encodes."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.payments.model import Attention, RefundState, State, SubjectKind
from tablegram.payments.ports import Mode
from tablegram.values.clock import MomentText

ProviderName = Literal["stripe", "iyzico", "generic", "sandbox"]


class RefundView(Struct, kw_only=True, frozen=True):
    """Money that went back, or is to."""

    id: str
    link_id: str
    amount: float
    currency: str
    reason: str
    state: Annotated[RefundState, Meta(description="asked: the provider has not answered yet.")]
    failure: Annotated[str, Meta(description="Why the provider refused, by a stable code; else empty.")]
    lines: Annotated[list[str], Meta(description="Lines of the order that it is for, where somebody chose them.")]
    created_at: MomentText
    ended_at: MomentText | None


class LinkView(Struct, kw_only=True, frozen=True):
    """A payment link."""

    id: str
    url: Annotated[str, Meta(description="Where to pay; empty while the provider is making it.")]
    state: Annotated[
        State,
        Meta(
            description="making: the provider has not made it yet. open: it can be paid. failed: the provider refused."
        ),
    ]
    amount: float
    currency: str
    description: str
    mode: Mode
    provider: ProviderName
    provider_id: str
    phone: str
    contact_id: str | None
    subject_kind: Annotated[SubjectKind, Meta(description="What it is for: an order, a tab, or empty.")]
    subject_id: str
    paid_amount: Annotated[float, Meta(description="What came in, in `paid_currency`.")]
    paid_currency: str
    paid_at: MomentText | None
    refunded_amount: float
    failure: Annotated[str, Meta(description="Why the last try failed, by a stable code; else empty.")]
    attention: Annotated[
        Attention,
        Meta(
            description="What a person has to decide: money came after the end, in another amount or currency, or could "
            "not be given back. Empty: nothing."
        ),
    ]
    settled_at: Annotated[MomentText | None, Meta(description="When somebody decided.")]
    expires_at: MomentText
    created_at: MomentText
    updated_at: MomentText
    refunds: list[RefundView]


class LinkPage(Struct, kw_only=True, frozen=True):
    """Links, newest first."""

    data: list[LinkView]
    next_cursor: str | None


class ProviderKeyView(Struct, kw_only=True, frozen=True):
    """One key of a provider. Secret ones are never shown."""

    name: str
    is_secret: bool
    is_set: bool
    value: Annotated[str, Meta(description="Of what is no secret; else empty.")]


class ProviderView(Struct, kw_only=True, frozen=True):
    """A payment provider that the account has connected."""

    id: str
    provider: ProviderName
    mode: Mode
    is_default: Annotated[bool, Meta(description="Links go there when nobody says otherwise.")]
    hook_url: Annotated[str, Meta(description="Enter it at the provider: there it tells of payments.")]
    keys: list[ProviderKeyView]
    checked_at: Annotated[MomentText | None, Meta(description="When its keys were last seen to work.")]
    heard_at: Annotated[MomentText | None, Meta(description="When it last told of something.")]
    created_at: MomentText
    updated_at: MomentText


class ProviderPage(Struct, kw_only=True, frozen=True):
    """The account's payment providers, oldest first."""

    data: list[ProviderView]


class ProviderCheck(Struct, kw_only=True, frozen=True):
    """Whether the provider lets us in."""

    ok: bool
    code: Annotated[str, Meta(description="Empty when it does; else why not, by a stable code.")]
    detail: str
