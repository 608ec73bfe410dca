"""Bodies of the calls that manage lines and keys."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.accounts.scopes import Grantable
from tablegram.api.schemas.fields import line, moment, token

_Name = Annotated[str, line(80, "What people call the line.", "Front desk")]
_Pace = Annotated[float, Meta(ge=0, le=1_000, description="Messages per second; 0 is no limit.")]
_NumberId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern="^[0-9]+$",
        description="The network's identifier of the phone number.",
        examples=["106540352242922"],
    ),
]
_Secret = Annotated[str, token(4_096, "A secret of the line; sealed at rest, never shown again.")]
_AccountId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern="^[0-9]+$",
        description="The network's identifier of the business account; needed for templates.",
    ),
]


_Cap = Annotated[int, Meta(ge=0, le=100_000, description="Messages in 24 hours; 0 is no limit.")]


class CreateSandbox(Struct, kw_only=True, forbid_unknown_fields=True, tag="sandbox", tag_field="kind"):
    """A line on the sandbox network."""

    name: Annotated[_Name | None, Meta(description="What people call the line.")] = None
    pace_per_s: Annotated[
        _Pace | None, Meta(description="Messages per second; 0 is no limit, absent the usual figure.")
    ] = None


class CreateCloud(Struct, kw_only=True, forbid_unknown_fields=True, tag="cloud", tag_field="kind"):
    """A line on the Cloud API."""

    phone_number_id: _NumberId
    access_token: _Secret
    app_secret: _Secret
    verify_token: _Secret
    waba_id: Annotated[_AccountId | None, Meta(description="The network's identifier of the business account.")] = None
    name: Annotated[_Name | None, Meta(description="What people call the line.")] = None
    pace_per_s: Annotated[
        _Pace | None, Meta(description="Messages per second; 0 is no limit, absent the usual figure.")
    ] = None


class CreateLinked(Struct, kw_only=True, forbid_unknown_fields=True, tag="linked", tag_field="kind"):
    """A phone's own number. Pair it with `GET /instances/{id}/qr` or `POST /instances/{id}/pair-code`."""

    name: Annotated[_Name | None, Meta(description="What people call the line.")] = None
    pace_per_s: Annotated[
        _Pace | None, Meta(description="Messages per second; 0 is no limit, absent the usual figure.")
    ] = None
    engine: Annotated[
        Literal["sandbox"] | None,
        Meta(description="The program that runs the line. Absent: whichever this installation has."),
    ] = None
    daily_cap: Annotated[
        _Cap | None, Meta(description="Messages in 24 hours; 0 is no limit, absent the usual figure.")
    ] = None
    warm_up: Annotated[
        bool | None,
        Meta(description="Whether a newly linked phone begins with few new people a day. Absent: it does."),
    ] = None
    check_numbers: Annotated[
        bool | None,
        Meta(description="Whether a number is looked up on the network before it is first written to. Absent: it is."),
    ] = None
    typing: Annotated[
        bool | None, Meta(description="Whether people see that a text is being typed before it comes. Absent: not.")
    ] = None
    groups: Annotated[bool | None, Meta(description="Whether messages of groups come in. Absent: they do not.")] = None


CreateInstance = CreateSandbox | CreateCloud | CreateLinked


class UpdateInstance(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are."""

    name: _Name | UnsetType = UNSET
    pace_per_s: Annotated[_Pace | None, Meta(description="Null goes back to the usual figure.")] | UnsetType = UNSET
    access_token: _Secret | UnsetType = UNSET
    app_secret: _Secret | UnsetType = UNSET
    verify_token: _Secret | UnsetType = UNSET
    waba_id: _AccountId | UnsetType = UNSET
    daily_cap: (
        Annotated[_Cap | None, Meta(description="Linked devices only. Null goes back to the usual figure.")] | UnsetType
    ) = UNSET
    warm_up: Annotated[bool, Meta(description="Linked devices only: begin with few new people a day.")] | UnsetType = (
        UNSET
    )
    check_numbers: (
        Annotated[bool, Meta(description="Linked devices only: look a number up before it is first written to.")]
        | UnsetType
    ) = UNSET
    typing: Annotated[bool, Meta(description="Linked devices only: show that a text is being typed.")] | UnsetType = (
        UNSET
    )
    groups: Annotated[bool, Meta(description="Linked devices only: take messages of groups.")] | UnsetType = UNSET


class CreateKey(Struct, kw_only=True, forbid_unknown_fields=True):
    """A new key. It can never do more than the key that makes it."""

    scopes: Annotated[
        list[Grantable], Meta(min_length=1, max_length=20, description="What the key may do; * is everything.")
    ]
    name: Annotated[Annotated[str, line(80, "Name.")] | None, Meta(description="What the key is for.")] = None
    mode: Annotated[
        Literal["live", "test"] | None,
        Meta(description="A test key reaches only sandbox lines. Absent: the caller's own mode."),
    ] = None
    expires_at: Annotated[
        Annotated[str, moment("RFC 3339 with an offset.")] | None, Meta(description="When the key ends. Absent: never.")
    ] = None


class PairCode(Struct, kw_only=True, forbid_unknown_fields=True):
    """The phone that a linked device is paired with."""

    phone: Annotated[
        str,
        Meta(
            pattern="^[1-9][0-9]{6,14}$",
            description="Number with its country code, digits only.",
            examples=["905551112233"],
            extra_json_schema={"format": "phone"},
            extra={"rule": "phone"},
        ),
    ]
