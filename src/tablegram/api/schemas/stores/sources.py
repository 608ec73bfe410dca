"""Bodies of the calls about shops and forms that are connected."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import MAX_INTEGER, Phone, line, optional_block, optional_line
from tablegram.flows.stores.answers import Platform
from tablegram.stores.kinds import MAX_FACTS, MAX_PATH
from tablegram.stores.sources import MAX_SECRET
from tablegram.values.money import EXPONENTS

_Name = Annotated[str, line(100, "What people call it.", "Online shop")]
_Secret = Annotated[
    str,
    optional_block(
        MAX_SECRET, "As the platform shows it; several, one a line, where it has several. Kept sealed.", "shpss_…"
    ),
]
_Country = Annotated[
    str,
    Meta(pattern="^([A-Z]{2})?$", description="What national numbers are read with. Empty: none.", examples=["TR"]),
]
_Currency = Annotated[
    str,
    Meta(
        pattern="^([A-Z]{3})?$",
        description="What amounts without a currency are in. Empty: none.",
        examples=["TRY"],
        extra_json_schema={"enum": ["", *sorted(EXPONENTS)]},
    ),
]
_Mapping = Annotated[
    dict[
        Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,39}$")],
        Annotated[
            str,
            optional_line(
                MAX_PATH,
                "Where it lies: names and numbers with points; behind a `=`, what it always is.",
                "order.customer.phone",
            ),
        ],
    ],
    Meta(max_length=MAX_FACTS, description="Of generic sources and forms: where facts lie, by fact."),
]
_Line = Annotated[int, Meta(ge=1, le=MAX_INTEGER, description="A line of the account.")]


_Venue = Annotated[str, line(64, "A venue of the account, that cooks its orders: of GloriaFood alone.", "ven_1")]


class CreateStoreSource(Struct, kw_only=True, forbid_unknown_fields=True):
    """A shop or a form."""

    platform: Platform
    name: _Name
    secret: Annotated[
        _Secret | None, Meta(description="Null or absent: we make one where the platform takes ours.")
    ] = None
    country: _Country = ""
    currency: _Currency = ""
    mapping: _Mapping | None = None
    instance_id: Annotated[_Line | None, Meta(description="Null or absent: the account's usual line.")] = None
    venue_id: Annotated[
        _Venue | None, Meta(description="Null or absent: the venue that is called as the restaurant is there.")
    ] = None


class UpdateStoreSource(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; what is not named stays as it is."""

    name: _Name | UnsetType = UNSET
    secret: _Secret | UnsetType = UNSET
    country: _Country | UnsetType = UNSET
    currency: _Currency | UnsetType = UNSET
    mapping: _Mapping | UnsetType = UNSET
    instance_id: _Line | UnsetType | None = UNSET
    venue_id: _Venue | UnsetType | None = UNSET
    active: Annotated[bool, Meta(description="false pauses it.")] | UnsetType = UNSET


class TestStoreSource(Struct, kw_only=True, forbid_unknown_fields=True):
    """Whom the sample is about."""

    phone: Annotated[Phone, Meta(description="Your own number: what is sent because of the sample goes there.")]
