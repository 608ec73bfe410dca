"""Whoever turns out to be one person has all that was theirs, whatever the callback is otherwise about."""

from __future__ import annotations

from typing import Any

import pytest

from tablegram.delivery.addresses import keeping as addresses
from tests.flows.callbacks import receive
from tests.flows.test_callback_meanings import edit, people, revoke, text, value
from tests.messaging.gateway import PHONE, gateway

BOTH = {"from": PHONE, "from_user_id": "TR.1"}
OLD = {**text("wamid.old", at=1790000000), **BOTH}

# What comes before the two are known to be one, and what says so.
WAYS: dict[str, tuple[list[bytes], bytes]] = {
    "written": ([], value(messages=[{**text("wamid.9"), **BOTH}])),
    "taken back before it came": ([], value(messages=[{**revoke("wamid.9", 1794709700), **BOTH}])),
    "taken back": ([], value(messages=[{**revoke("wamid.1", 1794709700), **BOTH}])),
    "changed, but taken back already": (
        [value(messages=[revoke("wamid.1", 1794709600)])],
        value(messages=[{**edit("wamid.1", "x", 1794709700), **BOTH}]),
    ),
    "written long ago": ([], value("history", history=[{"threads": [{"id": PHONE, "messages": [OLD]}]}])),
    "written long ago, and known": (
        [value("history", history=[{"threads": [{"id": PHONE, "messages": [{**OLD, "from_user_id": None}]}]}])],
        value("history", history=[{"threads": [{"id": PHONE, "messages": [OLD]}]}]),
    ),
}


@pytest.mark.parametrize("way", WAYS)
async def test_what_two_had_who_turn_out_to_be_one_is_theirs(database_url: str, way: str) -> None:
    before, joining = WAYS[way]
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        hidden: dict[str, Any] = {**text("wamid.2"), "from": None, "from_user_id": "TR.1"}
        for raw in (value(messages=[text("wamid.1")]), value(messages=[hidden]), *before):
            await receive(one, line, raw)
        gone = next(contact for contact, names in (await people(one)).items() if names == ["TR.1"])
        now = one.clock.now_ms()
        await one.db.write(lambda tx: addresses.note_use(tx, 1, gone, "Moda Caddesi 12", None, now))
        await receive(one, line, joining)
        ((kept, names),) = (await people(one)).items()
        assert names == [PHONE, "TR.1"]
        found = await one.db.snapshot(lambda tx: addresses.every(tx, 1, kept))
        assert [address.address for address in found] == ["Moda Caddesi 12"]
