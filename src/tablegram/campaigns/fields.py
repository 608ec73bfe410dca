"""What may be given when a campaign is made or changed. What is not named is not there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from tablegram.campaigns.model import Clock, Kind, Language, MediaKind


class VersionFields(TypedDict, total=False):
    """`Version`, field by field."""

    template_name: str
    template_language: str
    template_variables: Sequence[str]
    template_stop_button: int
    media_kind: MediaKind
    media_url: str


class PlanFields(TypedDict, total=False):
    """What people decide about a campaign: `Plan`, field by field."""

    kind: Kind
    texts: Sequence[str]
    media_kind: MediaKind
    media_url: str
    image_id: str
    template_name: str
    template_language: str
    template_variables: Sequence[str]
    template_stop_button: int
    # All of them, the first too.
    versions: Sequence[VersionFields]
    language: Language
    track_links: bool
    time_zone: str
    clock: Clock
    start_window_min: int
    quiet_from: str
    quiet_until: str
    cap_messages: int
    cap_days: Literal[7, 30]
    pace_per_min: int
    holdout_percent: int
    max_failed_percent: int
    max_opt_out_percent: int
    attribution_days: int


class CampaignFields(PlanFields, total=False):
    name: str
    segment_id: str
    instance_id: int | None
