"""The head of an answer goes out with what follows it: one call of the system and one packet, in place of two of each."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle


class Together(asyncio.Transport):
    """What one answer is written to. A head that says how long its body is waits for it, which is not long in coming.

    A stream says no length, and its head goes out at once: its first word may be minutes away.
    """

    def __init__(self, cycle: RequestResponseCycle) -> None:
        super().__init__()
        self._cycle = cycle
        self._transport = cycle.transport
        self._head = b""
        # An interim answer comes before the head.
        self._is_past_head = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._head:
            head, self._head = self._head, b""
            self._transport.write(head + data)
        elif self._is_past_head or not self._waits_for_body():
            self._transport.write(data)
        else:
            self._head = bytes(data)
        self._is_past_head = self._cycle.response_started

    def _waits_for_body(self) -> bool:
        cycle = self._cycle
        return cycle.response_started and cycle.chunked_encoding is False and cycle.scope["method"] != "HEAD"

    def close(self) -> None:
        """Also of an answer that breaks off: whoever asked hears as much of it as there is."""
        if self._head:
            self.write(b"")
        self._transport.close()

    def is_closing(self) -> bool:
        return self._transport.is_closing()
