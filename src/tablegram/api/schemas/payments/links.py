"""Bodies of the calls about payment links and providers."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import Phone, line, optional_line
from tablegram.flows.payments.answers import ProviderName
from tablegram.payments.keeping import MAX_DESCRIPTION, MAX_LIFE_MS, MAX_REASON, MIN_LIFE_MS
from tablegram.payments.ports import Mode
from tablegram.values.clock import SECOND_MS
from tablegram.values.money import EXPONENTS

_Amount = Annotated[
    float,
    Meta(gt=0, le=1_000_000_000, description="In the currency, with as many decimals as it has.", examples=[450]),
]
_Currency = Annotated[
    str,
    Meta(
        pattern="^[A-Z]{3}$",
        description="Its code in ISO 4217.",
        examples=["TRY"],
        extra_json_schema={"enum": sorted(EXPONENTS)},
    ),
]
_Lives = Annotated[
    int,
    Meta(
        ge=MIN_LIFE_MS // SECOND_MS,
        le=MAX_LIFE_MS // SECOND_MS,
        description="Seconds until nobody can pay it any more. Null or absent: a day. A provider may allow less.",
        examples=[3600],
    ),
]
_Language = Annotated[str, Meta(pattern="^[a-z]{2}$", description="Of the pay page, two letters.", examples=["tr"])]
_Key = Annotated[str, optional_line(500, "As the provider shows it. Empty: take it away.", "sk_test_…")]
_Keys = Annotated[
    dict[Annotated[str, Meta(pattern="^[a-z_]{1,40}$")], _Key],
    Meta(max_length=10, description="By name: what the provider's own pages show. Kept sealed."),
]


class CreatePaymentLink(Struct, kw_only=True, forbid_unknown_fields=True):
    """What is to be paid, and by whom."""

    amount: _Amount
    currency: _Currency
    description: Annotated[str, line(MAX_DESCRIPTION, "What the payer reads.", "Table 12, dinner")]
    phone: Annotated[Phone | None, Meta(description="Who pays, where you know. Nothing is sent to it.")] = None
    contact_id: Annotated[
        Annotated[str, line(64, "A contact of the account.")] | None, Meta(description="Or which contact pays.")
    ] = None
    expires_in_s: _Lives | None = None
    language: _Language | None = None
    provider_id: Annotated[
        Annotated[str, line(64, "A payment provider of the account.")] | None,
        Meta(description="Null or absent: the account's usual one."),
    ] = None


class RefundPayment(Struct, kw_only=True, forbid_unknown_fields=True):
    """How much goes back."""

    amount: Annotated[_Amount | None, Meta(description="Null or absent: all that is left.")] = None
    reason: Annotated[str, optional_line(MAX_REASON, "For your own books.", "Dish was cold")] = ""


class CreatePaymentProvider(Struct, kw_only=True, forbid_unknown_fields=True):
    """A payment provider, with the keys that its own pages show."""

    provider: ProviderName
    keys: _Keys = {}
    mode: Annotated[Mode | None, Meta(description="Null or absent: as the keys tell. They must agree.")] = None
    is_default: Annotated[bool, Meta(description="Make it the account's usual one.")] = False


class UpdatePaymentProvider(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; keys that are not named stay as they are."""

    keys: _Keys | UnsetType = UNSET
    is_default: (
        Annotated[bool, Meta(description="true makes it the account's usual one; false changes nothing.")] | UnsetType
    ) = UNSET
