"""Live streams: one loop for everybody who listens, and the places that they take.

A place is taken in the same breath in which it is found free, and given back however a stream ends, even one that was
never begun; so a limit holds also when a thousand open at once. A reader who no longer reads is let go by the server
itself (`server/protocol.py`), which ends the stream like any caller who leaves.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Hashable
from typing import Generic, TypeVar

from tablegram.engine.timers import Bell
from tablegram.errors import TooMany
from tablegram.web.asgi import Receive, Send

# Keeps proxies and browsers from giving up on a quiet stream.
HEARTBEAT_S = 15.0
# After so many times the gathering wait without news, the first change waits only for this part of it.
QUIET_TURNS = 4
FIRST_SHARE = 8
# What other processes did is found by looking; so is whether a listener may still listen.
LOOK_EVERY_S = 2.0
BEAT = b": still here\n\n"
MEDIA_TYPE = "text/event-stream"
# A proxy that gathers answers would hold notices back.
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}

Key = TypeVar("Key", bound=Hashable)
# What is new, and whether there is more at once; nothing ends the stream.
News = tuple[bytes, bool] | None


def frame(event: str, data: bytes) -> bytes:
    """One server-sent event. The data is one line, as JSON is, so that it never breaks the frame."""
    return b"event: " + event.encode() + b"\ndata: " + data + b"\n\n"


class LiveListeners(Generic[Key]):
    """Everybody who listens here, by whom they are counted: an account, an address."""

    def __init__(self) -> None:
        self._taken: dict[Key, set[LiveListener[Key]]] = {}
        self._closed = False

    def take(self, key: Key, most: int, refusal: TooMany, most_of_all: int | None = None) -> LiveListener[Key]:
        taken = self._taken.setdefault(key, set())
        if len(taken) >= most or (most_of_all is not None and self.listening >= most_of_all):
            self._forget(key)
            raise refusal
        place = LiveListener(self, key)
        place.ended = self._closed
        taken.add(place)
        return place

    def of(self, key: Key) -> list[LiveListener[Key]]:
        return list(self._taken.get(key, ()))

    def leave(self, place: LiveListener[Key]) -> None:
        self._taken.get(place.key, set()).discard(place)
        self._forget(place.key)

    def _forget(self, key: Key) -> None:
        if not self._taken.get(key):
            self._taken.pop(key, None)

    @property
    def listening(self) -> int:
        """How many streams are open."""
        return sum(map(len, self._taken.values()))

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        self._closed = True
        for places in self._taken.values():
            for place in places:
                place.ended = True
                place.bell.ring()


class LiveListener(Generic[Key]):
    """One listener's: rung when there is news."""

    def __init__(self, places: LiveListeners[Key], key: Key) -> None:
        self._places = places
        self.key = key
        self.bell = Bell()
        self.ended = False

    def leave(self) -> None:
        self._places.leave(self)


class LiveStream(AsyncIterator[bytes]):
    """The frames for one listener. It gives the place back when it ends, is closed, or is forgotten before it began."""

    def __init__(self, frames: AsyncGenerator[bytes, None], leave: Callable[[], None]) -> None:
        self._frames = frames
        self._leave: Callable[[], None] | None = leave

    async def __anext__(self) -> bytes:
        try:
            return await anext(self._frames)
        except BaseException:
            self._depart()
            raise

    async def aclose(self) -> None:
        self._depart()
        await self._frames.aclose()

    def __del__(self) -> None:
        self._depart()

    def _depart(self) -> None:
        leave, self._leave = self._leave, None
        if leave is not None:
            leave()


async def follow(
    place: LiveListener[Key],
    news: Callable[[], Awaitable[News]],
    *,
    opening: bytes,
    look_every_s: float = LOOK_EVERY_S,
    heartbeat_s: float = HEARTBEAT_S,
    gather_s: float = 0.0,
    quiet_s: float | None = None,
    still_allowed: Callable[[], Awaitable[bool]] | None = None,
    farewell: bytes = b"",
) -> AsyncGenerator[bytes, None]:
    """News as it comes, and a sign of life when there is none.

    After a ring it waits for `gather_s`, so that several changes are told at once; the first after a while is told almost
    at once, because somebody waits for just that one. It ends when nothing came for
    `quiet_s`, when the listener may no longer listen (with a `farewell`), and when the server stops.
    """
    yield opening
    heard_s = spoke_s = allowed_s = time.monotonic()
    while not place.ended:
        found = await news()
        if found is None:
            return
        frames, more = found
        now_s = time.monotonic()
        if frames:
            heard_s = spoke_s = now_s
            yield frames
        elif now_s - spoke_s >= heartbeat_s:
            spoke_s = now_s
            yield BEAT
        if still_allowed is not None and now_s - allowed_s >= look_every_s:
            allowed_s = now_s
            if not await still_allowed():
                if farewell:
                    yield farewell
                return
        if more or place.ended:
            continue
        left_s = look_every_s if quiet_s is None else heard_s + quiet_s - time.monotonic()
        if left_s <= 0:
            return
        await place.bell.wait(min(left_s, look_every_s, heartbeat_s))
        if gather_s and not place.ended:
            is_first = time.monotonic() - heard_s > QUIET_TURNS * gather_s
            await asyncio.sleep(gather_s / FIRST_SHARE if is_first else gather_s)


async def deliver(frames: AsyncIterator[bytes], receive: Receive, send: Send) -> None:
    """Frame by frame, until either side has had enough."""
    gone = asyncio.ensure_future(_until_gone(receive))
    following: asyncio.Future[bytes | None] | None = None
    try:
        while True:
            following = asyncio.ensure_future(anext(frames, None))
            await asyncio.wait({following, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not following.done() or gone.done():
                return
            found = following.result()
            if found is None:
                await send({"type": "http.response.body", "body": b""})
                return
            await send({"type": "http.response.body", "body": found, "more_body": True})
    finally:
        gone.cancel()
        if following is not None and not following.done():
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
        close = getattr(frames, "aclose", None)
        if close is not None:
            await close()


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
