"""The HTTP session for addresses that the operator chose: the networks behind lines, the sandbox.

Nothing is guarded here, because the operator may well have a network on loopback. An address that a user chose
goes through `tablegram.values.http.outbound` instead.

The client's library is loaded at its first call: messages go out on wires (`wire`), without it.
"""

from __future__ import annotations

import asyncio
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    import aiohttp
    from yarl import URL

# Idle connections are dropped before a server drops them (uvicorn does so after 5 s): a request that meets a
# closing connection may or may not have been read, which would make its outcome unknown for nothing.
KEEPALIVE_S = 4.0

# Automatic headers cost time on every call and tell a network nothing that it needs. Without Accept-Encoding
# answers come plain, so that none is ever decompressed.
SKIPPED_HEADERS = ("User-Agent", "Accept", "Accept-Encoding")

# A connect that takes longer is a network that is down; the rest of a call's budget is for the answer.
CONNECT_S = 4.0


@cache
def network_failures() -> tuple[type[Exception], ...]:
    """What a call may raise when the network is at fault."""
    import aiohttp

    return aiohttp.ClientError, asyncio.TimeoutError, OSError


class Session:
    """The client's session, which opens itself at its first call, inside the loop. Whoever makes it closes it."""

    def __init__(self) -> None:
        self._opened: aiohttp.ClientSession | None = None

    @property
    def client(self) -> aiohttp.ClientSession:
        if self._opened is None or self._opened.closed:
            self._opened = _open()
        return self._opened

    def request(self, method: str, url: URL | str, **options: Any) -> aiohttp.client._RequestContextManager:
        return self.client.request(method, url, **options)

    def get(self, url: URL | str, **options: Any) -> aiohttp.client._RequestContextManager:
        return self.client.get(url, **options)

    def post(self, url: URL | str, **options: Any) -> aiohttp.client._RequestContextManager:
        return self.client.post(url, **options)

    def put(self, url: URL | str, **options: Any) -> aiohttp.client._RequestContextManager:
        return self.client.put(url, **options)

    async def close(self) -> None:
        if self._opened is not None:
            await self._opened.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _open() -> aiohttp.ClientSession:
    """A session tuned for many small calls to few hosts.

    The number of connections is not limited here: lines are paced one by one, and a slow network must not make
    the lines of another wait for a connection.
    """
    import aiohttp

    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEPALIVE_S, ttl_dns_cache=30)
    return aiohttp.ClientSession(
        connector=connector,
        cookie_jar=aiohttp.DummyCookieJar(),
        skip_auto_headers=SKIPPED_HEADERS,
        trust_env=False,
        auto_decompress=False,
    )


def timeout(total_s: float) -> aiohttp.ClientTimeout:
    """A limit for the whole call in which connecting always runs out first.

    When the total runs out, the request may have been sent; when connecting runs out, it surely was not. Keeping
    the second below the first keeps the two apart.
    """
    import aiohttp

    return aiohttp.ClientTimeout(total=total_s, connect=min(CONNECT_S, total_s / 2), ceil_threshold=total_s + 1)


def surely_unsent(error: BaseException) -> bool:
    """Whether a failed call failed before its request was written."""
    import aiohttp

    unsent = (
        aiohttp.ClientConnectorError,
        aiohttp.ConnectionTimeoutError,
        aiohttp.InvalidURL,
        aiohttp.NonHttpUrlClientError,
    )
    return isinstance(error, unsent)


def explain(error: BaseException) -> str:
    """A failed call in plain words, without the address (which may carry a secret)."""
    import aiohttp

    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return "its name cannot be resolved"
    if isinstance(error, aiohttp.ClientConnectorCertificateError | aiohttp.ClientConnectorSSLError):
        return "the secure connection failed: its certificate or TLS version is not accepted"
    if isinstance(error, aiohttp.ConnectionTimeoutError):
        return "connecting took too long"
    if isinstance(error, aiohttp.ClientConnectorError):
        return "the connection was refused"
    if isinstance(error, asyncio.TimeoutError):
        return "no answer in time"
    if isinstance(error, aiohttp.ClientPayloadError):
        return "the answer broke off"
    return "the connection was lost"
