"""A scope opens what it names, and not what belongs to another one that happens to lie beside it."""

from __future__ import annotations

from pathlib import Path

from tablegram.accounts.keys.keys import KeyRing
from tests.api.product_in_process import Running, product
from tests.events.receiver import receiver


async def key_with(one: Running, *scopes: str) -> str:
    made = one.api
    return (await KeyRing(made.db, made.box, made.clock, made.settings).create(1, name="", scopes=list(scopes))).token


async def test_what_lies_beside_a_scope_needs_its_own(database_url: str, tmp_path: Path) -> None:
    async with product(database_url, tmp_path) as one:
        made = await one.ask("POST", "/contacts", {"phone": "905551112233", "name": "Ayşe"})
        contact = f"/contacts/{made.json()['id']}"
        contacts = await key_with(one, "contacts:read")
        for path, other in ((f"{contact}/messages", "messages:read"), (f"{contact}/orders", "restaurant:read")):
            refused = await one.ask("GET", path, key=contacts)
            assert (refused.status, refused.json()["code"]) == (403, "scope_missing"), path
            assert other in refused.json()["detail"]
            both = await key_with(one, "contacts:read", other)
            assert (await one.ask("GET", path, key=both)).status == 200, path

        whole = await key_with(one, "contacts:read", "restaurant:read")
        for key, shown in ((contacts, False), (whole, True)):
            exported = (await one.ask("GET", "/contacts/export", key=key)).json()["data"]
            assert ("orders" in exported[0]) is shown
            heading = (await one.ask("GET", "/contacts/export?format=csv", key=key)).body.decode().splitlines()[0]
            assert ("last_order_at" in heading) is shown


async def test_what_a_delivery_told_is_for_who_may_read_events(database_url: str, tmp_path: Path) -> None:
    async with receiver() as there, product(database_url, tmp_path) as one:
        endpoint = (await one.ask("POST", "/webhooks", {"url": there.url, "events": ["*"]})).json()
        told = (await one.ask("POST", f"/webhooks/{endpoint['id']}/test")).json()
        path = f"/deliveries/{told['id']}"
        managing = await key_with(one, "webhooks:manage")
        reading = await key_with(one, "webhooks:manage", "events:read")
        hidden = await one.ask("GET", path, key=managing)
        assert (hidden.status, hidden.json()["body"]) == (200, None)
        assert (await one.ask("GET", path, key=reading)).json()["body"]["event"] == "webhook.test"
