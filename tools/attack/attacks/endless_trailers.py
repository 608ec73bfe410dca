"""Requests that go on behind their body: fields and extensions of chunks without end."""

from __future__ import annotations

import asyncio

from tools.attack.attack import Attack, expect
from tools.attack.ground import Ground, let_go

HEAD = b"POST /panel/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n"
ENDLESS = {
    "a trailer": (b"0\r\nX-A: ", b"a" * 65_536),
    "extensions": (b"", b"1;a=bbbbbbbbbbbbbbbbbbbbbbbb\r\nx\r\n" * 2_000),
}
MOST_BYTES = 200_000_000


async def run(ground: Ground) -> str:
    said: list[int] = []

    async def one(number: int, first: bytes, again: bytes) -> None:
        reader, writer = await ground.connect(number)
        sent = 0
        try:
            writer.write(HEAD + first)
            while not reader.at_eof() and sent < MOST_BYTES:
                writer.write(again)
                await writer.drain()
                sent += len(again)
                await asyncio.sleep(0)
        except ConnectionError:
            pass
        finally:
            said.append(sent)
            await let_go(writer)

    callers = ground.size(2, 20)
    kinds = list(ENDLESS.values())
    await asyncio.gather(*(one(number, *kinds[number % 2]) for number in range(callers)))
    expect(max(said) < MOST_BYTES, f"one went on for {max(said):,} bytes")
    return f"{callers} cut off, the longest after {max(said) / 1e6:.1f} MB on its way"


ATTACK = Attack(name="endless trailers", run=run)
