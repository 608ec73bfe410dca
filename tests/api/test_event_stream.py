"""Listening live, over a real connection: at once, without gaps, and not longer than allowed."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tablegram.accounts.accounts import Accounts
from tablegram.accounts.keys.keys import KeyRing
from tablegram.server.run import build_server
from tablegram.settings import Settings
from tests.api.product_in_process import Running
from tests.engine.waiting import until
from tests.opened_product import OpenedProduct

# The feed is read as far as the database says that nothing can come in between.
pytestmark = pytest.mark.both


# On a machine that does much else beside.
WITHIN_S = 120.0


class Listener:
    """A raw client, so that nothing between hides what is really sent, and when."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.head: dict[str, str] = {}
        self.status = 0

    async def read_head(self) -> None:
        lines = (await asyncio.wait_for(self._reader.readuntil(b"\r\n\r\n"), WITHIN_S)).decode().split("\r\n")
        self.status = int(lines[0].split(" ")[1])
        self.head = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:] if line)}

    async def frame(self, within_s: float = WITHIN_S) -> dict[str, str]:
        """One chunk of the answer, which may hold several frames; the last of each field."""
        return (await self.frames(within_s))[-1]

    async def frames(self, within_s: float = WITHIN_S) -> list[dict[str, str]]:
        size = int(await asyncio.wait_for(self._reader.readuntil(b"\r\n"), within_s), 16)
        text = (await self._reader.readexactly(size + 2)).decode()[:-2]
        if not size:
            return []
        return [dict(line.split(": ", 1) for line in block.split("\n")) for block in text.strip("\n").split("\n\n")]

    async def rest(self, within_s: float = WITHIN_S) -> bytes:
        return await asyncio.wait_for(self._reader.read(), within_s)

    def close(self) -> None:
        self._writer.close()


class Served(Running):
    port: int = 0
    server: Any = None

    @asynccontextmanager
    async def listen(self, query: str = "", *, key: str | None = None, **headers: str) -> AsyncIterator[Listener]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        fields = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        writer.write(
            f"GET /api/v1/events/stream{query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
            f"Authorization: Bearer {key or self.keys[0]}\r\n{fields}\r\n".encode()
        )
        one = Listener(reader, writer)
        try:
            await one.read_head()
            yield one
        finally:
            one.close()


@asynccontextmanager
async def served(database_url: str, folder: Path) -> AsyncIterator[Served]:
    settings = Settings(database_url=database_url, data_dir=folder)
    app = OpenedProduct(settings)
    server = build_server(app, settings)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        task = asyncio.create_task(server.serve([listening]))
        await until(lambda: server.started)
        one = Served(app)
        one.port, one.server = listening.getsockname()[1], server
        ring = KeyRing(app.db, app.box, app.clock, settings)
        for name in ("one", "two"):
            account = await Accounts(app.db, app.clock).create(name)
            one.keys.append((await ring.create(account.id, name="", scopes=["*"])).token)
        try:
            yield one
        finally:
            server.should_exit = True
            await task


def text(frame: dict[str, str]) -> str:
    return str(msgspec.json.decode(frame["data"])["data"]["text"])


async def test_the_head_comes_at_once_and_every_event_as_it_happens(database_url: str, tmp_path: Path) -> None:
    async with served(database_url, tmp_path) as one, one.listen() as listener:
        assert (listener.status, listener.head["content-type"].split(";")[0]) == (200, "text/event-stream")
        assert {"ratelimit", "ratelimit-policy", "x-request-id", "x-api-version"} <= set(listener.head)
        assert listener.head["cache-control"] == "no-store"
        first = await listener.frame()
        assert {"id", "retry"} == set(first)
        for word in ("one", "two\nlines", "çay"):
            await one.tell(word)
            frame = await listener.frame()
            assert (frame["event"], text(frame)) == ("messages.upsert", word)
        feed = (await one.ask("GET", "/events")).json()["data"]
        assert frame["id"] == feed[-1]["cursor"]
        assert msgspec.json.decode(frame["data"]) == feed[-1]["body"]


async def test_a_broken_connection_misses_nothing(database_url: str, tmp_path: Path) -> None:
    async with served(database_url, tmp_path) as one:
        await one.tell("before")
        async with one.listen() as listener:
            start = (await listener.frame())["id"]
            await one.tell("1")
            place = (await listener.frame())["id"]
        await one.tell("2")
        await one.tell("3")
        async with one.listen(Last_Event_ID=place) as listener:
            await listener.frame()
            assert [text(frame) for frame in await listener.frames()] == ["2", "3"]
        # Who lost it before the first event goes on from the place that was told at the beginning.
        async with one.listen(f"?after={start}") as listener:
            await listener.frame()
            assert [text(frame) for frame in await listener.frames()] == ["1", "2", "3"]


async def test_a_listener_hears_its_own_account_and_the_kind_it_asked_for(database_url: str, tmp_path: Path) -> None:
    async with served(database_url, tmp_path) as one, one.listen("?type=messages.update") as listener:
        await listener.frame()
        await one.tell("other account", account=2, kind="messages.update")
        await one.tell("other kind")
        await one.tell("this one", kind="messages.update")
        assert text(await listener.frame()) == "this one"


async def test_events_of_another_process_are_found(database_url: str, tmp_path: Path) -> None:
    async with served(database_url, tmp_path) as one, one.listen() as listener:
        await listener.frame()
        planner = one.api.deliveries.planner
        await one.api.db.put(*planner.plan(1, "messages.upsert", {"event": "messages.upsert", "data": {"text": "x"}}))
        assert text(await listener.frame()) == "x"


async def test_a_stream_ends_by_itself_when_it_was_asked_to(database_url: str, tmp_path: Path) -> None:
    async with served(database_url, tmp_path) as one:
        async with one.listen("?wait_s=0") as listener:
            start = (await listener.frame())["id"]
            assert await listener.frames() == []
        await one.tell("1")
        await one.tell("2")
        async with one.listen(f"?after={start}&wait_s=0") as listener:
            await listener.frame()
            assert [text(frame) for frame in await listener.frames()] == ["1", "2"]
            assert await listener.frames() == []
        async with one.listen("?wait_s=1") as listener:
            await listener.frame()
            assert await listener.frames() == []
        # Longer than any machine takes to tell something.
        async with one.listen("?wait_s=60") as listener:
            await listener.frame()
            await one.tell("3")
            assert text(await listener.frame()) == "3"
        await until(lambda: one.api.feed.listening == 0, "the feed to know that nobody listens")
        for wrong in ("-1", "86401", "x"):
            async with one.listen(f"?wait_s={wrong}") as listener:
                assert listener.status == 422


async def test_a_quiet_stream_beats(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablegram.events.feed.HEARTBEAT_S", 0.2)
    monkeypatch.setattr("tablegram.events.feed.LOOK_EVERY_S", 0.1)
    async with served(database_url, tmp_path) as one, one.listen() as listener:
        await listener.frame()
        for _ in range(2):
            assert await listener.frame() == {"": "still here"}


async def test_a_revoked_key_hears_nothing_more(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablegram.events.feed.LOOK_EVERY_S", 0.1)
    monkeypatch.setattr("tablegram.accounts.keys.keys.CALLER_LIFETIME_S", 0.2)
    async with served(database_url, tmp_path) as one:
        made = (await one.ask("POST", "/keys", {"scopes": ["events:read"]})).json()
        async with one.listen(key=made["key"]) as listener:
            await listener.frame()
            await one.ask("DELETE", f"/keys/{made['id']}")
            assert await listener.frames() == []


async def test_a_listener_who_leaves_is_forgotten(database_url: str, tmp_path: Path) -> None:
    async with served(database_url, tmp_path) as one:
        async with one.listen() as listener:
            await listener.frame()
            assert one.api.feed.listening == 1
        await until(lambda: one.api.feed.listening == 0)


async def test_wrong_places_keys_and_too_many_streams_are_refused_as_problems(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablegram.events.feed.MAX_STREAMS", 1)
    async with served(database_url, tmp_path) as one:
        for query, headers in (("?after=x", {}), ("", {"Last_Event_ID": "nonsense!"}), ("?type=nothing", {})):
            async with one.listen(query, **headers) as listener:
                assert (listener.status, listener.head["content-type"]) == (422, "application/problem+json")
        async with one.listen(key="tg_live_nobody") as listener:
            assert listener.status == 401
        async with one.listen() as first:
            await first.frame()
            async with one.listen() as second:
                assert (second.status, b"too_many_streams" in await second.rest()) == (429, True)


async def test_the_server_ends_at_once_whoever_listens(database_url: str, tmp_path: Path) -> None:
    async with served(database_url, tmp_path) as one, one.listen() as listener:
        await listener.frame()
        started = time.monotonic()
        one.server.should_exit = True
        assert await listener.frames() == []
        # A limit for what never ends, not a measurement: without an end of streams it would be the grace time, 6 s.
        assert time.monotonic() - started < 5.5
