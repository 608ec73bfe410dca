"""What the HTTP listener itself refuses: a head that is too large, too slow or no HTTP at all.

The application never sees such requests, so they are answered here, in the API's one shape (`refusals.py`).
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from tablegram.errors import Problem
from tablegram.server import refusals
from tablegram.server.crowd import Crowd, Full
from tablegram.server.leaving import Leaving
from tablegram.server.together import Together

# A head that is not whole by then comes from a broken or a hostile client.
HEAD_WITHIN_S = 15.0
# A request that was answered before its body was read may go on sending it, but not for ever.
DRAIN_WITHIN_S = 15.0
# A caller who takes nothing of what is written for so long has gone or means harm: what waits for them is let go. Long,
# because the machine's own buffers hide what a slow phone takes until a good part of them is empty.
STALLED_S = 120.0
# After a refusal the caller may still be sending. Closing at once would reset the connection and destroy the
# answer before it is read, so what still comes is thrown away for this long.
LINGER_S = 2.0
# Bytes around a chunk of a body for each byte within it: a chunk of one byte has five.
FRAME_BYTES = 8


def protocol_with(
    max_header_bytes: int,
    *,
    head_within_s: float = HEAD_WITHIN_S,
    drain_within_s: float = DRAIN_WITHIN_S,
    stalled_s: float = STALLED_S,
    crowd: Crowd | None = None,
    leaving: Leaving | None = None,
) -> type[asyncio.Protocol]:
    """The listener's protocol with these limits; uvicorn makes one object of it for each connection."""
    limits = {
        "max_header_bytes": max_header_bytes,
        "head_within_s": head_within_s,
        "drain_within_s": drain_within_s,
        "stalled_s": stalled_s,
        "crowd": Crowd(0, 0, lambda address: False) if crowd is None else crowd,
        "leaving": Leaving() if leaving is None else leaving,
    }
    return type("LimitedProtocol", (LimitedProtocol,), limits)


class LimitedProtocol(HttpToolsProtocol):
    max_header_bytes = 32_768
    head_within_s = HEAD_WITHIN_S
    drain_within_s = DRAIN_WITHIN_S
    stalled_s = STALLED_S
    crowd: Crowd
    leaving: Leaving

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._in_head = True
        self._message_whole = True
        self._seen_bytes = 0
        self._chunk_bytes = 0
        self._body_bytes = 0
        self._refused = False
        # When something last came or went, so that it is known for whom we have waited longest.
        self._moved_s = 0.0
        self._deadline: asyncio.TimerHandle | None = None
        self._stall: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._moved_s = time.monotonic()
        try:
            self.crowd.enter(self, self.client[0] if self.client else "")
        except Full as full:
            refusal = refusals.too_many_from_address(full.most) if full.address else refusals.full()
            # Told and closed at once: to wait until it is read would be one more connection.
            self._refused = True
            transport.write(refusals.render(refusal))
            transport.close()
            return
        self._deadline = self.loop.call_later(self.head_within_s, self._head_is_late)

    def connection_lost(self, exc: Exception | None) -> None:
        self._clear_deadline()
        self._clear_stall()
        self.crowd.leave(self)
        super().connection_lost(exc)

    def awaited(self) -> tuple[int, float] | None:
        """For the crowd: who asks for nothing gives way first, then whose body does not come."""
        if self.cycle is None or self.cycle.response_complete or self._refused:
            return 0, self._moved_s
        return None if self._message_whole else (1, self._moved_s)

    def give_way(self) -> None:
        self._refused = True
        self.transport.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_reader(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        self._clear_stall()
        super().resume_writing()

    def _watch_reader(self, waiting_bytes: int) -> None:
        self._stall = self.loop.call_later(self.stalled_s, self._look_at_reader, waiting_bytes)

    def _look_at_reader(self, waited_bytes: int) -> None:
        """Slow is fine, as long as something goes. A close would wait for what is not read; so it is cut."""
        waiting_bytes = self.transport.get_write_buffer_size()
        if waiting_bytes >= waited_bytes:
            self.transport.abort()
        else:
            self._watch_reader(waiting_bytes)

    def _clear_stall(self) -> None:
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        self._moved_s = time.monotonic()
        self._chunk_bytes = len(data)
        self._seen_bytes += self._chunk_bytes
        super().data_received(data)
        if self._refused or self.transport.is_closing():
            return
        if self._in_head:
            if self._seen_bytes > self.max_header_bytes:
                self._refuse(refusals.head_too_large(self.max_header_bytes))
            elif self._seen_bytes and self._deadline is None:
                # Whole heads nearly always come in one piece; only the others cost a timer.
                self._deadline = self.loop.call_later(self.head_within_s, self._head_is_late)
        elif self._seen_bytes - self._body_bytes > 2 * self.max_header_bytes + FRAME_BYTES * self._body_bytes:
            # Extensions of chunks, or fields behind the body: nobody needs them, and they could go on for ever.
            self._refuse(refusals.malformed())
        elif self._deadline is not None and not self._draining():
            self._clear_deadline()

    def on_message_begin(self) -> None:
        self._in_head = True
        self._message_whole = False
        self._body_bytes = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        if self._refused:
            return
        self._in_head = False
        # Bytes seen may include a body or an earlier request; only when they are too many is the head itself measured.
        seen = max(self._seen_bytes, self._chunk_bytes)
        if seen > self.max_header_bytes and self._head_bytes() > self.max_header_bytes:
            self._refuse(refusals.head_too_large(self.max_header_bytes))
            return
        super().on_headers_complete()
        # What comes behind a body is no header of the request, and its list is not the request's.
        self.headers = []
        if self.leaving.has_begun:
            self.cycle.keep_alive = False

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        cycle.transport = Together(cycle)
        super()._start_asgi_task(cycle, app)

    def on_body(self, body: bytes) -> None:
        if not self._refused:
            self._body_bytes += len(body)
            super().on_body(body)

    def on_message_complete(self) -> None:
        if self._refused:
            return
        self._in_head = True
        self._message_whole = True
        self._seen_bytes = 0
        self._clear_deadline()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._moved_s = time.monotonic()
        if not self._message_whole and not self._refused and self._deadline is None:
            self._deadline = self.loop.call_later(self.drain_within_s, self.transport.close)

    def send_400_response(self, msg: str) -> None:
        self._refuse(refusals.malformed())

    def announce_end(self) -> None:
        """Say with the answer that is under way that it is the last one here, unless it has begun already."""
        if self.cycle is not None and not self.cycle.response_started:
            self.cycle.keep_alive = False

    def shutdown(self) -> None:
        if self._refused:
            self.transport.close()
            return
        if self._in_head and self._seen_bytes:
            # A request has begun to come: it is answered, and ends the connection.
            self.announce_end()
            return
        super().shutdown()

    def hang_up(self) -> None:
        """What is not asked by now is not asked here any more; what was answered still goes out."""
        if self.cycle is None or self.cycle.response_complete:
            self._refused = True
            self.transport.close()

    def _should_upgrade(self) -> bool:
        """Nothing here speaks another protocol; such a request is answered as plain HTTP."""
        return False

    def _unsupported_upgrade_warning(self) -> None:
        """Asking for another protocol is no news for the log."""

    def _draining(self) -> bool:
        return self.cycle is not None and self.cycle.response_complete and not self._message_whole

    def _head_bytes(self) -> int:
        return len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)

    def _head_is_late(self) -> None:
        self._deadline = None
        if self.transport.is_closing() or self._refused:
            return
        if self._seen_bytes == 0:
            # Opened and never used: nothing was asked, so nothing is answered.
            self.transport.close()
            return
        self._refuse(refusals.head_too_slow(self.head_within_s))

    def _refuse(self, refusal: Problem) -> None:
        """Answer and end the connection, without the answer being lost on the way."""
        if self._refused:
            return
        self._refused = True
        self._clear_deadline()
        self._unset_keepalive_if_required()
        if self.cycle is not None and not self.cycle.response_complete:
            # The answer to an earlier request on this connection is not out yet; two would get mixed.
            self.transport.close()
            return
        self.transport.write(refusals.render(refusal))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._deadline = self.loop.call_later(LINGER_S, self.transport.close)

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
