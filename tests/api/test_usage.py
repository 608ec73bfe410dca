"""Usage and costs by API: the same figures whichever way they are asked for, and as a table."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tablegram.messaging.store import messages as store
from tablegram.values.ids import first_id
from tests.api.product_in_process import product

# Statements that no flow runs: lists, sums and photos that this edge alone asks for.
pytestmark = pytest.mark.both


async def test_usage_is_told_by_day_line_country_and_category_and_as_csv(database_url: str, tmp_path: Path) -> None:
    async with product(database_url, tmp_path) as running:
        line = (await running.ask("POST", "/instances", {"kind": "sandbox", "name": "=till"})).json()["id"]
        now = running.api.clock.now_ms()
        empty = dict.fromkeys(("due_at", "expires_at", "claimed_by", "claimed_at", "sent_by", "trace"))
        for number in range(3):
            row = {
                "account_id": 1, "id": f"{first_id(now)}{number:016d}", "instance_id": line, "direction": "out",
                "phone": ["905551112233", "447700900123", "905551112233"][number], "type": "text", "text": "",
                "content": "{}", "state": "delivered", "priority": 10, "category": ["utility", "marketing", "utility"][number],
                "cost_micros": 1_000 * (number + 1), "created_at": now, **empty,
            }  # fmt: skip
            await running.api.db.put((store.INSERT, row))

        for by, keys in {
            "instance": {str(line)},
            "country": {"90", "44"},
            "category": {"utility", "marketing"},
        }.items():
            report = (await running.ask("GET", f"/usage?by={by}")).json()
            assert {row["key"] for row in report["data"]} == keys
            assert sum(row["delivered"] for row in report["data"]) == report["total"]["delivered"] == 3
            assert report["total"]["cost_usd"] == pytest.approx(0.006)
        days = (await running.ask("GET", "/usage?time_zone=Europe/Istanbul")).json()
        assert len(days["data"]) == 30
        assert (await running.ask("GET", "/usage", account=2)).json()["total"]["delivered"] == 0

        table = await running.ask("GET", "/usage/export")
        assert table.headers["content-type"].startswith("text/csv")
        rows = list(csv.DictReader(io.StringIO(table.body.decode("utf-8-sig"))))
        assert {row["calling_code"] for row in rows} == {"90", "44"}
        assert sum(int(row["delivered"]) for row in rows) == 3
        # A table program would run it as a formula.
        assert {row["instance_name"] for row in rows} == {"'=till"}


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("since=2026-02-30", "time_invalid"),
        ("since=2026-03-02&until=2026-03-01", "days_reversed"),
        ("since=2020-01-01&until=2026-01-01", "range_too_long"),
        ("time_zone=Nowhere/Else", "time_zone_unknown"),
        ("time_zone=../../etc/passwd", "time_zone_unknown"),
    ],
)
async def test_a_wrong_question_is_told_what_is_wrong(database_url: str, tmp_path: Path, query: str, code: str) -> None:
    async with product(database_url, tmp_path) as running:
        reply = await running.ask("GET", f"/usage?{query}")
        assert (reply.status, reply.json()["code"]) == (422, code)
