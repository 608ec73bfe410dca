"""Addresses that lead where none should, and a network of names and servers on loopback to call."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult

from tablegram.values.http.outbound import GuardedClient, Targets
from tablegram.values.http.targets import Network

# For what never happens: however busy the machine is, an answer that comes is not given up.
WITHIN_S = 60.0
LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)
HOSTILE = [
    # Not https, or not a URL at all.
    "",
    "https://",
    "https:///x",
    "http://example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "javascript:alert(1)",
    "//example.com/",
    "example.com",
    "https:example.com",
    "https:/example.com",
    "https://example.com:99999/",
    "https://example.com:x/",
    "https://example.com:0/",
    "https://[::1/",
    "https://[]/",
    "https://exa mple.com/",
    "https://example.com/a b",
    "https://example.com/\n",
    "https://exam\tple.com/",
    " https://example.com/",
    "https://example.com/\x00",
    "https://example.com/\x7f",
    "https://example.com\\@127.0.0.1/",
    "https://example.com/\u2003",
    "https://" + "a" * 64 + ".example.com/",
    "https://example.com/" + "a" * 2_048,
    "https://-bad.example.com/",
    "https://a..example.com/",
    # Ports, credentials, fragments, dots.
    "https://example.com:22/",
    "https://example.com:80/",
    "https://example.com:6379/",
    "https://8.8.8.8:25/",
    "https://user@example.com/",
    "https://user:pass@example.com/",
    "https://@example.com/",
    "https://:@example.com/",
    "https://example.com@127.0.0.1/",
    "https://example.com/#f",
    "https://example.com#@127.0.0.1/",
    "https://example.com./",
    "https://127.0.0.1./",
    # Longer than a name may be, by one.
    "https://" + "a" * 60 + ("." + "b" * 60) * 3 + "." + "c" * 6 + ".com/",
    # Local names.
    "https://localhost/",
    "https://LOCALHOST/",
    "https://localhost./",
    "https://a.localhost/",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://intranet/",
    "https://metadata/",
    "https://router.lan/",
    "https://x.home.arpa/",
    # Addresses that are not public.
    "https://127.0.0.1/",
    "https://127.1.2.3/",
    "https://0.0.0.0/",
    "https://0.1.2.3/",
    "https://10.0.0.1/",
    "https://172.16.0.1/",
    "https://172.31.255.255/",
    "https://192.168.1.1/",
    "https://169.254.169.254/",
    "https://100.64.0.1/",
    "https://100.100.100.200/",
    "https://192.0.0.1/",
    "https://192.0.0.192/",
    "https://192.0.2.1/",
    "https://192.88.99.1/",
    "https://198.18.0.1/",
    "https://198.51.100.1/",
    "https://203.0.113.9/",
    "https://224.0.0.1/",
    "https://240.0.0.1/",
    "https://255.255.255.255/",
    "https://168.63.129.16/",
    # The same in other spellings.
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://127.0.1/",
    "https://017700000001/",
    "https://0/",
    "https://1/",
    "https://8.8.8.8.8/",
    "https://256.1.1.1/",
    "https://0x/",
    "https://example.0x1/",
    "https://\uff11\uff12\uff17.0.0.1/",
    "https://127\u30020\u30020\u30021/",
    "https://\u2460\u2461\u2466.0.0.1/",
    "https://%31%32%37.0.0.1/",
    "https://127.0.0.1%00.example.com/",
    "https://loc\u00adalhost/",
    "https://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3/",
    # IPv6, with and without an IPv4 address inside.
    "https://[::1]/",
    "https://[::]/",
    "https://[0:0:0:0:0:0:0:1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[::ffff:8.8.8.8]/",
    "https://[::127.0.0.1]/",
    "https://[::ffff:0:127.0.0.1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[64:ff9b::10.0.0.1]/",
    "https://[64:ff9b:1::1]/",
    "https://[2002:7f00:1::]/",
    "https://[2001:0:4136:e378::1]/",
    "https://[2001:db8::1]/",
    "https://[3fff::1]/",
    "https://[fe80::1]/",
    "https://[fe80::1%25eth0]/",
    "https://[fec0::1]/",
    "https://[fc00::1]/",
    "https://[fd00:ec2::254]/",
    "https://[ff02::1]/",
    "https://[100::1]/",
    "https://[5f00::1]/",
    "https://[4000::1]/",
    "https://[2a00:1450::5efe:a00:1]/",
    "https://[2a00:1450::200:5efe:a00:1]/",
    "https://[v1.x]/",
]


class Answers(AbstractResolver):
    """A name server that gives another answer at each question, and remembers how often it was asked."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.asked = 0

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        addresses = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                proto=0,
                flags=socket.AI_NUMERICHOST,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
            )
            for address in addresses
        ]

    async def close(self) -> None:
        pass


class Listener:
    """Counts connections, so that a test can prove that none was even opened."""

    def __init__(self) -> None:
        self.port = 0
        self.connections = 0

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        writer.close()


@asynccontextmanager
async def listener() -> AsyncIterator[Listener]:
    counter = Listener()
    server = await asyncio.start_server(counter.meet, "127.0.0.1", 0)
    counter.port = server.sockets[0].getsockname()[1]
    async with server:
        yield counter


@asynccontextmanager
async def client(*answers: list[str], listed: tuple[Network, ...] = ()) -> AsyncIterator[GuardedClient]:
    guarded = GuardedClient(Targets(listed), resolver=Answers(*answers) if answers else None)
    try:
        yield guarded
    finally:
        await guarded.close()


@asynccontextmanager
async def files(handler: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> AsyncIterator[str]:
    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", handler)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
