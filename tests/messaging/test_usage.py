"""What was used: every message in its day, line, country and category, once, and only the account's own."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import insert

from tablegram.errors import Invalid
from tablegram.messaging.records.usage import MAX_DAYS, Usage
from tablegram.storage.database import Database, Query
from tablegram.storage.query import columns
from tablegram.storage.tables import messages
from tablegram.values.clock import DAY_MS, HOUR_MS, Clock
from tablegram.values.ids import first_id
from tests.storage.opened import opened

INSERT = Query(insert(messages).values(columns(messages)))
ISTANBUL = ZoneInfo("Europe/Istanbul")
# Two in the morning in Istanbul, still the day before in UTC.
NOW = int(datetime(2026, 3, 15, 23, 0, tzinfo=UTC).timestamp() * 1_000)


class Stopped(Clock):
    def now_ms(self) -> int:
        return NOW


def message(at: int, number: int, **fields: Any) -> dict[str, Any]:
    empty = dict.fromkeys(
        (
            "due_at", "expires_at", "claimed_by", "claimed_at", "doubt_at", "network_id", "error_code", "error_detail",
            "error_network_code", "cost_final_micros", "sent_at", "delivered_at", "read_at", "failed_at",
            "edited_at", "deleted_at", "sent_by", "trace",
        )
    )  # fmt: skip
    row = {
        **empty, "account_id": 1, "id": f"{first_id(at)}{number:016d}", "instance_id": 1, "direction": "out",
        "phone": "905551112233", "type": "text", "text": "x", "content": "{}", "state": "delivered", "priority": 10,
        "attempts": 1, "category": "utility", "cost_micros": 1_000, "created_at": at,
    }  # fmt: skip
    return {**row, **fields}


async def put(db: Database, *rows: dict[str, Any]) -> None:
    await db.put(*[(INSERT, row) for row in rows])


async def test_every_message_is_counted_once_in_its_place(database_url: str) -> None:
    async with opened(database_url) as db:
        await put(
            db,
            message(NOW - HOUR_MS, 1, state="read", cost_final_micros=700),
            message(NOW - HOUR_MS, 2, state="failed", cost_micros=9_000),
            message(NOW - HOUR_MS, 3, state="sent", phone="447700900123", instance_id=2, category="marketing"),
            message(NOW - HOUR_MS, 4, direction="in", state="received", phone="14155550100", cost_micros=0),
            message(NOW - 2 * DAY_MS, 5, state="queued"),
            message(NOW - HOUR_MS, 6, account_id=2),
            message(NOW - 40 * DAY_MS, 7),
        )
        usage = Usage(db, Stopped())
        today = usage.today(UTC)
        assert today == date(2026, 3, 15)
        report = await usage.report(1, today - timedelta(days=6), today, UTC)
        total = report.total()
        assert (total.outgoing, total.received, total.failed, total.queued) == (4, 1, 1, 1)
        # The network's price counts where it is known, and what failed costs nothing.
        assert total.cost_micros == 700 + 1_000 + 1_000
        assert total.delivery_rate == pytest.approx(1 / 3)
        assert len(report.by_day()) == 7
        assert sum(tally.outgoing + tally.received for _, tally in report.by_day()) == 5
        assert {line: tally.outgoing for line, tally in report.by_line()} == {1: 3, 2: 1}
        assert {place: tally.outgoing + tally.received for place, tally in report.by_country()} == {
            (90, "TR"): 3,
            (44, "GB"): 1,
            (1, "US"): 1,
        }
        assert {name for name, _ in report.by_category()} == {"", "utility", "marketing"}


async def test_a_day_begins_at_midnight_where_the_visitor_is(database_url: str) -> None:
    async with opened(database_url) as db:
        await put(db, message(NOW - 3 * HOUR_MS, 1), message(NOW - HOUR_MS, 2))
        usage = Usage(db, Stopped())
        assert usage.today(ISTANBUL) == date(2026, 3, 16)
        there = await usage.report(1, date(2026, 3, 15), date(2026, 3, 16), ISTANBUL)
        assert [tally.outgoing for _, tally in there.by_day()] == [1, 1]
        here = await usage.report(1, date(2026, 3, 15), date(2026, 3, 16), UTC)
        assert [tally.outgoing for _, tally in here.by_day()] == [2, 0]


async def test_today_is_counted_anew_and_days_long_over_are_remembered(database_url: str) -> None:
    async with opened(database_url) as db:
        passed = [0.0]
        usage = Usage(db, Stopped(), lambda: passed[0])
        first, last = date(2026, 3, 10), date(2026, 3, 15)
        assert (await usage.report(1, first, last, UTC)).total().outgoing == 0
        await put(db, message(NOW - HOUR_MS, 1), message(NOW - 5 * DAY_MS, 2))
        passed[0] += 4
        assert (await usage.report(1, first, last, UTC)).total().outgoing == 1
        passed[0] += 7 * 3_600
        assert (await usage.report(1, first, last, UTC)).total().outgoing == 2


async def test_a_report_has_its_limits(database_url: str) -> None:
    async with opened(database_url) as db:
        usage = Usage(db, Stopped())
        for first, last in (
            (date(2026, 3, 2), date(2026, 3, 1)),
            (date(2026, 3, 1) - timedelta(days=MAX_DAYS), date(2026, 3, 1)),
        ):
            with pytest.raises(Invalid):
                await usage.report(1, first, last, UTC)
