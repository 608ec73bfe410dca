"""Connections that say nothing, or begin a request and never end its head: from one address, and from many."""

from __future__ import annotations

import asyncio

from tablegram.server.crowd import raise_open_files
from tools.attack.attack import Attack, expect
from tools.attack.ground import Ground, let_go

SAID = (b"", b"GET /panel/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ")


async def run(ground: Ground) -> str:
    raise_open_files()
    # From one address more than it may have; from many, in the long form, more than all may have together.
    from_one, from_many = ground.size(600, 1_100), ground.size(0, 5_000)
    writers: list[asyncio.StreamWriter] = []
    try:
        for number in range(from_one + from_many):
            _, writer = await ground.connect(0 if number < from_one else 1 + number % 200)
            writer.write(SAID[number % 2])
            writers.append(writer)
        for address in (0, 5, 240):
            answer = await ground.ask("GET", "/panel/sign-in", number=address)
            expect(answer.status == 200, f"{ground.address(address)} is answered {answer.status}")
    finally:
        await asyncio.gather(*map(let_go, writers))
    return f"{from_one + from_many} opened, everybody else was answered, and their own address too"


ATTACK = Attack(name="silent connections", run=run)
