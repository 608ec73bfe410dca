"""What came of a campaign, for people and as a table."""

from __future__ import annotations

import csv
import io
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from tablegram.accounts.keys.keys import Caller
from tablegram.campaigns.comparing import Compared, compare
from tablegram.campaigns.model import Campaign
from tablegram.campaigns.rows import BuyerCount, ClickCount, LinkRow, OrderCount, SendCount
from tablegram.campaigns.store import links as link_store
from tablegram.campaigns.store import report as store
from tablegram.campaigns.store import sends as send_store
from tablegram.flows.campaigns.campaign_desk import READ, find
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import DAY_MS
from tablegram.values.files.spreadsheets import harmless_in_csv
from tablegram.values.money import is_currency, to_wire

WENT = ("sent", "delivered", "read")
COLUMNS = (
    "kind", "name", "contacts", "delivered", "read", "replied", "opted_out", "buyers", "orders", "revenue", "clicked",
    "template", "difference", "low", "high", "verdict", "against_first", "against_first_low", "against_first_high",
    "against_first_verdict",
)  # fmt: skip


class CampaignMoney(Struct, kw_only=True, frozen=True):
    currency: str
    amount: float


class CampaignGroup(Struct, kw_only=True, frozen=True):
    """Those who got one of the texts or templates, or who were left out."""

    text_number: Annotated[int | None, Meta(description="Null: left out, to compare with.")]
    template: Annotated[str, Meta(description="Name and language of the template that they got; else empty.")]
    contacts: Annotated[int, Meta(description="Who got it, or would have.")]
    delivered: int
    read: int
    replied: int
    opted_out: int
    buyers: Annotated[int, Meta(description="Of them, those who ordered within `attribution_days`.")]
    orders: int
    revenue: list[CampaignMoney]
    clicked: Annotated[int, Meta(description="Of them, those who followed a link.")]
    compared: Annotated[
        Compared | None,
        Meta(
            description="As `compared` of the report, for this group alone. Null: nobody was left out, or these were."
        ),
    ]
    against_first: Annotated[
        Compared | None,
        Meta(
            description="Percent of buyers in this group, less those of the first, with its 95% interval. Null: of the first "
            "itself, and of who was left out."
        ),
    ]


class CampaignReason(Struct, kw_only=True, frozen=True):
    state: Annotated[str, Meta(description="failed or skipped.")]
    reason: str
    contacts: int


class CampaignLinkGroup(Struct, kw_only=True, frozen=True):
    text_number: int
    people: int
    clicks: int


class CampaignLink(Struct, kw_only=True, frozen=True):
    url: str
    people: Annotated[int, Meta(description="Contacts who followed it.")]
    clicks: Annotated[int, Meta(description="Previews and robots do not count.")]
    groups: Annotated[
        list[CampaignLinkGroup], Meta(description="The same by text or template; without those of nobody.")
    ]


class CampaignReport(Struct, kw_only=True, frozen=True):
    """What came of a campaign. Figures follow the network by some seconds, and a week after the end they stay."""

    groups: list[CampaignGroup]
    reasons: list[CampaignReason]
    links: list[CampaignLink]
    cost_usd: float
    attribution_days: int
    compared: Annotated[
        Compared | None,
        Meta(
            description="Percent of buyers among those who got it, less those who were left out, with its 95% interval. Null: "
            "nobody was left out."
        ),
    ]


class Reporting:
    def __init__(self, db: Database, *, prepaid: bool) -> None:
        self._db = db
        self._prepaid = prepaid

    async def report(self, caller: Caller, campaign_id: str) -> CampaignReport:
        caller.require(READ)

        async def work(tx: Tx) -> CampaignReport:
            return await self._report(tx, await find(tx, caller.account_id, campaign_id))

        return await self._db.snapshot(work)

    async def table(self, caller: Caller, campaign_id: str) -> bytes:
        """The groups, the reasons and the links, one row each."""
        report = await self.report(caller, campaign_id)
        out = io.StringIO()
        rows = csv.writer(out, lineterminator="\r\n")
        rows.writerow(COLUMNS)
        for one in report.groups:
            rows.writerow(_cells("group", _group_cells(one)))
        for why in report.reasons:
            rows.writerow(_cells(why.state, {"name": why.reason, "contacts": why.contacts}))
        for link in report.links:
            # Clicks stand where orders do, as they always have.
            named = {"name": harmless_in_csv(link.url), "contacts": link.people, "orders": link.clicks}
            rows.writerow(_cells("link", named))
            for part in link.groups if len(report.groups) > 1 else []:
                by = {"name": f"text {part.text_number}", "contacts": part.people, "orders": part.clicks}
                rows.writerow(_cells("link_group", {**by, "template": harmless_in_csv(link.url)}))
        rows.writerow(_cells("cost_usd", {"name": f"{report.cost_usd:.6f}"}))
        return out.getvalue().encode("utf-8-sig")

    async def _report(self, tx: Tx, one: Campaign) -> CampaignReport:
        which = {"b_account": one.account_id, "b_campaign": one.id}
        counts = await tx.all(send_store.COUNTS, which)
        within = one.plan.attribution_days * DAY_MS
        ordered = await tx.all(store.ORDERS, {**which, "within": within})
        buyers = await tx.all(store.BUYERS, {**which, "within": within})
        cost = await tx.first(store.CHARGED if self._prepaid else store.PRICED, which)
        clicks = await tx.all(link_store.COUNTS, which)
        links = [_link(row, clicks) for row in await tx.all(link_store.OF_CAMPAIGN, which)]
        clicked = {row["arm"]: row["people"] for row in await tx.all(link_store.CLICKED_BY_ARM, which)}
        groups = _beside(_groups(one, counts, ordered, buyers, clicked))
        got = [group for group in groups if group.text_number is not None]
        left = next((group for group in groups if group.text_number is None), None)
        compared = None
        if left is not None:
            bought, written = sum(group.buyers for group in got), sum(group.contacts for group in got)
            compared = compare(bought, written, left.buyers, left.contacts)
        reasons: dict[tuple[str, str], int] = {}
        for row in counts:
            if row["state"] in ("failed", "skipped"):
                key = row["state"], row["reason"].partition(":")[0]
                reasons[key] = reasons.get(key, 0) + row["n"]
        return CampaignReport(
            groups=groups,
            reasons=[
                CampaignReason(state=state, reason=reason, contacts=n) for (state, reason), n in sorted(reasons.items())
            ],
            links=links,
            cost_usd=((cost and cost["micros"]) or 0) / 1_000_000,
            attribution_days=one.plan.attribution_days,
            compared=compared,
        )


def _groups(
    one: Campaign, counts: list[SendCount], ordered: list[OrderCount], buyers: list[BuyerCount], clicked: dict[int, int]
) -> list[CampaignGroup]:
    made = []
    names = [f"{version.template_name}/{version.template_language}" for version in one.plan.versions]
    for arm in (*range(one.plan.arms), None):
        mine = [row for row in counts if _is_of(row, arm)]
        if arm is None and not mine:
            continue
        sold = [row for row in ordered if _has_bought(row, arm)]
        by: dict[str, int] = {}
        for row in mine:
            by[row["state"]] = by.get(row["state"], 0) + row["n"]
        read = by.get("read", 0)
        made.append(
            CampaignGroup(
                text_number=None if arm is None else arm + 1,
                template=names[arm] if arm is not None and names else "",
                contacts=sum(by.values()),
                delivered=read + by.get("delivered", 0),
                read=read,
                replied=sum(row["replied"] for row in mine),
                opted_out=sum(row["opted_out"] for row in mine),
                buyers=sum(row["people"] for row in buyers if _has_bought(row, arm)),
                orders=sum(row["orders"] for row in sold),
                revenue=[_money(row) for row in _by_currency(sold) if is_currency(row["currency"])],
                clicked=0 if arm is None else clicked.get(arm, 0),
                compared=None,
                against_first=None,
            )
        )
    return made


def _beside(groups: list[CampaignGroup]) -> list[CampaignGroup]:
    """Each version beside who was left out, and beside the first version."""
    first, last = groups[0], groups[-1]
    return [
        group
        if group.text_number is None
        else msgspec.structs.replace(
            group,
            compared=_compare(group, last) if last.text_number is None else None,
            against_first=_compare(group, first) if group is not first else None,
        )
        for group in groups
    ]


def _compare(one: CampaignGroup, other: CampaignGroup) -> Compared | None:
    return compare(one.buyers, one.contacts, other.buyers, other.contacts)


def _cells(kind: str, named: dict[str, object]) -> list[object]:
    return [kind, *(named.get(name, "") for name in COLUMNS[1:])]


def _group_cells(one: CampaignGroup) -> dict[str, object]:
    cells: dict[str, object] = {
        "name": "holdout" if one.text_number is None else f"text {one.text_number}",
        "contacts": one.contacts, "delivered": one.delivered, "read": one.read, "replied": one.replied,
        "opted_out": one.opted_out, "buyers": one.buyers, "orders": one.orders, "template": one.template,
        "revenue": " + ".join(f"{money.amount} {money.currency}" for money in one.revenue), "clicked": one.clicked,
    }  # fmt: skip
    if found := one.compared:
        cells |= {"difference": found.difference, "low": found.low, "high": found.high, "verdict": found.verdict}
    if found := one.against_first:
        cells |= {
            "against_first": found.difference, "against_first_low": found.low, "against_first_high": found.high,
            "against_first_verdict": found.verdict,
        }  # fmt: skip
    return cells


def _is_of(row: SendCount, arm: int | None) -> bool:
    return row["state"] == "holdout" if arm is None else row["arm"] == arm and row["state"] in WENT


def _has_bought(row: BuyerCount | OrderCount, arm: int | None) -> bool:
    return row["is_holdout"] == 1 if arm is None else row["arm"] == arm


def _by_currency(sold: list[OrderCount]) -> list[dict[str, Any]]:
    sums: dict[str, int] = {}
    for row in sold:
        sums[row["currency"]] = sums.get(row["currency"], 0) + row["total"]
    return [{"currency": currency, "total": total} for currency, total in sorted(sums.items())]


def _money(row: dict[str, Any]) -> CampaignMoney:
    return CampaignMoney(currency=row["currency"], amount=to_wire(row["total"], row["currency"]))


def _link(row: LinkRow, clicks: list[ClickCount]) -> CampaignLink:
    mine = [one for one in clicks if one["number"] == row["number"]]
    return CampaignLink(
        url=row["url"],
        people=sum(one["people"] for one in mine),
        clicks=sum(one["clicks"] for one in mine),
        groups=[
            CampaignLinkGroup(text_number=one["arm"] + 1, people=one["people"], clicks=one["clicks"])
            for one in mine
            if one["arm"] is not None and one["arm"] >= 0
        ],
    )
