"""Forms that say how long they are, and then say nothing."""

from __future__ import annotations

import asyncio

from tools.attack.attack import Attack, expect
from tools.attack.ground import Ground, Heard, heard, let_go

HEAD = (
    b"POST /panel/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n"
)


async def run(ground: Ground) -> str:
    count = ground.size(60, 1_100)

    async def one(number: int) -> Heard | None:
        # From many addresses: what one may open at once is another attack.
        reader, writer = await ground.connect(number % 100)
        try:
            writer.write(HEAD)
            return await heard(reader)
        finally:
            await let_go(writer)

    answers = await asyncio.gather(*(one(number) for number in range(count)))
    late = sum(1 for answer in answers if answer is not None and answer.status == 408)
    expect(late == count, f"{late} of {count} were ended with 408")
    signed_out = await ground.ask("GET", "/panel/sign-in", number=200)
    expect(signed_out.status == 200, f"the page answers {signed_out.status} afterwards")
    return f"{count} held open, each ended with 408"


ATTACK = Attack(name="silent forms", run=run)
