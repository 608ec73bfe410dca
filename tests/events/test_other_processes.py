"""Two processes on one database: what happens in one is on the pages and streams of the other at once, without a look."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tablegram.events import feed
from tablegram.panel.live import MAX_IDS, Live
from tests.events.office import Office, office

pytestmark = pytest.mark.shared


async def allowed() -> bool:
    return True


@asynccontextmanager
async def process(database_url: str) -> AsyncIterator[Office]:
    async with office(database_url) as one:
        one.tasks.keep("bus", one.bus.attend)
        yield one


async def heard(stream: AsyncIterator[bytes], wanted: bytes, tell: Callable[[], Any]) -> list[bytes]:
    """Tell it until it is heard: whoever has just begun to listen may have missed the first time."""
    frames: list[bytes] = []

    async def listen() -> None:
        async for frame in stream:
            frames.append(frame)
            if wanted in frame:
                return

    listening = asyncio.create_task(listen())
    async with asyncio.timeout(40):
        while not listening.done():
            told = tell()
            if asyncio.iscoroutine(told):
                await told
            await asyncio.wait({listening}, timeout=0.5)
    await listening
    return frames


async def test_a_change_is_heard_by_the_pages_and_streams_of_the_other_process(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nobody finds it by looking.
    monkeypatch.setattr(feed, "LOOK_EVERY_S", 600.0)
    monkeypatch.setattr(feed, "HEARTBEAT_S", 600.0)
    async with process(database_url) as one, process(database_url) as other:
        here, there = Live(one.feed, one.bus), Live(other.feed, other.bus)
        page = await there.open(1, allowed)
        assert b"ready" in await anext(page)
        frames = await heard(page, b'{"topic":"orders","ids":["A-7"]}', lambda: here.notice(1, "orders", ["A-7"]))
        # What another account changed is nobody else's business.
        here.notice(2, "orders", ["foreign"])
        many = [f"order {number} " + "ş" * 300 for number in range(MAX_IDS + 9)]
        here.notice(1, "orders", many)
        frames += await heard(page, b'"menu"', lambda: here.notice(1, "menu", ["v"]))
        assert not any(b"foreign" in frame for frame in frames)
        stream = await other.feed.open(1, None, None, allowed)
        await anext(stream)
        await heard(stream, b"seen elsewhere", lambda: one.tell("seen elsewhere"))
