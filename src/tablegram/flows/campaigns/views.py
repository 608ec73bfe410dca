"""Campaigns as they are shown."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from tablegram.campaigns.model import HOLDOUT, Campaign
from tablegram.campaigns.rows import SendCount, SendRow
from tablegram.flows.campaigns.answers import CampaignProgress, CampaignSend, CampaignVersion, CampaignView
from tablegram.values.clock import iso
from tablegram.values.ids import GATEWAY_PREFIX


def progress_of(one: Campaign, counts: Iterable[SendCount], now: int) -> CampaignProgress:
    """How far it is, and how long the rest takes at the pace so far."""
    by: dict[str, int] = {}
    replied = opted_out = 0
    for row in counts:
        by[row["state"]] = by.get(row["state"], 0) + row["n"]
        replied += row["replied"]
        opted_out += row["opted_out"]
    waiting, queued = by.get("waiting", 0), by.get("queued", 0)
    total = sum(by.values())
    done = total - waiting - queued
    left = None
    if one.state == "running" and one.started_at is not None and done > 0 and one.is_listed:
        left = round((waiting + queued) * max(1, now - one.started_at) / done / 1_000)
    read = by.get("read", 0)
    delivered = read + by.get("delivered", 0)
    return CampaignProgress(
        total=total, waiting=waiting, queued=queued, sent=delivered + by.get("sent", 0), delivered=delivered, read=read,
        failed=by.get("failed", 0), skipped=by.get("skipped", 0), holdout=by.get("holdout", 0), replied=replied,
        opted_out=opted_out, seconds_left=left,
    )  # fmt: skip


def campaign_view(one: Campaign, counts: Iterable[SendCount], now: int) -> CampaignView:
    plan = msgspec.structs.asdict(one.plan)
    del plan["more_versions"]
    versions = [
        CampaignVersion(**{**msgspec.structs.asdict(each), "template_variables": list(each.template_variables)})
        for each in one.plan.versions
        if each.template_name or one.plan.more_versions
    ]
    return CampaignView(
        id=one.id,
        name=one.name,
        state=one.state,
        reason=one.reason,
        reason_version=None if one.reason_arm is None else one.reason_arm + 1,
        versions=versions,
        segment_id=one.segment_id,
        instance_id=one.instance_id,
        **{**plan, "texts": list(one.plan.texts), "template_variables": list(one.plan.template_variables)},
        starts_at=iso(one.starts_at),
        started_at=iso(one.started_at),
        ended_at=iso(one.ended_at),
        created_at=iso(one.created_at),
        updated_at=iso(one.updated_at),
        progress=progress_of(one, counts, now),
    )


def send_view(row: SendRow) -> CampaignSend:
    return CampaignSend(
        contact_id=row["contact_id"],
        text_number=None if row["arm"] == HOLDOUT else row["arm"] + 1,
        state=row["state"],
        reason=row["reason"].partition(":")[0],
        due_at=iso(row["due_at"]),
        message_id=None if row["message_key"] is None else GATEWAY_PREFIX + row["message_key"],
        queued_at=iso(row["at"]),
        replied_at=iso(row["replied_at"]),
        opted_out_at=iso(row["opted_out_at"]),
    )
