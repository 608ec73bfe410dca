"""An endpoint as its courier knows it: one record of its failures, written once and read again; and when it wants to be left alone."""

from __future__ import annotations

import pytest

from tablegram.events.addressee import Addressee
from tablegram.events.posting import Result
from tablegram.events.schedule import DISABLE_AFTER_MS
from tests.events.office import office
from tests.events.receiver import receiver


@pytest.mark.once
async def test_failures_are_noted_once_and_known_at_once_until_something_is_taken(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablegram.events.addressee.FRESH_S", 600.0)
    async with receiver() as server, office(database_url) as one:
        endpoint, now = await one.add(server.url), one.clock.now_ms()
        to = Addressee(one.deliveries, 1, endpoint)
        assert await to.is_active()
        assert to.well() == []
        noted = [await to.failed(1, Result(500, "HTTP 500"), now) for _ in range(2)]
        assert [len(statements) for statements in noted] == [1, 0]
        await one.db.put(*noted[0])
        assert await to.is_active()
        assert [to.is_hopeless(now + DISABLE_AFTER_MS - 1), to.is_hopeless(now + DISABLE_AFTER_MS)] == [False, True]
        await one.db.put(*to.well())
        assert (await one.endpoint(endpoint))["failing_since"] is None
        assert (to.well(), to.is_hopeless(now + DISABLE_AFTER_MS)) == ([], False)


@pytest.mark.parametrize(
    ("status", "retry_after_s", "asks"),
    [(429, None, True), (503, 5.0, True), (503, None, False), (500, 5.0, False), (None, None, False)],
)
def test_who_is_busy_and_says_for_how_long_is_left_alone(
    status: int | None, retry_after_s: float | None, asks: bool
) -> None:
    assert Result(status, "", retry_after_s=retry_after_s).asks_for_patience is asks
