"""Which line a callback is about, and what becomes of that line: one that is new is not overlooked, one that is well is
left alone."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from sqlalchemy import select

from tablegram.storage.tables import media
from tablegram.values.watching import spans
from tests.flows.callbacks import receive, status
from tests.flows.test_callback_meanings import text, value
from tests.messaging.gateway import body, gateway

pytestmark = pytest.mark.once


async def test_what_comes_for_a_line_that_was_added_a_moment_ago_by_the_address_of_another_is_not_lost(
    database_url: str,
) -> None:
    async with gateway(database_url) as one:
        called = await one.add_line("cloud", number="98", app_secret="s")
        # The lines of the account are known from here on, and not asked for again so soon.
        await receive(one, called, value(number="98", messages=[text("wamid.1")]))
        fresh = await one.add_line("cloud", number="99", app_secret="s")
        await receive(one, called, value(number="99", messages=[text("wamid.2")]))
        lines = {row["network_id"]: row["instance_id"] for row in await one.rows()}
        assert lines == {"wamid.1": called.instance.id, "wamid.2": fresh.instance.id}


async def test_only_a_trouble_of_a_line_of_ours_has_that_line_looked_at(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        suspected: list[int] = []
        monkeypatch.setattr(one.watch, "suspect", suspected.append)
        trouble = {"code": 130429, "title": "Rate limit hit"}
        await receive(one, line, value(messages=[text("wamid.1")]))
        await receive(one, line, value(number="77", errors=[trouble]))
        assert suspected == []
        await receive(one, line, value(errors=[trouble]))
        assert suspected == [line.instance.id]


async def test_each_step_that_the_network_reports_is_on_the_trail_of_its_message_once(
    database_url: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        network_id = body(await one.send())["message_id"]
        reports: list[tuple[str, str]] = []

        def begin(name: str, trace: str | None, *, message_id: str, state: str) -> None:
            assert name == "report"
            reports.append((message_id, state))

        monkeypatch.setattr(spans, "begin", begin)
        with caplog.at_level(logging.INFO, "tablegram.trail"):
            for word in ("delivered", "delivered", "read"):
                await status(one, line, network_id, word)
        told = [record for record in caplog.records if record.msg.startswith("message reported")]
        assert [record.msg for record in told] == ["message reported delivered", "message reported read"]
        key = "gw." + (await one.row())["id"]
        assert {vars(record)["facts"]["message_id"] for record in told} == {key}
        assert reports == [(key, "delivered"), (key, "read")]


async def test_a_picture_without_its_file_is_a_message_all_the_same(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        bare: dict[str, Any] = {**text("wamid.1"), "type": "image"}
        await receive(one, line, value(messages=[bare, text("wamid.2")]))
        assert [row["network_id"] for row in await one.rows()] == ["wamid.1", "wamid.2"]
        assert await one.db.all(select(media).where(media.c.account_id == 1)) == []
