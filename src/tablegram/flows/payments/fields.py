"""What may be given about links, refunds and providers. What is not named is not there."""

from __future__ import annotations

from typing import Required, TypedDict

from tablegram.payments.ports import Mode


class LinkFields(TypedDict, total=False):
    """The amount is a decimal number of the currency."""

    amount: Required[float]
    currency: Required[str]
    description: Required[str]
    phone: str | None
    contact_id: str | None
    language: str | None
    expires_in_s: int | None
    provider_id: str | None


class RefundFields(TypedDict, total=False):
    amount: float | None
    lines: list[str]
    reason: str


class ProviderFields(TypedDict, total=False):
    provider: str
    keys: dict[str, str]
    mode: Mode | None
    is_default: bool
