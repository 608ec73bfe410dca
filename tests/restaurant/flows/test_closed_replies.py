"""A reply outside opening hours follows the venue on its line: its hours, days off and pauses, as they are when somebody writes."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.restaurant.flows.house import House, house

pytestmark = pytest.mark.once

CLOSED = {"kind": "closed", "message": "Kapalıyız", "follows_venue": True}
# The clock stands on a Friday at eleven.
OPEN, EVENING = (
    [{"day": "friday", "opens": "08:00", "closes": "23:00"}],
    [{"day": "friday", "opens": "18:00", "closes": "23:00"}],
)
_phones = itertools.count(905_553_400_000)


async def _is_told(one: House) -> bool:
    phone = str(next(_phones))
    await one.write("Rezervasyon istiyorum", phone)
    return CLOSED["message"] in await one.said(phone)


async def _change(one: House, path: str, fields: dict[str, Any]) -> dict[str, Any]:
    answer = await one.pool.call("PATCH", path, fields)
    assert answer.status == 200, answer.body
    changed: dict[str, Any] = answer.json()
    return changed


@pytest.mark.later
async def test_a_closed_reply_follows_every_later_change_of_the_venues_hours(database_url: str) -> None:
    async with house(database_url, with_api=True) as one:
        replies, venue = f"/instances/{one.pool.lines[1]}/auto-replies", f"/restaurant/venues/{one.venue.id}"
        made = await one.pool.call("POST", replies, CLOSED)
        assert made.status == 201, made.body
        reply = f"{replies}/{made.json()['id']}"
        assert {name: made.json()[name] for name in ("follows_venue", "time_zone", "hours", "exceptions")} == {
            "follows_venue": True, "time_zone": None, "hours": None, "exceptions": None,
        }  # fmt: skip
        today = [{"date": "2027-01-15", "spans": []}]
        pause = [{"starts_at": "2027-01-15T10:00:00+03:00", "reason": "oven"}]
        for fields, is_closed in (
            ({"hours": OPEN}, False), ({"hours": EVENING}, True), ({"hours": OPEN, "exceptions": today}, True),
            ({"exceptions": []}, False), ({"pauses": pause}, True), ({"pauses": []}, False),
        ):  # fmt: skip
            await _change(one, venue, fields)
            assert await _is_told(one) == is_closed, fields
        # With hours of its own it goes its own way, and it can come back.
        own = await _change(one, reply, {"follows_venue": False, "time_zone": "Europe/Istanbul", "hours": EVENING})
        assert (own["hours"], await _is_told(one)) == (EVENING, True)
        refused = await one.pool.call("PATCH", reply, {"follows_venue": True, "hours": EVENING})
        assert [error["field"] for error in refused.json()["errors"]] == ["hours"]
        assert (await _change(one, reply, {"follows_venue": True}))["hours"] is None
        refused = await one.pool.call("PATCH", reply, {"follows_venue": False})
        assert [error["field"] for error in refused.json()["errors"]] == ["time_zone", "hours"]
        # A venue that has left the line closes nothing on it, and nobody can follow it there.
        await _change(one, venue, {"hours": EVENING, "instance_id": None})
        assert not await _is_told(one)
        gone = await one.pool.call("POST", replies, CLOSED)
        assert [(error["field"], error["code"]) for error in gone.json()["errors"]] == [
            ("follows_venue", "venue_without_hours")
        ]
