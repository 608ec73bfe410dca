"""Every drain of the product shows the same figures, so that whoever watches one can watch them all."""

from __future__ import annotations

from typing import Any

from tablegram.engine.drains import Drain, KeyedDrain
from tests.crm.pool import pool
from tests.opened_product import OpenedProduct

COUNTED = ("keys", "under_way", "looks_total", "errors_total")
# The others have no rows of their own to count.
DEEP = {
    "lines",
    "deliveries",
    "media",
    "contact imports",
    "contact jobs",
    "print clock",
    "photo sizes",
    "payment links",
    "automations",
    "campaigns",
}
# With all that an installation can have: a language model, which is not asked here, and the sandbox's printers.
EVERYTHING: dict[str, Any] = {"reader_url": "http://127.0.0.1:9/v1", "reader_model": "a-model", "sandbox": True}


def drains_of(product: OpenedProduct) -> set[str]:
    """Whatever the product keeps running, as far as it is a drain."""
    runners = [getattr(task.run, "__self__", None) for task in product.whole.tasks.values()]
    return {runner.name for runner in runners if isinstance(runner, (Drain, KeyedDrain))}


async def test_every_drain_shows_its_figures(database_url: str) -> None:
    async with pool(database_url, without=(), **EVERYTHING) as place:
        figures = await place.product.whole.figures()
        drains = drains_of(place.product)
        # Drains that are not run by a task of their own would not be seen.
        assert {"inbox", "lines", "reader", "sandbox printers"} | DEEP <= drains
        for name in COUNTED:
            shown = {key.split('"')[1] for key in figures if key.startswith(f"drain_{name}{{")}
            assert shown == drains, name
        for name in ("waiting", "oldest_seconds"):
            found = {key.split('"')[1]: value for key, value in figures.items() if key.startswith(f"drain_{name}{{")}
            assert found == dict.fromkeys(DEEP, 0)


async def test_what_waits_is_counted_and_its_age_told(database_url: str) -> None:
    async with pool(database_url) as place:
        made = (await place.call("POST", "/contacts/import", {"csv": "phone;name\n905551112233;Ayşe\n"})).json()
        await place.call("POST", f"/contacts/imports/{made['id']}/start", {})
        place.clock.advance(90)
        figures = await place.product.whole.figures()
        assert figures['drain_waiting{drain="contact imports"}'] == 1
        assert figures['drain_oldest_seconds{drain="contact imports"}'] >= 90


async def test_a_delivery_that_waits_tells_its_age_by_the_id_of_its_event(database_url: str) -> None:
    async with pool(database_url) as place:
        endpoint = {"url": "https://receiver.example.com/", "events": ["*"]}
        made = (await place.call("POST", "/webhooks", endpoint)).json()
        assert (await place.call("POST", f"/webhooks/{made['id']}/test", {})).status in (200, 201, 202)
        figures = await place.product.whole.figures()
        assert figures['drain_waiting{drain="deliveries"}'] == 1
        assert figures['drain_oldest_seconds{drain="deliveries"}'] >= 0
