"""How a server ends: it says so while it still answers, and cuts nobody off who was there in time; over real sockets."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from types import SimpleNamespace
from typing import Any

import pytest

from tablegram.server import run
from tablegram.server.leaving import HURRY
from tablegram.server.run import Server, build_server
from tablegram.server.siblings import Sibling, stand_at
from tablegram.settings import Settings
from tablegram.wiring.lifespan import follow_server

# Longer than any test lasts: what ends before has not waited for it.
FOR_EVER_S = 300.0
# A limit for what never happens.
WITHIN_S = 60.0
ASKED = b"POST /here HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody"


class House:
    """Answers with what it was sent; `/slow` is answered when it is let go on. Without `may_stop` it takes long to stop."""

    def __init__(self) -> None:
        self.told_to_leave = self.is_stopping = self.has_stopped = False
        self.asked = asyncio.Event()
        self.may_go_on = asyncio.Event()
        self.may_stop = asyncio.Event()
        self.may_stop.set()

    def leave(self) -> None:
        self.told_to_leave = True

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await follow_server(self._start, self._stop, receive, send)
            return
        self.asked.set()
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        if scope["path"] == "/slow":
            await self.may_go_on.wait()
        headers = [(b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _start(self) -> None:
        return None

    async def _stop(self) -> None:
        self.is_stopping = True
        await self.may_stop.wait()
        self.has_stopped = True


class Open:
    """A house with its door open."""

    def __init__(self, house: House, server: Server, listener: socket.socket) -> None:
        self.house, self.server = house, server
        self.listener = listener
        self.callers: list[Caller] = []
        self.port = listener.getsockname()[1]
        self.serving: asyncio.Task[None] = asyncio.create_task(server.serve(sockets=[listener]))

    def tell(self) -> None:
        """What a service manager does."""
        self.server.handle_exit(signal.SIGTERM, None)

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(WITHIN_S):
            while not condition():
                await asyncio.sleep(0.01)

    async def begins_to_leave(self) -> None:
        self.tell()
        await self.until(lambda: self.house.told_to_leave)

    async def ends(self) -> None:
        async with asyncio.timeout(WITHIN_S):
            await self.serving

    async def call(self) -> Caller:
        self.callers.append(Caller(*await asyncio.open_connection("127.0.0.1", self.port)))
        return self.callers[-1]

    def is_closed(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) != 0


class Caller:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    def say(self, what: bytes) -> None:
        self.writer.write(what)

    async def hear(self) -> tuple[bytes, bool]:
        """The body of an answer, and whether it said that it is the last one here."""
        async with asyncio.timeout(WITHIN_S):
            head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
            found = re.search(rb"content-length: (\d+)", head)
            assert found, head
            assert b" 200 " in head, head
            return await self.reader.readexactly(int(found[1])), b"connection: close" in head

    async def is_let_go(self) -> bool:
        """Nothing more comes: the connection has ended, in order."""
        async with asyncio.timeout(WITHIN_S):
            return await self.reader.read() == b""


@asynccontextmanager
async def opened(leave_s: float) -> AsyncIterator[Open]:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    house = House()
    made = Open(house, build_server(house, Settings(leave_s=leave_s), head_within_s=FOR_EVER_S), listener)
    await made.until(lambda: made.server.started)
    try:
        yield made
    finally:
        house.may_go_on.set()
        house.may_stop.set()
        made.server.should_exit = True
        made.server._leaving.hurry()
        await made.ends()
        for caller in made.callers:
            caller.writer.close()


@pytest.fixture
def no_signals(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was caught is not raised again when the server has ended: that would end the run."""
    monkeypatch.setattr(signal, "raise_signal", lambda number: None)


pytestmark = pytest.mark.usefixtures("no_signals")


async def test_who_leaves_still_answers_and_says_that_it_is_the_last_answer() -> None:
    async with opened(FOR_EVER_S) as door:
        kept, slow = await door.call(), await door.call()
        kept.say(ASKED)
        assert await kept.hear() == (b"body", False)
        slow.say(ASKED.replace(b"/here", b"/slow"))
        await door.until(lambda: len(door.server.server_state.tasks) == 1)
        await door.begins_to_leave()
        kept.say(ASKED)
        assert await kept.hear() == (b"body", True)
        assert await kept.is_let_go()
        fresh = await door.call()
        fresh.say(ASKED)
        assert await fresh.hear() == (b"body", True)
        assert await fresh.is_let_go()
        # Also what was under way before says so.
        door.house.may_go_on.set()
        assert await slow.hear() == (b"body", True)
        assert not door.serving.done()


async def test_after_its_time_it_is_gone() -> None:
    async with opened(0.05) as door:
        idle = await door.call()
        door.tell()
        await door.ends()
        assert door.house.told_to_leave
        assert door.house.has_stopped
        assert door.is_closed()
        assert await idle.is_let_go()


async def test_without_a_time_it_ends_at_once() -> None:
    async with opened(0) as door:
        idle = await door.call()
        idle.say(ASKED)
        await idle.hear()
        door.tell()
        await door.ends()
        assert not door.house.told_to_leave
        assert door.house.has_stopped
        assert await idle.is_let_go()


async def test_what_has_begun_to_come_is_answered_after_the_port_has_closed() -> None:
    async with opened(0) as door:
        # However long this test takes to say the rest.
        door.server.grace_s = FOR_EVER_S
        line, body, again = await door.call(), await door.call(), await door.call()
        again.say(ASKED)
        await again.hear()
        # Half a first line; half a body; half a line of a second request.
        line.say(ASKED[:10])
        body.say(ASKED[:-2])
        again.say(ASKED[:10])
        await door.until(lambda: len(door.server.server_state.tasks) == 1)
        await door.until(lambda: sum(one._seen_bytes == 10 for one in door.server.server_state.connections) == 2)  # type: ignore[union-attr]
        door.tell()
        await door.until(door.is_closed)
        for one, rest in ((line, ASKED[10:]), (body, ASKED[-2:]), (again, ASKED[10:])):
            one.say(rest)
            assert await one.hear() == (b"body", True)
            assert await one.is_let_go()
        await door.ends()


@pytest.mark.parametrize("comes_again", [False, True])
async def test_what_has_begun_to_come_and_does_not_end_is_not_answered_by_a_product_that_has(
    caplog: pytest.LogCaptureFixture, comes_again: bool
) -> None:
    async with opened(0) as door:
        door.server.grace_s = 0.05
        door.house.may_stop.clear()
        late = await door.call()
        if comes_again:
            late.say(ASKED)
            await late.hear()
            door.house.asked.clear()
        late.say(ASKED[:10])
        await door.until(lambda: any(one._seen_bytes == 10 for one in door.server.server_state.connections))  # type: ignore[union-attr]
        door.tell()
        await door.until(lambda: door.house.is_stopping)
        late.say(ASKED[10:])
        # Who speaks to nobody may be reset.
        with suppress(ConnectionError):
            assert await late.is_let_go()
        assert not door.house.asked.is_set()
        assert [record.message for record in caplog.records if record.levelno >= logging.ERROR] == []
        door.house.may_stop.set()
        await door.ends()


async def test_what_was_said_before_the_port_closes_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    # However slowly a busy machine takes them.
    monkeypatch.setattr(run, "LAST_LOOKS_S", WITHIN_S)
    async with opened(0) as door:
        door.server.grace_s = FOR_EVER_S
        kept = socket.create_connection(("127.0.0.1", door.port), WITHIN_S)
        kept.sendall(ASKED)
        await door.until(lambda: door.server.server_state.total_requests == 1)
        assert kept.recv(65_536).endswith(b"body")
        # From here to the end the server does not get its turn: all of this waits in the system.
        kept.sendall(ASKED)
        # Each pass of the loop takes one of those who call, and there are more of them than it makes for one.
        fresh = [socket.create_connection(("127.0.0.1", door.port), WITHIN_S) for _ in range(20)]
        for one in fresh:
            one.sendall(ASKED)
        await door.server.shutdown([door.listener])
        for one in (kept, *fresh):
            with one:
                one.settimeout(WITHIN_S)
                heard = await asyncio.to_thread(one.recv, 65_536)
                assert heard.startswith(b"HTTP/1.1 200"), heard
                assert b"connection: close" in heard
        door.serving.cancel()
        await asyncio.wait([door.serving])
        door.serving = asyncio.create_task(asyncio.sleep(0))


async def test_told_again_it_waits_for_nobody_and_hands_over_all_the_same() -> None:
    async with opened(FOR_EVER_S) as door:
        door.server.grace_s = FOR_EVER_S
        slow = await door.call()
        slow.say(ASKED.replace(b"/here", b"/slow"))
        await door.house.asked.wait()
        await door.begins_to_leave()
        door.tell()
        await door.ends()
        assert door.house.has_stopped
        assert door.is_closed()


async def test_told_again_while_it_waits_for_answers_it_waits_no_more() -> None:
    async with opened(0) as door:
        door.server.grace_s = FOR_EVER_S
        slow = await door.call()
        slow.say(ASKED.replace(b"/here", b"/slow"))
        await door.house.asked.wait()
        door.tell()
        await door.until(door.is_closed)
        door.tell()
        await door.ends()
        assert door.house.has_stopped


@pytest.mark.parametrize("platform", ["linux", "darwin"])
async def test_of_several_that_share_a_port_each_is_told_twice_and_hears_it_once(
    monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    """A terminal and a service manager tell all of them, and so does the one that watches over them."""
    monkeypatch.setattr("tablegram.server.siblings.sys", SimpleNamespace(platform=platform))
    monkeypatch.setattr("tablegram.server.siblings._place", None)
    stand_at(Sibling(1, 0, 2))
    async with opened(FOR_EVER_S) as door:
        await door.begins_to_leave()
        door.tell()
        door.tell()
        caller = await door.call()
        caller.say(ASKED)
        assert await caller.hear() == (b"body", True)
        os.kill(os.getpid(), HURRY)
        await door.ends()
