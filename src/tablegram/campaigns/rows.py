"""What a row of the store holds, column by column."""

from __future__ import annotations

from typing import Literal

from tablegram.campaigns.model import SendState
from tablegram.campaigns.states import State
from tablegram.storage.shapes import TypedDict


class CampaignRow(TypedDict):
    account_id: int
    id: str
    name: str
    state: State
    # A code, and behind it which of the templates it is about.
    reason: str
    segment_id: str
    instance_id: int | None
    # As JSON.
    plan: str
    due_at: int | None
    behind: str
    is_listed: int
    total: int
    starts_at: int | None
    started_at: int | None
    ended_at: int | None
    settled_at: int | None
    created_by: str
    created_at: int
    updated_at: int


class SendRow(TypedDict):
    account_id: int
    campaign_id: str
    contact_id: str
    # Which of the texts; -1 for who is left out to compare with.
    arm: int
    state: SendState
    reason: str
    due_at: int | None
    message_key: str | None
    code: str | None
    at: int | None
    replied_at: int | None
    opted_out_at: int | None
    updated_at: int


class ReasonRow(TypedDict):
    reason: str


class QueuedRow(TypedDict):
    contact_id: str
    message_key: str


class NewsRow(QueuedRow):
    """What became of a message, beside what the ledger knows of it."""

    known: SendState
    state: str
    error_code: str | None
    error_network_code: int | None


class AnswerRow(TypedDict):
    """Somebody who was seen, or said no, since their message was queued."""

    contact_id: str
    at: int
    seen: int
    consent: Literal["granted", "denied", "unknown"]
    consent_at: int | None


class SendCount(TypedDict):
    arm: int
    state: SendState
    reason: str
    n: int
    replied: int
    opted_out: int


class DelayCount(TypedDict):
    """By version, what the network says of messages that it did not take yet."""

    arm: int
    code: int
    n: int


class SoonestRow(TypedDict):
    # Nothing where nobody waits.
    at: int | None


class WrittenTo(TypedDict):
    contact_id: str
    n: int


class UnsentRow(TypedDict):
    campaign_id: str
    name: str
    state: SendState
    reason: str
    updated_at: int


class LinkRow(TypedDict):
    account_id: int
    campaign_id: str
    number: int
    url: str


class FollowedLink(TypedDict):
    account_id: int
    campaign_id: str
    contact_id: str
    url: str


class ClickCount(TypedDict):
    number: int
    # Nothing of who has no row any more.
    arm: int | None
    people: int
    clicks: int


class ClickedBy(TypedDict):
    arm: int
    people: int


class ClickRow(TypedDict):
    contact_id: str
    campaign_id: str
    clicks: int
    last_at: int
    url: str


class CostRow(TypedDict):
    # Nothing where nothing was sent.
    micros: int | None


class BuyerCount(TypedDict):
    is_holdout: int
    arm: int
    people: int


class OrderCount(TypedDict):
    is_holdout: int
    arm: int
    currency: str
    orders: int
    total: int


class SegmentRow(TypedDict):
    account_id: int
    id: str
    name: str
    name_key: str
    # A tree of rules as JSON.
    rules: str
    created_at: int
    updated_at: int
    updated_by: str


class SegmentChanges(TypedDict, total=False):
    """What is not given stays."""

    name: str
    name_key: str
    rules: str
    updated_at: int
    updated_by: str


class NameRow(TypedDict):
    name: str


class Counted(TypedDict):
    n: int


class WithId(TypedDict):
    id: str


class NamedId(WithId):
    name: str
