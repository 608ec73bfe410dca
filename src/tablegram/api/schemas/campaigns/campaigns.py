"""Bodies of the calls about campaigns."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import MAX_INTEGER, Phone, line, moment, optional_block, optional_line
from tablegram.campaigns.model import MAX_NAME, MAX_TEXT, MAX_TEXTS, Clock, Kind, Language, MediaKind

_Name = Annotated[str, line(MAX_NAME, "What the team calls it.", "Sunday brunch")]
_Segment = Annotated[str, optional_line(64, "Whom it is for. Empty: everybody.")]
_Line = Annotated[int, Meta(ge=1, le=MAX_INTEGER, description="A line of the account.")]
_Text = Annotated[
    str,
    optional_block(
        MAX_TEXT,
        "With {{name}} or {{first_name}}, and what stands there where no name is known: {{name|friend}}.",
        "Hi {{first_name|friend}}, brunch is 20% off on Sunday.",
    ),
]
_Texts = Annotated[
    list[_Text], Meta(max_length=MAX_TEXTS, description="One text, or two or three to compare. The way out is added.")
]
_Url = Annotated[
    str,
    Meta(
        pattern=r"^(https://[!-~]+)?$",
        max_length=2_000,
        description="A file that the network fetches; empty: none.",
        examples=["https://example.com/brunch.jpg"],
    ),
]
_Picture = Annotated[
    str,
    Meta(
        pattern="^[A-Za-z0-9_-]*$",
        max_length=64,
        description="A picture that was uploaded with POST /media, by its id: from then on it is kept for this campaign, "
        "which names it by an id of its own. Empty: none. It goes before `media_url`.",
    ),
]
_Template = Annotated[
    str, Meta(pattern="^[a-z0-9_]*$", max_length=512, description="At the network.", examples=["sunday_brunch"])
]
_TemplateLanguage = Annotated[str, line(10, "That it was approved in.", "tr")]
_Variable = Annotated[str, optional_line(500, "May hold variables.", "{{first_name|friend}}")]
_Variables = Annotated[
    list[_Variable], Meta(max_length=20, description="What the template's parameters are filled in with, in order.")
]
_StopButton = Annotated[
    int,
    Meta(ge=-1, le=9, description="Which of its quick replies leads out, from 0. -1: its own words say how."),
]
_Clock = Annotated[
    str, Meta(pattern="^(([01][0-9]|2[0-3]):[0-5][0-9])?$", description="Empty: none.", examples=["21:00"])
]
_Zone = Annotated[str, line(60, "A time zone.", "Europe/Istanbul")]
_ClockKind = Annotated[
    Clock,
    Meta(description="Whose clock counts: the venue's, or that of the recipient's number where it has one time zone."),
]
_Window = Annotated[int, Meta(ge=5, le=1_440, description="Minutes that it may begin late; after that it is missed.")]
_Cap = Annotated[
    int, Meta(ge=0, le=30, description="Messages of any campaign to one person in `cap_days`. 0: no limit.")
]
_CapDays = Annotated[Literal[7, 30], Meta(description="Days that `cap_messages` counts.")]
_Pace = Annotated[int, Meta(ge=0, le=30_000, description="Messages a minute. 0: as fast as the line goes.")]
_Holdout = Annotated[int, Meta(ge=0, le=50, description="Percent who get nothing, to compare with.")]
_Limit = Annotated[int, Meta(ge=1, le=100, description="Percent beyond which it stops automatically.")]
_Days = Annotated[int, Meta(ge=1, le=30, description="Orders within so many days count.")]


class CampaignVersionFields(Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A template to compare, with what it is filled in with."""

    template_name: _Template
    template_language: _TemplateLanguage = "tr"
    template_variables: _Variables = msgspec.field(default_factory=list)
    template_stop_button: _StopButton = -1
    media_kind: Annotated[MediaKind, Meta(description="Of the file in its header.")] = "image"
    media_url: Annotated[_Url, Meta(description="The file of its header. Empty: it has none.")] = ""


_Versions = Annotated[
    list[CampaignVersionFields],
    Meta(
        max_length=MAX_TEXTS,
        description="Templates to compare, two or three, each sent to its share of the contacts. The first also stands in "
        "`template_name` and the fields beside it. Empty: only that one.",
    ),
]


class UpdateCampaign(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change of a draft; the rest stays as it is."""

    name: _Name | UnsetType = UNSET
    segment_id: _Segment | UnsetType = UNSET
    instance_id: Annotated[_Line | None, Meta(description="Null: the account's default line.")] | UnsetType = UNSET
    kind: Kind | UnsetType = UNSET
    texts: _Texts | UnsetType = UNSET
    media_kind: MediaKind | UnsetType = UNSET
    media_url: _Url | UnsetType = UNSET
    image_id: _Picture | UnsetType = UNSET
    template_name: _Template | UnsetType = UNSET
    template_language: _TemplateLanguage | UnsetType = UNSET
    template_variables: _Variables | UnsetType = UNSET
    template_stop_button: _StopButton | UnsetType = UNSET
    versions: _Versions | UnsetType = UNSET
    language: Annotated[Language, Meta(description="Of the words that lead out.")] | UnsetType = UNSET
    track_links: Annotated[bool, Meta(description="Whether links are short, ours, and counted.")] | UnsetType = UNSET
    time_zone: _Zone | UnsetType = UNSET
    clock: _ClockKind | UnsetType = UNSET
    start_window_min: _Window | UnsetType = UNSET
    quiet_from: _Clock | UnsetType = UNSET
    quiet_until: _Clock | UnsetType = UNSET
    cap_messages: _Cap | UnsetType = UNSET
    cap_days: _CapDays | UnsetType = UNSET
    pace_per_min: _Pace | UnsetType = UNSET
    holdout_percent: _Holdout | UnsetType = UNSET
    max_failed_percent: _Limit | UnsetType = UNSET
    max_opt_out_percent: _Limit | UnsetType = UNSET
    attribution_days: _Days | UnsetType = UNSET


class CreateCampaign(UpdateCampaign, kw_only=True, forbid_unknown_fields=True):
    """A draft. What is left out is as it usually is."""

    name: _Name


class StartCampaign(Struct, kw_only=True, forbid_unknown_fields=True):
    """When it begins."""

    starts_at: Annotated[
        Annotated[str, moment("RFC 3339 with an offset.", "2026-12-01T18:30:00+03:00")] | None,
        Meta(description="Null or absent: now. At most 90 days ahead."),
    ] = None


class PreviewCampaign(Struct, kw_only=True, forbid_unknown_fields=True):
    """For whom."""

    contact_id: Annotated[
        Annotated[str, line(64, "A contact's id.")] | None, Meta(description="Null or absent: an invented customer.")
    ] = None


class TestCampaign(Struct, kw_only=True, forbid_unknown_fields=True):
    """Where to."""

    phone: Phone
