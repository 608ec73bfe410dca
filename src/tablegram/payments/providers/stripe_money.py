"""Amounts as Stripe counts them: minor units, but of some currencies not those of ISO 4217."""

from __future__ import annotations

from tablegram.payments.ports import ProviderRefused
from tablegram.values.money import exponent, is_currency

# Decimals by Stripe's own counting where it differs: two that lost theirs are still written with them, one is not.
_DECIMALS = {"ISK": 2, "UGX": 2, "MGA": 0}
_TEN = (1, 10, 100, 1_000)


def to_stripe(amount: int, currency: str) -> int:
    """Raises `ProviderRefused` for what cannot be paid there to the last unit; it is never rounded."""
    if not is_currency(currency):
        raise ProviderRefused("currency_unsupported", f"{currency} is not a currency.")
    theirs, ours = _DECIMALS.get(currency, exponent(currency)), exponent(currency)
    units, rest = divmod(amount * _TEN[theirs], _TEN[ours])
    if rest or (exponent(currency) == 3 and units % 10):
        raise ProviderRefused(
            "amount_unsupported", f"Stripe does not take so small a part of {currency}. Round the amount."
        )
    return units


def from_stripe(units: int, currency: str) -> int:
    """Raises `ValueError` for what is no currency, or no whole unit of it."""
    theirs, ours = _DECIMALS.get(currency, exponent(currency)), exponent(currency)
    amount, rest = divmod(units * _TEN[ours], _TEN[theirs])
    if rest:
        raise ValueError(f"{units} is no whole amount of {currency}")
    return amount
