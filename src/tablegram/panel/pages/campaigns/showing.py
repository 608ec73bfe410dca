"""Campaigns as pages show them: figures with their shares, groups beside each other, reasons in words."""

from __future__ import annotations

from tablegram.campaigns.states import ENDS, State
from tablegram.flows.campaigns.answers import CampaignView
from tablegram.flows.campaigns.reporting import CampaignGroup, CampaignReport
from tablegram.panel.frame.listing import at_ms
from tablegram.panel.i18n import words
from tablegram.panel.visitor import Visitor
from tablegram.values.figures.writing import number, percent
from tablegram.values.money import from_wire, written

TONES: dict[State, str] = {
    "draft": "muted", "scheduled": "info", "running": "info", "held": "info", "paused": "warn", "cancelled": "muted",
    "finished": "ok", "stopped": "bad", "missed": "bad",
}  # fmt: skip
STEPS = ("sent", "delivered", "read", "replied", "opted_out", "failed")


def shown(one: CampaignView) -> dict[str, object]:
    progress = one.progress
    return {
        "view": one,
        "tone": TONES[one.state],
        "done": progress.total - progress.waiting - progress.queued,
        "is_over": one.state in ENDS,
        "starts": None if one.starts_at is None else at_ms(one.starts_at),
        "created": at_ms(one.created_at),
        "minutes_left": None if progress.seconds_left is None else -(-progress.seconds_left // 60),
    }


def steps(visitor: Visitor, one: CampaignView) -> list[tuple[str, int, int, str]]:
    """What became of the messages: each step, how many, and which percent of all that were tried, also in writing."""
    tried = one.progress.sent + one.progress.failed
    figures = [(step, int(getattr(one.progress, step))) for step in STEPS]
    shares = [round(figure * 100 / tried) if tried else 0 for _, figure in figures]
    return [
        (step, figure, share, percent(visitor.language, share / 100))
        for (step, figure), share in zip(figures, shares, strict=True)
    ]


def groups(visitor: Visitor, report: CampaignReport) -> list[dict[str, object]]:
    return [
        {
            "view": group,
            "name": visitor.t("campaigns.left_out")
            if group.text_number is None
            else visitor.t("campaigns.version_n" if group.template else "campaigns.text_n", count=group.text_number),
            "against": _against(visitor, group),
            "percent": percent(visitor.language, group.buyers / group.contacts if group.contacts else 0, 1),
            "revenue": " + ".join(
                written(from_wire(money.amount, money.currency), money.currency, visitor.language)
                for money in group.revenue
            )
            or "–",
        }
        for group in report.groups
    ]


def _against(visitor: Visitor, group: CampaignGroup) -> dict[str, str]:
    """Beside the first version: the verdict, and from how many to how many percentage points more buyers."""
    found = group.against_first
    if found is None:
        return {}
    edges = {name: number(visitor.language, getattr(found, name), 1) for name in ("low", "high")}
    return {"verdict": found.verdict, **edges}


def interval(visitor: Visitor, report: CampaignReport) -> dict[str, str]:
    """From how many to how many percentage points more buyers than among those who were left out."""
    found = report.compared
    return (
        {} if found is None else {name: number(visitor.language, getattr(found, name), 1) for name in ("low", "high")}
    )


def reasons(visitor: Visitor, report: CampaignReport) -> list[tuple[str, str, str, int]]:
    """Who got nothing and why, the largest first: state, reason, its words, how many."""
    rows = sorted(report.reasons, key=lambda row: (-row.contacts, row.state, row.reason))
    return [(row.state, row.reason, reason_words(visitor, row.state, row.reason), row.contacts) for row in rows]


def reason_words(visitor: Visitor, state: str, reason: str) -> str:
    """What the network refused has the words of its code, where there are any."""
    key = f"campaigns.reason_{reason}" if state == "skipped" else f"code.{reason}"
    return words(visitor.language).get(key) or visitor.t("campaigns.failed_with", code=reason)
