"""Many small calls to few hosts: kept connections, one request at a time on each.

Measured against the general HTTP client that serves everything else, a call costs about a seventh of the CPU
(`docs/explanation/speed.md`), which is what sending and delivering spend most on. It does only what they need: a
prepared head, a body, an answer in memory. The protocol itself is parsed by httptools.

A call ends in exactly one of three ways, and the difference between the last two is what keeps a message from being
sent twice:

    Reply     an answer
    Unsent    surely not written: there was no connection
    Lost      written, and no whole answer came back

Who may do something only for as long as it is theirs says so (`only_while`), and is asked once more before the first byte: until
there is a connection, a process may hang for longer than a lease lasts.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from typing import Any, NamedTuple

import httptools
from yarl import URL

# Connections are dropped before a server drops them (many do after 5 s): a request that meets a closing connection
# may or may not have been read, which would make its outcome unknown for nothing.
KEEP_S = 4.0
CONNECT_S = 4.0
# Every byte of an answer counts, whatever it pretends to be: header fields, interim answers, the frame of chunks, trailers.
MAX_ANSWER_BYTES = 1_048_576
# Up to the end of the head, interim answers before it included. Reading one costs far more than reading a body.
MAX_HEAD_BYTES = 32_768
MAX_HEADERS = 200
# No server has a reason for more than one or two.
MAX_INTERIM = 10

_UNWRITABLE = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")


class Unsent(Exception):
    """The request was surely not written."""


class Overtaken(Unsent):
    """This process hung until it might be another's to do."""


class Lost(Exception):
    """The request was written, and no whole answer came back."""


class Reply(NamedTuple):
    status: int
    # Names in lower case.
    headers: dict[bytes, bytes]
    body: bytes


_may_go: ContextVar[Callable[[], bool] | None] = ContextVar("may_go", default=None)


class only_while:
    """What is asked within writes its first byte only if this holds then; else it raises `Overtaken`. Every send passes here."""

    __slots__ = ("_before", "_may_go")

    def __init__(self, may_go: Callable[[], bool]) -> None:
        self._may_go = may_go

    def __enter__(self) -> None:
        self._before = _may_go.set(self._may_go)

    def __exit__(self, *_: object) -> None:
        _may_go.reset(self._before)


Dial = Callable[[Callable[[], "Connection"]], Awaitable["Connection"]]


def head(method: str, url: URL, headers: Mapping[str, str]) -> bytes:
    """The part of a request that does not change, up to the length of the body.

    A control character in a value would start a header of somebody else's choice, so it is taken out.
    """
    port = "" if url.is_default_port() else f":{url.port}"
    lines = [f"{method} {url.raw_path_qs} HTTP/1.1", f"Host: {url.raw_host}{port}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    clean = [_UNWRITABLE.sub(b"", line.encode("utf-8")) for line in lines]
    return b"\r\n".join(clean) + b"\r\nContent-Length: "


class Connection(asyncio.Protocol):
    """One connection. While `_waiter` is set it belongs to a call; else it is idle in its wire."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self.idle_since = 0.0
        self.transport: Any = None
        self._waiter: asyncio.Future[Reply] | None = None
        self._keep_bytes: int | None = None
        self._linger_s = 0.0
        self._lingering: asyncio.TimerHandle | None = None
        self._start_over()

    def _start_over(self) -> None:
        self._parser: Any = httptools.HttpResponseParser(self)
        self._headers: dict[bytes, bytes] = {}
        self._body: list[bytes] = []
        self._size = 0
        self._seen_bytes = 0
        self._interim = 0
        self._has_head = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def ask(self, request: bytes, waiter: asyncio.Future[Reply], keep_bytes: int | None, linger_s: float) -> None:
        self._waiter, self._keep_bytes, self._linger_s = waiter, keep_bytes, linger_s
        self.transport.write(request)

    def data_received(self, data: bytes) -> None:
        if self._waiter is None:
            # Nobody asked: whatever this is, the connection can no longer be trusted.
            self.transport.abort()
            return
        try:
            self._read(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self.give_up("the answer cannot be read")
        if self._has_head and self._waiter is not None and self._keep_bytes is not None and self._lingering is None:
            self._lingering = asyncio.get_running_loop().call_later(self._linger_s, self.give_up, "")

    def _read(self, data: bytes) -> None:
        """Parse what came, and no more of it than an answer may have."""
        before, self._seen_bytes = self._seen_bytes, self._seen_bytes + len(data)
        if not self._has_head and self._seen_bytes > MAX_HEAD_BYTES:
            # A head may end within these bytes, with a body behind it; so its own share is looked at first.
            room = MAX_HEAD_BYTES - before
            self._parser.feed_data(data[:room])
            data = data[room:]
            if self._waiter is None:
                # Given up; or answered, and then what follows was not asked for.
                self.transport.abort()
                return
            if not self._has_head:
                self.give_up("the head of the answer is too large")
                return
        self._parser.feed_data(data)
        if self._waiter is not None and self._seen_bytes > self._most_bytes() + MAX_HEAD_BYTES:
            self.give_up("the answer is too large")

    def _most_bytes(self) -> int:
        return MAX_ANSWER_BYTES if self._keep_bytes is None else self._keep_bytes

    def on_header(self, name: bytes, value: bytes) -> None:
        # What comes behind the body is no header, and nobody here waits for it.
        if not self._has_head and len(self._headers) < MAX_HEADERS:
            self._headers[name.lower()] = value

    def on_headers_complete(self) -> None:
        self._has_head = True

    def on_body(self, body: bytes) -> None:
        self._size += len(body)
        self._body.append(body)
        if self._size <= self._most_bytes():
            return
        if self._keep_bytes is None:
            self.give_up("the answer is too large")
        else:
            # Enough is known; reading on would only help who sends without end.
            self._settle(self._parser.get_status_code())
            self.transport.abort()

    def on_message_complete(self) -> None:
        if self._waiter is None:
            # A second answer to one question.
            self.transport.abort()
            return
        status = self._parser.get_status_code()
        if status < 200:
            # An interim answer; the real one follows on the same parser.
            self._headers, self._has_head = {}, False
            self._interim += 1
            if self._interim > MAX_INTERIM:
                self.give_up("it has nothing but interim answers")
            return
        keep = self._parser.should_keep_alive()
        self._settle(status)
        if keep:
            self._start_over()
            self._wire.give_back(self)
        else:
            self.transport.close()

    def _settle(self, status: int) -> None:
        if self._lingering is not None:
            self._lingering.cancel()
            self._lingering = None
        waiter, self._waiter = self._waiter, None
        if waiter is not None and not waiter.done():
            body = b"".join(self._body)
            waiter.set_result(
                Reply(status, self._headers, body if self._keep_bytes is None else body[: self._keep_bytes])
            )

    def connection_lost(self, exc: Exception | None) -> None:
        self._wire.forget(self)
        ends_with_connection = b"content-length" not in self._headers and b"transfer-encoding" not in self._headers
        if exc is None and self._waiter is not None and self._has_head and ends_with_connection:
            self._settle(self._parser.get_status_code())
        self.give_up("the connection was closed before the whole answer came")

    def give_up(self, reason: str) -> None:
        """End the call that waits here, if any, and the connection with it."""
        if self._waiter is not None and self._keep_bytes is not None and self._has_head:
            # The status has come, which is what such a call is about; the rest was only wanted for the record.
            self._settle(self._parser.get_status_code())
        waiter, self._waiter = self._waiter, None
        if waiter is not None and not waiter.done():
            waiter.set_exception(Lost(reason))
        if self.transport is not None and not self.transport.is_closing():
            self.transport.abort()


class Wire:
    """The connections to one host. Make and use it inside one event loop; `close` it there too."""

    def __init__(self, dial: Dial, keep_s: float = KEEP_S, connect_s: float = CONNECT_S) -> None:
        self._dial = dial
        self._keep_s = keep_s
        self._connect_s = connect_s
        self._loop = asyncio.get_running_loop()
        self._idle: list[Connection] = []
        self._reaper: asyncio.TimerHandle | None = None

    async def ask(
        self,
        request: bytes,
        timeout_s: float,
        *,
        keep_bytes: int | None = None,
        linger_s: float = 2.0,
        connect_s: float | None = None,
    ) -> Reply:
        """One call. Raises `Unsent` or `Lost`.

        With `keep_bytes` the status decides: only the beginning of the body is kept, and what is missing of it after
        `linger_s` is not waited for.
        """
        connection = self._take() or await self._open(min(connect_s or self._connect_s, timeout_s))
        may_go = _may_go.get()
        if may_go is not None and not may_go():
            self.give_back(connection)
            raise Overtaken("this process hung, and another may have done it meanwhile")
        waiter: asyncio.Future[Reply] = self._loop.create_future()
        timer = self._loop.call_later(timeout_s, connection.give_up, "no answer came in time")
        connection.ask(request, waiter, keep_bytes, linger_s)
        try:
            return await waiter
        except asyncio.CancelledError:
            connection.give_up("the call was given up")
            raise
        finally:
            timer.cancel()

    def _take(self) -> Connection | None:
        now = self._loop.time()
        while self._idle:
            connection = self._idle.pop()
            if now - connection.idle_since < self._keep_s and not connection.transport.is_closing():
                return connection
            connection.transport.close()
        return None

    async def _open(self, within_s: float) -> Connection:
        try:
            async with asyncio.timeout(within_s):
                return await self._dial(lambda: Connection(self))
        except TimeoutError:
            raise Unsent("no connection could be made in time") from None
        except ssl.SSLError as error:
            raise Unsent(f"no secure connection could be made: {error.reason or error}") from error
        except OSError as error:
            raise Unsent(f"no connection could be made: {error.strerror or error}") from error

    def give_back(self, connection: Connection) -> None:
        connection.idle_since = self._loop.time()
        self._idle.append(connection)
        if self._reaper is None:
            self._reaper = self._loop.call_later(self._keep_s, self._reap)

    def forget(self, connection: Connection) -> None:
        if connection in self._idle:
            self._idle.remove(connection)

    def _reap(self) -> None:
        """Close what has been idle for too long; the list is in the order of its last use."""
        self._reaper = None
        until = self._loop.time() - self._keep_s
        while self._idle and self._idle[0].idle_since <= until:
            self._idle.pop(0).transport.close()
        if self._idle:
            self._reaper = self._loop.call_at(self._idle[0].idle_since + self._keep_s, self._reap)

    def close(self) -> None:
        if self._reaper is not None:
            self._reaper.cancel()
            self._reaper = None
        idle, self._idle = self._idle, []
        for connection in idle:
            connection.transport.close()


class Wires:
    """One wire for each host that the operator chose; nothing is guarded here."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self._wires: dict[tuple[str, str, int], Wire] = {}

    def to(self, url: URL) -> Wire:
        """The wire to an address's host. Call inside the running loop."""
        key = (url.scheme, url.raw_host or "", url.port or 0)
        wire = self._wires.get(key)
        if wire is None:
            wire = self._wires[key] = Wire(self._dialler(*key))
        return wire

    def _dialler(self, scheme: str, host: str, port: int) -> Dial:
        if scheme == "https" and self._tls is None:
            self._tls = ssl.create_default_context()
        tls = self._tls if scheme == "https" else None

        async def dial(make: Callable[[], Connection]) -> Connection:
            _, connection = await asyncio.get_running_loop().create_connection(make, host, port, ssl=tls)
            return connection

        return dial

    def close(self) -> None:
        for wire in self._wires.values():
            wire.close()
        self._wires.clear()
