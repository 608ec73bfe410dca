"""The load of several lines: each send goes over the next one, by whichever process takes the connection.

python -m bench.cluster_load PORT KEY CONNECTIONS MESSAGES LINE,LINE,... [RATE]    prints one JSON line

With a rate (of all connections, in a second) the messages come one after the other, as from many that know nothing of each other;
without one, each connection sends the next when it has the answer to the last.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

import uvloop

from bench.generator import RECIPIENTS, Client, Load, request

WITHIN_S = 300


class Paced(Client):
    """Sends when its turn comes."""

    load: SpreadLoad

    def ask(self) -> None:
        self.load.idle.put_nowait(self)

    def go(self) -> None:
        super().ask()


class SpreadLoad(Load):
    """So many messages, whether they go out at once or are left to the process that holds their line."""

    def __init__(self, key: str, messages: int, lines: list[str], done: asyncio.Event, connections: int) -> None:
        super().__init__(key, WITHIN_S, done, connections)
        self.requests = [self._over(request(key, number), lines[number % len(lines)]) for number in range(RECIPIENTS)]
        self.most = messages
        self.idle: asyncio.Queue[Paced] = asyncio.Queue()

    def _over(self, plain: bytes, line: str) -> bytes:
        head, body = plain.split(b"\r\n\r\n", 1)
        named = json.dumps({**json.loads(body), "instance_id": int(line)}).encode()
        return head.replace(b"Content-Length: %d" % len(body), b"Content-Length: %d" % len(named)) + b"\r\n\r\n" + named

    def count(self, took: float, status: bytes, body: bytes) -> bool:
        self.latencies.append(took)
        if status == b"200":
            self.sent += 1
        else:
            reason = f"{status.decode()} {body[:160].decode(errors='replace')}"
            self.errors[reason] = self.errors.get(reason, 0) + 1
        if len(self.latencies) + self.left <= self.most:
            return True
        self.left -= 1
        if self.left == 0:
            self.done.set()
        return False


class PacedLoad(SpreadLoad):
    def count(self, took: float, status: bytes, body: bytes) -> bool:
        super().count(took, status, body)
        if len(self.latencies) == self.most:
            self.done.set()
        return True

    async def send(self, rate: float) -> None:
        began = time.perf_counter()
        for number in range(self.most):
            await asyncio.sleep(began + number / rate - time.perf_counter())
            # Who comes while every connection is taken waits for one.
            (await self.idle.get()).go()


async def main(port: int, key: str, connections: int, messages: int, lines: list[str], rate: float = 0) -> None:
    loop = asyncio.get_running_loop()
    done = asyncio.Event()
    load = (PacedLoad if rate else SpreadLoad)(key, messages, lines, done, connections)
    kind = Paced if rate else Client
    started = time.perf_counter()
    await asyncio.gather(*[loop.create_connection(lambda: kind(load), "127.0.0.1", port) for _ in range(connections)])
    async with asyncio.timeout(WITHIN_S):
        if isinstance(load, PacedLoad):
            await load.send(rate)
        await done.wait()
    took = time.perf_counter() - started
    print(json.dumps({"seconds": took, "sent": load.sent, "errors": load.errors}), flush=True)


if __name__ == "__main__":
    port, key, connections, messages, lines, *rate = sys.argv[1:]
    uvloop.run(main(int(port), key, int(connections), int(messages), lines.split(","), *map(float, rate)))
