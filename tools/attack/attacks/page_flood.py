"""One address that asks for pages as fast as it can."""

from __future__ import annotations

import asyncio
import time
from collections import Counter

from tools.attack.attack import Attack, expect
from tools.attack.ground import Ground, heard, let_go

ASK = b"GET /panel/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\nCookie: tablegram_session=%b\r\n\r\n"


async def run(ground: Ground) -> str:
    count, callers = ground.size(200, 20_000), 10
    until_s = time.monotonic() + ground.size(20, 60)
    told: Counter[int] = Counter()

    async def one(number: int) -> None:
        reader, writer = await ground.connect()
        try:
            for turn in range(count // callers):
                # With a cookie that it made up, another one each time.
                writer.write(ASK % (b"%043d" % (number * count + turn)))
                answer = await heard(reader)
                expect(answer is not None, "a request was not answered")
                assert answer is not None
                told[answer.status] += 1
                # However slow the machine is, it goes on until it was too much.
                if time.monotonic() > until_s and told[429]:
                    return
        finally:
            await let_go(writer)

    await asyncio.gather(*(one(number) for number in range(callers)))
    expect(set(told) == {200, 429}, dict(told))
    other = await ground.ask("GET", "/panel/sign-in", number=1)
    expect(other.status == 200, f"another address is answered {other.status}")
    return f"{told[200]} pages of {sum(told.values())} asked for, the others 429"


ATTACK = Attack(name="page flood", run=run)
