"""The HTTP session for addresses that the operator chose: the networks behind lines, the sandbox.

Nothing is guarded here, because the operator may well have a network on loopback. An address that a user chose
goes through `tablegram.values.http.outbound` instead.
"""

from __future__ import annotations

import asyncio

import aiohttp

# Idle connections are dropped before a server drops them (uvicorn does so after 5 s): a request that meets a
# closing connection may or may not have been read, which would make its outcome unknown for nothing.
KEEPALIVE_S = 4.0

# Automatic headers cost time on every call and tell a network nothing that it needs. Without Accept-Encoding
# answers come plain, so that none is ever decompressed.
SKIPPED_HEADERS = ("User-Agent", "Accept", "Accept-Encoding")

# A connect that takes longer is a network that is down; the rest of a call's budget is for the answer.
CONNECT_S = 4.0

NETWORK_FAILURES = (aiohttp.ClientError, asyncio.TimeoutError, OSError)
_UNSENT = (
    aiohttp.ClientConnectorError,
    aiohttp.ConnectionTimeoutError,
    aiohttp.InvalidURL,
    aiohttp.NonHttpUrlClientError,
)


def open_session() -> aiohttp.ClientSession:
    """A session tuned for many small calls to few hosts. Call inside a running loop; the caller closes it.

    The number of connections is not limited here: lines are paced one by one, and a slow network must not make
    the lines of another wait for a connection.
    """
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
    return aiohttp.ClientTimeout(total=total_s, connect=min(CONNECT_S, total_s / 2), ceil_threshold=total_s + 1)


def surely_unsent(error: BaseException) -> bool:
    """Whether a failed call failed before its request was written."""
    return isinstance(error, _UNSENT)


def explain(error: BaseException) -> str:
    """A failed call in plain words, without the address (which may carry a secret)."""
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
