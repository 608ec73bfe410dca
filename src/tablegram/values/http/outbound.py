"""The HTTP client for addresses that users chose: webhook targets and `media_url`.

An address is looked at twice. `Targets.check_url` refuses what the text alone gives away, so that a user hears of it
at once. The connector then checks every address that a name resolves to, and the one really dialled, so that a name
which changes its mind between the two looks gains nothing. Redirects, proxies of the environment, cookies and
decompression are off.

    OutboundError
    ├── TargetForbidden      the address may never be called; `reason` says why
    ├── TargetUnreachable    nobody answers there, or too slowly
    └── TooLarge             the answer is larger than the caller takes
"""

from __future__ import annotations

import asyncio
import errno
import functools
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import IO, TYPE_CHECKING, Any

from tablegram.values.http.network import explain, network_failures
from tablegram.values.http.targets import OutboundError, ParsedTarget, TargetForbidden, Targets
from tablegram.values.http.wire import Connection, Dial, Wire

if TYPE_CHECKING:
    import aiohttp
    from aiohttp.abc import AbstractResolver

    from tablegram.values.http.guarded import GuardedResolver

__all__ = [
    "Fetched",
    "GuardedClient",
    "OutboundError",
    "ParsedTarget",
    "TargetForbidden",
    "TargetUnreachable",
    "Targets",
    "TooLarge",
]

CONNECT_S = 5.0
CHUNK_BYTES = 65_536
MAX_WIRES = 2_000
# Answers come as they are: what is not asked to be compressed cannot unfold into gigabytes.
_PLAIN = {"Accept-Encoding": "identity", "User-Agent": "Tablegram"}


class TargetUnreachable(OutboundError):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TooLarge(OutboundError):
    def __init__(self, max_bytes: int) -> None:
        super().__init__(f"more than {max_bytes} bytes")
        self.max_bytes = max_bytes


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer that was read to its end, or (`complete` false) as far as it was wanted."""

    status: int
    content_type: str
    body: bytes
    headers: Mapping[str, str]
    size: int
    complete: bool = True


class _DialRefused(OSError):
    """Raised inside the connector, which passes on nothing but the errors of sockets."""


class GuardedClient:
    """One client for all such calls. Make it anywhere; it opens itself at its first call, inside the loop."""

    def __init__(self, targets: Targets, resolver: AbstractResolver | None = None) -> None:
        self.targets = targets
        self._inner = resolver
        self._resolver: GuardedResolver | None = None
        self._session: aiohttp.ClientSession | None = None
        self._wires: dict[tuple[str, str, int], Wire] = {}
        self._targets: dict[str, ParsedTarget] = {}
        self._tls: ssl.SSLContext | None = None

    @property
    def session(self) -> aiohttp.ClientSession:
        """The session itself. What is called through it directly is still checked at the address dialled."""
        if self._session is None:
            import aiohttp

            from tablegram.values.http.guarded import FewInterim

            connector = aiohttp.TCPConnector(
                resolver=self._guarded_resolver(),
                # Each dial asks anew, and what was checked is what is dialled.
                use_dns_cache=False,
                socket_factory=self._open_socket,
                limit=0,
                limit_per_host=0,
                keepalive_timeout=10.0,
            )
            connector._factory = functools.partial(FewInterim, loop=asyncio.get_running_loop())  # type: ignore[assignment]
            self._session = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                headers=_PLAIN,
                skip_auto_headers=("Accept",),
                trust_env=False,
                auto_decompress=False,
            )
        return self._session

    async def close(self) -> None:
        for wire in self._wires.values():
            wire.close()
        self._wires.clear()
        if self._session is not None:
            await self._session.close()
            self._session = None
        if self._resolver is not None:
            await self._resolver.close()
            self._resolver = None

    @asynccontextmanager
    async def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        timeout_s: float = 15.0,
        connect_s: float = CONNECT_S,
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """Call the address and lend its answer; whatever goes wrong is one of this module's errors."""
        import aiohttp

        target = self.targets.check_url(url)
        limits = aiohttp.ClientTimeout(total=timeout_s, connect=min(connect_s, timeout_s))
        try:
            response = await self.session.request(
                method, target.url, headers=headers, data=body, timeout=limits, allow_redirects=False
            )
        except network_failures() as error:
            raise _translate(error) from None
        except ValueError as error:
            # The library's word for an address or header that it cannot write.
            raise TargetUnreachable("the address or a header cannot be written") from error
        async with response:
            try:
                yield response
            except (aiohttp.ClientError, TimeoutError) as error:
                raise _translate(error) from None

    def target(self, url: str) -> ParsedTarget:
        """The checked target of an address; the rules are the installation's and do not change while it runs."""
        known = self._targets.get(url)
        if known is None:
            if len(self._targets) >= MAX_WIRES:
                self._targets.clear()
            known = self._targets[url] = self.targets.check_url(url)
        return known

    def wire(self, target: ParsedTarget) -> Wire:
        """Kept connections to a checked target's host, for many small calls; each dial is checked anew."""
        key = (target.url.scheme, target.host, target.port)
        wire = self._wires.pop(key, None)
        if wire is None:
            wire = Wire(self._dialler(target), connect_s=CONNECT_S)
            if len(self._wires) >= MAX_WIRES:
                # Whoever was not called for the longest time dials again when they are.
                self._wires.pop(next(iter(self._wires))).close()
        self._wires[key] = wire
        return wire

    def _dialler(self, target: ParsedTarget) -> Dial:
        async def dial(make: Callable[[], Connection]) -> Connection:
            tls = self._tls_context() if target.url.scheme == "https" else None
            failure: OSError = OSError(errno.EHOSTUNREACH, "its name has no address")
            for address in await self._addresses(target):
                # What is checked here is what is dialled in the next line.
                self.targets.check_address(address, host=target.host, port=target.port)
                try:
                    _, connection = await asyncio.get_running_loop().create_connection(
                        make, address, target.port, ssl=tls, server_hostname=target.host if tls else None
                    )
                    return connection
                except OSError as error:
                    failure = error
            raise failure

        return dial

    async def _addresses(self, target: ParsedTarget) -> list[str]:
        if target.address is not None:
            return [str(target.address)]
        return [answer["host"] for answer in await self._guarded_resolver().resolve(target.host, target.port)]

    def _tls_context(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = ssl.create_default_context()
        return self._tls

    async def fetch(self, url: str, max_bytes: int, timeout_s: float) -> Fetched:
        """The whole answer in memory. For larger files use `fetch_into`."""
        sink = BytesIO()
        fetched = await self.fetch_into(url, sink, max_bytes=max_bytes, timeout_s=timeout_s)
        return Fetched(fetched.status, fetched.content_type, sink.getvalue(), fetched.headers, fetched.size)

    async def fetch_into(self, url: str, sink: IO[bytes], *, max_bytes: int, timeout_s: float) -> Fetched:
        """Stream the answer's body into an open file; `body` of the result is empty."""
        async with self.request("GET", url, timeout_s=timeout_s) as response:
            if (response.content_length or 0) > max_bytes:
                raise TooLarge(max_bytes)
            size = 0
            async for chunk in response.content.iter_chunked(CHUNK_BYTES):
                size += len(chunk)
                if size > max_bytes:
                    raise TooLarge(max_bytes)
                sink.write(chunk)
            return Fetched(response.status, response.content_type, b"", dict(response.headers), size)

    async def is_public(self, url: str) -> bool:
        """Whether others on the internet reach this address too: none of its addresses is private.

        Raises `TargetForbidden` and `TargetUnreachable` as a call would.
        """
        target = self.targets.check_url(url)
        if target.address is not None:
            return self.targets.is_public(str(target.address))
        try:
            async with asyncio.timeout(CONNECT_S):
                found = await self._guarded_resolver().resolve(target.host, target.port)
        except network_failures() as error:
            raise TargetUnreachable("its name cannot be resolved") from error
        return all(self.targets.is_public(answer["host"]) for answer in found)

    def _guarded_resolver(self) -> GuardedResolver:
        if self._resolver is None:
            import aiohttp

            from tablegram.values.http.guarded import GuardedResolver

            self._resolver = GuardedResolver(self.targets, self._inner or aiohttp.ThreadedResolver())
        return self._resolver

    def _open_socket(self, info: Any) -> socket.socket:
        """The last look, at the very address about to be dialled: literal addresses never meet the resolver."""
        family, kind, proto, _, address = info
        try:
            self.targets.check_address(address[0], host=address[0], port=address[1])
        except TargetForbidden as error:
            raise _DialRefused(errno.EACCES, error.reason) from error
        return socket.socket(family=family, type=kind, proto=proto)


def _translate(error: BaseException) -> Exception:
    import aiohttp

    if isinstance(error, aiohttp.ClientConnectorError) and isinstance(error.os_error, _DialRefused):
        return TargetForbidden(error.os_error.strerror or "")
    return TargetUnreachable(explain(error))
