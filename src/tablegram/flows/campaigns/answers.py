"""What is answered about campaigns: the structs that flows make, pages show, and the API encodes."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tablegram.campaigns.model import Clock, Kind, Language, MediaKind, SendState, Stopped
from tablegram.campaigns.states import State
from tablegram.values.clock import MomentText


class CampaignProgress(Struct, kw_only=True, frozen=True):
    """How far a campaign is, by the ledger."""

    total: Annotated[int, Meta(description="Contacts that have a row; it grows while the campaign begins.")]
    waiting: int
    queued: Annotated[int, Meta(description="With the line, not sent yet.")]
    sent: Annotated[int, Meta(description="Sent, whatever became of them since.")]
    delivered: Annotated[int, Meta(description="Delivered, the read ones among them.")]
    read: int
    failed: int
    skipped: int
    holdout: Annotated[int, Meta(description="Left out, to compare with.")]
    replied: int
    opted_out: int
    seconds_left: Annotated[int | None, Meta(description="At the pace so far. Null: not known.")]


class CampaignVersion(Struct, kw_only=True, frozen=True):
    """One of the templates that a campaign compares."""

    template_name: str
    template_language: str
    template_variables: list[str]
    template_stop_button: int
    media_kind: MediaKind
    media_url: str


class CampaignView(Struct, kw_only=True, frozen=True):
    """A campaign: what is written, to whom, when, and how far it is."""

    id: str
    name: str
    state: Annotated[
        State,
        Meta(
            description="held: it waits for the quiet hours to end. stopped: it was ended early; `reason` says why. missed: it could "
            "not begin in time."
        ),
    ]
    reason: Stopped
    reason_version: Annotated[
        int | None,
        Meta(description="Which of the templates `reason` is about, from 1. Null: no single one of several."),
    ]
    segment_id: Annotated[str, Meta(description="Empty: everybody.")]
    instance_id: Annotated[int | None, Meta(description="Null: the account's default line.")]
    kind: Kind
    texts: list[str]
    media_kind: MediaKind
    media_url: str
    image_id: Annotated[str, Meta(description="A picture that was uploaded in its place; empty: none.")]
    template_name: Annotated[str, Meta(description="Of the first version, as the next fields.")]
    template_language: str
    template_variables: list[str]
    template_stop_button: int
    versions: Annotated[
        list[CampaignVersion], Meta(description="The templates that are compared, or the one that is sent. Else empty.")
    ]
    language: Language
    track_links: bool
    time_zone: str
    clock: Clock
    start_window_min: int
    quiet_from: str
    quiet_until: str
    cap_messages: int
    cap_days: int
    pace_per_min: int
    holdout_percent: int
    max_failed_percent: int
    max_opt_out_percent: int
    attribution_days: int
    starts_at: MomentText | None
    started_at: MomentText | None
    ended_at: MomentText | None
    created_at: MomentText
    updated_at: MomentText
    progress: CampaignProgress


class CampaignPage(Struct, kw_only=True, frozen=True):
    """Newest first."""

    data: list[CampaignView]
    next_cursor: str | None


class CampaignSend(Struct, kw_only=True, frozen=True):
    """One contact of a campaign, and what became of them."""

    contact_id: str
    text_number: Annotated[int | None, Meta(description="Which of the texts, from 1. Null: left out, to compare with.")]
    state: SendState
    reason: Annotated[
        str, Meta(description="Why it was skipped, failed or waits; empty where there is nothing to say.")
    ]
    due_at: MomentText | None
    message_id: str | None
    queued_at: MomentText | None
    replied_at: MomentText | None
    opted_out_at: MomentText | None


class CampaignSendPage(Struct, kw_only=True, frozen=True):
    """In the order of the contacts' ids."""

    data: list[CampaignSend]
    next_cursor: str | None


class CampaignRefusal(Struct, kw_only=True, frozen=True):
    reason: str
    contacts: int


class CampaignEstimate(Struct, kw_only=True, frozen=True):
    """What a campaign would come to if it began now."""

    audience: Annotated[int, Meta(description="Contacts that it is for.")]
    reachable: Annotated[int, Meta(description="Of them, those who would get a message.")]
    holdout: Annotated[int, Meta(description="Of them, those who are left out to compare with.")]
    refused: Annotated[list[CampaignRefusal], Meta(description="Who would get none, by reason.")]
    is_exact: Annotated[bool, Meta(description="false: worked out from the first 2,000 contacts.")]
    cost_usd: Annotated[float, Meta(description="By the rate card of today.")]
    minutes: Annotated[int | None, Meta(description="How long it takes at the given pace. Null: as the line goes.")]


class CampaignText(Struct, kw_only=True, frozen=True):
    text_number: int
    text: Annotated[str, Meta(description="Of a template: its name.")]
    buttons: list[str]
    has_picture: Annotated[bool, Meta(description="Whether a file goes with the words.")]
    template_language: Annotated[str, Meta(description="Of a template, else empty.")]
    values: Annotated[list[str], Meta(description="What a template's parameters are filled in with, in order.")]


class CampaignPreview(Struct, kw_only=True, frozen=True):
    """How the message looks for somebody. Nothing is sent."""

    contact_id: Annotated[str, Meta(description="Empty: an invented customer.")]
    refused: Annotated[str, Meta(description="Why this contact would get none; empty: they would get it.")]
    texts: list[CampaignText]


class CampaignTestSent(Struct, kw_only=True, frozen=True):
    """Test messages that are on their way."""

    message_ids: list[str]


class FollowedLink(Struct, kw_only=True, frozen=True):
    """A link of a campaign that a contact followed."""

    url: str
    clicks: int
    last_at: MomentText


class ContactCampaign(Struct, kw_only=True, frozen=True):
    """A campaign that a contact is part of."""

    campaign_id: str
    state: SendState
    reason: Annotated[str, Meta(description="A stable code where nothing was sent, or it failed; else empty.")]
    queued_at: MomentText | None
    replied_at: MomentText | None
    opted_out_at: MomentText | None
    links: list[FollowedLink]
