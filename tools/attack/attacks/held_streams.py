"""One address that opens live streams without end."""

from __future__ import annotations

import asyncio
from collections import Counter

from tools.attack.attack import Attack, expect
from tools.attack.ground import Ground, let_go

LISTEN = b"GET /api/v1/menu/live HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n"


async def run(ground: Ground) -> str:
    count = ground.size(340, 1_100)
    told: Counter[int] = Counter()
    writers: list[asyncio.StreamWriter] = []
    try:

        async def one() -> None:
            reader, writer = await ground.connect()
            writers.append(writer)
            try:
                writer.write(LISTEN)
                told[int((await reader.readuntil(b"\r\n")).split(b" ")[1])] += 1
            except (ConnectionError, asyncio.IncompleteReadError):
                # Turned away before the request was read.
                told[429] += 1

        # Many at the same moment: a limit that is looked at before it is taken would be passed by all of them.
        for _ in range(0, count, 100):
            await asyncio.gather(*(one() for _ in range(min(100, count))))
        expect(set(told) <= {200, 429}, dict(told))
        expect(0 < told[200] <= 300, dict(told))
        other = await ground.ask("GET", "/api/v1/menu?table=1", number=1, headers={"Accept": "text/html"})
        expect(other.status == 200, f"another address is answered {other.status}")
    finally:
        await asyncio.gather(*map(let_go, writers))
    return f"{told[200]} of {sum(told.values())} opened, the others were told to wait"


ATTACK = Attack(name="held streams", run=run)
