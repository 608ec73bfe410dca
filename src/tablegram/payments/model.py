"""Links, refunds and accesses to providers, as they are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from tablegram.payments.ports import LinkItem, Mode
from tablegram.storage.database import Params

if TYPE_CHECKING:
    from tablegram.payments.rows import AccessRow, LinkRow, RefundRow

State = Literal["making", "open", "paid", "expired", "cancelled", "failed"]
# Nobody has paid yet, and somebody still may.
ALIVE: tuple[State, ...] = ("making", "open")
STATES: tuple[State, ...] = ("making", "open", "paid", "expired", "cancelled", "failed")
SubjectKind = Literal["", "order", "tab"]
# What people have to decide about a link.
#   paid_after_end     money came for a link that had ended: accept it, or give it back
#   amount_differs     another amount came in than was asked for: accept it, or give it back
#   currency_differs   another currency came in: give it back, or settle it by hand
#   refund_failed      the provider refused to give money back: try again, or settle it by hand
Attention = Literal["", "paid_after_end", "amount_differs", "currency_differs", "refund_failed"]
RefundState = Literal["asked", "succeeded", "failed"]


class WishedLink(msgspec.Struct, frozen=True, kw_only=True):
    """A link that somebody wishes for. Amounts are minor units; the items, where there are any, sum up to the amount."""

    account_id: int
    amount: int
    # Of the amount: what is beside what is owed.
    tip: int = 0
    currency: str
    description: str
    items: tuple[LinkItem, ...] = ()
    language: str = "en"
    subject_kind: SubjectKind = ""
    subject_key: str = ""
    subject_note: str = ""
    venue_id: str | None = None
    contact_id: str | None = None
    phone: str = ""
    # In ms; the provider may have its own bounds.
    lives_ms: int = 30 * 60_000
    # Nothing for the account's usual one.
    provider_id: str | None = None
    # Test money alone: the caller plays.
    is_test: bool = False
    made_by: str = ""


class Link(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    id: str
    provider_id: str
    mode: Mode
    amount: int
    tip: int = 0
    currency: str
    description: str
    items: tuple[LinkItem, ...] = ()
    language: str = "en"
    subject_kind: SubjectKind = ""
    subject_key: str = ""
    subject_note: str = ""
    venue_id: str | None = None
    contact_id: str | None = None
    phone: str = ""
    state: State = "making"
    reference: str | None = None
    payment_reference: str = ""
    url: str = ""
    expires_at: int
    ask_at: int | None = None
    asked: int = 0
    # What came in, in its own currency, and what of it went back.
    received: int = 0
    received_currency: str = ""
    refunded: int = 0
    paid_at: int | None = None
    failure: str = ""
    attention: Attention = ""
    attention_at: int | None = None
    settled_by: str = ""
    settled_at: int | None = None
    made_by: str = ""
    created_at: int
    updated_at: int
    ended_at: int | None = None

    @property
    def owed(self) -> int:
        """What it asks for of its subject, without the tip."""
        return self.amount - self.tip

    @property
    def tip_received(self) -> int:
        """Of what came in; where less came than was asked for, what is owed goes before the tip."""
        return min(self.tip, max(0, self.received - self.owed))

    @property
    def is_alive(self) -> bool:
        return self.state in ALIVE

    @property
    def waits_for_decision(self) -> bool:
        return bool(self.attention) and self.settled_at is None


class Refund(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    id: str
    link_id: str
    amount: int
    currency: str
    # Which lines of the order, by their own ids, where somebody chose them.
    lines: tuple[str, ...] = ()
    reason: str = ""
    made_by: str = ""
    state: RefundState = "asked"
    reference: str = ""
    failure: str = ""
    due_at: int | None = None
    attempts: int = 0
    created_at: int
    ended_at: int | None = None


class ProviderRow(msgspec.Struct, frozen=True, kw_only=True):
    """An access to a provider as it is kept: its keys are sealed."""

    account_id: int
    id: str
    provider: str
    mode: Mode
    hook_hash: str
    hook_sealed: str
    keys_sealed: str
    is_default: bool = False
    checked_at: int | None = None
    heard_at: int | None = None
    created_at: int
    updated_at: int
    removed_at: int | None = None


_encode = msgspec.json.Encoder().encode
_items = msgspec.json.Decoder(tuple[LinkItem, ...]).decode
_names = msgspec.json.Decoder(tuple[str, ...]).decode


def read_link(row: LinkRow) -> Link:
    return Link(
        account_id=row["account_id"],
        id=row["id"],
        provider_id=row["provider_id"],
        mode=row["mode"],
        amount=row["amount"],
        tip=row["tip"],
        currency=row["currency"],
        description=row["description"],
        items=_items(row["items"]),
        language=row["language"],
        subject_kind=row["subject_kind"],
        subject_key=row["subject_key"],
        subject_note=row["subject_note"],
        venue_id=row["venue_id"],
        contact_id=row["contact_id"],
        phone=row["phone"],
        state=row["state"],
        reference=row["reference"],
        payment_reference=row["payment_reference"],
        url=row["url"],
        expires_at=row["expires_at"],
        ask_at=row["ask_at"],
        asked=row["asked"],
        received=row["received"],
        received_currency=row["received_currency"],
        refunded=row["refunded"],
        paid_at=row["paid_at"],
        failure=row["failure"],
        attention=row["attention"],
        attention_at=row["attention_at"],
        settled_by=row["settled_by"],
        settled_at=row["settled_at"],
        made_by=row["made_by"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        ended_at=row["ended_at"],
    )


def write_link(link: Link) -> Params:
    return {**_plain(link), "items": _encode(link.items).decode()}


def read_refund(row: RefundRow) -> Refund:
    return Refund(
        account_id=row["account_id"],
        id=row["id"],
        link_id=row["link_id"],
        amount=row["amount"],
        currency=row["currency"],
        lines=_names(row["lines"]),
        reason=row["reason"],
        made_by=row["made_by"],
        state=row["state"],
        reference=row["reference"],
        failure=row["failure"],
        due_at=row["due_at"],
        attempts=row["attempts"],
        created_at=row["created_at"],
        ended_at=row["ended_at"],
    )


def write_refund(refund: Refund) -> Params:
    return {**_plain(refund), "lines": _encode(refund.lines).decode()}


def read_provider(row: AccessRow) -> ProviderRow:
    return ProviderRow(
        account_id=row["account_id"],
        id=row["id"],
        provider=row["provider"],
        mode=row["mode"],
        hook_hash=row["hook_hash"],
        hook_sealed=row["hook_sealed"],
        keys_sealed=row["keys_sealed"],
        is_default=bool(row["is_default"]),
        checked_at=row["checked_at"],
        heard_at=row["heard_at"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        removed_at=row["removed_at"],
    )


def write_provider(kept: ProviderRow) -> Params:
    return {**_plain(kept), "is_default": int(kept.is_default)}


def _plain(struct: msgspec.Struct) -> dict[str, Any]:
    return {name: getattr(struct, name) for name in struct.__struct_fields__}
