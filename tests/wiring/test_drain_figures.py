"""Every drain of the product shows the same figures, so that whoever watches one can watch them all."""

from __future__ import annotations

from tests.crm.pool import pool

DRAINS = {
    "lines", "deliveries", "media", "contact imports", "contact jobs", "contacts index", "orders clock", "print clock", "inbox",
    "photo sizes", "printers", "payment links", "payment signals",
}  # fmt: skip
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


async def test_every_drain_shows_its_figures(database_url: str) -> None:
    async with pool(database_url) as place:
        figures = await place.product.whole.figures()
        for name in COUNTED:
            assert {drain for drain in DRAINS if f'drain_{name}{{drain="{drain}"}}' in figures} == DRAINS
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
