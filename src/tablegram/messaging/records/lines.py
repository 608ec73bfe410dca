"""A line as the API shows it. The same structs draw the OpenAPI document and are sent."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.values.clock import MomentText


class PairingView(Struct, kw_only=True, frozen=True):
    """What a phone scans, or what is typed on it."""

    code: Annotated[str, Meta(description="The text of the QR code, or the code to type.")]
    expires_at: MomentText


class InstanceView(Struct, kw_only=True, frozen=True):
    """A line. Its secrets never come back."""

    id: int
    kind: Annotated[str, Meta(description="cloud, linked or sandbox.")]
    name: str
    state: str
    reason: Annotated[str, Meta(description="Why the line is in its state; empty when there is nothing to say.")]
    is_default: bool
    pace_per_s: Annotated[float | None, Meta(description="Messages per second; null is the usual figure of its kind.")]
    created_at: MomentText
    state_until: Annotated[
        MomentText | None,
        Meta(description="When the present state ends without anybody's doing, where the network tells it."),
    ] = None
    # What does not belong to its kind, or is not so right now, is left out.
    paused_until: (
        Annotated[
            MomentText | None,
            Meta(description="Until when the line sends nothing, by its own limits; pause_reason says why."),
        ]
        | UnsetType
    ) = UNSET
    pause_reason: Annotated[str, Meta(description="Why the line pauses; empty while it does not.")] | UnsetType = UNSET
    phone: (
        Annotated[
            str | None,
            Meta(
                description="Cloud lines and linked devices: the number that people dial, in digits; null until the network "
                "has told it."
            ),
        ]
        | UnsetType
    ) = UNSET
    engine: (
        Annotated[
            str | None, Meta(description="Linked devices only: the program that was chosen for the line; null is any.")
        ]
        | UnsetType
    ) = UNSET
    daily_cap: (
        Annotated[int | None, Meta(description="Linked devices only: messages in 24 hours; null is the usual figure.")]
        | UnsetType
    ) = UNSET
    warm_up: (
        Annotated[
            bool | None, Meta(description="Linked devices only: a newly linked phone begins with few new people a day.")
        ]
        | UnsetType
    ) = UNSET
    check_numbers: (
        Annotated[
            bool | None, Meta(description="Linked devices only: a number is looked up before it is first written to.")
        ]
        | UnsetType
    ) = UNSET
    typing: (
        Annotated[bool | None, Meta(description="Linked devices only: people see that a text is being typed.")]
        | UnsetType
    ) = UNSET
    groups: Annotated[bool | None, Meta(description="Linked devices only: messages of groups come in.")] | UnsetType = (
        UNSET
    )
    phone_number_id: (
        Annotated[str | None, Meta(description="Cloud lines only: the network's id of the number.")] | UnsetType
    ) = UNSET
    waba_id: Annotated[str | None, Meta(description="Cloud lines only.")] | UnsetType = UNSET
    callback_url: (
        Annotated[
            str | None,
            Meta(
                description="Cloud lines only: the address to give to the network for its callbacks. An app has one: that "
                "of any of its lines serves all lines of the account with the same app_secret."
            ),
        ]
        | UnsetType
    ) = UNSET
    handshake_at: (
        Annotated[
            MomentText | None,
            Meta(description="Cloud lines only: when the network last verified the callback address."),
        ]
        | UnsetType
    ) = UNSET
    heard_at: (
        Annotated[
            MomentText | None,
            Meta(description="Cloud lines only: when the first callback with a good signature came."),
        ]
        | UnsetType
    ) = UNSET


class LineStateView(Struct, kw_only=True, frozen=True):
    """A state that a line came to be in."""

    state: str
    reason: str
    at: MomentText


class LineStatePage(Struct, kw_only=True, frozen=True):
    """States of a line, newest first."""

    data: list[LineStateView]
    next_cursor: str | None


class InstancePage(Struct, kw_only=True, frozen=True):
    """The account's lines."""

    data: list[InstanceView]
    next_cursor: str | None
