"""How an account is doing: what its people see first when they come in, and how much it used."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from datetime import date, timedelta, tzinfo

from tablegram.accounts.keys.keys import Caller, KeyRing
from tablegram.accounts.team import Team
from tablegram.events.answers.webhooks import WebhookView
from tablegram.events.endpoints import Endpoints
from tablegram.messaging.instances import Instances
from tablegram.messaging.records.lines import InstanceView
from tablegram.messaging.records.usage import Group, Tally, Usage, UsageFigures
from tablegram.values.files.spreadsheets import harmless_in_csv

DAYS = 14
# Enough to see that something is wrong; the pages of lines and endpoints show all.
MAX_SHOWN = 8
_HEALTHY = ("connected", "created", "pairing")


_PLACES = ("day", "instance_id", "instance_name", "calling_code", "country", "category")
COUNTS = ("received", "queued", "sent", "delivered", "read", "failed", "cancelled")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that a new account has still to do, or has done."""

    name: str
    done: bool
    # The scope that it takes.
    scope: str


@dataclass(frozen=True, slots=True)
class Overview:
    report: UsageFigures
    today: Tally
    yesterday: Tally
    lines: list[InstanceView]
    endpoints: int
    failing_endpoints: list[WebhookView]
    steps: list[Step]

    @property
    def is_settled_in(self) -> bool:
        return all(step.done for step in self.steps)


class Overviews:
    def __init__(self, usage: Usage, instances: Instances, endpoints: Endpoints, keys: KeyRing, team: Team) -> None:
        self._usage = usage
        self._instances = instances
        self._endpoints = endpoints
        self._keys = keys
        self._team = team

    async def look(self, caller: Caller, zone: tzinfo) -> Overview:
        """Today and the two weeks before it, with what needs attention."""
        caller.require("messages:read")
        account_id = caller.account_id
        today = self._usage.today(zone)
        report = await self._usage.report(account_id, today - timedelta(days=DAYS - 1), today, zone)
        lines = await self._instances.of_account(account_id)
        endpoints = await self._endpoints.page(account_id, "", 200)
        failing = [endpoint for endpoint in endpoints if endpoint.failing_since or endpoint.state != "active"]
        days = report.by_day()
        steps = await self._steps(account_id, bool(lines), bool(endpoints))
        lines.sort(key=lambda line: (line.state in _HEALTHY, not line.is_default, line.id))
        return Overview(
            report=report,
            today=days[-1][1],
            yesterday=days[-2][1],
            lines=[self._instances.view(line) for line in lines[:MAX_SHOWN]],
            endpoints=len(endpoints),
            failing_endpoints=failing[:MAX_SHOWN],
            steps=steps,
        )

    async def usage(self, caller: Caller, first: date, last: date, zone: tzinfo) -> UsageFigures:
        """What was used from one day to another."""
        caller.require("messages:read")
        report = await self._usage.report(caller.account_id, first, last, zone)
        if caller.mode != "test":
            return report
        # A test key knows of sandbox lines only.
        known = {line.id for line in await self._instances.of_account(caller.account_id) if line.kind == "sandbox"}
        return UsageFigures([(day, [one for one in groups if one.instance_id in known]) for day, groups in report.days])

    async def usage_table(self, caller: Caller, first: date, last: date, zone: tzinfo) -> bytes:
        """The same as CSV, in the finest detail: a row for each day, line, country and category."""
        report = await self.usage(caller, first, last, zone)
        names = await self.line_names(caller)
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow([*_PLACES, *COUNTS, "cost_usd"])
        for day, groups in report.days:
            for (line, code, region, category), tally in _fine(groups):
                place = [day.isoformat(), line, harmless_in_csv(names.get(line, "")), code or "", region, category]
                writer.writerow([*place, *[getattr(tally, name) for name in COUNTS], tally.cost_micros / 1_000_000])
        # The mark at the beginning tells table programs that this is UTF-8.
        return b"\xef\xbb\xbf" + text.getvalue().encode()

    async def line_names(self, caller: Caller) -> dict[int, str]:
        lines = await self._instances.of_account(caller.account_id)
        return {line.id: line.name for line in lines if caller.mode != "test" or line.kind == "sandbox"}

    def today(self, zone: tzinfo) -> date:
        return self._usage.today(zone)

    async def _steps(self, account_id: int, has_line: bool, has_endpoint: bool) -> list[Step]:
        keys = [key for key in await self._keys.list_keys(account_id) if key.revoked_at is None]
        members = await self._team.list_members(account_id)
        return [
            Step("line", has_line, "instances:manage"),
            Step("send", await self._usage.has_any(account_id, "out"), "messages:send"),
            Step("receive", await self._usage.has_any(account_id, "in"), "messages:read"),
            Step("key", bool(keys), "keys:manage"),
            Step("webhook", has_endpoint, "webhooks:manage"),
            Step("team", len(members) > 1, "account:manage"),
        ]


def _fine(groups: list[Group]) -> list[tuple[tuple[int, int, str, str], Tally]]:
    found: dict[tuple[int, int, str, str], Tally] = {}
    for group in groups:
        category = "" if group.is_incoming else group.category
        key = group.instance_id, group.calling_code, group.region, category
        found.setdefault(key, Tally()).add(group)
    return sorted(found.items())
