"""The network calling: signed callbacks at a steady rate over so many connections. A process of its own.

python -m bench.callbacks PORT HOOK_KEY RATE SECONDS CONNECTIONS    prints one JSON line
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import os
import sys
import time
from collections import deque

import uvloop

SENDERS = 500
APP_SECRET = b"s"
# What else they say, for servers that read what guests write.
SAYS = os.environ.get("BENCH_SAYS", "")
# The network's id of the line that they write to. What is for another one is for no line of the account.
LINE = os.environ.get("BENCH_LINE", "1")


def callback(number: int) -> bytes:
    """One text message; its text says who sent it and when, so that the receiver can tell."""
    phone = str(905_300_000_000 + number % SENDERS)
    return text_of(phone, f"{phone} {time.time()} {SAYS}".rstrip(), number)


def text_of(phone: str, text: str, number: int) -> bytes:
    """What the network says of a customer's text; the number is not to be used again."""
    message = {
        "id": f"wamid.{os.getpid()}.{number}",
        "timestamp": str(int(time.time())),
        "type": "text",
        "from": phone,
        "text": {"body": text},
    }
    value = {
        "messaging_product": "whatsapp",
        "metadata": {"display_phone_number": LINE, "phone_number_id": LINE},
        "contacts": [{"profile": {"name": "Ayşe"}, "wa_id": phone}],
        "messages": [message],
    }
    entry = {"id": "1", "changes": [{"field": "messages", "value": value}]}
    return json.dumps({"object": "whatsapp_business_account", "entry": [entry]}).encode()


def sign(body: bytes) -> str:
    return f"sha256={hmac.new(APP_SECRET, body, hashlib.sha256).hexdigest()}"


class Network:
    """What is to be sent when, and who is free to send it."""

    def __init__(self, hook_key: str, rate: float, total: int) -> None:
        self.hook_key, self.rate, self.total = hook_key, rate, total
        # In turn, because a server closes a connection that is left idle.
        self.free: deque[Caller] = deque()
        self.counts = {"acknowledged": 0, "refused": 0}
        self.number = 0
        self.started = 0.0

    def send_due(self) -> None:
        """At every tick, and whenever somebody is free again: a wait for the tick would count as the server's."""
        if not self.started:
            return
        due = min(self.total, int((time.perf_counter() - self.started) * self.rate) + 1)
        while self.number < due and self.free:
            self.free.popleft().call(self.hook_key, callback(self.number))
            self.number += 1


class Caller(asyncio.Protocol):
    def __init__(self, network: Network) -> None:
        self.network = network
        self.buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.network.free.append(self)

    def call(self, hook_key: str, body: bytes) -> None:
        signature = sign(body)
        head = (
            f"POST /hooks/cloud/{hook_key} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Hub-Signature-256: {signature}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self.transport.write(head.encode() + body)  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if b"\r\n\r\n" in self.buffer:
            self.network.counts["acknowledged" if b" 200 " in self.buffer[:16] else "refused"] += 1
            self.buffer = b""
            self.network.free.append(self)
            self.network.send_due()


async def main(port: int, hook_key: str, rate: float, seconds: float, connections: int) -> None:
    loop = asyncio.get_running_loop()
    network = Network(hook_key, rate, int(rate * seconds))
    for _ in range(connections):
        await loop.create_connection(lambda: Caller(network), "127.0.0.1", port)
    started = network.started = time.perf_counter()
    while network.number < network.total and time.perf_counter() - started < seconds * 3:
        network.send_due()
        await asyncio.sleep(0.001)
    # Looking now and then costs the measured path nothing; an event to set on every answer would.
    while len(network.free) < connections and time.perf_counter() - started < seconds * 3 + 10:  # noqa: ASYNC110
        await asyncio.sleep(0.005)
    took = time.perf_counter() - started
    counts = network.counts
    print(json.dumps({**counts, "offered": rate, "seconds": took, "per_s": counts["acknowledged"] / took}), flush=True)


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]), sys.argv[2], float(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5])))
