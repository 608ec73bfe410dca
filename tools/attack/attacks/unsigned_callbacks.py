"""Callbacks to a hook without the network's signature, as large as they may be."""

from __future__ import annotations

import asyncio
from collections import Counter

from tools.attack.attack import Attack, expect
from tools.attack.ground import Ground


async def run(ground: Ground) -> str:
    count = ground.size(100, 2_000)
    body = b"{" + b" " * ground.size(10_000, 1_000_000)
    told: Counter[int] = Counter()

    async def some(number: int) -> None:
        for _ in range(count // 10):
            answer = await ground.ask("POST", f"/hooks/cloud/guess{number}", body, {"X-Hub-Signature-256": "sha256=00"})
            told[answer.status] += 1

    await asyncio.gather(*(some(number) for number in range(10)))
    expect(set(told) <= {404, 429} and told[429] > 0, dict(told))
    return f"{told[404]} of {count} looked at, the others 429"


ATTACK = Attack(name="unsigned callbacks", run=run)
