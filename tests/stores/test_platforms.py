"""Every delivery of every platform through the real hook: proven, kept once, and read as its file says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tablegram.stores.platforms.opening import SOURCES
from tablegram.stores.ports import Setup, Unreadable
from tests.contract.stores.deliveries import OTHER, PROOFS, SECRET, Delivery, deliveries, signed
from tests.stores.shops import Shop, shop


async def connect(one: Shop, platform: str) -> dict[str, Any]:
    wish = {"platform": platform, "name": platform, "country": "TR", "currency": "TRY", "secret": SECRET}
    made: dict[str, Any] = await one.api("POST", "/stores/sources", wish, 201)
    return made


@pytest.mark.once
async def test_what_every_platform_sends_comes_through_the_hook_once(database_url: str, tmp_path: Path) -> None:
    async with shop(database_url, tmp_path) as one:
        sent: dict[str, dict[str, Delivery]] = {}
        platforms: dict[str, str] = {}
        for platform in sorted(PROOFS):
            made = await connect(one, platform)
            hook, platforms[made["id"]] = made["hook_url"], platform
            sent[platform] = deliveries(platform)
            # Once for each: whoever is refused often is shut out for a while.
            first = next(iter(sent[platform].values()))
            forged = first.headers | PROOFS[platform][0](OTHER, first.raw)
            assert (await one.knock(first.raw, forged, url=hook))[0] == 401, platform
            for case, each in sent[platform].items():
                for _ in range(2):
                    assert (await one.knock(each.raw, signed(platform, each), url=hook))[0] == 200, (platform, case)
        await one.work()
        kept: list[dict[str, Any]] = []
        cursor: str | None = ""
        while cursor is not None:
            page = await one.api("GET", f"/stores/deliveries?limit=100{cursor}")
            kept += page["data"]
            cursor = f"&cursor={page['next_cursor']}" if page["next_cursor"] else None
        found = Counter((platforms[each["source_id"]], each["state"]) for each in kept)
        setup = Setup(country="TR", currency="TRY")
        assert found == Counter(
            (platform, state_of(platform, each, setup)) for platform, cases in sent.items() for each in cases.values()
        )
        # A form says so where it is one; an order has the number that its file has.
        numbers = {each["number"] for each in await one.orders()}
        assert {"#1001", "#727", "10654411111", "#681900", "A-17"} <= numbers


def state_of(platform: str, one: Delivery, setup: Setup) -> str:
    """Sources here have no mapping, so a delivery that needs one cannot be read."""
    try:
        return "done" if SOURCES[platform].read(one.headers, one.raw, setup) else "ignored"
    except Unreadable:
        return "unreadable"
