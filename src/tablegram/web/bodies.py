"""Reading what a caller sends: not too large, and not too slow. Every listener reads through here.

A body has two clocks. *Idle*: so long may pass without a byte. *Whole*: so long may all of it take, and a second more for
each piece of `LEAST_BYTES_PER_S` that has come, so that a large file on a slow line gets through and a byte now and then
does not.
"""

from __future__ import annotations

import math
import time
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

from tablegram.errors import BodyTooLarge, TooSlow
from tablegram.web.asgi import Message, Receive
from tablegram.web.patience import Late, Patience

if TYPE_CHECKING:
    from tablegram.settings import Settings

IDLE_S = 15.0
WITHIN_S = 60.0
# A phone at the edge of its network is faster than that.
LEAST_BYTES_PER_S = 16_384


class ClientGone(Exception):
    """The caller hung up; nobody is left to answer."""


class BodyReader:
    """Reads the bodies of one listener."""

    def __init__(self, *, idle_s: float = IDLE_S, within_s: float = WITHIN_S) -> None:
        self._patience = Patience(min(idle_s, within_s))
        self._within_s = within_s

    @classmethod
    def of(cls, settings: Settings) -> BodyReader:
        return cls(idle_s=settings.body_idle_s, within_s=settings.body_within_s)

    async def whole(self, receive: Receive, max_bytes: int, announced: int = -1) -> bytes:
        """The body at once. One that says itself that it is too large is refused unread."""
        if announced > max_bytes:
            raise _too_large(max_bytes)
        # Nearly every body comes in one piece, and only the others are counted together.
        try:
            message = await self._patience.wait_for(receive)
        except Late:
            raise self._too_slow(math.inf) from None
        if message["type"] == "http.disconnect":
            raise ClientGone
        body: bytes = message.get("body", b"")
        if len(body) > max_bytes:
            raise _too_large(max_bytes)
        if not message.get("more_body", False):
            return body
        parts = [body]
        async for part in self._rest(receive, len(body), max_bytes, _too_large):
            parts.append(part)
        return b"".join(parts)

    def pieces(self, receive: Receive, max_bytes: int, announced: int = -1) -> AsyncIterator[bytes]:
        """A file piece by piece, as it comes. Nothing of it is kept here."""
        if announced > max_bytes:
            raise _file_too_large(max_bytes)
        return self._rest(receive, 0, max_bytes, _file_too_large)

    def in_time(self, receive: Receive) -> Receive:
        """For a framework that reads by itself, and measures by itself: the same `receive`, with the clocks."""
        began_s, size, more = 0.0, 0, True

        async def receive_in_time() -> Message:
            nonlocal began_s, size, more
            if not more:
                # Whatever comes now tells that the caller has left, and may take as long as it likes.
                return await receive()
            began_s = began_s or time.monotonic()
            message = await self._wait(receive, began_s + self._allowed_s(size))
            size += len(message.get("body", b""))
            more = message.get("more_body", False)
            return message

        return receive_in_time

    async def _rest(
        self, receive: Receive, size: int, max_bytes: int, too_large: Callable[[int], BodyTooLarge]
    ) -> AsyncIterator[bytes]:
        began_s, more = time.monotonic(), True
        while more:
            message = await self._next(receive, began_s + self._allowed_s(size))
            part: bytes = message.get("body", b"")
            size += len(part)
            if size > max_bytes:
                raise too_large(max_bytes)
            if part:
                yield part
            more = message.get("more_body", False)

    async def _next(self, receive: Receive, until_s: float) -> Message:
        message = await self._wait(receive, until_s)
        if message["type"] == "http.disconnect":
            raise ClientGone
        return message

    async def _wait(self, receive: Receive, until_s: float) -> Message:
        try:
            message: Message = await self._patience.wait_for(receive, until_s)
        except Late:
            raise self._too_slow(until_s) from None
        return message

    def _too_slow(self, until_s: float) -> TooSlow:
        if time.monotonic() >= until_s:
            words = f"The body took longer than {self._within_s:g} seconds."
        else:
            words = f"Nothing of the body came for {self._patience.limit_s:g} seconds."
        # What still comes of it would be taken for the next request.
        return TooSlow(f"{words} Nothing was done; send the request again.", headers={"Connection": "close"})

    def _allowed_s(self, size: int) -> float:
        return self._within_s + size / LEAST_BYTES_PER_S


def _file_too_large(max_bytes: int) -> BodyTooLarge:
    return BodyTooLarge(f"A file may have at most {max_bytes // 1_048_576} MB. Nothing was kept; send a smaller one.")


def _too_large(max_bytes: int) -> BodyTooLarge:
    return BodyTooLarge(f"The body may have at most {max_bytes:,} bytes. Nothing was done; send less in one call.")
