"""What loyalty holds of a person, as an export of their data shows it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tablegram.loyalty.rows import StampKind
from tablegram.values.clock import MomentText


class ContactStamps(Struct, kw_only=True, frozen=True):
    """Stamps of theirs that came or went."""

    card_id: str
    kind: StampKind
    stamps: Annotated[int, Meta(description="Negative where stamps went.")]
    short: Annotated[int, Meta(description="So many were to go and were not there any more; nobody owes them.")]
    order_id: Annotated[str, Meta(description="The order that they came from; else empty.")]
    created_at: MomentText


class ContactGiftCard(Struct, kw_only=True, frozen=True):
    """A gift card of theirs, without its code: a file that lies somewhere must not be spent."""

    code: Annotated[str, Meta(description="A hint of it.")]
    value: float
    balance: float
    currency: str
    from_name: str
    greeting: str
    expires_at: MomentText | None
    created_at: MomentText
