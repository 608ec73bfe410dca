"""What a delivery leads to besides its order: what is told of it after the commit, and what waits for people."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.stores.deliveries import SECRET, deliveries, signed
from tests.stores.shops import order, shop

pytestmark = pytest.mark.once


async def test_a_delivery_is_told_of_once_and_so_is_one_that_means_nothing(database_url: str, tmp_path: Path) -> None:
    async with shop(database_url, tmp_path) as one:
        told: list[str] = []
        kept: list[str] = []
        one.works.events.listeners.append(lambda event: told.append(event.event.reference))
        one.works.events.keepers.append(lambda delivery: kept.append(delivery.topic))
        for _ in range(2):
            await one.deliver("order.created", order())
            await one.deliver("product.updated", {"id": 5})
            await one.work()
        assert (told, kept) == (["41"], ["product.updated"])


async def test_only_what_somebody_must_see_to_is_a_task(database_url: str, tmp_path: Path) -> None:
    async with shop(database_url, tmp_path, platform="shopify", secret=SECRET) as one:
        files = deliveries("shopify")
        for case in ("customers_data_request", "checkouts_update"):
            assert await one.knock(files[case].raw, signed("shopify", files[case])) == (200, "ok")
        await one.work()
        found = {each["events"][0]["kind"]: each["events"][0]["outcomes"] for each in await one.deliveries()}
        tasks = {
            kind: [each["what"] for each in outcomes if each["code"] == "task"] for kind, outcomes in found.items()
        }
        assert tasks == {"export_asked": ["export_asked"], "checkout_changed": []}
