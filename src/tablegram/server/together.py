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
        self._transport = cycle.transport
        # Until its head is said. It knows us as well, and such a circle stays in memory until the collector comes.
        self._cycle: RequestResponseCycle | None = cycle
        self._head = b""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        cycle = self._cycle
        if self._head:
            head, self._head = self._head, b""
            self._transport.write(head + data)
        elif cycle is None or not cycle.response_started:
            # A piece of the body; or an interim answer, which comes before the head.
            self._transport.write(data)
        else:
            self._cycle = None
            if cycle.chunked_encoding is False and cycle.scope["method"] != "HEAD":
                self._head = bytes(data)
            else:
                self._transport.write(data)

    def close(self) -> None:
        """Also of an answer that breaks off: whoever asked hears as much of it as there is."""
        if self._head:
            self.write(b"")
        self._transport.close()

    def is_closing(self) -> bool:
        return self._transport.is_closing()
