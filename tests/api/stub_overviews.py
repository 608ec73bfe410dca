"""Stands behind the calls about usage where only the edge is looked at."""

from __future__ import annotations

from datetime import date, tzinfo

from tablegram.accounts.keys.keys import Caller
from tablegram.messaging.records.usage import Group, Report

TODAY = date(2026, 1, 31)


class StubOverviews:
    """One message a day, at most one day of them."""

    def today(self, zone: tzinfo) -> date:
        return TODAY

    async def usage(self, caller: Caller, first: date, last: date, zone: tzinfo) -> Report:
        return Report([(first, [Group(1, "delivered", "utility", 90, "TR", 1, 12_300, is_incoming=False)])])

    async def usage_table(self, caller: Caller, first: date, last: date, zone: tzinfo) -> bytes:
        return b"day\r\n"

    async def line_names(self, caller: Caller) -> dict[int, str]:
        return {1: "till"}
