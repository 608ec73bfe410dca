"""Forms of many fields, from a stranger and without a proof."""

from __future__ import annotations

import asyncio

from tools.attack.attack import Attack, expect
from tools.attack.ground import Ground

KIND = {"Content-Type": "application/x-www-form-urlencoded"}


async def run(ground: Ground) -> str:
    # Within what a stranger's form may have, and far beyond it.
    small, large = b"a=&" * 30_000, b"a=&" * 7_000_000
    count = ground.size(5, 50)
    cpu_s = ground.cpu_s()
    forms = (ground.ask("POST", "/panel/sign-in", small, KIND, number) for number in range(count))
    told = {answer.status for answer in await asyncio.gather(*forms)}
    head = f"POST /panel/language HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {KIND['Content-Type']}\r\nContent-Length: {len(large)}\r\n\r\n"
    for number in range(ground.size(1, 10)):
        answer = await ground.say(head.encode() + large[:1_000_000], number)
        # Refused unread; a stranger may also be cut off while still sending.
        told.add(413 if answer is None else answer.status)
    expect(told <= {303, 401, 403, 413}, told)
    return f"{count} forms of 30,000 fields and {ground.size(1, 10)} of 20 MB refused, {ground.cpu_s() - cpu_s:.1f} s of CPU"


ATTACK = Attack(name="many fields", run=run)
