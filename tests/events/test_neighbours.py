"""Two processes on one database: what happens in one is on the pages and streams of the other at once, without a look."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tablegram.events import feed
from tablegram.panel.live import MAX_IDS, Live
from tablegram.storage import neighbours
from tablegram.storage.neighbours import PostgresNeighbours
from tests.events.office import Office, office
from tests.storage.opened import opened

pytestmark = pytest.mark.shared


async def allowed() -> bool:
    return True


@asynccontextmanager
async def process(database_url: str) -> AsyncIterator[Office]:
    async with office(database_url) as one:
        one.tasks.keep("neighbours", one.db.neighbours.attend)
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
        here, there = Live(one.db, one.feed), Live(other.db, other.feed)
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


async def test_whoever_lost_the_server_hears_again_and_words_of_others_harm_nobody(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbours, "TRY_AGAIN_S", 0.05)
    async with opened(database_url) as one, opened(database_url) as other:
        assert isinstance(other.neighbours, PostgresNeighbours)
        connect, connections = other.neighbours._connect, []

        async def kept() -> Any:
            connections.append(await connect())
            return connections[-1]

        monkeypatch.setattr(other.neighbours, "_connect", kept)
        words: list[str] = []
        rung = asyncio.Event()

        def note(word: str) -> None:
            words.append(word)
            rung.set()
            assert word != "nonsense"

        other.neighbours.listen(note)
        tasks = [asyncio.create_task(db.neighbours.attend()) for db in (one, other)]

        async def until_heard(word: str) -> None:
            async with asyncio.timeout(40):
                while word not in words:
                    rung.clear()
                    one.neighbours.tell(word)
                    await asyncio.wait({asyncio.ensure_future(rung.wait())}, timeout=0.5)

        await until_heard("nonsense")
        connections[0].terminate()
        await until_heard("after the loss")
        # Nobody hears itself, and what does not fit goes in several.
        other.neighbours.tell("own")
        for number in range(40):
            one.neighbours.tell(f"{number} " + "x" * 500)
        one.neighbours.tell("y" * neighbours.MAX_BYTES)
        await until_heard("the end")
        assert {f"{number} " + "x" * 500 for number in range(40)} <= set(words)
        assert "own" not in words
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
