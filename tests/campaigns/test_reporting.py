"""What came of a campaign: clicks, costs, and orders beside those who were left out."""

from __future__ import annotations

import csv
from collections import Counter
from typing import Any

import pytest

from tablegram.campaigns.comparing import compare
from tablegram.errors import NotFound
from tablegram.flows.campaigns.following import Following
from tablegram.flows.campaigns.reporting import Reporting
from tablegram.hooks.campaigns.short_links import ShortLinks
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import orders
from tablegram.values.clock import DAY_MS
from tests.campaigns.office import Office, office

_ORDER = Query(orders.insert().values(columns(orders)))


async def order(one: Office, contact_id: str, at: int, total: int = 10_000, state: str = "completed") -> None:
    number = f"{contact_id}-{at}-{state}"
    row: dict[str, Any] = {
        column.name: None if column.nullable else 0 if column.type.python_type is int else "" for column in orders.c
    }
    row |= {
        "account_id": 1, "id": number, "order_id": number, "order_type": "dine_in", "state": state, "total": total,
        "contact_id": contact_id, "currency": "TRY", "created_at": at, "updated_at": at, "lines": "[]",
        "charges": "[]", "discounts": "[]",
    }  # fmt: skip
    await one.db.put((_ORDER, row))


async def test_a_report_counts_clicks_costs_and_orders_of_both_groups(database_url: str) -> None:
    async with office(database_url) as one:
        await one.people(40)
        texts = ["A https://e.example/menü?x=1", "B https://e.example/menü?x=1"]
        campaign = await one.start(texts=texts, holdout_percent=40)
        await one.run()
        rows = await one.sends()
        got = [row for row in rows if row["arm"] >= 0]
        left = [row for row in rows if row["arm"] < 0]
        assert got
        assert left
        codes = {row["code"] for row in got}
        assert len(codes) == len(got)
        assert not any(row["contact_id"] in row["code"] for row in got)
        now = one.clock.now_ms()
        await order(one, got[0]["contact_id"], now)
        await order(one, got[0]["contact_id"], now + DAY_MS, 5_000)
        await order(one, got[1]["contact_id"], now, state="cancelled")
        await order(one, got[1]["contact_id"], now - 1)
        await order(one, got[1]["contact_id"], now + 7 * DAY_MS)
        await order(one, left[0]["contact_id"], now)
        # Two people follow the link, one of them twice; programs that look at it count for nobody.
        links = ShortLinks(Following(one.db, one.clock), one.one.settings)
        for who, method, agent in (
            (0, "GET", "Mozilla/5.0 (iPhone)"), (0, "GET", "Mozilla/5.0 (iPhone)"), (1, "GET", "Mozilla/5.0"),
            (2, "HEAD", "Mozilla/5.0"), (3, "GET", "WhatsApp/2.23"), (4, "GET", "facebookexternalhit/1.1"), (5, "GET", ""),
        ):  # fmt: skip
            status, headers = await follow(links, f"/l/{got[who]['code']}1", method, agent)
            assert status == 302
            assert headers[b"location"] == b"https://e.example/men%C3%BC?x=1"
            assert headers[b"cache-control"] == b"no-store"
        report = await Reporting(one.db, prepaid=False).report(one.caller, campaign)
        assert [(link.people, link.clicks) for link in report.links] == [(2, 3)]
        followed = Counter((got[0]["arm"], got[1]["arm"]))
        clicks = Counter((got[0]["arm"], got[0]["arm"], got[1]["arm"]))
        assert [(part.text_number - 1, part.people, part.clicks) for part in report.links[0].groups] == [
            (arm, followed[arm], clicks[arm]) for arm in sorted(followed)
        ]
        assert [group.clicked for group in report.groups] == [followed[0], followed[1], 0]
        written = [group for group in report.groups if group.text_number is not None]
        assert [group.text_number for group in report.groups] == [1, 2, None]
        assert sum(group.contacts for group in written) == len(got)
        assert (sum(group.buyers for group in written), sum(group.orders for group in written)) == (1, 2)
        assert [money.amount for group in written for money in group.revenue] == [150.0]
        assert (report.groups[-1].contacts, report.groups[-1].buyers) == (len(left), 1)
        assert report.compared is not None
        assert report.compared.verdict == "too_few"
        first, second, holdout = report.groups
        beside = compare(second.buyers, second.contacts, first.buyers, first.contacts)
        assert (first.against_first, second.against_first, holdout.against_first) == (None, beside, None)
        apart = [compare(group.buyers, group.contacts, 1, len(left)) for group in written]
        assert [first.compared, second.compared, holdout.compared] == [*apart, None]
        assert report.cost_usd > 0
        table = (await Reporting(one.db, prepaid=False).table(one.caller, campaign)).decode("utf-8-sig")
        assert table.splitlines()[0].startswith("kind,name,contacts")
        assert len({line.count(",") for line in table.splitlines()}) == 1
        cells = [row for row in csv.DictReader(table.splitlines()) if row["kind"] == "group"]
        assert [row["name"] for row in cells] == ["text 1", "text 2", "holdout"]
        assert [row["clicked"] for row in cells] == [str(group.clicked) for group in report.groups]
        assert beside is not None
        assert [row["against_first_low"] for row in cells] == ["", str(beside.low), ""]
        for wrong in ("", "x", "0" * 11, f"{got[0]['code']}9", f"{got[0]['code']}0", f"{got[0]['code']}11", "ğ" * 11):
            assert (await follow(links, f"/l/{wrong}", "GET", "Mozilla/5.0"))[0] in (404, 429)
        assert (await follow(links, "/l/x", "POST", "Mozilla/5.0"))[0] in (405, 429)
        with pytest.raises(NotFound):
            await Reporting(one.db, prepaid=False).report(one.one.call_as(2), campaign)


async def follow(links: ShortLinks, path: str, method: str, agent: str) -> tuple[int, dict[bytes, bytes]]:
    said: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        said.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    scope = {
        "type": "http", "method": method, "path": path, "client": ("127.0.0.1", 1),
        "headers": [(b"user-agent", agent.encode())] if agent else [],
    }  # fmt: skip
    await links(scope, receive, send)
    return said[0]["status"], dict(said[0]["headers"])


def test_the_interval_is_newcombes_and_says_when_it_says_nothing() -> None:
    # The inventor's own example: 56 of 70 and 48 of 80.
    found = compare(56, 70, 48, 80)
    assert found is not None
    assert (found.difference, found.low, found.high, found.verdict) == (20.0, 5.24, 33.39, "more")
    assert compare(0, 10, 0, 0) is None
    for bought, written, without, left in ((0, 30, 0, 30), (30, 30, 30, 30), (1, 1, 0, 1), (0, 1_000, 90, 100)):
        told = compare(bought, written, without, left)
        assert told is not None
        assert -100 <= told.low <= told.difference <= told.high <= 100
        assert told.verdict == ("too_few" if left < 30 else "less" if without == 90 else "no_difference")
