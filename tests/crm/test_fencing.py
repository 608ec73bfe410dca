"""A process that lost its lease brings in no contacts and indexes nothing."""

from __future__ import annotations

import pytest

from tablegram.engine.leases import Leases
from tablegram.engine.owners import Owner
from tablegram.errors import LeaseLost
from tests.crm.pool import Pool, pool


async def take_over(place: Pool, name: str) -> None:
    """Another process takes this one for dead, which does not hear of it."""
    other = Leases(place.db, Owner(place.db))
    await other.free(place.product.owner.id)
    assert await other.hold(name)


async def test_who_lost_the_index_writes_nothing_into_it(database_url: str) -> None:
    async with pool(database_url) as place:
        await place.write("peppermint")
        assert await place.index() == 1
        await place.write("chamomile")
        await take_over(place, "contacts index")
        with pytest.raises(LeaseLost):
            await place.index()
        found = (await place.call("GET", "/contacts", q="chamomile")).json()["data"]
        assert found == []


async def test_who_lost_the_imports_brings_nothing_in(database_url: str) -> None:
    async with pool(database_url) as place:
        made = (await place.call("POST", "/contacts/import", {"csv": "phone,name\n905551110001,Ada\n"})).json()
        path = f"/contacts/imports/{made['id']}"
        assert await place.product.importer.drain.hold()
        await place.call("POST", f"{path}/start", {})
        await take_over(place, "contact imports")
        with pytest.raises(LeaseLost):
            await place.product.importer.step()
        assert (await place.call("GET", path)).json()["done"] == 0
