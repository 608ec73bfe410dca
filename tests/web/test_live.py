"""Live streams: places that are never given twice, signs of life, and readers who stopped reading."""

from __future__ import annotations

import asyncio
import gc
import socket
from typing import Any

import pytest

from tablegram.errors import TooMany
from tablegram.server.run import build_server
from tablegram.settings import Settings
from tablegram.web.live import BEAT, LiveListener, LiveListeners, LiveStream, News, deliver, follow
from tests.engine.waiting import until

FULL = TooMany("full")


async def nothing() -> News:
    return b"", False


def opened(places: LiveListeners[str], most: int = 3, **more: Any) -> LiveStream:
    place = places.take("a", most, FULL)
    return LiveStream(follow(place, nothing, opening=b"hello", **more), place.leave)


async def test_a_thousand_at_once_get_no_more_places_than_there_are() -> None:
    places: LiveListeners[str] = LiveListeners()

    async def come(number: int) -> LiveListener[str] | None:
        await asyncio.sleep(0)
        try:
            return places.take(f"house {number % 2}", 300, FULL, most_of_all=500)
        except TooMany:
            return None

    taken = [one for one in await asyncio.gather(*map(come, range(1_000))) if one is not None]
    assert (len(taken), places.listening) == (500, 500)
    for one in taken:
        one.leave()
    assert places.listening == 0


async def test_a_place_is_counted_before_the_first_frame_and_given_back_however_it_ends() -> None:
    places: LiveListeners[str] = LiveListeners()
    never_begun, left, broken = opened(places), opened(places), opened(places)
    with pytest.raises(TooMany):
        opened(places)
    await anext(left)
    await left.aclose()
    del never_begun
    gc.collect()
    assert places.listening == 1
    await anext(broken)
    waiting = asyncio.ensure_future(anext(broken))
    await asyncio.sleep(0.01)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert places.listening == 0


async def test_a_quiet_stream_shows_signs_of_life_and_ends_when_it_may_no_longer_be_heard() -> None:
    allowed = True

    async def still_allowed() -> bool:
        return allowed

    stream = opened(LiveListeners(), look_every_s=0.02, heartbeat_s=0.05, still_allowed=still_allowed, farewell=b"bye")
    assert [await anext(stream), await anext(stream), await anext(stream)] == [b"hello", BEAT, BEAT]
    allowed = False
    rest = [frame async for frame in stream]
    assert rest[-1] == b"bye"


async def test_who_leaves_ends_the_stream_behind_him() -> None:
    places: LiveListeners[str] = LiveListeners()
    gone = asyncio.Event()
    sent: list[bytes] = []

    async def receive() -> Any:
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message["body"])
        gone.set()

    await asyncio.wait_for(deliver(opened(places), receive, send), 10)
    assert (sent, places.listening) == ([b"hello"], 0)


@pytest.mark.slow
@pytest.mark.parametrize("reads", [False, True])
async def test_a_reader_who_takes_nothing_is_let_go_and_one_who_reads_is_not(reads: bool) -> None:
    left = asyncio.Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            for step in ("startup", "shutdown"):
                await receive()
                await send({"type": f"lifespan.{step}.complete"})
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})

        async def frames() -> Any:
            while not left.is_set():
                yield b"x" * 500_000
                await asyncio.sleep(0.01)

        await deliver(frames(), receive, send)
        left.set()

    # Longer than this whole process may stand still on a busy machine.
    server = build_server(app, Settings(), stalled_s=1.0)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        task = asyncio.create_task(server.serve([listener]))
        await until(lambda: server.started)
        reader, writer = await asyncio.open_connection("127.0.0.1", listener.getsockname()[1], limit=65_536)
        try:
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            if reads:
                loop = asyncio.get_running_loop()
                ends = loop.time() + 1.2
                async with asyncio.timeout(20):
                    while loop.time() < ends:
                        await reader.readexactly(500_000)
                assert not left.is_set()
            else:
                await asyncio.wait_for(left.wait(), 20)
        finally:
            left.set()
            writer.transport.abort()
            server.should_exit = True
            await task
