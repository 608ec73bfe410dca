"""What happens on the network, told to whoever watches: one queue for each open page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec

# A page that is this far behind is told to load afresh instead: cheaper than its backlog.
_BACKLOG = 1_000
# Keeps proxies and browsers from giving up on a quiet stream.
_HEARTBEAT_S = 15.0


class Live:
    def __init__(self) -> None:
        self._watchers: dict[asyncio.Queue[bytes | None], str | None] = {}

    @property
    def watched(self) -> bool:
        return bool(self._watchers)

    def publish(self, event: str, data: dict[str, Any], phone: str | None = None) -> None:
        """Tell everyone who watches that phone, or everything. Costs nothing while nobody does."""
        if not self._watchers:
            return
        frame = b"event: " + event.encode() + b"\ndata: " + msgspec.json.encode(data) + b"\n\n"
        for queue, only in list(self._watchers.items()):
            if only is not None and phone is not None and only != phone:
                continue
            if queue.qsize() >= _BACKLOG:
                while not queue.empty():
                    queue.get_nowait()
                queue.put_nowait(b"event: reload\ndata: {}\n\n")
            else:
                queue.put_nowait(frame)

    async def watch(self, phone: str | None = None) -> AsyncIterator[bytes]:
        """Server-sent events, until the watcher leaves or the network stops."""
        queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._watchers[queue] = phone
        try:
            yield b"retry: 1000\nevent: hello\ndata: {}\n\n"
            while True:
                try:
                    frame = await asyncio.wait_for(queue.get(), _HEARTBEAT_S)
                except TimeoutError:
                    frame = b": still here\n\n"
                if frame is None:
                    return
                yield frame
        finally:
            self._watchers.pop(queue, None)

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        for queue in self._watchers:
            queue.put_nowait(None)
