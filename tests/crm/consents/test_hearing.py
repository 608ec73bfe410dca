"""Who writes STOP hears no advertising any more: noted with its proof, confirmed once, and never in the way of an order."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from tablegram.crm import contacts
from tablegram.crm.consent import ledger
from tablegram.crm.consent.asking import may_write
from tablegram.flows.gateway.queueing import Way
from tablegram.messaging.model import Text
from tablegram.storage.database import Query
from tablegram.storage.tables import events
from tablegram.wiring.areas.gateway import LineWorks
from tests.crm.pool import OTHER, PHONE, Pool, pool
from tests.restaurant.flows.house import House, house

pytestmark = pytest.mark.later

_EVENTS = Query(select(events.c.type).where(events.c.account_id == 1).order_by(events.c.seq))


async def _words(one: Any, contact_id: str) -> list[tuple[str, str, str]]:
    words = await one.db.snapshot(lambda tx: ledger.of_contact(tx, 1, contact_id))
    return [(word.purpose, word.state, word.source) for word in words]


async def _said(one: Pool) -> list[str]:
    return [row["text"] for row in await one.messages("out")]


async def test_stop_is_noted_with_its_message_confirmed_once_and_taken_back_by_start(database_url: str) -> None:
    async with pool(database_url) as one:
        # Nobody agrees by a word that also begins a conversation.
        await one.write("start")
        contact_id = (await one.contact())["id"]
        assert (await _words(one, contact_id), await _said(one)) == ([], [])
        await one.write("Stop!", network_id="wamid.stop")
        (word,) = await one.db.snapshot(lambda tx: ledger.of_contact(tx, 1, contact_id))
        (message,) = [row for row in await one.messages("in") if row["network_id"] == "wamid.stop"]
        assert (word.state, word.source, word.proof) == ("denied", "message", f"gw.{message['id']}")
        assert (await one.contact())["consent"]["state"] == "denied"
        (told,) = await _said(one)
        assert "BAŞLA" in told
        # Again: noted, and not confirmed within a day.
        one.clock.advance(3_600)
        await one.write("STOP")
        assert (len(await _words(one, contact_id)), len(await _said(one))) == (2, 1)
        one.clock.advance(86_400)
        await one.write("mesaj istemiyorum")
        assert (len(await _words(one, contact_id)), len(await _said(one))) == (3, 2)
        assert await one.db.snapshot(lambda tx: may_write(tx, 1, contact_id, "marketing")) == "opted_out"
        assert await one.db.snapshot(lambda tx: may_write(tx, 1, contact_id, "orders")) is None
        # Both at once, in one second of the network's: what was written last holds.
        await one.write("BAŞLA")
        assert (await one.contact())["consent"]["state"] == "granted"
        assert len(await _said(one)) == 3
        tap = {
            "from": PHONE,
            "id": "wamid.tap",
            "type": "button",
            "button": {"payload": "tg:stop", "text": "No offers"},
        }
        await one.receive({**tap, "timestamp": str(one.clock.now_ms() // 1_000)}, people=[{"wa_id": PHONE}])
        assert (await _words(one, contact_id))[-1] == ("marketing", "denied", "button")
        assert (await one.contact())["consent"]["state"] == "denied"
        assert [row["type"] for row in await one.db.all(_EVENTS) if row["type"].startswith("contact.opted")] == [
            "contact.opted_out", "contact.opted_in", "contact.opted_out",
        ]  # fmt: skip
        # What came late was said before; it is kept, and does not hold.
        await one.write("start", ago_s=7_200)
        assert (await one.contact())["consent"]["state"] == "denied"
        assert len(await _said(one)) == 4


async def test_words_of_orders_keep_their_meaning_while_there_is_one(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("iki lahmacun lütfen")
        await one.write("iptal")
        assert await _consent(one, PHONE) == "unknown"
        # To a question about an order this is both: the order hears it, and nothing is advertised.
        await one.write("iki lahmacun lütfen", OTHER)
        before = len(await one.said(OTHER))
        await one.write("stop", OTHER)
        assert await _consent(one, OTHER) == "denied"
        assert len(await one.said(OTHER)) == before + 2
        # Who ordered is told of the order, whatever they said of advertising.
        await one.write("iki lahmacun masa 5", OTHER)
        assert len(await one.placed()) == 1
        assert len(await one.said(OTHER)) == before + 3
        # Where advertising came last, and there is no order, the same words are about that.
        third = "905551112299"
        await one.write("dur", third)
        assert await _consent(one, third) == "unknown"
        assert one.venue.instance_id is not None
        way, queue = Way(1, one.venue.instance_id, "cloud"), one.product.of(LineWorks).queue
        for phone in (third, OTHER):
            await one.db.write(
                lambda tx, phone=phone: queue.put(
                    tx, way, phone, Text("50 %!"), one.clock.now_ms(), category="marketing"
                )  # type: ignore[misc]
            )
            await one.write("dur", phone)
        assert await _consent(one, third) == "denied"
        other = await one.db.write(lambda tx: contacts.of_phone(tx, 1, OTHER))
        assert other is not None
        assert await _words(one, other["id"]) == [("marketing", "denied", "message")]


async def _consent(one: House, phone: str) -> str:
    row = await one.db.write(lambda tx: contacts.of_phone(tx, 1, phone))
    assert row is not None
    return str(row["consent"])
