"""Bodies of the calls about automatic replies."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import block, line
from tablegram.flows.wire import DayOff, OpenDay

_Message = Annotated[str, block(4_096, "The reply, up to 4,096 characters.", "We are closed and answer tomorrow.")]
_Cooldown = Annotated[
    int, Meta(ge=10, le=31_536_000, description="Seconds until the same contact may get this reply again.")
]
_AfterDays = Annotated[int, Meta(ge=1, le=3_650, description="Greet again after so many days of silence.")]
_Keywords = Annotated[
    list[Annotated[str, line(100, "A word, or several.", "menü")]],
    Meta(min_length=1, max_length=100, description="Case, accents and the Turkish i's make no difference."),
]
_Match = Literal["whole", "word"]
_MATCH = "whole: the message is a keyword and nothing else. word: it holds one among its words."
_TimeZone = Annotated[str, line(64, "Name of the time zone in the IANA database.", "Europe/Istanbul")]


_Hours = Annotated[list[OpenDay], Meta(max_length=70, description="The week; days that are not named are closed.")]
_FollowsVenue = Annotated[
    bool,
    Meta(
        description="closed: whenever the venue on this line is closed, by its hours, days off and pauses as they are then; "
        "time_zone, hours and exceptions are left out."
    ),
]
_Exceptions = Annotated[list[DayOff], Meta(max_length=366, description="Days that differ from the week.")]


class CreateAutoReply(Struct, kw_only=True, forbid_unknown_fields=True):
    """A new automatic reply. Which further fields it needs depends on its kind."""

    kind: Annotated[
        Literal["greeting", "closed", "keyword"],
        Meta(
            description="greeting: to a first message. closed: outside opening hours; needs follows_venue, or time_zone and hours. "
            "keyword: to certain words; needs keywords."
        ),
    ]
    message: _Message
    enabled: Annotated[bool | None, Meta(description="Absent: true.")] = None
    cooldown_s: Annotated[
        _Cooldown | None,
        Meta(description="Seconds until the same contact may get it again. Absent: a day, 4 hours or 30 s by kind."),
    ] = None
    after_days: Annotated[_AfterDays | None, Meta(description="greeting: also after so many days of silence.")] = None
    keywords: Annotated[_Keywords | None, Meta(description="keyword: any of these.")] = None
    match: Annotated[_Match | None, Meta(description=f"keyword: {_MATCH} Absent: whole.")] = None
    follows_venue: _FollowsVenue | None = None
    time_zone: Annotated[_TimeZone | None, Meta(description="closed: time zone of the hours.")] = None
    hours: Annotated[_Hours | None, Meta(description="closed: when it is open.")] = None
    exceptions: Annotated[_Exceptions | None, Meta(description="closed: days that differ.")] = None


class UpdateAutoReply(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are, and so does the kind."""

    message: _Message | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET
    cooldown_s: _Cooldown | UnsetType = UNSET
    after_days: Annotated[_AfterDays | None, Meta(description="Null: only a first message is greeted.")] | UnsetType = (
        UNSET
    )
    keywords: _Keywords | UnsetType = UNSET
    match: Annotated[_Match, Meta(description=_MATCH)] | UnsetType = UNSET
    follows_venue: _FollowsVenue | UnsetType = UNSET
    time_zone: _TimeZone | UnsetType = UNSET
    hours: _Hours | UnsetType = UNSET
    exceptions: _Exceptions | UnsetType = UNSET
