"""The load: so many connections, each sending one message after another. A process of its own.

python -m bench.generator PORT KEY CONNECTIONS SECONDS    prints one JSON line
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

import uvloop

RECIPIENTS = 5_000
TEXT = "Your order *1042* is on its way. Track it at https://example.com/t/1042"


def request(key: str, number: int) -> bytes:
    body = json.dumps({"phone": str(905_300_000_000 + number), "message": TEXT}).encode()
    return (
        b"POST /api/v1/messages/send HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
        + key.encode()
        + b"\r\nContent-Type: application/json\r\nContent-Length: "
        + str(len(body)).encode()
        + b"\r\n\r\n"
        + body
    )


class Client(asyncio.Protocol):
    def __init__(self, load: Load) -> None:
        self.load = load
        self.buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.ask()

    def ask(self) -> None:
        self.started = time.perf_counter()
        self.transport.write(self.load.next_request())  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        head = self.buffer[:end].lower()
        at = head.index(b"content-length:") + 15
        length = int(head[at:].split(b"\r\n", 1)[0])
        if len(self.buffer) < end + 4 + length:
            return
        body, self.buffer = self.buffer[end + 4 :], b""
        if self.load.count(time.perf_counter() - self.started, head[9:12], body):
            self.ask()
        else:
            self.transport.close()


class Load:
    def __init__(self, key: str, seconds: float, done: asyncio.Event, connections: int) -> None:
        self.requests = [request(key, number) for number in range(RECIPIENTS)]
        self.number = 0
        self.until = time.perf_counter() + seconds
        self.left = connections
        self.done = done
        self.latencies: list[float] = []
        self.sent = 0
        self.errors: dict[str, int] = {}

    def next_request(self) -> bytes:
        self.number = (self.number + 1) % RECIPIENTS
        return self.requests[self.number]

    def count(self, took: float, status: bytes, body: bytes) -> bool:
        """Note one answer; whether its connection should go on."""
        self.latencies.append(took)
        if status == b"200" and b'"status_code":"sent"' in body:
            self.sent += 1
        else:
            reason = f"{status.decode()} {body[:160].decode(errors='replace')}"
            self.errors[reason] = self.errors.get(reason, 0) + 1
        if time.perf_counter() < self.until:
            return True
        self.left -= 1
        if self.left == 0:
            self.done.set()
        return False


async def main(port: int, key: str, connections: int, seconds: float) -> None:
    loop = asyncio.get_running_loop()
    done = asyncio.Event()
    load = Load(key, seconds, done, connections)
    started = time.perf_counter()
    await asyncio.gather(*[loop.create_connection(lambda: Client(load), "127.0.0.1", port) for _ in range(connections)])
    async with asyncio.timeout(seconds + 30):
        await done.wait()
    took = time.perf_counter() - started
    ordered = sorted(load.latencies)
    result = {
        "connections": connections,
        "seconds": took,
        "sent": load.sent,
        "per_s": load.sent / took,
        "p50_ms": ordered[len(ordered) // 2] * 1_000,
        "p99_ms": ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))] * 1_000,
        "errors": load.errors,
    }
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), float(sys.argv[4])))
