"""What a campaign is: what it says, to whom, when, and within which limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

import msgspec

from tablegram.campaigns.states import State
from tablegram.storage.database import Params

if TYPE_CHECKING:
    # It speaks of the words of this module.
    from tablegram.campaigns.rows import CampaignRow

Kind = Literal["text", "media", "template"]
MediaKind = Literal["image", "video", "document"]
Language = Literal["en", "tr"]
Clock = Literal["venue", "recipient"]
SendState = Literal["waiting", "queued", "sent", "delivered", "read", "failed", "skipped", "holdout"]
# Why somebody is not written to.
Skipped = Literal[
    "gone", "no_phone", "no_consent", "opted_out", "capped", "window_closed", "no_line", "no_balance", "empty",
    "too_late", "cancelled", "stopped",
]  # fmt: skip
# Why a campaign stopped by itself.
Stopped = Literal[
    "", "line_limited", "marketing_limited", "template_refused", "failures", "opt_outs", "no_line", "no_balance"
]

HOLDOUT = -1
MAX_TEXTS, MAX_TEXT, MAX_NAME = 3, 1_000, 100


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """A template of the network, filled in: one of those that a campaign compares."""

    template_name: str = ""
    template_language: str = "tr"
    # What its parameters are filled in with, in order; each may hold variables.
    template_variables: tuple[str, ...] = ()
    # Which of its quick replies leads out; -1: its own words say how.
    template_stop_button: int = -1
    # The file of its header, where it has a place for one.
    media_kind: MediaKind = "image"
    media_url: str = ""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What people decide about a campaign. Nothing of it changes once it has begun."""

    kind: Kind = "text"
    # One text, or two or three to compare.
    texts: tuple[str, ...] = ()
    media_kind: MediaKind = "image"
    media_url: str = ""
    # A picture of our own store in its place.
    image_id: str = ""
    # The first template, field by field as in `Version`: campaigns from before there were several read as they did.
    template_name: str = ""
    template_language: str = "tr"
    template_variables: tuple[str, ...] = ()
    template_stop_button: int = -1
    # The second and the third, to compare with.
    more_versions: tuple[Version, ...] = ()
    # Of the words that lead out.
    language: Language = "tr"
    track_links: bool = True
    time_zone: str = "UTC"
    clock: Clock = "venue"
    # So late it may begin, and not later.
    start_window_min: int = 120
    # Empty: no quiet hours.
    quiet_from: str = "21:00"
    quiet_until: str = "10:00"
    # At most so many messages of any campaign to one person in so many days; 0: no limit.
    cap_messages: int = 2
    cap_days: Literal[7, 30] = 7
    # 0: as fast as the line goes.
    pace_per_min: int = 0
    holdout_percent: int = 0
    # Beyond these it stops by itself.
    max_failed_percent: int = 20
    max_opt_out_percent: int = 5
    # Orders within so many days count.
    attribution_days: int = 7

    @property
    def arms(self) -> int:
        return max(1, len(self.texts)) if self.kind != "template" else 1 + len(self.more_versions)

    @property
    def versions(self) -> tuple[Version, ...]:
        """The templates in the order of the arms; none where it sends words of its own."""
        if self.kind != "template":
            return ()
        return Version(**{name: getattr(self, name) for name in Version.__struct_fields__}), *self.more_versions


class Campaign(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    id: str
    name: str
    state: State
    reason: Stopped
    # Which of the templates the reason is about, from 0; nothing where it is about no single one.
    reason_arm: int | None = None
    segment_id: str
    instance_id: int | None
    plan: Plan
    due_at: int | None
    behind: str
    is_listed: bool
    total: int
    starts_at: int | None
    started_at: int | None
    ended_at: int | None
    settled_at: int | None
    created_by: str
    created_at: int
    updated_at: int


_PLAN = msgspec.json.Decoder(Plan)


def read_campaign(row: CampaignRow) -> Campaign:
    reason, _, arm = row["reason"].partition(":")
    return Campaign(
        account_id=row["account_id"],
        id=row["id"],
        name=row["name"],
        state=row["state"],
        # As `reason_text` wrote it.
        reason=cast("Stopped", reason),
        reason_arm=int(arm) if arm else None,
        segment_id=row["segment_id"],
        instance_id=row["instance_id"],
        plan=_PLAN.decode(row["plan"]),
        due_at=row["due_at"],
        behind=row["behind"],
        is_listed=bool(row["is_listed"]),
        total=row["total"],
        starts_at=row["starts_at"],
        started_at=row["started_at"],
        ended_at=row["ended_at"],
        settled_at=row["settled_at"],
        created_by=row["created_by"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def campaign_row(one: Campaign) -> Params:
    row = msgspec.structs.asdict(one)
    row["reason"] = reason_text(one.reason, row.pop("reason_arm"))
    return {**row, "plan": encode_plan(one.plan), "is_listed": int(one.is_listed)}


def encode_plan(plan: Plan) -> str:
    return msgspec.json.encode(plan).decode()


def reason_text(reason: Stopped, arm: int | None) -> str:
    """As the store has it: the code, and behind it which of the templates it is about."""
    return reason if arm is None else f"{reason}:{arm}"
