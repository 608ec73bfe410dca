"""What stands before the servers: it asks each whether it is ready, and sends who calls to those that are, by turns."""

from __future__ import annotations

import asyncio

import aiohttp

from tests.faults.cluster.relay import Relay, Target

ASK_EVERY_S = 0.5
ANSWER_WITHIN_S = 1.0


class Front(Relay):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0))
        self.servers: list[Target] = []
        self._ready: set[Target] = set()
        self._turn = 0

    def pick(self) -> Target | None:
        able = [one for one in self.servers if one in self._ready]
        if not able:
            return None
        self._turn += 1
        return able[self._turn % len(able)]

    async def watch_forever(self) -> None:
        timeout = aiohttp.ClientTimeout(total=ANSWER_WITHIN_S)
        async with aiohttp.ClientSession(timeout=timeout) as session:
            while True:
                await asyncio.gather(*(self._ask(session, one) for one in self.servers))
                await asyncio.sleep(ASK_EVERY_S)

    async def _ask(self, session: aiohttp.ClientSession, server: Target) -> None:
        try:
            async with session.get(f"http://{server[0]}:{server[1]}/readyz") as answer:
                is_ready = answer.status == 200
        except (aiohttp.ClientError, OSError, TimeoutError):
            is_ready = False
        (self._ready.add if is_ready else self._ready.discard)(server)
