"""An erasure reaches every table that holds something of a person; a new one must be reached, or say why not."""

from __future__ import annotations

import pytest

from tablegram.storage.tables import metadata
from tablegram.wiring.parts import PARTS
from tests.crm.pool import pool
from tests.flows.reaching import watch

pytestmark = pytest.mark.once

# What is called so says who somebody is, or leads there.
TELLING = {"contact_id", "phone", "customer_phone", "address", "customer_name"}
# Nobody's data, or gone by itself, and why.
NOT_REACHED = {
    "erasures": "the proof that it was done holds the id alone",
    "data_links": "its holder sees the proof until the link ends; it holds the id alone",
    "couriers": "people of the team",
    "waiters": "people of the team",
    # Figures under an id that leads to nobody any more.
    **dict.fromkeys(
        ("customer_figures", "customer_orders", "customer_tallies"), "what was bought, nameless like the orders"
    ),
    **dict.fromkeys(("campaign_clicks", "campaign_sends"), "that something was sent, for the report's sums"),
    **dict.fromkeys(
        ("loyalty_coupons", "loyalty_members", "loyalty_movements", "loyalty_redemptions"), "sums of the programme"
    ),
}


def _without_a_writer() -> set[str]:
    """Tables of a domain that no part brings: nobody writes to them."""
    parts = {part.name for part in PARTS}
    return {name for name in metadata.tables if name.startswith("automation_") and "automations" not in parts}


async def test_every_table_with_something_of_a_person_is_reached(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached = watch(monkeypatch)
    async with pool(database_url) as one:
        await one.write("my data")
        contact_id = (await one.contact())["id"]
        reached.clear()
        assert (await one.call("DELETE", f"/contacts/{contact_id}")).status == 200
    holding = {table.name for table in metadata.sorted_tables if TELLING & set(table.c.keys())}
    forgotten = sorted(holding - reached - set(NOT_REACHED) - _without_a_writer())
    assert not forgotten, (
        f"{', '.join(forgotten)}: say what becomes of a person's rows. Give the part a `Reach` that deletes them or makes them "
        "nobody's (`reaches` of its Contribution), move them in its `merge`, or name the table in NOT_REACHED with the reason"
    )
    assert set(NOT_REACHED) <= holding
