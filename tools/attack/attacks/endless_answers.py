"""Receivers of webhooks that answer without end, while another account's events are to be delivered."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections.abc import AsyncIterator

from tests.product import fetch
from tools.attack.attack import Attack, expect
from tools.attack.ground import Ground, let_go

OPEN = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OPEN + b"Transfer-Encoding: chunked\r\n\r\n"
KIND = OPEN + b"Content-Length: 2\r\n\r\nok"
HOSTILE = {
    "header line": (OPEN + b"X-A: ", b"a" * 65_536),
    "headers": (OPEN, b"X-A: b\r\n" * 8_000),
    "interim answers": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 2_000),
    "chunk extensions": (CHUNKED, b"1;a=bbbbbbbbbbbbbbbbbbbb\r\nx\r\n" * 2_000),
    "trailers": (CHUNKED + b"0\r\n", b"X-A: b\r\n" * 8_000),
    "body": (OPEN + b"\r\n", b"x" * 65_536),
    "drops": (OPEN + b"X-A: ", b""),
}


@contextlib.asynccontextmanager
async def receiver(first: bytes, again: bytes | None) -> AsyncIterator[tuple[str, list[int]]]:
    """A receiver that answers so; its address, and how many bytes it got rid of in each call."""
    said: list[int] = []

    async def on_call(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                await reader.readexactly(int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]))
                said.append(0)
                place = len(said) - 1
                writer.write(first)
                for part in itertools.repeat(again) if again is not None else ():
                    writer.write(part or b"a")
                    await writer.drain()
                    said[place] += len(part)
                    await asyncio.sleep(0.001 if part else 0.2)
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            # The other side has had enough, or all is over.
            return
        finally:
            await let_go(writer)

    server = await asyncio.start_server(on_call, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", said
    finally:
        server.close()


async def run(ground: Ground) -> str:
    product = ground.product
    await asyncio.to_thread(product.cli, "account", "create", "hostile")
    key = (await asyncio.to_thread(product.cli, "key", "create", "--account", "hostile"))["key"]

    async def call(path: str, body: object, as_key: str) -> dict[str, str]:
        status, answer = await asyncio.to_thread(
            fetch, product.api + path, method="POST", body=body, headers={"Authorization": f"Bearer {as_key}"}
        )
        expect(status < 300, answer)
        found: dict[str, str] = answer
        return found

    async with contextlib.AsyncExitStack() as stack:
        hostile: list[list[int]] = []
        for first, again in HOSTILE.values():
            url, said = await stack.enter_async_context(receiver(first, again))
            endpoint = await call("/webhooks", {"url": url, "events": ["*"]}, key)
            hostile.append(said)
            for _ in range(ground.size(1, 10)):
                await call(f"/webhooks/{endpoint['id']}/test", None, key)
        url, taken = await stack.enter_async_context(receiver(KIND, None))
        endpoint = await call("/webhooks", {"url": url, "events": ["*"]}, product.key)
        count, began_s = ground.size(5, 40), time.monotonic()
        for _ in range(count):
            await call(f"/webhooks/{endpoint['id']}/test", None, product.key)
        async with asyncio.timeout(120):
            while len(taken) < count:
                await asyncio.sleep(0.05)
            took_s = time.monotonic() - began_s
            while not all(hostile):
                await asyncio.sleep(0.05)
    longest = max(max(said) for said in hostile)
    expect(longest < 100_000_000, f"a receiver got rid of {longest:,} bytes in one call")
    return f"{len(HOSTILE)} kinds of receivers; another account's {count} events came within {took_s:.1f} s"


ATTACK = Attack(name="endless answers", run=run)
