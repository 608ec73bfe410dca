"""A message that is accepted: whom it may overtake, whose call it is of, and that it is told once."""

from __future__ import annotations

import asyncio
import logging

import pytest

from tablegram.engine.idempotency import Call
from tablegram.errors import Conflict
from tablegram.flows.gateway.sending import Draft
from tablegram.media import store as media_store
from tablegram.media.files import UPLOADED
from tablegram.messaging.model import Text
from tablegram.messaging.ports import Delayed
from tablegram.messaging.store import messages as store
from tablegram.messaging.transmission import recovery
from tablegram.storage.database import Database
from tablegram.values.clock import HOUR_MS
from tablegram.values.watching import trail
from tests.engine.waiting import settle
from tests.messaging.gateway import OTHER, PHONE, gateway


async def test_where_the_database_is_shared_nobody_overtakes_what_another_process_stored(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        await one.send(PHONE, "the line is ours")
        await one.until_states("sent")
        monkeypatch.setattr(Database, "is_shared", property(lambda db: True))
        said = ["the line is ours"]
        for phone, call in ((PHONE, Call("/messages/send")), (OTHER, Call("/messages/send", "k1", "f1"))):
            earlier = Draft(phone=phone, content=Text("earlier"), type="text", text="earlier")
            await one.db.put((store.INSERT, one.sending._row(one.caller, earlier, line, "", inline=False)))
            await one.send(phone, "later", call=call)
            said += ["earlier", "later"]
            await one.until_said(line, *said)


async def test_a_message_names_the_call_that_brought_it(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line()
        await one.send(PHONE, call=Call("/messages/send", request_id="r1"))
        await one.send(OTHER)
        assert [row["trace"] for row in await one.rows()] == ["r1", None]


async def test_a_call_that_comes_twice_at_once_is_accepted_once(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    # A server that ran here before may have switched the trail off.
    caplog.set_level(logging.INFO, logger=trail.log.name)
    async with gateway(database_url) as one:
        await one.add_line()
        calls = [one.send(call=Call("/messages/send", "k1", "f1", request_id="r1")) for _ in range(3)]
        # Who comes second may be told that the first is still under way.
        await asyncio.gather(*calls, return_exceptions=True)
        assert [record.getMessage() for record in caplog.records].count("message accepted") == 1


async def test_every_sweep_finds_what_waits_since_the_clock_was_set_back(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recovery, "SWEEP_S", 0.01)
    async with gateway(database_url) as one:
        line = await one.add_line()
        one.network(line).script.append(Delayed("busy", "Later.", 3_600, "recipient"))
        await one.send(PHONE, "tried")
        await settle()
        one.clock.at_ms -= 2 * HOUR_MS
        sweeping = asyncio.ensure_future(one.recovery.sweep_forever())
        try:
            await one.until_said(line, "tried", "tried")
        finally:
            sweeping.cancel()
            await asyncio.gather(sweeping, return_exceptions=True)


async def test_a_file_that_was_uploaded_goes_with_one_message(database_url: str) -> None:
    async with gateway(database_url) as one:
        await one.add_line()
        now = one.clock.now_ms()
        uploaded = {
            "account_id": 1, "id": "med_up", "message_key": "", "instance_id": UPLOADED, "event_id": "", "kind": "image",
            "network_media_id": "", "state": "kept", "mime_type": "image/png", "filename": "a.png", "sha256": "",
            "size": 9, "path": "1/med_up", "created_at": now, "kept_at": now,
        }  # fmt: skip
        await one.db.put((media_store.INSERT_UPLOADED, uploaded))
        await one.send(PHONE, media_id="med_up")
        row = await one.db.first(media_store.GET, {"b_account": 1, "b_id": "med_up"})
        assert row is not None
        assert row["message_key"] == (await one.row())["id"]
        with pytest.raises(Conflict) as refused:
            await one.send(OTHER, media_id="med_up")
        assert refused.value.code == "media_used"
